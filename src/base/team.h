/*
 * A few threads that work on one thing together, many times a millisecond: the rows of a batch, pass by pass.
 * For what lasts longer, and may fail or be cancelled, there is base/par.h.
 */
#ifndef OD_TEAM_H
#define OD_TEAM_H

#include <stdint.h>

#include "base/status.h"

typedef struct od_team od_team;

/* worker is 0 for the calling thread and below od_team_size for all. */
typedef void (*od_team_work)(void *ctx, int worker, int64_t index);

/* A team of `size` threads, the caller among them. NULL is a team of one, and what size 1 gives. */
odim_status od_team_new(od_team **team, int size, odim_error *err);
void od_team_free(od_team *team);
int od_team_size(const od_team *team);

/* Calls work for every index below count, each once, and returns when all are done. Every thread of the team
 * is woken: a team should not be larger than the counts it is for. */
void od_team_run(od_team *team, int count, od_team_work work, void *ctx);

#endif
