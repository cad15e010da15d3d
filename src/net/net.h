/*
 * A network of either kind, IWAE or flow: the interface for fitting, scoring and explaining.
 *
 * A network gives every row a loss, which is -log p(x) or an upper bound of it, and the gradient of a batch.
 */
#ifndef OD_NET_H
#define OD_NET_H

#include "net/attribution.h"
#include "net/flow.h"
#include "net/iwae.h"

/* Scratch of a network; one per thread, or one per team. */
typedef struct od_net {
    const od_kern *kern;
    const od_layout *layout;
    /* One of them, by layout->shape.kind: */
    od_iwae iwae;
    od_flow flow;
    od_attribution attribute; /* of an IWAE, after od_net_attribution_new */
} od_net;

/* The layout must outlive the network. */
odim_status od_net_new(od_net *net, const od_kern *kern, const od_layout *layout, const od_net_options *o,
                       odim_error *err);
void od_net_free(od_net *net);

/* Number of threads that can share the work of a training batch. */
int64_t od_net_grad_shards(const od_layout *layout, int64_t rows, int64_t samples);
/* Number of standard normal numbers that a batch of `rows` needs. */
int64_t od_net_noise(const od_net *net, int64_t rows);

/* Adjusts the parameters of od_layout_init to training rows x (rows, d) before the first update. */
void od_net_start(od_net *net, float *params, const float *stats, const float *x, int64_t rows);

/* Sets the parameters for evaluation. They must not change until the next call. */
void od_net_ready(od_net *net, const float *params, const float *stats);
/* Evaluation mode: loss (rows) of x (rows, d). eps is the noise of the batch or, if shared, (samples, latent)
 * for every row. */
void od_net_loss(od_net *net, const float *x, int64_t rows, const float *eps, bool shared, float *loss);

/* Training mode: the losses of a batch. Updates the running statistics and adds the gradient of the batch's
 * loss to dparams. Evaluation needs od_net_ready again afterwards. */
void od_net_grad(od_net *net, const float *params, float *stats, float *dparams, const od_train_batch *batch);

/* Memory for od_net_attribute. The network must not be moved afterwards. */
odim_status od_net_attribution_new(od_net *net, odim_error *err);
/* Attributes the losses of x (rows, d) to features, under the parameters of od_net_ready and the noise
 * (samples, latent). */
void od_net_attribute(od_net *net, const float *x, int64_t rows, const float *noise,
                      const od_attribution_parts *to);

#endif
