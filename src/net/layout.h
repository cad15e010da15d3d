/*
 * The shape of a network and the layout of its parameters in memory.
 *
 * Weights, gradients and both Adam moments are four arrays with the same layout; the running statistics of
 * batch normalization are a fifth with a layout of its own.
 *
 * A perceptron is `layers` hidden layers and a head. Encoder: d -> h1 -> h2 -> (mean, log-variance) of the
 * latent; decoder: latent -> h2 -> h1 -> mean of each feature, and its log-variance if the likelihood has
 * one.
 *
 * Order in the parameter array, encoder first: for each hidden layer W (out, in) and, without batch
 * normalization, b (out); then the head's W, mean rows before log-variance rows; then the bias of the
 * log-variance rows (the mean has none). Statistics: for each hidden layer mean (out), variance (out).
 *
 * A flow is `steps` steps, all with the same layout. Order of a step: actnorm's log-scales (d) and shifts
 * (d); the linear layer (d, d), if there is one; the coupling's network, a perceptron without batch
 * normalization whose head gives the shifts, then the raw log-scales. The statistics of a flow are the
 * numbers that are not trained: the permutation of the features (d) of each step.
 */
#ifndef OD_LAYOUT_H
#define OD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kern/kern.h"

#define OD_MAX_LAYERS  8
#define OD_MAX_STEPS   64
#define OD_LINEAR_MOST 512 /* most features for which a flow has linear layers */

typedef enum od_kind { OD_NET_IWAE, OD_NET_FLOW } od_kind;

typedef struct od_shape {
    od_kind kind;
    int64_t d; /* features */
    int layers;
    int64_t hidden[OD_MAX_LAYERS]; /* of the encoder, reversed in the decoder; or of each coupling */
    /* Of an IWAE; 0 for a flow: */
    int64_t latent;
    bool batch_norm;
    od_lik lik;
    /* Of a flow: */
    int steps;
} od_shape;

typedef struct od_layer {
    int64_t in, out;
    size_t w;         /* (out, in) */
    size_t b;         /* (out), without batch normalisation */
    size_t mean, var; /* (out) each, in the statistics */
} od_layer;

typedef struct od_mlp {
    int layers;
    bool batch_norm;
    od_layer layer[OD_MAX_LAYERS];
    int64_t in;      /* inputs of the head */
    int64_t dim;     /* number of means: the latent dimensions, or the features */
    int64_t outputs; /* dim, or 2 dim with log-variances */
    size_t head_w;   /* (outputs, in) */
    size_t head_b;   /* (dim), of the log-variances, if there are any */
} od_mlp;

/* A step of a flow. Offsets are from the first parameter or statistic of the step. */
typedef struct od_step {
    size_t params, stats;  /* floats per step */
    size_t actnorm;        /* (2, d): log-scales, shifts */
    bool linear;           /* whether there is a linear layer */
    size_t lu;             /* (d, d): its parameters */
    int64_t kept, changed; /* features that the coupling keeps and changes; kept is 0 without a coupling */
    od_mlp net;
    size_t order; /* (d), in the statistics: the input feature that becomes feature i of the step */
} od_step;

typedef struct od_layout {
    od_shape shape;
    od_mlp enc, dec;      /* of an IWAE */
    od_step step;         /* of a flow: step i begins at i * step.params and i * step.stats */
    size_t params, stats; /* number of floats */
} od_layout;

void od_layout_make(od_layout *layout, const od_shape *shape);

/* Initial values: weights and biases uniform in +-1/sqrt(fan in), running means 0, running variances 1. Each
 * step of a flow is a random permutation; od_flow_start sets the scales and shifts, which need data. */
void od_layout_init(const od_layout *layout, uint64_t seed, uint32_t member, float *params, float *stats);

/* The width of the widest hidden layer. */
int64_t od_mlp_widest(const od_mlp *s);

static inline bool od_lik_has_variance(od_lik lik)
{
    return lik == OD_LIK_PAPER || lik == OD_LIK_GAUSSIAN;
}

/* The constant that the kernels leave out of the log-likelihood of a feature. Training does not need it, but
 * the loss as a number does. */
static inline double od_lik_constant(od_lik lik)
{
    const double log_2pi = 1.8378770664093453;
    return lik == OD_LIK_GAUSSIAN || lik == OD_LIK_UNIT ? -0.5 * log_2pi : 0.0;
}

#endif
