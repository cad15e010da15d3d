/* The importance weighted autoencoder: the loss of a row, and its gradient. The essay is in iwae.c. */
#ifndef OD_IWAE_H
#define OD_IWAE_H

#include "net/decode.h"

/* Scratch for up to `rows` rows of `samples` samples each; one a thread, or a team's. */
typedef struct od_iwae {
    const od_kern *kern;
    const od_layout *layout;
    od_layout plain;   /* the same without batch normalisation: what evaluation uses */
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

/* team NULL: the calling thread alone. The layout and the team must outlive it. */
odim_status od_iwae_new(od_iwae *w, const od_kern *kern, const od_layout *layout, int64_t rows,
                        int64_t samples, bool training, od_forkjoin *team, odim_error *err);
void od_iwae_free(od_iwae *w);

/* How many standard normal numbers a batch of `rows` needs, and where among them is that of a row, sample and
 * latent. */
int64_t od_iwae_noise(const od_iwae *w, int64_t rows);
int64_t od_iwae_noise_at(const od_iwae *w, int64_t rows, int64_t row, int64_t sample, int64_t j);

/* Makes these parameters the ones of evaluation. They must stay as they are until the next call. */
void od_iwae_ready(od_iwae *w, const float *params, const float *stats);
/* The first half of evaluation: what the decoder is to be given for x (rows, d), in memory of w. eps as
 * below.
 */
od_batch od_iwae_encode(od_iwae *w, const float *x, int64_t rows, const float *eps, bool shared);
/* Evaluation mode: loss (rows) of x (rows, d). eps is the noise of the batch or, when shared, (samples,
 * latent) for every row alike. */
void od_iwae_loss(od_iwae *w, const float *x, int64_t rows, const float *eps, bool shared, float *loss);

/* Training mode: loss (rows), the batch's statistics into stats, and the gradient of the batch's loss added
 * to dparams. known NULL: no row is a known outlier, and the batch's loss is the mean of all. */
void od_iwae_grad(od_iwae *w, const float *params, float *stats, float *dparams, const float *x, int64_t rows,
                  const od_known *known, const float *eps, float *loss);

#endif
