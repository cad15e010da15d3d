/*
 * A normalizing flow (after GLOW: Kingma and Dhariwal, 2018), for rows of numbers instead of images.
 *
 * An invertible map z = f(x) is trained so that z is standard normal. Then the density of x is exact,
 *
 *     L(x) = -log p(x) = |z|^2 / 2 + (d / 2) log(2 pi) - log |det df/dx|,
 *
 * without a latent code to sum over, samples or noise. f is a sequence of steps, each of three layers with
 * cheap inverses and determinants:
 *
 *     actnorm     a permutation of the features, drawn once and never trained; then a scale and shift of each
 *     linear      a matrix W = L U of two triangles (only up to OD_LINEAR_MOST features: it has d^2 numbers)
 *     coupling    half of the features scale and shift the other half
 *
 * The permutation, L and U make up GLOW's invertible 1x1 convolution. With a single feature a step has
 * neither of the last two layers, and the flow is one normal distribution.
 *
 * At the start, L, U and the couplings are the identity, and the first actnorm gives the first batch mean 0
 * and variance 1. So the later layers see normalized inputs, and begin with scale 1 and shift 0: the flow
 * starts as one independent normal distribution per feature and learns from there. (GLOW draws a random
 * rotation for W and measures at every actnorm. A constant feature would then be magnified by each.)
 *
 * Backward. The loss of a row has the weight g in that of the batch: 1/nU. So dz = g z, and the
 * log-determinant of each layer has the derivative -g.
 *
 * Known outliers. Without a latent code the chi bound of net/iwae.c is log p(x) itself. In an IWAE the clamp
 * of the log-variances limits how far it can be pushed down. A flow has no such limit: a few rows on their
 * way to minus infinity would dominate the batch. So we push log(p(x) + exp(-c)) down, which stays above -c;
 * c is the median loss of the other rows plus MARGIN nats per feature. The weight of a known outlier is then
 * g = -(gamma/nL) / (1 + exp(L - c)), which is negligible once the row is unlikely enough.
 *
 * Attribution. The loss is not a sum over features, since every z depends on every x. But we can ask how much
 * |z|^2 / 2 would fall if a single value were the best it can be. Near x, f is approximately linear: let J_j
 * be the derivative of z by x_j. The best place for x_j alone is where z + J_j step is shortest, and
 *
 *     part_j     = (J_j z)^2 / (2 |J_j|^2)      the decrease of |z|^2 / 2,
 *     expected_j = x_j - (J_j z) / |J_j|^2      that place.
 *
 * So 0 <= part_j <= |z|^2 / 2, and for independent normal features the parts add up to it. The rest, L minus
 * all parts, takes the place of "code" in an IWAE. J_j z is a backward pass that starts from z. |J_j|^2 =
 * sum_i (dz_i/dx_j)^2 takes a backward pass for each of the d numbers z_i. Above PROBES features it is
 * estimated: backward passes that start from random signs give numbers whose mean square is |J_j|^2
 * (Hutchinson's estimator), to within about a third per member. The signs are the same for every row, so the
 * attribution is a function of the row.
 */
#include "net/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sort.h"
#include "common/mem.h"

#define HALF_LOG_2PI 0.91893853320467274
#define MARGIN       5.0 /* nats per feature */
#define PROBES       16

/* ---- memory ---- */

static bool step_new(od_flow_step *p, const od_layout *l, int64_t lanes)
{
    const od_step *s = &l->step;
    size_t cells = (size_t)(l->shape.d * lanes);
    return od_actnorm_new(&p->norm, l->shape.d, NULL) == ODIM_OK &&
           (!s->linear || od_linear_new(&p->linear, l->shape.d, lanes, NULL) == ODIM_OK) &&
           (!s->kept || od_coupling_new(&p->coupling, s, lanes, NULL) == ODIM_OK) &&
           (p->scaled = od_alloc(cells, sizeof(float))) && (p->out = od_alloc(cells, sizeof(float)));
}

static void step_free(od_flow_step *p)
{
    od_actnorm_free(&p->norm);
    od_linear_free(&p->linear);
    od_coupling_free(&p->coupling);
    od_free(p->scaled);
    od_free(p->out);
}

