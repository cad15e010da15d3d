/*
 * The calibration, which turns scores into probabilities: two components fitted to the scores of training
 * rows. score/calibrate.c and score/score_tails.h explain the method.
 */
#ifndef OD_CALIBRATION_H
#define OD_CALIBRATION_H

#include <stdbool.h>

/*
 * Inliers: one half of the rows lie below `centre`, with a density that falls away from it as
 * exp(-(d / lower_scale) ^ lower_shape), where d is the distance; above it as with upper_scale, upper_shape.
 * Outliers, `share` of all rows, lie above it with log-logistic distances, whose median is `reach`.
 * Where no outliers were found `share` is less than one row's and `reach` is not below the farthest row's
 * distance: new rows far beyond are still outliers.
 */
typedef struct od_calibration {
    double centre; /* median of the scores */
    double lower_scale, lower_shape;
    double upper_scale, upper_shape;
    double share, reach;
    double threshold; /* a row is an outlier when its score > threshold; exactly then its probability > 0.5 */
} od_calibration;

/* Whether these can be the numbers of a fit; for those that come from a file. */
bool od_calibration_valid(const od_calibration *c);

#endif
