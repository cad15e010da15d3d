/*
 * Actnorm, the first layer of a flow step: permutes the features, then scales and shifts each.
 *
 * y_i = x_order(i) exp(s_i) + t_i. Its log-determinant is the sum of s, the same for every row. Its
 * parameters are the log-scales s (d), then the shifts t (d). Matrices are (d, n), see kern/kern.h.
 */
#ifndef OD_ACTNORM_H
#define OD_ACTNORM_H

#include "net/batchnorm.h"

/* The batch of a backward pass through the layers of a flow. */
typedef struct od_flow_batch {
    const od_kern *kern;
    int64_t n;      /* lanes */
    const float *g; /* (n): the log-determinant of each lane has the weight -g in the loss */
    double sum_g;
} od_flow_batch;

typedef struct od_actnorm {
    int64_t d;
    int64_t *order; /* (d) */
    float *gain;    /* (d): exp(s) */
    double *sums;   /* (d): scratch */
} od_actnorm;

odim_status od_actnorm_new(od_actnorm *a, int64_t d, odim_error *err);
void od_actnorm_free(od_actnorm *a);

/* Prepares for these parameters, and for an order that is stored as floats. Returns the log-determinant. */
double od_actnorm_ready(od_actnorm *a, const od_kern *k, const float *params, const float *order);
/* Sets the parameters so that features with these moments get mean 0 and variance 1. */
void od_actnorm_start(const od_actnorm *a, const od_moments *m, float *params);

void od_actnorm_fwd(const od_actnorm *a, const float *params, const float *x, int64_t n, float *y);
/* From dy, which is overwritten: writes dx, and adds to dparams unless it is NULL. */
void od_actnorm_bwd(const od_actnorm *a, const od_flow_batch *b, const float *params, const float *y,
                    float *dy, float *dx, float *dparams);
void od_actnorm_inverse(const od_actnorm *a, const float *params, const float *y, int64_t n, float *x);

#endif
