#include "net/decode.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "net/active_samples.h"

#define CHUNK_LANES   384         /* as many rows a chunk as make about so many lanes */
#define BLOCK_FLOATS  (64 * 1024) /* what evaluation would like to have in cache at a time, */
#define LEAST_LANES   48          /* but enough lanes to be worth the reading of wide weights, */
#define MOST_LANES    448         /* and no more than helps */
#define MOST_STRANDS  8
#define STRAND_FLOATS (128 * 1024) /* gradients larger than this have fewer strands, for their memory */

/* ---- memory ---- */

static void rebase(od_mlp *s, size_t base)
{
    for (int i = 0; i < s->layers; i++) {
        s->layer[i].w -= base;
        if (!s->batch_norm) s->layer[i].b -= base;
    }
    s->head_w -= base;
    if (s->outputs > s->dim) s->head_b -= base;
}

static int64_t at_most(int64_t x, int64_t most)
{
    return x < most ? x : most;
}

static int64_t rows_of_chunk(int64_t lanes, int64_t samples)
{
    int64_t groups = CHUNK_LANES / (OD_LANES * samples);
    return at_most(OD_LANES * (groups > 1 ? groups : 1), lanes);
}

static int64_t chunks_of(int64_t lanes, int64_t chunk_rows)
{
    return (lanes + chunk_rows - 1) / chunk_rows;
}

static size_t count_params(const od_layout *l)
{
    return l->params - l->dec.layer[0].w; /* the decoder's are the last */
}

int64_t od_decoder_grad_shards(const od_layout *layout, int64_t rows, int64_t samples)
{
    int64_t lanes = od_lanes(rows), chunks = chunks_of(lanes, rows_of_chunk(lanes, samples));
    return at_most(count_params(layout) > STRAND_FLOATS ? MOST_STRANDS / 2 : MOST_STRANDS, chunks);
}

static void plan(od_decoder *d, int64_t rows)
{
    int64_t lanes = od_lanes(rows), width = 2 * od_mlp_widest(&d->eval) + d->shape.latent;
    d->chunk_rows = rows_of_chunk(lanes, d->samples);
    d->chunks = chunks_of(lanes, d->chunk_rows);
    int64_t n = d->chunk_rows * d->samples, most = BLOCK_FLOATS / width;
    most = most < LEAST_LANES ? LEAST_LANES : at_most(most, MOST_LANES);
    int64_t blocks = (n + most - 1) / most, each = (d->samples + blocks - 1) / blocks;
    d->eval_lanes = each * d->chunk_rows;
    d->slab = at_most(BLOCK_FLOATS / (4 * d->eval_lanes) + 1, d->shape.d);
}

/* Takes `count` floats from *at on, and OD_LANES or more, which kern->expand may read; memory NULL: only
 * counts. */
static float *take(float *memory, size_t *at, size_t count)
{
    float *p = memory ? memory + *at : NULL;
    *at += (count + 2 * OD_LANES - 1) / OD_LANES * OD_LANES;
    return p;
}

/* Lays out the arrays of a chunk in memory; returns how many floats they are. memory NULL: only that. */
static size_t place_chunk(od_chunk *c, const od_decoder *d, bool training, float *memory)
{
    size_t n = (size_t)(d->chunk_rows * d->samples), latent = (size_t)d->shape.latent, at = 0;
    size_t wide = (size_t)od_mlp_widest(&d->train);
    if (latent > wide) wide = latent;
    c->z = take(memory, &at, latent * n);
    c->logw = take(memory, &at, n);
    if (!training) return at;
    for (int i = 0; i < d->train.layers; i++) {
        size_t out = (size_t)d->train.layer[i].out;
        c->act[i] = take(memory, &at, (i == 0 && latent > out ? latent : out) * n);
    }
    c->grad = take(memory, &at, wide * n);
    c->spare = take(memory, &at, wide * n);
    return at;
}

static bool chunk_new(od_chunk *c, const od_decoder *d)
{
    size_t wide = (size_t)od_mlp_widest(&d->train);
    return (c->sums = od_alloc(2 * wide, sizeof(double))) &&
           (c->moments.mean = od_alloc(wide, sizeof(double))) &&
           (c->moments.dev = od_alloc(wide, sizeof(double))) &&
           od_active_samples_new(&c->active, d->chunk_rows * d->samples, NULL) == ODIM_OK;
}

