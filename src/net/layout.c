/* The layout of parameters and statistics, and their initial values. */
#include "net/layout.h"

#include <math.h>
#include <string.h>

static size_t take(size_t *total, int64_t a, int64_t b)
{
    size_t at = *total;
    *total += (size_t)a * (size_t)b;
    return at;
}

static void make_mlp(od_layout *l, od_mlp *s, int64_t in, bool reversed, int64_t dim, bool variance)
{
    const od_shape *shape = &l->shape;
    s->layers = shape->layers;
    s->batch_norm = shape->batch_norm;
    for (int i = 0; i < s->layers; i++) {
        od_layer *layer = &s->layer[i];
        layer->in = in;
        layer->out = shape->hidden[reversed ? s->layers - 1 - i : i];
        layer->w = take(&l->params, layer->out, layer->in);
        if (s->batch_norm) {
            layer->mean = take(&l->stats, layer->out, 1);
            layer->var = take(&l->stats, layer->out, 1);
        } else {
            layer->b = take(&l->params, layer->out, 1);
        }
        in = layer->out;
    }
    s->in = in;
    s->dim = dim;
    s->outputs = variance ? 2 * dim : dim;
    s->head_w = take(&l->params, s->outputs, in);
    if (variance) s->head_b = take(&l->params, dim, 1);
}

static void make_step(od_layout *l)
{
    od_step *s = &l->step;
    int64_t d = l->shape.d;
    s->actnorm = take(&l->params, 2, d);
    s->linear = d > 1 && d <= OD_LINEAR_MOST;
    if (s->linear) s->lu = take(&l->params, d, d);
    s->kept = d / 2;
    s->changed = s->kept ? d - s->kept : 0;
    if (s->kept) make_mlp(l, &s->net, s->kept, false, s->changed, true);
    s->order = take(&l->stats, d, 1);
    s->params = l->params;
    s->stats = l->stats;
}

void od_layout_make(od_layout *layout, const od_shape *shape)
{
    *layout = (od_layout){.shape = *shape};
    if (shape->kind == OD_NET_FLOW) {
        make_step(layout);
        layout->params *= (size_t)shape->steps;
        layout->stats *= (size_t)shape->steps;
        return;
    }
    make_mlp(layout, &layout->enc, shape->d, false, shape->latent, true);
    make_mlp(layout, &layout->dec, shape->latent, true, shape->d, od_lik_has_variance(shape->lik));
}

int64_t od_mlp_widest(const od_mlp *s)
{
    int64_t w = 1;
    for (int i = 0; i < s->layers; i++) w = s->layer[i].out > w ? s->layer[i].out : w;
    return w;
}

/* Parameter i takes word i of the stream, whatever the order of the calls. */
static void fill_uniform(const od_rng *s, float *params, size_t start, int64_t count, int64_t fan_in)
{
    float bound = 1.0f / sqrtf((float)fan_in);
    uint32_t w[4];
    for (size_t i = start; i < start + (size_t)count; i++) {
        if (i == start || i % 4 == 0) od_rng_block(s, i / 4, w);
        params[i] = (od_unit(w[i % 4]) * 2.0f - 1.0f) * bound;
    }
}

static void init_hidden(const od_mlp *s, const od_rng *random, float *params, float *stats)
{
    for (int i = 0; i < s->layers; i++) {
        const od_layer *l = &s->layer[i];
        fill_uniform(random, params, l->w, l->out * l->in, l->in);
        if (!s->batch_norm) {
            fill_uniform(random, params, l->b, l->out, l->in);
            continue;
        }
        for (int64_t j = 0; j < l->out; j++) {
            stats[l->mean + (size_t)j] = 0.0f;
            stats[l->var + (size_t)j] = 1.0f;
        }
    }
}

static void init_mlp(const od_mlp *s, const od_rng *random, float *params, float *stats)
{
    init_hidden(s, random, params, stats);
    fill_uniform(random, params, s->head_w, s->outputs * s->in, s->in);
    if (s->outputs > s->dim) fill_uniform(random, params, s->head_b, s->dim, s->in);
}

/* A random permutation (Fisher and Yates). */
static void fill_order(const od_rng *s, float *order, int64_t d)
{
    for (int64_t i = 0; i < d; i++) order[i] = (float)i;
    for (int64_t i = d - 1; i > 0; i--) {
        uint32_t w[4];
        od_rng_block(s, (uint64_t)i, w);
        int64_t other = (int64_t)(((uint64_t)w[0] * (uint64_t)(i + 1)) >> 32);
        float t = order[i];
        order[i] = order[other];
        order[other] = t;
    }
}

/* The head of a coupling starts at zero, and so does the linear layer, whose diagonal holds logarithms. */
static void init_flow(const od_layout *l, uint64_t seed, uint32_t member, float *params, float *stats)
{
    const od_step *s = &l->step;
    memset(params, 0, l->params * sizeof(float));
    memset(stats, 0, l->stats * sizeof(float));
    for (uint32_t i = 0; i < (uint32_t)l->shape.steps; i++, params += s->params, stats += s->stats) {
        od_rng random = od_rng_make(seed, member, OD_RNG_INIT, 1 + 2 * i);
        od_rng orders = od_rng_make(seed, member, OD_RNG_INIT, 2 + 2 * i);
        fill_order(&orders, stats + s->order, l->shape.d);
        if (s->kept) init_hidden(&s->net, &random, params, stats);
    }
}

void od_layout_init(const od_layout *layout, uint64_t seed, uint32_t member, float *params, float *stats)
{
    if (layout->shape.kind == OD_NET_FLOW) {
        init_flow(layout, seed, member, params, stats);
        return;
    }
    od_rng random = od_rng_make(seed, member, OD_RNG_INIT, 0);
    init_mlp(&layout->enc, &random, params, stats);
    init_mlp(&layout->dec, &random, params, stats);
}
