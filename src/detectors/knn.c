/*
 * The distance to the k-th nearest training row (Ramaswamy et al., 2000). It is the last distance of scikit-
 * learn's NearestNeighbors, and the default of PyOD's KNN.
 */
#include <math.h>

#include "detectors/neighbors.h"

static odim_status fit(od_detector *c, const od_detector_task *task, odim_error *err)
{
    return od_neighbors_fit(c, task, OD_GUIDE_CHOOSE, err);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *scratch, double *scores)
{
    int64_t found[OD_DETECTOR_ROWS], k = c->count[OD_NEIGHBORS_K];
    const od_neighbor *list = od_neighbors_find(c, x, rows, scratch, found);
    for (int64_t i = 0; i < rows; i++) scores[i] = sqrt(list[i * (k + 1) + found[i] - 1].square);
}

/* The square of the distance is a sum; a feature has of the distance what it has of that. */
static double attribute(const od_detector *c, const float *x, void *scratch, double times, double *part)
{
    int64_t found;
    const od_neighbor *list = od_neighbors_find(c, x, 1, scratch, &found), *last = list + found - 1;
    double distance = sqrt(last->square);
    for (int64_t j = 0; distance > 0.0 && j < c->d; j++) {
        double apart = (double)x[j] - (double)od_neighbors_value(c, last->row, j);
        part[j] += times * (apart * apart / distance);
    }
    return distance;
}

const od_detector_kind od_knn = {
    .method = OD_METHOD_KNN,
    .name = "knn",
    .fit = fit,
    .scratch = od_neighbors_scratch,
    .score = score,
    .attribute = attribute,
    .keeps = "the training rows",
    .rows = od_neighbors_rows,
    .check = od_neighbors_check,
    .most_cells = OD_DETECTOR_COPIED,
};
