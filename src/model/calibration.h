/* What turns a score into a probability: two components fitted to the scores of the training rows. The
 * method is told in score/calibrate.c. */
#ifndef OD_CALIBRATION_H
#define OD_CALIBRATION_H

/*
 * Inliers: half lie below `centre`, with density proportional to exp(-((centre - s) / lower_scale) ^
 * lower_shape); above it the same with (s - centre), upper_scale and upper_shape. Outliers, `share` of all
 * rows, lie above the centre, with s - centre log-logistic: its median is `reach`. Where no outliers were
 * found `share` is that of half a row and `reach` the largest score's distance, so that new rows far beyond
 * are still outliers.
 */
typedef struct od_calibration {
    double centre; /* median of the scores */
    double lower_scale, lower_shape;
    double upper_scale, upper_shape;
    double share, reach;
    double threshold; /* a row is an outlier when its score > threshold; exactly then its probability > 0.5 */
} od_calibration;

#endif
