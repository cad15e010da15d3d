/*
 * ECOD, by empirical cumulative distributions (Li, Zhao, Hu, Botta, Ionescu and Chen, 2022). The score is
 * the largest of three sums over the columns of -log of the share of training rows that are at least as far
 * out: all on the left, all on the right, or each on the side of its long tail.
 *
 * It keeps the arrays of detectors/ecdf.h.
 */
#include <math.h>

#include "detectors/ecdf.h"

static double score_row(const od_detector *c, const float *x)
{
    double left = 0.0, right = 0.0, skew = 0.0;
    for (int64_t j = 0; j < c->d; j++) {
        od_ecdf_tails t = od_ecdf_at(c, j, x[j]);
        left += t.left;
        right += t.right;
        skew += t.skew;
    }
    return fmax(fmax(left, right), skew);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    (void)room;
    for (int64_t i = 0; i < rows; i++) scores[i] = score_row(c, x + i * c->d);
}

const od_detector_kind od_ecod = {
    .method = OD_METHOD_ECOD,
    .name = "ecod",
    .fit = od_ecdf_fit,
    .scratch = od_ecdf_scratch,
    .score = score,
    .keeps = OD_ECDF_KEEPS,
    .values = od_ecdf_values,
    .check = od_ecdf_check,
    .most_rows = od_ecdf_most_rows,
};
