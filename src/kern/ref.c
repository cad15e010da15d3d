/*
 * The reference kernels in plain C: they define every result and are written to be read.
 *
 * See kern.h for the order of sums.
 */
#include "kern/kern.h"

#include "kern/vecmath.h"

static float leaky(float x)
{
    return x > 0.0f ? x : x * OD_LEAKY;
}

/* The pre-activation that gave an activation. */
static float unleaky(float y)
{
    return y > 0.0f ? y : y * OD_LEAKY_INV;
}

/* The sum of the chains: adds the upper half to the lower until one is left. */
static float fold(float *chain, int count)
{
    for (int width = count / 2; width; width /= 2)
        for (int l = 0; l < width; l++) chain[l] = chain[l] + chain[l + width];
    return chain[0];
}

static void ref_mul(const od_mul_args *o)
{
    for (int64_t i = 0; i < o->m; i++) {
        float *row = o->c + i * o->ldc;
        for (int64_t j = 0; j < o->n; j++) row[j] = o->bias ? o->bias[i] : 0.0f;
        for (int64_t p = 0; p < o->k; p++) {
            float a = o->a[i * o->ars + p * o->acs];
            const float *b = o->b + p * o->ldb;
            for (int64_t j = 0; j < o->n; j++) row[j] = od_fmaf(a, b[j], row[j]);
        }
        for (int64_t j = 0; o->leaky && j < o->n; j++) row[j] = leaky(row[j]);
    }
}

static void ref_dot(const od_dot_args *o)
{
    for (int64_t i = 0; i < o->m; i++) {
        for (int64_t j = 0; j < o->n; j++) {
            const float *a = o->a + i * o->lda, *b = o->b + j * o->ldb;
            float chain[OD_LANES] = {0}, *c = o->c + i * o->ldc + j;
            for (int64_t l = 0; l < o->lanes; l++)
                chain[l % OD_LANES] = od_fmaf(a[l], b[l], chain[l % OD_LANES]);
            *c = *c + fold(chain, OD_LANES);
        }
    }
}

static void ref_norms(const od_norms_args *o)
{
    for (int64_t r = 0; r < o->rows; r++) {
        for (int64_t i = 0; i < o->m; i++) {
            float row = 0.0f;
            for (int64_t j = 0; j < o->n; j++) {
                const float *a = o->a + i * o->lda + r, *b = o->b + j * o->ldb + r;
                float element = 0.0f;
                for (int64_t s = 0; s < o->k; s++) element = od_fmaf(a[s * o->rows], b[s * o->rows], element);
                row = od_fmaf(element, element, row);
            }
            o->norm[r] = o->norm[r] + row;
        }
    }
}

static void ref_exp(float *y, const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) y[i] = od_expf(x[i]);
}

/* Eight blocks of four words make 32 numbers: word j of block b gives number 8 j + b. */
static void ref_normal(float *y, int64_t n, const od_rng *s)
{
    for (int64_t start = 0; start < n; start += 32) {
        float group[32];
        for (int b = 0; b < 8; b++) {
            uint32_t w[4];
            od_rng_block(s, (uint64_t)(start / 4 + b), w);
            od_box_muller(w[0], w[1], &group[b], &group[8 + b]);
            od_box_muller(w[2], w[3], &group[16 + b], &group[24 + b]);
        }
        for (int64_t i = 0; i < 32 && start + i < n; i++) y[start + i] = group[i];
    }
}

static void ref_sum(double *sum, const float *x, int64_t features, int64_t n)
{
    for (int64_t j = 0; j < features; j++) {
        float chain[OD_SUM_LANES] = {0};
        for (int64_t l = 0; l < n; l++) chain[l % OD_SUM_LANES] = chain[l % OD_SUM_LANES] + x[j * n + l];
        sum[j] = (double)fold(chain, OD_SUM_LANES);
    }
}

static void ref_moments(double *mean, double *dev, const float *x, const float *on, int64_t features,
                        int64_t n, int64_t count)
{
    for (int64_t j = 0; j < features; j++, x += n) {
        float chain[OD_SUM_LANES] = {0}, square[OD_SUM_LANES] = {0};
        for (int64_t l = 0; l < n; l++) {
            float *c = &chain[l % OD_SUM_LANES];
            *c = *c + (on ? x[l] * on[l] : x[l]);
        }
        mean[j] = (double)fold(chain, OD_SUM_LANES) / (double)count;
        float center = (float)mean[j];
        for (int64_t l = 0; l < n; l++) {
            float *c = &square[l % OD_SUM_LANES], d = x[l] - center;
            if (on) d = d * on[l];
            *c = od_fmaf(d, d, *c);
        }
        dev[j] = (double)fold(square, OD_SUM_LANES);
    }
}

