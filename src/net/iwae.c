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
 * Known outliers (the paper's appendix D.1). The network learns that these rows are unlikely: their
 * log-likelihood is pushed down. Pushing a lower bound down would achieve nothing, because a bound can be
 * low while the likelihood is high. So we push an upper bound, the chi bound CUBO_u (Dieng et al., 2017) with
 * u = 2,
 *
 *     C(x) = (1/u) log E_q[ w^u ],     here (1/u) log( (1/K) sum_k w_k^u ).
 *
 * A batch of nU other rows and nL known outliers has the loss  mean_U L + gamma mean_L C. In the logarithm
 * w^u is u log w, so C is a log-sum-exp as L is, and as stable; dC = sum_k v_k d log w_k with v a softmax of
 * u log w. All that changes is g_k: + gamma v_k / nL for a known outlier, - v_k / nU for the others. Both
 * kinds share the statistics of batch normalization: separate statistics would bring both to the same mean
 * and hide the difference between them.
 *
 * Rows of data lie across the lanes of vectors (kern/kern.h), so the number of columns need not be a multiple
 * of anything. Three more things in net/decode.c make it fast:
 *
 *   - The decoder sees K samples per row and does nearly all of the work. It takes a chunk of rows at a time,
 *     8 of them for K = 50, which makes 400 lanes whose activations fit into the cache. Without batch
 *     normalization a chunk runs forward and backward through all layers before the next one starts. With it
 *     there is one pass per layer, because the statistics need the whole batch.
 *   - The likelihood kernel writes its derivatives over the decoder's outputs, so each exponential is
 *     computed once.
 *   - Most samples have negligible weight: with 36 columns, six of seven of the fifty have v_k < 1e-8. The
 *     backward pass leaves them out wherever rows are independent; their total weight is less than the
 *     rounding error of the rest.
 *
 * Chunks are grouped into shards, each with its own sum of gradients, and the shards are added in ascending
 * order. So the threads of a team can share the shards, and the bits do not depend on the number of threads.
 */
#include "net/iwae.h"

#include <string.h>

#include "common/mem.h"

odim_status od_iwae_new(od_iwae *w, const od_kern *kern, const od_layout *layout, const od_net_options *o,
                        odim_error *err)
{
    bool training = o->training;
    *w = (od_iwae){.kern = kern, .layout = layout};
    od_shape plain = layout->shape;
    plain.batch_norm = false;
    od_layout_make(&w->plain, &plain);
    int64_t lanes = od_lanes(o->rows);
    odim_status status = od_mlp_work_new(&w->enc, &layout->enc, lanes, training, err);
    if (!status) status = od_decoder_new(&w->dec, kern, layout, &w->plain, o, err);
    size_t n = (size_t)lanes, latent = (size_t)layout->shape.latent;
    if (!status) {
        bool ok = (w->x = od_alloc((size_t)layout->shape.d * n, sizeof(float))) &&
                  (w->on = od_alloc(n, sizeof(float))) &&
                  (w->code = od_alloc(2 * latent * n, sizeof(float))) &&
                  (w->scale = od_alloc(latent * n, sizeof(float))) && (w->lv = od_alloc(n, sizeof(float))) &&
                  (w->loss = od_alloc(n, sizeof(float)));
        if (ok && layout->shape.batch_norm) ok = (w->folded = od_alloc(w->plain.params, sizeof(float)));
        if (ok && training)
            ok = (w->dcode = od_alloc(2 * latent * n, sizeof(float))) &&
                 (w->sums = od_alloc(latent, sizeof(double)));
        if (!ok) status = od_fail_nomem(err);
    }
    if (status) od_iwae_free(w);
    return status;
}

void od_iwae_free(od_iwae *w)
{
    od_mlp_work_free(&w->enc);
    od_decoder_free(&w->dec);
    od_free(w->x);
    od_free(w->on);
    od_free(w->code);
    od_free(w->scale);
    od_free(w->lv);
    od_free(w->loss);
    od_free(w->folded);
    od_free(w->dcode);
    od_free(w->sums);
    *w = (od_iwae){0};
}

int64_t od_iwae_noise(const od_iwae *w, int64_t rows)
{
    return od_lanes(rows) * w->dec.samples * w->layout->shape.latent;
}

int64_t od_iwae_noise_at(const od_iwae *w, int64_t rows, int64_t row, int64_t sample, int64_t j)
{
    return od_decoder_noise_at(&w->dec, od_lanes(rows), row, sample, j);
}

static float clamp_lv(float raw)
{
    float lv = raw > OD_LV_MIN ? raw : OD_LV_MIN;
    return lv < OD_LV_MAX ? lv : OD_LV_MAX;
}

/* Transposes rows into lanes. Padding repeats the last row, so that it is harmless. */
static od_batch start(od_iwae *w, const float *x, int64_t rows, const float *eps)
{
    int64_t d = w->layout->shape.d, n = od_lanes(rows);
    for (int64_t i = 0; i < n; i++) w->on[i] = i < rows ? 1.0f : 0.0f;
    for (int64_t j = 0; j < d; j++) {
        float *lane = w->x + j * n;
        for (int64_t i = 0; i < rows; i++) lane[i] = x[i * d + j];
        for (int64_t i = rows; i < n; i++) lane[i] = lane[rows - 1];
    }
    return (od_batch){.rows = rows,
                      .lanes = n,
                      .x = w->x,
                      .mu = w->code,
                      .scale = w->scale,
                      .lv = w->lv,
                      .eps = eps,
                      .loss = w->loss};
}

/* From the encoder's last activation to the parameters of q(z|x). */
static void encode(od_iwae *w, const od_mlp_pass *p)
{
    int64_t latent = p->mlp->dim, n = p->n;
    float *raw = w->code + latent * n;
    od_head_fwd(p, od_mlp_top(p->mlp, &w->enc), w->code);
    memset(w->lv, 0, (size_t)n * sizeof(float));
    for (int64_t j = 0; j < latent; j++) {
        float bias = p->params[p->mlp->head_b + (size_t)j];
        for (int64_t i = j * n; i < (j + 1) * n; i++) {
            raw[i] += bias;
            float lv = clamp_lv(raw[i]);
            w->lv[i - j * n] += lv;
            w->scale[i] = 0.5f * lv;
        }
    }
    w->kern->exp(w->scale, w->scale, latent * n);
}

void od_iwae_ready(od_iwae *w, const float *params, const float *stats)
{
    od_iwae_use(w, od_iwae_fold(w, params, stats, w->folded));
}

const float *od_iwae_fold(const od_iwae *w, const float *params, const float *stats, float *folded)
{
    if (!w->layout->shape.batch_norm) return params;
    od_norm_fold(&w->layout->enc, params, stats, &w->plain.enc, folded);
    od_norm_fold(&w->layout->dec, params, stats, &w->plain.dec, folded);
    return folded;
}

void od_iwae_use(od_iwae *w, const float *eval)
{
    w->eval = eval;
}

od_batch od_iwae_encode(od_iwae *w, const float *x, int64_t rows, const float *eps, bool shared)
{
    od_batch b = start(w, x, rows, eps);
    b.shared = shared;
    od_mlp_pass p = {w->kern, &w->plain.enc, w->eval, NULL, b.lanes};
    od_mlp_eval(&p, w->x, &w->enc);
    encode(w, &p);
    return b;
}

void od_iwae_loss(od_iwae *w, const float *x, int64_t rows, const float *eps, bool shared, float *loss)
{
    od_batch b = od_iwae_encode(w, x, rows, eps, shared);
    od_decoder_eval(&w->dec, w->eval, &b);
    memcpy(loss, w->loss, (size_t)rows * sizeof(float));
}

void od_iwae_losses(od_iwae *w, const float *x, int64_t rows, const float *eps, int64_t sets, int64_t stride,
                    float *loss)
{
    od_batch b = od_iwae_encode(w, x, rows, eps, true);
    for (int64_t s = 0; s < sets; s++) {
        b.eps = eps + s * w->dec.samples * w->layout->shape.latent;
        od_decoder_eval(&w->dec, w->eval, &b);
        memcpy(loss + s * stride, w->loss, (size_t)rows * sizeof(float));
    }
}

void od_iwae_grad(od_iwae *w, const float *params, float *stats, float *dparams, const od_train_batch *batch)
{
    const od_mlp *enc = &w->layout->enc;
    int64_t latent = enc->dim, rows = batch->rows;
    od_batch b = start(w, batch->x, rows, batch->eps);
    od_mlp_pass p = {w->kern, enc, params, dparams, b.lanes};
    b.known = batch->known;
    const float *on = b.rows < b.lanes ? w->on : NULL;
    b.dmu = w->dcode;
    b.dlv = w->dcode + latent * b.lanes;
    od_mlp_train(&p, stats, w->x, on, rows, &w->enc);
    encode(w, &p);
    od_decoder_train(&w->dec, params, stats, dparams, &b);
    memcpy(batch->loss, w->loss, (size_t)rows * sizeof(float));

    const float *raw = w->code + latent * b.lanes;
    for (int64_t i = 0; i < latent * b.lanes; i++) {
        bool inside = raw[i] > OD_LV_MIN && raw[i] < OD_LV_MAX;
        b.dlv[i] = inside ? 0.5f * b.dlv[i] : 0.0f;
    }
    od_head_bwd(&p, w->dcode, od_mlp_top(enc, &w->enc), w->enc.grad, w->sums);
    od_mlp_bwd(&p, w->x, on, rows, NULL, &w->enc);
}