odim_status od_flow_new(od_flow *w, const od_kern *kern, const od_layout *layout, int64_t rows,
                        odim_error *err)
{
    *w = (od_flow){.kern = kern, .layout = layout};
    int64_t lanes = od_lanes(rows);
    size_t n = (size_t)lanes, d = (size_t)layout->shape.d;
    bool ok = (w->step = od_calloc((size_t)layout->shape.steps, sizeof *w->step)) &&
              (w->x = od_alloc(d * n, sizeof(float))) && (w->on = od_alloc(n, sizeof(float))) &&
              (w->logdet = od_alloc(n, sizeof(float))) && (w->loss = od_alloc(n, sizeof(float))) &&
              (w->g = od_alloc(n, sizeof(float))) && (w->grad[0] = od_alloc(d * n, sizeof(float))) &&
              (w->grad[1] = od_alloc(d * n, sizeof(float))) && (w->slope = od_alloc(d * n, sizeof(float))) &&
              (w->curve = od_alloc(d * n, sizeof(float))) &&
              (w->moments.mean = od_alloc(d, sizeof(double))) &&
              (w->moments.dev = od_alloc(d, sizeof(double)));
    for (int i = 0; ok && i < layout->shape.steps; i++) ok = step_new(&w->step[i], layout, lanes);
    if (ok) return ODIM_OK;
    od_flow_free(w);
    return od_fail_nomem(err);
}

void od_flow_free(od_flow *w)
{
    for (int i = 0; w->step && i < w->layout->shape.steps; i++) step_free(&w->step[i]);
    od_free(w->step);
    od_free(w->x);
    od_free(w->on);
    od_free(w->logdet);
    od_free(w->loss);
    od_free(w->g);
    od_free(w->grad[0]);
    od_free(w->grad[1]);
    od_free(w->slope);
    od_free(w->curve);
    od_free(w->moments.mean);
    od_free(w->moments.dev);
    *w = (od_flow){0};
}

/* ---- rows and lanes ---- */

/* Transposes rows into lanes. Padding repeats the last row, so that it is harmless. Returns the number of
 * lanes. */
static int64_t to_lanes(od_flow *w, const float *x, int64_t rows, float *to)
{
    int64_t d = w->layout->shape.d, n = od_lanes(rows);
    for (int64_t i = 0; i < n; i++) w->on[i] = i < rows ? 1.0f : 0.0f;
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < n; i++) to[j * n + i] = x[(i < rows ? i : rows - 1) * d + j];
    return n;
}

static void to_rows(const od_flow *w, const float *from, int64_t rows, float *x)
{
    int64_t d = w->layout->shape.d, n = od_lanes(rows);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < d; j++) x[i * d + j] = from[j * n + i];
}

/* ---- all steps ---- */

static const float *params_of(const od_flow *w, int i)
{
    return w->params + (size_t)i * w->layout->step.params;
}

void od_flow_ready(od_flow *w, const float *params, const float *stats)
{
    const od_step *s = &w->layout->step;
    w->params = params;
    w->constant = (double)w->layout->shape.d * HALF_LOG_2PI;
    for (int i = 0; i < w->layout->shape.steps; i++) {
        const float *p = params_of(w, i), *order = stats + (size_t)i * s->stats + s->order;
        w->constant -= od_actnorm_ready(&w->step[i].norm, w->kern, p + s->actnorm, order);
        if (s->linear) w->constant -= od_linear_ready(&w->step[i].linear, w->kern, p + s->lu);
    }
}

void od_flow_start(od_flow *w, float *params, const float *stats, const float *x, int64_t rows)
{
    const od_step *s = &w->layout->step;
    int64_t n = to_lanes(w, x, rows, w->x);
    od_flow_ready(w, params, stats);
    w->moments.count = rows;
    w->kern->moments(w->moments.mean, w->moments.dev, w->x, w->on, w->layout->shape.d, n, rows);
    od_actnorm_start(&w->step[0].norm, &w->moments, params + s->actnorm);
}

