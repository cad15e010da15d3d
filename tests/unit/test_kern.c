/* tests: kern dispatch ref avx2 avx2_mul avx2_normal avx512 mul_parts.
 * tests: neon neon_mul neon_normal vecmath active_samples. Every kernel of every level against the reference,
 * bit for bit, on sizes with all kinds of tails; and the reference against double precision or values worked
 * out by hand. */
#include "test.h"

#include <float.h>

#include "common/mem.h"
#include "kern/kern.h"
#include "kern/vecmath.h"
#include "net/active_samples.h"

#define MAXN 4096

static float *numbers(int64_t n, uint32_t seed, float lo, float hi)
{
    float *x = od_alloc((size_t)n, sizeof *x);
    od_rng s = od_rng_make(seed, 7, OD_RNG_INIT, 0);
    for (int64_t i = 0; i < n; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        x[i] = lo + (hi - lo) * od_unit(w[0]);
    }
    return x;
}

static float *copy(const float *x, int64_t n)
{
    float *y = od_alloc((size_t)n, sizeof *y);
    memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

#define SAME(a, b, n) CHECK(memcmp(a, b, (size_t)(n) * sizeof *(a)) == 0)

static double ulps(double got, double want)
{
    double unit = ldexp(1.0, ilogb(want) - 23);
    return fabs(got - want) / unit;
}

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Random bits, and sums that need the exact product: far apart, canceling, and subnormal. */
TEST(multiply_add_rounds_once)
{
    od_rng s = od_rng_make(5, 0, OD_RNG_INIT, 0);
    int64_t finite = 0, wrong = 0;
    for (uint64_t i = 0; i < 300000; i++) {
        uint32_t w[4];
        od_rng_block(&s, i, w);
        float a = od_from_bits(w[0]), b = od_from_bits(w[1]), c = od_from_bits(w[2]);
        if (i % 3 == 0)
            a = 1.0f + od_unit(w[0]), b = 1.0f + od_unit(w[1]), c = -(float)((double)a * (double)b);
        if (i % 3 == 1) c = ldexpf(a * b, (int)(w[3] % 50) - 25);
        if (i % 7 == 0) a = ldexpf(od_unit(w[0]), -70), b = ldexpf(od_unit(w[1]), -70), c = ldexpf(c, -100);
        float want = fmaf(a, b, c), got = od_fmaf(a, b, c);
        if (isnan(want)) {
            wrong += !isnan(got);
            continue;
        }
        wrong += !same_bits(want, got) || !same_bits(want, od_fmaf_odd((double)a * (double)b, (double)c));
        finite++;
    }
    CHECK_INT(wrong, 0);
    CHECK(finite > 200000);
    /* 1 + 2^-24 is halfway between two floats; what is added to it decides. */
    float half = 0x1p-24f, little = 0x1p-80f;
    CHECK(od_fmaf(half, 1.0f, 1.0f) == 1.0f);
    CHECK(od_fmaf(0x1.000002p-12f, 0x1p-12f, 1.0f) == 0x1.000002p+0f);
    CHECK(od_fmaf(0x1.fffffep-13f, 0x1p-12f, 1.0f) == 1.0f);
    CHECK(od_fmaf_odd(1.0 + 0x1p-24, (double)little) == 0x1.000002p+0f);
    CHECK(od_fmaf_odd(1.0 + 0x1p-24, (double)-little) == 1.0f);
    CHECK(od_fmaf_odd(-1.0 - 0x1p-24, (double)-little) == -0x1.000002p+0f);
    CHECK(same_bits(od_fmaf(-0.0f, 1.0f, -0.0f), -0.0f) && same_bits(od_fmaf(1.0f, 1.0f, -1.0f), 0.0f));
    CHECK(isinf(od_fmaf(FLT_MAX, 2.0f, 1.0f)) && isnan(od_fmaf(INFINITY, 0.0f, 1.0f)));
}

TEST(exp_is_within_ulps)
{
    double worst = 0.0, far = 0.0;
    for (float x = -86.9f; x < 87.9f; x += 0.00371f) {
        double e = ulps((double)od_expf(x), exp((double)x)),
               r = fabs((double)od_expf(x) / exp((double)x) - 1);
        if (fabsf(x) < 8.0f && e > worst) worst = e;
        if (r > far) far = r;
    }
    CHECK_NEAR(worst, 0.0, 4.0);
    CHECK_NEAR(far, 0.0, 2e-6);
    CHECK(od_expf(0.0f) == 1.0f);
    CHECK(od_expf(-1000.0f) > 0.0f && od_expf(-1000.0f) < 1e-37f);
    CHECK(isfinite(od_expf(1000.0f)) && isfinite(od_expf(NAN)));
}

TEST(log_is_within_ulps)
{
    double worst = 0.0;
    for (float x = 1e-30f; x < 1e30f; x *= 1.00137f) {
        double e = ulps((double)od_logf(x), log((double)x));
        if (fabsf(x - 1.0f) > 0.01f && e > worst) worst = e;
    }
    for (float x = 0.99f; x < 1.01f; x += 1.7e-6f) CHECK_NEAR(od_logf(x), log((double)x), 1.2e-9);
    CHECK_NEAR(worst, 0.0, 2.0);
    CHECK(od_logf(1.0f) == 0.0f);
}

TEST(box_muller_follows_its_formula)
{
    od_rng s = od_rng_make(3, 0, OD_RNG_TRAIN, 0);
    for (uint64_t i = 0; i < 20000; i++) {
        uint32_t w[4];
        float a, b;
        od_rng_block(&s, i, w);
        od_box_muller(w[0], w[1], &a, &b);
        /* Upper two bits: the quarter; the others: where in it, from -1/2 to 1/2. */
        double r = sqrt(-2.0 * log((double)od_unit(w[0])));
        double within = (double)(int32_t)(w[1] << 2) / 4294967296.0;
        double turn = 1.5707963267948966 * ((double)(w[1] >> 30) + within);
        CHECK_NEAR(a, r * cos(turn), 2e-6);
        CHECK_NEAR(b, r * sin(turn), 2e-6);
    }
}

TEST(normals_are_normal)
{
    enum { N = 1 << 20 };
    float *x = od_alloc(N, sizeof *x);
    od_rng s = od_rng_make(12, 1, OD_RNG_SCORE, 2);
    od_kern_get()->normal(x, N, &s);
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0, lag = 0;
    int64_t beyond2 = 0;
    for (int64_t i = 0; i < N; i++) {
        double v = (double)x[i];
        m1 += v, m2 += v * v, m3 += v * v * v, m4 += v * v * v * v;
        if (i) lag += v * (double)x[i - 1];
        beyond2 += fabs(v) > 2.0;
    }
    /* Five standard errors of each. */
    CHECK_NEAR(m1 / N, 0.0, 5.0 / sqrt(N));
    CHECK_NEAR(m2 / N, 1.0, 5.0 * sqrt(2.0 / N));
    CHECK_NEAR(m3 / N, 0.0, 5.0 * sqrt(15.0 / N));
    CHECK_NEAR(m4 / N, 3.0, 5.0 * sqrt(96.0 / N));
    CHECK_NEAR(lag / N, 0.0, 5.0 / sqrt(N));
    CHECK_NEAR((double)beyond2 / N, 0.0455003, 5.0 * sqrt(0.0455 / N));
    od_free(x);
}

/* 8 lanes with the same number. */
static void fill(float *lane, float x)
{
    for (int l = 0; l < 8; l++) lane[l] = x;
}

TEST(multiplies_by_hand)
{
    /* (2, 3) x (3, 8): lane l of b is (1 + l, 2, -l). */
    const float a[] = {1, 2, 3, -4, 5, 6}, at[] = {1, -4, 2, 5, 3, 6}, bias[] = {0.5f, -1};
    float b[24], c[16], d[16], w[6] = {100, 0, 0, 0, 0, 0};
    for (int l = 0; l < 8; l++) b[l] = (float)(1 + l), b[8 + l] = 2, b[16 + l] = (float)-l;
    od_kern_ref()->mul(&(od_mul_args){2, 8, 3, a, 3, 1, b, 8, bias, false, c, 8});
    od_kern_ref()->mul(&(od_mul_args){2, 8, 3, at, 1, 2, b, 8, NULL, true, d, 8});
    for (int l = 0; l < 8; l++) {
        float first = (float)(1 + l + 4 - 3 * l), second = (float)(-4 - 4 * l + 10 - 6 * l);
        CHECK(c[l] == first + 0.5f && c[8 + l] == second - 1);
        CHECK_NEAR(d[l], first > 0 ? first : 0.01f * first, 1e-6);
        CHECK_NEAR(d[8 + l], second > 0 ? second : 0.01f * second, 1e-6);
    }
    /* c += a b^T over the lanes: rows of b sum to 36, 16, -28. */
    float ones[8];
    fill(ones, 1);
    od_kern_ref()->dot(&(od_dot_args){1, 3, 8, ones, 8, b, 8, w, 3});
    CHECK(w[0] == 136 && w[1] == 16 && w[2] == -28);
}

/* Row i of two has samples a = (1, i), (2, 1) and b = (3), (i): the product is (3 + 2 i, 4 i). */
TEST(norms_by_hand)
{
    float a[2 * 16], b[16], norm[8];
    for (int i = 0; i < 8; i++) {
        a[i] = 1, a[8 + i] = 2;
        a[16 + i] = (float)i, a[24 + i] = 1;
        b[i] = 3, b[8 + i] = (float)i;
        norm[i] = 0.5f;
    }
    od_kern_ref()->norms(&(od_norms_args){norm, 2, 1, 2, 8, a, 16, b, 16});
    for (int i = 0; i < 8; i++)
        CHECK(norm[i] == 0.5f + (float)((3 + 2 * i) * (3 + 2 * i) + (4 * i) * (4 * i)));
}

TEST(moments_by_hand)
{
    const float x[16] = {1, 3, 1, 3, 1, 3, 1, 3, 5, 5, 5, 5, 5, 5, 5, 77}, on[8] = {1, 1, 1, 1, 1, 1, 1, 0};
    double mean[2], dev[2], sum[2];
    od_kern_ref()->moments(mean, dev, x, NULL, 1, 8, 8);
    CHECK(mean[0] == 2 && dev[0] == 8);
    od_kern_ref()->moments(mean, dev, x, on, 2, 8, 7);
    CHECK_NEAR(mean[0], 13.0 / 7, 1e-7);
    CHECK_NEAR(dev[0], 4 + 27 - 169.0 / 7, 1e-5);
    CHECK(mean[1] == 5 && dev[1] == 0);
    od_kern_ref()->sum(sum, x, 2, 8);
    CHECK(sum[0] == 16 && sum[1] == 112);
}

TEST(likelihood_by_hand)
{
    /* raw mean 0 -> mean 1/2; x = 1 -> r = 1/2 */
    const od_kern *k = od_kern_ref();
    const float zero[1] = {0.0f}, three[1] = {3.0f};
    float mean[8], lv[8], x[8], logp[8];
    double q = 0.5 * exp(-1.0);
    fill(x, 1), fill(mean, 0), fill(lv, 1), fill(logp, 10);
    k->lik(&(od_lik_args){OD_LIK_PAPER, logp, mean, lv, zero, x, 8, 1, 8, 1, true});
    CHECK_NEAR(logp[3], 10 - 1.0 - 0.25 * q, 1e-6);
    CHECK_NEAR(mean[3], q * 0.25, 1e-7);
    CHECK_NEAR(lv[3], 0.5 * q * 0.5 - 1.0, 1e-6);
    fill(mean, 0), fill(lv, 1), fill(logp, 0);
    k->lik(&(od_lik_args){OD_LIK_GAUSSIAN, logp, mean, lv, zero, x, 8, 1, 8, 1, true});
    CHECK_NEAR(logp[0], -0.5 - 0.25 * q, 1e-6);
    CHECK_NEAR(lv[0], 0.25 * q - 0.5, 1e-6);
    fill(mean, 0), fill(logp, 0);
    k->lik(&(od_lik_args){OD_LIK_UNIT, logp, mean, NULL, NULL, x, 8, 1, 8, 1, true});
    CHECK_NEAR(logp[7], -0.125, 1e-7);
    CHECK_NEAR(mean[7], 0.125, 1e-7);
    fill(mean, 0), fill(logp, 0);
    k->lik(&(od_lik_args){OD_LIK_BERNOULLI, logp, mean, NULL, NULL, x, 8, 1, 8, 1, true});
    CHECK_NEAR(logp[0], log(0.50001), 1e-6);
    CHECK_NEAR(mean[0], 0.25 / 0.50001, 1e-6);
    /* A clamped log-variance has no derivative, and counts as the clamp. With a bias of 3. */
    fill(mean, 0), fill(lv, 4), fill(logp, 0);
    k->lik(&(od_lik_args){OD_LIK_PAPER, logp, mean, lv, three, x, 8, 1, 8, 1, true});
    CHECK(lv[0] == 0.0f);
    CHECK_NEAR(logp[0], -2.0 - 0.125 * exp(-2.0), 1e-6);
}

TEST(adam_by_hand)
{
    /* With both betas 0 a step is lr * g / (|g| + eps): the sign of the gradient. */
    float w[2] = {1.0f, -1.0f}, m[2] = {0}, v[2] = {0}, g[2] = {0.5f, -4.0f};
    od_adam_step s = {.lr = 0.1f,
                      .eps = 1e-8f,
                      .one_minus_beta1 = 1.0f,
                      .one_minus_beta2 = 1.0f,
                      .corr1 = 1.0f,
                      .corr2 = 1.0f};
    od_kern_ref()->adam(w, m, v, g, 2, &s);
    CHECK_NEAR(w[0], 0.9, 1e-6);
    CHECK_NEAR(w[1], -0.9, 1e-6);
}

/* ---- every level against the reference ---- */

static const od_kern *other;
static const int64_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 19, 31, 32, 33, 50, 64, 72, 100};
static const int64_t lanes[] = {8, 16, 24, 32, 40, 64, 88, 400};
#define COUNT(a) (sizeof(a) / sizeof *(a))

