/* tests: transform. Values worked by hand; that axes see what columns do not; the way back. */
#include "test.h"

#include "base/rng.h"
#include "base/signed_log.h"
#include "common/mem.h"
#include "kern/kern.h"
#include "prep/transform.h"

enum { N = 200, D = 3 };

static float rows[N * D];

/* b follows a; c is by itself, and its tail is long. */
static void make_rows(void)
{
    od_rng s = od_rng_make(4, 0, OD_RNG_TRAIN, 0);
    for (int i = 0; i < N; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        float a = od_unit(w[0]);
        rows[i * D] = a;
        rows[i * D + 1] = 1.0f - a + 0.02f * od_unit(w[1]);
        rows[i * D + 2] = -logf(od_unit(w[2])) / 20.0f;
    }
}

TEST(one_column_by_hand)
{
    static const float x[] = {0, 1, 2, 3, 4, 10};
    float out[7];
    od_transform v;
    REQUIRE(od_transform_fit(&v, x, 5, 1, 1, NULL) == ODIM_OK); /* the 10 is new */
    CHECK_INT(v.axes, 0);
    CHECK_INT(v.d + v.axes, 1);
    CHECK(v.centre[0] == 2 && v.spread[0] == 2);
    od_transform_apply(&v, x, 6, 1, out);
    const double want[] = {0, 0.5 - 0.5 * log(1.5) / log(2), 0.5, 0.5 + 0.5 * log(1.5) / log(2),
                           1, 0.5 + 0.5 * log(5) / log(2)};
    for (int i = 0; i < 6; i++) CHECK_NEAR(out[i], want[i], 1e-6);
    od_transform_free(&v);
}

/* Half of it is one value: the deviation is the unit. A constant column has no unit at all. */
TEST(columns_without_a_range)
{
    static const float x[] = {0, 7, 0, 7, 0, 7, 0, 7, 4, 7};
    float out[2 * 4];
    od_transform v;
    REQUIRE(od_transform_fit(&v, x, 5, 2, 1, NULL) == ODIM_OK);
    CHECK_INT(v.axes, 2);
    CHECK(v.centre[0] == 0 && v.centre[1] == 7 && v.spread[1] == 1);
    CHECK_NEAR(v.spread[0], 1.6, 1e-6); /* of 0, 0, 0, 0, 4 */
    od_transform_apply(&v, x + 6, 2, 2, out);
    for (int i = 0; i < 8; i++) CHECK(isfinite(out[i]));
    CHECK(out[0] == 0 && out[4] == 1 && out[1] == 0 && out[5] == 0);
    od_transform_free(&v);
}

TEST(how_many_axes)
{
    CHECK_INT(od_transform_axes(1000, 1), 0);
    CHECK_INT(od_transform_axes(1000, 30), 30);
    CHECK_INT(od_transform_axes(100, 30), 20);
    CHECK_INT(od_transform_axes(10, 30), 4);
    CHECK_INT(od_transform_axes(10, 3), 3);
    CHECK_INT(od_transform_axes(8192, 512), 128);
    CHECK_INT(od_transform_axes(8192, 1025), 0);
}

/* Training rows fill 0 to 1. A row of ordinary values that do not go together is outside on an axis. */
TEST(axes_see_what_columns_do_not)
{
    static float out[N * 2 * D];
    od_transform v;
    REQUIRE(od_transform_fit(&v, rows, N, D, 1, NULL) == ODIM_OK);
    CHECK_INT(v.d + v.axes, 2 * D);
    od_transform_apply(&v, rows, N, D, out);
    for (int j = 0; j < 2 * D; j++) {
        float low = 1, high = 0;
        for (int i = 0; i < N; i++)
            low = fminf(low, out[i * 2 * D + j]), high = fmaxf(high, out[i * 2 * D + j]);
        CHECK_NEAR(low, 0, 1e-6);
        CHECK_NEAR(high, 1, 1e-6);
    }
    const float odd[D] = {0.8f, 0.8f, 0.03f};
    double far = 0;
    od_transform_apply(&v, odd, 1, D, out);
    for (int j = 0; j < D; j++) CHECK(out[j] > 0 && out[j] < 1);
    for (int j = D; j < 2 * D; j++) far = fmax(far, fabs((double)out[j] - 0.5));
    CHECK(far > 0.7);
    od_transform_free(&v);
}

