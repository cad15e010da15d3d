/* tests: cross. Sums against plain loops, to the bit, on any number of threads. */
#include "test.h"

#include "base/rng.h"
#include "common/mem.h"
#include "kern/cross.h"

/* Wide enough that rows are held in several parts. */
enum { N = 300, D = 2001, FEW = 21 };

static double value_of(int64_t row, int64_t col)
{
    uint32_t w[4];
    od_rng s = od_rng_make(3, 1, OD_RNG_TRAIN, (uint32_t)row);
    od_rng_block(&s, (uint64_t)col, w);
    return (double)w[0] / 4294967296.0 - 0.5;
}

static void rows_of(void *ctx, int64_t first, int64_t end, double *z)
{
    int64_t d = *(int64_t *)ctx;
    for (int64_t i = first; i < end; i++)
        for (int64_t j = 0; j < d; j++) *z++ = value_of(i, j);
}

/* Rows are added in fours (kern/doubles.h). */
static double expected(int64_t n, int64_t i, int64_t j)
{
    double sum = 0;
    int64_t r = 0;
    for (; r + 4 <= n; r += 4)
        sum += (value_of(r, i) * value_of(r, j) + value_of(r + 1, i) * value_of(r + 1, j)) +
               (value_of(r + 2, i) * value_of(r + 2, j) + value_of(r + 3, i) * value_of(r + 3, j));
    for (; r < n; r++) sum += value_of(r, i) * value_of(r, j);
    return sum;
}

TEST(sums)
{
    int64_t d = FEW;
    double sum[FEW * FEW], other[FEW * FEW];
    for (int64_t n = 1; n < 12; n++) {
        REQUIRE(od_cross(n, d, rows_of, &d, 1, sum, NULL) == ODIM_OK);
        for (int64_t i = 0; i < d; i++)
            for (int64_t j = i; j < d; j++) {
                CHECK(sum[i * d + j] == expected(n, i, j));
                CHECK(sum[j * d + i] == sum[i * d + j]);
            }
        REQUIRE(od_cross(n, d, rows_of, &d, 3, other, NULL) == ODIM_OK);
        CHECK(memcmp(sum, other, sizeof sum) == 0);
    }
}

TEST(rows_in_parts)
{
    int64_t d = D;
    double *sum = od_alloc((size_t)D, D * sizeof *sum);
    REQUIRE(sum && od_cross(N, d, rows_of, &d, 2, sum, NULL) == ODIM_OK);
    for (int64_t i = 0; i < D; i += 997)
        for (int64_t j = i; j < D; j += 1009) CHECK(sum[i * d + j] == expected(N, i, j));
    od_free(sum);
}

TEST(memory)
{
    int64_t d = FEW;
    double sum[FEW * FEW];
    odim_status status = ODIM_ERR_NOMEM;
    for (int i = 1; i < 40 && status == ODIM_ERR_NOMEM; i++) {
        od_mem_fail_at(i);
        status = od_cross(90, d, rows_of, &d, 2, sum, NULL);
        od_mem_fail_at(0);
        CHECK(status == ODIM_OK || status == ODIM_ERR_NOMEM);
    }
    CHECK_INT(status, ODIM_OK);
}

int main(void)
{
    RUN(sums);
    RUN(rows_in_parts);
    RUN(memory);
    return test_end();
}