TEST(same_multiplies)
{
    static const int64_t inner[] = {1, 2, 8, 32, 255, 256, 257, 600};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (size_t j = 0; j < COUNT(lanes); j++) {
            int64_t m = sizes[i], n = lanes[j], k = inner[(i + j) % COUNT(inner)];
            float *a = numbers(m * k, 1, -1, 1), *b = numbers(k * n, 2, -1, 1), *bias = numbers(m, 4, -1, 1);
            float *c1 = numbers(m * n, 3, -1, 1), *c2 = numbers(m * n, 5, -1, 1);
            for (int form = 0; form < 8; form++) {
                bool t = form & 1, leaky = form & 4;
                const float *with = form & 2 ? bias : NULL;
                od_kern_ref()->mul(
                    &(od_mul_args){m, n, k, a, t ? 1 : k, t ? m : 1, b, n, with, leaky, c1, n});
                other->mul(&(od_mul_args){m, n, k, a, t ? 1 : k, t ? m : 1, b, n, with, leaky, c2, n});
                SAME(c1, c2, m * n);
            }
            /* Rows a (m, n) with rows b (k, n), over the lanes. */
            float *x = numbers(m * n, 6, -1, 1), *d1 = numbers(m * k, 7, -1, 1), *d2 = copy(d1, m * k);
            od_kern_ref()->dot(&(od_dot_args){m, k, n, x, n, b, n, d1, k});
            other->dot(&(od_dot_args){m, k, n, x, n, b, n, d2, k});
            SAME(d1, d2, m * k);
            /* Rows in the lanes, up to 24 of them, and samples. */
            int64_t rows = n % 24 ? 8 : 24;
            float *e1 = numbers(rows, 8, 0, 1), *e2 = copy(e1, rows);
            od_kern_ref()->norms(&(od_norms_args){e1, m, k, n / rows, rows, x, n, b, n});
            other->norms(&(od_norms_args){e2, m, k, n / rows, rows, x, n, b, n});
            SAME(e1, e2, rows);
            od_free(a), od_free(b), od_free(bias), od_free(c1), od_free(c2);
            od_free(x), od_free(d1), od_free(d2), od_free(e1), od_free(e2);
        }
    }
    /* More features than one block of a. */
    int64_t m = 300, n = 40, k = 20;
    float *a = numbers(m * k, 1, -1, 1), *b = numbers(k * n, 2, -1, 1);
    float *c1 = numbers(m * n, 3, -1, 1), *c2 = numbers(m * n, 5, -1, 1);
    od_kern_ref()->mul(&(od_mul_args){m, n, k, a, k, 1, b, n, NULL, true, c1, n});
    other->mul(&(od_mul_args){m, n, k, a, k, 1, b, n, NULL, true, c2, n});
    SAME(c1, c2, m * n);
    od_free(a), od_free(b), od_free(c1), od_free(c2);
}

