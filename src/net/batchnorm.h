/*
 * Batch normalization without affine terms, followed by the leaky ReLU.
 *
 * Training uses the mean and variance of the batch and updates the running statistics. Evaluation uses the
 * running statistics, so that the result of a row does not depend on other rows and the statistics can be
 * folded into weights and biases.
 *
 * The lanes of a batch come in blocks. Each block gives its mean and the squared deviations from it, by two
 * passes over numbers in the cache; blocks are then merged in ascending order. So the result is as accurate
 * as that of a two-pass method, and memory is read once.
 */
#ifndef OD_BATCHNORM_H
#define OD_BATCHNORM_H

#include "base/status.h"
#include "net/layout.h"

#define OD_BN_EPS      1e-4
#define OD_BN_MOMENTUM 0.1

/* Mean and sum of squared deviations from it, of `count` values per feature. */
typedef struct od_moments {
    int64_t count;
    double *mean, *dev; /* (features) */
} od_moments;

/* Adds the values behind `more` to m. An empty m has count 0. */
void od_moments_merge(od_moments *m, const od_moments *more, int64_t features);

/* The statistics of one batch, for every layer of a perceptron. */
typedef struct od_norm {
    od_moments moments;                                /* of the current layer, (widest) */
    float *rstd[OD_MAX_LAYERS], *shift[OD_MAX_LAYERS]; /* (out): x * rstd + shift is normalized */
    float *m1, *m2;                                    /* (widest) backward: means of g and g xhat */
} od_norm;

odim_status od_norm_new(od_norm *norm, const od_mlp *s, odim_error *err);
void od_norm_free(od_norm *norm);

/* From norm->moments to rstd and shift of layer i; updates the running statistics. */
void od_norm_fwd(od_norm *norm, const od_layer *l, int i, float *stats);
/* From the sums of g and of g xhat over `count` lanes to m1 and m2, for kern->norm_bwd: with g = dL/dxhat,
   dx = rstd * (g - mean(g) - xhat * mean(g xhat)). */
void od_norm_bwd(od_norm *norm, const double *sum, const double *dot, int64_t count, int64_t features);

/* Folds the running statistics into the weights and biases of a perceptron without batch normalization. */
void od_norm_fold(const od_mlp *s, const float *params, const float *stats, const od_mlp *plain,
                  float *folded);

#endif
