/* A normalising flow: the loss of a row, and its gradient. The essay is in flow.c. */
#ifndef OD_FLOW_H
#define OD_FLOW_H

#include "net/attribution.h"
#include "net/actnorm.h"
#include "net/coupling.h"
#include "net/linear.h"

/* A step's layers, and what the way back needs of a batch. */
typedef struct od_flow_step {
    od_actnorm norm;
    od_linear linear;
    od_coupling coupling;
    float *scaled; /* (d, lanes): after the actnorm */
    float *mid;    /* (d, lanes): within the linear layer */
    float *out;    /* (d, lanes): after the step */
} od_flow_step;

/* Scratch for up to `rows` rows; one a thread. */
typedef struct od_flow {
    const od_kern *kern;
    const od_layout *layout;
    const float *params; /* set by od_flow_ready */
    double constant;     /* of all rows, in the loss */
    od_flow_step *step;  /* (steps) */
    float *x;            /* (d, lanes) */
    float *on;           /* (lanes): 1 for a row, 0 for padding */
    float *logdet;       /* (lanes): of the couplings */
    float *loss;         /* (lanes) */
    float *g;            /* (lanes): the weight of a row's loss in that of the batch */
    float *grad[2];      /* (d, lanes) */
    float *slope;        /* (d, lanes): of |z|^2 / 2, for the account, */
    float *curve;        /* (d, lanes): and its curvature */
    od_moments moments;  /* (d) */
} od_flow;

/* The layout must outlive it. */
odim_status od_flow_new(od_flow *w, const od_kern *kern, const od_layout *layout, int64_t rows,
                        odim_error *err);
void od_flow_free(od_flow *w);

/* From fresh parameters to those that give the rows x (rows, d) mean 0 and variance 1. */
void od_flow_start(od_flow *w, float *params, const float *stats, const float *x, int64_t rows);

/* Makes these parameters the ones of evaluation. They must stay as they are until the next call. */
void od_flow_ready(od_flow *w, const float *params, const float *stats);
/* loss (rows) of x (rows, d): -log p(x). */
void od_flow_loss(od_flow *w, const float *x, int64_t rows, float *loss);
/* Makes the parameters ready; loss (rows), of known outliers what is pushed down; the gradient of the batch's
 * loss, added to dparams. known NULL: no row is a known outlier. */
void od_flow_grad(od_flow *w, const float *params, const float *stats, float *dparams, const float *x,
                  int64_t rows, const od_known *known, float *loss);
/* Where the losses come from; the essay says how. */
void od_flow_attribute(od_flow *w, const float *x, int64_t rows, const od_attribution_parts *to);

/* z (rows, d) of x, and back. */
void od_flow_forward(od_flow *w, const float *x, int64_t rows, float *z);
void od_flow_inverse(od_flow *w, const float *z, int64_t rows, float *x);

#endif