/* A lane does not depend on which lanes were in the same call. */
TEST(lanes_are_independent)
{
    int64_t m = 21, n = 104, k = 33;
    float *a = numbers(m * k, 1, -1, 1), *b = numbers(k * n, 2, -1, 1);
    float *whole = numbers(m * n, 3, 0, 1), *parts = numbers(m * n, 3, 0, 1);
    other->mul(&(od_mul_args){m, n, k, a, k, 1, b, n, NULL, false, whole, n});
    for (int64_t at = 0, step = 8; at < n; at += step, step = step % 40 + 8) {
        if (step > n - at) step = n - at;
        other->mul(&(od_mul_args){m, step, k, a, k, 1, b + at, n, NULL, false, parts + at, n});
    }
    SAME(whole, parts, m * n);
    od_free(a), od_free(b), od_free(whole), od_free(parts);
}

TEST(same_elementary)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        int64_t n = sizes[i];
        float *x = numbers(n, 4, -90, 90), *y1 = copy(x, n), *y2 = copy(x, n);
        od_kern_ref()->exp(y1, x, n);
        other->exp(y2, x, n);
        SAME(y1, y2, n);
        od_rng s = od_rng_make(UINT64_C(0x123456789ABCDEF0), 3, OD_RNG_TRAIN, 17);
        od_kern_ref()->normal(y1, n, &s);
        other->normal(y2, n, &s);
        SAME(y1, y2, n);
        od_free(x), od_free(y1), od_free(y2);
    }
    float *a = od_alloc(MAXN, sizeof *a), *b = od_alloc(MAXN, sizeof *b);
    od_rng s = od_rng_make(99, 0, OD_RNG_CHECK, 1);
    od_kern_ref()->normal(a, MAXN, &s);
    other->normal(b, MAXN, &s);
    SAME(a, b, MAXN);
    od_free(a), od_free(b);
}

