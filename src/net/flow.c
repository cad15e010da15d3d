/*
 * A normalising flow (after GLOW: Kingma and Dhariwal, 2018), for rows of numbers instead of images.
 *
 * An invertible map z = f(x) is trained so that z is standard normal. Then the density of x is exact,
 *
 *     L(x) = -log p(x) = |z|^2 / 2 + (d / 2) log(2 pi) - log |det df/dx|,
 *
 * with no latent code to be summed over, no samples and no noise. f is a number of steps, each of three
 * layers whose inverses and determinants are cheap:
 *
 *     actnorm     an order of the features, drawn once and never trained; then a scale and a shift of each
 *     linear      a matrix W = L U of two triangles (not above OD_LINEAR_MOST features: it has d^2 numbers)
 *     coupling    half of the features say how the other half is scaled and shifted
 *
 * The order, L and U make up GLOW's invertible 1x1 convolution. One feature alone has neither of the last two
 * layers: it gets one normal distribution.
 *
 * At the start L and U are the identity, couplings too, and the first actnorm gives the first batch mean 0
 * and variance 1. So all that comes after it has such inputs, and begins with scale 1 and shift 0: the flow
 * starts as one independent normal distribution a feature and learns from there. (GLOW draws a random
 * rotation for W and measures at every actnorm. Rows with a constant feature would then be blown up by each.)
 *
 * Backward. A row's loss has the weight g in that of the batch: 1/nU. So dz = g z, and each layer's
 * log-determinant has the derivative -g.
 *
 * Known outliers. Without a latent code the chi bound of net/iwae.c is log p(x) itself. But there the clamp
 * of the log-variances ends what can be gained by pushing it down, and here nothing does: a few rows on their
 * way to minus infinity would be all that the batch is about. So what is pushed is log(p(x) + exp(-c)), which
 * stays above -c; c is MARGIN nats a feature above the median of the others' losses. The weight of a
 * known outlier is then g = -(gamma/nL) / (1 + exp(L - c)): next to nothing once it is unlikely enough.
 *
 * The account. There is no sum over features here that could be taken apart: every z depends on every x. What
 * one can ask is how much of |z|^2 / 2 would be gone if one value were the best that it can be. Around x, f
 * is as good as linear: let J_j be the derivative of z by x_j. Then the best place for x_j alone is where z +
 * J_j step is shortest, and
 *
 *     part_j     = (J_j z)^2 / (2 |J_j|^2)      what |z|^2 / 2 falls by,
 *     expected_j = x_j - (J_j z) / |J_j|^2      that place.
 *
 * So 0 <= part_j <= |z|^2 / 2, and for independent normal features the parts add up to it. The rest, L less
 * all parts, is what "code" is in an IWAE. J_j z is the way back, started with z. |J_j|^2 = sum_i
 * (dz_i/dx_j)^2 takes a way back for each of the d numbers z_i. Above PROBES features it is estimated:
 * started with random signs in the place of z, the way back gives numbers whose mean square is |J_j|^2
 * (Hutchinson's trick), to within a third or so for each member. The signs are the same for every row, so the
 * account is a function of the row.
 */
#include "net/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/compare.h"
#include "base/mem.h"

#define HALF_LOG_2PI 0.91893853320467274
#define MARGIN       5.0
#define PROBES       16

/* ---- memory ---- */

static bool step_new(od_flow_step *p, const od_layout *l, int64_t lanes)
{
    const od_step *s = &l->step;
    size_t cells = (size_t)(l->shape.d * lanes);
    return od_actnorm_new(&p->norm, l->shape.d, NULL) == ODIM_OK &&
           (!s->linear || od_linear_new(&p->linear, l->shape.d, NULL) == ODIM_OK) &&
           (!s->kept || od_coupling_new(&p->coupling, s, lanes, NULL) == ODIM_OK) &&
           (p->scaled = od_alloc(cells, sizeof(float))) &&
           (!s->linear || (p->mid = od_alloc(cells, sizeof(float)))) &&
           (p->out = od_alloc(cells, sizeof(float)));
}

