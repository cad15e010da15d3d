/*
 * A fork-join team: a few threads that share one piece of work many times per millisecond, such as the rows
 * of a batch. base/parallel.h is for longer jobs, which may fail or be canceled.
 */
#ifndef OD_FORKJOIN_H
#define OD_FORKJOIN_H

#include <stdint.h>

#include "base/status.h"

typedef struct od_forkjoin od_forkjoin;

/* worker is 0 for the calling thread and below od_forkjoin_size for all. */
typedef void (*od_forkjoin_work)(void *ctx, int worker, int64_t index);

/* A team of `size` threads, the caller among them. NULL is a team of one, and what size 1 gives. */
odim_status od_forkjoin_new(od_forkjoin **team, int size, odim_error *err);
void od_forkjoin_free(od_forkjoin *team);
int od_forkjoin_size(const od_forkjoin *team);

/* Calls work for every index below count, each once, and returns when all are done. Every thread of the team
 * is woken: a team should not be larger than the counts it is for. */
void od_forkjoin_run(od_forkjoin *team, int count, od_forkjoin_work work, void *ctx);

#endif
