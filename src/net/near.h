/*
 * A companion of the networks: how far a row is from training rows. The networks, few and early stopped, see
 * the broad shape of a table; rows in sparse places between its parts they miss.
 *
 * Several small groups of training rows are kept, and the distance is the mean of those to the nearest row of
 * each group. Outliers that are alike are then seldom in the same group, where they would vouch for each
 * other, as they do where all rows are looked at.
 */
#ifndef OD_NEAR_H
#define OD_NEAR_H

#include "base/status.h"

#define OD_NEAR_GROUPS 16
#define OD_NEAR_SIZE   64

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

/* The mean distance of x (d) to the nearest row of each group; a row of a group that equals x is taken for x
 * itself and left out, one a group. part (d) or NULL: what each feature has in it is added there, `times`
 * over. */
double od_near_distance(const od_near *near, const float *x, double times, double *part);

#endif
