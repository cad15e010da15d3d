#include "prep/row_sample.h"

#include <math.h>

#include "common/mem.h"
#include "tables.h"
#include "starve.h"

enum { ROWS = 140000, D = 2 };

static double cells[ROWS * D];
static int8_t known[ROWS];

static void make_rows(void)
{
    for (int i = 0; i < ROWS; i++) {
        cells[i * D] = i;
        cells[i * D + 1] = i % 7 ? i * 0.5 : NAN;
        known[i] = i % 1000 == 3 ? 1 : -1;
    }
}

static odim_table *rows_of(int from, int to)
{
    odim_table *t;
    if (odim_table_wrap_f64(&t, cells + from * D, to - from, D, 0, NULL, &err) ||
        odim_table_set_known(t, known + from, &err))
        abort();
    return t;
}

/* Blocks of any size, in order: rows, their cells, their numbers. */
static void add_range(od_row_sample *s, int from, int to, int step)
{
    for (int i = from; i < to; i += step) {
        odim_table *t = rows_of(i, i + step < to ? i + step : to);
        CHECK_INT(od_row_sample_add(s, t, i, &err), ODIM_OK);
        odim_table_free(t);
    }
}

static void expect_taken(od_row_sample *s)
{
    od_row_set got = {0}, want;
    odim_table *t = od_table_new();
    REQUIRE(t && !od_table_set_cols(t, D, &err));
    for (int j = 0; j < D; j++) t->col[j].name = od_strndup("x", 1);
    REQUIRE(!od_row_sample_take(s, t, &got, &err));
    REQUIRE(!od_sample_choose(&want, known, ROWS, D, 9, &err));
    REQUIRE(got.count == want.count && got.knowns == want.knowns && got.knowns == ROWS / 1000);
    CHECK_INT(t->n, got.count + got.knowns);
    for (int64_t i = 0; i < got.count; i++) {
        int64_t row = want.rows[i], at = got.rows[i];
        double second = od_table_cell(t, at, 1);
        CHECK(t->number[at] == row + 1 && od_table_cell(t, at, 0) == (double)row);
        CHECK(row % 7 ? second == (double)row * 0.5 : isnan(second));
        CHECK(t->known[at] == known[row]);
    }
    for (int64_t i = 0; i < got.knowns; i++) {
        CHECK(t->number[got.known[i]] == want.known[i] + 1 && t->known[got.known[i]] == 1);
        CHECK(od_table_cell(t, got.known[i], 0) == (double)want.known[i]);
    }
    od_row_set_free(&got);
    od_row_set_free(&want);
    odim_table_free(t);
}

TEST(any_blocks)
{
    static const int steps[] = {8192, 100000, 777};
    for (int i = 0; i < 3; i++) {
        od_row_sample s = {0};
        REQUIRE(!od_row_sample_new(&s, D, true, 9, &err));
        add_range(&s, 0, ROWS, steps[i]);
        expect_taken(&s);
        od_row_sample_free(&s);
    }
}

/* The rows of two shelves, put one by one into a third in any order, are those of one. */
TEST(shelves_of_parts)
{
    od_row_sample part[2] = {{0}}, all = {0};
    REQUIRE(!od_row_sample_new(&all, D, true, 9, &err));
    for (int k = 0; k < 2; k++) {
        REQUIRE(!od_row_sample_new(&part[k], D, true, 9, &err));
        add_range(&part[k], k ? 100000 : 0, k ? ROWS : 100000, 8192);
    }
    for (int k = 1; k >= 0; k--) {
        od_kept_rows *from[] = {&part[k].all, &part[k].outliers}, *to[] = {&all.all, &all.outliers};
        for (int which = 0; which < 2; which++)
            for (int64_t i = 0; i < from[which]->sample.count; i++) {
                const od_sample_row *row = &from[which]->sample.heap[i];
                CHECK(!od_kept_rows_put(to[which], D, row->row, from[which]->cells + row->slot * D,
                                        from[which]->known[row->slot], &err));
            }
        od_row_sample_free(&part[k]);
    }
    expect_taken(&all);
    od_row_sample_free(&all);
}

TEST(no_memory)
{
    odim_table *t = rows_of(0, 10);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 4)
    {
        od_row_sample s = {0};
        status = od_row_sample_new(&s, D, true, 9, &err);
        if (!status) status = od_row_sample_add(&s, t, 0, &err);
        od_row_sample_free(&s);
    }
    odim_table_free(t);
}

int main(void)
{
    make_rows();
    RUN(any_blocks);
    RUN(shelves_of_parts);
    RUN(no_memory);
    return test_end();
}