TEST(same_layers)
{
    for (size_t i = 0; i < COUNT(lanes); i++) {
        int64_t n = lanes[i], f = 5, all = f * n;
        float *x1 = numbers(all, 6, -2, 2), *x2 = copy(x1, all), *y = numbers(all, 7, -2, 2);
        float *p = numbers(f, 8, -1, 1), *q = numbers(f, 9, 0.1f, 2), *on = numbers(n, 10, 0, 1);
        for (int64_t l = 0; l < n; l++) on[l] = on[l] > 0.3f ? 1.0f : 0.0f;
        double s1[5], s2[5], d1[5], d2[5];
        od_kern_ref()->norm_leaky(x1, q, p, f, n), other->norm_leaky(x2, q, p, f, n);
        SAME(x1, x2, all);
        od_kern_ref()->sum(s1, y, f, n), other->sum(s2, y, f, n);
        SAME(s1, s2, f);
        for (int masked = 0; masked < 2; masked++) {
            const float *mask = masked ? on : NULL;
            od_kern_ref()->moments(s1, d1, y, mask, f, n, n), other->moments(s2, d2, y, mask, f, n, n);
            SAME(s1, s2, f);
            SAME(d1, d2, f);
            od_kern_ref()->leaky_bwd(x1, y, f, n, s1, d1), other->leaky_bwd(x2, y, f, n, s2, d2);
            SAME(x1, x2, all);
            SAME(s1, s2, f);
            SAME(d1, d2, f);
            od_kern_ref()->leaky_bwd(x1, y, f, n, s1, NULL), other->leaky_bwd(x2, y, f, n, s2, NULL);
            SAME(s1, s2, f);
            od_kern_ref()->norm_bwd(x1, y, &(od_norm_bwd_terms){p, q, q}, mask, f, n),
                other->norm_bwd(x2, y, &(od_norm_bwd_terms){p, q, q}, mask, f, n);
            SAME(x1, x2, all);
        }
        od_free(x1), od_free(x2), od_free(y), od_free(p), od_free(q), od_free(on);
    }
}

