/* From scores to probabilities and a threshold, without being told how many outliers there are. */
#ifndef OD_CALIBRATE_H
#define OD_CALIBRATE_H

#include "base/status.h"
#include "model/calibration.h"

/* scores (n): finite, n >= 2, in any order: the result depends on their values only. */
odim_status od_calibrate_fit(od_calibration *out, const double *scores, int64_t n, odim_error *err);

/* Probability that a row with this score is an outlier: in [0, 1], never falling as the score grows. */
double od_calibrate_probability(const od_calibration *c, double score);

/* The threshold that the given share of the scores exceeds: round(share * n) of them, or, where scores are
 * equal there, the most that is not more than that. 0 <= share <= 1, scores as above but n >= 1. */
odim_status od_calibrate_quantile(double *out, const double *scores, int64_t n, double share,
                                  odim_error *err);

#endif
