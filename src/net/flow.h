/* A normalizing flow: the loss of a row and its gradient. The essay is in flow.c. */
#ifndef OD_FLOW_H
#define OD_FLOW_H

#include "net/attribution.h"
#include "net/actnorm.h"
#include "net/coupling.h"
#include "net/linear.h"

/* The layers of a step, and the activations of a batch. */
typedef struct od_flow_step {
    od_actnorm norm;
    od_linear linear;
    od_coupling coupling;
    float *scaled; /* (d, lanes): after the actnorm */
    float *out;    /* (d, lanes): after the step */
} od_flow_step;

/* Scratch for up to `rows` rows; one per thread. */
typedef struct od_flow {
    const od_kern *kern;
    const od_layout *layout;
    const float *params; /* set by od_flow_ready */
    double constant;     /* part of the loss that is the same for all rows */
    od_flow_step *step;  /* (steps) */
    float *x;            /* (d, lanes) */
    float *on;           /* (lanes): 1 for a row, 0 for padding */
    float *logdet;       /* (lanes): log-determinant of the couplings */
    float *loss;         /* (lanes) */
    float *g;            /* (lanes): weight of a row's loss in that of the batch */
    float *grad[2];      /* (d, lanes) */
    float *slope;        /* (d, lanes): derivative of |z|^2 / 2 by x, for the attribution */
    float *curve;        /* (d, lanes): its curvature */
    od_moments moments;  /* (d) */
} od_flow;

/* The layout must outlive the flow. */
odim_status od_flow_new(od_flow *w, const od_kern *kern, const od_layout *layout, int64_t rows,
                        odim_error *err);
void od_flow_free(od_flow *w);

/* Changes initial parameters so that the rows x (rows, d) get mean 0 and variance 1. */
void od_flow_start(od_flow *w, float *params, const float *stats, const float *x, int64_t rows);

/* Sets the parameters for evaluation. They must not change until the next call. */
void od_flow_ready(od_flow *w, const float *params, const float *stats);
/* loss (rows) of x (rows, d): -log p(x). */
void od_flow_loss(od_flow *w, const float *x, int64_t rows, float *loss);
/* Sets the parameters, computes the losses of a batch, and adds the gradient of its loss to dparams. The loss
 * of a known outlier is the bounded log-likelihood of the essay. */
void od_flow_grad(od_flow *w, const float *params, const float *stats, float *dparams,
                  const od_train_batch *batch);
/* Attributes the losses to the features; the essay says how. */
void od_flow_attribute(od_flow *w, const float *x, int64_t rows, const od_attribution_parts *to);

/* z (rows, d) of x, and x of z. */
void od_flow_forward(od_flow *w, const float *x, int64_t rows, float *z);
void od_flow_inverse(od_flow *w, const float *z, int64_t rows, float *x);

#endif
