/* The decoder on a batch: sampling, evaluation and training. */
#include "net/decode.h"

#include <math.h>
#include <string.h>

#include "net/active_samples.h"

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t od_decoder_noise_at(const od_decoder *d, int64_t lanes, int64_t row, int64_t s, int64_t j)
{
    int64_t first = row / d->chunk_rows * d->chunk_rows, rows = min64(d->chunk_rows, lanes - first);
    return first * d->samples * d->shape.latent + (j * d->samples + s) * rows + row - first;
}

/* ---- sampling and weighing ---- */

void od_decoder_sample(const od_decoder *d, const od_batch *b, int64_t first, int64_t rows, float *z,
                       float *logw)
{
    int64_t latent = d->shape.latent;
    const float *eps = b->shared ? b->eps : b->eps + first * d->samples * latent;
    d->kern->sample(&(od_sample_args){z, logw, b->mu + first, b->scale + first, b->lanes, eps, b->shared,
                                      d->samples, rows, latent});
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
    float *bad = sum; /* 0, or NaN if a log w of the row is not finite */
    for (int64_t i = 0; i < rows; i++) bad[i] = 0.0f;
    for (int64_t s = 0; s < d->samples; s++)
        for (int64_t i = 0; i < rows; i++) bad[i] += logw[s * rows + i] * 0.0f;
    for (int64_t i = 0; i < rows; i++) loss[i] = bad[i];
    d->kern->softmax(logw, d->samples, rows, weight, max, sum);
    for (int64_t i = 0; i < rows; i++) loss[i] += (float)(offset - ((double)max[i] + log((double)sum[i])));
}

/* ---- passes over the chunks ---- */

/* The chunk that a step works on. */
typedef struct chunk_view {
    od_chunk *c;
    od_decoder_scratch *scratch;
    int64_t first, rows, n; /* first row; rows with padding; lanes */
    int64_t count;          /* lanes that are not padding */
    const float *on;        /* (n), or NULL if no lane is padding */
    float *dparams;         /* of the shard */
} chunk_view;

typedef struct pass {
    od_decoder *d;
    od_batch *b;
    const float *params; /* of the decoder */
    int layer;
    void (*step)(const struct pass *p, const chunk_view *v);
} pass;

static void shard_step(void *ctx, int worker, int64_t grad_shard)
{
    const pass *p = ctx;
    od_decoder *d = p->d;
    const od_batch *b = p->b;
    int64_t chunks = od_chunk_count(b->lanes, d->chunk_rows);
    for (int64_t c = grad_shard * chunks / d->grad_shards; c < (grad_shard + 1) * chunks / d->grad_shards;
         c++) {
        chunk_view v = {.c = &d->chunk[d->keep_chunks ? c : worker], .scratch = &d->scratch[worker]};
        v.first = c * d->chunk_rows;
        v.rows = min64(d->chunk_rows, b->lanes - v.first);
        v.n = v.rows * d->samples;
        v.count = min64(v.rows, b->rows - v.first) * d->samples;
        v.on = v.count < v.n ? d->on : NULL;
        v.dparams = d->grad_shard ? d->grad_shard + (size_t)grad_shard * d->params : NULL;
        p->step(p, &v);
    }
}

static void run(pass *p, int layer, void (*step)(const pass *p, const chunk_view *v))
{
    p->layer = layer;
    p->step = step;
    od_forkjoin_run(p->d->team, (int)p->d->grad_shards, shard_step, p);
}

/* z and the first part of log w of a chunk. */
static void sample(const pass *p, const chunk_view *v)
{
    od_decoder_sample(p->d, p->b, v->first, v->rows, v->c->z, v->c->logw);
}

/* The decoder on n lanes with the parameters and gradients of training. */
static od_mlp_pass train_pass(const pass *p, const chunk_view *v, int64_t n)
{
    return (od_mlp_pass){p->d->kern, &p->d->train, p->params, v->dparams, n};
}

/* From log w to the losses and, unless weight is NULL, to the weights. */
static void weigh(const pass *p, const chunk_view *v, float *weight)
{
    od_decoder_weigh(p->d, v->c->logw, v->rows, weight, v->scratch->max, v->scratch->sum,
                     p->b->loss + v->first);
}

/* ---- evaluation ---- */

