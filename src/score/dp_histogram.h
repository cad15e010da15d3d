/*
 * The scores of rows as a private fit may know them: a noised histogram, and scores that are spread like it.
 * The essay is in dp_histogram.c.
 */
#ifndef OD_DP_HISTOGRAM_H
#define OD_DP_HISTOGRAM_H

#include "base/csprng.h"
#include "base/status.h"

/*
 * out (count): scores in rising order whose distribution is that of scores (n), as far as noise leaves it.
 * The cost is that of one Gaussian mechanism with this noise. Scores may be anything, also infinite or NaN;
 * features: of a row, of which the score is a sum.
 */
odim_status od_dp_histogram_scores(double *out, int64_t count, const double *scores, int64_t n,
                                   int64_t features, double noise, od_csprng *dice, odim_error *err);

/* Whether so many rows can be seen through the noise at all. */
bool od_dp_histogram_possible(int64_t n, double noise);

#endif
