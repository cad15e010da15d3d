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
 * The likelihood kernel leaves its derivatives in place of the decoder's outputs, so each exponential is
 * taken once. Only the hidden layers of the decoder need the whole batch (its statistics): the wide outputs
 * are made, used and dropped for a few data rows at a time, which keeps them in cache and the memory small
 * for wide tables.
 */
#include "net/iwae.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

#define HEAD_FLOATS (64 * 1024) /* 256 KiB of decoder outputs at a time */

static const double log_2pi = 1.8378770664093453;

odim_status od_iwae_new(od_iwae *w, const od_kern *kern, const od_layout *layout, int64_t rows,
                        int64_t samples, bool training, odim_error *err)
{
    *w = (od_iwae){.kern = kern, .layout = layout, .rows = rows, .samples = samples};
    size_t n = (size_t)rows, k = (size_t)samples, latent = (size_t)layout->shape.latent;
    size_t outputs = (size_t)layout->dec.outputs;
    w->block = HEAD_FLOATS / (int64_t)(k * outputs);
    if (w->block < 1) w->block = 1;
    if (w->block > rows) w->block = rows;
    odim_status status = od_stack_work_new(&w->enc, &layout->enc, rows, training, err);
    if (!status) status = od_stack_work_new(&w->dec, &layout->dec, rows * samples, training, err);
    if (status) {
        od_iwae_free(w);
        return status;
    }
    bool ok = (w->code = od_alloc(n * 2 * latent, sizeof(float))) &&
              (w->scale = od_alloc(n * latent, sizeof(float)));
    ok = ok && (w->z = od_alloc(n * k * latent, sizeof(float)));
    ok = ok && (!training || (w->dz = od_alloc(n * k * latent, sizeof(float))));
    ok = ok && (w->head = od_alloc((size_t)w->block * k * outputs, sizeof(float)));
    ok = ok && (w->logw = od_alloc(n * k, sizeof(float)));
    ok = ok && (w->weight = od_alloc((size_t)w->block * k, sizeof(float)));
    ok = ok && (w->sums = od_alloc((size_t)layout->shape.d + latent, sizeof(double)));
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
    od_free(w->dz);
    od_free(w->head);
    od_free(w->logw);
    od_free(w->weight);
    od_free(w->sums);
    *w = (od_iwae){0};
}

static float clamp_lv(float raw)
{
    float lv = raw > OD_LV_MIN ? raw : OD_LV_MIN;
    return lv < OD_LV_MAX ? lv : OD_LV_MAX;
}

/* z, and in logw the part of log w that does not need the decoder. */
static void sample(od_iwae *w, int64_t rows, const float *eps, int64_t eps_step)
{
    int64_t latent = w->layout->shape.latent, k = w->samples;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < latent; j++)
            w->scale[i * latent + j] = clamp_lv(w->code[i * 2 * latent + latent + j]) * 0.5f;
    w->kern->exp(w->scale, w->scale, rows * latent);
    for (int64_t i = 0; i < rows; i++) {
        const float *mu = w->code + i * 2 * latent, *raw = mu + latent, *scale = w->scale + i * latent;
        for (int64_t s = 0; s < k; s++) {
            const float *e = eps + i * eps_step + s * latent;
            float *z = w->z + (i * k + s) * latent;
            float twice = 0.0f;
            for (int64_t j = 0; j < latent; j++) {
                z[j] = mu[j] + scale[j] * e[j];
                twice += clamp_lv(raw[j]) + (e[j] * e[j] - z[j] * z[j]);
            }
            w->logw[i * k + s] = 0.5f * twice;
        }
    }
}

/* What the kernel's log-likelihood leaves out: constant in everything we train, but not in what it means. */
static double constant(const od_shape *shape)
{
    bool normalised = shape->lik == OD_LIK_GAUSSIAN || shape->lik == OD_LIK_UNIT;
    return normalised ? -0.5 * (double)shape->d * log_2pi : 0.0;
}

/*
 * Decoder outputs of data rows start..start+count-1: log w complete, loss, and with grad the softmax weights
 * and the derivatives of log p(x|z) in head. A loss that is not a number says that the network has run away.
 */
