/*
 * Scaling: each column brought to a common range by two numbers found on the training rows, (x - shift) /
 * width. A constant column has no width: it becomes 0. New rows are scaled with the training rows' numbers
 * and are not clipped: an extreme value must look extreme.
 */
#ifndef OD_SCALE_H
#define OD_SCALE_H

#include "prep/table.h"

typedef enum od_scaling { OD_SCALE_MINMAX, OD_SCALE_STANDARD, OD_SCALE_NONE } od_scaling;

typedef struct od_scale {
    int64_t d;
    double *shift, *width; /* (d); width 0: constant */
} od_scale;

odim_status od_scale_fit(od_scale *s, od_scaling kind, const odim_table *t, odim_error *err);
void od_scale_free(od_scale *s);

/* out (count, d): rows[0..count-1] of the table or, where rows is NULL, start, start + 1, ... */
odim_status od_scale_rows(const od_scale *s, const odim_table *t, const int64_t *rows, int64_t start,
                          int64_t count, float *out, odim_error *err);

#endif
