/*
 * The importance weighted autoencoder (Burda et al., 2016; the paper's equation for L^IWAE).
 *
 * The encoder turns a row x into a Gaussian over the latent, q(z|x) = N(mu, exp(lv)). We draw K points from
 * it, z_k = mu + exp(lv/2) eps_k, and ask the decoder how well each explains x. With
 *
 *     log w_k = log p(x|z_k) + log p(z_k) - log q(z_k|x)
 *
 * the loss is  L(x) = -log( (1/K) sum_k w_k ),  an upper bound of -log p(x) that tightens as K grows; K = 1
 * is the variational autoencoder. Since z_k - mu = exp(lv/2) eps_k, the two densities of z need no division:
 *
 *     log p(z) - log q(z|x) = sum_j ( -z_j^2 + lv_j + eps_j^2 ) / 2,      the 2 pi cancels.
 *
 * Backward. With v_k = w_k / sum w (a softmax of log w), dL = -sum_k v_k d log w_k. So every decoder output
 * row gets the derivative of its own log p(x|z_k) times g_k = -v_k / rows, and
 *
 *     dz_k  = (from the decoder) - g_k z_k
 *     dmu   = sum_k dz_k
 *     dlv   = sum_k dz_k eps_k exp(lv/2) / 2  +  sum_k g_k / 2,       0 where lv is clamped.
 *
 * Three things make it fast. The likelihood kernel leaves its derivatives in place of the decoder's outputs,
 * so each exponential is taken once. Data rows go through the decoder a few at a time, so that what they need
 * stays in cache (with batch normalisation only the head can do so: its statistics need the whole batch). And
 * most samples have next to no weight: with a hundred columns nine of ten of the fifty have v_k < 1e-8. Those
 * are left out of the backward pass; together they weigh less than the rounding of the rest.
 */
#include "net/iwae.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

#define BLOCK_FLOATS (64 * 1024) /* 256 KiB of decoder activations at a time, */
#define LEAST_BLOCK  8           /* but enough rows to be worth the packing of wide weights */
#define LIGHT_TOTAL  5e-7f       /* what the samples left out of the backward pass may weigh together */

static const double log_2pi = 1.8378770664093453;

static int64_t block_rows(const od_layout *l, bool whole, int64_t rows, int64_t samples)
{
    int64_t width = l->dec.outputs;
    for (int i = 0; i < l->dec.layers && !whole; i++) width += l->dec.layer[i].out;
    int64_t block = BLOCK_FLOATS / (samples * width);
    if (block < LEAST_BLOCK) block = LEAST_BLOCK;
    return block > rows ? rows : block;
}

odim_status od_iwae_new(od_iwae *w, const od_kern *kern, const od_layout *layout, int64_t rows,
                        int64_t samples, bool training, odim_error *err)
{
    *w = (od_iwae){.kern = kern, .layout = layout, .samples = samples};
    w->whole = training && layout->shape.batch_norm;
    w->block = block_rows(layout, w->whole, rows, samples);
    odim_status status = od_stack_work_new(&w->enc, &layout->enc, rows, training, err);
    if (!status)
        status =
            od_stack_work_new(&w->dec, &layout->dec, (w->whole ? rows : w->block) * samples, training, err);
    if (status) {
        od_iwae_free(w);
        return status;
    }
    size_t n = (size_t)rows, k = (size_t)samples, latent = (size_t)layout->shape.latent;
    size_t bk = (size_t)w->block * k, in = (size_t)layout->dec.in;
    bool ok = (w->code = od_alloc(n * 2 * latent, sizeof(float))) &&
              (w->scale = od_alloc(n * latent, sizeof(float))) &&
              (w->z = od_alloc(n * k * latent, sizeof(float))) &&
              (w->logw = od_alloc(n * k, sizeof(float))) &&
              (w->head = od_alloc(bk * (size_t)layout->dec.outputs, sizeof(float))) &&
              (w->weight = od_alloc(bk, sizeof(float))) &&
              (w->sums = od_alloc((size_t)layout->shape.d + latent, sizeof(double)));
    if (ok && training)
        ok = (w->dz = od_alloc(n * k * latent, sizeof(float))) && (w->live = od_alloc(bk, sizeof(int64_t))) &&
             (w->gain = od_alloc(bk, sizeof(float))) && (w->live_act = od_alloc(bk * in, sizeof(float))) &&
             (w->live_dact = od_alloc(bk * in, sizeof(float))) &&
             (w->live_z = od_alloc(bk * latent, sizeof(float))) &&
             (w->live_dz = od_alloc(bk * latent, sizeof(float)));
    if (ok) return ODIM_OK;
    od_iwae_free(w);
    return od_fail_nomem(err);
}

