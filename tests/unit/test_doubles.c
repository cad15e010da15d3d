/* tests: doubles_ref doubles_avx2. Every level against plain loops, to the bit, for all sizes that leave
 * something over. */
#include "test.h"

#include "base/rng.h"
#include "kern/doubles.h"

enum { MOST = 40 };
static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], want[MOST * MOST], room[MOST * MOST];

static void fill(double *x, int n, uint32_t member)
{
    od_rng s = od_rng_make(3, member, OD_RNG_TRAIN, 0);
    for (int i = 0; i < n; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        x[i] = (double)w[0] / 4294967296.0 - 0.5;
    }
}

/* The sum over p of x[p] y[p], four terms at a time. */
static double in_fours(const double *x, int64_t x_step, const double *y, int64_t y_step, int64_t n,
                       double sum)
{
    int64_t p = 0;
    for (; p + 4 <= n; p += 4) {
        double t[4];
        for (int i = 0; i < 4; i++) t[i] = x[(p + i) * x_step] * y[(p + i) * y_step];
        sum += (t[0] + t[1]) + (t[2] + t[3]);
    }
    for (; p < n; p++) sum += x[p * x_step] * y[p * y_step];
    return sum;
}

static void check_product(const od_dense *level, int m, int k, int n)
{
    fill(a, m * k, 1);
    fill(b, k * n, 2);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) want[i * n + j] = in_fours(a + i * k, 1, b + j, n, k, 0.0);
    memset(c, 0x55, sizeof c);
    level->product(a, b, m, k, n, false, c);
    CHECK(memcmp(c, want, (size_t)(m * n) * sizeof *c) == 0);
}

/* Below the diagonal of b there are zeros, so that both ways give the same numbers. */
static void check_upper(const od_dense *level, int m, int n)
{
    fill(a, m * n, 3);
    fill(b, n * n, 4);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) b[i * n + j] = 0.0;
    level->product(a, b, m, n, n, false, want);
    memset(c, 0x55, sizeof c);
    level->product(a, b, m, n, n, true, c);
    for (int i = 0; i < m * n; i++) CHECK(c[i] == want[i]);
}

static void check_scatter(const od_dense *level, int rows, int d, int first, int end)
{
    fill(a, rows * d, 5);
    fill(c, d * d, 6);
    memcpy(want, c, sizeof want);
    level->scatter(a, rows, d, first, end, c);
    for (int i = 0; i < d; i++)
        for (int j = i; j < d; j++) {
            double sum = want[i * d + j];
            if (i >= first && i < end) sum = in_fours(a + i, d, a + j, d, rows, sum);
            CHECK(memcmp(&c[i * d + j], &sum, sizeof sum) == 0);
        }
    for (int i = 0; i < d; i++)
        if (i < first || i >= end) CHECK(memcmp(c + i * d, want + i * d, (size_t)d * sizeof *c) == 0);
}

static void check_level(const od_dense *level)
{
    for (int n = 1; n <= 19; n++) {
        for (int m = 1; m <= 6; m++) check_product(level, m, n, 20 - n);
        for (int m = 1; m <= 6; m++) check_upper(level, m, n);
        check_scatter(level, n, 21, 0, 21);
        check_scatter(level, 7, n, n / 3, n);
    }
    check_product(level, 9, 33, 37);
    check_scatter(level, 5, 33, 3, 17);
}

TEST(reference)
{
    check_level(od_dense_ref());
}

TEST(best_level)
{
    check_level(od_dense_get());
}

/* [4 2; 2 5] = r'r with r = [2 1; 0 2], whose inverse is [0.5 -0.25; 0 0.5]. */
TEST(whiten_by_hand)
{
    double s[] = {4, 2, 2, 5}, u[4];
    CHECK_NEAR(od_dense_ref()->whiten(s, 2, 0.0, u, room), log(16), 1e-15);
    CHECK(u[0] == 0.5 && u[1] == -0.25 && u[2] == 0 && u[3] == 0.5);
}

/* u u' is the inverse, and all levels have the same. */
TEST(whiten)
{
    for (int d = 1; d <= 35; d++) {
        static double u[MOST * MOST], other[MOST * MOST];
        fill(a, 40 * d, (uint32_t)d);
        memset(c, 0, sizeof c);
        od_dense_ref()->scatter(a, 40, d, 0, d, c);
        for (int i = 0; i < d; i++)
            for (int j = 0; j < i; j++) c[i * d + j] = c[j * d + i];
        double first = od_dense_ref()->whiten(c, d, 1e-3, u, room);
        double second = od_dense_get()->whiten(c, d, 1e-3, other, room);
        CHECK(memcmp(&first, &second, sizeof first) == 0);
        CHECK(memcmp(u, other, (size_t)(d * d) * sizeof *u) == 0);
        for (int i = 0; i < d; i++) c[i * d + i] += 1e-3;
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) {
                double sum = 0;
                for (int p = 0; p < d; p++)
                    for (int q = 0; q < d; q++) sum += u[p * d + i] * c[p * d + q] * u[q * d + j];
                CHECK_NEAR(sum, i == j, 1e-9);
            }
    }
}

int main(void)
{
    RUN(reference);
    RUN(best_level);
    RUN(whiten_by_hand);
    RUN(whiten);
    return test_end();
}
