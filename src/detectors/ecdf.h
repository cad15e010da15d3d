/*
 * Empirical distribution functions of columns, for ECOD and COPOD: the shares of training rows that are not
 * above a value, and not below it.
 *
 * The sorted columns are kept. For many rows only some are: on either side the first 100, and from there on
 * each one that is a hundredth further in than the last. Ranks between kept values are interpolated, so that
 * a share is off by at most a hundredth of itself, and its logarithm by 0.01.
 *
 * A detector keeps: count 0 training rows; part 0 values, feature by feature, ascending and distinct; part 1
 * rows below each, part 2 rows up to it; part 3 (d + 1) where each feature begins, and the end; part 4 (d) 1
 * if the long tail is on the left (negative skewness), else 0.
 */
#ifndef OD_ECDF_H
#define OD_ECDF_H

#include "detectors/detector.h"

odim_status od_ecdf_fit(od_detector *c, const od_detector_task *task, odim_error *err);
/* For most_rows. */
int64_t od_ecdf_most_rows(int64_t d);
odim_status od_ecdf_check(const od_detector *c, odim_error *err);
#define OD_ECDF_KEEPS "values of every column, sorted"
int64_t od_ecdf_values(const od_detector *c);
/* None is needed. */
size_t od_ecdf_scratch(const od_detector *c);

typedef struct od_ecdf_tails {
    double left, right; /* -log of the share of rows up to the value, and from it on; for what is beyond all
                           rows that of half a row */
    double skew;        /* the one on the side of the long tail */
} od_ecdf_tails;

od_ecdf_tails od_ecdf_at(const od_detector *c, int64_t feature, float x);

#endif
