/* tests: kern dispatch ref avx2 vecmath. Every kernel of every level against the reference, bit for bit, on
 * sizes with all kinds of tails; and the reference against double precision or values worked out by hand. */
#include "test.h"

#include "base/mem.h"
#include "kern/kern.h"
#include "kern/vecmath.h"

#define MAXN 4096

static float *numbers(int64_t n, uint32_t seed, float lo, float hi)
{
    float *x = od_alloc((size_t)n, sizeof *x);
    od_stream s = od_stream_make(seed, 7, OD_RNG_INIT, 0);
    for (int64_t i = 0; i < n; i++) {
        uint32_t w[4];
        od_stream_block(&s, (uint64_t)i, w);
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

TEST(exp_is_within_ulps)
{
    double worst = 0.0;
    for (float x = -86.9f; x < 87.9f; x += 0.00371f) {
        double e = ulps((double)od_expf(x), exp((double)x));
        if (e > worst) worst = e;
    }
    CHECK_NEAR(worst, 0.0, 1.5);
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
    CHECK_NEAR(worst, 0.0, 1.5);
    CHECK(od_logf(1.0f) == 0.0f);
}

TEST(box_muller_follows_its_formula)
{
    od_stream s = od_stream_make(3, 0, OD_RNG_TRAIN, 0);
    for (uint64_t i = 0; i < 20000; i++) {
        uint32_t w[4];
        float a, b;
        od_stream_block(&s, i, w);
        od_box_muller(w[0], w[1], &a, &b);
        double r = sqrt(-2.0 * log((double)od_unit(w[0]))), turn = 6.283185307179586 * (double)od_unit(w[1]);
        CHECK_NEAR(a, r * cos(turn), 2e-6);
        CHECK_NEAR(b, r * sin(turn), 2e-6);
    }
}

TEST(normals_are_normal)
{
    enum { N = 1 << 20 };
    float *x = od_alloc(N, sizeof *x);
    od_stream s = od_stream_make(12, 1, OD_RNG_SCORE, 2);
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

TEST(gemm_by_hand)
{
    const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, -1, 2, 3, 1};
    float c[4] = {9, 9, 9, 9};
    /* (2, 3) x (3, 2) */
    od_kern_ref()->gemm(2, 2, 3, a, 3, 1, b, 2, 1, false, c, 2);
    CHECK(c[0] == 8 && c[1] == 7 && c[2] == 17 && c[3] == 16);
    /* a^T: (3, 2)^T as (2, 3) read the other way, added on */
    od_kern_ref()->gemm(2, 2, 3, a, 1, 2, b, 2, 1, true, c, 2);
    CHECK(c[0] == 8 + 1 - 3 + 15 && c[1] == 7 + 0 + 6 + 5 && c[2] == 17 + 2 - 4 + 18 &&
          c[3] == 16 + 0 + 8 + 6);
}

TEST(likelihood_by_hand)
{
    /* raw mean 0 -> mean 1/2; x = 1 -> r = 1/2 */
    const float zero[1] = {0.0f}, three[1] = {3.0f};
    float head[2] = {0.0f, 1.0f}, x[1] = {1.0f}, logp[1];
    double q = 0.5 * exp(-1.0);
    od_kern_ref()->lik(OD_LIK_PAPER, logp, head, 2, zero, x, 1, 1, true);
    CHECK_NEAR(logp[0], -1.0 - 0.25 * q * 2 / 2, 1e-6);
    CHECK_NEAR(head[0], q * 0.25, 1e-7);
    CHECK_NEAR(head[1], 0.5 * q * 0.5 - 1.0, 1e-6);
    float head2[2] = {0.0f, 1.0f};
    od_kern_ref()->lik(OD_LIK_GAUSSIAN, logp, head2, 2, zero, x, 1, 1, true);
    CHECK_NEAR(logp[0], -0.5 - 0.25 * q, 1e-6);
    CHECK_NEAR(head2[1], 0.25 * q - 0.5, 1e-6);
    float head3[1] = {0.0f};
    od_kern_ref()->lik(OD_LIK_UNIT, logp, head3, 1, NULL, x, 1, 1, true);
    CHECK_NEAR(logp[0], -0.125, 1e-7);
    CHECK_NEAR(head3[0], 0.125, 1e-7);
    float head4[1] = {0.0f};
    od_kern_ref()->lik(OD_LIK_BERNOULLI, logp, head4, 1, NULL, x, 1, 1, true);
    CHECK_NEAR(logp[0], log(0.50001), 1e-6);
    CHECK_NEAR(head4[0], 0.25 / 0.50001, 1e-6);
    /* A clamped log-variance has no derivative, and counts as the clamp. */
    float head5[2] = {0.0f, 4.0f}; /* and a bias of 3 */
    od_kern_ref()->lik(OD_LIK_PAPER, logp, head5, 2, three, x, 1, 1, true);
    CHECK(head5[1] == 0.0f);
    CHECK_NEAR(logp[0], -2.0 - 0.125 * exp(-2.0), 1e-6);
}

TEST(adam_by_hand)
{
    /* With both betas 0 a step is lr * g / (|g| + eps): the sign of the gradient. */
    float w[2] = {1.0f, -1.0f}, m[2] = {0}, v[2] = {0}, g[2] = {0.5f, -4.0f};
    od_adam_step s = {.lr = 0.1f, .eps = 1e-8f, .keep1 = 1.0f, .keep2 = 1.0f, .corr1 = 1.0f, .corr2 = 1.0f};
    od_kern_ref()->adam(w, m, v, g, 2, &s);
    CHECK_NEAR(w[0], 0.9, 1e-6);
    CHECK_NEAR(w[1], -0.9, 1e-6);
}

/* ---- every level against the reference ---- */

static const od_kern *other;
static const int64_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 19, 31, 32, 33, 50, 64, 72, 100};
#define SIZES (sizeof sizes / sizeof *sizes)

TEST(same_gemm)
{
    static const int64_t shapes[][3] = {{1, 1, 1},     {6, 16, 4},   {7, 17, 5},   {13, 8, 9},
                                        {12, 7, 300},  {65, 33, 19}, {3, 72, 513}, {32, 16, 700},
                                        {100, 40, 64}, {11, 5, 256}, {25, 24, 1},  {5, 6, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        int64_t m = shapes[i][0], n = shapes[i][1], k = shapes[i][2];
        float *a = numbers(m * k, 1, -1, 1), *b = numbers(k * n, 2, -1, 1);
        for (int form = 0; form < 8; form++) {
            bool ta = form & 1, tb = form & 2, add = form & 4;
            float *c1 = numbers(m * n, 3, -1, 1), *c2 = copy(c1, m * n);
            od_kern_ref()->gemm(m, n, k, a, ta ? 1 : k, ta ? m : 1, b, tb ? 1 : n, tb ? k : 1, add, c1, n);
            other->gemm(m, n, k, a, ta ? 1 : k, ta ? m : 1, b, tb ? 1 : n, tb ? k : 1, add, c2, n);
            SAME(c1, c2, m * n);
            od_free(c1);
            od_free(c2);
        }
        od_free(a);
        od_free(b);
    }
}

/* An element does not depend on how the rows were split into calls. */
TEST(gemm_rows_are_independent)
{
    int64_t m = 50, n = 21, k = 33;
    float *a = numbers(m * k, 1, -1, 1), *b = numbers(k * n, 2, -1, 1);
    float *whole = numbers(m * n, 3, 0, 1), *parts = numbers(m * n, 3, 0, 1);
    other->gemm(m, n, k, a, k, 1, b, 1, k, false, whole, n);
    for (int64_t at = 0, step = 1; at < m; at += step, step = step % 13 + 1) {
        if (step > m - at) step = m - at;
        other->gemm(step, n, k, a + at * k, k, 1, b, 1, k, false, parts + at * n, n);
    }
    SAME(whole, parts, m * n);
    od_free(a);
    od_free(b);
    od_free(whole);
    od_free(parts);
}

TEST(same_elementary)
{
    for (size_t i = 0; i < SIZES; i++) {
        int64_t n = sizes[i];
        float *x = numbers(n, 4, -90, 90), *p = numbers(n, 5, 1e-6f, 3), *y1 = copy(x, n), *y2 = copy(x, n);
        od_kern_ref()->exp(y1, x, n);
        other->exp(y2, x, n);
        SAME(y1, y2, n);
        od_kern_ref()->log(y1, p, n);
        other->log(y2, p, n);
        SAME(y1, y2, n);
        od_stream s = od_stream_make(UINT64_C(0x123456789ABCDEF0), 3, OD_RNG_TRAIN, 17);
        od_kern_ref()->normal(y1, n, &s);
        other->normal(y2, n, &s);
        SAME(y1, y2, n);
        od_free(x);
        od_free(p);
        od_free(y1);
        od_free(y2);
    }
    float *a = od_alloc(MAXN, sizeof *a), *b = od_alloc(MAXN, sizeof *b);
    od_stream s = od_stream_make(99, 0, OD_RNG_CHECK, 1);
    od_kern_ref()->normal(a, MAXN, &s);
    other->normal(b, MAXN, &s);
    SAME(a, b, MAXN);
    od_free(a);
    od_free(b);
}

TEST(same_activations)
{
    static const int64_t row_counts[] = {1, 5, 63, 64, 65, 200};
    for (size_t r = 0; r < sizeof row_counts / sizeof *row_counts; r++) {
        for (size_t c = 0; c < SIZES; c++) {
            int64_t rows = row_counts[r], cols = sizes[c], n = rows * cols;
            float *x1 = numbers(n, 6, -2, 2), *x2 = copy(x1, n), *y = numbers(n, 7, -2, 2);
            float *p = numbers(cols, 8, -1, 1), *q = numbers(cols, 9, 0.1f, 2), *w = numbers(rows, 10, -1, 1);
            double s1[100], s2[100];
            od_kern_ref()->bias_leaky(x1, p, rows, cols), other->bias_leaky(x2, p, rows, cols);
            SAME(x1, x2, n);
            od_kern_ref()->norm_leaky(x1, p, q, rows, cols), other->norm_leaky(x2, p, q, rows, cols);
            SAME(x1, x2, n);
            double d1[100], d2[100];
            od_kern_ref()->leaky_bwd(x1, y, rows, cols, s1, d1), other->leaky_bwd(x2, y, rows, cols, s2, d2);
            SAME(x1, x2, n);
            SAME(s1, s2, cols);
            SAME(d1, d2, cols);
            od_kern_ref()->leaky_bwd(x1, y, rows, cols, s1, NULL),
                other->leaky_bwd(x2, y, rows, cols, s2, NULL);
            SAME(s1, s2, cols);
            od_kern_ref()->norm_bwd(x1, y, p, q, q, rows, cols), other->norm_bwd(x2, y, p, q, q, rows, cols);
            SAME(x1, x2, n);
            int64_t pick[200], picked = 0;
            for (int64_t i = 0; i < rows; i++)
                if (i % 3 != 1) pick[picked++] = i;
            od_kern_ref()->row_pick(x1, x1, pick, w, picked, cols);
            other->row_pick(x2, x2, pick, w, picked, cols);
            SAME(x1, x2, n);
            od_kern_ref()->row_pick(x1, y, pick, NULL, picked, cols);
            other->row_pick(x2, y, pick, NULL, picked, cols);
            SAME(x1, x2, n);
            od_kern_ref()->col_sum(s1, y, cols, rows, cols), other->col_sum(s2, y, cols, rows, cols);
            SAME(s1, s2, cols);
            od_kern_ref()->col_sqdev(s1, y, p, rows, cols), other->col_sqdev(s2, y, p, rows, cols);
            SAME(s1, s2, cols);
            od_free(x1);
            od_free(x2);
            od_free(y);
            od_free(p);
            od_free(q);
            od_free(w);
        }
    }
}

TEST(same_likelihood)
{
    for (int lik = OD_LIK_PAPER; lik <= OD_LIK_BERNOULLI; lik++) {
        for (size_t i = 0; i < SIZES; i++) {
            int64_t d = sizes[i], k = 3, ld = 2 * d;
            float *bias = numbers(d, 18, -1, 1);
            float *h1 = numbers(k * ld, 11, -9, 5), *h2 = copy(h1, k * ld), *x = numbers(d, 12, 0, 1), l1[3],
                  l2[3];
            for (int grad = 0; grad < 2; grad++) {
                od_kern_ref()->lik((od_lik)lik, l1, h1, ld, bias, x, k, d, grad);
                other->lik((od_lik)lik, l2, h2, ld, bias, x, k, d, grad);
                SAME(l1, l2, 3);
                SAME(h1, h2, k * ld);
            }
            od_free(bias);
            od_free(h1);
            od_free(h2);
            od_free(x);
        }
    }
}

TEST(same_sampling)
{
    for (size_t i = 0; i < SIZES; i++) {
        int64_t n = sizes[i], k = 7;
        float *mu = numbers(n, 20, -2, 2), *scale = numbers(n, 21, 0.05f, 2),
              *eps = numbers(k * n, 22, -3, 3);
        float *z1 = numbers(k * n, 23, 0, 1), *z2 = copy(z1, k * n), *g = numbers(k, 24, -1, 0);
        float *dz = numbers(k * n, 25, -1, 1), t1[7], t2[7];
        od_kern_ref()->sample(z1, t1, mu, scale, eps, k, n), other->sample(z2, t2, mu, scale, eps, k, n);
        SAME(z1, z2, k * n);
        SAME(t1, t2, 7);
        float *a1 = copy(mu, n), *b1 = copy(mu, n), *a2 = copy(mu, n), *b2 = copy(mu, n);
        od_kern_ref()->sample_bwd(a1, b1, dz, z1, eps, g, scale, k, n);
        other->sample_bwd(a2, b2, dz, z1, eps, g, scale, k, n);
        SAME(a1, a2, n);
        SAME(b1, b2, n);
        od_free(mu), od_free(scale), od_free(eps), od_free(z1), od_free(z2), od_free(g), od_free(dz);
        od_free(a1), od_free(b1), od_free(a2), od_free(b2);
    }
}

TEST(same_softmax_and_adam)
{
    for (size_t i = 0; i < SIZES; i++) {
        int64_t n = sizes[i];
        float *x = numbers(n, 13, -40, 3), *v1 = copy(x, n), *v2 = copy(x, n), max1, max2, sum1, sum2;
        od_kern_ref()->softmax(x, n, v1, &max1, &sum1), other->softmax(x, n, v2, &max2, &sum2);
        SAME(v1, v2, n);
        CHECK(max1 == max2 && sum1 == sum2);
        other->softmax(x, n, NULL, &max2, &sum2);
        CHECK(max1 == max2 && sum1 == sum2);
        double total = 0;
        for (int64_t j = 0; j < n; j++) total += (double)v1[j];
        CHECK_NEAR(total, 1.0, 1e-6);

        float *w1 = numbers(n, 14, -1, 1), *w2 = copy(w1, n), *m1 = numbers(n, 15, -1, 1), *m2 = copy(m1, n);
        float *u1 = numbers(n, 16, 0, 1), *u2 = copy(u1, n), *g = numbers(n, 17, -1, 1);
        od_adam_step s = {1e-3f, 0.9f, 0.999f, 1e-8f, 5e-7f, 0.1f, 0.001f, 0.19f, 0.04f};
        od_kern_ref()->adam(w1, m1, u1, g, n, &s), other->adam(w2, m2, u2, g, n, &s);
        SAME(w1, w2, n);
        SAME(m1, m2, n);
        SAME(u1, u2, n);
        od_free(x), od_free(v1), od_free(v2), od_free(w1), od_free(w2);
        od_free(m1), od_free(m2), od_free(u1), od_free(u2), od_free(g);
    }
}

TEST(environment_caps_the_level)
{
    const char *cap = getenv("ODIM_KERN");
    bool want_ref = (cap && strcmp(cap, "ref") == 0) || !od_kern_avx2();
    CHECK_STR(od_kern_get()->name, want_ref ? "ref" : "avx2");
}

int main(void)
{
    RUN(exp_is_within_ulps);
    RUN(log_is_within_ulps);
    RUN(box_muller_follows_its_formula);
    RUN(normals_are_normal);
    RUN(gemm_by_hand);
    RUN(likelihood_by_hand);
    RUN(adam_by_hand);
    RUN(environment_caps_the_level);
    other = od_kern_avx2();
    if (other) {
        RUN(same_gemm);
        RUN(gemm_rows_are_independent);
        RUN(same_elementary);
        RUN(same_activations);
        RUN(same_sampling);
        RUN(same_likelihood);
        RUN(same_softmax_and_adam);
    } else {
        printf("skipped: no AVX2 here\n");
    }
    return test_end();
}
