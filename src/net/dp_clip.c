/*
 * Clipped gradients of single rows (Abadi et al., 2016) without one backward pass per row.
 *
 * Rows are independent, since there is no batch normalization. So one forward and backward pass over a block
 * of rows gives, for each matrix product of the network, its inputs and the gradient of its outputs for every
 * row and sample. The gradient of a row's weights is  sum_s out_s in_s^T  over its samples s. The usual
 * backward pass sums over all lanes. Here the sum is taken twice:
 *
 *   1. for each row by itself, only to square and add up its elements: kern->norms, which has eight rows in
 *      its lanes and stores no gradient. This gives the norm of each row's gradient over all products and
 *      biases, and with it the factor  keep = min(1, bound / norm);
 *   2. over all lanes as usual, after multiplying each row's out by its keep.
 *
 * So clipping doubles the cost of the weight gradients and needs hardly any memory. As in the usual pass
 * (net/iwae.c), samples with negligible weight are left out. The active samples of a row move to the front of
 * its own lane, so that rows stay in their lanes.
 *
 * Privacy requires that the computed sum changes by no more than the bound when a row is replaced by one that
 * adds nothing. Rounding could break that in three ways. Each has a share of `slack`, by which rows are
 * clipped below the bound. With u = 2^-24:
 *
 *   - A norm is a sum of many squares in single precision, and a sum of n terms can be too small by n u of
 *     itself.
 *   - The samples of a row may cancel, so that the rounding error is large relative to the result. The error
 *     of a sum is at most its length times u times T, the sum of the absolute values; for a row that is
 *     sum_s |out_s| |in_s|. A row is therefore also clipped such that T is at most SPREAD times the bound,
 *     which is hardly ever stricter than the clipping of its norm.
 *   - The row changes the rounding of the sums that it is part of. So products are summed in single precision
 *     only over a group of a few rows, and groups in double precision. All other groups keep their bits, and
 *     the error of a group is at most group_error(). Adding up the groups of OD_DP_CLIP_ROWS rows errs by
 *     less than 7e-5 of the bound, which is what most of SLACK is for.
 */
#include "net/dp_clip.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"

#define SLACK      1e-4
#define SPREAD     4
#define ROUNDING   0x1p-24
#define BLOCK_ROWS 64   /* most rows per block; a block is one whole chunk of the decoder */
#define GROUP_WORK 4096 /* rows per group times terms per chain; more would need more slack */

static float *floats(int64_t a, int64_t b)
{
    return od_alloc((size_t)a * (size_t)b, sizeof(float));
}

static bool new_arrays(od_dp_clip *c, const od_layout *l)
{
    int64_t rows = c->rows, n = rows * c->samples, latent = l->shape.latent, most = l->dec.outputs;
    bool ok = (c->z = floats(latent, n)) && (c->eps = floats(latent, n)) && (c->dz = floats(latent, n)) &&
              (c->head = floats(l->dec.outputs, n)) && (c->logw = floats(1, n)) && (c->gain = floats(1, n)) &&
              (c->ones = floats(1, n)) && (c->from = od_alloc((size_t)n, sizeof *c->from)) &&
              (c->dcode = floats(2 * latent, rows)) && (c->norm = floats(1, rows)) &&
              (c->keep = floats(1, rows)) && (c->max = floats(1, rows)) && (c->sum = floats(1, rows)) &&
              (c->spread = floats(1, rows)) && (c->outs = floats(1, n)) && (c->ins = floats(1, n)) &&
              (c->part = od_calloc(l->params, sizeof(float)));
    for (int i = 0; ok && i < l->dec.layers; i++) {
        int64_t down = l->dec.layer[i].out, up = l->enc.layer[i].out;
        ok = (c->act[i] = floats(down, n)) && (c->dact[i] = floats(down, n)) &&
             (c->denc[i] = floats(up, rows));
        if (down > most) most = down;
        if (up > most) most = up;
    }
    if (2 * latent > most) most = 2 * latent;
    return ok && (c->sums = od_alloc((size_t)most, sizeof(double)));
}

/* The longest chain of additions behind a norm: a row of each product, then one sum per row. */
static double chain_of(const od_mlp *s)
{
    double terms = (double)(s->in + 2 * s->outputs);
    for (int i = 0; i < s->layers; i++) terms += (double)(s->layer[i].in + 2 * s->layer[i].out);
    return terms;
}

/* The length of each of the eight chains of a product over the lanes of a block. */
static int64_t chain_of_block(const od_dp_clip *c)
{
    return c->rows / OD_LANES * c->samples;
}

/* The number of rows that can be summed in single precision: whole blocks. */
static int64_t rows_of_group(const od_dp_clip *c)
{
    int64_t rows = GROUP_WORK / chain_of_block(c);
    if (rows > BLOCK_ROWS) rows = BLOCK_ROWS;
    return rows > c->rows ? rows / c->rows * c->rows : c->rows;
}

