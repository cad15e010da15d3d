/* Finds the neighbors of every kept row, for detectors that compare a row with what its neighbors have. */
#ifndef OD_KEPT_NEIGHBORS_H
#define OD_KEPT_NEIGHBORS_H

#include "detectors/neighbors.h"

/* What is done with the neighbors of a kept row: its number, and a list as od_neighbors_find makes it. Rows
 * come in any order, from several threads; `worker` says which, from 0. */
typedef void (*od_take_neighbors)(void *ctx, int worker, int64_t row, const od_neighbor *list, int64_t found);

/* c is fitted to the task by od_neighbors_fit. A row is not its own neighbor. */
odim_status od_kept_neighbors(const od_detector *c, const od_detector_task *task, od_take_neighbors take,
                              void *ctx, odim_error *err);

#endif
