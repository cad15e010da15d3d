/* tests: api_explain reason_text. */
#include "test.h"

#include "mixed.h"
#include "reasons.h"

static odim_table *table;
static odim_model *model;

TEST(a_wrong_number_is_the_first_reason)
{
    odim_error err;
    odim_reason reason[9];
    int64_t row = 100;
    REQUIRE(explain_rows(model, table, &row, 1, 9, reason, &err) == ODIM_OK);
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
    REQUIRE(explain_rows(model, table, rows, COUNT, 1, reasons, NULL) == ODIM_OK);
    for (int i = 0; i < COUNT; i += 997) {
        REQUIRE(explain_rows(model, table, &rows[i], 1, 1, &one, NULL) == ODIM_OK);
        CHECK(one.col == reasons[i].col && one.share == reasons[i].share);
        CHECK(one.col < 0 || one.expected == reasons[i].expected);
    }
    CHECK(explain_rows(model, table, rows, 0, 1, reasons, NULL) == ODIM_OK);
}

TEST(rows_that_are_not_there)
{
    odim_error err;
    odim_reason reason;
    int64_t row = MIXED_ROWS;
    CHECK_INT(explain_rows(model, table, &row, 1, 1, &reason, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "row 400 of 400, counted from 0");
}

static const char *words(const odim_table *t, int64_t row, odim_reason_kind kind, int64_t col, double value,
                         double expected)
{
    static char buf[200];
    odim_reason r = {.col = col, .share = 0.625, .value = value, .expected = expected, .kind = kind};
    return odim_reason_text(model, t, row, &r, buf, sizeof buf);
}

static const char *usual(const odim_table *t, int64_t row, odim_reason_kind kind, int64_t col, double value,
                         double expected)
{
    static char buf[200];
    odim_reason r = {.col = col, .share = 0.625, .value = value, .expected = expected, .kind = kind};
    return odim_reason_usual(model, t, row, &r, buf, sizeof buf);
}

TEST(the_words)
{
    odim_table *t =
        mixed_read("color,heat,load,open,day\nyellow,,900,no,2024-01-02\nred,41,30,yes,1999-12-31\n"
                   "\"Gren \",41,30,yes,2024-01-02\nred,,,,2024-01-02\n",
                   model);
    REQUIRE(t);
    const odim_reason_kind value = ODIM_REASON_VALUE, combination = ODIM_REASON_COMBINATION,
                           contradiction = ODIM_REASON_CONTRADICTION, level = ODIM_REASON_LEVEL,
                           missing = ODIM_REASON_MISSING;
    double yellow = odim_table_value(t, 0, 2), red = odim_table_value(t, 1, 2);
    CHECK_STR(words(t, 0, value, 1, 900, 41.26), "load 900 (62 %): expected about 41.3, usually 20 to 79");
    CHECK_STR(words(t, 1, combination, 1, 30, 62),
              "load 30 (62 %): expected about 62 given the other columns");
    CHECK_STR(words(t, 1, combination, 1, 30, NAN),
              "load 30 (62 %): unusual in combination with the other columns");
    CHECK_STR(words(t, 1, contradiction, 1, 30, 62.02),
              "load 30 (62 %): about 62 expected from the other columns");
    CHECK_STR(words(t, 1, contradiction, 1, 30, NAN), "load 30 (62 %): contradicts the other columns");
    CHECK_STR(words(t, 0, level, 3, yellow, 1), "color 'yellow' (62 %): never seen in training");
    CHECK_STR(words(t, 0, level, 3, yellow, -1), "color 'yellow' (62 %): never seen in training");
    CHECK_STR(words(t, 2, level, 3, odim_table_value(t, 2, 2), 1),
              "color 'Gren ' (62 %): never seen in training, did you mean 'green'?");
    CHECK_STR(words(t, 1, level, 3, red, 1), "color 'red' (62 %): seen in 100 training rows");
    CHECK_STR(words(t, 1, combination, 3, red, -1),
              "color 'red' (62 %): unusual in combination with the other columns");
    CHECK_STR(words(t, 1, combination, 3, red, NAN),
              "color 'red' (62 %): unusual in combination with the other columns");
    CHECK_STR(words(t, 0, combination, 4, 0, 1), "open false (62 %): expected true");
    CHECK_STR(words(t, 0, combination, 4, 0, NAN),
              "open false (62 %): unusual in combination with the other columns");
    CHECK_STR(words(t, 0, missing, 2, NAN, 30),
              "heat is missing (62 %): expected about 30, usually 20 to 52");
    CHECK_STR(words(t, 3, missing, 1, NAN, 30),
              "load is missing (62 %): the row is mostly empty, with 3 of 5 values missing");
    CHECK_STR(words(t, 1, value, 5, odim_table_value(t, 1, 4), 1714521600),
              "day 1999-12-31 (62 %): expected about 2024-05-01, usually 2024-01-03 to 2024-12-24");
    CHECK_STR(words(t, 0, value, -1, 0, 0), "");
    CHECK_STR(usual(t, 0, value, 1, 900, 41.26), "20 to 79");
    CHECK_STR(usual(t, 1, contradiction, 1, 30, 62), "20 to 79; contradicts the others");
    CHECK_STR(usual(t, 1, combination, 1, 30, NAN), "20 to 79; unusual in combination");
    CHECK_STR(usual(t, 1, combination, 3, red, 1), "one of 3 levels");
    CHECK_STR(usual(t, 1, combination, 4, 1, 0), "false or true");
    CHECK_STR(usual(t, 2, level, 3, odim_table_value(t, 2, 2), 1),
              "never seen in training; did you mean 'green'?");
    CHECK_STR(usual(t, 0, missing, 1, NAN, 30), "hardly ever missing otherwise");
    CHECK_STR(usual(t, 0, value, -1, 0, 0), "");
    CHECK_STR(odim_reason_kind_text(contradiction), "contradiction");
    CHECK_STR(odim_reason_kind_text((odim_reason_kind)99), "unknown");
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
        sprintf(text, "load,heat,color,open,day\n%.0f,%.1f,green,yes,2024-06-%02d\n", in_load ? 300.0 : load,
                in_load ? heat : 500.0, 1 + i % 28);
        odim_table *t = mixed_read(text, model);
        odim_reason reason;
        int64_t row = 0;
        REQUIRE(t && explain_rows(model, t, &row, 1, 1, &reason, NULL) == ODIM_OK);
        planted++;
        found += reason.col == (in_load ? 1 : 2);
        odim_table_free(t);
    }
    if (found * 100 < planted * 95) TEST_SAY("%d of %d planted faults are the first reason", found, planted);
}