/* Lanes that are evaluated together. */
typedef struct eval_lanes {
    const float *z; /* (latent, n), with ldz between two features */
    int64_t ldz, n;
    float *logw;    /* (n) */
    const float *x; /* (d, rows), with ldx between two features */
    int64_t ldx, rows;
} eval_lanes;

/* All layers, then the head in blocks of features. */
static void eval_block(const od_decoder *d, const float *params, od_decoder_scratch *scratch,
                       const eval_lanes *e)
{
    const od_mlp *s = &d->eval;
    const od_kern *k = d->kern;
    const od_mlp_pass m = {k, s, params, NULL, e->n};
    const float *in = e->z;
    int64_t ld = e->ldz, n = e->n;
    for (int i = 0; i < s->layers; i++) {
        od_layer_fwd(&m, i, in, ld, scratch->act[i % 2]);
        in = scratch->act[i % 2];
        ld = n;
    }
    const float *w = params + s->head_w, *bias = params + s->head_b;
    for (int64_t f = 0; f < s->dim; f += d->head_block) {
        int64_t count = min64(d->head_block, s->dim - f);
        float *mean = scratch->head, *lv = mean + count * n;
        bool whole = count == s->dim; /* one product for means and log-variances */
        k->mul(&(od_mul_args){whole ? s->outputs : count, n, s->in, w + f * s->in, s->in, 1, in, n, NULL,
                              false, mean, n});
        if (!whole && s->outputs > s->dim)
            k->mul(&(od_mul_args){count, n, s->in, w + (s->dim + f) * s->in, s->in, 1, in, n, NULL, false, lv,
                                  n});
        k->lik(&(od_lik_args){d->shape.lik, e->logw, mean, lv, bias + f, e->x + f * e->ldx, e->ldx,
                              n / e->rows, e->rows, count, false});
    }
}

static void eval_chunk(const pass *p, const chunk_view *v)
{
    sample(p, v);
    int64_t block = p->d->eval_lanes / p->d->chunk_rows * v->rows;
    for (int64_t at = 0; at < v->n; at += block)
        eval_block(p->d, p->params, v->scratch,
                   &(eval_lanes){v->c->z + at, v->n, min64(block, v->n - at), v->c->logw + at,
                                 p->b->x + v->first, p->b->lanes, v->rows});
    weigh(p, v, NULL);
}

/* Repeats element i of each of the features of x (features, lanes) over n lanes of y. */
static void spread(float *y, const float *x, int64_t features, int64_t lanes, int64_t i, int64_t n)
{
    for (int64_t j = 0; j < features; j++)
        for (int64_t l = 0; l < n; l++) y[j * n + l] = x[j * lanes + i];
}

/*
 * Row i of a batch by itself, with its samples across the lanes. Every lane does the same operations as in a
 * chunk, so the bits are the same.
 */
static void eval_row(od_decoder *d, const float *params, const od_batch *b, int64_t i)
{
    int64_t latent = d->shape.latent, n = od_lanes(d->samples), most = min64(n, d->eval_lanes);
    od_decoder_scratch *scratch = &d->scratch[0];
    float *mu = scratch->row, *scale = mu + latent * n, *eps = scale + latent * n, *x = eps + latent * n;
    float *z = d->chunk[0].z, *logw = d->chunk[0].logw, *weights = x + d->shape.d * most;
    spread(mu, b->mu, latent, b->lanes, i, n);
    spread(scale, b->scale, latent, b->lanes, i, n);
    for (int64_t j = 0; j < latent; j++)
        for (int64_t s = 0; s < n; s++) eps[j * n + s] = s < d->samples ? b->eps[s * latent + j] : 0.0f;
    d->kern->sample(&(od_sample_args){z, logw, mu, scale, n, eps, false, 1, n, latent});
    for (int64_t s = 0; s < n; s++) logw[s] = 0.5f * (logw[s] + b->lv[i]);
    for (int64_t at = 0; at < n; at += most) {
        int64_t lanes = min64(most, n - at);
        if (at == 0 || lanes < most) spread(x, b->x, d->shape.d, b->lanes, i, lanes);
        eval_block(d, params, scratch, &(eval_lanes){z + at, n, lanes, logw + at, x, lanes, lanes});
    }
    /* The weights are summed per lane, so each of these has all samples. */
    float loss[OD_LANES];
    for (int64_t s = 0; s < d->samples; s++)
        for (int64_t l = 0; l < OD_LANES; l++) weights[s * OD_LANES + l] = logw[s];
    od_decoder_weigh(d, weights, OD_LANES, NULL, scratch->max, scratch->sum, loss);
    b->loss[i] = loss[0];
}

