/* Keeps the networks of an ensemble ready for evaluation. */
#include "net/ready_nets.h"

#include "common/mem.h"

static bool is_flow(const od_ready_nets *r)
{
    return r->layout->shape.kind == OD_NET_FLOW;
}

odim_status od_ready_nets_new(od_ready_nets *r, const od_kern *kern, const od_layout *layout, int64_t count,
                              const od_net_options *o, odim_error *err)
{
    *r = (od_ready_nets){.layout = layout, .count = count};
    int64_t nets = is_flow(r) ? count : 1;
    odim_status status = (r->net = od_calloc((size_t)nets, sizeof *r->net)) ? ODIM_OK : od_fail_nomem(err);
    while (!status && r->nets < nets) {
        status = od_net_new(&r->net[r->nets], kern, layout, o, err);
        if (!status) r->nets++;
    }
    if (!status && !is_flow(r)) {
        r->eval = od_calloc((size_t)count, sizeof *r->eval);
        if (layout->shape.batch_norm)
            r->folded = od_alloc((size_t)count, r->net[0].iwae.plain.params * sizeof *r->folded);
        if (!r->eval || (layout->shape.batch_norm && !r->folded)) status = od_fail_nomem(err);
    }
    if (status) od_ready_nets_free(r);
    return status;
}

void od_ready_nets_free(od_ready_nets *r)
{
    for (int64_t i = 0; i < r->nets; i++) od_net_free(&r->net[i]);
    od_free(r->net);
    od_free(r->folded);
    od_free(r->eval);
    *r = (od_ready_nets){0};
}

void od_ready_nets_set(od_ready_nets *r, int64_t index, const float *params, const float *stats)
{
    if (is_flow(r)) {
        od_net_ready(&r->net[index], params, stats);
    } else {
        const od_iwae *w = &r->net[0].iwae;
        float *folded = r->folded ? r->folded + (size_t)index * w->plain.params : NULL;
        r->eval[index] = od_iwae_fold(w, params, stats, folded);
    }
}

od_net *od_ready_nets_at(od_ready_nets *r, int64_t index)
{
    if (is_flow(r)) return &r->net[index];
    od_iwae_use(&r->net[0].iwae, r->eval[index]);
    return &r->net[0];
}
