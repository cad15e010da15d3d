/*
 * Clipped gradients of single rows (Abadi et al., 2016) without a backward pass a row.
 *
 * Rows are independent, since there is no batch normalisation, so one pass forward and back over a block of
 * rows has everything: for each multiply of the network the gradient of its outputs and what it read, of
 * every row and sample. The gradient of a row's weights is  sum_s out_s in_s^T  over its samples s. In the
 * usual backward pass the sum goes over all lanes. Here it is taken twice:
 *
 *   1. for each row by itself, and only to square and add up its elements: kern->norms, which has eight rows
 *      in its lanes and stores no gradient. That gives the norm of each row's gradient over all multiplies
 *      and biases, and with it the factor  keep = min(1, bound / norm);
 *   2. over all lanes as usual, after each row's out was multiplied by its keep.
 *
 * So clipping costs as much again as the products of the weights' gradients, and no memory to speak of. As in
 * the usual pass (net/iwae.c) samples with next to no weight are left out; what is left of a row is moved to
 * the front of its own lane, so that rows stay in their lanes.
 *
 * What privacy needs is that the sum as it is computed changes by no more than the bound when a row is
 * replaced by one that adds nothing. Rounding could break that in three ways, each of which has a share of
 * `slack`, by which rows are cut shorter than the bound. With u = 2^-24:
 *
 *   - A norm is a sum of many squares in single precision, and a sum of n terms can be too small by n u of
 *     itself.
 *   - The samples of a row may cancel, so that rounding is large beside what is left. The error of a sum of
 *     terms is at most its length times u times T, the sum of their absolute values; for a row that is
 *     sum_s |out_s| |in_s|. A row is therefore also cut such that T is at most SPREAD times the bound, which
 *     is hardly ever more than its norm demands.
 *   - The row changes how the sums that it is part of are rounded. So products are summed in single precision
 *     over a group of a few rows only, and groups in double precision. All other groups stay as they are to
 *     the bit, and a group cannot err by more than group_error(). Summing up the groups of OD_DP_CLIP_ROWS
 * rows comes to less than 7e-5 of the bound, which is what most of SLACK is for.
 */
#include "net/dp_clip.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

#define SLACK      1e-4
#define SPREAD     4
#define ROUNDING   0x1p-24
#define BLOCK_ROWS 64   /* the decoder makes blocks of at most so many rows that its chunks are whole */
#define GROUP_WORK 4096 /* rows of a group times terms of a chain; more would need more slack */

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

/* The most terms that one after the other go into a norm: a row of each product, then one sum a row. */
static double chain_of(const od_mlp *s)
{
    double terms = (double)(s->in + 2 * s->outputs);
    for (int i = 0; i < s->layers; i++) terms += (double)(s->layer[i].in + 2 * s->layer[i].out);
    return terms;
}

/* Terms that one after the other go into one of the eight chains of a product over a block's lanes. */
static int64_t chain_of_block(const od_dp_clip *c)
{
    return c->rows / OD_LANES * c->samples;
}

/* As many rows as can be summed in single precision: whole blocks. */
static int64_t rows_of_group(const od_dp_clip *c)
{
    int64_t rows = GROUP_WORK / chain_of_block(c);
    if (rows > BLOCK_ROWS) rows = BLOCK_ROWS;
    return rows > c->rows ? rows / c->rows * c->rows : c->rows;
}

/* How far off the sum of a group can be, in units of the bound: chains and foldings err by what goes into
 * them, and adding up the blocks by what they come to. */
static double group_error(const od_dp_clip *c)
{
    double rows = (double)c->group, blocks = rows / (double)c->rows;
    return ROUNDING * rows * (SPREAD * (double)(chain_of_block(c) + 5) + blocks);
}