void od_iwae_free(od_iwae *w)
{
    od_stack_work_free(&w->enc);
    od_stack_work_free(&w->dec);
    od_free(w->code);
    od_free(w->scale);
    od_free(w->z);
    od_free(w->logw);
    od_free(w->head);
    od_free(w->weight);
    od_free(w->sums);
    od_free(w->dz);
    od_free(w->live);
    od_free(w->gain);
    od_free(w->live_act);
    od_free(w->live_dact);
    od_free(w->live_z);
    od_free(w->live_dz);
    *w = (od_iwae){0};
}

static float clamp_lv(float raw)
{
    float lv = raw > OD_LV_MIN ? raw : OD_LV_MIN;
    return lv < OD_LV_MAX ? lv : OD_LV_MAX;
}

/* The encoder: the code of each row, from it z, and in logw the part of log w that does not need the decoder.
 */
static void encode(od_iwae *w, const float *params, int64_t rows, const float *eps, int64_t eps_step)
{
    const od_stack *enc = &w->layout->enc;
    int64_t latent = enc->dim, k = w->samples;
    od_head_fwd(w->kern, enc, params, w->code, od_stack_top(enc, &w->enc), rows);
    for (int64_t i = 0; i < rows; i++) {
        float *raw = w->code + i * 2 * latent + latent;
        for (int64_t j = 0; j < latent; j++) {
            raw[j] += params[enc->head_b + (size_t)j];
            w->scale[i * latent + j] = clamp_lv(raw[j]) * 0.5f;
        }
    }
    w->kern->exp(w->scale, w->scale, rows * latent);
    for (int64_t i = 0; i < rows; i++) {
        const float *mu = w->code + i * 2 * latent, *raw = mu + latent;
        float *logw = w->logw + i * k, lv = 0.0f;
        for (int64_t j = 0; j < latent; j++) lv += clamp_lv(raw[j]);
        w->kern->sample(w->z + i * k * latent, logw, mu, w->scale + i * latent, eps + i * eps_step, k,
                        latent);
        for (int64_t s = 0; s < k; s++) logw[s] = 0.5f * (logw[s] + lv);
    }
}

/* What the kernel's log-likelihood leaves out: constant in everything we train, but not in what it means. */
static double constant(const od_shape *shape)
{
    bool normalised = shape->lik == OD_LIK_GAUSSIAN || shape->lik == OD_LIK_UNIT;
    return normalised ? -0.5 * (double)shape->d * log_2pi : 0.0;
}

/*
 * The head for data rows start..start+count-1, whose last activation is act: log w complete, loss, and with
 * grad the softmax weights and the derivatives of log p(x|z) in head. A loss that is not a number says that
 * the network has run away.
 */
static void weigh(od_iwae *w, const float *params, const float *act, const float *x, int64_t start,
                  int64_t count, bool grad, float *loss)
{
    const od_shape *shape = &w->layout->shape;
    int64_t k = w->samples, outputs = w->layout->dec.outputs;
    double offset = log((double)k) - constant(shape);
    od_head_fwd(w->kern, &w->layout->dec, params, w->head, act, count * k);
    for (int64_t i = 0; i < count; i++) {
        float *logw = w->logw + (start + i) * k, *v = w->weight + i * k;
        float max, sum;
        /* weight is free until the softmax: it holds the log-likelihoods. */
        w->kern->lik(shape->lik, v, w->head + i * k * outputs, outputs, params + w->layout->dec.head_b,
                     x + (start + i) * shape->d, k, shape->d, grad);
        bool finite = true;
        for (int64_t s = 0; s < k; s++) {
            logw[s] += v[s];
            finite = finite && isfinite(logw[s]);
        }
        w->kern->softmax(logw, k, grad ? v : NULL, &max, &sum);
        loss[start + i] = finite ? (float)(offset - ((double)max + log((double)sum))) : NAN;
    }
}

void od_iwae_loss(od_iwae *w, const float *params, const float *stats, const float *x, int64_t rows,
                  const float *eps, bool shared, float *loss)
{
    const od_layout *l = w->layout;
    const od_stack *dec = &l->dec;
    int64_t k = w->samples, latent = l->shape.latent;
    od_stack_eval(w->kern, &l->enc, params, stats, x, rows, &w->enc);
    encode(w, params, rows, eps, shared ? 0 : k * latent);
    for (int64_t i = 0; i < rows; i += w->block) {
        int64_t count = rows - i < w->block ? rows - i : w->block;
        od_stack_eval(w->kern, dec, params, stats, w->z + i * k * latent, count * k, &w->dec);
        weigh(w, params, od_stack_top(dec, &w->dec), x, i, count, false, loss);
    }
}

/*
 * From the weights of a block to g = -v / rows, in logw: 0 where the weight is next to nothing. The other
 * samples are listed, and their rows of head gathered and scaled by g. Returns how many there are.
 */
static int64_t keep_live(od_iwae *w, int64_t start, int64_t count, int64_t rows)
{
    float *g = w->logw + start * w->samples, least = LIGHT_TOTAL / (float)w->samples;
    int64_t live = 0;
    for (int64_t s = 0; s < count * w->samples; s++) {
        bool counts = w->weight[s] >= least;
        g[s] = counts ? -w->weight[s] / (float)rows : 0.0f;
        w->live[live] = s;
        w->gain[live] = g[s];
        live += counts;
    }
    w->kern->row_pick(w->head, w->head, w->live, w->gain, live, w->layout->dec.outputs);
    return live;
}