/* A row alone or among others: the same bits. */
TEST(a_function_of_the_row)
{
    static float all[N * 2 * D], one[2 * D];
    od_transform v;
    REQUIRE(od_transform_fit(&v, rows, N, D, 1, NULL) == ODIM_OK);
    od_transform_apply(&v, rows, N, D, all);
    for (int i = 0; i < N; i++) {
        od_transform_apply(&v, rows + i * D, 1, D, one);
        CHECK(memcmp(one, all + i * 2 * D, sizeof one) == 0);
    }
    od_transform_free(&v);
}

TEST(no_view_is_a_copy)
{
    const od_transform none = {0};
    float out[2 * D];
    od_transform_apply(&none, rows, 2, D, out);
    CHECK(memcmp(out, rows, sizeof out) == 0);
}

/* The row itself is what was expected: back come its own values. No cost is lost. */
TEST(the_way_back)
{
    od_transform v;
    REQUIRE(od_transform_fit(&v, rows, N, D, 1, NULL) == ODIM_OK);
    for (int i = 0; i < N; i++) {
        float out[2 * D];
        double part[2 * D] = {1, 2, 4, 8, 16, 32}, mean[2 * D];
        od_transform_apply(&v, rows + i * D, 1, D, out);
        for (int j = 0; j < 2 * D; j++) mean[j] = (double)out[j];
        od_transform_back(&v, out, part, mean);
        CHECK_NEAR(part[0] + part[1] + part[2], 63, 1e-9);
        for (int j = 0; j < D; j++) CHECK_NEAR(mean[j], rows[i * D + j], 1e-5);
    }
    /* Only c is away from the median: all that axes cost is of c. */
    const float x[D] = {v.centre[0], v.centre[1], v.centre[2] + v.spread[2]};
    float out[2 * D];
    double part[2 * D] = {0, 0, 0, 1, 1, 1}, mean[2 * D] = {0};
    od_transform_apply(&v, x, 1, D, out);
    od_transform_back(&v, out, part, mean);
    CHECK_NEAR(part[0] + part[1], 0, 1e-4);
    CHECK(part[2] > 0.9);
    od_transform_free(&v);
}

/* Models of older versions keep transformed rows, which must be found again: the sums are those of plain
 * loops, in this order, whatever the number of axes. */
TEST(bits_of_plain_loops)
{
    enum { MOST_N = 700, MOST_D = 140 };
    float *x = od_alloc(MOST_N * MOST_D, sizeof *x), *seen = od_alloc(MOST_N, 2 * MOST_D * sizeof *seen);
    const int64_t tall[] = {40, 85, 90, MOST_N}, wide[] = {17, 17, 33, MOST_D};
    REQUIRE(x && seen);
    for (int turn = 0; turn < 4; turn++) {
        int64_t n = tall[turn], d = wide[turn];
        od_transform v;
        od_rng s = od_rng_make(3, 0, OD_RNG_TRAIN, 0);
        od_kern_ref()->normal(x, n * d, &s);
        REQUIRE(od_transform_fit(&v, x, n, d, 2, NULL) == ODIM_OK);
        od_transform_apply(&v, x, n, d, seen);
        int64_t other = 0, all = d + v.axes;
        for (int64_t i = 0; i < n; i++) {
            float soft[MOST_D];
            for (int64_t j = 0; j < d; j++) {
                double z = ((double)x[i * d + j] - (double)v.centre[j]) / (double)v.spread[j];
                soft[j] = (float)od_signed_log(z);
                other += seen[i * all + j] != (soft[j] - v.low[j]) / v.width[j];
            }
            for (int64_t k = 0; k < v.axes; k++) {
                float on = -v.origin[k];
                for (int64_t j = 0; j < d; j++) on += soft[j] * v.axis[j * v.axes + k];
                on = (float)od_signed_log((double)on);
                other += seen[i * all + d + k] != (on - v.low[d + k]) / v.width[d + k];
            }
        }
        CHECK(v.axes > 0);
        CHECK_INT(other, 0);
        od_transform_free(&v);
    }
    od_free(x);
    od_free(seen);
}

int main(void)
{
    RUN(bits_of_plain_loops);
    make_rows();
    RUN(one_column_by_hand);
    RUN(columns_without_a_range);
    RUN(how_many_axes);
    RUN(axes_see_what_columns_do_not);
    RUN(a_function_of_the_row);
    RUN(no_view_is_a_copy);
    RUN(the_way_back);
    return test_end();
}
