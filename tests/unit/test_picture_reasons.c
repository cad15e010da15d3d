/* tests: picture_reasons. Reasons for pictures. */
#include "api/picture_reasons.h"

#include "common/mem.h"
#include "starve.h"
#include "test.h"

static odim_error err;

/* Three by three pixels, each a part of its own; and six by six. */
TEST(parts_by_share)
{
    const od_pixels p = {.cols = 3, .rows = 3};
    const double share[9] = {0.3, 0, 0, 0, 0.6, 0.005, 0, 0, 0.095};
    const double value[9] = {200, 1, 1, 1, 20, 1, 1, 1, 50}, expected[9] = {50, 2, 3, 4, 120, 6, 7, 8, 53};
    odim_reason r[5];
    od_picture_reasons(&p, share, value, expected, 5, r);
    CHECK(r[0].col == 4 && r[0].share == 0.6 && r[0].value == 20 && r[0].expected == 120);
    CHECK_STR(od_picture_reason_text(&r[0]), "darker than expected");
    CHECK(r[1].col == 0 && r[1].share == 0.3);
    CHECK_STR(od_picture_reason_text(&r[1]), "brighter than expected");
    CHECK(r[2].col == 8 && isnan(r[2].expected)); /* too small a difference */
    CHECK_STR(od_picture_reason_text(&r[2]), "a different pattern than expected");
    CHECK(r[3].col == -1 && r[4].col == -1); /* 0.005 is too little */
}

TEST(pixels_are_summed)
{
    const od_pixels p = {.cols = 6, .rows = 6};
    double share[36] = {0}, value[36] = {0}, expected[36] = {0};
    odim_reason r[2];
    share[0] = 0.1, value[0] = 100, expected[0] = 40; /* upper left */
    share[7] = 0.3, value[7] = 200, expected[7] = 80;
    share[6] = 0.1, value[6] = 7, expected[6] = NAN; /* not in the means */
    share[35] = 0.45, value[35] = 3, expected[35] = NAN;
    od_picture_reasons(&p, share, value, expected, 2, r);
    CHECK_INT(r[0].col, 7);
    CHECK_NEAR(r[0].share, 0.5, 1e-12);
    CHECK(r[0].value == 175 && r[0].expected == 70); /* (0.1 * 100 + 0.3 * 200) / 0.4 */
    CHECK(r[1].col == 35 && r[1].value == 3 && isnan(r[1].expected));
}

/* ---- by a model ------------------------------------------------------------------------------------- */

enum { ROWS = 60, SIDE = 4, COLS = SIDE * SIDE };

/* A gradient with some noise; the last row has a bright corner. */
static odim_table *make_table(void)
{
    static double x[ROWS * COLS];
    static char name[COLS][16];
    static odim_column column[COLS];
    const odim_column *columns[COLS + 1] = {0};
    odim_table *t;
    unsigned state = 1;
    for (int i = 0; i < ROWS * COLS; i++) {
        state = state * 1103515245 + 12345;
        x[i % COLS * ROWS + i / COLS] = 10 * (i % COLS) + state / 65536 % 16;
    }
    x[(COLS - 1) * ROWS + ROWS - 1] = 10; /* instead of 150 to 165 */
    for (int j = 0; j < COLS; j++) {
        snprintf(name[j], sizeof *name, "r%dc%d", j / SIDE + 1, j % SIDE + 1);
        column[j] = (odim_column)ODIM_COLUMN_INIT;
        column[j].name = name[j];
        column[j].numbers = x + j * ROWS;
        columns[j] = &column[j];
    }
    if (odim_table_build(&t, columns, COLS, ROWS, NULL, &err)) {
        puts(err.msg);
        exit(1);
    }
    return t;
}

TEST(of_a_model)
{
    odim_table *t = make_table();
    odim_model *m;
    odim_reasons *reasons;
    char text[200];
    int cols = 0, rows = 0, colors = 0;
    static double share[ROWS * COLS], expected[ROWS * COLS];
    REQUIRE(odim_fit(t, NULL, NULL, &m, &err) == ODIM_OK);
    CHECK(odim_model_pixels(m, &cols, &rows, &colors) && cols == SIDE && rows == SIDE && colors == 1);
    CHECK_STR(odim_model_place(m, 0), "upper left");
    CHECK(!odim_model_place(m, -1) && !odim_model_place(m, COLS));
    REQUIRE(odim_explain(m, t, NULL, NULL, NULL, &reasons, &err) == ODIM_OK);
    const odim_reason *r = odim_reasons_at(reasons, ROWS - 1, 0);
    REQUIRE(r);
    CHECK_INT(r->col, COLS - 1);
    odim_reason_text(m, t, ROWS - 1, r, text, sizeof text);
    CHECK(strncmp(text, "lower right (", 13) == 0 && strstr(text, " %): darker than expected, about 1"));
    CHECK_STR(odim_reason_usual(m, t, ROWS - 1, r, text, sizeof text), "darker than expected");
    odim_reasons_free(reasons);
    /* Every cell. */
    REQUIRE(odim_explain_cells(m, t, NULL, NULL, NULL, share, expected, &err) == ODIM_OK);
    const double *last = share + (ROWS - 1) * COLS;
    double sum = 0;
    for (int j = 0; j < COLS; j++) sum += last[j];
    CHECK_NEAR(sum, 1, 1e-9);
    CHECK(last[COLS - 1] > 0.5 && expected[ROWS * COLS - 1] > 140);
    int64_t row = ROWS - 1;
    const odim_explain_options one = {.size = sizeof one, .rows = &row, .count = 1};
    double own[COLS], likely[COLS];
    REQUIRE(odim_explain_cells(m, t, &one, NULL, NULL, own, likely, &err) == ODIM_OK);
    CHECK(memcmp(own, last, sizeof own) == 0 && likely[COLS - 1] == expected[ROWS * COLS - 1]);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 5)
    status = odim_explain_cells(m, t, &one, NULL, NULL, own, likely, &err);
    EACH_ALLOCATION_FAILS(status, 5)
    {
        status = odim_explain(m, t, &one, NULL, NULL, &reasons, &err);
        if (!status) odim_reasons_free(reasons);
    }
    odim_model_free(m);
    odim_table_free(t);
}

int main(void)
{
    RUN(parts_by_share);
    RUN(pixels_are_summed);
    RUN(of_a_model);
    return test_end();
}