odim_status od_dp_clip_new(od_dp_clip *c, const od_kern *kern, const od_layout *layout, int64_t samples,
                           odim_error *err)
{
    *c = (od_dp_clip){.samples = samples};
    odim_status status = od_iwae_new(&c->net, kern, layout, BLOCK_ROWS, samples, false, NULL, err);
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

/* ---- samples that count ----------------------------------------------------------------------------- */

/*
 * From the weights to g, the derivative of each row's loss by log w. The live samples of row i become samples
 * 0, 1, ... of its own lane, and what is left of the lane has g = 0. How many are left over depends on the
 * other rows, so they repeat a live sample: one that has overflowed would make the row's norm 0 times
 * infinity. Returns how many samples that makes.
 */
static int64_t pick_live(od_dp_clip *c, int64_t rows, int64_t lanes)
{
    const float least = OD_LIGHT_TOTAL / (float)c->samples;
    int64_t most = 0;
    for (int64_t i = 0; i < lanes * c->samples; i++) {
        c->gain[i] = 0.0f;
        c->from[i] = (int32_t)i;
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t count = 0;
        for (int64_t l = i; l < lanes * c->samples; l += lanes) {
            if (!(c->logw[l] >= least)) continue;
            int64_t to = count++ * lanes + i;
            c->gain[to] = -c->logw[l];
            c->from[to] = (int32_t)l;
        }
        for (int64_t s = count; count > 0 && s < c->samples; s++) c->from[s * lanes + i] = c->from[i];
        if (count > most) most = count;
    }
    return most;
}

/* y (features, n live lanes) from x (features, before lanes). y may be x: live samples
 * move to lower places only, and a lane beyond them may find any live sample of its row. */
static void gather(const od_dp_clip *c, float *y, const float *x, int64_t features, int64_t n, int64_t before)
{
    for (int64_t f = 0; f < features; f++)
        for (int64_t l = 0; l < n; l++) y[f * n + l] = x[f * before + c->from[l]];
}

/* ---- forward and back ------------------------------------------------------------------------------- */

static void link(od_dp_clip *c, od_link l)
{
    c->link[c->links++] = l;
}

/* The decoder on a block: losses, and the weights of the samples in logw. */
static void forward(od_dp_clip *c, const float *params, const od_batch *b)
{
    const od_mlp *s = &c->net.layout->dec;
    const od_kern *k = c->net.kern;
    int64_t n = b->lanes * c->samples;
    od_decoder_sample(&c->net.dec, b, 0, b->lanes, c->z, c->logw);
    for (int i = 0; i < s->layers; i++)
        od_layer_fwd(k, s, i, params, i ? c->act[i - 1] : c->z, n, n, c->act[i]);
    od_head_fwd(k, s, params, c->act[s->layers - 1], n, c->head);
    k->lik(c->net.layout->shape.lik, c->logw, c->head, c->head + s->dim * n, params + s->head_b, b->x,
           b->lanes, c->samples, b->lanes, s->dim, true);
    od_decoder_weigh(&c->net.dec, c->logw, b->lanes, c->logw, c->max, c->sum, b->loss);
}

/*
 * Back through a stack, from the gradients of its head's outputs. grad (out, n) are filled layer by layer;
 * bottom (in, n) gets the gradient of x unless it is NULL.
 */
static void stack_back(od_dp_clip *c, const od_mlp *s, const float *params, float *head, float *const *act,
                       float *const *grad, float *x, float *bottom, int64_t samples, int64_t n)
{
    const od_kern *k = c->net.kern;
    int64_t variances = s->outputs - s->dim; /* of which each has a bias */
    float *above = head;
    int64_t outs = s->outputs;
    const float *w = params + s->head_w;
    link(c, (od_link){head, act[s->layers - 1], outs, s->in, samples, n, s->head_w, s->head_b, s->dim,
                      variances});
    for (int i = s->layers - 1; i >= 0; i--) {
        const od_layer *l = &s->layer[i];
        k->mul(l->out, n, outs, w, 1, l->out, above, n, NULL, false, grad[i], n);
        k->leaky_bwd(grad[i], act[i], l->out, n, c->sums, NULL);
        link(c, (od_link){grad[i], i ? act[i - 1] : x, l->out, l->in, samples, n, l->w, l->b, 0, l->out});
        above = grad[i];
        outs = l->out;
        w = params + l->w;
    }
    if (bottom) k->mul(s->layer[0].in, n, outs, w, 1, s->layer[0].in, above, n, NULL, false, bottom, n);
}

static void backward(od_dp_clip *c, const float *params, const od_batch *b)
{
    const od_layout *l = c->net.layout;
    const od_kern *k = c->net.kern;
    int64_t latent = l->shape.latent, before = b->lanes * c->samples;
    int64_t active = pick_live(c, b->rows, b->lanes), n = active * b->lanes;
    c->links = 0;
    if (active == 0) return;
    gather(c, c->eps, b->eps, latent, n, before);
    gather(c, c->z, c->z, latent, n, before);
    for (int i = 0; i < l->dec.layers; i++) gather(c, c->act[i], c->act[i], l->dec.layer[i].out, n, before);
    gather(c, c->head, c->head, l->dec.outputs, n, before);
    for (int64_t f = 0; f < l->dec.outputs; f++)
        for (int64_t i = 0; i < n; i++) c->head[f * n + i] *= c->gain[i];
    stack_back(c, &l->dec, params, c->head, c->act, c->dact, c->z, c->dz, active, n);

    float *dmu = c->dcode, *dlv = c->dcode + latent * b->lanes;
    const float *raw = c->net.code + latent * b->lanes;
    k->sample_bwd(dmu, dlv, b->scale, b->lanes, c->dz, c->z, c->eps, c->gain, active, b->lanes, latent);
    for (int64_t i = 0; i < latent * b->lanes; i++)
        dlv[i] = raw[i] > OD_LV_MIN && raw[i] < OD_LV_MAX ? 0.5f * dlv[i] : 0.0f;
    stack_back(c, &l->enc, params, c->dcode, c->net.enc.act, c->denc, c->net.x, NULL, 1, b->lanes);
}

/* ---- clipping --------------------------------------------------------------------------------------- */

/* square (n) = start + the sum of the squares of x (features, n) over the features: norms of rows of one
 * sample that are multiplied by 1. */
static void squares(const od_dp_clip *c, float *square, const float *x, int64_t features, int64_t n,
                    float start)
{
    for (int64_t i = 0; i < n; i++) square[i] = start;
    c->net.kern->norms(square, features, 1, 1, n, x, n, c->ones, n);
}

/* Adds to spread (rows) the square of T. A bias reads 1. */
static void add_spread(od_dp_clip *c, const od_link *l, int64_t lanes)
{
    float *t = c->outs;
    squares(c, c->outs, l->out, l->outs, l->n, 0.0f);
    squares(c, c->ins, l->in, l->ins, l->n, l->biases ? 1.0f : 0.0f);
    for (int64_t i = 0; i < l->n; i++) t[i] = sqrtf(c->outs[i] * c->ins[i]);
    for (int64_t at = lanes; at < l->n; at += lanes)
        for (int64_t i = 0; i < lanes; i++) t[i] += t[at + i];
    for (int64_t i = 0; i < lanes; i++) c->spread[i] += t[i] * t[i];
}

/* By how much row i is multiplied; 0 if its gradient is not finite. */
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
    for (int i = 0; i < c->links; i++) {
        const od_link *l = &c->link[i];
        k->norms(c->norm, l->outs, l->ins, l->samples, b->lanes, l->out, l->n, l->in, l->n);
        if (l->biases)
            k->norms(c->norm, l->biases, 1, l->samples, b->lanes, l->out + l->first * l->n, l->n, c->ones,
                     l->n);
        add_spread(c, l, b->lanes);
    }
    for (int64_t i = 0; i < b->lanes; i++) c->keep[i] = i < b->rows ? keep_of(c, i, bound) : 0.0f;
}