static void step_free(od_flow_step *p)
{
    od_actnorm_free(&p->norm);
    od_linear_free(&p->linear);
    od_coupling_free(&p->coupling);
    od_free(p->scaled);
    od_free(p->mid);
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

/* Rows into lanes; padding repeats the last row, so that it is harmless. Returns the lanes. */
static int64_t spread(od_flow *w, const float *x, int64_t rows, float *to)
{
    int64_t d = w->layout->shape.d, n = od_lanes(rows);
    for (int64_t i = 0; i < n; i++) w->on[i] = i < rows ? 1.0f : 0.0f;
    for (int64_t j = 0; j < d; j++)
        for (int64_t i = 0; i < n; i++) to[j * n + i] = x[(i < rows ? i : rows - 1) * d + j];
    return n;
}

static void gather(const od_flow *w, const float *from, int64_t rows, float *x)
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
        w->constant -= od_actnorm_ready(&w->step[i].norm, w->kern, p + s->scale, order);
        if (s->linear) w->constant -= od_linear_ready(&w->step[i].linear, w->kern, p + s->lu);
    }
}

void od_flow_start(od_flow *w, float *params, const float *stats, const float *x, int64_t rows)
{
    const od_step *s = &w->layout->step;
    int64_t n = spread(w, x, rows, w->x);
    od_flow_ready(w, params, stats);
    w->moments.count = rows;
    w->kern->moments(w->moments.mean, w->moments.dev, w->x, w->on, w->layout->shape.d, n, rows);
    od_actnorm_start(&w->step[0].norm, &w->moments, params + s->scale, params + s->shift);
}

/* z (d, n) of w->x, and w->logdet. */
static const float *forward(od_flow *w, int64_t n)
{
    const od_step *s = &w->layout->step;
    const float *x = w->x;
    memset(w->logdet, 0, (size_t)n * sizeof(float));
    for (int i = 0; i < w->layout->shape.steps; i++) {
        od_flow_step *p = &w->step[i];
        const float *params = params_of(w, i);
        od_actnorm_fwd(&p->norm, params + s->shift, x, n, p->scaled);
        if (s->linear)
            od_linear_fwd(&p->linear, w->kern, p->scaled, n, p->mid, p->out);
        else
            memcpy(p->out, p->scaled, (size_t)(w->layout->shape.d * n) * sizeof(float));
        if (s->kept) od_coupling_fwd(&p->coupling, w->kern, s, params, n, p->out, w->logdet);
        x = p->out;
    }
    return x;
}

/* From grad[0], of z: grad[0] of w->x. Adds to dparams unless it is NULL. */
static void backward(od_flow *w, int64_t n, float *dparams)
{
    const od_step *s = &w->layout->step;
    double sum_g = 0.0;
    for (int64_t l = 0; l < n; l++) sum_g += (double)w->g[l];
    for (int i = w->layout->shape.steps - 1; i >= 0; i--) {
        od_flow_step *p = &w->step[i];
        const float *params = params_of(w, i);
        float *to = dparams ? dparams + (size_t)i * s->params : NULL;
        if (s->kept) od_coupling_bwd(&p->coupling, w->kern, s, params, n, p->out, w->g, w->grad[0], to);
        if (s->linear)
            od_linear_bwd(&p->linear, w->kern, p->scaled, p->mid, sum_g, n, w->grad[0], w->grad[1],
                          w->grad[0], to ? to + s->lu : NULL);
        od_actnorm_bwd(&p->norm, w->kern, params + s->shift, p->scaled, sum_g, n, w->grad[0], w->grad[1],
                       to ? to + s->scale : NULL, to ? to + s->shift : NULL, w->moments.mean);
        float *down = w->grad[1];
        w->grad[1] = w->grad[0];
        w->grad[0] = down;
    }
}