static void chunk_free(od_chunk *c)
{
    od_free(c->sums);
    od_free(c->moments.mean);
    od_free(c->moments.dev);
    od_active_samples_free(&c->active);
}

static bool scratch_new(od_decoder_scratch *scratch, const od_decoder *d, bool training)
{
    size_t n = (size_t)(d->chunk_rows * d->samples), lanes = (size_t)d->eval_lanes;
    size_t wide = (size_t)od_mlp_widest(&d->eval), rows = (size_t)d->chunk_rows;
    size_t head = (size_t)(2 * d->slab) * lanes, whole = (size_t)d->train.outputs * n;
    if (training && whole > head) head = whole;
    return (scratch->head = od_alloc(head, sizeof(float))) &&
           (scratch->act[0] = od_alloc(wide * lanes, sizeof(float))) &&
           (scratch->act[1] = od_alloc(wide * lanes, sizeof(float))) &&
           (!training || ((scratch->gain = od_alloc(n, sizeof(float))) &&
                          (scratch->pull = od_alloc(rows, sizeof(float))))) &&
           (scratch->max = od_alloc(rows, sizeof(float))) && (scratch->sum = od_alloc(rows, sizeof(float))) &&
           (scratch->sums = od_alloc((size_t)d->shape.d, sizeof(double)));
}

static void scratch_free(od_decoder_scratch *scratch)
{
    od_free(scratch->head);
    od_free(scratch->act[0]);
    od_free(scratch->act[1]);
    od_free(scratch->gain);
    od_free(scratch->pull);
    od_free(scratch->max);
    od_free(scratch->sum);
    od_free(scratch->sums);
}

odim_status od_decoder_new(od_decoder *d, const od_kern *kern, const od_layout *layout,
                           const od_layout *plain, int64_t rows, int64_t samples, bool training,
                           od_forkjoin *team, odim_error *err)
{
    *d = (od_decoder){.kern = kern, .team = team, .shape = layout->shape, .samples = samples};
    d->train = layout->dec;
    d->eval = plain->dec;
    d->base = layout->dec.layer[0].w;
    d->eval_base = plain->dec.layer[0].w;
    d->params = count_params(layout);
    d->grad_shards = od_decoder_grad_shards(layout, rows, samples);
    rebase(&d->train, d->base);
    rebase(&d->eval, d->eval_base);
    plan(d, rows);
    d->keep = training && layout->shape.batch_norm;
    d->held = d->keep ? d->chunks : od_forkjoin_size(team);
    od_chunk first;
    size_t each = place_chunk(&first, d, training, NULL);
    bool ok = (d->memory = od_alloc((size_t)d->held, each * sizeof(float))) &&
              (d->chunk = od_calloc((size_t)d->held, sizeof *d->chunk)) &&
              (d->scratch = od_calloc((size_t)od_forkjoin_size(team), sizeof *d->scratch));
    for (int64_t i = 0; ok && i < d->held; i++) {
        place_chunk(&d->chunk[i], d, training, d->memory + (size_t)i * each);
        ok = !training || chunk_new(&d->chunk[i], d);
    }
    for (int i = 0; ok && i < od_forkjoin_size(team); i++) ok = scratch_new(&d->scratch[i], d, training);
    if (ok && training)
        ok = (d->grad_shard = od_alloc((size_t)d->grad_shards * d->params, sizeof(float))) &&
             (d->on = od_alloc((size_t)(d->chunk_rows * samples), sizeof(float)));
    odim_status status = ok ? ODIM_OK : od_fail_nomem(err);
    if (!status && d->keep) status = od_norm_new(&d->norm, &d->train, err);
    if (status) od_decoder_free(d);
    return status;
}

void od_decoder_free(od_decoder *d)
{
    for (int64_t i = 0; d->chunk && i < d->held; i++) chunk_free(&d->chunk[i]);
    for (int i = 0; d->scratch && i < od_forkjoin_size(d->team); i++) scratch_free(&d->scratch[i]);
    od_free(d->memory);
    od_free(d->chunk);
    od_free(d->scratch);
    od_free(d->grad_shard);
    od_free(d->on);
    od_norm_free(&d->norm);
    *d = (od_decoder){0};
}