/* The largest error of the sum of a group, in units of the bound: the error of chains and their folding is
 * relative to their inputs, that of adding up the blocks relative to the blocks. */
static double group_error(const od_dp_clip *c)
{
    double rows = (double)c->group, blocks = rows / (double)c->rows;
    return ROUNDING * rows * (SPREAD * (double)(chain_of_block(c) + 5) + blocks);
}

odim_status od_dp_clip_new(od_dp_clip *c, const od_kern *kern, const od_layout *layout, int64_t samples,
                           odim_error *err)
{
    *c = (od_dp_clip){.samples = samples};
    od_net_options options = {.rows = BLOCK_ROWS, .samples = samples};
    odim_status status = od_iwae_new(&c->net, kern, layout, &options, err);
    if (status) return status;
    c->rows = c->net.dec.chunk_rows;
    if (!new_arrays(c, layout)) {
        od_dp_clip_free(c);
        return od_fail_nomem(err);
    }
    for (int64_t i = 0; i < c->rows * samples; i++) c->ones[i] = 1.0f;
    c->group = rows_of_group(c);
    c->slack = SLACK + ROUNDING * (chain_of(&layout->enc) + chain_of(&layout->dec)) +
               ROUNDING * SPREAD * (double)(samples + 2) + 2 * group_error(c);
    return ODIM_OK;
}

void od_dp_clip_free(od_dp_clip *c)
{
    od_iwae_free(&c->net);
    float *arrays[] = {c->z,    c->logw, c->eps, c->head, c->dz,   c->dcode,  c->gain, c->ones,
                       c->norm, c->keep, c->max, c->sum,  c->part, c->spread, c->outs, c->ins};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) od_free(arrays[i]);
    for (int i = 0; i < OD_MAX_LAYERS; i++) {
        od_free(c->act[i]);
        od_free(c->dact[i]);
        od_free(c->denc[i]);
    }
    od_free(c->from);
    od_free(c->sums);
    *c = (od_dp_clip){0};
}

int64_t od_dp_clip_noise(const od_dp_clip *c, int64_t rows)
{
    return od_lanes(rows) * c->samples * c->net.layout->shape.latent;
}

/* ---- active samples ---------------------------------------------------------------------------------- */

/*
 * From the weights to g, the derivative of each row's loss by log w. The active samples of row i become
 * samples 0, 1, ... of its own lane; the rest of the lane has g = 0. The length of the rest depends on the
 * other rows, so it repeats an active sample: an inactive one may have overflowed, which would make the row's
 * norm 0 times infinity. Returns the largest number of active samples of a row.
 */
static int64_t pick_active(od_dp_clip *c, int64_t rows, int64_t lanes)
{
    const float min_weight = OD_INACTIVE_WEIGHT / (float)c->samples;
    int64_t most = 0;
    for (int64_t i = 0; i < lanes * c->samples; i++) {
        c->gain[i] = 0.0f;
        c->from[i] = (int32_t)i;
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t count = 0;
        for (int64_t l = i; l < lanes * c->samples; l += lanes) {
            if (!(c->logw[l] >= min_weight)) continue;
            int64_t to = count++ * lanes + i;
            c->gain[to] = -c->logw[l];
            c->from[to] = (int32_t)l;
        }
        for (int64_t s = count; count > 0 && s < c->samples; s++) c->from[s * lanes + i] = c->from[i];
        if (count > most) most = count;
    }
    return most;
}

/* y (features, n active lanes) from x (features, before lanes). y may be x: active samples move to lower
 * lanes only, and a lane beyond them may take any active sample of its row. */
static void gather(const od_dp_clip *c, float *y, const float *x, int64_t features, int64_t n, int64_t before)
{
    for (int64_t f = 0; f < features; f++)
        for (int64_t l = 0; l < n; l++) y[f * n + l] = x[f * before + c->from[l]];
}

/* ---- forward and backward ---------------------------------------------------------------------------- */

static void record(od_dp_clip *c, od_matmul m)
{
    c->matmul[c->matmuls++] = m;
}

/* The decoder on a block: the losses, and the weights of the samples in logw. */
static void forward(od_dp_clip *c, const float *params, const od_batch *b)
{
    const od_mlp *s = &c->net.layout->dec;
    const od_kern *k = c->net.kern;
    int64_t n = b->lanes * c->samples;
    od_decoder_sample(&c->net.dec, b, 0, b->lanes, c->z, c->logw);
    const od_mlp_pass p = {k, s, params, NULL, n};
    for (int i = 0; i < s->layers; i++) od_layer_fwd(&p, i, i ? c->act[i - 1] : c->z, n, c->act[i]);
    od_head_fwd(&p, c->act[s->layers - 1], c->head);
    k->lik(&(od_lik_args){c->net.layout->shape.lik, c->logw, c->head, c->head + s->dim * n,
                          params + s->head_b, b->x, b->lanes, c->samples, b->lanes, s->dim, true});
    od_decoder_weigh(&c->net.dec, c->logw, b->lanes, c->logw, c->max, c->sum, b->loss);
}

