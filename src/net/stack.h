/* The hidden layers and the head of encoder and decoder, forward and backward. */
#ifndef OD_STACK_H
#define OD_STACK_H

#include "base/status.h"
#include "net/layout.h"

/* What one stack needs for up to `rows` rows, beside its parameters. Reused from step to step. */
typedef struct od_stack_work {
    float *act[OD_MAX_LAYERS];  /* (rows, out) activations */
    float *grad;                /* (rows, widest) gradient on its way down */
    float *spare;               /* (rows, widest) */
    float *rstd[OD_MAX_LAYERS]; /* (out) of the batch */
    double *sums;               /* (3 widest) */
} od_stack_work;

/* Without training the gradients are not allocated. */
odim_status od_stack_work_new(od_stack_work *work, const od_stack *s, int64_t rows, bool training,
                              odim_error *err);
void od_stack_work_free(od_stack_work *work);

/* Activations of all hidden layers for x (rows, in). In training run_stats moves with the batch. */
void od_stack_train(const od_kern *k, const od_stack *s, const float *params, float *run_stats,
                    const float *x, int64_t rows, od_stack_work *work);
void od_stack_eval(const od_kern *k, const od_stack *s, const float *params, const float *run_stats,
                   const float *x, int64_t rows, od_stack_work *work);
/*
 * From work->grad, the gradient of the last activation: accumulates into dparams, and writes that of x into
 * dx (rows, in) unless dx is NULL. work->grad is used up.
 */
void od_stack_bwd(const od_kern *k, const od_stack *s, const float *params, float *dparams, float *dx,
                  const float *x, int64_t rows, od_stack_work *work);

/* head (rows, outputs) = act (rows, in) w^T, act being rows of the last activation: the raw means and
   log-variances, these without their bias. */
void od_head_fwd(const od_kern *k, const od_stack *s, const float *params, float *head, const float *act,
                 int64_t rows);
/* From dhead: accumulates into dparams, and writes dact (rows, in). sums (dim) is scratch. */
void od_head_bwd(const od_kern *k, const od_stack *s, const float *params, float *dparams, float *dact,
                 const float *dhead, const float *act, int64_t rows, double *sums);

/* The last activation. */
static inline float *od_stack_top(const od_stack *s, const od_stack_work *work)
{
    return work->act[s->layers - 1];
}

#endif