void od_decoder_eval(od_decoder *d, const float *params, od_batch *b)
{
    pass p = {.d = d, .b = b, .params = params + d->eval_base};
    /* Lanes without a row cost as much as others: a few rows take fewer lanes one by one. */
    if (b->shared && b->rows * od_lanes(d->samples) < b->lanes * d->samples)
        for (int64_t i = 0; i < b->rows; i++) eval_row(d, p.params, b, i);
    else
        run(&p, 0, eval_chunk);
}

/* ---- training ---- */

/* The first row of the chunk that is a known outlier; all later rows are known outliers or padding. */
static int64_t first_known(const pass *p, const chunk_view *v)
{
    if (p->b->known.rows == 0) return v->rows;
    int64_t first = p->b->rows - p->b->known.rows - v->first;
    return first < 0 ? 0 : min64(first, v->rows);
}

/*
 * From log w to the losses, to the weights, which replace log w, and to the factors row_gain from weights
 * to g. The loss of a known outlier is log(mean of w^u) / u. It follows from the usual loss of u log w:
 * change the sign, divide by u, and count the constant of the likelihood once instead of u times.
 */
static void weigh_batch(const pass *p, const chunk_view *v)
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
        v->scratch->row_gain[i] = i < known ? -1.0f / (float)others : b->known.weight / (float)b->known.rows;
    }
}

/*
 * The head, forward and backward. log w becomes g, with 0 for samples of negligible weight. The other
 * samples, the active ones, are gathered into active_act; grad becomes the gradient of that.
 */
static void head_step(const pass *p, const chunk_view *v, const float *act, float *active_act, float *grad)
{
    const od_decoder *d = p->d;
    const od_mlp *s = &d->train;
    const od_kern *k = d->kern;
    od_chunk *c = v->c;
    float *head = v->scratch->head;
    od_mlp_pass m = train_pass(p, v, v->n);
    od_head_fwd(&m, act, head);
    k->lik(&(od_lik_args){d->shape.lik, c->logw, head, head + s->dim * v->n, p->params + s->head_b,
                          p->b->x + v->first, p->b->lanes, d->samples, v->rows, s->dim, true});
    weigh_batch(p, v);
    for (int64_t l = 0; v->on && l < v->n; l++) c->logw[l] *= v->on[l];
    od_active_samples_pick(&c->active, c->logw, c->logw, OD_INACTIVE_WEIGHT / (float)d->samples,
                           v->scratch->row_gain, v->rows, v->n);
    m.n = od_lanes(c->active.count);
    k->compress(v->scratch->gain, c->logw, NULL, &c->active, 1);
    k->compress(head, head, v->scratch->gain, &c->active, s->outputs);
    k->compress(active_act, act, NULL, &c->active, s->in);
    od_head_bwd(&m, head, active_act, grad, v->scratch->sums);
}

/* From dz, over all lanes of the chunk, to the gradients of mu and of the log-variances. */
static void sample_bwd(const pass *p, const chunk_view *v, const float *dz)
{
    const od_decoder *d = p->d;
    const od_batch *b = p->b;
    int64_t latent = d->shape.latent;
    d->kern->sample_bwd(&(od_sample_bwd_args){b->dmu + v->first, b->dlv + v->first, b->scale + v->first,
                                              b->lanes, dz, v->c->z, b->eps + v->first * d->samples * latent,
                                              v->c->logw, d->samples, v->rows, latent});
}

/* Without batch normalization rows are independent: a chunk runs forward through all layers and, with its
 * active samples only, backward through all of them. */
static void plain_chunk(const pass *p, const chunk_view *v)
{
    const od_decoder *d = p->d;
    const od_mlp *s = &d->train;
    const od_kern *k = d->kern;
    od_chunk *c = v->c;
    od_mlp_pass m = train_pass(p, v, v->n);
    sample(p, v);
    for (int i = 0; i < s->layers; i++) od_layer_fwd(&m, i, i ? c->act[i - 1] : c->z, v->n, c->act[i]);
    float *top = c->act[s->layers - 1], *grad = c->grad, *spare = c->spare;
    head_step(p, v, top, top, grad);
    m.n = od_lanes(c->active.count);
    for (int i = s->layers - 1; i >= 0; i--) {
        const od_layer *l = &s->layer[i];
        float *in = i ? c->act[i - 1] : spare;
        k->compress(in, i ? in : c->z, NULL, &c->active, l->in);
        k->leaky_bwd(grad, c->act[i], l->out, m.n, c->sums, NULL);
        od_bias_bwd(v->dparams + l->b, c->sums, l->out);
        float *din = i ? spare : c->act[0]; /* no longer needed */
        od_layer_bwd(&m, i, grad, in, din);
        spare = grad;
        grad = din;
    }
    k->expand(spare, grad, &c->active, d->shape.latent);
    sample_bwd(p, v, spare);
}

