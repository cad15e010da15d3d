/* The importance weighted autoencoder: the loss of a row and its gradient. The essay is in iwae.c. */
#ifndef OD_IWAE_H
#define OD_IWAE_H

#include "net/decode.h"

/* Scratch of a network; one per thread, or one per team. */
typedef struct od_iwae {
    const od_kern *kern;
    const od_layout *layout;
    od_layout plain;   /* the same without batch normalization, for evaluation */
    const float *eval; /* (plain.params) set by od_iwae_ready */
    float *folded;     /* (plain.params) */
    od_mlp_work enc;
    od_decoder dec;
    float *x;     /* (d, lanes) */
    float *on;    /* (lanes): 1 for a row, 0 for padding */
    float *code;  /* (2 latent, lanes): mean, raw log-variance of z */
    float *scale; /* (latent, lanes): exp(log-variance / 2) */
    float *lv;    /* (lanes): sum of the log-variances */
    float *loss;  /* (lanes) */
    /* In training only: */
    float *dcode; /* (2 latent, lanes) */
    double *sums; /* (latent) */
} od_iwae;

/* The layout must outlive the network. */
odim_status od_iwae_new(od_iwae *w, const od_kern *kern, const od_layout *layout, const od_net_options *o,
                        odim_error *err);
void od_iwae_free(od_iwae *w);

/* Number of standard normal numbers that a batch of `rows` needs, and the index among them of a row, sample
 * and latent. */
int64_t od_iwae_noise(const od_iwae *w, int64_t rows);
int64_t od_iwae_noise_at(const od_iwae *w, int64_t rows, int64_t row, int64_t sample, int64_t j);

/* Sets the parameters for evaluation. They must not change until the next call. */
void od_iwae_ready(od_iwae *w, const float *params, const float *stats);
/* The same in two steps, for several networks of one layout that take turns: what od_iwae_use needs of the
 * parameters, made in folded (plain.params) or, without batch normalization, params itself. */
const float *od_iwae_fold(const od_iwae *w, const float *params, const float *stats, float *folded);
void od_iwae_use(od_iwae *w, const float *eval);
/* The first half of evaluation: encodes x (rows, d). The result lies in the memory of w. eps as below. */
od_batch od_iwae_encode(od_iwae *w, const float *x, int64_t rows, const float *eps, bool shared);
/* Evaluation mode: loss (rows) of x (rows, d). eps is the noise of the batch or, if shared, (samples, latent)
 * for every row. */
void od_iwae_loss(od_iwae *w, const float *x, int64_t rows, const float *eps, bool shared, float *loss);
/* The same with each of several sets of shared noise, eps (sets, samples, latent), encoded once. The losses
 * of a set begin `stride` after those of the set before. */
void od_iwae_losses(od_iwae *w, const float *x, int64_t rows, const float *eps, int64_t sets, int64_t stride,
                    float *loss);

/* Training mode: the losses of a batch. Updates the running statistics and adds the gradient of the batch's
 * loss to dparams. */
void od_iwae_grad(od_iwae *w, const float *params, float *stats, float *dparams, const od_train_batch *batch);

#endif
