/* The importance weighted autoencoder: the loss of a row, and its gradient. The essay is in iwae.c. */
#ifndef OD_IWAE_H
#define OD_IWAE_H

#include "net/stack.h"

/* Scratch for up to `rows` rows of `samples` samples each; one a thread. */
typedef struct od_iwae {
    const od_kern *kern;
    const od_layout *layout;
    int64_t rows, samples;
    int64_t block; /* data rows whose decoder outputs are held at a time */
    od_stack_work enc, dec;
    float *code;   /* (rows, 2 latent): mean, raw log-variance of z */
    float *scale;  /* (rows, latent): exp(log-variance / 2) */
    float *z, *dz; /* (rows * samples, latent) */
    float *head;   /* (block * samples, outputs) */
    float *logw;   /* (rows, samples) */
    float *weight; /* (block, samples) */
    double *sums;  /* (features) */
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