/* Batch normalization, forward: one pass per layer, because its statistics are those of the whole batch. The
 * pass of a layer first normalizes the output of the layer below. */
static void normalize(const pass *p, const chunk_view *v, int i)
{
    const od_decoder *d = p->d;
    d->kern->norm_leaky(v->c->act[i], d->norm.rstd[i], d->norm.shift[i], d->train.layer[i].out, v->n);
}

static void layer_chunk(const pass *p, const chunk_view *v)
{
    const od_decoder *d = p->d;
    od_chunk *c = v->c;
    int i = p->layer;
    if (i == 0)
        sample(p, v);
    else
        normalize(p, v, i - 1);
    od_mlp_pass m = train_pass(p, v, v->n);
    od_layer_fwd(&m, i, i ? c->act[i - 1] : c->z, v->n, c->act[i]);
    c->moments.count = v->count;
    d->kern->moments(c->moments.mean, c->moments.dev, c->act[i], v->on, d->train.layer[i].out, v->n,
                     v->count);
}

static void top_chunk(const pass *p, const chunk_view *v)
{
    const od_decoder *d = p->d;
    od_chunk *c = v->c;
    int i = d->train.layers - 1;
    int64_t out = d->train.layer[i].out;
    normalize(p, v, i);
    head_step(p, v, c->act[i], c->spare, c->grad);
    /* Inactive lanes contribute nothing to the sums. */
    d->kern->leaky_bwd(c->grad, c->spare, out, od_lanes(c->active.count), c->sums, c->sums + out);
}

/* Backward through the product of a layer, and through the activation of the layer below. */
static void back_chunk(const pass *p, const chunk_view *v)
{
    const od_decoder *d = p->d;
    const od_mlp *s = &d->train;
    const od_kern *k = d->kern;
    od_chunk *c = v->c;
    int i = p->layer;
    const od_layer *l = &s->layer[i];
    float *grad = c->grad, *din = c->spare;
    if (i == s->layers - 1) {
        k->expand(c->spare, c->grad, &c->active, l->out);
        grad = c->spare;
        din = c->grad;
    }
    k->norm_bwd(grad, c->act[i], &(od_norm_bwd_terms){d->norm.m1, d->norm.m2, d->norm.rstd[i]}, v->on, l->out,
                v->n);
    od_mlp_pass m = train_pass(p, v, v->n);
    od_layer_bwd(&m, i, grad, i ? c->act[i - 1] : c->z, din);
    if (i == 0) {
        sample_bwd(p, v, din);
        return;
    }
    int64_t below = s->layer[i - 1].out;
    k->leaky_bwd(din, c->act[i - 1], below, v->n, c->sums, c->sums + below);
    c->grad = din;
    c->spare = grad;
}

/* Merges the moments of the chunks in ascending order. */
static void merge_moments(od_decoder *d, int64_t chunks, int64_t features)
{
    d->norm.moments.count = 0;
    for (int64_t c = 0; c < chunks; c++) od_moments_merge(&d->norm.moments, &d->chunk[c].moments, features);
}

/* Adds the chunks' sums of g and g xhat to those of the first chunk, in ascending order. */
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

/* All passes of a batch with batch normalization: forward layer by layer, the head, backward. */
static void batch_norm_passes(pass *p, float *stats)
{
    od_decoder *d = p->d;
    const od_mlp *s = &d->train;
    int64_t chunks = od_chunk_count(p->b->lanes, d->chunk_rows);
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
    if (d->keep_chunks)
        batch_norm_passes(&p, stats);
    else
        run(&p, 0, plain_chunk);
    for (int64_t t = 0; t < d->grad_shards; t++) {
        const float *part = d->grad_shard + (size_t)t * d->params;
        for (size_t j = 0; j < d->params; j++) dparams[d->base + j] += part[j];
    }
}