static void ref_norm_leaky(float *x, const float *scale, const float *shift, int64_t features, int64_t n)
{
    for (int64_t j = 0; j < features; j++, x += n)
        for (int64_t l = 0; l < n; l++) x[l] = leaky(od_fmaf(x[l], scale[j], shift[j]));
}

static void ref_leaky_bwd(float *dy, const float *y, int64_t features, int64_t n, double *sum, double *dot)
{
    for (int64_t j = 0; j < features; j++, dy += n, y += n) {
        float chain[OD_SUM_LANES] = {0}, product[OD_SUM_LANES] = {0};
        for (int64_t l = 0; l < n; l++) {
            float g = y[l] > 0.0f ? dy[l] : dy[l] * OD_LEAKY;
            dy[l] = g;
            chain[l % OD_SUM_LANES] = chain[l % OD_SUM_LANES] + g;
            product[l % OD_SUM_LANES] = od_fmaf(g, unleaky(y[l]), product[l % OD_SUM_LANES]);
        }
        sum[j] = (double)fold(chain, OD_SUM_LANES);
        if (dot) dot[j] = (double)fold(product, OD_SUM_LANES);
    }
}

static void ref_norm_bwd(float *dy, const float *y, const od_norm_bwd_terms *t, const float *on,
                         int64_t features, int64_t n)
{
    for (int64_t j = 0; j < features; j++, dy += n, y += n) {
        for (int64_t l = 0; l < n; l++) {
            dy[l] = od_fmaf(-unleaky(y[l]), t->m2[j], dy[l] - t->m1[j]) * t->rstd[j];
            if (on) dy[l] = dy[l] * on[l];
        }
    }
}

static void ref_sample(const od_sample_args *o)
{
    int64_t n = o->k * o->rows;
    for (int64_t l = 0; l < n; l++) {
        int64_t s = l / o->rows, i = l % o->rows;
        o->square_gap[l] = 0.0f;
        for (int64_t j = 0; j < o->latent; j++) {
            float e = o->shared ? o->eps[s * o->latent + j] : o->eps[j * n + l];
            float v = od_fmaf(o->scale[j * o->ldm + i], e, o->mu[j * o->ldm + i]);
            o->z[j * n + l] = v;
            o->square_gap[l] = o->square_gap[l] + od_fmaf(e, e, -(v * v));
        }
    }
}

static void ref_sample_bwd(const od_sample_bwd_args *o)
{
    for (int64_t j = 0; j < o->latent; j++) {
        for (int64_t i = 0; i < o->rows; i++) {
            float sum_mu = 0.0f, sum_lv = 0.0f;
            for (int64_t s = 0; s < o->k; s++) {
                int64_t l = s * o->rows + i, at = j * o->k * o->rows + l;
                float d = od_fmaf(-o->g[l], o->z[at], o->dz[at]);
                sum_mu = sum_mu + d;
                sum_lv = od_fmaf(d * o->eps[at], o->scale[j * o->ldm + i], sum_lv + o->g[l]);
            }
            o->dmu[j * o->ldm + i] = sum_mu;
            o->dlv[j * o->ldm + i] = sum_lv;
        }
    }
}

