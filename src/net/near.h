/*
 * A companion of the networks: how far a row is from the training rows that are most like it. The networks,
 * few and early stopped, see the broad shape of a table; rows in sparse places between its parts they miss.
 *
 * Several small groups of training rows are kept. In each the nearest few are looked for, and the score is
 * the mean distance to them. Small groups see coarser than all rows would, and a handful of outliers that are
 * alike are seldom in the same group in number, where they would vouch for each other.
 */
#ifndef OD_NEAR_H
#define OD_NEAR_H

#include "base/status.h"

#define OD_NEAR_GROUPS 8
#define OD_NEAR_SIZE   256
#define OD_NEAR_COUNT  3 /* nearest ones in each group */

typedef struct od_near {
    int64_t d, groups, size; /* groups 0: there is none */
    float *rows;             /* (groups, d, size) */
    double weight;           /* of a distance beside a loss */
} od_near;

/* How many groups of which size there are of n training rows of d features. */
void od_near_plan(int64_t n, int64_t d, int64_t *groups, int64_t *size);
odim_status od_near_new(od_near *near, int64_t d, int64_t groups, int64_t size, odim_error *err);
void od_near_free(od_near *near);
/* Row x (d) into place i of group g. */
void od_near_put(od_near *near, int64_t g, int64_t i, const float *x);

/* The mean distance of x (d) to the nearest ones; a kept row that equals x is taken for x itself and not
 * counted, one a group. part (d) or NULL: what each feature has in it is added there, `times` over. */
double od_near_distance(const od_near *near, const float *x, double times, double *part);

#endif
