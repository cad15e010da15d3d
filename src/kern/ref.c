/* The reference kernels: the definition of every result, written to be read. See kern.h for the orders of
 * sums. */
#include "kern/kern.h"

#include "kern/vecmath.h"

static float leaky(float x)
{
    return x > 0.0f ? x : x * OD_LEAKY;
}

/* The pre-activation behind an activation. */
static float unleaky(float y)
{
    return y > 0.0f ? y : y * OD_LEAKY_INV;
}

static float fold(float lane[OD_KERN_LANES])
{
    for (int width = OD_KERN_LANES / 2; width; width /= 2)
        for (int l = 0; l < width; l++) lane[l] = lane[l] + lane[l + width];
    return lane[0];
}

static void ref_gemm(int64_t m, int64_t n, int64_t k, const float *a, int64_t ars, int64_t acs,
                     const float *b, int64_t brs, int64_t bcs, bool add, float *c, int64_t ldc)
{
    for (int64_t i = 0; i < m; i++) {
        float *row = c + i * ldc;
        for (int64_t j = 0; j < n && !add; j++) row[j] = 0.0f;
        for (int64_t p = 0; p < k; p++) {
            float ap = a[i * ars + p * acs];
            for (int64_t j = 0; j < n; j++) row[j] = fmaf(ap, b[p * brs + j * bcs], row[j]);
        }
    }
}

static void ref_exp(float *y, const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) y[i] = od_expf(x[i]);
}

static void ref_log(float *y, const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) y[i] = od_logf(x[i]);
}

/* Eight blocks of four words make 32 numbers: word j of block b is behind number 8 j + b of the 32. */
static void ref_normal(float *y, int64_t n, const od_stream *s)
{
    for (int64_t start = 0; start < n; start += 32) {
        float group[32];
        for (int b = 0; b < 8; b++) {
            uint32_t w[4];
            od_stream_block(s, (uint64_t)(start / 4 + b), w);
            od_box_muller(w[0], w[1], &group[b], &group[8 + b]);
            od_box_muller(w[2], w[3], &group[16 + b], &group[24 + b]);
        }
        for (int64_t i = 0; i < 32 && start + i < n; i++) y[start + i] = group[i];
    }
}

static void ref_bias_leaky(float *x, const float *bias, int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) x[i * cols + j] = leaky(x[i * cols + j] + bias[j]);
}

static void ref_norm_leaky(float *x, const float *mean, const float *rstd, int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) x[i * cols + j] = leaky((x[i * cols + j] - mean[j]) * rstd[j]);
}

static void ref_leaky_bwd(float *dy, const float *y, int64_t rows, int64_t cols, double *sum, double *dot)
{
    for (int64_t j = 0; j < cols; j++) {
        sum[j] = 0.0;
        if (dot) dot[j] = 0.0;
        for (int64_t start = 0; start < rows; start += OD_KERN_CHUNK) {
            int64_t end = start + OD_KERN_CHUNK < rows ? start + OD_KERN_CHUNK : rows;
            float part = 0.0f, part_dot = 0.0f;
            for (int64_t i = start; i < end; i++) {
                float *g = &dy[i * cols + j], act = y[i * cols + j];
                *g = act > 0.0f ? *g : *g * OD_LEAKY;
                part = part + *g;
                part_dot = fmaf(*g, unleaky(act), part_dot);
            }
            sum[j] += (double)part;
            if (dot) dot[j] += (double)part_dot;
        }
    }
}

static void ref_col_sum(double *sum, const float *x, int64_t ld, int64_t rows, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++) {
        sum[j] = 0.0;
        for (int64_t start = 0; start < rows; start += OD_KERN_CHUNK) {
            int64_t end = start + OD_KERN_CHUNK < rows ? start + OD_KERN_CHUNK : rows;
            float part = 0.0f;
            for (int64_t i = start; i < end; i++) part = part + x[i * ld + j];
            sum[j] += (double)part;
        }
    }
}

static void ref_col_sqdev(double *sum, const float *x, const float *mean, int64_t rows, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++) {
        sum[j] = 0.0;
        for (int64_t start = 0; start < rows; start += OD_KERN_CHUNK) {
            int64_t end = start + OD_KERN_CHUNK < rows ? start + OD_KERN_CHUNK : rows;
            float part = 0.0f;
            for (int64_t i = start; i < end; i++) {
                float dev = x[i * cols + j] - mean[j];
                part = fmaf(dev, dev, part);
            }
            sum[j] += (double)part;
        }
    }
}

static void ref_norm_bwd(float *dy, const float *y, const float *m1, const float *m2, const float *rstd,
                         int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++) {
            float *g = &dy[i * cols + j];
            *g = fmaf(-unleaky(y[i * cols + j]), m2[j], *g - m1[j]) * rstd[j];
        }
    }
}