/* One feature: its log-likelihood, and the derivatives with respect to the raw mean and log-variance. */
static float feature(od_lik lik, float x, float raw_mean, float raw_lv, float *dmean, float *dlv)
{
    float mean = 1.0f / (1.0f + od_expf(-raw_mean));
    float slope = mean * (1.0f - mean);
    float r = x - mean;
    *dlv = 0.0f;
    switch (lik) {
    case OD_LIK_PAPER:
    case OD_LIK_GAUSSIAN: {
        float c = lik == OD_LIK_PAPER ? 1.0f : 0.5f;
        float lv = raw_lv > OD_LV_MIN ? raw_lv : OD_LV_MIN;
        lv = lv < OD_LV_MAX ? lv : OD_LV_MAX;
        float q = r * od_expf(-lv);
        float h = (0.5f * q) * r;
        *dmean = q * slope;
        if (raw_lv > OD_LV_MIN && raw_lv < OD_LV_MAX) *dlv = h - c;
        return od_fmaf(-c, lv, -h);
    }
    case OD_LIK_UNIT: *dmean = r * slope; return (-0.5f * r) * r;
    case OD_LIK_BERNOULLI: {
        float on = mean + OD_BERN_EPS, off = (1.0f - mean) + OD_BERN_EPS, rest = 1.0f - x;
        *dmean = (x / on - rest / off) * slope;
        return od_fmaf(x, od_logf(on), rest * od_logf(off));
    }
    }
    *dmean = 0.0f;
    return 0.0f;
}

static void ref_lik(const od_lik_args *o)
{
    bool has_lv = o->lik == OD_LIK_PAPER || o->lik == OD_LIK_GAUSSIAN;
    int64_t n = o->k * o->rows;
    for (int64_t j = 0; j < o->d; j++) {
        for (int64_t l = 0; l < n; l++) {
            float *mean = o->mean + j * n + l, *lv = has_lv ? o->lv + j * n + l : NULL;
            float x = o->x[j * o->ldx + l % o->rows], raw_lv = lv ? *lv + o->bias[j] : 0.0f, dmean, dlv;
            o->logp[l] = o->logp[l] + feature(o->lik, x, *mean, raw_lv, &dmean, &dlv);
            if (o->grad) *mean = dmean;
            if (o->grad && lv) *lv = dlv;
        }
    }
}

static void ref_softmax(const float *x, int64_t k, int64_t rows, float *v, float *max, float *sum)
{
    for (int64_t i = 0; i < rows; i++) {
        max[i] = x[i];
        for (int64_t s = 1; s < k; s++) max[i] = x[s * rows + i] > max[i] ? x[s * rows + i] : max[i];
        sum[i] = 0.0f;
        for (int64_t s = 0; s < k; s++) {
            float e = od_expf(x[s * rows + i] - max[i]);
            sum[i] = sum[i] + e;
            if (v) v[s * rows + i] = e;
        }
        float part = 1.0f / sum[i];
        for (int64_t s = 0; v && s < k; s++) v[s * rows + i] = v[s * rows + i] * part;
    }
}

static void ref_compress(float *y, const float *x, const float *w, const od_active_samples *active,
                         int64_t features)
{
    int64_t ld = od_lanes(active->count);
    for (int64_t j = 0; j < features; j++, x += active->n, y += ld) {
        for (int64_t i = 0; i < ld; i++) {
            float value = x[active->lane[i]];
            y[i] = i >= active->count ? 0.0f : w ? value * w[i] : value;
        }
    }
}

static void ref_expand(float *y, const float *x, const od_active_samples *active, int64_t features)
{
    int64_t ld = od_lanes(active->count);
    for (int64_t j = 0; j < features; j++, x += ld, y += active->n) {
        int64_t at = 0;
        for (int64_t i = 0; i < active->n; i++) {
            y[i] = active->rank[i] < 0 ? 0.0f : x[at + active->rank[i]];
            if (i % OD_LANES == OD_LANES - 1) at += active->active[i / OD_LANES];
        }
    }
}

static void ref_adam(float *w, float *m, float *v, const float *g, int64_t n, const od_adam_step *s)
{
    float rate = s->lr / s->corr1;
    for (int64_t i = 0; i < n; i++) od_adam_one(&w[i], &m[i], &v[i], g[i], rate, s);
}

const od_kern *od_kern_ref(void)
{
    static const od_kern table = {
        .name = "ref",
        .mul = ref_mul,
        .dot = ref_dot,
        .norms = ref_norms,
        .exp = ref_exp,
        .normal = ref_normal,
        .sum = ref_sum,
        .moments = ref_moments,
        .norm_leaky = ref_norm_leaky,
        .leaky_bwd = ref_leaky_bwd,
        .norm_bwd = ref_norm_bwd,
        .sample = ref_sample,
        .sample_bwd = ref_sample_bwd,
        .lik = ref_lik,
        .softmax = ref_softmax,
        .compress = ref_compress,
        .expand = ref_expand,
        .adam = ref_adam,
    };
    return &table;
}