/* Computes z (d, n) of w->x, and w->logdet. */
static const float *forward(od_flow *w, int64_t n)
{
    const od_step *s = &w->layout->step;
    const float *x = w->x;
    memset(w->logdet, 0, (size_t)n * sizeof(float));
    for (int i = 0; i < w->layout->shape.steps; i++) {
        od_flow_step *p = &w->step[i];
        const float *params = params_of(w, i);
        od_actnorm_fwd(&p->norm, params + s->actnorm, x, n, p->scaled);
        if (s->linear)
            od_linear_fwd(&p->linear, w->kern, p->scaled, n, p->out);
        else
            memcpy(p->out, p->scaled, (size_t)(w->layout->shape.d * n) * sizeof(float));
        if (s->kept) od_coupling_fwd(&p->coupling, w->kern, s, params, n, p->out, w->logdet);
        x = p->out;
    }
    return x;
}

/* From grad[0], the gradient of z, to grad[0], the gradient of w->x. Adds to dparams unless it is NULL. */
static void backward(od_flow *w, int64_t n, float *dparams)
{
    const od_step *s = &w->layout->step;
    od_flow_batch b = {.kern = w->kern, .n = n, .g = w->g};
    for (int64_t l = 0; l < n; l++) b.sum_g += (double)w->g[l];
    for (int i = w->layout->shape.steps - 1; i >= 0; i--) {
        od_flow_step *p = &w->step[i];
        const float *params = params_of(w, i);
        float *to = dparams ? dparams + (size_t)i * s->params : NULL;
        if (s->kept) od_coupling_bwd(&p->coupling, &b, s, params, p->out, w->grad[0], to);
        if (s->linear)
            od_linear_bwd(&p->linear, &b, p->scaled, w->grad[0], w->grad[1], w->grad[0],
                          to ? to + s->lu : NULL);
        od_actnorm_bwd(&p->norm, &b, params + s->actnorm, p->scaled, w->grad[0], w->grad[1],
                       to ? to + s->actnorm : NULL);
        float *swap = w->grad[1];
        w->grad[1] = w->grad[0];
        w->grad[0] = swap;
    }
}

/* Computes w->loss (n) from z. */
static void losses_of(od_flow *w, const float *z, int64_t n)
{
    float *square = w->loss;
    memset(square, 0, (size_t)n * sizeof(float));
    for (int64_t j = 0; j < w->layout->shape.d; j++)
        for (int64_t l = 0; l < n; l++) square[l] += z[j * n + l] * z[j * n + l];
    for (int64_t l = 0; l < n; l++)
        w->loss[l] = (float)(0.5 * (double)square[l] - (double)w->logdet[l] + w->constant);
}

void od_flow_loss(od_flow *w, const float *x, int64_t rows, float *loss)
{
    int64_t n = to_lanes(w, x, rows, w->x);
    losses_of(w, forward(w, n), n);
    memcpy(loss, w->loss, (size_t)rows * sizeof(float));
}

/* c of the essay; infinity if all rows are known outliers. */
static double limit_of(od_flow *w, int64_t others)
{
    if (others == 0) return INFINITY;
    float *sorted = w->logdet; /* no longer needed */
    memcpy(sorted, w->loss, (size_t)others * sizeof(float));
    od_sort_float(sorted, others);
    return (double)sorted[others / 2] + MARGIN * (double)w->layout->shape.d;
}

/* The rows from `others` on are known outliers: their losses and weights. */
static void known_losses(od_flow *w, const od_train_batch *batch, int64_t others)
{
    int64_t rows = batch->rows;
    double limit = limit_of(w, others);
    for (int64_t i = others; i < rows; i++) {
        double own = (double)w->loss[i], above = own - limit;
        batch->loss[i] = (float)(above > 0 ? log1p(exp(-above)) - limit : log1p(exp(above)) - own);
        w->g[i] = (float)(-(double)batch->known.weight / (double)(rows - others) / (1.0 + exp(above)));
    }
}

