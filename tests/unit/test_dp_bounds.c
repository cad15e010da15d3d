/* tests: dp_bounds. Bounds from noised counts: with no noise to speak of, with much, and with too much. */
#include "fit/dp_bounds.h"

#include "common/mem.h"
#include "odim.h"
#include "test.h"

static odim_error err;

typedef struct found {
    double low[64], high[64];
} found;

/* Columns of x (rows, cols) with this noise. */
static found find(const double *x, int64_t rows, int64_t cols, double noise, uint64_t seed)
{
    found f = {0};
    odim_table *t;
    od_column_stats s;
    od_csprng dice;
    if (odim_table_wrap_f64(&t, x, rows, cols, 0, NULL, &err)) abort();
    if (od_column_stats_new(&s, cols, &err) || od_column_stats_add_public(&s, t, &err)) abort();
    CHECK(od_dp_bounds_needed(&s, t));
    od_csprng_begin_seeded(&dice, seed, 0, OD_RNG_BOUNDS);
    CHECK_INT(od_dp_bounds_find(&s, t, noise, &dice, &err), ODIM_OK);
    CHECK(!od_dp_bounds_needed(&s, t));
    for (int64_t j = 0; j < cols; j++) {
        f.low[j] = s.col[j].low;
        f.high[j] = s.col[j].high;
    }
    od_column_stats_free(&s);
    odim_table_free(t);
    return f;
}

static double *make(int64_t rows, int64_t cols, double (*cell)(int64_t i, int64_t j, double normal))
{
    double *x = malloc((size_t)(rows * cols) * sizeof *x);
    od_csprng dice;
    if (!x) abort();
    od_csprng_begin_seeded(&dice, 5, 0, OD_RNG_TRAIN);
    od_csprng_normal(&dice, x, rows * cols);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) x[i * cols + j] = cell(i, j, x[i * cols + j]);
    return x;
}

/* Of several scales and signs; the last has nothing but zeros, and gaps. */
static double by_scale(int64_t i, int64_t j, double normal)
{
    switch (j) {
    case 0: return 1000 + 10 * normal;
    case 1: return -3e-4 * (1 + 0.1 * normal);
    case 2: return normal;
    case 3: return i % 10 ? 0 : 7;
    default: return i % 3 ? 0 : NAN;
    }
}

/* By hand: bins of quarters of a power of two, and all rows count. */
TEST(hardly_any_noise)
{
    double *x = make(1000, 5, by_scale);
    found f = find(x, 1000, 5, 0.01, 1);
    CHECK_NEAR(f.low[0], pow(2, 9.75), 1e-9); /* 861: values are 970 to 1030 */
    CHECK_NEAR(f.high[0], pow(2, 10.25), 1e-9);
    CHECK(f.low[1] <= -3.5e-4 && f.low[1] >= -6e-4 && f.high[1] >= -2.5e-4 && f.high[1] <= -1e-4);
    CHECK(f.low[2] <= -2 && f.low[2] >= -4 && f.high[2] >= 2 && f.high[2] <= 4);
    CHECK_NEAR(f.low[3], 0, 0); /* zero is a bound where nothing is on the other side of it */
    CHECK_NEAR(f.high[3], 8, 1e-9);
    CHECK(f.low[4] <= -2 && f.high[4] >= 8); /* nothing but zeros: what the columns have together */
    free(x);
}

static double alike(int64_t i, int64_t j, double normal)
{
    (void)i;
    return (1 + (double)(j % 3)) * normal;
}

/* Bounds stay near the values: neither is a column lost nor is noise far away taken for values. */
TEST(much_noise)
{
    double *x = make(1500, 20, alike);
    for (uint64_t seed = 0; seed < 40; seed++) {
        found f = find(x, 1500, 20, 4, seed);
        for (int j = 0; j < 20; j++) {
            double unit = 1 + (double)(j % 3);
            if (f.low[j] > -0.5 * unit || f.high[j] < 0.5 * unit || f.low[j] < -16 || f.high[j] > 16)
                TEST_SAY("seed %d, column %d: %g to %g", (int)seed, j, f.low[j], f.high[j]);
        }
    }
    free(x);
}

/* Then nothing is found, and said to be found. */
TEST(only_noise)
{
    double *x = make(100, 20, alike);
    for (uint64_t seed = 0; seed < 40; seed++) {
        found f = find(x, 100, 20, 400, seed);
        for (int j = 0; j < 20; j++) CHECK(f.low[j] == -1 && f.high[j] == 1);
    }
    free(x);
}

/* One row more changes one count of each column by one: the noise must hide just that, whatever the row is.
 */
TEST(one_row_weighs_one)
{
    double *x = make(1001, 5, by_scale);
    for (int j = 0; j < 5; j++) x[1000 * 5 + j] = j == 4 ? NAN : j % 2 ? 1e300 : -1e300;
    found with = find(x, 1001, 5, 4, 3), without = find(x, 1000, 5, 4, 3);
    CHECK(memcmp(&with, &without, sizeof with) == 0);
    free(x);
}

/* Given bounds stay, and cost nothing. */
TEST(given)
{
    double x[] = {1, 2, 3, 4}, low[] = {0, -7}, high[] = {5, 7};
    odim_table *t;
    od_column_stats s;
    od_csprng dice;
    REQUIRE(!odim_table_wrap_f64(&t, x, 2, 2, 0, NULL, &err));
    REQUIRE(!odim_table_set_bounds(t, low, high, &err));
    REQUIRE(!od_column_stats_new(&s, 2, &err) && !od_column_stats_add_public(&s, t, &err));
    CHECK(!od_dp_bounds_needed(&s, t));
    od_csprng_begin_seeded(&dice, 0, 0, OD_RNG_BOUNDS);
    CHECK_INT(od_dp_bounds_find(&s, t, 1, &dice, &err), ODIM_OK);
    CHECK(s.col[1].low == -7 && s.col[1].high == 7 && dice.block == 0);
    od_column_stats_free(&s);
    odim_table_free(t);
}

TEST(the_operating_system_fails)
{
    double x[] = {1, 2, 3, 4};
    odim_table *t;
    od_column_stats s;
    od_csprng dice;
    REQUIRE(!odim_table_wrap_f64(&t, x, 2, 2, 0, NULL, &err));
    REQUIRE(!od_column_stats_new(&s, 2, &err) && !od_column_stats_add_public(&s, t, &err));
    od_csprng_begin(&dice);
    dice.failed = 5;
    CHECK_INT(od_dp_bounds_find(&s, t, 1, &dice, &err), ODIM_ERR_IO);
    od_column_stats_free(&s);
    odim_table_free(t);
}

int main(void)
{
    RUN(hardly_any_noise);
    RUN(much_noise);
    RUN(only_noise);
    RUN(one_row_weighs_one);
    RUN(given);
    RUN(the_operating_system_fails);
    return test_end();
}