/* The arrays of a backward pass through a perceptron. */
typedef struct mlp_arrays {
    const od_mlp *mlp;
    float *x;           /* (in, n): inputs */
    float *dx;          /* (in, n): their gradient, or NULL if it is not needed */
    float *const *act;  /* (out, n) of each layer */
    float *const *grad; /* (out, n) of each layer: filled here */
    float *head;        /* (outputs, n): gradients of the head's outputs */
    int64_t samples, n; /* per row; lanes */
} mlp_arrays;

static void mlp_bwd(od_dp_clip *c, const float *params, const mlp_arrays *a)
{
    const od_kern *k = c->net.kern;
    const od_mlp *s = a->mlp;
    int64_t variances = s->outputs - s->dim, n = a->n; /* each log-variance has a bias */
    float *above = a->head;
    int64_t outs = s->outputs;
    const float *w = params + s->head_w;
    record(c, (od_matmul){a->head, a->act[s->layers - 1], outs, s->in, a->samples, n, s->head_w, s->head_b,
                          s->dim, variances});
    for (int i = s->layers - 1; i >= 0; i--) {
        const od_layer *l = &s->layer[i];
        k->mul(&(od_mul_args){l->out, n, outs, w, 1, l->out, above, n, NULL, false, a->grad[i], n});
        k->leaky_bwd(a->grad[i], a->act[i], l->out, n, c->sums, NULL);
        record(c, (od_matmul){a->grad[i], i ? a->act[i - 1] : a->x, l->out, l->in, a->samples, n, l->w, l->b,
                              0, l->out});
        above = a->grad[i];
        outs = l->out;
        w = params + l->w;
    }
    if (a->dx)
        k->mul(
            &(od_mul_args){s->layer[0].in, n, outs, w, 1, s->layer[0].in, above, n, NULL, false, a->dx, n});
}

static void backward(od_dp_clip *c, const float *params, const od_batch *b)
{
    const od_layout *l = c->net.layout;
    const od_kern *k = c->net.kern;
    int64_t latent = l->shape.latent, before = b->lanes * c->samples;
    int64_t active = pick_active(c, b->rows, b->lanes), n = active * b->lanes;
    c->matmuls = 0;
    if (active == 0) return;
    gather(c, c->eps, b->eps, latent, n, before);
    gather(c, c->z, c->z, latent, n, before);
    for (int i = 0; i < l->dec.layers; i++) gather(c, c->act[i], c->act[i], l->dec.layer[i].out, n, before);
    gather(c, c->head, c->head, l->dec.outputs, n, before);
    for (int64_t f = 0; f < l->dec.outputs; f++)
        for (int64_t i = 0; i < n; i++) c->head[f * n + i] *= c->gain[i];
    mlp_bwd(c, params, &(mlp_arrays){&l->dec, c->z, c->dz, c->act, c->dact, c->head, active, n});

    float *dmu = c->dcode, *dlv = c->dcode + latent * b->lanes;
    const float *raw = c->net.code + latent * b->lanes;
    k->sample_bwd(&(od_sample_bwd_args){dmu, dlv, b->scale, b->lanes, c->dz, c->z, c->eps, c->gain, active,
                                        b->lanes, latent});
    for (int64_t i = 0; i < latent * b->lanes; i++)
        dlv[i] = raw[i] > OD_LV_MIN && raw[i] < OD_LV_MAX ? 0.5f * dlv[i] : 0.0f;
    mlp_bwd(c, params,
            &(mlp_arrays){&l->enc, c->net.x, NULL, c->net.enc.act, c->denc, c->dcode, 1, b->lanes});
}

/* ---- clipping --------------------------------------------------------------------------------------- */

/* square (n) = start + the sum of the squares of x (features, n) over the features: the norms of rows with
 * one sample and inputs 1. */
static void squares(const od_dp_clip *c, float *square, const float *x, int64_t features, int64_t n,
                    float start)
{
    for (int64_t i = 0; i < n; i++) square[i] = start;
    c->net.kern->norms(&(od_norms_args){square, features, 1, 1, n, x, n, c->ones, n});
}

