/* A small flow with arbitrary weights, for tests. Needs net_batch.h's batch. */
#ifndef MADE_FLOW_H
#define MADE_FLOW_H

#include <stdlib.h>

#include "net/flow.h"
#include "net_batch.h"

#define STEP 1e-6 /* of finite differences */

/* A flow whose weights are all away from where training starts. */
static inline batch make_flow(int64_t d, int steps, int64_t rows)
{
    od_shape shape = {.kind = OD_NET_FLOW, .d = d, .layers = 2, .hidden = {6, 5}, .steps = steps};
    batch b = make(shape, rows, 0);
    od_rng s = od_rng_make(9, 0, OD_RNG_INIT, 77);
    float size = d < 100 ? 0.8f : 0.4f;
    for (size_t i = 0; i < b.l.params; i++) {
        uint32_t w[4];
        od_rng_block(&s, i, w);
        b.params[i] = (od_unit(w[0]) - 0.5f) * size;
        b.dparams[i] = (double)b.params[i];
    }
    return b;
}

static inline od_flow *flow_for(const batch *b, const od_kern *kern)
{
    od_flow *w = od_alloc(1, sizeof *w);
    if (od_flow_new(w, kern, &b->l, b->rows, NULL)) exit(1);
    od_flow_ready(w, b->params, b->stats);
    return w;
}

static inline void flow_drop(od_flow *w)
{
    od_flow_free(w);
    od_free(w);
}

#endif
