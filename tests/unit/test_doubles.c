/* tests: doubles_ref doubles_avx2 doubles_avx512. Every level against plain loops, to the bit, for all sizes
 * that leave something over. */
#include "test.h"

#include "base/rng.h"
#include "base/signed_log.h"
#include "kern/doubles.h"
#include "kern/kern.h"

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

TEST(avx2)
{
    check_level(od_dense_avx2());
}

TEST(avx512)
{
    check_level(od_dense_avx512());
}

/* Sums that are longer than what is multiplied at a time. */
TEST(long_sums)
{
    enum { DEPTH = 1302, WIDE = 21 };
    static double x[3 * DEPTH], y[DEPTH * WIDE], sums[3 * WIDE];
    fill(x, 3 * DEPTH, 7);
    fill(y, DEPTH * WIDE, 8);
    od_dense_get()->product(x, y, 3, DEPTH, WIDE, false, sums);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < WIDE; j++) {
            double sum = in_fours(x + i * DEPTH, 1, y + j, WIDE, DEPTH, 0.0);
            CHECK(memcmp(&sums[i * WIDE + j], &sum, sizeof sum) == 0);
        }
}

/* [4 2; 2 5] = r'r with r = [2 1; 0 2], whose inverse is [0.5 -0.25; 0 0.5]. */
static void check_logs(const od_dense *level, const double *z, const double *times, int n)
{
    float once[64], alone[64];
    level->signed_log(z, NULL, n, alone);
    level->signed_log(z, times, n, once);
    for (int i = 0; i < n; i++) {
        CHECK(alone[i] == (float)od_signed_log(z[i]));
        CHECK(once[i] == (float)(od_signed_log(z[i]) * times[i]));
        CHECK(!signbit(alone[i]) == !signbit(z[i]));
    }
}

/* Rows that are stored in models are compared with those of later versions: there must be no other bit. */
TEST(signed_logs_are_those_of_the_library)
{
    const od_dense *levels[] = {od_dense_ref(), od_kern_avx2() ? od_dense_avx2() : NULL,
                                od_kern_avx512() ? od_dense_avx512() : NULL};
    const double odd[] = {0.0, -0.0, 1e-310, -1e-45, 1e-9, -1.0, 1e30, 1e299, 1e301, -1e308, INFINITY};
    double z[64], times[64];
    od_rng s = od_rng_make(7, 0, OD_RNG_TRAIN, 0);
    for (int l = 0; l < 3; l++)
        for (int turn = 0; levels[l] && turn < 1000; turn++) {
            int n = 1 + turn % 64;
            for (int i = 0; i < n; i++) {
                uint32_t w[4];
                od_rng_block(&s, (uint64_t)(turn * 64 + i), w);
                z[i] = ldexp((double)w[0] - 2147483648.0, -(int)(w[1] % 60)) + (double)w[2] * 1e-12;
                times[i] = (double)w[3] / 4294967296.0;
                if (w[2] % 16 == 0) z[i] = odd[w[3] % (sizeof odd / sizeof *odd)];
            }
            check_logs(levels[l], z, times, n);
        }
}

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
    RUN_IF(od_kern_avx2(), avx2, "no AVX2 here");
    RUN_IF(od_kern_avx512(), avx512, "no AVX-512 here");
    RUN(long_sums);
    RUN(signed_logs_are_those_of_the_library);
    RUN(whiten_by_hand);
    RUN(whiten);
    return test_end();
}