void od_flow_grad(od_flow *w, const float *params, const float *stats, float *dparams,
                  const od_train_batch *batch)
{
    int64_t rows = batch->rows, others = rows - batch->known.rows;
    int64_t n = to_lanes(w, batch->x, rows, w->x);
    od_flow_ready(w, params, stats);
    const float *z = forward(w, n);
    losses_of(w, z, n);
    memcpy(batch->loss, w->loss, (size_t)rows * sizeof(float));
    for (int64_t l = 0; l < n; l++) w->g[l] = l < others ? 1.0f / (float)others : 0.0f;
    if (others < rows) known_losses(w, batch, others);
    for (int64_t j = 0; j < w->layout->shape.d; j++)
        for (int64_t l = 0; l < n; l++) w->grad[0][j * n + l] = z[j * n + l] * w->g[l];
    backward(w, n, dparams);
}

/* Sets w->grad[0] (d, n) for probe k: the k-th unit vector or, if there are fewer probes than features,
 * random signs. */
static void start_probe(od_flow *w, int64_t n, int64_t k)
{
    int64_t d = w->layout->shape.d;
    od_rng random = od_rng_make(0, 0, OD_RNG_INIT, (uint32_t)k);
    for (int64_t j = 0; j < d; j++) {
        float v = j == k ? 1.0f : 0.0f;
        if (d > PROBES) {
            uint32_t word[4];
            od_rng_block(&random, (uint64_t)j, word);
            v = word[0] >> 31 ? 1.0f : -1.0f;
        }
        for (int64_t l = 0; l < n; l++) w->grad[0][j * n + l] = v;
    }
}

/* Computes w->slope and w->curve after the forward pass to z. */
static void probe(od_flow *w, const float *z, int64_t n)
{
    int64_t d = w->layout->shape.d, probes = d < PROBES ? d : PROBES;
    float share = d > PROBES ? 1.0f / PROBES : 1.0f;
    size_t size = (size_t)(d * n) * sizeof(float);
    memset(w->g, 0, (size_t)n * sizeof(float)); /* the determinants do not count */
    memcpy(w->grad[0], z, size);
    backward(w, n, NULL);
    memcpy(w->slope, w->grad[0], size);
    memset(w->curve, 0, size);
    for (int64_t k = 0; k < probes; k++) {
        start_probe(w, n, k);
        backward(w, n, NULL);
        for (int64_t i = 0; i < d * n; i++) w->curve[i] += share * w->grad[0][i] * w->grad[0][i];
    }
}

void od_flow_attribute(od_flow *w, const float *x, int64_t rows, const od_attribution_parts *to)
{
    int64_t n = to_lanes(w, x, rows, w->x), d = w->layout->shape.d;
    const float *z = forward(w, n);
    losses_of(w, z, n);
    probe(w, z, n);
    for (int64_t i = 0; i < rows; i++) {
        double rest = (double)w->loss[i];
        to->loss[i] += rest;
        for (int64_t j = 0; j < d; j++) {
            double slope = (double)w->slope[j * n + i], curve = (double)w->curve[j * n + i];
            double step = curve > 0.0 ? slope / curve : 0.0, part = 0.5 * slope * step;
            to->part[i * d + j] += part;
            to->mean[i * d + j] += (double)x[i * d + j] - step;
            rest -= part;
        }
        to->code[i] += rest;
    }
}

void od_flow_forward(od_flow *w, const float *x, int64_t rows, float *z)
{
    int64_t n = to_lanes(w, x, rows, w->x);
    to_rows(w, forward(w, n), rows, z);
}

void od_flow_inverse(od_flow *w, const float *z, int64_t rows, float *x)
{
    const od_step *s = &w->layout->step;
    int64_t n = to_lanes(w, z, rows, w->grad[0]);
    for (int i = w->layout->shape.steps - 1; i >= 0; i--) {
        od_flow_step *p = &w->step[i];
        const float *params = params_of(w, i);
        if (s->kept) od_coupling_inverse(&p->coupling, w->kern, s, params, n, w->grad[0]);
        if (s->linear) od_linear_inverse(&p->linear, w->grad[0], n, w->grad[0]);
        od_actnorm_inverse(&p->norm, params + s->actnorm, w->grad[0], n, w->grad[1]);
        memcpy(w->grad[0], w->grad[1], (size_t)(w->layout->shape.d * n) * sizeof(float));
    }
    to_rows(w, w->grad[0], rows, x);
}
