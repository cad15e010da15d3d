/*
 * The hidden layers and the head of encoder and decoder, forward and backward, on a block of lanes: matrices
 * are (features, n), see kern/kern.h.
 */
#ifndef OD_MLP_H
#define OD_MLP_H

#include "base/status.h"
#include "net/batchnorm.h"

/* act (out, n) of layer i from in (in, n), whose features lie ld apart; without batch normalisation all of
 * the layer, with it the multiply only. */
void od_layer_fwd(const od_kern *k, const od_mlp *s, int i, const float *params, const float *in, int64_t ld,
                  int64_t n, float *act);
/* From grad (out, n), of what the multiply gave: adds to dparams, and writes din (in, n), each unless it is
 * NULL. */
void od_layer_bwd(const od_kern *k, const od_mlp *s, int i, const float *params, float *dparams,
                  const float *grad, const float *in, int64_t n, float *din);

/* head (outputs, n) = w act: the raw means and log-variances, these without their bias. */
void od_head_fwd(const od_kern *k, const od_mlp *s, const float *params, const float *act, int64_t n,
                 float *head);
/* From dhead (outputs, n): adds to dparams unless it is NULL, and writes dact (in, n). sums (dim) is scratch.
 */
void od_head_bwd(const od_kern *k, const od_mlp *s, const float *params, float *dparams, const float *dhead,
                 const float *act, int64_t n, float *dact, double *sums);

/* Adds a layer's bias gradient. */
void od_bias_bwd(float *db, const double *sums, int64_t features);

/* What a stack that sees its whole batch as one block needs, beside its parameters: the encoder. */
typedef struct od_mlp_work {
    float *act[OD_MAX_LAYERS]; /* (out, n) */
    float *grad, *spare;       /* (widest, n) */
    double *sums;              /* (2 widest) */
    od_norm norm;
} od_mlp_work;

/* For up to n lanes. Without training there is no memory for gradients and statistics. */
odim_status od_mlp_work_new(od_mlp_work *work, const od_mlp *s, int64_t n, bool training, odim_error *err);
void od_mlp_work_free(od_mlp_work *work);

/* The activations of all layers for x (in, n), of which `count` lanes are rows: where on (n) is 1; on NULL
 * when all are. stats, of batch normalisation, move with the batch. */
void od_mlp_train(const od_kern *k, const od_mlp *s, const float *params, float *stats, const float *x,
                  const float *on, int64_t count, int64_t n, od_mlp_work *work);
/* A stack without batch normalisation, or with it folded. */
void od_mlp_eval(const od_kern *k, const od_mlp *s, const float *params, const float *x, int64_t n,
                 od_mlp_work *work);
/* From work->grad, the gradient of the last activation, which is used up: adds to dparams, and writes dx (in,
 * n), each unless it is NULL. */
void od_mlp_bwd(const od_kern *k, const od_mlp *s, const float *params, float *dparams, const float *x,
                const float *on, int64_t count, int64_t n, float *dx, od_mlp_work *work);

/* The last activation. */
static inline float *od_mlp_top(const od_mlp *s, const od_mlp_work *work)
{
    return work->act[s->layers - 1];
}

#endif
