/* How near a row is to rows whose verdict is known. known_near.c explains it. */
#ifndef OD_KNOWN_NEAR_H
#define OD_KNOWN_NEAR_H

#include "detectors/detector.h"

/* Known rows that are kept, at most; ordinary rows beside them. */
#define OD_KNOWN_ROWS_MOST     2000
#define OD_KNOWN_ROWS_ORDINARY 2048

/* Rows whose verdict is known. */
typedef struct od_known_task {
    const float *x;        /* (count, d) */
    const int8_t *outlier; /* (count) 1 or 0 */
    int64_t count;         /* 1 to OD_KNOWN_ROWS_MOST */
} od_known_task;

/* The logarithm of the distance to ordinary rows over that to the nearest known row of a kind, -3 to 3. Above
 * 0: the row is nearer to the known one. */
typedef struct od_known_near {
    double outlier, inlier;
    double shift; /* what this adds to a score in units of the bulk */
} od_known_near;

/* ordinary: rows that are not known outliers, all of them trusted. */
odim_status od_known_rows_fit(od_detector *c, const od_detector_task *ordinary, const od_known_task *known,
                              odim_error *err);
/* near (rows) of x (rows, d), at most OD_DETECTOR_ROWS. */
void od_known_rows_near(const od_detector *c, const float *x, int64_t rows, void *scratch,
                        od_known_near *near);

#endif