int64_t od_decoder_noise_at(const od_decoder *d, int64_t lanes, int64_t row, int64_t s, int64_t j)
{
    int64_t first = row / d->chunk_rows * d->chunk_rows, rows = at_most(d->chunk_rows, lanes - first);
    return first * d->samples * d->shape.latent + (j * d->samples + s) * rows + row - first;
}

/* ---- before and after the network ---- */

void od_decoder_sample(const od_decoder *d, const od_batch *b, int64_t first, int64_t rows, float *z,
                       float *logw)
{
    int64_t latent = d->shape.latent;
    const float *eps = b->shared ? b->eps : b->eps + first * d->samples * latent;
    d->kern->sample(z, logw, b->mu + first, b->scale + first, b->lanes, eps, b->shared, d->samples, rows,
                    latent);
    for (int64_t s = 0; s < d->samples; s++)
        for (int64_t i = 0; i < rows; i++) {
            float *w = &logw[s * rows + i];
            *w = 0.5f * (*w + b->lv[first + i]);
        }
}

void od_decoder_weigh(const od_decoder *d, const float *logw, int64_t rows, float *weight, float *max,
                      float *sum, float *loss)
{
    double offset = log((double)d->samples) - (double)d->shape.d * od_lik_constant(d->shape.lik);
    float *bad = sum; /* 0, or NaN where a log w of the row is not finite */
    for (int64_t i = 0; i < rows; i++) bad[i] = 0.0f;
    for (int64_t s = 0; s < d->samples; s++)
        for (int64_t i = 0; i < rows; i++) bad[i] += logw[s * rows + i] * 0.0f;
    for (int64_t i = 0; i < rows; i++) loss[i] = bad[i];
    d->kern->softmax(logw, d->samples, rows, weight, max, sum);
    for (int64_t i = 0; i < rows; i++) loss[i] += (float)(offset - ((double)max[i] + log((double)sum[i])));
}

/* ---- passes over the chunks ---- */

/* A chunk in hand. */
typedef struct transform {
    od_chunk *c;
    od_decoder_scratch *scratch;
    int64_t first, rows, n; /* first row; rows with padding; lanes */
    int64_t count;          /* lanes that are not padding */
    const float *on;        /* (n), or NULL when none is padding */
    float *dparams;         /* of the strand */
} transform;

typedef struct pass {
    od_decoder *d;
    od_batch *b;
    const float *params; /* of the decoder */
    int layer;
    void (*step)(const struct pass *p, const transform *v);
} pass;

static void shard_step(void *ctx, int worker, int64_t grad_shard)
{
    const pass *p = ctx;
    od_decoder *d = p->d;
    const od_batch *b = p->b;
    int64_t chunks = chunks_of(b->lanes, d->chunk_rows);
    for (int64_t c = grad_shard * chunks / d->grad_shards; c < (grad_shard + 1) * chunks / d->grad_shards;
         c++) {
        transform v = {.c = &d->chunk[d->keep ? c : worker], .scratch = &d->scratch[worker]};
        v.first = c * d->chunk_rows;
        v.rows = at_most(d->chunk_rows, b->lanes - v.first);
        v.n = v.rows * d->samples;
        v.count = at_most(v.rows, b->rows - v.first) * d->samples;
        v.on = v.count < v.n ? d->on : NULL;
        v.dparams = d->grad_shard ? d->grad_shard + (size_t)grad_shard * d->params : NULL;
        p->step(p, &v);
    }
}

static void run(pass *p, int layer, void (*step)(const pass *p, const transform *v))
{
    p->layer = layer;
    p->step = step;
    od_forkjoin_run(p->d->team, (int)p->d->grad_shards, shard_step, p);
}

/* z and the start of log w, for a chunk. */
static void sample(const pass *p, const transform *v)
{
    od_decoder_sample(p->d, p->b, v->first, v->rows, v->c->z, v->c->logw);
}

