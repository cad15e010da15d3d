/*
 * Finds the nearest kept rows, exactly: for knn, lof and trusted rows. Copies of a row are kept once, with
 * their number, so that a table of few distinct rows costs no more than these. Among rows at the same
 * distance the earlier one is nearer; of copies the first counts. A kept row that equals the given row
 * counts one time less.
 *
 * Distances are sums in double. Nearly all rows are excluded by cheaper sums in float, with bounds for their
 * errors. There are two ways to find candidates, with the same result. If few blocks of a k-d tree have to
 * be visited, the tree is walked for one row at a time. Otherwise up to OD_DETECTOR_ROWS rows are multiplied
 * with all kept rows, by |x - y|^2 = |x|^2 - 2xy + |y|^2.
 */
#ifndef OD_NEIGHBORS_H
#define OD_NEIGHBORS_H

#include "detectors/detector.h"

/* What is kept in an od_detector: counts, then parts. */
enum { OD_NEIGHBORS_K, OD_NEIGHBORS_DISTINCT, OD_NEIGHBORS_TREE, OD_NEIGHBORS_COUNTS };
enum {
    OD_NEIGHBORS_ROWS,   /* (blocks, d, OD_BLOCK), the last row again where a block is not full */
    OD_NEIGHBORS_COPIES, /* (distinct) */
    OD_NEIGHBORS_FIRST,  /* (distinct): the number of the training row */
    OD_NEIGHBORS_GUIDE,  /* boxes of the tree, or (blocks, OD_BLOCK) the least that |y|^2 may count as */
    OD_NEIGHBORS_ARRAYS
};

typedef struct od_neighbor {
    double square; /* of the distance */
    int32_t row;   /* place among the kept rows */
    int32_t copies;
} od_neighbor;

typedef enum od_guide { OD_GUIDE_CHOOSE, OD_GUIDE_TREE, OD_GUIDE_PRODUCTS } od_guide;

/* Keeps the rows of a task; `guide` other than CHOOSE is for tests and benchmarks. */
odim_status od_neighbors_fit(od_detector *c, const od_detector_task *task, od_guide guide, odim_error *err);
odim_status od_neighbors_check(const od_detector *c, odim_error *err);

size_t od_neighbors_scratch(const od_detector *c);
/*
 * For each of `rows` rows of x, at most OD_DETECTOR_ROWS: the nearest kept rows, whose copies are k together,
 * nearest first. List i begins at the result + i * (k + 1) and has found[i] of them; it lies in scratch.
 */
od_neighbor *od_neighbors_find(const od_detector *c, const float *x, int64_t rows, void *scratch,
                               int64_t *found);

/* The mean distance of a list, whose last row may have more copies than are needed. */
double od_neighbors_mean(const od_neighbor *list, int64_t found, int64_t k);

/* Feature j of a kept row. */
float od_neighbors_value(const od_detector *c, int64_t row, int64_t j);

/* How many rows are kept, and whether x (d) is one of them. */
int64_t od_neighbors_rows(const od_detector *c, const float *x, bool *is_one);

/* The number of blocks that the tree visits for the rows of x; for the benchmark. */
int64_t od_neighbors_blocks(const od_detector *c, const float *x, int64_t rows, void *scratch);

#endif