/* ---- orders: what a row says of itself ---- */

static odim_table *orders;
static odim_model *orders_model;

enum { ORDERS = 500, PRICE = 1, NUMBER, TOTAL, CITY, TIME, NOTE };

/* total is price times number; the last two columns have the same name. */
static const char *orders_csv(void)
{
    static char text[96 * ORDERS];
    static const char *const cities[] = {"Berlin", "Hamburg", "Paris"};
    uint32_t state = 7;
    int len = sprintf(text, "order,price,number,total,city,time,note,note\n");
    for (int i = 0; i < ORDERS; i++) {
        double u[4];
        for (int k = 0; k < 4; k++) u[k] = (double)((state = state * 1664525u + 1013904223u) >> 8) / 16777216;
        double price = floor(100 + 900 * u[0]) / 100, total;
        int number = 1 + (int)(8 * u[1]), city = (int)(3 * u[2]), second = (int)(86400 * u[3]);
        if (i == 50) price = 210;
        total = price * number;
        if (i == 60) total *= 0.2;
        len += sprintf(text + len, "id%d,%.2f,%d,%.2f,%s,2024-03-%02dT%02d:%02d,%.1f,%.1f\n", i, price,
                       number, total, i == 70 ? "Berlni" : cities[city], 1 + i % 9, second / 3600,
                       second / 60 % 60, u[0] * 10, i == 80 ? 77.0 : u[1] * 10);
    }
    return text;
}

static odim_reason first_reason(int64_t row)
{
    odim_reason r = {.col = -1};
    CHECK(explain_rows(orders_model, orders, &row, 1, 1, &r, NULL) == ODIM_OK);
    return r;
}

static const char *first_words(int64_t row)
{
    static char buf[300];
    odim_reason r = first_reason(row);
    return odim_reason_text(orders_model, orders, row, &r, buf, sizeof buf);
}

/* What is usual leaves out the error, which one of 500 rows is within the first hundredth of. */
TEST(beyond_the_column)
{
    odim_reason r = first_reason(50);
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    CHECK_INT(r.kind, ODIM_REASON_VALUE);
    REQUIRE(odim_model_column(orders_model, r.col, &c, NULL) == ODIM_OK);
    CHECK(c.usual_high < r.value);
    CHECK(r.expected <= c.usual_high);
    odim_table *few;
    odim_model *m;
    double x[20];
    for (int i = 0; i < 20; i++) x[i] = i == 7 ? 210 : 20 + i;
    REQUIRE(!odim_table_wrap_f64(&few, x, 20, 1, 0, NULL, NULL));
    m = mixed_fit(few);
    REQUIRE(m && !odim_model_column(m, 0, &c, NULL));
    CHECK(c.high == 210 && c.usual_low == 20 && c.usual_high == 39);
    odim_model_free(m);
    odim_table_free(few);
}

TEST(against_the_other_columns)
{
    odim_reason r = first_reason(60);
    CHECK_INT(r.col, TOTAL);
    CHECK_INT(r.kind, ODIM_REASON_CONTRADICTION);
    CHECK(r.expected > 2.5 * r.value && r.expected < 10 * r.value);
    CHECK(strstr(first_words(60), ", since total = "));
}

