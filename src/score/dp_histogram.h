/* The scores of rows as a private fit may know them: drawn from a noised histogram. */
#ifndef OD_DP_HISTOGRAM_H
#define OD_DP_HISTOGRAM_H

#include "base/csprng.h"
#include "base/status.h"

/* Scores of rows that are to be protected. */
typedef struct od_dp_scores {
    const double *scores; /* (n), may also be infinite or NaN */
    int64_t n;
    int64_t features; /* of a row: its score is a sum over them */
    double noise;     /* of the Gaussian mechanism that is paid for */
} od_dp_scores;

/* out (count): scores in rising order, distributed as the scores are, as far as the noise leaves it. Costs as
 * much as one Gaussian mechanism with this noise. */
odim_status od_dp_histogram_scores(double *out, int64_t count, const od_dp_scores *in, od_csprng *dice,
                                   odim_error *err);

/* Whether so many rows can be seen through the noise at all. */
bool od_dp_histogram_possible(int64_t n, double noise);

#endif
