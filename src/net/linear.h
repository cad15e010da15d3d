/*
 * The second layer of a flow's step: an invertible linear map W = L U, with L lower triangular and 1 on its
 * diagonal, and U upper triangular with exp(c_i) on its own. Its log-determinant is the sum of c; with the
 * order that came before it W can be any matrix of a positive determinant, up to the order. All of it is one
 * square array: below the diagonal L, above it U, on it c. Matrices are (d, n), see kern/kern.h.
 */
#ifndef OD_LINEAR_H
#define OD_LINEAR_H

#include "base/status.h"
#include "kern/kern.h"

typedef struct od_linear {
    int64_t d;
    float *lower, *upper; /* (d, d) */
    float *diagonal;      /* (d): scratch */
} od_linear;

odim_status od_linear_new(od_linear *m, int64_t d, odim_error *err);
void od_linear_free(od_linear *m);

/* For these parameters (d, d). Returns the log-determinant. */
double od_linear_ready(od_linear *m, const od_kern *k, const float *lu);

/* mid = U x, y = L mid. */
void od_linear_fwd(const od_linear *m, const od_kern *k, const float *x, int64_t n, float *mid, float *y);
/* From dy: adds to dlu (d, d) unless it is NULL, writes dmid and dx, which may be dy. sum_g is the sum over
 * the lanes of the weights of their log-determinants in the loss. */
void od_linear_bwd(const od_linear *m, const od_kern *k, const float *x, const float *mid, double sum_g,
                   int64_t n, const float *dy, float *dmid, float *dx, float *dlu);
/* x from y; they may be the same. */
void od_linear_inverse(const od_linear *m, const float *y, int64_t n, float *x);

#endif