/* w->loss (n) from z. */
static void take_losses(od_flow *w, const float *z, int64_t n)
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
    int64_t n = spread(w, x, rows, w->x);
    take_losses(w, forward(w, n), n);
    memcpy(loss, w->loss, (size_t)rows * sizeof(float));
}

/* c of the essay; infinity where all rows are known. */
static double limit_of(od_flow *w, int64_t others)
{
    if (others == 0) return INFINITY;
    float *sorted = w->logdet; /* is not needed any more */
    memcpy(sorted, w->loss, (size_t)others * sizeof(float));
    qsort(sorted, (size_t)others, sizeof *sorted, od_compare_float);
    return (double)sorted[others / 2] + MARGIN * (double)w->layout->shape.d;
}

/* The rows from `others` on are known outliers: what is pushed down into loss, and their weights. */
static void take_known(od_flow *w, int64_t others, int64_t rows, float weight, float *loss)
{
    double limit = limit_of(w, others);
    for (int64_t i = others; i < rows; i++) {
        double own = (double)w->loss[i], apart = own - limit;
        loss[i] = (float)(apart > 0 ? log1p(exp(-apart)) - limit : log1p(exp(apart)) - own);
        w->g[i] = (float)(-(double)weight / (double)(rows - others) / (1.0 + exp(apart)));
    }
}

void od_flow_grad(od_flow *w, const float *params, const float *stats, float *dparams, const float *x,
                  int64_t rows, const od_known *known, float *loss)
{
    int64_t n = spread(w, x, rows, w->x), others = rows - (known ? known->rows : 0);
    od_flow_ready(w, params, stats);
    const float *z = forward(w, n);
    take_losses(w, z, n);
    memcpy(loss, w->loss, (size_t)rows * sizeof(float));
    for (int64_t l = 0; l < n; l++) w->g[l] = l < others ? 1.0f / (float)others : 0.0f;
    if (others < rows) take_known(w, others, rows, known->weight, loss);
    for (int64_t j = 0; j < w->layout->shape.d; j++)
        for (int64_t l = 0; l < n; l++) w->grad[0][j * n + l] = z[j * n + l] * w->g[l];
    backward(w, n, dparams);
}

/* w->grad[0] (d, n) for probe k: the k-th unit vector or, where there are fewer probes than features, signs.
 */
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

/* w->slope and w->curve, after the way forward to z. */
static void probe(od_flow *w, const float *z, int64_t n)
{
    int64_t d = w->layout->shape.d, probes = d < PROBES ? d : PROBES;
    float share = d > PROBES ? 1.0f / PROBES : 1.0f;
    size_t size = (size_t)(d * n) * sizeof(float);
    memset(w->g, 0, (size_t)n * sizeof(float)); /* determinants are left out */
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
    int64_t n = spread(w, x, rows, w->x), d = w->layout->shape.d;
    const float *z = forward(w, n);
    take_losses(w, z, n);
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
    int64_t n = spread(w, x, rows, w->x);
    gather(w, forward(w, n), rows, z);
}

void od_flow_inverse(od_flow *w, const float *z, int64_t rows, float *x)
{
    const od_step *s = &w->layout->step;
    int64_t n = spread(w, z, rows, w->grad[0]);
    for (int i = w->layout->shape.steps - 1; i >= 0; i--) {
        od_flow_step *p = &w->step[i];
        const float *params = params_of(w, i);
        if (s->kept) od_coupling_inverse(&p->coupling, w->kern, s, params, n, w->grad[0]);
        if (s->linear) od_linear_inverse(&p->linear, w->grad[0], n, w->grad[0]);
        od_actnorm_inverse(&p->norm, params + s->shift, w->grad[0], n, w->grad[1]);
        memcpy(w->grad[0], w->grad[1], (size_t)(w->layout->shape.d * n) * sizeof(float));
    }
    gather(w, w->grad[0], rows, x);
}
