/*
 * The NEON kernels, except matrix multiplication (neon_mul.c) and random numbers (neon_normal.c).
 *
 * They do the same operations in the same order as kern/ref.c, four numbers at a time, and so give the same
 * bits: tests/unit/test_kern.c compares them with memcmp. Every 64-bit ARM processor has NEON with fused
 * multiply-add, so there is nothing to check at run time.
 */
#include "kern/kern.h"

#if defined(__aarch64__)

#include "kern/neon.h"

#define SUM_VECTORS (OD_SUM_LANES / 4)

INLINE vu is_positive(vf x)
{
    return vcgtq_f32(x, set1(0.0f));
}

INLINE vf unleaky(vf y)
{
    return vbslq_f32(is_positive(y), y, vmulq_f32(y, set1(OD_LEAKY_INV)));
}

/* The sum of 32 chains in the order 32 -> 16 -> 8 -> ... -> 1. */
INLINE double fold_sum(const vf c[SUM_VECTORS])
{
    vf s16[4], s8[2];
#pragma GCC unroll 4
    for (int v = 0; v < 4; v++) s16[v] = vaddq_f32(c[v], c[v + 4]);
#pragma GCC unroll 2
    for (int v = 0; v < 2; v++) s8[v] = vaddq_f32(s16[v], s16[v + 2]);
    return (double)fold(s8[0], s8[1]);
}

static void neon_exp(float *y, const float *x, int64_t n)
{
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) store(y + i, vexp(load(x + i)));
    for (; i < n; i++) y[i] = od_expf(x[i]);
}

/* The sum over the lanes of x or, if squared, of the squared deviations from the mean; values are multiplied
 * by on unless that is NULL. */
INLINE double sum_lanes(const float *x, const float *on, bool squared, vf mean, int64_t n)
{
    vf c[SUM_VECTORS];
#pragma GCC unroll 8
    for (int v = 0; v < SUM_VECTORS; v++) c[v] = set1(0.0f);
    for (int64_t l = 0; l < n; l += OD_SUM_LANES) {
        int vectors = n - l < OD_SUM_LANES ? (int)(n - l) / 4 : SUM_VECTORS;
#pragma GCC unroll 8
        for (int v = 0; v < SUM_VECTORS; v++) {
            if (v >= vectors) break;
            vf value = load(x + l + 4 * v);
            if (squared) value = vsubq_f32(value, mean);
            if (on) value = vmulq_f32(value, load(on + l + 4 * v));
            c[v] = squared ? fma4(value, value, c[v]) : vaddq_f32(c[v], value);
        }
    }
    return fold_sum(c);
}

static void neon_sum(double *sum, const float *x, int64_t features, int64_t n)
{
    for (int64_t j = 0; j < features; j++) sum[j] = sum_lanes(x + j * n, NULL, false, set1(0.0f), n);
}

static void neon_moments(double *mean, double *dev, const float *x, const float *on, int64_t features,
                         int64_t n, int64_t count)
{
    for (int64_t j = 0; j < features; j++, x += n) {
        double total = on ? sum_lanes(x, on, false, set1(0.0f), n) : sum_lanes(x, NULL, false, set1(0.0f), n);
        mean[j] = total / (double)count;
        vf center = set1((float)mean[j]);
        dev[j] = on ? sum_lanes(x, on, true, center, n) : sum_lanes(x, NULL, true, center, n);
    }
}

static void neon_norm_leaky(float *x, const float *scale, const float *shift, int64_t features, int64_t n)
{
    for (int64_t j = 0; j < features; j++, x += n) {
        vf a = set1(scale[j]), b = set1(shift[j]);
        for (int64_t l = 0; l < n; l += 4) store(x + l, leaky(fma4(load(x + l), a, b)));
    }
}

