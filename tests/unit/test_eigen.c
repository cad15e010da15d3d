/* tests: eigen. Values worked by hand, and what makes an eigenvector one. */
#include "test.h"

#include "base/eigen.h"
#include "common/mem.h"
#include "base/poll.h"
#include "base/rng.h"
#include "base/thread.h"

TEST(two_by_two)
{
    double a[] = {2, 1, 1, 2}, value[2], vector[4], r = sqrt(0.5);
    REQUIRE(od_eigen(a, 2, value, vector, NULL, NULL) == ODIM_OK);
    CHECK_NEAR(value[0], 3, 1e-14);
    CHECK_NEAR(value[1], 1, 1e-14);
    CHECK_NEAR(vector[0], r, 1e-14);
    CHECK_NEAR(vector[1], r, 1e-14);
    CHECK_NEAR(fabs(vector[2]), r, 1e-14);
    CHECK_NEAR(vector[2] + vector[3], 0, 1e-14);
}

/* A chain: 2 on the diagonal, -1 beside it, has the values 2 - 2 cos(i pi / (n + 1)). */
TEST(chain)
{
    enum { N = 7 };
    double a[N * N] = {0}, value[N], vector[N * N];
    for (int i = 0; i < N; i++) {
        a[i * N + i] = 2;
        if (i) a[i * N + i - 1] = a[(i - 1) * N + i] = -1;
    }
    REQUIRE(od_eigen(a, N, value, vector, NULL, NULL) == ODIM_OK);
    for (int i = 0; i < N; i++) CHECK_NEAR(value[i], 2 - 2 * cos((N - i) * acos(-1) / (N + 1)), 1e-13);
}

/* Squares of such numbers do not fit into a double. */
TEST(very_large_and_very_small)
{
    for (int e = -560; e <= 560; e += 280) {
        double x = ldexp(1.0, e), a[] = {2 * x, x, x, 2 * x}, value[2], vector[4];
        REQUIRE(od_eigen(a, 2, value, vector, NULL, NULL) == ODIM_OK);
        CHECK_NEAR(value[0] / x, 3, 1e-14);
        CHECK_NEAR(value[1] / x, 1, 1e-14);
    }
}

TEST(diagonal_and_nothing)
{
    double a[] = {1, 0, 0, 0, 5, 0, 0, 0, 0}, value[3], vector[9];
    REQUIRE(od_eigen(a, 3, value, vector, NULL, NULL) == ODIM_OK);
    CHECK(value[0] == 5 && value[1] == 1 && value[2] == 0);
    CHECK(vector[1] == 1 && vector[3] == 1 && vector[8] == 1);
    double one = -3;
    REQUIRE(od_eigen(&one, 1, value, vector, NULL, NULL) == ODIM_OK);
    CHECK(value[0] == -3 && vector[0] == 1);
}

/* n columns of which the last is a copy of the first: values that are equal, and one that is 0. */
static void check_random(int64_t n, bool copy)
{
    size_t size = (size_t)(n * n);
    double *a = od_alloc(size, sizeof *a), *kept = od_alloc(size, sizeof *a), *z = od_alloc(size, sizeof *a),
           *value = od_alloc((size_t)n, sizeof *a), trace = 0, sum = 0;
    od_rng s = od_rng_make(1, (uint32_t)n, OD_RNG_TRAIN, 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            uint32_t w[4];
            od_rng_block(&s, (uint64_t)(i * n + j), w);
            a[i * n + j] = a[j * n + i] = (double)od_unit(w[0]) - 0.5;
        }
    for (int64_t j = 0; copy && j < n; j++) a[(n - 1) * n + j] = a[j];
    for (int64_t j = 0; copy && j < n; j++) a[j * n + n - 1] = a[j * n];
    memcpy(kept, a, size * sizeof *a);
    REQUIRE(od_eigen(a, n, value, z, NULL, NULL) == ODIM_OK);
    for (int64_t k = 0; k < n; k++) {
        trace += kept[k * n + k], sum += value[k];
        CHECK(k == 0 || value[k] <= value[k - 1]);
        int64_t top = 0;
        for (int64_t i = 0; i < n; i++) {
            double image = 0, dot = 0;
            for (int64_t j = 0; j < n; j++) {
                image += kept[i * n + j] * z[k * n + j];
                dot += z[i * n + j] * z[k * n + j];
            }
            CHECK_NEAR(image, value[k] * z[k * n + i], 1e-12);
            CHECK_NEAR(dot, i == k, 1e-12);
            if (fabs(z[k * n + i]) > fabs(z[k * n + top])) top = i;
        }
        CHECK(z[k * n + top] > 0);
    }
    CHECK_NEAR(trace, sum, 1e-11);
    od_free(a), od_free(kept), od_free(z), od_free(value);
}

