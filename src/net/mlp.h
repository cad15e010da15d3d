/*
 * A multi-layer perceptron, forward and backward: the hidden layers and the head of encoder and decoder.
 *
 * It works on a block of lanes: matrices are (features, n), see kern/kern.h.
 */
#ifndef OD_MLP_H
#define OD_MLP_H

#include "base/status.h"
#include "net/batchnorm.h"

/* A perceptron with its parameters, applied to n lanes. */
typedef struct od_mlp_pass {
    const od_kern *kern;
    const od_mlp *mlp;
    const float *params;
    float *dparams; /* backward: gradients are added here; NULL if they are not needed */
    int64_t n;
} od_mlp_pass;

/* act (out, n) of layer i from in (in, n), whose features lie ld apart. With batch normalization this is the
 * matrix product only, otherwise the whole layer. */
void od_layer_fwd(const od_mlp_pass *p, int i, const float *in, int64_t ld, float *act);
/* From grad (out, n), the gradient of the matrix product: adds to dparams and writes din (in, n) unless it is
 * NULL. */
void od_layer_bwd(const od_mlp_pass *p, int i, const float *grad, const float *in, float *din);

/* head (outputs, n) = w act: the raw means and the log-variances without their bias. */
void od_head_fwd(const od_mlp_pass *p, const float *act, float *head);
/* From dhead (outputs, n): adds to dparams and writes dact (in, n). sums (dim) is scratch. */
void od_head_bwd(const od_mlp_pass *p, const float *dhead, const float *act, float *dact, double *sums);

/* Adds the gradient of a layer's bias. */
void od_bias_bwd(float *db, const double *sums, int64_t features);

/* Scratch of a perceptron that takes its whole batch as one block, as the encoder does. */
typedef struct od_mlp_work {
    float *act[OD_MAX_LAYERS]; /* (out, n) */
    float *grad, *spare;       /* (widest, n) */
    double *sums;              /* (2 widest) */
    od_norm norm;
} od_mlp_work;

/* For up to n lanes. Memory for gradients and statistics is allocated only for training. */
odim_status od_mlp_work_new(od_mlp_work *work, const od_mlp *s, int64_t n, bool training, odim_error *err);
void od_mlp_work_free(od_mlp_work *work);

/* Training mode: the activations of all layers for x (in, n). `count` lanes are rows, those where on (n) is
 * 1; on may be NULL if all are. The running statistics of batch normalization are updated in stats. */
void od_mlp_train(const od_mlp_pass *p, float *stats, const float *x, const float *on, int64_t count,
                  od_mlp_work *work);
/* Evaluation mode, without batch normalization or with it folded into the weights. */
void od_mlp_eval(const od_mlp_pass *p, const float *x, od_mlp_work *work);
/* Backward from work->grad, the gradient of the last activation, which is overwritten: adds to dparams and
 * writes dx (in, n) unless it is NULL. */
void od_mlp_bwd(const od_mlp_pass *p, const float *x, const float *on, int64_t count, float *dx,
                od_mlp_work *work);

/* The last activation. */
static inline float *od_mlp_top(const od_mlp *s, const od_mlp_work *work)
{
    return work->act[s->layers - 1];
}

#endif
