/*
 * The gradients of single rows, each cut to a norm, and then their sum: what differentially private training
 * takes from a batch. The essay is in dp_clip.c.
 */
#ifndef OD_DP_CLIP_H
#define OD_DP_CLIP_H

#include "net/iwae.h"

/* One multiply of the network: the gradient of a row's weights is the sum over its samples of out in^T. */
typedef struct od_link {
    float *out, *in;       /* (outs, n) gradients of its outputs; (ins, n) what it read */
    int64_t outs, ins;     /* features */
    int64_t samples, n;    /* of a row; lanes */
    size_t w, b;           /* places of weights (outs, ins) and biases among the parameters */
    int64_t first, biases; /* the outputs that have a bias: from which on, and how many */
} od_link;

#define OD_MAX_LINKS (2 * (OD_MAX_LAYERS + 1))

typedef struct od_dp_clip {
    od_iwae net;                                     /* the encoder, samples and weights of a block */
    int64_t rows, samples;                           /* most rows of a block; samples of a row */
    int64_t group;                                   /* rows that are summed in single precision */
    double slack;                                    /* how much smaller than the bound, for rounding */
    float *z, *logw, *eps;                           /* (latent, n), (n), (latent, n) */
    float *head;                                     /* (outputs, n) */
    float *act[OD_MAX_LAYERS], *dact[OD_MAX_LAYERS]; /* (out, n) of the decoder */
    float *dz;                                       /* (latent, n) */
    float *dcode;                                    /* (2 latent, rows) */
    float *denc[OD_MAX_LAYERS];                      /* (out, rows) of the encoder */
    int32_t *from;                                   /* (n) the lane that a live sample was in */
    float *gain;                                     /* (n) its derivative of the loss by log w */
    float *ones;                                     /* (n) */
    float *norm, *spread, *keep, *max, *sum;         /* (rows) */
    float *outs, *ins;                               /* (n) squares of what a link has in a lane */
    float *part;                                     /* (params) the sum of a group; 0 between batches */
    double *sums;                                    /* (most features) */
    int links;
    od_link link[OD_MAX_LINKS];
} od_dp_clip;

/* For a layout without batch normalisation, which must outlive it; batches of any size. */
odim_status od_dp_clip_new(od_dp_clip *c, const od_kern *kern, const od_layout *layout, int64_t samples,
                           odim_error *err);
void od_dp_clip_free(od_dp_clip *c);

/* How many standard normal numbers a batch of `rows` needs. */
int64_t od_dp_clip_noise(const od_dp_clip *c, int64_t rows);

/*
 * Adds to sum (params) the gradients of the losses of x (rows, d), each scaled down to the norm `bound` if it
 * is longer. loss (rows). A row whose gradient is not finite adds nothing. The norm of the change of sum when
 * a row is replaced by such a one is at most `bound`, rounding included, whatever the values of the rows are,
 * in up to OD_DP_CLIP_ROWS rows, which may come in several calls.
 */
#define OD_DP_CLIP_ROWS ((int64_t)1 << 21)
void od_dp_clip_add(od_dp_clip *c, const float *params, double *sum, const float *x, int64_t rows,
                    const float *eps, double bound, float *loss);

#endif
