/* tests: covariance chisquare. */
#include "test.h"

#include "common/mem.h"
#include "base/rng.h"
#include "detectors/chisquare.h"
#include "detectors/covariance.h"

static void fill(double *x, int64_t n, uint32_t seed)
{
    od_rng s = od_rng_make(seed, 0, OD_RNG_TRAIN, 0);
    for (int64_t i = 0; i < n; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        x[i] = (double)od_unit(w[0]) - 0.5;
    }
}

TEST(products)
{
    enum { MOST = 9 };
    double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];
    fill(a, MOST * MOST, 1), fill(b, MOST * MOST, 2);
    for (int64_t k = 1; k <= MOST; k++)
        for (int upper = 0; upper <= 1; upper++) {
            int64_t m = 5, n = upper ? k : 7;
            for (int64_t p = 0; upper && p < k; p++)
                for (int64_t j = 0; j < p; j++) b[p * n + j] = 0;
            od_product(a, b, m, k, n, upper, c);
            for (int64_t i = 0; i < m; i++)
                for (int64_t j = 0; j < n; j++) {
                    double want = 0;
                    for (int64_t p = 0; p < k; p++) want += a[i * k + p] * b[p * n + j];
                    CHECK_NEAR(c[i * n + j], want, 1e-14);
                }
        }
}

/* Rows 0, 2 and 3 of (1, 2) (9, 9) (3, 2) (2, 5): mean (2, 3), deviations (-1, -1) (1, -1) (0, 2). */
TEST(covariance_by_hand)
{
    const double z[] = {1, 2, 9, 9, 3, 2, 2, 5};
    const int32_t which[] = {0, 2, 3};
    double mean[2], cov[4], room[OD_SCATTER_ROWS * 2];
    od_mean_covariance(z, 2, which, 3, mean, cov, room);
    CHECK_NEAR(mean[0], 2, 1e-15);
    CHECK_NEAR(mean[1], 3, 1e-15);
    CHECK_NEAR(cov[0], 2 / 3.0, 1e-15);
    CHECK_NEAR(cov[1], 0, 1e-15);
    CHECK_NEAR(cov[2], 0, 1e-15);
    CHECK_NEAR(cov[3], 2, 1e-15);
}

/* More rows than are taken at a time. */
TEST(covariance_of_many)
{
    enum { N = 101, D = 5 };
    double z[N * D], mean[D], cov[D * D], room[OD_SCATTER_ROWS * D];
    int32_t which[N];
    fill(z, N * D, 3);
    for (int i = 0; i < N; i++) which[i] = N - 1 - i;
    od_mean_covariance(z, D, which, N, mean, cov, room);
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            double mi = 0, mj = 0, sum = 0;
            for (int r = 0; r < N; r++) mi += z[r * D + i] / N, mj += z[r * D + j] / N;
            for (int r = 0; r < N; r++) sum += (z[r * D + i] - mi) * (z[r * D + j] - mj) / N;
            CHECK_NEAR(mean[i], mi, 1e-15);
            CHECK_NEAR(cov[i * D + j], sum, 1e-15);
        }
}

/* (4, 2; 2, 3): determinant 8; y = (1, 2): y' (3, -2; -2, 4) y / 8 = (3 - 8 + 16) / 8. */
TEST(distance_by_hand)
{
    const double s[] = {4, 2, 2, 3}, z[] = {5, 5, 1, 2, 0, 0}, mean[] = {0, 0};
    const int32_t which[] = {1, 2};
    double u[4], room[2 * OD_SCATTER_ROWS * 2], distance[3];
    CHECK_NEAR(od_whiten(s, 2, 0, u, room), log(8), 1e-14);
    CHECK(u[2] == 0);
    od_mahalanobis(z, 2, which, 2, mean, u, true, room, distance);
    CHECK_NEAR(distance[0], 11 / 8.0, 1e-14);
    CHECK_NEAR(distance[1], 0, 1e-14);
    od_mahalanobis(z, 2, NULL, 3, mean, u, false, room, distance);
    CHECK_NEAR(distance[0], 25 * (3 - 4 + 4) / 8.0, 1e-13);
    CHECK_NEAR(distance[1], 11 / 8.0, 1e-14);
}

/* y' inverse(s) y for random s = a'a: with x = inverse(a') y it is |x|^2, so start from x. */
TEST(distances_of_any_size)
{
    enum { MOST = 40 };
    double *a = od_alloc(4 * MOST * MOST, sizeof *a), *s = a + MOST * MOST, *u = s + MOST * MOST,
           *room = u + MOST * MOST, x[MOST], y[MOST], mean[MOST] = {0}, distance;
    double *more = od_alloc(2 * OD_SCATTER_ROWS * MOST, sizeof *more);
    for (int64_t d = 1; d <= MOST; d += 3) {
        double want = 0;
        fill(a, d * d, (uint32_t)d), fill(x, d, 77);
        for (int64_t i = 0; i < d; i++) a[i * d + i] += 2;
        for (int64_t i = 0; i < d; i++) {
            want += x[i] * x[i];
            y[i] = 0;
            for (int64_t k = 0; k < d; k++) y[i] += a[k * d + i] * x[k];
            for (int64_t j = 0; j < d; j++) {
                s[i * d + j] = 0;
                for (int64_t k = 0; k < d; k++) s[i * d + j] += a[k * d + i] * a[k * d + j];
            }
        }
        od_whiten(s, d, 0, u, room);
        od_mahalanobis(y, d, NULL, 1, mean, u, true, more, &distance);
        CHECK_NEAR(distance, want, 1e-11 * want);
    }
    od_free(a), od_free(more);
}

/* No variance: the ridge. */
TEST(singular)
{
    const double s[] = {1, 1, 1, 1}, z[] = {1, -1}, mean[] = {0, 0};
    double u[4], room[2 * OD_SCATTER_ROWS * 2], distance;
    CHECK_NEAR(od_whiten(s, 2, 1e-6, u, room), log(2e-6), 1e-5);
    od_mahalanobis(z, 2, NULL, 1, mean, u, true, room, &distance);
    CHECK_NEAR(distance, 2e6, 1);
}

TEST(medians)
{
    double v[] = {5, 1, 3}, w[] = {4, 1, 2, 9};
    CHECK_NEAR(od_median(v, 3), 3, 0);
    CHECK_NEAR(od_median(w, 4), 3, 0);
}

/* scipy.stats.chi2.ppf; and -2 log(1 - p) where there are two degrees of freedom. */
TEST(quantiles)
{
    CHECK_NEAR(od_chisquare_quantile(0.5, 2), 2 * log(2), 1e-12);
    CHECK_NEAR(od_chisquare_quantile(0.975, 2), -2 * log(0.025), 1e-12);
    CHECK_NEAR(od_chisquare_quantile(0.5, 1), 0.4549364231196, 1e-12);
    CHECK_NEAR(od_chisquare_quantile(0.975, 1), 5.0238861873149, 1e-12);
    CHECK_NEAR(od_chisquare_quantile(0.975, 7), 16.0127642746293, 1e-12);
    CHECK_NEAR(od_chisquare_quantile(0.5, 300), 299.3335973492181, 1e-9);
    CHECK_NEAR(od_chisquare_quantile(0.975, 1555), 1666.1838440785725, 1e-8);
}

int main(void)
{
    RUN(products);
    RUN(covariance_by_hand);
    RUN(covariance_of_many);
    RUN(distance_by_hand);
    RUN(distances_of_any_size);
    RUN(singular);
    RUN(medians);
    RUN(quantiles);
    return test_end();
}