/* From log w to the losses and, unless weight is NULL, to the weights. */
static void weigh(const pass *p, const transform *v, float *weight)
{
    od_decoder_weigh(p->d, v->c->logw, v->rows, weight, v->scratch->max, v->scratch->sum,
                     p->b->loss + v->first);
}

/* ---- evaluation ---- */

/* Lanes at..at+n-1 of the chunk: all layers, then the head a slab of features at a time. */
static void eval_block(const pass *p, const transform *v, int64_t at, int64_t n)
{
    const od_decoder *d = p->d;
    const od_mlp *s = &d->eval;
    const od_kern *k = d->kern;
    const float *in = v->c->z + at;
    int64_t ld = v->n;
    for (int i = 0; i < s->layers; i++) {
        od_layer_fwd(k, s, i, p->params, in, ld, n, v->scratch->act[i % 2]);
        in = v->scratch->act[i % 2];
        ld = n;
    }
    const float *w = p->params + s->head_w, *bias = p->params + s->head_b;
    for (int64_t f = 0; f < s->dim; f += d->slab) {
        int64_t count = at_most(d->slab, s->dim - f);
        float *mean = v->scratch->head, *lv = mean + count * n;
        bool whole = count == s->dim; /* one multiply for means and log-variances */
        k->mul(whole ? s->outputs : count, n, s->in, w + f * s->in, s->in, 1, in, n, NULL, false, mean, n);
        if (!whole && s->outputs > s->dim)
            k->mul(count, n, s->in, w + (s->dim + f) * s->in, s->in, 1, in, n, NULL, false, lv, n);
        k->lik(d->shape.lik, v->c->logw + at, mean, lv, bias + f, p->b->x + f * p->b->lanes + v->first,
               p->b->lanes, n / v->rows, v->rows, count, false);
    }
}

static void eval_chunk(const pass *p, const transform *v)
{
    sample(p, v);
    int64_t block = p->d->eval_lanes / p->d->chunk_rows * v->rows;
    for (int64_t at = 0; at < v->n; at += block) eval_block(p, v, at, at_most(block, v->n - at));
    weigh(p, v, NULL);
}

void od_decoder_eval(od_decoder *d, const float *params, od_batch *b)
{
    pass p = {.d = d, .b = b, .params = params + d->eval_base};
    run(&p, 0, eval_chunk);
}

/* ---- training ---- */

/* The first of the chunk's rows that is a known outlier; all behind it are, or are padding. */
static int64_t first_known(const pass *p, const transform *v)
{
    if (p->b->known.rows == 0) return v->rows;
    int64_t first = p->b->rows - p->b->known.rows - v->first;
    return first < 0 ? 0 : at_most(first, v->rows);
}

/*
 * From log w to losses, to weights in its place, and to what they are multiplied by to become g. Known
 * outliers are weighed by w^u: their loss, log(mean of w^u) / u, is what the others' would be of u log w, up
 * to the sign, the u and the constants of the likelihood, which that has once and not u times.
 */
static void weigh_batch(const pass *p, const transform *v)
{
    const od_decoder *d = p->d;
    const od_batch *b = p->b;
    int64_t known = first_known(p, v), others = b->rows - b->known.rows;
    for (int64_t s = 0; s < d->samples; s++)
        for (int64_t i = known; i < v->rows; i++) v->c->logw[s * v->rows + i] *= (float)OD_KNOWN_POWER;
    weigh(p, v, v->c->logw);
    const double part = 1.0 / OD_KNOWN_POWER;
    double constant = (1.0 - part) * (double)d->shape.d * od_lik_constant(d->shape.lik);
    for (int64_t i = 0; i < v->rows; i++) {
        float *loss = &b->loss[v->first + i];
        if (i >= known) *loss = (float)(constant - part * (double)*loss);
        v->scratch->pull[i] = i < known ? -1.0f / (float)others : b->known.weight / (float)b->known.rows;
    }
}

/*
 * The head, forward and back. log w becomes g, 0 where the weight is next to nothing; the other samples are
 * gathered, and their gradient of act (in, lanes of the live) is left in grad.
 */
