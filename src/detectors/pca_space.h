/*
 * Scaled columns and their principal axes, for pca, mcd and trusted rows.
 *
 * A value becomes (value - centre) / scale; a column that varies by no more than the rounding of floats
 * keeps its scale. With axes, a row is projected onto the q axes along which training rows vary most, and
 * the rest of its length is kept as one number. There are fewer axes than columns if columns depend on each
 * other, so that no variance is left, or if there are fewer than OD_PCA_SPACE_ROWS training rows per axis:
 * by a covariance of so few rows, all of them are equally odd.
 */
#ifndef OD_PCA_SPACE_H
#define OD_PCA_SPACE_H

#include <stdbool.h>

#include "detectors/detector.h"

#define OD_PCA_SPACE_ROWS 3
#define OD_PCA_SPACE_WIDE 2048 /* columns; of more the axes are those of so many rows */
#define OD_NO_VARIANCE    1e-9 /* of 1, which is that of a column; roundings of floats make about 1e-13 */

enum { OD_PCA_SPACE_Q, OD_PCA_SPACE_TURNED, OD_PCA_SPACE_COUNTS };
enum {
    OD_PCA_SPACE_CENTRE, /* (d), then the scales (d) */
    OD_PCA_SPACE_AXES,   /* (d, q) when turned, otherwise absent */
    OD_PCA_SPACE_LENGTH, /* (q + 1): the variance along each axis, and the mean of those along no axis */
    OD_PCA_SPACE_ARRAYS
};

/* Mean and standard deviation of columns; or medians and, where half of the rows vary at all, median absolute
 * deviations as of normal columns. */
odim_status od_pca_space_scale(od_detector *c, const od_detector_task *task, bool robust, odim_error *err);
/* At most `most` axes. Variances below `least` are no axes, if it is not 0; at least one axis is left. */
odim_status od_pca_space_turn(od_detector *c, const od_detector_task *task, int64_t most, double least,
                              odim_error *err);
/* How long od_pca_space_turn takes for n rows of d columns, roughly. */
double od_pca_space_seconds(int64_t n, int64_t d, int64_t most, int64_t threads);
/* A note to the hooks, which may be NULL, if a method needs principal axes and these take minutes. */
void od_pca_space_note(od_method method, const od_detector_task *task, const odim_hooks *hooks);
/* The rows as they are: q = d. */
odim_status od_pca_space_none(od_detector *c, odim_error *err);
/* kind and count of the parts above, and their numbers. */
odim_status od_pca_space_check(const od_detector *c, odim_error *err);

/* p (rows, q): the rows along the axes; rest (rows): the squared length of what is left. z (rows, d) is room.
 */
void od_pca_space_rows(const od_detector *c, const float *x, int64_t rows, double *z, double *p,
                       double *rest);
/*
 * Shares of features in a score (p - middle) g + rest / its variance, for one row that od_pca_space_rows gave
 * z and p: `times` what each has in it is added to part (d). middle (q) may be NULL for 0. A share may be
 * negative: a feature that makes what others do less odd.
 */
void od_pca_space_attribute(const od_detector *c, const double *z, const double *p, const double *middle,
                            const double *g, double times, double *part);
/* What a rest counts as. */
double od_pca_space_rest(const od_detector *c, double rest);

#endif
