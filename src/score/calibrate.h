/* Turns scores into probabilities and a threshold, without knowing how many outliers there are. */
#ifndef OD_CALIBRATE_H
#define OD_CALIBRATE_H

#include "base/status.h"
#include "model/calibration.h"

/* scores (n): finite, n >= 2, in any order: the result depends on their values only. */
odim_status od_calibrate_fit(od_calibration *out, const double *scores, int64_t n, odim_error *err);

/* Probability that a row with this score is an outlier: in [0, 1], never falling as the score grows. */
double od_calibrate_probability(const od_calibration *c, double score);

/* The threshold that round(share * n) of the scores exceed or, if scores are equal there, as many as possible
 * without being more. 0 <= share <= 1; scores as above, but n >= 1. */
odim_status od_calibrate_quantile(double *out, const double *scores, int64_t n, double share,
                                  odim_error *err);

#endif