static void head_step(const pass *p, const transform *v, const float *act, float *live_act, float *grad)
{
    const od_decoder *d = p->d;
    const od_mlp *s = &d->train;
    const od_kern *k = d->kern;
    od_chunk *c = v->c;
    float *head = v->scratch->head;
    od_head_fwd(k, s, p->params, act, v->n, head);
    k->lik(d->shape.lik, c->logw, head, head + s->dim * v->n, p->params + s->head_b, p->b->x + v->first,
           p->b->lanes, d->samples, v->rows, s->dim, true);
    weigh_batch(p, v);
    for (int64_t l = 0; v->on && l < v->n; l++) c->logw[l] *= v->on[l];
    od_active_samples_pick(&c->active, c->logw, c->logw, OD_LIGHT_TOTAL / (float)d->samples, v->scratch->pull,
                           v->rows, v->n);
    int64_t n = od_lanes(c->active.count);
    k->compress(v->scratch->gain, c->logw, NULL, &c->active, 1);
    k->compress(head, head, v->scratch->gain, &c->active, s->outputs);
    k->compress(live_act, act, NULL, &c->active, s->in);
    od_head_bwd(k, s, p->params, v->dparams, head, live_act, n, grad, v->scratch->sums);
}

/* From dz, all lanes of the chunk, to the gradients of mu and of the log-variances. */
static void sample_bwd(const pass *p, const transform *v, const float *dz)
{
    const od_decoder *d = p->d;
    const od_batch *b = p->b;
    int64_t latent = d->shape.latent;
    d->kern->sample_bwd(b->dmu + v->first, b->dlv + v->first, b->scale + v->first, b->lanes, dz, v->c->z,
                        b->eps + v->first * d->samples * latent, v->c->logw, d->samples, v->rows, latent);
}

/* Without batch normalisation rows are independent: a chunk goes all the way forward and, its live samples
 * only, all the way back. */
static void plain_chunk(const pass *p, const transform *v)
{
    const od_decoder *d = p->d;
    const od_mlp *s = &d->train;
    const od_kern *k = d->kern;
    od_chunk *c = v->c;
    sample(p, v);
    for (int i = 0; i < s->layers; i++)
        od_layer_fwd(k, s, i, p->params, i ? c->act[i - 1] : c->z, v->n, v->n, c->act[i]);
    float *top = c->act[s->layers - 1], *grad = c->grad, *spare = c->spare;
    head_step(p, v, top, top, grad);
    int64_t n = od_lanes(c->active.count);
    for (int i = s->layers - 1; i >= 0; i--) {
        const od_layer *l = &s->layer[i];
        float *in = i ? c->act[i - 1] : spare;
        k->compress(in, i ? in : c->z, NULL, &c->active, l->in);
        k->leaky_bwd(grad, c->act[i], l->out, n, c->sums, NULL);
        od_bias_bwd(v->dparams + l->b, c->sums, l->out);
        float *down = i ? spare : c->act[0]; /* whose work is done */
        od_layer_bwd(k, s, i, p->params, v->dparams, grad, in, n, down);
        spare = grad;
        grad = down;
    }
    k->expand(spare, grad, &c->active, d->shape.latent);
    sample_bwd(p, v, spare);
}

/* Batch normalisation, forward: one pass a layer, for its statistics are those of the whole batch. The pass
 * of a layer first finishes the one below. */
static void normalise(const pass *p, const transform *v, int i)
{
    const od_decoder *d = p->d;
    d->kern->norm_leaky(v->c->act[i], d->norm.rstd[i], d->norm.shift[i], d->train.layer[i].out, v->n);
}

static void layer_chunk(const pass *p, const transform *v)
{
    const od_decoder *d = p->d;
    od_chunk *c = v->c;
    int i = p->layer;
    if (i == 0)
        sample(p, v);
    else
        normalise(p, v, i - 1);
    od_layer_fwd(d->kern, &d->train, i, p->params, i ? c->act[i - 1] : c->z, v->n, v->n, c->act[i]);
    c->moments.count = v->count;
    d->kern->moments(c->moments.mean, c->moments.dev, c->act[i], v->on, d->train.layer[i].out, v->n,
                     v->count);
}

