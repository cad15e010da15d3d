/*
 * The AVX2 kernels, except matrix multiplication (avx2_mul.c) and random numbers (avx2_normal.c).
 *
 * They do the same operations in the same order as kern/ref.c, eight numbers at a time, and so give the same
 * bits: tests/unit/test_kern.c compares them with memcmp.
 */
#include "kern/kern.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "kern/avx2.h"

INLINE vf is_positive(vf x)
{
    return _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GT_OQ);
}

INLINE vf unleaky(vf y)
{
    return vselect(is_positive(y), y, _mm256_mul_ps(y, set1(OD_LEAKY_INV)));
}

/* The sum of 32 chains in the order 32 -> 16 -> 8 -> ... -> 1. */
INLINE double fold_sum(const vf c[4])
{
    return (double)fold(_mm256_add_ps(_mm256_add_ps(c[0], c[2]), _mm256_add_ps(c[1], c[3])));
}

static void avx2_exp(float *y, const float *x, int64_t n)
{
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) store(y + i, vexp(load(x + i)));
    for (; i < n; i++) y[i] = od_expf(x[i]);
}

/* The sum over the lanes of x or, if squared, of the squared deviations from the mean; values are multiplied
 * by on unless that is NULL. */
INLINE double sum_lanes(const float *x, const float *on, bool squared, vf mean, int64_t n)
{
    vf c[4] = {set1(0.0f), set1(0.0f), set1(0.0f), set1(0.0f)};
    for (int64_t l = 0; l < n; l += OD_SUM_LANES) {
        int vectors = n - l < OD_SUM_LANES ? (int)(n - l) / 8 : 4;
#pragma GCC unroll 4
        for (int v = 0; v < 4; v++) {
            if (v >= vectors) break;
            vf value = load(x + l + 8 * v);
            if (squared) value = _mm256_sub_ps(value, mean);
            if (on) value = _mm256_mul_ps(value, load(on + l + 8 * v));
            c[v] = squared ? _mm256_fmadd_ps(value, value, c[v]) : _mm256_add_ps(c[v], value);
        }
    }
    return fold_sum(c);
}

static void avx2_sum(double *sum, const float *x, int64_t features, int64_t n)
{
    for (int64_t j = 0; j < features; j++) sum[j] = sum_lanes(x + j * n, NULL, false, set1(0.0f), n);
}

static void avx2_moments(double *mean, double *dev, const float *x, const float *on, int64_t features,
                         int64_t n, int64_t count)
{
    for (int64_t j = 0; j < features; j++, x += n) {
        double total = on ? sum_lanes(x, on, false, set1(0.0f), n) : sum_lanes(x, NULL, false, set1(0.0f), n);
        mean[j] = total / (double)count;
        vf center = set1((float)mean[j]);
        dev[j] = on ? sum_lanes(x, on, true, center, n) : sum_lanes(x, NULL, true, center, n);
    }
}

static void avx2_norm_leaky(float *x, const float *scale, const float *shift, int64_t features, int64_t n)
{
    for (int64_t j = 0; j < features; j++, x += n) {
        vf a = set1(scale[j]), b = set1(shift[j]);
        for (int64_t l = 0; l < n; l += 8) store(x + l, leaky(_mm256_fmadd_ps(load(x + l), a, b)));
    }
}

INLINE void leaky_bwd_lanes(float *dy, const float *y, int64_t n, double *sum, double *dot)
{
    vf c[4] = {set1(0.0f), set1(0.0f), set1(0.0f), set1(0.0f)};
    vf d[4] = {set1(0.0f), set1(0.0f), set1(0.0f), set1(0.0f)};
    for (int64_t l = 0; l < n; l += OD_SUM_LANES) {
        int vectors = n - l < OD_SUM_LANES ? (int)(n - l) / 8 : 4;
#pragma GCC unroll 4
        for (int v = 0; v < 4; v++) {
            if (v >= vectors) break;
            float *p = dy + l + 8 * v;
            vf act = load(y + l + 8 * v), up = is_positive(act), g = load(p);
            g = vselect(up, g, _mm256_mul_ps(g, set1(OD_LEAKY)));
            store(p, g);
            c[v] = _mm256_add_ps(c[v], g);
            if (dot)
                d[v] = _mm256_fmadd_ps(g, vselect(up, act, _mm256_mul_ps(act, set1(OD_LEAKY_INV))), d[v]);
        }
    }
    *sum = fold_sum(c);
    if (dot) *dot = fold_sum(d);
}