TEST(a_misspelt_level)
{
    odim_reason r = first_reason(70);
    CHECK_INT(r.kind, ODIM_REASON_LEVEL);
    CHECK_STR(odim_model_level(orders_model, r.col, (int64_t)r.expected, NULL), "Berlin");
    const char *text = first_words(70);
    CHECK(strncmp(text, "city 'Berlni' (", 15) == 0);
    CHECK(strstr(text, " %): occurs only once in this table, did you mean 'Berlin'?"));
}

TEST(a_gap)
{
    odim_table *t = mixed_read(
        "order,price,number,total,city,time,note,note\nx,,3,15,Paris,2024-03-05T12:00,5,5\n", orders_model);
    odim_reason r;
    int64_t row = 0;
    char text[200];
    REQUIRE(t && explain_rows(orders_model, t, &row, 1, 1, &r, NULL) == ODIM_OK);
    CHECK(r.col == PRICE && r.kind == ODIM_REASON_MISSING && isnan(r.value));
    CHECK(strncmp(odim_reason_text(orders_model, t, 0, &r, text, sizeof text), "price is missing (", 18) ==
          0);
    CHECK(strstr(text, " %): hardly ever missing otherwise"));
    CHECK_STR(odim_reason_usual(orders_model, t, 0, &r, text, sizeof text), "hardly ever missing otherwise");
    odim_table_free(t);
}

TEST(two_columns_of_one_name)
{
    CHECK_INT(first_reason(80).col, NOTE + 1);
    CHECK(strncmp(first_words(80), "note (2) 77 (", 13) == 0);
}

/* A column of times has the time of day in what is expected and usual; one of days has not. */
TEST(time_of_day)
{
    char text[100];
    CHECK_STR(odim_model_text(orders_model, TIME, 1709645400, text, sizeof text), "2024-03-05 13:30");
    odim_table *t;
    odim_model *m;
    char csv[4000];
    int len = sprintf(csv, "a,at\n");
    for (int i = 0; i < 60; i++)
        len += sprintf(csv + len, "%d,2024-03-05T%02d:%02d\n", i % 7, 8 + i / 6, i % 6 * 10);
    REQUIRE(!odim_table_read_memory(&t, csv, (size_t)len, "t.csv", NULL, NULL)); /* less than a day */
    m = mixed_fit(t);
    REQUIRE(m);
    CHECK_STR(odim_model_text(m, 1, 1709645400, text, sizeof text), "2024-03-05 13:30");
    odim_model_free(m);
    odim_table_free(t);
    CHECK_STR(odim_model_text(model, 5, 1709645400, text, sizeof text), "2024-03-05");
}

/* What is said of a row never contradicts itself: the expected value is not that of the cell, a value beyond
 * the usual ones is not within them, a share is not nothing. */
TEST(no_contradictions)
{
    enum { TOP = 8 };
    for (int64_t row = 0; row < ORDERS; row++) {
        odim_reason reason[TOP];
        REQUIRE(explain_rows(orders_model, orders, &row, 1, TOP, reason, NULL) == ODIM_OK);
        for (int k = 0; k < TOP && reason[k].col >= 0; k++) {
            char value[100], expected[100], text[300];
            const odim_reason *r = &reason[k];
            odim_column_info c = ODIM_COLUMN_INFO_INIT;
            odim_table_text(orders, row, r->col, value, sizeof value);
            odim_model_text(orders_model, r->col, r->expected, expected, sizeof expected);
            CHECK(strcmp(value, expected) != 0);
            odim_reason_text(orders_model, orders, row, r, text, sizeof text);
            CHECK(!strstr(text, " (0 %"));
            REQUIRE(odim_model_column(orders_model, r->col, &c, NULL) == ODIM_OK);
            if (r->kind == ODIM_REASON_VALUE) CHECK(r->value < c.usual_low || r->value > c.usual_high);
        }
    }
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
    REQUIRE(!explain_rows(m, t, &row, 1, TOP, reason, &err));
    for (int k = 0; k < TOP; k++) {
        CHECK(reason[k].col >= 0 && reason[k].value == 8 && reason[k].expected < reason[k].value);
        CHECK(reason[k].share > 0.5 / (double)cols);
        CHECK(k == 0 || reason[k].share < reason[k - 1].share);
    }
    if (cols > 200) {
        odim_reason_text(m, t, row, &reason[TOP - 1], text, sizeof text);
        CHECK(reason[TOP - 1].share < 0.01);
        CHECK(strstr(text, " (0.") && strstr(text, " %, one of many): expected about "));
    }
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
    orders = mixed_read(orders_csv(), NULL);
    orders_model = orders ? mixed_fit(orders) : NULL;
    if (!orders_model) return 1;
    RUN(beyond_the_column);
    RUN(against_the_other_columns);
    RUN(a_misspelt_level);
    RUN(a_gap);
    RUN(two_columns_of_one_name);
    RUN(time_of_day);
    RUN(no_contradictions);
    odim_model_free(orders_model);
    odim_table_free(orders);
    odim_model_free(model);
    odim_table_free(table);
    return test_end();
}
