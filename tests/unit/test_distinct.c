/* tests: distinct. */
#include "starve.h"
#include "test.h"

#include "base/poll.h"
#include "prep/distinct.h"

/* All columns count. */
static const int64_t every[] = {0, 1, 2};
static const od_distinct_options exact = {.threads = 2};

TEST(copies_are_found)
{
    const float x[] = {1, 2, 3, 4, 1, 2, 5, 6, 3, 4, 1, 2};
    odim_table *t;
    od_distinct d;
    REQUIRE(odim_table_wrap_f32(&t, x, 6, 2, 0, NULL, NULL) == ODIM_OK);
    REQUIRE(od_distinct_find(&d, t, every, t->d, &exact, NULL) == ODIM_OK);
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
    REQUIRE(od_distinct_find(&d, t, every, t->d, &exact, NULL) == ODIM_OK);
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
    REQUIRE(od_distinct_find(&d, t, every, t->d, &exact, NULL) == ODIM_OK);
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
    REQUIRE(od_distinct_find(&d, t, source, 3, &exact, NULL) == ODIM_OK);
    CHECK_INT(d.count, 2);
    od_distinct_free(&d);
    REQUIRE(od_distinct_find(&d, t, every, 3, &exact, NULL) == ODIM_OK);
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
    REQUIRE(od_distinct_find(&d, t, every, t->d, &exact, NULL) == ODIM_OK);
    CHECK_INT(d.count, KINDS);
    for (int i = 0; i < N; i++) CHECK(x[d.rows[d.kind[i]]] == x[i]);
    int64_t copies;
    CHECK(odim_table_duplicates(t, &copies, NULL) == ODIM_OK && copies == N - KINDS);
    od_distinct_free(&d);
    odim_table_free(t);
}

/* Kinds of a large table of one column, by the number that the row has. */
static void check_large(int64_t (*value)(int64_t i), double worth, bool searched)
{
    enum { N = 200000 };
    static double x[N];
    static int64_t first[N];
    odim_table *t;
    od_distinct d;
    for (int64_t i = 0; i < N; i++) x[i] = (double)value(i), first[i] = -1;
    REQUIRE(odim_table_wrap_f64(&t, x, N, 1, 0, NULL, NULL) == ODIM_OK);
    for (int threads = 1; threads <= 3; threads++) {
        const od_distinct_options o = {.threads = threads, .worth = worth};
        REQUIRE(od_distinct_find(&d, t, every, 1, &o, NULL) == ODIM_OK);
        CHECK((d.kind != NULL) == searched);
        int64_t kinds = 0;
        for (int64_t i = 0; i < N; i++) first[i] = -1;
        for (int64_t i = 0; searched && i < N; i++) {
            int64_t *at = &first[(int64_t)x[i]];
            if (*at < 0) *at = kinds++;
            CHECK_INT(d.kind[i], *at);
            CHECK(x[d.rows[*at]] == x[i]);
        }
        CHECK_INT(d.count, searched ? kinds : N);
        od_distinct_free(&d);
    }
    odim_table_free(t);
}

static int64_t pairs(int64_t i)
{
    return i * 7919 % 100000;
}

static int64_t half_the_same(int64_t i)
{
    return i % 2 ? 7 : i;
}

static int64_t few_kinds(int64_t i)
{
    return i % 3;
}

static int64_t one_pair(int64_t i)
{
    return i == 199999 ? 5 : i;
}

TEST(large_tables)
{
    check_large(pairs, 0.0, true);
    check_large(pairs, 0.02, true);
    check_large(half_the_same, 0.02, true);
    check_large(few_kinds, 0.02, true);
    check_large(one_pair, 0.0, true);
    check_large(one_pair, 0.02, false);
}

static int stop(const odim_progress *now, void *user)
{
    *(double *)user = now->fraction;
    return 1;
}

TEST(it_can_be_cancelled)
{
    enum { N = 200000 };
    static float x[N];
    odim_table *t;
    od_distinct d;
    od_poll poll;
    double fraction = -1;
    odim_hooks hooks = {.size = sizeof hooks, .progress = stop, .user = &fraction};
    REQUIRE(odim_table_wrap_f32(&t, x, N, 1, 0, NULL, NULL) == ODIM_OK);
    od_poll_set_interval(0);
    od_poll_begin(&poll, &hooks, (odim_progress){.stage = ODIM_STAGE_SCORING});
    CHECK_INT(od_distinct_find(&d, t, every, 1, &(od_distinct_options){.threads = 0}, NULL),
              ODIM_ERR_CANCELLED);
    od_poll_end(&poll);
    od_poll_set_interval(-1);
    CHECK(!d.kind && !d.rows);
    CHECK(fraction >= 0.0 && fraction <= OD_DISTINCT_SHARE);
    odim_table_free(t);
}

TEST(memory)
{
    enum { N = 100000 };
    static float x[N];
    odim_table *t;
    od_distinct d;
    odim_status status;
    for (int i = 0; i < N; i++) x[i] = (float)(i % 50000);
    REQUIRE(odim_table_wrap_f32(&t, x, N, 1, 0, NULL, NULL) == ODIM_OK);
    EACH_ALLOCATION_FAILS(status, 5)
    {
        status = od_distinct_find(&d, t, every, 1, &(od_distinct_options){.worth = 0.02, .threads = 1}, NULL);
        CHECK(!status == (d.kind != NULL));
        od_distinct_free(&d);
    }
    odim_table_free(t);
}

int main(void)
{
    RUN(copies_are_found);
    RUN(all_distinct_keeps_no_lists);
    RUN(only_the_columns_count);
    RUN(columns_left_out_do_not_count);
    RUN(many_rows);
    RUN(large_tables);
    RUN(it_can_be_cancelled);
    RUN(memory);
    return test_end();
}