static void avx2_leaky_bwd(float *dy, const float *y, int64_t features, int64_t n, double *sum, double *dot)
{
    for (int64_t j = 0; j < features; j++, dy += n, y += n) {
        if (dot)
            leaky_bwd_lanes(dy, y, n, sum + j, dot + j);
        else
            leaky_bwd_lanes(dy, y, n, sum + j, NULL);
    }
}

static void avx2_norm_bwd(float *dy, const float *y, const od_norm_bwd_terms *terms, const float *on,
                          int64_t features, int64_t n)
{
    const od_norm_bwd_terms t = *terms;
    for (int64_t j = 0; j < features; j++, dy += n, y += n) {
        vf a = set1(t.m1[j]), b = set1(t.m2[j]), r = set1(t.rstd[j]);
        for (int64_t l = 0; l < n; l += 8) {
            vf g = _mm256_sub_ps(load(dy + l), a);
            g = _mm256_mul_ps(_mm256_fnmadd_ps(unleaky(load(y + l)), b, g), r);
            store(dy + l, on ? _mm256_mul_ps(g, load(on + l)) : g);
        }
    }
}

/*
 * The kernels below copy their arguments first. A vector store may alias anything, so that fields behind a
 * pointer would be loaded again after each.
 */

/* ---- latent samples ---- */

static void avx2_sample(const od_sample_args *args)
{
    const od_sample_args o = *args;
    int64_t n = o.k * o.rows;
    for (int64_t i = 0; i < o.rows; i += 8) {
        for (int64_t s = 0; s < o.k; s++) store(o.square_gap + s * o.rows + i, set1(0.0f));
        for (int64_t j = 0; j < o.latent; j++) {
            vf m = load(o.mu + j * o.ldm + i), sc = load(o.scale + j * o.ldm + i);
            for (int64_t s = 0; s < o.k; s++) {
                int64_t l = s * o.rows + i;
                vf e = o.shared ? set1(o.eps[s * o.latent + j]) : load(o.eps + j * n + l);
                vf v = _mm256_fmadd_ps(sc, e, m);
                store(o.z + j * n + l, v);
                vf term = _mm256_fmsub_ps(e, e, _mm256_mul_ps(v, v));
                store(o.square_gap + l, _mm256_add_ps(load(o.square_gap + l), term));
            }
        }
    }
}

static void avx2_sample_bwd(const od_sample_bwd_args *args)
{
    const od_sample_bwd_args o = *args;
    for (int64_t j = 0; j < o.latent; j++) {
        for (int64_t i = 0; i < o.rows; i += 8) {
            vf sum_mu = set1(0.0f), sum_lv = sum_mu, sc = load(o.scale + j * o.ldm + i);
            for (int64_t s = 0; s < o.k; s++) {
                int64_t l = s * o.rows + i, at = j * o.k * o.rows + l;
                vf gs = load(o.g + l), d = _mm256_fnmadd_ps(gs, load(o.z + at), load(o.dz + at));
                sum_mu = _mm256_add_ps(sum_mu, d);
                sum_lv = _mm256_fmadd_ps(_mm256_mul_ps(d, load(o.eps + at)), sc, _mm256_add_ps(sum_lv, gs));
            }
            store(o.dmu + j * o.ldm + i, sum_mu);
            store(o.dlv + j * o.ldm + i, sum_lv);
        }
    }
}

/* ---- likelihood ---- */

