/* tests: sort. Numbers in every order that makes quicksort slow, copies, and NaN. */
#include "test.h"

#include <stdlib.h>

#include "base/rng.h"
#include "common/compare.h"
#include "common/sort.h"

enum { MOST = 5000 };
static double x[MOST], want[MOST], with[MOST], room[MOST];
static float narrow[MOST], want_narrow[MOST];

/* kind: random, rising, falling, all alike, two values, a pipe, rising with a few out of place. */
static double value_of(int kind, int n, int i)
{
    uint32_t w[4];
    od_rng s = od_rng_make(5, (uint32_t)kind, OD_RNG_TRAIN, (uint32_t)n);
    od_rng_block(&s, (uint64_t)i, w);
    double random = (double)w[0] / 1e6 - 2000.0;
    switch (kind) {
    case 0: return random;
    case 1: return i;
    case 2: return -i;
    case 3: return 7;
    case 4: return w[0] % 2;
    case 5: return i < n / 2 ? i : n - i;
    default: return w[0] % 50 == 0 ? random : i;
    }
}

TEST(all_orders)
{
    static const int sizes[] = {0, 1, 2, 3, 23, 24, 25, 26, 100, 1000, MOST};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int kind = 0; kind < 7; kind++) {
            int n = sizes[k];
            for (int i = 0; i < n; i++)
                narrow[i] = want_narrow[i] = (float)(x[i] = want[i] = with[i] = value_of(kind, n, i));
            qsort(want, (size_t)n, sizeof *want, od_compare_double);
            qsort(want_narrow, (size_t)n, sizeof *want_narrow, od_compare_float);
            od_sort_double(x, n);
            od_sort_float(narrow, n);
            od_sort_double_with(with, n, room);
            CHECK(memcmp(with, want, (size_t)n * sizeof *with) == 0);
            CHECK(memcmp(x, want, (size_t)n * sizeof *x) == 0);
            CHECK(memcmp(narrow, want_narrow, (size_t)n * sizeof *narrow) == 0);
        }
}

TEST(nan_is_last)
{
    for (int i = 0; i < 300; i++) x[i] = i % 3 ? (double)((i * 7919) % 300) : NAN;
    x[50] = INFINITY, x[100] = -INFINITY;
    od_sort_double(x, 300);
    CHECK(x[0] == -INFINITY && x[199] == INFINITY);
    for (int i = 1; i < 200; i++) CHECK(x[i - 1] <= x[i]);
    for (int i = 200; i < 300; i++) CHECK(isnan(x[i]));
    float few[] = {NAN, 2, NAN, 1};
    od_sort_float(few, 4);
    CHECK(few[0] == 1 && few[1] == 2 && isnan(few[2]) && isnan(few[3]));
}

/* Every place of short lists and some of long ones, and what is on either side of it. */
TEST(selection)
{
    static const int sizes[] = {1, 2, 3, 7, 100, MOST};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int kind = 0; kind < 7; kind++) {
            int n = sizes[k];
            for (int at = 0; at < n; at += n < 1000 ? 1 : 617) {
                for (int i = 0; i < n; i++) x[i] = want[i] = value_of(kind, n, i);
                od_sort_double(want, n);
                CHECK(od_select_double(x, n, at) == want[at] && x[at] == want[at]);
                for (int i = 0; i < n; i++) CHECK(i < at ? x[i] <= x[at] : x[i] >= x[at]);
                od_sort_double(x, n);
                CHECK(memcmp(x, want, (size_t)n * sizeof *x) == 0);
            }
        }
}

/* What has no order of its own, zeros of both signs, stays as it is without room. */
TEST(room_changes_nothing)
{
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < 3000; i++) {
            double v = value_of(0, 3000, i) * pow(10.0, i % 600 - 300);
            if (kind == 1 && i % 3 == 0) v = i % 2 ? -0.0 : 0.0;
            if (kind == 2 && i % 100 == 0) v = NAN;
            if (kind == 3 && i % 100 == 0) v = i % 200 ? INFINITY : -INFINITY;
            x[i] = with[i] = v;
        }
        od_sort_double(x, 3000);
        od_sort_double_with(with, 3000, room);
        CHECK(memcmp(x, with, 3000 * sizeof *x) == 0);
    }
}

int main(void)
{
    RUN(room_changes_nothing);
    RUN(selection);
    RUN(all_orders);
    RUN(nan_is_last);
    return test_end();
}