/* Multiplies each row's lanes by its keep. Of a row that is not kept nothing may remain, not even 0 times
 * infinity. */
static void shrink(const od_dp_clip *c, float *x, int64_t features, int64_t n, int64_t lanes)
{
    for (int64_t f = 0; f < features * n; f += lanes)
        for (int64_t i = 0; i < lanes; i++) x[f + i] = c->keep[i] > 0.0f ? x[f + i] * c->keep[i] : 0.0f;
}

static void wipe(const od_dp_clip *c, float *x, int64_t features, int64_t n, int64_t lanes)
{
    for (int64_t i = 0; i < lanes; i++)
        for (int64_t l = i; c->keep[i] == 0.0f && l < features * n; l += lanes) x[l] = 0.0f;
}

static void collect(od_dp_clip *c, int64_t lanes)
{
    const od_kern *k = c->net.kern;
    for (int i = 0; i < c->links; i++) {
        const od_link *l = &c->link[i];
        shrink(c, l->out, l->outs, l->n, lanes);
        wipe(c, l->in, l->ins, l->n, lanes);
    }
    for (int i = 0; i < c->links; i++) {
        const od_link *l = &c->link[i];
        k->dot(l->outs, l->ins, l->n, l->out, l->n, l->in, l->n, c->part + l->w, l->ins);
        if (!l->biases) continue;
        k->sum(c->sums, l->out + l->first * l->n, l->biases, l->n);
        od_bias_bwd(c->part + l->b, c->sums, l->biases);
    }
}

/* The sum of a group to those of the others; the next one begins with nothing. */
static void end_group(od_dp_clip *c, double *sum)
{
    float *part = c->part;
    for (size_t i = 0; i < c->net.layout->params; i++) sum[i] += (double)part[i];
    memset(part, 0, c->net.layout->params * sizeof *part);
}

void od_dp_clip_add(od_dp_clip *c, const float *params, double *sum, const float *x, int64_t rows,
                    const float *eps, double bound, float *loss)
{
    od_iwae_ready(&c->net, params, NULL);
    for (int64_t at = 0; at < rows; at += c->rows) {
        int64_t count = rows - at < c->rows ? rows - at : c->rows;
        od_batch b = od_iwae_encode(&c->net, x + at * c->net.layout->shape.d, count,
                                    eps + od_dp_clip_noise(c, at), false);
        forward(c, params, &b);
        memcpy(loss + at, b.loss, (size_t)count * sizeof(float));
        backward(c, params, &b);
        measure(c, &b, bound);
        collect(c, b.lanes);
        if ((at + count) % c->group == 0 || at + count == rows) end_group(c, sum);
    }
}
