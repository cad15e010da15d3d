/*
 * Clusters by k-means, for cblof: ten starts by k-means++, as in scikit-learn, of which the best counts.
 *
 * Each start draws by numbers of its own and adds up rows in their order, so that the result does not depend
 * on threads. Centers lie in blocks of 8, feature by feature, so that a row is compared with 8 at a time; the
 * last center is there again where a block is not full.
 */
#ifndef OD_KMEANS_H
#define OD_KMEANS_H

#include "detectors/detector.h"

#define OD_CENTERS 8

static inline int64_t od_center_blocks(int64_t count)
{
    return (count + OD_CENTERS - 1) / OD_CENTERS;
}

/* Feature j of center i. */
static inline double *od_center_value(double *center, int64_t d, int64_t i, int64_t j)
{
    return center + (i / OD_CENTERS * d + j) * OD_CENTERS + i % OD_CENTERS;
}

/* The nearest center to x (d), of equal ones the first, and the square of its distance. */
int64_t od_center_nearest(const double *center, int64_t blocks, int64_t d, const float *x, double *square);

typedef struct od_cluster {
    int64_t number, rows;
    bool equal; /* all of its rows are equal */
} od_cluster;

typedef struct od_kmeans {
    int64_t count;       /* clusters: fewer than asked for if there are not so many different rows */
    double *center;      /* (blocks, d, OD_CENTERS) */
    od_cluster *cluster; /* (count) */
} od_kmeans;

odim_status od_kmeans_fit(od_kmeans *k, const od_detector_task *task, int64_t clusters, odim_error *err);
void od_kmeans_free(od_kmeans *k);

#endif
