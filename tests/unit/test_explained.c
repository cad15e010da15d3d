/* tests: explained. */
#include "test.h"

#include "mixed.h"

static odim_table *table;
static odim_model *model;

TEST(a_wrong_number_is_the_first_reason)
{
    odim_error err;
    odim_reason reason[9];
    int64_t row = 100;
    REQUIRE(odim_explain(model, table, &row, 1, 9, NULL, NULL, reason, &err) == ODIM_OK);
    CHECK_INT(reason[0].col, 2);
    CHECK(reason[0].value == 400 && reason[0].share > 0.5);
    CHECK(reason[0].expected >= 20 && reason[0].expected <= 60); /* within what is usual */
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        if (reason[k].col < 0) {
            CHECK(reason[k].share == 0);
            continue;
        }
        sum += reason[k].share;
        CHECK(k == 0 || reason[k].share <= reason[k - 1].share);
        for (int j = 0; j < k; j++) CHECK(reason[j].col != reason[k].col);
        CHECK(reason[k].col != 0 && reason[k].col != 6); /* columns that are not used */
    }
    CHECK(sum > 0.9 && sum < 1 + 1e-6); /* what is less than a hundredth is left out */
    CHECK_INT(reason[8].col, -1);       /* there are fewer columns than that */
}

TEST(more_rows_than_a_chunk)
{
    enum { COUNT = 5000 };
    static int64_t rows[COUNT];
    static odim_reason reasons[COUNT];
    odim_reason one;
    for (int i = 0; i < COUNT; i++) rows[i] = (i * 7) % MIXED_ROWS;
    REQUIRE(odim_explain(model, table, rows, COUNT, 1, NULL, NULL, reasons, NULL) == ODIM_OK);
    for (int i = 0; i < COUNT; i += 997) {
        REQUIRE(odim_explain(model, table, &rows[i], 1, 1, NULL, NULL, &one, NULL) == ODIM_OK);
        CHECK(one.col == reasons[i].col && one.share == reasons[i].share);
        CHECK(one.col < 0 || one.expected == reasons[i].expected);
    }
    CHECK(odim_explain(model, table, rows, 0, 1, NULL, NULL, reasons, NULL) == ODIM_OK);
}