TEST(same_live_lanes)
{
    const float gain[] = {2, 2, 3, -1, 0.5f, 7, 1, 2, -4, 5, 0.25f, 6, 8, -9, 10, 11};
    for (size_t i = 0; i < COUNT(lanes); i++) {
        for (float least = 0.0f; least < 1.2f; least += 0.3f) { /* from all lanes to none */
            int64_t n = lanes[i], f = 3;
            float *v = numbers(n, 10, 0, 1), *x1 = numbers(f * n + 8, 6, -2, 2), *x2 = copy(x1, f * n + 8);
            float *y1 = numbers(f * n + 8, 7, -2, 2), *y2 = copy(y1, f * n + 8), *g = copy(v, n);
            float *before = copy(x1, f * n);
            od_active_samples active;
            REQUIRE(od_active_samples_new(&active, n, NULL) == ODIM_OK);
            int64_t rows = n % 16 ? 8 : 16;
            od_active_samples_pick(&active, g, v, least, gain, rows, n);
            int64_t count = 0, ld = od_lanes(active.count);
            for (int64_t l = 0; l < n; l++) {
                CHECK(g[l] == (v[l] >= least ? v[l] * gain[l % rows] : 0.0f));
                count += v[l] >= least;
            }
            CHECK_INT(active.count, count);
            for (int weighted = 0; weighted < 2; weighted++) { /* the second time in place */
                float *to1 = weighted ? x1 : y1, *to2 = weighted ? x2 : y2;
                od_kern_ref()->compress(to1, x1, weighted ? v : NULL, &active, f);
                other->compress(to2, x2, weighted ? v : NULL, &active, f);
                SAME(to1, to2, f * ld);
            }
            /* y1 has the live lanes: there and back is what there was. */
            od_kern_ref()->expand(x1, y1, &active, f), other->expand(x2, y2, &active, f);
            SAME(x1, x2, f * n);
            for (int64_t l = 0; l < f * n; l++) CHECK(x1[l] == (v[l % n] >= least ? before[l] : 0.0f));
            od_active_samples_free(&active);
            od_free(v), od_free(x1), od_free(x2), od_free(y1), od_free(y2), od_free(g), od_free(before);
        }
    }
}

