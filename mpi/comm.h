/*
 * The ranks of a job and what they say to each other. The only file that knows MPI.
 *
 * All calls below but those marked so are collective: every rank makes them, in the same order. They wait
 * without using up a core. Meanwhile a thread of each rank sends a sign of life to rank 0 every second and
 * hears one from there. Who is not heard of for a while is taken for lost, and the job ends: MPI itself would
 * wait for a machine whose link is cut until the kernel gives up, a quarter of an hour.
 */
#ifndef JOB_COMM_H
#define JOB_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/byte_stream.h"
#include "odim.h"

extern int job_comm_rank, job_comm_size;

/* What a rank has done, for the progress of the whole. */
typedef struct job_progress {
    int64_t stage; /* of enum job_stage */
    int64_t done, all;
} job_progress;

enum job_stage {
    JOB_STAGE_BEGIN,
    JOB_STAGE_LAY,
    JOB_STAGE_SURVEY,
    JOB_STAGE_TRAIN,
    JOB_STAGE_SCORE,
    JOB_STAGE_WRITE,
    JOB_STAGES
};

/* False: MPI does not come up, which it has said. */
bool job_comm_begin(int *argc, char ***argv);
/* Nothing is said any more after it. */
void job_comm_end(void);
/* Ranks on this machine. */
int job_comm_neighbors(void);

/* Not collective: what is counted, and shown by rank 0. */
void job_comm_stage(enum job_stage stage, int64_t all);
void job_comm_done(int64_t done);
/* Not collective: some rank has failed, and there is no use in going on. */
bool job_comm_stopped(void);
/* Not collective; on rank 0: sums over all ranks, called ten times a second by the thread. NULL: not any
 * more. */
void job_comm_watch(void (*show)(const job_progress *sum, void *ctx), void *ctx);

/* The bytes of every rank, at rank 0 only: all[r] is yours there. Returns ODIM_OK or ODIM_ERR_NOMEM. */
odim_status job_comm_gather(const od_byte_writer *mine, od_byte_reader *all, odim_error *err);
void job_comm_drop(od_byte_reader *all);
/* Those of rank 0 to every rank: *bytes is yours on the others. */
odim_status job_comm_broadcast(void **bytes, size_t *size, odim_error *err);
int64_t job_comm_sum(int64_t mine);
int64_t job_comm_least(int64_t mine);

/* Whether all went well everywhere: the status of the first rank where it did not, and err, which says which
 * rank that is. Whoever fails within a stage comes here at once, and the others when they see
 * job_comm_stopped.
 */
odim_status job_comm_settle(odim_status status, odim_error *err);
static inline odim_status job_comm_agree(odim_status status, odim_error *err)
{
    odim_status all = job_comm_settle(status, err);
    return all ? all : status; /* it is not fine where ours is not: for who reads the code, or checks it */
}

/* Not collective: a number of seconds from the environment, or what it is otherwise. */
double job_comm_seconds(const char *name, double otherwise);

/* One file that all ranks write to, each at its own places. It is there, and rank 0 has its name. Only
 * job_comm_write is not collective. */
odim_status job_comm_open(const char *name, odim_error *err);
odim_status job_comm_write(int64_t at, const void *bytes, size_t size, odim_error *err);
odim_status job_comm_close(odim_error *err);

/* What each stage took, on rank 0, and what travelled in it, in bytes, from all ranks: rank 0 writes it. */
void job_comm_traffic(FILE *to);

#endif
