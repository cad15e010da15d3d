/*
 * The third layer of a flow's step: affine coupling. The first half of the features stays as it is, and a
 * small network says from it how each of the others is scaled and shifted, y = x exp(s) + t. However the
 * network behaves, this is undone by scaling and shifting back, and its log-determinant is the sum of s.
 *
 * s = 2 tanh(r / 2) of what the network gives, so a scale stays within exp(-2) to exp(2): without a bound a
 * single odd row can send training away. Matrices are (.., n), see kern/kern.h.
 */
#ifndef OD_COUPLING_H
#define OD_COUPLING_H

#include "net/mlp.h"

/* What the way back needs of a batch. */
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

/* y (d, n) in place; what each lane's log-determinant is goes to logdet (n), added. */
void od_coupling_fwd(od_coupling *c, const od_kern *k, const od_step *s, const float *params, int64_t n,
                     float *y, float *logdet);
/* After od_coupling_fwd with the same y, any number of times. dy (d, n) becomes the gradient of what that was
 * given; adds to dparams unless it is NULL. g (n): the weight of each lane's log-determinant in the loss is
 * -g. */
void od_coupling_bwd(od_coupling *c, const od_kern *k, const od_step *s, const float *params, int64_t n,
                     const float *y, const float *g, float *dy, float *dparams);
/* y (d, n) in place. */
void od_coupling_inverse(od_coupling *c, const od_kern *k, const od_step *s, const float *params, int64_t n,
                         float *y);

#endif
