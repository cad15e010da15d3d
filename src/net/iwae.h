/* The importance weighted autoencoder: the loss of a row, and its gradient. The essay is in iwae.c. */
#ifndef OD_IWAE_H
#define OD_IWAE_H

#include "net/stack.h"

/* Scratch for up to `rows` rows of `samples` samples each; one a thread. */
typedef struct od_iwae {
    const od_kern *kern;
    const od_layout *layout;
    int64_t samples;
    bool whole;    /* the decoder's hidden layers see all rows at a time: batch statistics are wanted */
    int64_t block; /* data rows that go through the decoder (or, if whole, its head) at a time */
    od_stack_work enc, dec;
    float *code;   /* (rows, 2 latent): mean, raw log-variance of z */
    float *scale;  /* (rows, latent): exp(log-variance / 2) */
    float *z;      /* (rows * samples, latent) */
    float *logw;   /* (rows, samples): log w; backward g, the derivative of the mean loss by log w */
    float *head;   /* (block * samples, outputs) */
    float *weight; /* (block, samples) */
    double *sums;  /* (features + latent) */
    /* In training only: */
    float *dz;       /* (rows * samples, latent) */
    int64_t *live;   /* (block * samples) the samples of the block that have any weight */
    float *gain;     /* (block * samples) their g */
    float *live_act; /* (block * samples, in of the head) what backward needs of them */
    float *live_dact;
    float *live_z, *live_dz; /* (block * samples, latent) */
} od_iwae;

odim_status od_iwae_new(od_iwae *w, const od_kern *kern, const od_layout *layout, int64_t rows,
                        int64_t samples, bool training, odim_error *err);
void od_iwae_free(od_iwae *w);

/*
 * Evaluation mode: loss (rows) of x (rows, d). eps is standard normal noise, (rows, samples, latent), or one
 * (samples, latent) for every row alike when shared.
 */
void od_iwae_loss(od_iwae *w, const float *params, const float *stats, const float *x, int64_t rows,
                  const float *eps, bool shared, float *loss);

/*
 * Training mode: loss (rows), the batch's statistics into stats, and the gradient of the mean loss added to
 * dparams. eps (rows, samples, latent).
 */
void od_iwae_grad(od_iwae *w, const float *params, float *stats, float *dparams, const float *x, int64_t rows,
                  const float *eps, float *loss);

#endif