/* Adds to spread (rows) the square of T. The input of a bias is 1. */
static void add_spread(od_dp_clip *c, const od_matmul *l, int64_t lanes)
{
    float *t = c->outs;
    squares(c, c->outs, l->out, l->outs, l->n, 0.0f);
    squares(c, c->ins, l->in, l->ins, l->n, l->biases ? 1.0f : 0.0f);
    for (int64_t i = 0; i < l->n; i++) t[i] = sqrtf(c->outs[i] * c->ins[i]);
    for (int64_t at = lanes; at < l->n; at += lanes)
        for (int64_t i = 0; i < lanes; i++) t[i] += t[at + i];
    for (int64_t i = 0; i < lanes; i++) c->spread[i] += t[i] * t[i];
}

/* The factor of row i; 0 if its gradient is not finite. */
static float keep_of(const od_dp_clip *c, int64_t i, double bound)
{
    double norm = sqrt((double)c->norm[i]), spread = sqrt((double)c->spread[i]);
    double most = bound * (1 - c->slack), widest = bound * SPREAD, keep = 1;
    if (!isfinite(norm) || !isfinite(spread)) return 0.0f;
    if (norm > most) keep = most / norm;
    if (spread * keep > widest) keep = widest / spread;
    return (float)keep;
}

static void measure(od_dp_clip *c, const od_batch *b, double bound)
{
    const od_kern *k = c->net.kern;
    memset(c->norm, 0, (size_t)b->lanes * sizeof(float));
    memset(c->spread, 0, (size_t)b->lanes * sizeof(float));
    for (int i = 0; i < c->matmuls; i++) {
        const od_matmul *l = &c->matmul[i];
        k->norms(&(od_norms_args){c->norm, l->outs, l->ins, l->samples, b->lanes, l->out, l->n, l->in, l->n});
        if (l->biases)
            k->norms(&(od_norms_args){c->norm, l->biases, 1, l->samples, b->lanes, l->out + l->first * l->n,
                                      l->n, c->ones, l->n});
        add_spread(c, l, b->lanes);
    }
    for (int64_t i = 0; i < b->lanes; i++) c->keep[i] = i < b->rows ? keep_of(c, i, bound) : 0.0f;
}

/* Multiplies each row's lanes by its keep. A row with keep 0 becomes 0 even if it is infinite. */
static void shrink(const od_dp_clip *c, float *restrict x, int64_t features, int64_t n, int64_t lanes)
{
    const float *restrict keep = c->keep;
    for (int64_t f = 0; f < features * n; f += lanes)
        for (int64_t i = 0; i < lanes; i++) x[f + i] = (keep[i] > 0.0f ? x[f + i] : 0.0f) * keep[i];
}

/* Sets the lanes of rows with keep 0 to 0. */
static void clear_dropped(const od_dp_clip *c, float *x, int64_t features, int64_t n, int64_t lanes)
{
    for (int64_t i = 0; i < lanes; i++)
        for (int64_t l = i; c->keep[i] == 0.0f && l < features * n; l += lanes) x[l] = 0.0f;
}

static void collect(od_dp_clip *c, int64_t lanes)
{
    const od_kern *k = c->net.kern;
    for (int i = 0; i < c->matmuls; i++) {
        const od_matmul *l = &c->matmul[i];
        shrink(c, l->out, l->outs, l->n, lanes);
        clear_dropped(c, l->in, l->ins, l->n, lanes);
    }
    for (int i = 0; i < c->matmuls; i++) {
        const od_matmul *l = &c->matmul[i];
        k->dot(&(od_dot_args){l->outs, l->ins, l->n, l->out, l->n, l->in, l->n, c->part + l->w, l->ins});
        if (!l->biases) continue;
        k->sum(c->sums, l->out + l->first * l->n, l->biases, l->n);
        od_bias_bwd(c->part + l->b, c->sums, l->biases);
    }
}

/* Adds the sum of a group to the total and clears it for the next group. */
static void end_group(od_dp_clip *c, double *sum)
{
    float *part = c->part;
    for (size_t i = 0; i < c->net.layout->params; i++) sum[i] += (double)part[i];
    memset(part, 0, c->net.layout->params * sizeof *part);
}

void od_dp_clip_add(od_dp_clip *c, const float *params, double *sum, const od_train_batch *batch,
                    double bound)
{
    int64_t rows = batch->rows;
    od_iwae_ready(&c->net, params, NULL);
    for (int64_t at = 0; at < rows; at += c->rows) {
        int64_t count = rows - at < c->rows ? rows - at : c->rows;
        od_batch b = od_iwae_encode(&c->net, batch->x + at * c->net.layout->shape.d, count,
                                    batch->eps + od_dp_clip_noise(c, at), false);
        forward(c, params, &b);
        memcpy(batch->loss + at, b.loss, (size_t)count * sizeof(float));
        backward(c, params, &b);
        measure(c, &b, bound);
        collect(c, b.lanes);
        if ((at + count) % c->group == 0 || at + count == rows) end_group(c, sum);
    }
}