static void ref_sample(float *z, float *twice, const float *mu, const float *scale, const float *eps,
                       int64_t k, int64_t n)
{
    for (int64_t s = 0; s < k; s++) {
        float lane[OD_KERN_LANES] = {0};
        for (int64_t j = 0; j < n; j++) {
            float e = eps[s * n + j], v = fmaf(scale[j], e, mu[j]);
            z[s * n + j] = v;
            lane[j % OD_KERN_LANES] = lane[j % OD_KERN_LANES] + fmaf(e, e, -(v * v));
        }
        twice[s] = fold(lane);
    }
}

static void ref_sample_bwd(float *dmu, float *dlv, const float *dz, const float *z, const float *eps,
                           const float *g, const float *scale, int64_t k, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        float sum_mu = 0.0f, sum_lv = 0.0f;
        for (int64_t s = 0; s < k; s++) {
            float d = fmaf(-g[s], z[s * n + j], dz[s * n + j]);
            sum_mu = sum_mu + d;
            sum_lv = fmaf(d * eps[s * n + j], scale[j], sum_lv + g[s]);
        }
        dmu[j] = sum_mu;
        dlv[j] = sum_lv;
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
        return fmaf(-c, lv, -h);
    }
    case OD_LIK_UNIT: *dmean = r * slope; return (-0.5f * r) * r;
    case OD_LIK_BERNOULLI: {
        float on = mean + OD_BERN_EPS, off = (1.0f - mean) + OD_BERN_EPS, rest = 1.0f - x;
        *dmean = (x / on - rest / off) * slope;
        return fmaf(x, od_logf(on), rest * od_logf(off));
    }
    }
    *dmean = 0.0f;
    return 0.0f;
}

static void ref_lik(od_lik lik, float *logp, float *head, int64_t ld, const float *bias, const float *x,
                    int64_t k, int64_t d, bool grad)
{
    bool has_lv = lik == OD_LIK_PAPER || lik == OD_LIK_GAUSSIAN;
    for (int64_t i = 0; i < k; i++) {
        float *mean = head + i * ld, *lv = mean + d;
        float lane[OD_KERN_LANES] = {0};
        for (int64_t j = 0; j < d; j++) {
            float dmean, dlv;
            float term = feature(lik, x[j], mean[j], has_lv ? lv[j] + bias[j] : 0.0f, &dmean, &dlv);
            lane[j % OD_KERN_LANES] = lane[j % OD_KERN_LANES] + term;
            if (grad) mean[j] = dmean;
            if (grad && has_lv) lv[j] = dlv;
        }
        logp[i] = fold(lane);
    }
}

static void ref_softmax(const float *x, int64_t k, float *v, float *max, float *sum)
{
    float top = x[0];
    for (int64_t i = 1; i < k; i++) top = x[i] > top ? x[i] : top;
    float lane[OD_KERN_LANES] = {0};
    for (int64_t i = 0; i < k; i++) {
        float e = od_expf(x[i] - top);
        lane[i % OD_KERN_LANES] = lane[i % OD_KERN_LANES] + e;
        if (v) v[i] = e;
    }
    *max = top;
    *sum = fold(lane);
    for (int64_t i = 0; v && i < k; i++) v[i] = v[i] / *sum;
}

static void ref_row_pick(float *y, const float *x, const int64_t *pick, const float *w, int64_t n,
                         int64_t cols)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < cols; j++)
            y[i * cols + j] = w ? x[pick[i] * cols + j] * w[i] : x[pick[i] * cols + j];
}

static void ref_adam(float *w, float *m, float *v, const float *g, int64_t n, const od_adam_step *s)
{
    float rate = s->lr / s->corr1;
    for (int64_t i = 0; i < n; i++) {
        float grad = fmaf(s->decay, w[i], g[i]);
        m[i] = fmaf(s->beta1, m[i], s->keep1 * grad);
        v[i] = fmaf(s->beta2, v[i], (s->keep2 * grad) * grad);
        w[i] = w[i] - (rate * m[i]) / (sqrtf(v[i]) / s->corr2 + s->eps);
    }
}

const od_kern *od_kern_ref(void)
{
    static const od_kern table = {
        .name = "ref",
        .gemm = ref_gemm,
        .exp = ref_exp,
        .log = ref_log,
        .normal = ref_normal,
        .bias_leaky = ref_bias_leaky,
        .norm_leaky = ref_norm_leaky,
        .leaky_bwd = ref_leaky_bwd,
        .col_sum = ref_col_sum,
        .col_sqdev = ref_col_sqdev,
        .norm_bwd = ref_norm_bwd,
        .sample = ref_sample,
        .sample_bwd = ref_sample_bwd,
        .lik = ref_lik,
        .softmax = ref_softmax,
        .row_pick = ref_row_pick,
        .adam = ref_adam,
    };
    return &table;
}