INLINE void leaky_bwd_lanes(float *dy, const float *y, int64_t n, double *sum, double *dot)
{
    vf c[SUM_VECTORS], d[SUM_VECTORS];
#pragma GCC unroll 8
    for (int v = 0; v < SUM_VECTORS; v++) c[v] = d[v] = set1(0.0f);
    for (int64_t l = 0; l < n; l += OD_SUM_LANES) {
        int vectors = n - l < OD_SUM_LANES ? (int)(n - l) / 4 : SUM_VECTORS;
#pragma GCC unroll 8
        for (int v = 0; v < SUM_VECTORS; v++) {
            if (v >= vectors) break;
            float *p = dy + l + 4 * v;
            vf act = load(y + l + 4 * v), g = load(p);
            vu up = is_positive(act);
            g = vbslq_f32(up, g, vmulq_f32(g, set1(OD_LEAKY)));
            store(p, g);
            c[v] = vaddq_f32(c[v], g);
            if (dot) d[v] = fma4(g, vbslq_f32(up, act, vmulq_f32(act, set1(OD_LEAKY_INV))), d[v]);
        }
    }
    *sum = fold_sum(c);
    if (dot) *dot = fold_sum(d);
}

static void neon_leaky_bwd(float *dy, const float *y, int64_t features, int64_t n, double *sum, double *dot)
{
    for (int64_t j = 0; j < features; j++, dy += n, y += n) {
        if (dot)
            leaky_bwd_lanes(dy, y, n, sum + j, dot + j);
        else
            leaky_bwd_lanes(dy, y, n, sum + j, NULL);
    }
}

static void neon_norm_bwd(float *dy, const float *y, const od_norm_bwd_terms *terms, const float *on,
                          int64_t features, int64_t n)
{
    const od_norm_bwd_terms t = *terms;
    for (int64_t j = 0; j < features; j++, dy += n, y += n) {
        vf a = set1(t.m1[j]), b = set1(t.m2[j]), r = set1(t.rstd[j]);
        for (int64_t l = 0; l < n; l += 4) {
            vf g = vsubq_f32(load(dy + l), a);
            g = vmulq_f32(vfmsq_f32(g, unleaky(load(y + l)), b), r);
            store(dy + l, on ? vmulq_f32(g, load(on + l)) : g);
        }
    }
}

/*
 * The kernels below copy their arguments first. A vector store may alias anything, so that fields behind a
 * pointer would be loaded again after each.
 */

/* ---- latent samples ---- */

static void neon_sample(const od_sample_args *args)
{
    const od_sample_args o = *args;
    int64_t n = o.k * o.rows;
    for (int64_t i = 0; i < o.rows; i += 4) {
        for (int64_t s = 0; s < o.k; s++) store(o.square_gap + s * o.rows + i, set1(0.0f));
        for (int64_t j = 0; j < o.latent; j++) {
            vf m = load(o.mu + j * o.ldm + i), sc = load(o.scale + j * o.ldm + i);
            for (int64_t s = 0; s < o.k; s++) {
                int64_t l = s * o.rows + i;
                vf e = o.shared ? set1(o.eps[s * o.latent + j]) : load(o.eps + j * n + l);
                vf v = fma4(sc, e, m);
                store(o.z + j * n + l, v);
                vf term = fma4(e, e, vnegq_f32(vmulq_f32(v, v)));
                store(o.square_gap + l, vaddq_f32(load(o.square_gap + l), term));
            }
        }
    }
}

static void neon_sample_bwd(const od_sample_bwd_args *args)
{
    const od_sample_bwd_args o = *args;
    for (int64_t j = 0; j < o.latent; j++) {
        for (int64_t i = 0; i < o.rows; i += 4) {
            vf sum_mu = set1(0.0f), sum_lv = sum_mu, sc = load(o.scale + j * o.ldm + i);
            for (int64_t s = 0; s < o.k; s++) {
                int64_t l = s * o.rows + i, at = j * o.k * o.rows + l;
                vf gs = load(o.g + l), d = vfmsq_f32(load(o.dz + at), gs, load(o.z + at));
                sum_mu = vaddq_f32(sum_mu, d);
                sum_lv = fma4(vmulq_f32(d, load(o.eps + at)), sc, vaddq_f32(sum_lv, gs));
            }
            store(o.dmu + j * o.ldm + i, sum_mu);
            store(o.dlv + j * o.ldm + i, sum_lv);
        }
    }
}

