/* tests: distinct. */
#include "test.h"

#include "common/mem.h"
#include "prep/distinct.h"

/* All columns count. */
static const int64_t every[] = {0, 1, 2};

TEST(copies_are_found)
{
    const float x[] = {1, 2, 3, 4, 1, 2, 5, 6, 3, 4, 1, 2};
    odim_table *t;
    od_distinct d;
    REQUIRE(odim_table_wrap_f32(&t, x, 6, 2, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(od_distinct_find(&d, t, every, t->d, NULL) == ODIM_OK);
    CHECK_INT(d.count, 3);
    REQUIRE(d.rows && d.kind);
    const int64_t rows[] = {0, 1, 3};
    const uint32_t kind[] = {0, 1, 0, 2, 1, 0};
    CHECK(memcmp(d.rows, rows, sizeof rows) == 0);
    CHECK(memcmp(d.kind, kind, sizeof kind) == 0);
    od_distinct_free(&d);
    odim_table_free(t);
}

TEST(all_distinct_keeps_no_lists)
{
    double x[3000];
    for (int i = 0; i < 3000; i++) x[i] = i;
    odim_table *t;
    od_distinct d;
    REQUIRE(odim_table_wrap_f64(&t, x, 1000, 3, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(od_distinct_find(&d, t, every, t->d, NULL) == ODIM_OK);
    CHECK(d.count == 1000 && !d.rows && !d.kind);
    od_distinct_free(&d);
    odim_table_free(t);
}

/* A stride leaves cells out of the comparison; what lies between rows does not matter. */
TEST(only_the_columns_count)
{
    const double x[] = {1, 2, 77, 1, 2, 88, 1, 3, 77};
    odim_table *t;
    od_distinct d;
    REQUIRE(odim_table_wrap_f64(&t, x, 3, 2, 3, NULL, NULL) == ODIM_OK);
    REQUIRE(od_distinct_find(&d, t, every, t->d, NULL) == ODIM_OK);
    CHECK_INT(d.count, 2);
    od_distinct_free(&d);
    odim_table_free(t);
}

/* Columns that the caller leaves out do not count either. */
TEST(columns_left_out_do_not_count)
{
    const double x[] = {1, 50, 2, 1, 51, 2, 1, 52, 3};
    const int64_t source[] = {0, -1, 2};
    odim_table *t;
    od_distinct d;
    REQUIRE(odim_table_wrap_f64(&t, x, 3, 3, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(od_distinct_find(&d, t, source, 3, NULL) == ODIM_OK);
    CHECK_INT(d.count, 2);
    od_distinct_free(&d);
    REQUIRE(od_distinct_find(&d, t, every, 3, NULL) == ODIM_OK);
    CHECK_INT(d.count, 3);
    od_distinct_free(&d);
    odim_table_free(t);
}

/* Many rows, few kinds, against a plain search. */
TEST(many_rows)
{
    enum { N = 5000, KINDS = 37 };
    static double x[N];
    for (int i = 0; i < N; i++) x[i] = (double)((i * 7919) % KINDS) * 0.1;
    odim_table *t;
    od_distinct d;
    REQUIRE(odim_table_wrap_f64(&t, x, N, 1, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(od_distinct_find(&d, t, every, t->d, NULL) == ODIM_OK);
    CHECK_INT(d.count, KINDS);
    for (int i = 0; i < N; i++) CHECK(x[d.rows[d.kind[i]]] == x[i]);
    int64_t copies;
    CHECK(odim_table_duplicates(t, &copies, NULL) == ODIM_OK && copies == N - KINDS);
    od_distinct_free(&d);
    odim_table_free(t);
}

int main(void)
{
    RUN(copies_are_found);
    RUN(all_distinct_keeps_no_lists);
    RUN(only_the_columns_count);
    RUN(columns_left_out_do_not_count);
    RUN(many_rows);
    return test_end();
}
