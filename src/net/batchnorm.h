/*
 * Batch normalisation without affine terms, followed by the leaky ReLU. In training the batch's own mean and
 * variance are used and the running ones follow them; in evaluation the running ones are used, so that a
 * row's result does not depend on its neighbours.
 */
#ifndef OD_BATCHNORM_H
#define OD_BATCHNORM_H

#include "kern/kern.h"

#define OD_BN_EPS      1e-4
#define OD_BN_MOMENTUM 0.1

/* x (rows, cols) in place; rstd (cols) is kept for the backward pass; sums (3 cols) is scratch. */
void od_batchnorm_fwd(const od_kern *k, float *x, int64_t rows, int64_t cols, float *run_mean, float *run_var,
                      float *rstd, double *sums);

/* dy (rows, cols) in place, from the gradient of the activation y to that of the layer's input. */
void od_batchnorm_bwd(const od_kern *k, float *dy, const float *y, int64_t rows, int64_t cols,
                      const float *rstd, double *sums);

void od_batchnorm_eval(const od_kern *k, float *x, int64_t rows, int64_t cols, const float *run_mean,
                       const float *run_var, double *scratch);

#endif
