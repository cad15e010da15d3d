/*
 * COPOD, copula-based outlier detection (Li, Zhao, Botta, Ionescu and Hu, 2020), as in PyOD, by its authors.
 * Each column adds -log of the share of training rows that are at least as far out on the side of its long
 * tail, or the mean of that and of the other side, whichever is larger. The paper takes the largest of three
 * sums over the columns, as ECOD does.
 *
 * It keeps the arrays of detectors/ecdf.h.
 */
#include <math.h>

#include "detectors/ecdf.h"

static double score_row(const od_detector *c, const float *x)
{
    double sum = 0.0;
    for (int64_t j = 0; j < c->d; j++) {
        od_ecdf_tails t = od_ecdf_at(c, j, x[j]);
        sum += fmax(t.skew, 0.5 * (t.left + t.right));
    }
    return sum;
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    (void)room;
    for (int64_t i = 0; i < rows; i++) scores[i] = score_row(c, x + i * c->d);
}

const od_detector_kind od_copod = {
    .method = OD_METHOD_COPOD,
    .name = "copod",
    .fit = od_ecdf_fit,
    .scratch = od_ecdf_scratch,
    .score = score,
    .keeps = OD_ECDF_KEEPS,
    .values = od_ecdf_values,
    .check = od_ecdf_check,
    .most_rows = od_ecdf_most_rows,
};
