/*
 * The sum of per-row gradients, each clipped to a norm, for differentially private training.
 *
 * The essay is in dp_clip.c.
 */
#ifndef OD_DP_CLIP_H
#define OD_DP_CLIP_H

#include "net/iwae.h"

/* One matrix product of the network: the gradient of a row's weights is the sum over its samples of out in^T.
 */
typedef struct od_matmul {
    float *out, *in;       /* (outs, n) gradients of its outputs; (ins, n) its inputs */
    int64_t outs, ins;     /* features */
    int64_t samples, n;    /* per row; lanes */
    size_t w, b;           /* offsets of weights (outs, ins) and biases in the parameters */
    int64_t first, biases; /* the first output that has a bias, and the number of biases */
} od_matmul;

#define OD_MAX_MATMULS (2 * (OD_MAX_LAYERS + 1))

typedef struct od_dp_clip {
    od_iwae net;                                     /* the encoder, samples and weights of a block */
    int64_t rows, samples;                           /* most rows per block; samples per row */
    int64_t group;                                   /* rows summed in single precision */
    double slack;                                    /* share of the bound reserved for rounding */
    float *z, *logw, *eps;                           /* (latent, n), (n), (latent, n) */
    float *head;                                     /* (outputs, n) */
    float *act[OD_MAX_LAYERS], *dact[OD_MAX_LAYERS]; /* (out, n) of the decoder */
    float *dz;                                       /* (latent, n) */
    float *dcode;                                    /* (2 latent, rows) */
    float *denc[OD_MAX_LAYERS];                      /* (out, rows) of the encoder */
    int32_t *from;                                   /* (n) the former lane of an active sample */
    float *gain;                                     /* (n) its derivative of the loss by log w */
    float *ones;                                     /* (n) */
    float *norm, *spread, *keep, *max, *sum;         /* (rows) */
    float *outs, *ins;                               /* (n) squared norms per lane of a product */
    float *part;                                     /* (params) the sum of a group; 0 between batches */
    double *sums;                                    /* (most features) */
    int matmuls;
    od_matmul matmul[OD_MAX_MATMULS];
} od_dp_clip;

/* For batches of any size. The layout has no batch normalization and must outlive it. */
odim_status od_dp_clip_new(od_dp_clip *c, const od_kern *kern, const od_layout *layout, int64_t samples,
                           odim_error *err);
void od_dp_clip_free(od_dp_clip *c);

/* Number of standard normal numbers that a batch of `rows` needs. */
int64_t od_dp_clip_noise(const od_dp_clip *c, int64_t rows);

/*
 * Adds the gradients of the losses of a batch to sum (params), each scaled down to the norm `bound` if it is
 * longer. A row whose gradient is not finite adds nothing. If any row is replaced by one that adds nothing,
 * sum changes by at most `bound`, rounding included. That holds for up to OD_DP_CLIP_ROWS rows of any values,
 * which may come in several calls. Known outliers are not supported.
 */
#define OD_DP_CLIP_ROWS ((int64_t)1 << 21)
void od_dp_clip_add(od_dp_clip *c, const float *params, double *sum, const od_train_batch *batch,
                    double bound);

#endif
