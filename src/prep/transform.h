/*
 * The transform: a function of the features of a row that networks see instead. It is fitted to training
 * rows and stored with the model. transform.c explains it.
 */
#ifndef OD_TRANSFORM_H
#define OD_TRANSFORM_H

#include "base/status.h"

#define OD_TRANSFORM_AXES 128 /* at most */

typedef struct od_transform {
    int64_t d, axes; /* it makes d + axes values of d features; d 0: no transform */
    float *numbers;  /* all that follows, in this order */
    /* The soft value of feature j is slog((x - centre) / spread), with slog = od_signed_log; */
    float *centre, *spread; /* (d) */
    /* on an axis k a row is at slog(sum_j soft_j axis[j][k] - origin[k]); */
    float *axis;   /* (d, axes) */
    float *origin; /* (axes) */
    /* and each of the d + axes values v becomes (v - low) / width. */
    float *low, *width; /* (d + axes) */
} od_transform;

/* How many axes a table of d features and n rows has. */
int64_t od_transform_axes(int64_t n, int64_t d);
/* The number of floats of a transform, and a transform with room for them, to be fitted or read. */
size_t od_transform_count(int64_t d, int64_t axes);
odim_status od_transform_new(od_transform *v, int64_t d, int64_t axes, odim_error *err);
/* From training rows x (n, d). */
odim_status od_transform_fit(od_transform *v, const float *x, int64_t n, int64_t d, int64_t threads,
                             odim_error *err);
void od_transform_free(od_transform *v);

/* to (rows, d + axes), from (rows, d). Without a transform, a copy. */
void od_transform_apply(const od_transform *v, const float *from, int64_t rows, int64_t d, float *to);

/* The inverse, for one transformed row (d + axes). The shares and expected values of the d + axes values
 * become those of the features, in place. */
void od_transform_back(const od_transform *v, const float *seen, double *part, double *mean);

#endif
