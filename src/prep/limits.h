/* The limits of the ordinary values of a column, found without labels. limits.c explains how. */
#ifndef OD_LIMITS_H
#define OD_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* Fewer values than this have no limits. */
#define OD_LIMITS_LEAST 6

typedef struct od_limits {
    double low, high;         /* values beyond these are outliers; -INFINITY and INFINITY: no limit */
    double least, most;       /* the outermost values that are not */
    double centre;            /* the median, on the scale */
    double resolution;        /* > 0: the scale is logarithmic, and this is the smallest step of the values */
    double low_far, high_far; /* how far the limits are from the centre, on the scale */
    double low_slope, high_slope; /* how fast the evidence grows beyond them */
} od_limits;

/* Without any limit. */
od_limits od_limits_none(void);

/*
 * Of values (n), sorted from low to high, all finite. tests: how many cells are judged in all; a table of
 * ordinary cells has about OD_LIMITS_ALARMS of them beyond its limits. may_log: the scale may be logarithmic,
 * where that makes the column more symmetric. room (n).
 */
#define OD_LIMITS_ALARMS 0.1
od_limits od_limits_find(const double *values, int64_t n, double tests, bool may_log, double *room);

/* Moves the limits of a column of codes inwards; values (n) as above. limits_codes.c explains it. */
void od_limits_codes(od_limits *l, const double *values, int64_t n);

/* How strong the evidence is that a value is wrong: 0 within the limits, at least OD_LIMITS_EVIDENCE beyond,
 * growing slowly with the distance. */
#define OD_LIMITS_EVIDENCE 0.6
double od_limits_evidence(const od_limits *l, double value);

/* A value on the scale: itself, or its logarithm, continued below zero. */
double od_limits_scale(const od_limits *l, double value);
/* And back. */
double od_limits_unscale(const od_limits *l, double at);

#endif
