/*
 * The first layer of a flow's step: the features in another order, each with a scale and a shift of its own,
 * y_i = x_order(i) exp(s_i) + t_i. The logarithm of its determinant is the sum of s, the same for every row.
 * Matrices are (d, n), see kern/kern.h.
 */
#ifndef OD_ACTNORM_H
#define OD_ACTNORM_H

#include "net/batchnorm.h"

typedef struct od_actnorm {
    int64_t d;
    int64_t *order; /* (d) */
    float *gain;    /* (d): exp(s) */
} od_actnorm;

odim_status od_actnorm_new(od_actnorm *a, int64_t d, odim_error *err);
void od_actnorm_free(od_actnorm *a);

/* For these log-scales, and this order as floats. Returns the sum of the log-scales. */
double od_actnorm_ready(od_actnorm *a, const od_kern *k, const float *scale, const float *order);
/* Log-scales and shifts that give features of these moments mean 0 and variance 1. */
void od_actnorm_start(const od_actnorm *a, const od_moments *m, float *scale, float *shift);

void od_actnorm_fwd(const od_actnorm *a, const float *shift, const float *x, int64_t n, float *y);
/* From dy, which is used up: writes dx, and adds to dscale and dshift (d) unless they are NULL. sum_g is the
 * sum over the lanes of the weights of their log-determinants in the loss; sums (d) is scratch. */
void od_actnorm_bwd(const od_actnorm *a, const od_kern *k, const float *shift, const float *y, double sum_g,
                    int64_t n, float *dy, float *dx, float *dscale, float *dshift, double *sums);
void od_actnorm_inverse(const od_actnorm *a, const float *shift, const float *y, int64_t n, float *x);

#endif
