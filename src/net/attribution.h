/* Attribution of an IWAE loss: the share of each feature in it, and the value expected of it. */
#ifndef OD_ATTRIBUTION_H
#define OD_ATTRIBUTION_H

#include "net/iwae.h"

/* Scratch in addition to that of the network; n is the number of lanes of a chunk. */
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

/* Sums over members that od_attribution_add adds to; the caller divides by the number of members. */
typedef struct od_attribution_parts {
    double *loss; /* (rows): the same as of od_iwae_loss */
    double *code; /* (rows): cost of the latent code */
    double *part; /* (rows, d): cost of each feature */
    double *mean; /* (rows, d): expected value of each feature, scaled like x */
} od_attribution_parts;

/* For batches up to the size of the network's own. The network must outlive the attribution. */
odim_status od_attribution_new(od_attribution *a, od_iwae *net, odim_error *err);
void od_attribution_free(od_attribution *a);

/* Attributes the losses of x (rows, d), under the parameters of od_iwae_ready and the noise (samples,
 * latent).
 */
void od_attribution_add(od_attribution *a, const float *x, int64_t rows, const float *noise,
                        const od_attribution_parts *to);

#endif
