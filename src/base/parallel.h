/*
 * Runs jobs 0..count-1 on a pool of threads, in order. The calling thread does not work: it watches, calls
 * `tick` about ten times per second and, if tick returns non-zero, asks the workers to stop. Threads that
 * cannot be started are not needed; without any, and with 0 threads, the calling thread does the jobs.
 */
#ifndef OD_PARALLEL_H
#define OD_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef struct od_parallel od_parallel;

/* How a long call runs: its threads, and the caller's hooks for progress, notes and cancellation. */
typedef struct od_run {
    int64_t threads;         /* 0: as many as od_cores says */
    const odim_hooks *hooks; /* or NULL */
} od_run;

/* The number of threads, at least 1. */
int64_t od_run_threads(const od_run *run);
/* Passes a note to the caller, if the caller takes notes. */
void od_run_note(const od_run *run, const char *text);

/* How many threads to start for work on so many cells: 0, so that the caller does it, where there is one, or
 * where starting them would take as long as the work. */
int od_parallel_worth(int64_t threads, double cells);

/* Does job `job`; `worker` is 0..threads-1, for scratch memory. A failure ends the whole run. */
typedef odim_status (*od_parallel_job)(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err);

/* True once the run is to end: a long job looks now and then and returns ODIM_ERR_CANCELLED. */
bool od_parallel_stopped(od_parallel *par);

odim_status od_parallel_run(int threads, int64_t count, od_parallel_job job, int (*tick)(void *ctx),
                            void *ctx, odim_error *err);

/* Does items first..end-1. */
typedef void (*od_parallel_range)(void *ctx, int worker, int64_t first, int64_t end);

/* Items 0..n-1, `size` of them per job, with the poll of the calling thread (base/poll.h). A single job, or
 * one thread, is left to the calling thread. */
odim_status od_parallel_ranges(int64_t threads, int64_t n, int64_t size, od_parallel_range range, void *ctx,
                               odim_error *err);

#endif
