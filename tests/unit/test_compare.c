/* tests: compare. Comparators for sorting numbers. */
#include "common/compare.h"

#include <stdint.h>

#include "test.h"

TEST(doubles)
{
    double v[] = {2, NAN, -INFINITY, 1, INFINITY, NAN, -3};
    qsort(v, 7, sizeof *v, od_compare_double);
    CHECK(v[0] == -INFINITY && v[1] == -3 && v[2] == 1 && v[3] == 2 && v[4] == INFINITY);
    CHECK(isnan(v[5]) && isnan(v[6]));
}

TEST(floats)
{
    float v[] = {NAN, 2, -1, 0};
    qsort(v, 4, sizeof *v, od_compare_float);
    CHECK(v[0] == -1 && v[1] == 0 && v[2] == 2 && isnan(v[3]));
}

/* A difference of these would overflow. */
TEST(integers)
{
    int32_t v[] = {INT32_MAX, 0, INT32_MIN};
    int64_t w[] = {INT64_MAX, 0, INT64_MIN};
    qsort(v, 3, sizeof *v, od_compare_int32);
    qsort(w, 3, sizeof *w, od_compare_int64);
    CHECK(v[0] == INT32_MIN && v[1] == 0 && v[2] == INT32_MAX);
    CHECK(w[0] == INT64_MIN && w[1] == 0 && w[2] == INT64_MAX);
}

int main(void)
{
    RUN(doubles);
    RUN(floats);
    RUN(integers);
    return test_end();
}
