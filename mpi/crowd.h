/*
 * The ranks of a job and what they say to each other. The only file that knows MPI.
 *
 * All calls below but those marked so are collective: every rank makes them, in the same order. They wait
 * without using up a core. Meanwhile a thread of each rank sends a sign of life to rank 0 every second and
 * hears one from there. Who is not heard of for a while is taken for lost, and the job ends: MPI itself would
 * wait for a machine whose link is cut until the kernel gives up, a quarter of an hour.
 */
#ifndef OD_CROWD_H
#define OD_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/bytes.h"
#include "odim.h"

extern int od_crowd_rank, od_crowd_size;

/* What a rank has done, for the progress of the whole. */
typedef struct od_doing {
    int64_t stage; /* of enum od_stage */
    int64_t done, all;
} od_doing;

enum od_stage {
    OD_STAGE_BEGIN,
    OD_STAGE_LAY,
    OD_STAGE_SURVEY,
    OD_STAGE_TRAIN,
    OD_STAGE_SCORE,
    OD_STAGE_WRITE,
    OD_STAGES
};

/* False: MPI does not come up, which it has said. */
bool od_crowd_begin(int *argc, char ***argv);
/* Nothing is said any more after it. */
void od_crowd_end(void);
/* Ranks on this machine. */
int od_crowd_neighbours(void);

/* Not collective: what is counted, and shown by rank 0. */
void od_crowd_stage(enum od_stage stage, int64_t all);
void od_crowd_done(int64_t done);
/* Not collective: some rank has failed, and there is no use in going on. */
bool od_crowd_stopped(void);
/* Not collective; on rank 0: sums over all ranks, called ten times a second by the thread. NULL: not any
 * more. */
void od_crowd_watch(void (*show)(const od_doing *sum, void *ctx), void *ctx);

/* The bytes of every rank, at rank 0 only: all[r] is yours there. Returns ODIM_OK or ODIM_ERR_NOMEM. */
odim_status od_crowd_gather(const od_byte_writer *mine, od_byte_reader *all, odim_error *err);
void od_crowd_drop(od_byte_reader *all);
/* Those of rank 0 to every rank: *bytes is yours on the others. */
odim_status od_crowd_share(void **bytes, size_t *size, odim_error *err);
int64_t od_crowd_sum(int64_t mine);
int64_t od_crowd_least(int64_t mine);

/* Whether all went well everywhere: the status of the first rank where it did not, and err, which says which
 * rank that is. Whoever fails within a stage comes here at once, and the others when they see
 * od_crowd_stopped.
 */
odim_status od_crowd_settle(odim_status status, odim_error *err);
static inline odim_status od_crowd_agree(odim_status status, odim_error *err)
{
    odim_status all = od_crowd_settle(status, err);
    return all ? all : status; /* it is not fine where ours is not: for who reads the code, or checks it */
}

/* Not collective: a number of seconds from the environment, or what it is otherwise. */
double od_crowd_seconds(const char *name, double otherwise);

/* One file that all ranks write to, each at its own places. It is there, and rank 0 has its name. Only
 * od_crowd_write is not collective. */
odim_status od_crowd_open(const char *name, odim_error *err);
odim_status od_crowd_write(int64_t at, const void *bytes, size_t size, odim_error *err);
odim_status od_crowd_close(odim_error *err);

/* What each stage took, on rank 0, and what travelled in it, in bytes, from all ranks: rank 0 writes it. */
void od_crowd_traffic(FILE *to);

#endif
