/* Dense groups of rows far from the others, which are ordinary clusters and not outliers. */
#ifndef OD_GROUPS_H
#define OD_GROUPS_H

#include "model/verdict.h"

/* Adds to v the groups among rows x (n, v->q) that count as ordinary although most of their rows are called
 * (n) outliers. */
odim_status od_groups_find(od_verdict *v, const float *x, const bool *called, int64_t n, uint64_t seed,
                           int64_t threads, odim_error *err);

/* Squared Mahalanobis distance of a row x (q) from a group. */
double od_group_distance(const od_group *g, int64_t q, const float *x);

#endif