static void top_chunk(const pass *p, const transform *v)
{
    const od_decoder *d = p->d;
    od_chunk *c = v->c;
    int i = d->train.layers - 1;
    int64_t out = d->train.layer[i].out;
    normalise(p, v, i);
    head_step(p, v, c->act[i], c->spare, c->grad);
    /* The lanes that are not live have no part in the sums. */
    d->kern->leaky_bwd(c->grad, c->spare, out, od_lanes(c->active.count), c->sums, c->sums + out);
}

/* Backward through the multiply of a layer, and through the activation of the one below. */
static void back_chunk(const pass *p, const transform *v)
{
    const od_decoder *d = p->d;
    const od_mlp *s = &d->train;
    const od_kern *k = d->kern;
    od_chunk *c = v->c;
    int i = p->layer;
    const od_layer *l = &s->layer[i];
    float *grad = c->grad, *down = c->spare;
    if (i == s->layers - 1) {
        k->expand(c->spare, c->grad, &c->active, l->out);
        grad = c->spare;
        down = c->grad;
    }
    k->norm_bwd(grad, c->act[i], d->norm.m1, d->norm.m2, d->norm.rstd[i], v->on, l->out, v->n);
    od_layer_bwd(k, s, i, p->params, v->dparams, grad, i ? c->act[i - 1] : c->z, v->n, down);
    if (i == 0) {
        sample_bwd(p, v, down);
        return;
    }
    int64_t below = s->layer[i - 1].out;
    k->leaky_bwd(down, c->act[i - 1], below, v->n, c->sums, c->sums + below);
    c->grad = down;
    c->spare = grad;
}

/* The chunks' moments, in their order. */
static void merge_moments(od_decoder *d, int64_t chunks, int64_t features)
{
    d->norm.moments.count = 0;
    for (int64_t c = 0; c < chunks; c++) od_moments_merge(&d->norm.moments, &d->chunk[c].moments, features);
}

/* The chunks' sums of g and g xhat, in their order, into those of the first. */
static void merge_sums(od_decoder *d, int64_t chunks, int64_t features)
{
    double *sums = d->chunk[0].sums;
    for (int64_t c = 1; c < chunks; c++)
        for (int64_t j = 0; j < 2 * features; j++) sums[j] += d->chunk[c].sums[j];
}

static void mark_padding(od_decoder *d, const od_batch *b)
{
    int64_t first = (b->lanes - 1) / d->chunk_rows * d->chunk_rows, rows = b->lanes - first;
    for (int64_t l = 0; l < rows * d->samples; l++) d->on[l] = first + l % rows < b->rows ? 1.0f : 0.0f;
}

/* All passes of a batch with batch normalisation: up layer by layer, over the top, and down again. */
static void normalised_passes(pass *p, float *stats)
{
    od_decoder *d = p->d;
    const od_mlp *s = &d->train;
    int64_t chunks = chunks_of(p->b->lanes, d->chunk_rows);
    for (int i = 0; i < s->layers; i++) {
        run(p, i, layer_chunk);
        merge_moments(d, chunks, s->layer[i].out);
        od_norm_fwd(&d->norm, &s->layer[i], i, stats);
    }
    run(p, 0, top_chunk);
    for (int i = s->layers - 1; i >= 0; i--) {
        int64_t out = s->layer[i].out;
        merge_sums(d, chunks, out);
        od_norm_bwd(&d->norm, d->chunk[0].sums, d->chunk[0].sums + out, p->b->rows * d->samples, out);
        run(p, i, back_chunk);
    }
}

void od_decoder_train(od_decoder *d, const float *params, float *stats, float *dparams, od_batch *b)
{
    pass p = {.d = d, .b = b, .params = params + d->base};
    memset(d->grad_shard, 0, (size_t)d->grad_shards * d->params * sizeof(float));
    mark_padding(d, b);
    if (d->keep)
        normalised_passes(&p, stats);
    else
        run(&p, 0, plain_chunk);
    for (int64_t t = 0; t < d->grad_shards; t++) {
        const float *part = d->grad_shard + (size_t)t * d->params;
        for (size_t j = 0; j < d->params; j++) dparams[d->base + j] += part[j];
    }
}