static void weigh(od_iwae *w, const float *params, const float *x, int64_t start, int64_t count, bool grad,
                  float *loss)
{
    const od_shape *shape = &w->layout->shape;
    int64_t k = w->samples, outputs = w->layout->dec.outputs;
    double offset = log((double)k) - constant(shape);
    od_head_fwd(w->kern, &w->layout->dec, params, w->head, start * k, count * k, &w->dec);
    for (int64_t i = 0; i < count; i++) {
        float *logw = w->logw + (start + i) * k, *v = w->weight + i * k;
        float max, sum;
        /* weight is free until the softmax: it holds the log-likelihoods. */
        w->kern->lik(shape->lik, v, w->head + i * k * outputs, outputs, x + (start + i) * shape->d, k,
                     shape->d, grad);
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
    od_stack_eval(w->kern, &l->enc, params, stats, x, rows, &w->enc);
    od_head_fwd(w->kern, &l->enc, params, w->code, 0, rows, &w->enc);
    sample(w, rows, eps, shared ? 0 : w->samples * l->shape.latent);
    od_stack_eval(w->kern, &l->dec, params, stats, w->z, rows * w->samples, &w->dec);
    for (int64_t i = 0; i < rows; i += w->block)
        weigh(w, params, x, i, rows - i < w->block ? rows - i : w->block, false, loss);
}

/* From dz to the gradient of the code, which it replaces. weight of each sample is in logw by now. */
static void sample_bwd(od_iwae *w, int64_t rows, const float *eps)
{
    int64_t latent = w->layout->shape.latent, k = w->samples;
    for (int64_t i = 0; i < rows; i++) {
        float *dmu = w->code + i * 2 * latent, *dlv = dmu + latent;
        const float *scale = w->scale + i * latent, *g = w->logw + i * k;
        for (int64_t j = 0; j < latent; j++) {
            bool inside = dlv[j] > OD_LV_MIN && dlv[j] < OD_LV_MAX;
            float sum_mu = 0.0f, sum_lv = 0.0f;
            for (int64_t s = 0; s < k; s++) {
                int64_t at = (i * k + s) * latent + j;
                float dz = w->dz[at] - g[s] * w->z[at];
                sum_mu += dz;
                sum_lv += dz * eps[at] * scale[j] + g[s];
            }
            dmu[j] = sum_mu;
            dlv[j] = inside ? 0.5f * sum_lv : 0.0f;
        }
    }
}

void od_iwae_grad(od_iwae *w, const float *params, float *stats, float *dparams, const float *x, int64_t rows,
                  const float *eps, float *loss)
{
    const od_layout *l = w->layout;
    int64_t k = w->samples;
    od_stack_train(w->kern, &l->enc, params, stats, x, rows, &w->enc);
    od_head_fwd(w->kern, &l->enc, params, w->code, 0, rows, &w->enc);
    sample(w, rows, eps, k * l->shape.latent);
    od_stack_train(w->kern, &l->dec, params, stats, w->z, rows * k, &w->dec);

    for (int64_t i = 0; i < rows; i += w->block) {
        int64_t count = rows - i < w->block ? rows - i : w->block;
        weigh(w, params, x, i, count, true, loss);
        /* From here on logw holds g = -v / rows. */
        float *g = w->logw + i * k;
        for (int64_t s = 0; s < count * k; s++) g[s] = -w->weight[s] / (float)rows;
        w->kern->row_scale(w->head, g, count * k, l->dec.outputs);
        od_head_bwd(w->kern, &l->dec, params, dparams, w->head, i * k, count * k, w->sums, &w->dec);
    }
    od_stack_bwd(w->kern, &l->dec, params, dparams, w->dz, w->z, rows * k, &w->dec);
    sample_bwd(w, rows, eps);
    od_head_bwd(w->kern, &l->enc, params, dparams, w->code, 0, rows, w->sums, &w->enc);
    od_stack_bwd(w->kern, &l->enc, params, dparams, NULL, x, rows, &w->enc);
}
