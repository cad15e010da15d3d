/*
 * Batch normalisation without affine terms, followed by the leaky ReLU. In training the batch's own mean and
 * variance are used and the running ones follow them; in evaluation the running ones are used, so that a
 * row's result does not depend on its neighbours, and so that they can be folded into weights and biases.
 *
 * The lanes of a batch come in blocks. Each block gives the mean and the squared deviations from it, by two
 * passes over numbers that are in cache; blocks are then merged in their order. So the numbers are those of a
 * two-pass method, and memory is read once.
 */
#ifndef OD_BATCHNORM_H
#define OD_BATCHNORM_H

#include "base/status.h"
#include "net/layout.h"

#define OD_BN_EPS      1e-4
#define OD_BN_MOMENTUM 0.1

/* Of `count` values a feature: mean, and sum of the squared deviations from it. */
typedef struct od_moments {
    int64_t count;
    double *mean, *dev; /* (features) */
} od_moments;

/* m becomes the moments of its values and of those of `more`. An empty m has count 0. */
void od_moments_merge(od_moments *m, const od_moments *more, int64_t features);

/* What is kept of one batch, for every layer of a stack. */
typedef struct od_norm {
    od_moments moments;                                /* of the layer in hand, (widest) */
    float *rstd[OD_MAX_LAYERS], *shift[OD_MAX_LAYERS]; /* (out): x * rstd + shift normalises */
    float *m1, *m2;                                    /* (widest) backward: means of g and of g xhat */
} od_norm;

odim_status od_norm_new(od_norm *norm, const od_mlp *s, odim_error *err);
void od_norm_free(od_norm *norm);

/* From norm->moments to rstd and shift of layer i; the running statistics move. */
void od_norm_fwd(od_norm *norm, const od_layer *l, int i, float *stats);
/* From the sums of g and of g xhat over `count` lanes to m1 and m2, for kern->norm_bwd: with g = dL/dxhat,
   dx = rstd * (g - mean(g) - xhat * mean(g xhat)). */
void od_norm_bwd(od_norm *norm, const double *sum, const double *dot, int64_t count, int64_t features);

/* A stack whose normalisation is by the running statistics, as one of weights and biases. */
void od_norm_fold(const od_mlp *s, const float *params, const float *stats, const od_mlp *plain,
                  float *folded);

#endif
