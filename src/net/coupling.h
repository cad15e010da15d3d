/*
 * Affine coupling, the third layer of a flow step: half of the features scale and shift the other half.
 *
 * The first half of the features is kept. From it a small network computes the scale and shift of each of the
 * others, y = x exp(s) + t. This is invertible whatever the network is, and its log-determinant is the sum
 * of s.
 *
 * s = 2 tanh(r / 2), where r is the output of the network, so a scale stays between exp(-2) and exp(2):
 * without a bound a single unusual row can make training diverge. Matrices are (.., n), see kern/kern.h.
 */
#ifndef OD_COUPLING_H
#define OD_COUPLING_H

#include "net/actnorm.h"
#include "net/mlp.h"

/* The state of a batch that the backward pass needs, and scratch. */
typedef struct od_coupling {
    float *head;  /* (2 changed, n): t, then s */
    float *gain;  /* (changed, n): exp(s) */
    float *dhead; /* (2 changed, n): scratch */
    float *dkept; /* (kept, n): scratch */
    double *sums; /* (changed): scratch */
    od_mlp_work net;
} od_coupling;

/* For up to n lanes. */
odim_status od_coupling_new(od_coupling *c, const od_step *s, int64_t n, odim_error *err);
void od_coupling_free(od_coupling *c);

/* y (d, n) in place; the log-determinant of each lane is added to logdet (n). */
void od_coupling_fwd(od_coupling *c, const od_kern *k, const od_step *s, const float *params, int64_t n,
                     float *y, float *logdet);
/* After od_coupling_fwd, with the y that it gave; may be called repeatedly. dy (d, n) becomes the gradient of
 * the input of od_coupling_fwd; adds to dparams unless it is NULL. */
void od_coupling_bwd(od_coupling *c, const od_flow_batch *b, const od_step *s, const float *params,
                     const float *y, float *dy, float *dparams);
/* y (d, n) in place. */
void od_coupling_inverse(od_coupling *c, const od_kern *k, const od_step *s, const float *params, int64_t n,
                         float *y);

#endif
