/*
 * Communication between the ranks of a job. comm.c is the only file that calls MPI.
 *
 * All calls are collective unless marked otherwise: every rank makes them, in the same order. They wait
 * without using up a core. Meanwhile a thread of each rank exchanges heartbeats with rank 0 every second. If
 * they stop for a while, the other end counts as lost and the job ends. MPI itself would wait for a lost
 * machine until the kernel gives up, a quarter of an hour later.
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

/* The progress of one rank, or of all. */
typedef struct job_progress {
    int64_t stage; /* of enum job_stage */
    int64_t done, all;
} job_progress;

enum job_stage {
    JOB_STAGE_BEGIN,
    JOB_STAGE_SCAN,
    JOB_STAGE_STATS,
    JOB_STAGE_TRAIN,
    JOB_STAGE_SCORE,
    JOB_STAGE_WRITE,
    JOB_STAGES
};

/* Returns false if MPI_Init failed; the error has been reported. */
bool job_comm_begin(int *argc, char ***argv);
/* Ends MPI. No other call may follow. */
void job_comm_end(void);
/* Number of ranks on this machine. */
int job_comm_neighbors(void);

/* Not collective: begins a stage of `all` units of work; sets how many are done. */
void job_comm_stage(enum job_stage stage, int64_t all);
void job_comm_done(int64_t done);
/* Not collective: true if some rank has failed, so that this one should stop. */
bool job_comm_stopped(void);
/* Not collective; on rank 0: the thread calls show ten times per second with the progress of all ranks.
 * NULL ends that. */
void job_comm_watch(void (*show)(const job_progress *sum, void *ctx), void *ctx);

/* Sends the bytes of every rank to rank 0, which owns all[r]. Returns ODIM_OK or ODIM_ERR_NOMEM. */
odim_status job_comm_gather(const od_byte_writer *mine, od_byte_reader *all, odim_error *err);
void job_comm_drop(od_byte_reader *all);
/* Copies the bytes of rank 0 to all ranks, which all have room for as many. */
void job_comm_share(void *bytes, size_t size);
/* The same if the others do not know the size: they own *bytes. */
odim_status job_comm_broadcast(void **bytes, size_t *size, odim_error *err);
int64_t job_comm_sum(int64_t mine);
int64_t job_comm_least(int64_t mine);

/* Returns ODIM_OK if status is ODIM_OK on all ranks. Otherwise returns the status and error of the first rank
 * that failed; the message names that rank. A rank that fails calls this at once, and the others when
 * job_comm_stopped tells them to. */
odim_status job_comm_settle(odim_status status, odim_error *err);
static inline odim_status job_comm_agree(odim_status status, odim_error *err)
{
    odim_status all = job_comm_settle(status, err);
    return all ? all : status; /* they never differ, but static analysis cannot know that */
}

/* Not collective: a positive number of seconds from the environment, or the default. */
double job_comm_seconds(const char *name, double otherwise);

/* One file that all ranks write to, each at its own places. It must exist, and rank 0 passes its name. Only
 * job_comm_write is not collective. */
odim_status job_comm_open(const char *name, odim_error *err);
odim_status job_comm_write(int64_t at, const void *bytes, size_t size, odim_error *err);
odim_status job_comm_close(odim_error *err);

/* Rank 0 writes the seconds of each stage, and the bytes that all ranks sent in it. */
void job_comm_traffic(FILE *to);

#endif
