#include "net/layout.h"

#include <math.h>

static size_t take(size_t *total, int64_t a, int64_t b)
{
    size_t at = *total;
    *total += (size_t)a * (size_t)b;
    return at;
}

static void make_stack(od_layout *l, od_stack *s, int64_t in, bool reversed, int64_t dim, bool variance)
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

void od_layout_make(od_layout *layout, const od_shape *shape)
{
    *layout = (od_layout){.shape = *shape};
    make_stack(layout, &layout->enc, shape->d, false, shape->latent, true);
    make_stack(layout, &layout->dec, shape->latent, true, shape->d, od_lik_has_variance(shape->lik));
}

int64_t od_stack_widest(const od_stack *s)
{
    int64_t w = 1;
    for (int i = 0; i < s->layers; i++) w = s->layer[i].out > w ? s->layer[i].out : w;
    return w;
}

/* The i-th parameter takes the i-th word of the stream, whatever the order of the calls. */
static void fill_uniform(const od_stream *s, float *params, size_t start, int64_t count, int64_t fan_in)
{
    float bound = 1.0f / sqrtf((float)fan_in);
    uint32_t w[4];
    for (size_t i = start; i < start + (size_t)count; i++) {
        if (i == start || i % 4 == 0) od_stream_block(s, i / 4, w);
        params[i] = (od_unit(w[i % 4]) * 2.0f - 1.0f) * bound;
    }
}

static void init_stack(const od_stack *s, const od_stream *random, float *params, float *stats)
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
    fill_uniform(random, params, s->head_w, s->outputs * s->in, s->in);
    if (s->outputs > s->dim) fill_uniform(random, params, s->head_b, s->dim, s->in);
}

void od_layout_init(const od_layout *layout, uint64_t seed, uint32_t member, float *params, float *stats)
{
    od_stream random = od_stream_make(seed, member, OD_RNG_INIT, 0);
    init_stack(&layout->enc, &random, params, stats);
    init_stack(&layout->dec, &random, params, stats);
}
