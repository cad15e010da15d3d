#include "net/net.h"

odim_status od_net_new(od_net *net, const od_kern *kern, const od_layout *layout, int64_t rows,
                       int64_t samples, bool training, od_team *team, odim_error *err)
{
    *net = (od_net){.kern = kern, .layout = layout};
    return od_iwae_new(&net->iwae, kern, layout, rows, samples, training, team, err);
}

void od_net_free(od_net *net)
{
    od_account_free(&net->account);
    od_iwae_free(&net->iwae);
    *net = (od_net){0};
}

int64_t od_net_strands(const od_layout *layout, int64_t rows, int64_t samples)
{
    return od_decoder_strands(layout, rows, samples);
}

int64_t od_net_noise(const od_net *net, int64_t rows)
{
    return od_iwae_noise(&net->iwae, rows);
}

void od_net_ready(od_net *net, const float *params, const float *stats)
{
    od_iwae_ready(&net->iwae, params, stats);
}

void od_net_loss(od_net *net, const float *x, int64_t rows, const float *eps, bool shared, float *loss)
{
    od_iwae_loss(&net->iwae, x, rows, eps, shared, loss);
}

void od_net_grad(od_net *net, const float *params, float *stats, float *dparams, const float *x, int64_t rows,
                 const od_known *known, const float *eps, float *loss)
{
    od_iwae_grad(&net->iwae, params, stats, dparams, x, rows, known, eps, loss);
}

odim_status od_net_account_new(od_net *net, odim_error *err)
{
    return od_account_new(&net->account, &net->iwae, err);
}

void od_net_account(od_net *net, const float *x, int64_t rows, const float *noise, const od_parts *to)
{
    od_account_add(&net->account, x, rows, noise, to);
}
