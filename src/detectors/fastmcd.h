/*
 * The minimum covariance determinant by FAST-MCD (Rousseeuw and Van Driessen, 1999): of n rows those h whose
 * covariance has the least determinant.
 *
 * A C-step takes mean and covariance of a subset and goes on to the h rows that are nearest by them; the
 * determinant never grows. Searching starts from many small random subsets and from two that are not random
 * (the rows nearest the middle, and those nearest by the covariance of all), and takes two C-steps from each.
 * The best go on until they change no more. Of many rows the starts are made in up to five groups, the best
 * of each go on in all groups together, and the best of these among all rows.
 *
 * Where a subset lies in a hyperplane its determinant would be 0: OD_NO_VARIANCE, next to nothing beside the
 * scale 1 of the rows, is added to the diagonal of every covariance, so that there is nothing special there.
 */
#ifndef OD_FASTMCD_H
#define OD_FASTMCD_H

#include "base/status.h"

typedef struct od_mcd_task {
    const double *z; /* (n, q): columns with a spread of about 1 */
    int64_t n, q;
    uint64_t seed;
    int64_t threads;        /* the result does not depend on it */
    int (*tick)(void *ctx); /* or NULL: shows that it goes on, and may end it */
    void *ctx;
} od_mcd_task;

/* Rows of a subset. */
int64_t od_mcd_support(int64_t n, int64_t q);
/* which (support): the rows of the best subset, ascending. */
odim_status od_mcd_search(const od_mcd_task *task, int32_t *which, odim_error *err);

#endif