TEST(same_likelihood)
{
    for (int lik = OD_LIK_PAPER; lik <= OD_LIK_BERNOULLI; lik++) {
        for (int64_t rows = 8; rows <= 24; rows += 8) {
            int64_t d = 5, k = 3, n = k * rows;
            float *bias = numbers(d, 18, -1, 1), *x = numbers(d * rows, 12, 0, 1);
            float *m1 = numbers(d * n, 11, -9, 5), *m2 = copy(m1, d * n), *l1 = numbers(n, 13, -3, 0);
            float *v1 = numbers(d * n, 19, -9, 5), *v2 = copy(v1, d * n), *l2 = copy(l1, n);
            for (int grad = 0; grad < 2; grad++) {
                od_kern_ref()->lik(&(od_lik_args){(od_lik)lik, l1, m1, v1, bias, x, rows, k, rows, d, grad});
                other->lik(&(od_lik_args){(od_lik)lik, l2, m2, v2, bias, x, rows, k, rows, d, grad});
                SAME(l1, l2, n);
                SAME(m1, m2, d * n);
                SAME(v1, v2, d * n);
            }
            od_free(bias), od_free(x), od_free(m1), od_free(m2), od_free(v1), od_free(v2);
            od_free(l1), od_free(l2);
        }
    }
}

TEST(same_sampling)
{
    for (int64_t rows = 8; rows <= 24; rows += 8) {
        int64_t latent = 3, k = 7, n = k * rows, ldm = rows + 8;
        float *mu = numbers(latent * ldm, 20, -2, 2), *scale = numbers(latent * ldm, 21, 0.05f, 2);
        float *eps = numbers(latent * n, 22, -3, 3), *g = numbers(n, 24, -1, 0);
        float *z1 = numbers(latent * n, 23, 0, 1), *z2 = copy(z1, latent * n);
        float *dz = numbers(latent * n, 25, -1, 1), *t1 = copy(g, n), *t2 = copy(g, n);
        for (int shared = 0; shared < 2; shared++) {
            od_kern_ref()->sample(&(od_sample_args){z1, t1, mu, scale, ldm, eps, shared, k, rows, latent});
            other->sample(&(od_sample_args){z2, t2, mu, scale, ldm, eps, shared, k, rows, latent});
            SAME(z1, z2, latent * n);
            SAME(t1, t2, n);
        }
        float *a1 = copy(mu, latent * ldm), *b1 = copy(mu, latent * ldm);
        float *a2 = copy(mu, latent * ldm), *b2 = copy(mu, latent * ldm);
        od_kern_ref()->sample_bwd(&(od_sample_bwd_args){a1, b1, scale, ldm, dz, z1, eps, g, k, rows, latent});
        other->sample_bwd(&(od_sample_bwd_args){a2, b2, scale, ldm, dz, z1, eps, g, k, rows, latent});
        SAME(a1, a2, latent * ldm);
        SAME(b1, b2, latent * ldm);
        od_free(mu), od_free(scale), od_free(eps), od_free(z1), od_free(z2), od_free(g), od_free(dz);
        od_free(t1), od_free(t2), od_free(a1), od_free(b1), od_free(a2), od_free(b2);
    }
}

