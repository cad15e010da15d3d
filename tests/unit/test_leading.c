/* tests: leading. Eigenvectors that are known beforehand, the same bits on threads, failing memory. */
#include "test.h"

#include "base/rng.h"
#include "kern/leading.h"
#include "starve.h"

enum { N = 300, Q = 20 };
static double a[N * N], kept[N * N], value[N], vector[N * N], other[N * N];

/* The sum of value[k] v v' with v a column of the Householder reflection that w makes. */
static double true_vector(const double *w, int k, int i)
{
    return (i == k) - 2 * w[i] * w[k];
}

static double true_value(int k)
{
    return k < Q ? 100.0 / (1 + k) : 1.0 / (1 + k);
}

static void make(void)
{
    double w[N], square = 0;
    od_rng s = od_rng_make(1, 2, OD_RNG_TRAIN, 3);
    for (int i = 0; i < N; i++) {
        uint32_t r[4];
        od_rng_block(&s, (uint64_t)i, r);
        w[i] = (double)r[0] / 4294967296.0 - 0.5;
        square += w[i] * w[i];
    }
    for (int i = 0; i < N; i++) w[i] /= sqrt(square);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += true_value(k) * true_vector(w, k, i) * true_vector(w, k, j);
            a[i * N + j] = kept[i * N + j] = sum;
        }
}

TEST(values_and_vectors)
{
    make();
    REQUIRE(od_leading(a, N, Q, value, vector, NULL, NULL) == ODIM_OK);
    for (int k = 0; k < Q; k++) {
        CHECK_NEAR(value[k], true_value(k), 1e-9);
        double largest = 0, rest = 0, length = 0;
        for (int i = 0; i < N; i++) {
            double product = 0;
            for (int j = 0; j < N; j++) product += kept[i * N + j] * vector[k * N + j];
            rest += (product - value[k] * vector[k * N + i]) * (product - value[k] * vector[k * N + i]);
            length += vector[k * N + i] * vector[k * N + i];
            if (fabs(vector[k * N + i]) > fabs(largest)) largest = vector[k * N + i];
        }
        CHECK_NEAR(length, 1, 1e-10);
        CHECK(sqrt(rest) < 1e-4 && largest > 0);
    }
}

TEST(threads)
{
    make();
    REQUIRE(od_leading(a, N, Q, value, vector, &(od_eigen_run){.threads = 1}, NULL) == ODIM_OK);
    memcpy(a, kept, sizeof a);
    REQUIRE(od_leading(a, N, Q, value, other, &(od_eigen_run){.threads = 5}, NULL) == ODIM_OK);
    CHECK(memcmp(vector, other, Q * N * sizeof *vector) == 0);
}

/* Many of few: all of them, by od_eigen. */
TEST(large_part)
{
    enum { FEW = 30 };
    double small[FEW * FEW], all[FEW];
    make();
    for (int i = 0; i < FEW; i++) memcpy(small + i * FEW, kept + i * N, FEW * sizeof *small);
    memcpy(a, small, sizeof small);
    REQUIRE(od_eigen(a, FEW, all, other, NULL, NULL) == ODIM_OK);
    REQUIRE(od_leading(small, FEW, 5, value, vector, NULL, NULL) == ODIM_OK);
    CHECK(memcmp(value, all, sizeof all) == 0);
    CHECK(od_leading_work(FEW, 5) == od_eigen_work(FEW));
    CHECK(od_leading_work(2000, 50) < 0.2 * od_eigen_work(2000));
}

/* Fewer directions than are asked for. */
TEST(low_rank)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i * N + j] = i == j && i < 3 ? 3.0 - i : 0.0;
    REQUIRE(od_leading(a, N, Q, value, vector, NULL, NULL) == ODIM_OK);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(value[k], 3 - k, 1e-9);
        CHECK_NEAR(vector[k * N + k], 1, 1e-9);
    }
    for (int k = 3; k < Q; k++) CHECK_NEAR(value[k], 0, 1e-9);
    for (int i = 0; i < Q * N; i++) CHECK(isfinite(vector[i]));
}

TEST(allocations)
{
    odim_status status;
    make();
    EACH_ALLOCATION_FAILS(status, 2)
    {
        memcpy(a, kept, sizeof a);
        status = od_leading(a, N, Q, value, vector, NULL, NULL);
    }
}

int main(void)
{
    RUN(values_and_vectors);
    RUN(threads);
    RUN(large_part);
    RUN(low_rank);
    RUN(allocations);
    return test_end();
}