/* The function feature() of ref.c on eight rows. Every caller passes a constant lik. */
INLINE vf feature(od_lik lik, vf x, vf raw_mean, vf raw_lv, vf *dmean, vf *dlv)
{
    const vf one = set1(1.0f);
    vf mean = _mm256_div_ps(one, _mm256_add_ps(one, vexp(_mm256_xor_ps(raw_mean, set1(-0.0f)))));
    vf slope = _mm256_mul_ps(mean, _mm256_sub_ps(one, mean));
    vf r = _mm256_sub_ps(x, mean);
    *dlv = _mm256_setzero_ps();
    if (lik == OD_LIK_PAPER || lik == OD_LIK_GAUSSIAN) {
        const vf c = set1(lik == OD_LIK_PAPER ? 1.0f : 0.5f), min = set1(OD_LV_MIN), max = set1(OD_LV_MAX);
        vf lv = _mm256_min_ps(_mm256_max_ps(raw_lv, min), max);
        vf q = _mm256_mul_ps(r, vexp_in_range(_mm256_xor_ps(lv, set1(-0.0f))));
        vf h = _mm256_mul_ps(_mm256_mul_ps(set1(0.5f), q), r);
        vf inside =
            _mm256_and_ps(_mm256_cmp_ps(raw_lv, min, _CMP_GT_OQ), _mm256_cmp_ps(raw_lv, max, _CMP_LT_OQ));
        *dmean = _mm256_mul_ps(q, slope);
        *dlv = _mm256_and_ps(inside, _mm256_sub_ps(h, c));
        return _mm256_fnmsub_ps(c, lv, h);
    }
    if (lik == OD_LIK_UNIT) {
        *dmean = _mm256_mul_ps(r, slope);
        return _mm256_mul_ps(_mm256_mul_ps(set1(-0.5f), r), r);
    }
    vf on = _mm256_add_ps(mean, set1(OD_BERN_EPS));
    vf off = _mm256_add_ps(_mm256_sub_ps(one, mean), set1(OD_BERN_EPS));
    vf rest = _mm256_sub_ps(one, x);
    *dmean = _mm256_mul_ps(_mm256_sub_ps(_mm256_div_ps(x, on), _mm256_div_ps(rest, off)), slope);
    return _mm256_fmadd_ps(x, vlog(on), _mm256_mul_ps(rest, vlog(off)));
}

/* Callers pass a constant lik. */
INLINE void lik_of(od_lik lik, bool grad, od_lik_args o)
{
    const bool has_lv = lik == OD_LIK_PAPER || lik == OD_LIK_GAUSSIAN;
    int64_t n = o.k * o.rows;
    for (int64_t j = 0; j < o.d; j++) {
        vf b = set1(has_lv ? o.bias[j] : 0.0f);
        for (int64_t i = 0; i < o.rows; i += 8) {
            vf value = load(o.x + j * o.ldx + i);
            for (int64_t l = i; l < n; l += o.rows) {
                float *m = o.mean + j * n + l, *v = has_lv ? o.lv + j * n + l : m;
                vf dmean, dlv;
                vf term = feature(lik, value, load(m), _mm256_add_ps(load(v), b), &dmean, &dlv);
                store(o.logp + l, _mm256_add_ps(load(o.logp + l), term));
                if (grad) store(m, dmean);
                if (grad && has_lv) store(v, dlv);
            }
        }
    }
}

static void avx2_lik(const od_lik_args *o)
{
    switch (o->lik) {
    case OD_LIK_PAPER:
        if (o->grad)
            lik_of(OD_LIK_PAPER, true, *o);
        else
            lik_of(OD_LIK_PAPER, false, *o);
        return;
    case OD_LIK_GAUSSIAN: lik_of(OD_LIK_GAUSSIAN, o->grad, *o); return;
    case OD_LIK_UNIT: lik_of(OD_LIK_UNIT, o->grad, *o); return;
    case OD_LIK_BERNOULLI: lik_of(OD_LIK_BERNOULLI, o->grad, *o); return;
    }
}

