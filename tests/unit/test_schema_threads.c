/* A schema and its checks are the same, to the bit, on any number of threads; they can be cancelled, and
 * memory may run out, on several threads too. */
#include <stdio.h>

#include "base/poll.h"
#include "common/mem.h"
#include "prep/checks_fit.h"
#include "prep/schema_fit.h"
#include "starve.h"
#include "tables.h"

/* Enough cells for all stages to start threads. */
enum { ROWS = 9000, NUMBERS = 18, ROW_TEXT = 400 };

/* A reproducible number in [0, 1). */
static double next(void)
{
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return state / 4294967296.0;
}

/* Numbers that depend on each other, amounts, zeros of both signs, gaps, a sum, times and a category. */
static odim_table *make_table(void)
{
    static const char *const kinds[] = {"red", "green", "blue", "grey"};
    char *text = od_alloc(ROWS + 1, ROW_TEXT);
    if (!text) return NULL;
    int len = sprintf(text, "time,kind");
    for (int k = 0; k < NUMBERS; k++) len += sprintf(text + len, ",%c", 'a' + k);
    for (int i = 0; i < ROWS; i++) {
        double base = next(), amount = exp(6.0 * next()), part = floor(100.0 * next());
        len += sprintf(text + len, "\n2024-01-%02d 10:%02d,%s", 1 + i * 28 / ROWS, i % 60,
                       kinds[(int)(3.999 * next() * next())]);
        for (int k = 0; k < NUMBERS; k++) {
            double v = k < 10 ? base * (k + 1) + 0.1 * next() : k < 13 ? amount * next() : next();
            if (k == 13) v = base < 0.3 ? -0.0 : base < 0.6 ? 0.0 : v - 0.5;
            if (k == 15) v = part;
            if (k == 16) v = floor(amount);
            if (k == 17) v = part + floor(amount);
            if (k == 12 && i % 40 == 0)
                len += sprintf(text + len, ",");
            else
                len += sprintf(text + len, ",%.*f", k < 15 ? 5 : 0, v);
        }
    }
    sprintf(text + len, "\n");
    odim_table *t = READ_PLAIN(text);
    od_free(text);
    return t;
}

static odim_status make(od_schema *s, const odim_table *t, int64_t threads)
{
    od_column_stats stats;
    odim_status status = od_column_stats_new(&stats, t->d, &err);
    if (!status) status = od_column_stats_add(&stats, t, &err);
    if (!status)
        status =
            od_schema_make(s, t, &stats, &(od_row_set){.count = t->n}, OD_SCALE_ROBUST, 0, threads, &err);
    od_column_stats_free(&stats);
    return status;
}

#define SAME(a, b, count) (memcmp((a), (b), (size_t)(count) * sizeof *(a)) == 0)

TEST(any_number_of_threads)
{
    static const int64_t threads[] = {2, 7};
    odim_table *t = make_table();
    od_schema one, s;
    REQUIRE(t && !make(&one, t, 1));
    CHECK(one.checks.relations >= NUMBERS && one.checks.rules.count > 0);
    for (int k = 0; k < 2; k++) {
        REQUIRE(!make(&s, t, threads[k]));
        REQUIRE(s.features == one.features && s.cols == one.cols);
        CHECK(SAME(s.shift, one.shift, s.features) && SAME(s.width, one.width, s.features));
        const od_checks *a = &s.checks, *b = &one.checks;
        REQUIRE(a->relations == b->relations && a->rules.count == b->rules.count);
        CHECK(SAME(a->precision, b->precision, a->relations * a->relations));
        CHECK(SAME(a->relation, b->relation, a->relations));
        for (int64_t i = 0; i < a->relations; i++) {
            CHECK_INT(a->level[i].level, b->level[i].level);
            if (a->level[i].level >= 0) CHECK(SAME(&a->level[i], &b->level[i], 1));
        }
        CHECK(SAME(a->rules.rule, b->rules.rule, a->rules.count));
        int related = 0;
        for (int64_t j = 0; j < s.cols; j++) {
            CHECK(SAME(&s.col[j].fill, &one.col[j].fill, 1));
            CHECK(SAME(&s.col[j].usual_low, &one.col[j].usual_low, 1));
            CHECK(SAME(&s.col[j].usual_high, &one.col[j].usual_high, 1));
            CHECK(SAME(&a->col[j].limits, &b->col[j].limits, 1));
            CHECK(SAME(&a->col[j].given, &b->col[j].given, 1));
            CHECK(SAME(&a->col[j].centre, &b->col[j].centre, 1) && SAME(&a->col[j].unit, &b->col[j].unit, 1));
            CHECK(a->col[j].related == b->col[j].related && a->col[j].coarse == b->col[j].coarse);
            related += a->col[j].related;
        }
        CHECK(related >= 8);
        od_schema_free(&s);
    }
    od_schema_free(&one);
    odim_table_free(t);
}

static int ticks, last_tick;
static int count_tick(const odim_progress *p, void *user)
{
    (void)p, (void)user;
    return ++ticks >= last_tick;
}

/* At once, or in one of the later stages. */
TEST(can_be_cancelled)
{
    odim_table *t = make_table();
    odim_hooks hooks = {.size = sizeof hooks, .progress = count_tick};
    REQUIRE(t);
    od_poll_set_interval(0);
    for (int64_t threads = 1; threads < 4; threads += 2)
        for (last_tick = 1; last_tick < 400; last_tick = last_tick * 2 + 30) {
            od_poll poll;
            od_schema s;
            ticks = 0;
            od_poll_begin(&poll, &hooks, (odim_progress){0});
            odim_status status = make(&s, t, threads);
            od_poll_end(&poll);
            CHECK_INT(status, ticks >= last_tick ? ODIM_ERR_CANCELLED : ODIM_OK);
            if (!status) od_schema_free(&s);
        }
    od_poll_set_interval(-1);
    odim_table_free(t);
}

TEST(memory_runs_out)
{
    odim_table *t = make_table();
    od_schema schema;
    REQUIRE(t && !make(&schema, t, 1));
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 20)
    {
        od_checks c;
        status = od_checks_fit(&c, &schema, t, &(od_row_set){.count = t->n}, 3, &err);
        if (status) CHECK(!c.col && !c.relation && !c.precision && c.cols == 0);
        od_checks_free(&c);
    }
    od_schema_free(&schema);
    odim_table_free(t);
}

int main(void)
{
    RUN(any_number_of_threads);
    RUN(can_be_cancelled);
    RUN(memory_runs_out);
    return test_end();
}
