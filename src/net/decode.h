/*
 * The decoder on a batch: K samples per row, their importance weights and, in training, the backward pass.
 *
 * Rows are taken in chunks; the essay in net/iwae.c says why.
 */
#ifndef OD_DECODE_H
#define OD_DECODE_H

#include "base/forkjoin.h"
#include "net/mlp.h"

#define OD_INACTIVE_WEIGHT 5e-7f /* total weight of a row's samples that the backward pass may leave out */
#define OD_KNOWN_POWER     2     /* u of the known outliers' loss: see the essay in net/iwae.c */

/* What the memory of a network is made for. */
typedef struct od_net_options {
    int64_t rows;      /* of the largest batch */
    int64_t samples;   /* per row; a flow has none */
    bool training;     /* gradients are wanted, too */
    od_forkjoin *team; /* must outlive the network; NULL: the calling thread alone */
} od_net_options;

/* The last rows of a training batch may be known outliers. */
typedef struct od_known {
    int64_t rows;
    float weight; /* gamma: weight of their mean loss relative to that of the other rows */
} od_known;

/* A batch to be trained on. */
typedef struct od_train_batch {
    const float *x; /* (rows, d) */
    int64_t rows;
    od_known known;
    const float *eps; /* standard normal noise, as much as od_net_noise says; a flow needs none */
    float *loss;      /* (rows) out */
} od_train_batch;

/* A batch after the encoder. Matrices are (.., lanes), lanes = od_lanes(rows). */
typedef struct od_batch {
    int64_t rows, lanes;
    od_known known;          /* in training */
    const float *x;          /* (d, lanes) */
    const float *mu, *scale; /* (latent, lanes): mean and standard deviation of q(z|x) */
    const float *lv;         /* (lanes): sum of its log-variances */
    const float *eps;        /* noise: chunk after chunk (latent, lanes of the chunk), or (samples, latent) */
    bool shared;             /* eps is (samples, latent), the same for every row */
    float *loss;             /* (lanes) out */
    float *dmu, *dlv; /* (latent, lanes) out, in training: gradients; dlv before the chain rule of exp */
} od_batch;

/* The state of a chunk between two passes; n is its number of lanes. Evaluation needs only z and logw. */
typedef struct od_chunk {
    float *z;                  /* (latent, n) */
    float *act[OD_MAX_LAYERS]; /* (out, n); the first has room for the gradient of z, too */
    float *grad, *spare;       /* (widest or latent, n) and OD_LANES more */
    float *logw;               /* (n): log w; backward g, the derivative of the batch's loss by log w */
    double *sums;              /* (2 widest) of the current layer */
    od_moments moments;
    od_active_samples active;
} od_chunk;

/* Scratch of one worker. */
typedef struct od_decoder_scratch {
    float *head;      /* in training (outputs, n), in evaluation (2 head_block, eval_lanes) */
    float *act[2];    /* (widest, eval_lanes), in evaluation */
    float *gain;      /* (n) g of the active samples, in training */
    float *row_gain;  /* (rows of a chunk) the factor from a row's weights to g, in training */
    float *max, *sum; /* (rows of a chunk) */
    double *sums;     /* (d) */
    float *row;       /* what evaluation needs of a single row */
} od_decoder_scratch;

typedef struct od_decoder {
    const od_kern *kern;
    od_forkjoin *team;
    od_shape shape;
    od_mlp train, eval; /* offsets from the first decoder parameter; eval has batch normalization folded */
    size_t base, eval_base, params;
    int64_t samples;
    int64_t chunk_rows;          /* most rows per chunk, a multiple of OD_LANES */
    int64_t chunks;              /* of the largest batch */
    int64_t grad_shards;         /* groups of chunks, each with its own sum of gradients */
    int64_t eval_lanes;          /* lanes per block in evaluation */
    int64_t head_block;          /* features of the head per block in evaluation */
    bool keep_chunks;            /* every chunk has its own memory: training with batch normalization */
    int64_t held;                /* chunks in memory */
    od_chunk *chunk;             /* (held) */
    float *memory;               /* of all chunks, as one allocation that fails early if it is too large */
    od_decoder_scratch *scratch; /* (workers of the team) */
    float *grad_shard;           /* (grad_shards, params) */
    float *on;                   /* (lanes of a chunk): 1 for the lanes of the last chunk that are rows */
    od_norm norm;
} od_decoder;

/* plain is the layout without batch normalization. Both layouts must outlive the decoder. */
odim_status od_decoder_new(od_decoder *d, const od_kern *kern, const od_layout *layout,
                           const od_layout *plain, const od_net_options *o, odim_error *err);
void od_decoder_free(od_decoder *d);

/* Number of threads that can share the work of a batch of `rows`. */
int64_t od_decoder_grad_shards(const od_layout *layout, int64_t rows, int64_t samples);

/* Number of chunks of a batch of `lanes`. */
static inline int64_t od_chunk_count(int64_t lanes, int64_t chunk_rows)
{
    return (lanes + chunk_rows - 1) / chunk_rows;
}

/* Index in od_batch.eps of the noise of latent j of sample s of a row, in a batch of `lanes`. */
int64_t od_decoder_noise_at(const od_decoder *d, int64_t lanes, int64_t row, int64_t s, int64_t j);

/* Samples rows first..first+rows-1 (rows is a multiple of OD_LANES); sample s of row i is lane s * rows + i.
 * Writes z (latent, lanes) and to logw (lanes) the part of log w that does not need the decoder:
 * log p(z) - log q(z|x). */
void od_decoder_sample(const od_decoder *d, const od_batch *b, int64_t first, int64_t rows, float *z,
                       float *logw);
/* From log w to the loss (rows) and, unless weight is NULL, to the weights (lanes), which may overwrite
 * log w. A loss that is not a number means that the network has diverged. max and sum (rows) are scratch. */
void od_decoder_weigh(const od_decoder *d, const float *logw, int64_t rows, float *weight, float *max,
                      float *sum, float *loss);

/* Losses. params are those of the plain layout. */
void od_decoder_eval(od_decoder *d, const float *params, od_batch *b);
/* Losses and the gradient of the batch's loss, which is added to dparams and written to b->dmu and b->dlv. */
void od_decoder_train(od_decoder *d, const float *params, float *stats, float *dparams, od_batch *b);

#endif
