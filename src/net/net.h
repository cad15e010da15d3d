/*
 * A network, whichever it is: what fitting, scoring and explaining ask of one. It gives every row a loss, an
 * upper bound of -log p(x) or that itself, and the gradient of a batch.
 */
#ifndef OD_NET_H
#define OD_NET_H

#include "net/attribution.h"
#include "net/flow.h"
#include "net/iwae.h"

/* Scratch for a number of rows; one a thread, or a team's. */
typedef struct od_net {
    const od_kern *kern;
    const od_layout *layout;
    /* One of them, by layout->shape.kind: */
    od_iwae iwae;
    od_flow flow;
    od_attribution attribute; /* of an IWAE, after od_net_attribution_new */
} od_net;

/* For batches up to `rows` rows of `samples` samples each, which a flow does not have. team NULL: the calling
 * thread alone. The layout and the team must outlive it. */
odim_status od_net_new(od_net *net, const od_kern *kern, const od_layout *layout, int64_t rows,
                       int64_t samples, bool training, od_forkjoin *team, odim_error *err);
void od_net_free(od_net *net);

/* How many threads can share the work of a batch in training. */
int64_t od_net_grad_shards(const od_layout *layout, int64_t rows, int64_t samples);
/* How many standard normal numbers a batch of `rows` needs. */
int64_t od_net_noise(const od_net *net, int64_t rows);

/* From the parameters of od_layout_init to those that training starts with, for rows x (rows, d) like those
 * to come. */
void od_net_start(od_net *net, float *params, const float *stats, const float *x, int64_t rows);

/* Makes these parameters the ones of evaluation. They must stay as they are until the next call. */
void od_net_ready(od_net *net, const float *params, const float *stats);
/* Evaluation mode: loss (rows) of x (rows, d). eps is the noise of the batch or, when shared, (samples,
 * latent) for every row alike. */
void od_net_loss(od_net *net, const float *x, int64_t rows, const float *eps, bool shared, float *loss);

/* Training mode: after it, parameters are to be made ready anew. loss (rows), the batch's statistics into
 * stats, and the gradient of the batch's loss added to dparams. known as in od_iwae_grad. */
void od_net_grad(od_net *net, const float *params, float *stats, float *dparams, const float *x, int64_t rows,
                 const od_known *known, const float *eps, float *loss);

/* Memory for od_net_attribute. The network must stay where it is. */
odim_status od_net_attribution_new(od_net *net, odim_error *err);
/* Where the losses of x (rows, d) come from, under the parameters made ready and the noise (samples, latent).
 */
void od_net_attribute(od_net *net, const float *x, int64_t rows, const float *noise,
                      const od_attribution_parts *to);

#endif