TEST(rows_that_are_not_there)
{
    odim_error err;
    odim_reason reason;
    int64_t row = MIXED_ROWS;
    CHECK_INT(odim_explain(model, table, &row, 1, 1, NULL, NULL, &reason, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "row 400 of 400");
}

static const char *words(const odim_table *t, int64_t row, int64_t col, double value, double expected)
{
    static char buf[200];
    odim_reason r = {.col = col, .share = 0.625, .value = value, .expected = expected};
    return odim_reason_text(model, t, row, &r, buf, sizeof buf);
}

TEST(the_words)
{
    odim_table *t =
        mixed_read("colour,heat,load,open,day\nyellow,,900,no,2024-01-02\nred,41,30,yes,1999-12-31\n", model);
    REQUIRE(t);
    CHECK_STR(words(t, 0, 1, 900, 41.26), "load 900 (62 %): expected about 41.3, usually 20 to 79");
    CHECK_STR(words(t, 0, 3, odim_table_value(t, 0, 2), 1),
              "colour 'yellow' (62 %): never seen in training, expected green");
    CHECK_STR(words(t, 1, 3, odim_table_value(t, 1, 2), -1), "colour 'red' (62 %): expected another");
    CHECK_STR(words(t, 1, 3, odim_table_value(t, 1, 2), 2), "colour 'red' (62 %): unusual beside the others");
    CHECK_STR(words(t, 0, 4, 0, 1), "open false (62 %): expected true");
    CHECK_STR(words(t, 0, 4, 0, 0), "open false (62 %): unusual beside the others");
    CHECK_STR(words(t, 0, 2, NAN, 30), "heat missing (62 %): expected about 30, usually 20 to 52");
    CHECK_STR(words(t, 1, 5, odim_table_value(t, 1, 4), 1714521600),
              "day 1999-12-31 (62 %): expected about 2024-05-01, usually 2024-01-03 to 2024-12-24");
    CHECK_STR(words(t, 0, -1, 0, 0), "");
    odim_table_free(t);
}

/* New rows: a planted fault in each numeric column in turn is the first reason in at least 95 of 100. */
TEST(planted_faults_are_named)
{
    int found = 0, planted = 0;
    for (int i = 0; i < 60; i++) {
        char text[200];
        int in_load = i % 2;
        double load = 25 + i % 50, heat = 12 + 0.5 * load;
        sprintf(text, "load,heat,colour,open,day\n%.0f,%.1f,green,yes,2024-06-%02d\n", in_load ? 300.0 : load,
                in_load ? heat : 500.0, 1 + i % 28);
        odim_table *t = mixed_read(text, model);
        odim_reason reason;
        int64_t row = 0;
        REQUIRE(t && odim_explain(model, t, &row, 1, 1, NULL, NULL, &reason, NULL) == ODIM_OK);
        planted++;
        found += reason.col == (in_load ? 1 : 2);
        odim_table_free(t);
    }
    if (found * 100 < planted * 95) TEST_SAY("%d of %d planted faults are the first reason", found, planted);
}

/* A row that is odd in each of very many columns: none has a hundredth of the blame, and yet they are named,
 * in an order: blames that the fall of the score bounds are not all the same. */
static void check_wide(int64_t cols)
{
    enum { ROWS = 200, ODD = 3, TOP = 4, MOST_COLS = 500 };
    static double x[ROWS * MOST_COLS];
    uint32_t state = 1;
    for (int64_t i = 0; i < ROWS * cols; i++) {
        double sum = 0; /* of twelve between 0 and 1: nearly normal */
        for (int k = 0; k < 12; k++)
            sum += (double)((state = state * 1664525u + 1013904223u) >> 8) / 16777216;
        x[i] = i / cols == ODD ? 8 : sum - 6;
    }
    odim_error err;
    odim_table *t;
    odim_model *m;
    odim_params *p = odim_params_new();
    odim_reason reason[TOP];
    char text[200];
    int64_t row = ODD;
    REQUIRE(!odim_table_wrap_f64(&t, x, ROWS, cols, 0, NULL, &err) && p);
    REQUIRE(!odim_params_set(p, "preset", "fast", &err) && !odim_params_set(p, "max-updates", "50", &err));
    REQUIRE(!odim_fit(t, p, NULL, &m, &err));
    REQUIRE(!odim_explain(m, t, &row, 1, TOP, NULL, NULL, reason, &err));
    for (int k = 0; k < TOP; k++) {
        CHECK(reason[k].col >= 0 && reason[k].value == 8 && reason[k].expected < reason[k].value);
        CHECK(reason[k].share > 0.5 / (double)cols);
        CHECK(k == 0 || reason[k].share < reason[k - 1].share);
    }
    CHECK(reason[TOP - 1].share < 0.01);
    odim_reason_text(m, t, row, &reason[TOP - 1], text, sizeof text);
    CHECK(strstr(text, " (0.") && strstr(text, " %, one of many): expected about "));
    odim_params_free(p);
    odim_model_free(m);
    odim_table_free(t);
}

TEST(odd_in_many_columns)
{
    check_wide(110);
    check_wide(500);
}

int main(void)
{
    table = mixed_read(mixed_csv(), NULL);
    model = table ? mixed_fit(table) : NULL;
    if (!model) return 1;
    RUN(a_wrong_number_is_the_first_reason);
    RUN(more_rows_than_a_chunk);
    RUN(rows_that_are_not_there);
    RUN(the_words);
    RUN(planted_faults_are_named);
    RUN(odd_in_many_columns);
    odim_model_free(model);
    odim_table_free(table);
    return test_end();
}