/* ---- likelihood ---- */

/* The function feature() of ref.c on four rows. Every caller passes a constant lik. */
INLINE vf feature(od_lik lik, vf x, vf raw_mean, vf raw_lv, vf *dmean, vf *dlv)
{
    const vf one = set1(1.0f);
    vf mean = vdivq_f32(one, vaddq_f32(one, vexp(vnegq_f32(raw_mean))));
    vf slope = vmulq_f32(mean, vsubq_f32(one, mean));
    vf r = vsubq_f32(x, mean);
    *dlv = set1(0.0f);
    if (lik == OD_LIK_PAPER || lik == OD_LIK_GAUSSIAN) {
        const vf c = set1(lik == OD_LIK_PAPER ? 1.0f : 0.5f), min = set1(OD_LV_MIN), max = set1(OD_LV_MAX);
        vf lv = lesser(greater(raw_lv, min), max);
        vf q = vmulq_f32(r, vexp_in_range(vnegq_f32(lv)));
        vf h = vmulq_f32(vmulq_f32(set1(0.5f), q), r);
        vu inside = vandq_u32(vcgtq_f32(raw_lv, min), vcltq_f32(raw_lv, max));
        *dmean = vmulq_f32(q, slope);
        *dlv = bits_as_float(vandq_u32(inside, float_as_bits(vsubq_f32(h, c))));
        return vfmsq_f32(vnegq_f32(h), c, lv);
    }
    if (lik == OD_LIK_UNIT) {
        *dmean = vmulq_f32(r, slope);
        return vmulq_f32(vmulq_f32(set1(-0.5f), r), r);
    }
    vf on = vaddq_f32(mean, set1(OD_BERN_EPS));
    vf off = vaddq_f32(vsubq_f32(one, mean), set1(OD_BERN_EPS));
    vf rest = vsubq_f32(one, x);
    *dmean = vmulq_f32(vsubq_f32(vdivq_f32(x, on), vdivq_f32(rest, off)), slope);
    return fma4(x, vlog(on), vmulq_f32(rest, vlog(off)));
}

/* Callers pass a constant lik. */
INLINE void lik_of(od_lik lik, bool grad, od_lik_args o)
{
    const bool has_lv = lik == OD_LIK_PAPER || lik == OD_LIK_GAUSSIAN;
    int64_t n = o.k * o.rows;
    for (int64_t j = 0; j < o.d; j++) {
        vf b = set1(has_lv ? o.bias[j] : 0.0f);
        for (int64_t i = 0; i < o.rows; i += 4) {
            vf value = load(o.x + j * o.ldx + i);
            for (int64_t l = i; l < n; l += o.rows) {
                float *m = o.mean + j * n + l, *v = has_lv ? o.lv + j * n + l : m;
                vf dmean, dlv;
                vf term = feature(lik, value, load(m), vaddq_f32(load(v), b), &dmean, &dlv);
                store(o.logp + l, vaddq_f32(load(o.logp + l), term));
                if (grad) store(m, dmean);
                if (grad && has_lv) store(v, dlv);
            }
        }
    }
}

static void neon_lik(const od_lik_args *o)
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

static void neon_softmax(const float *x, int64_t k, int64_t rows, float *v, float *max, float *sum)
{
    for (int64_t i = 0; i < rows; i += 4) {
        vf top = load(x + i), total = set1(0.0f);
        for (int64_t s = 1; s < k; s++) top = greater(load(x + s * rows + i), top);
        for (int64_t s = 0; s < k; s++) {
            vf e = vexp(vsubq_f32(load(x + s * rows + i), top));
            total = vaddq_f32(total, e);
            if (v) store(v + s * rows + i, e);
        }
        store(max + i, top);
        store(sum + i, total);
        vf part = vdivq_f32(set1(1.0f), total);
        for (int64_t s = 0; v && s < k; s++) store(v + s * rows + i, vmulq_f32(load(v + s * rows + i), part));
    }
}