/* to (count * samples, cols): zero but for the live rows. */
static void scatter(const od_iwae *w, float *to, const float *from, int64_t live, int64_t count, int64_t cols)
{
    memset(to, 0, (size_t)(count * w->samples * cols) * sizeof(float));
    for (int64_t s = 0; s < live; s++)
        memcpy(to + w->live[s] * cols, from + s * cols, (size_t)cols * sizeof(float));
}

/* Batch normalisation: all hidden layers forward, the head block by block and back, all hidden layers back.
 */
static void decode_whole(od_iwae *w, const float *params, float *stats, float *dparams, const float *x,
                         int64_t rows, float *loss)
{
    const od_stack *dec = &w->layout->dec;
    int64_t k = w->samples;
    od_stack_train(w->kern, dec, params, stats, w->z, rows * k, &w->dec);
    for (int64_t i = 0; i < rows; i += w->block) {
        int64_t count = rows - i < w->block ? rows - i : w->block;
        float *act = od_stack_top(dec, &w->dec) + i * k * dec->in;
        weigh(w, params, act, x, i, count, true, loss);
        int64_t live = keep_live(w, i, count, rows);
        w->kern->row_pick(w->live_act, act, w->live, NULL, live, dec->in);
        od_head_bwd(w->kern, dec, params, dparams, w->live_dact, w->head, w->live_act, live, w->sums);
        scatter(w, w->dec.grad + i * k * dec->in, w->live_dact, live, count, dec->in);
    }
    od_stack_bwd(w->kern, dec, params, dparams, w->dz, w->z, rows * k, &w->dec);
}

/* Without it rows are independent: a block goes all the way forward and, its live samples only, all the way
 * back. */
static void decode_blocks(od_iwae *w, const float *params, float *dparams, const float *x, int64_t rows,
                          float *loss)
{
    const od_stack *dec = &w->layout->dec;
    int64_t k = w->samples, latent = w->layout->shape.latent;
    for (int64_t i = 0; i < rows; i += w->block) {
        int64_t count = rows - i < w->block ? rows - i : w->block;
        const float *z = w->z + i * k * latent;
        od_stack_train(w->kern, dec, params, NULL, z, count * k, &w->dec);
        weigh(w, params, od_stack_top(dec, &w->dec), x, i, count, true, loss);
        int64_t live = keep_live(w, i, count, rows);
        for (int l = 0; l < dec->layers; l++)
            w->kern->row_pick(w->dec.act[l], w->dec.act[l], w->live, NULL, live, dec->layer[l].out);
        w->kern->row_pick(w->live_z, z, w->live, NULL, live, latent);
        od_head_bwd(w->kern, dec, params, dparams, w->dec.grad, w->head, od_stack_top(dec, &w->dec), live,
                    w->sums);
        od_stack_bwd(w->kern, dec, params, dparams, w->live_dz, w->live_z, live, &w->dec);
        scatter(w, w->dz + i * k * latent, w->live_dz, live, count, latent);
    }
}

/* From dz to the gradient of the code, which it replaces. */
static void sample_bwd(od_iwae *w, int64_t rows, const float *eps)
{
    int64_t latent = w->layout->shape.latent, k = w->samples;
    float *sum = (float *)w->sums;
    for (int64_t i = 0; i < rows; i++) {
        float *dmu = w->code + i * 2 * latent, *dlv = dmu + latent;
        int64_t at = i * k * latent;
        w->kern->sample_bwd(dmu, sum, w->dz + at, w->z + at, eps + at, w->logw + i * k, w->scale + i * latent,
                            k, latent);
        for (int64_t j = 0; j < latent; j++) {
            bool inside = dlv[j] > OD_LV_MIN && dlv[j] < OD_LV_MAX;
            dlv[j] = inside ? 0.5f * sum[j] : 0.0f;
        }
    }
}

void od_iwae_grad(od_iwae *w, const float *params, float *stats, float *dparams, const float *x, int64_t rows,
                  const float *eps, float *loss)
{
    const od_stack *enc = &w->layout->enc;
    od_stack_train(w->kern, enc, params, stats, x, rows, &w->enc);
    encode(w, params, rows, eps, w->samples * w->layout->shape.latent);
    if (w->whole)
        decode_whole(w, params, stats, dparams, x, rows, loss);
    else
        decode_blocks(w, params, dparams, x, rows, loss);
    sample_bwd(w, rows, eps);
    od_head_bwd(w->kern, enc, params, dparams, w->enc.grad, w->code, od_stack_top(enc, &w->enc), rows,
                w->sums);
    od_stack_bwd(w->kern, enc, params, dparams, NULL, x, rows, &w->enc);
}