TEST(same_softmax_and_adam)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        int64_t k = sizes[i], rows = 16, n = k * rows;
        float *x = numbers(n, 13, -40, 3), *v1 = copy(x, n), *v2 = copy(x, n);
        float max1[16], max2[16], sum1[16], sum2[16];
        od_kern_ref()->softmax(x, k, rows, v1, max1, sum1), other->softmax(v2, k, rows, v2, max2, sum2);
        SAME(v1, v2, n);
        SAME(max1, max2, 16);
        SAME(sum1, sum2, 16);
        other->softmax(x, k, rows, NULL, max2, sum2);
        SAME(max1, max2, 16);
        SAME(sum1, sum2, 16);
        double total = 0;
        for (int64_t s = 0; s < k; s++) total += (double)v1[s * rows + 11];
        CHECK_NEAR(total, 1.0, 1e-6);
        od_free(x), od_free(v1), od_free(v2);

        n = k;
        float *w1 = numbers(n, 14, -1, 1), *w2 = copy(w1, n), *m1 = numbers(n, 15, -1, 1), *m2 = copy(m1, n);
        float *u1 = numbers(n, 16, 0, 1), *u2 = copy(u1, n), *g = numbers(n, 17, -1, 1);
        od_adam_step s = {1e-3f, 0.9f, 0.999f, 1e-8f, 5e-7f, 0.1f, 0.001f, 0.19f, 0.04f};
        od_kern_ref()->adam(w1, m1, u1, g, n, &s), other->adam(w2, m2, u2, g, n, &s);
        SAME(w1, w2, n);
        SAME(m1, m2, n);
        SAME(u1, u2, n);
        od_free(w1), od_free(w2), od_free(m1), od_free(m2), od_free(u1), od_free(u2), od_free(g);
    }
}

TEST(environment_caps_the_level)
{
    const char *cap = getenv("ODIM_KERN");
    bool want_ref = cap && strcmp(cap, "ref") == 0;
#if defined(__aarch64__)
    CHECK_STR(od_kern_get()->name, want_ref ? "ref" : "neon");
#else
    bool want_avx2 = cap && strcmp(cap, "avx2") == 0;
    CHECK_STR(od_kern_get()->name, want_ref || !od_kern_avx2()      ? "ref"
                                   : want_avx2 || !od_kern_avx512() ? "avx2"
                                                                    : "avx512");
#endif
}

int main(void)
{
    RUN(multiply_add_rounds_once);
    RUN(exp_is_within_ulps);
    RUN(log_is_within_ulps);
    RUN(box_muller_follows_its_formula);
    RUN(normals_are_normal);
    RUN(multiplies_by_hand);
    RUN(norms_by_hand);
    RUN(moments_by_hand);
    RUN(likelihood_by_hand);
    RUN(adam_by_hand);
    RUN(environment_caps_the_level);
    other = od_kern_avx2() ? od_kern_avx2() : od_kern_neon();
    RUN_IF(other, same_multiplies, "neither AVX2 nor NEON here");
    RUN_IF(other, lanes_are_independent, "neither AVX2 nor NEON here");
    RUN_IF(other, same_elementary, "neither AVX2 nor NEON here");
    RUN_IF(other, same_layers, "neither AVX2 nor NEON here");
    RUN_IF(other, same_live_lanes, "neither AVX2 nor NEON here");
    RUN_IF(other, same_sampling, "neither AVX2 nor NEON here");
    RUN_IF(other, same_likelihood, "neither AVX2 nor NEON here");
    RUN_IF(other, same_softmax_and_adam, "neither AVX2 nor NEON here");
    other = od_kern_avx512();
    RUN_IF(other, same_multiplies, "no AVX-512 here");
    RUN_IF(other, lanes_are_independent, "no AVX-512 here");
    return test_end();
}
