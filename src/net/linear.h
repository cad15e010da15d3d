/*
 * The second layer of a flow step: an invertible linear map W = L U.
 *
 * L is lower triangular with 1 on its diagonal, U is upper triangular with exp(c_i) on its diagonal. The
 * log-determinant is the sum of c. Together with the permutation before it, W can be any matrix with a
 * positive determinant, up to a permutation. The parameters are one square array: L below the diagonal, U
 * above it, c on it. Matrices are (d, n), see kern/kern.h.
 */
#ifndef OD_LINEAR_H
#define OD_LINEAR_H

#include "net/actnorm.h"

typedef struct od_linear {
    int64_t d;
    float *lower, *upper; /* (d, d) */
    float *diagonal;      /* (d): scratch */
    float *mid;           /* (d, n): U x of the last forward pass */
} od_linear;

/* For up to n lanes. */
odim_status od_linear_new(od_linear *m, int64_t d, int64_t n, odim_error *err);
void od_linear_free(od_linear *m);

/* Prepares for these parameters (d, d). Returns the log-determinant. */
double od_linear_ready(od_linear *m, const od_kern *k, const float *lu);

/* y = L U x. */
void od_linear_fwd(const od_linear *m, const od_kern *k, const float *x, int64_t n, float *y);
/* After od_linear_fwd with the same x. From dy: adds to dlu (d, d) unless it is NULL, and writes dx, which
 * may be dy. dmid (d, n) is scratch. */
void od_linear_bwd(const od_linear *m, const od_flow_batch *b, const float *x, const float *dy, float *dmid,
                   float *dx, float *dlu);
/* x from y; they may be the same array. */
void od_linear_inverse(const od_linear *m, const float *y, int64_t n, float *x);

#endif