TEST(eigenvectors_are_what_they_are_called)
{
    for (int64_t n = 2; n <= 12; n++) check_random(n, false), check_random(n, true);
    check_random(70, false);
    check_random(70, true);
}

static void fill(double *a, int64_t n)
{
    od_rng s = od_rng_make(7, 0, OD_RNG_TRAIN, 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            uint32_t w[4];
            od_rng_block(&s, (uint64_t)(i * n + j), w);
            a[i * n + j] = a[j * n + i] = (double)od_unit(w[0]) - 0.5;
        }
    for (int64_t j = 0; j < n; j++) a[5 * n + j] = a[j * n + 5] = j == 5; /* nothing to clear there */
}

TEST(same_bits_for_any_number_of_threads)
{
    enum { N = 300 };
    double *a = od_alloc(N * N, sizeof *a), *one = od_alloc(N * N, sizeof *a),
           *more = od_alloc(N * N, sizeof *a);
    double value[N], other[N];
    fill(a, N);
    REQUIRE(od_eigen(a, N, value, one, NULL, NULL) == ODIM_OK);
    for (int threads = 2; threads <= 7; threads += 5)
        for (int64_t fail = 0; fail <= 3; fail++) { /* also where not all of them can be started */
            fill(a, N);
            od_thread_fail_at(fail);
            CHECK(od_eigen(a, N, other, more, &(od_eigen_run){.threads = threads}, NULL) == ODIM_OK);
            od_thread_fail_at(0);
            CHECK(memcmp(value, other, sizeof value) == 0);
            CHECK(memcmp(one, more, N * N * sizeof *one) == 0);
        }
    od_free(a), od_free(one), od_free(more);
}

static int stop_at_third(const odim_progress *now, void *user)
{
    int *calls = user;
    CHECK(now->fraction >= 0.25 && now->fraction <= 0.75);
    return ++*calls == 3;
}

TEST(it_can_be_stopped)
{
    enum { N = 600 };
    double *a = od_alloc(N * N, sizeof *a), *z = od_alloc(N * N, sizeof *a), *value = od_alloc(N, sizeof *a);
    for (int64_t fail = 0; fail <= 1; fail++) {
        int calls = 0;
        odim_hooks hooks = {.size = sizeof(odim_hooks), .progress = stop_at_third, .user = &calls};
        od_poll poll;
        fill(a, N);
        od_poll_set_interval(0);
        od_poll_begin(&poll, &hooks, (odim_progress){0});
        od_thread_fail_at(fail);
        CHECK_INT(od_eigen(a, N, value, z, &(od_eigen_run){2, 0.25, 0.75}, NULL), ODIM_ERR_CANCELLED);
        od_thread_fail_at(0);
        od_poll_end(&poll);
        od_poll_set_interval(-1);
        CHECK_INT(calls, 3);
    }
    od_free(a), od_free(z), od_free(value);
}

int main(void)
{
    RUN(two_by_two);
    RUN(chain);
    RUN(very_large_and_very_small);
    RUN(diagonal_and_nothing);
    RUN(eigenvectors_are_what_they_are_called);
    RUN(same_bits_for_any_number_of_threads);
    RUN(it_can_be_stopped);
    return test_end();
}