static void avx2_softmax(const float *x, int64_t k, int64_t rows, float *v, float *max, float *sum)
{
    for (int64_t i = 0; i < rows; i += 8) {
        vf top = load(x + i), total = set1(0.0f);
        for (int64_t s = 1; s < k; s++) top = _mm256_max_ps(load(x + s * rows + i), top);
        for (int64_t s = 0; s < k; s++) {
            vf e = vexp(_mm256_sub_ps(load(x + s * rows + i), top));
            total = _mm256_add_ps(total, e);
            if (v) store(v + s * rows + i, e);
        }
        store(max + i, top);
        store(sum + i, total);
        vf part = _mm256_div_ps(set1(1.0f), total);
        for (int64_t s = 0; v && s < k; s++)
            store(v + s * rows + i, _mm256_mul_ps(load(v + s * rows + i), part));
    }
}

/* ---- active lanes ---- */

INLINE vi lane_list(const int32_t *p)
{
    return _mm256_loadu_si256((const vi *)(const void *)p);
}

static void avx2_compress(float *y, const float *x, const float *w, const od_active_samples *active,
                          int64_t features)
{
    int64_t ld = od_lanes(active->count);
    vi count = _mm256_set1_epi32((int32_t)(active->count - ld)); /* active lanes of the last eight, minus 8 */
    vf last =
        _mm256_castsi256_ps(_mm256_cmpgt_epi32(count, _mm256_setr_epi32(-8, -7, -6, -5, -4, -3, -2, -1)));
    for (int64_t j = 0; j < features; j++, x += active->n, y += ld) {
        for (int64_t i = 0; i < ld; i += 8) {
            vf value = _mm256_i32gather_ps(x, lane_list(active->lane + i), 4);
            if (w) value = _mm256_mul_ps(value, load(w + i));
            store(y + i, i + 8 < ld ? value : _mm256_and_ps(value, last));
        }
    }
}

static void avx2_expand(float *y, const float *x, const od_active_samples *active, int64_t features)
{
    int64_t ld = od_lanes(active->count);
    for (int64_t j = 0; j < features; j++, x += ld, y += active->n) {
        const float *at = x;
        for (int64_t l = 0; l < active->n; l += 8) {
            vi rank = lane_list(active->rank + l);
            vf inactive = _mm256_castsi256_ps(_mm256_srai_epi32(rank, 31));
            store(y + l, _mm256_andnot_ps(inactive, _mm256_permutevar8x32_ps(load(at), rank)));
            at += active->active[l / 8];
        }
    }
}

static void avx2_adam(float *w, float *m, float *v, const float *g, int64_t n, const od_adam_step *s)
{
    const float rate = s->lr / s->corr1;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        vf wi = load(w + i), grad = _mm256_fmadd_ps(set1(s->decay), wi, load(g + i));
        vf mi = _mm256_fmadd_ps(set1(s->beta1), load(m + i), _mm256_mul_ps(set1(s->one_minus_beta1), grad));
        vf vv = _mm256_fmadd_ps(set1(s->beta2), load(v + i),
                                _mm256_mul_ps(_mm256_mul_ps(set1(s->one_minus_beta2), grad), grad));
        vf divisor = _mm256_add_ps(_mm256_div_ps(_mm256_sqrt_ps(vv), set1(s->corr2)), set1(s->eps));
        store(m + i, mi);
        store(v + i, vv);
        store(w + i, _mm256_sub_ps(wi, _mm256_div_ps(_mm256_mul_ps(set1(rate), mi), divisor)));
    }
    for (; i < n; i++) od_adam_one(&w[i], &m[i], &v[i], g[i], rate, s);
}

const od_kern *od_kern_avx2_table(void)
{
    static const od_kern table = {
        .name = "avx2",
        .mul = od_avx2_mul,
        .dot = od_avx2_dot,
        .norms = od_avx2_norms,
        .exp = avx2_exp,
        .normal = od_avx2_normal,
        .sum = avx2_sum,
        .moments = avx2_moments,
        .norm_leaky = avx2_norm_leaky,
        .leaky_bwd = avx2_leaky_bwd,
        .norm_bwd = avx2_norm_bwd,
        .sample = avx2_sample,
        .sample_bwd = avx2_sample_bwd,
        .lik = avx2_lik,
        .softmax = avx2_softmax,
        .compress = avx2_compress,
        .expand = avx2_expand,
        .adam = avx2_adam,
    };
    return &table;
}

#else

const od_kern *od_kern_avx2_table(void)
{
    return 0;
}

#endif
