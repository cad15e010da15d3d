/* Where the loss of a row comes from: the share of each feature, and what was expected there. */
#ifndef OD_ATTRIBUTION_H
#define OD_ATTRIBUTION_H

#include "net/iwae.h"

/* Scratch beside that of a network; n are the lanes of a chunk of rows. */
typedef struct od_attribution {
    od_iwae *net;
    float *z;               /* (latent, n) */
    float *act[2];          /* (widest, n) */
    float *head;            /* (outputs, n): raw means and log-variances; then the means */
    float *term;            /* (d, n): log p(x_j|z) */
    float *code;            /* (n): log p(z) - log q(z|x) */
    float *weight;          /* (n): log w, then v */
    float *max, *sum, *row; /* (rows of a chunk) */
} od_attribution;

/* What od_attribution_add adds to, in double: the caller divides by the number of members. */
typedef struct od_attribution_parts {
    double *loss; /* (rows): as od_iwae_loss has it */
    double *code; /* (rows): what the latent code costs */
    double *part; /* (rows, d): what each feature costs */
    double *mean; /* (rows, d): the value expected of each feature, scaled like x */
} od_attribution_parts;

/* For batches as large as the network's own. It must outlive the account. */
odim_status od_attribution_new(od_attribution *a, od_iwae *net, odim_error *err);
void od_attribution_free(od_attribution *a);

/* The rows x (rows, d) under the parameters that od_iwae_ready made ready and the noise (samples, latent). */
void od_attribution_add(od_attribution *a, const float *x, int64_t rows, const float *noise,
                        const od_attribution_parts *to);

#endif