/* ---- active lanes ---- */

static void neon_compress(float *y, const float *x, const float *w, const od_active_samples *active,
                          int64_t features)
{
    int64_t count = active->count, ld = od_lanes(count);
    for (int64_t j = 0; j < features; j++, x += active->n, y += ld) {
        for (int64_t i = 0; i < ld; i += 4) {
            const int32_t *lane = active->lane + i;
            vf value = vld1q_dup_f32(x + lane[0]);
            value = vld1q_lane_f32(x + lane[1], value, 1);
            value = vld1q_lane_f32(x + lane[2], value, 2);
            value = vld1q_lane_f32(x + lane[3], value, 3);
            if (w) value = vmulq_f32(value, load(w + i));
            store(y + i, value);
        }
        for (int64_t i = count; i < ld; i++) y[i] = 0.0f;
    }
}

/* The bytes of floats rank[0..3] among eight. A rank of -1 becomes bytes that the table lookup does not have,
 * which give 0. */
INLINE uint8x16_t bytes_of_ranks(const int32_t *rank)
{
    vu first = vmulq_n_u32(vreinterpretq_u32_s32(vld1q_s32(rank)), 0x04040404u);
    return vreinterpretq_u8_u32(vaddq_u32(first, vdupq_n_u32(0x03020100u)));
}

static void neon_expand(float *y, const float *x, const od_active_samples *active, int64_t features)
{
    int64_t ld = od_lanes(active->count);
    for (int64_t j = 0; j < features; j++, x += ld, y += active->n) {
        const float *at = x;
        for (int64_t l = 0; l < active->n; l += 8) {
            uint8x16x2_t eight = {{vreinterpretq_u8_f32(load(at)), vreinterpretq_u8_f32(load(at + 4))}};
            for (int64_t h = l; h < l + 8; h += 4)
                store(y + h, vreinterpretq_f32_u8(vqtbl2q_u8(eight, bytes_of_ranks(active->rank + h))));
            at += active->active[l / 8];
        }
    }
}

static void neon_adam(float *w, float *m, float *v, const float *g, int64_t n, const od_adam_step *s)
{
    const float rate = s->lr / s->corr1;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        vf wi = load(w + i), grad = fma4(set1(s->decay), wi, load(g + i));
        vf mi = fma4(set1(s->beta1), load(m + i), vmulq_f32(set1(s->one_minus_beta1), grad));
        vf vv = fma4(set1(s->beta2), load(v + i), vmulq_f32(vmulq_f32(set1(s->one_minus_beta2), grad), grad));
        vf divisor = vaddq_f32(vdivq_f32(vsqrtq_f32(vv), set1(s->corr2)), set1(s->eps));
        store(m + i, mi);
        store(v + i, vv);
        store(w + i, vsubq_f32(wi, vdivq_f32(vmulq_f32(set1(rate), mi), divisor)));
    }
    for (; i < n; i++) od_adam_one(&w[i], &m[i], &v[i], g[i], rate, s);
}

const od_kern *od_kern_neon(void)
{
    static const od_kern table = {
        .name = "neon",
        .mul = od_neon_mul,
        .dot = od_neon_dot,
        .norms = od_neon_norms,
        .exp = neon_exp,
        .normal = od_neon_normal,
        .sum = neon_sum,
        .moments = neon_moments,
        .norm_leaky = neon_norm_leaky,
        .leaky_bwd = neon_leaky_bwd,
        .norm_bwd = neon_norm_bwd,
        .sample = neon_sample,
        .sample_bwd = neon_sample_bwd,
        .lik = neon_lik,
        .softmax = neon_softmax,
        .compress = neon_compress,
        .expand = neon_expand,
        .adam = neon_adam,
    };
    return &table;
}

#else

const od_kern *od_kern_neon(void)
{
    return 0;
}

#endif
