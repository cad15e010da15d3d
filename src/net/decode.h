/*
 * The decoder on a batch: K samples of every row, their weights and, in training, the way back. Rows are
 * taken in chunks; the essay in net/iwae.c says why.
 */
#ifndef OD_DECODE_H
#define OD_DECODE_H

#include "base/forkjoin.h"
#include "net/mlp.h"

#define OD_LIGHT_TOTAL 5e-7f /* what the samples left out of the way back may weigh together */
#define OD_KNOWN_POWER 2     /* u of the known outliers' loss: see the essay in net/iwae.c */

/* The last rows of a batch may be known outliers. */
typedef struct od_known {
    int64_t rows;
    float weight; /* gamma: of their mean loss beside that of the others */
} od_known;

/* A batch after the encoder. Matrices are (.., lanes), lanes = od_lanes(rows). */
typedef struct od_batch {
    int64_t rows, lanes;
    od_known known;          /* in training */
    const float *x;          /* (d, lanes) */
    const float *mu, *scale; /* (latent, lanes) of q(z|x): mean, standard deviation */
    const float *lv;         /* (lanes): sum of its log-variances */
    const float *eps; /* noise: chunk after chunk (latent, lanes of the chunk); shared: (samples, latent) */
    bool shared;
    float *loss;      /* (lanes) out */
    float *dmu, *dlv; /* (latent, lanes) out, in training: gradients; of dlv before its own derivative */
} od_batch;

/* What is kept of a chunk from pass to pass; n are its lanes. Without training only z and logw. */
typedef struct od_chunk {
    float *z;                  /* (latent, n) */
    float *act[OD_MAX_LAYERS]; /* (out, n); the first has room for the gradient of z, too */
    float *grad, *spare;       /* (widest or latent, n) and OD_LANES more */
    float *logw;               /* (n): log w; backward g, the derivative of the batch's loss by log w */
    double *sums;              /* (2 widest) of the layer in hand */
    od_moments moments;
    od_active_samples active;
} od_chunk;

/* Scratch of one worker. */
typedef struct od_decoder_scratch {
    float *head;      /* in training (outputs, n), in evaluation (2 slab, eval_lanes) */
    float *act[2];    /* (widest, eval_lanes), in evaluation */
    float *gain;      /* (n) g of the live samples, in training */
    float *pull;      /* (rows of a chunk) what a row's weights are multiplied by to become g, in training */
    float *max, *sum; /* (rows of a chunk) */
    double *sums;     /* (d) */
} od_decoder_scratch;

typedef struct od_decoder {
    const od_kern *kern;
    od_forkjoin *team;
    od_shape shape;
    od_mlp train, eval; /* offsets from the first decoder parameter; eval has normalisation folded */
    size_t base, eval_base, params;
    int64_t samples;
    int64_t chunk_rows;          /* most rows of a chunk, a multiple of OD_LANES */
    int64_t chunks;              /* for the largest batch */
    int64_t grad_shards;         /* groups of chunks, each with its own sum of gradients */
    int64_t eval_lanes;          /* lanes that evaluation takes at a time */
    int64_t slab;                /* features of the head it takes at a time */
    bool keep;                   /* every chunk has memory of its own: batch normalisation in training */
    int64_t held;                /* chunks in memory */
    od_chunk *chunk;             /* (held) */
    float *memory;               /* of all chunks, in one piece: too much is refused at once */
    od_decoder_scratch *scratch; /* (workers of the team) */
    float *grad_shard;           /* (strands, params) */
    float *on;                   /* (lanes of a chunk): which lanes of the last chunk are rows */
    od_norm norm;
} od_decoder;

/* For batches up to `rows` rows. The layouts must outlive it; plain is the one without batch normalisation.
 */
odim_status od_decoder_new(od_decoder *d, const od_kern *kern, const od_layout *layout,
                           const od_layout *plain, int64_t rows, int64_t samples, bool training,
                           od_forkjoin *team, odim_error *err);
void od_decoder_free(od_decoder *d);

/* How many threads can share the work of a batch of `rows`. */
int64_t od_decoder_grad_shards(const od_layout *layout, int64_t rows, int64_t samples);

/* Where in od_batch.eps the noise of latent j of sample s of row i lies, in a batch of `lanes`. */
int64_t od_decoder_noise_at(const od_decoder *d, int64_t lanes, int64_t row, int64_t s, int64_t j);

/* Rows first..first+rows-1, a multiple of OD_LANES, sample s of row i in lane s * rows + i: z (latent,
 * lanes), and in logw (lanes) the part of log w that does not need the decoder: log p(z) - log q(z|x). */
void od_decoder_sample(const od_decoder *d, const od_batch *b, int64_t first, int64_t rows, float *z,
                       float *logw);
/* From log w to the loss (rows) and, unless weight is NULL, to the weights (lanes), which may overwrite log
 * w. A loss that is not a number says that the network has run away. max and sum (rows) are scratch. */
void od_decoder_weigh(const od_decoder *d, const float *logw, int64_t rows, float *weight, float *max,
                      float *sum, float *loss);

/* Losses. params are those of the plain layout. */
void od_decoder_eval(od_decoder *d, const float *params, od_batch *b);
/* Losses, and the gradient of the batch's loss: added to dparams, and in the batch. */
void od_decoder_train(od_decoder *d, const float *params, float *stats, float *dparams, od_batch *b);

#endif
