/* Calls the IWAE or the flow, by the kind of the network. */
#include "net/net.h"

static bool is_flow(const od_layout *layout)
{
    return layout->shape.kind == OD_NET_FLOW;
}

odim_status od_net_new(od_net *net, const od_kern *kern, const od_layout *layout, const od_net_options *o,
                       odim_error *err)
{
    *net = (od_net){.kern = kern, .layout = layout};
    return is_flow(layout) ? od_flow_new(&net->flow, kern, layout, o->rows, err)
                           : od_iwae_new(&net->iwae, kern, layout, o, err);
}

void od_net_free(od_net *net)
{
    od_attribution_free(&net->attribute);
    od_iwae_free(&net->iwae);
    od_flow_free(&net->flow);
    *net = (od_net){0};
}

int64_t od_net_grad_shards(const od_layout *layout, int64_t rows, int64_t samples)
{
    return is_flow(layout) ? 1 : od_decoder_grad_shards(layout, rows, samples);
}

int64_t od_net_noise(const od_net *net, int64_t rows)
{
    return is_flow(net->layout) ? 0 : od_iwae_noise(&net->iwae, rows);
}

void od_net_start(od_net *net, float *params, const float *stats, const float *x, int64_t rows)
{
    if (is_flow(net->layout)) od_flow_start(&net->flow, params, stats, x, rows);
}

void od_net_ready(od_net *net, const float *params, const float *stats)
{
    if (is_flow(net->layout))
        od_flow_ready(&net->flow, params, stats);
    else
        od_iwae_ready(&net->iwae, params, stats);
}

void od_net_loss(od_net *net, const float *x, int64_t rows, const float *eps, bool shared, float *loss)
{
    if (is_flow(net->layout))
        od_flow_loss(&net->flow, x, rows, loss);
    else
        od_iwae_loss(&net->iwae, x, rows, eps, shared, loss);
}

void od_net_grad(od_net *net, const float *params, float *stats, float *dparams, const od_train_batch *batch)
{
    if (is_flow(net->layout))
        od_flow_grad(&net->flow, params, stats, dparams, batch);
    else
        od_iwae_grad(&net->iwae, params, stats, dparams, batch);
}

odim_status od_net_attribution_new(od_net *net, odim_error *err)
{
    return is_flow(net->layout) ? ODIM_OK : od_attribution_new(&net->attribute, &net->iwae, err);
}

void od_net_attribute(od_net *net, const float *x, int64_t rows, const float *noise,
                      const od_attribution_parts *to)
{
    if (is_flow(net->layout))
        od_flow_attribute(&net->flow, x, rows, to);
    else
        od_attribution_add(&net->attribute, x, rows, noise, to);
}
