/* tests: fit_dp. A private fit as a whole: what it refuses, what it spends, and that nothing of the rows
 * is in the model but what noise has been added to. */
#include "fit/fit_dp.h"
#include "score/score.h"

#include "model/container.h"
#include "model/params.h"
#include "scratch.h"
#include "tables.h"

enum { ROWS = 300 };
static const char *bounds;

/* The middle row may be a strange one: out of all bounds, with a level that is not public, at another time.
 */
static const char *make_rows(bool strange)
{
    static char text[64 * ROWS];
    int len = sprintf(text, "load,colour,day,open\n");
    for (int i = 0; i < ROWS; i++) {
        static const char *const colours[] = {"red", "green", "green", "blue"};
        if (i == ROWS / 2 && strange)
            len += sprintf(text + len, "1e300,secret,1850-06-07T12:34:56,\n");
        else
            len += sprintf(text + len, "%d,%s,2024-%02d-%02d,%s\n", 20 + i * 37 % 60, colours[i % 4],
                           1 + i / 28 % 12, 1 + i % 28, i % 3 ? "yes" : "no");
    }
    return text;
}

static odim_params *make_params(const char *epsilon)
{
    odim_params *p = odim_params_new();
    odim_params_set(p, "dp-epsilon", epsilon, NULL);
    odim_params_set(p, "dp-insecure-seed", "on", NULL);
    odim_params_set(p, "dp-updates", "5", NULL);
    odim_params_set(p, "samples", "4", NULL);
    return p;
}

static odim_model *fit(odim_table *t, const char *epsilon, const char *more, const char *value)
{
    odim_model *m = NULL;
    odim_params *p = make_params(epsilon);
    if (more && odim_params_set(p, more, value, &err)) TEST_SAY("%s", err.msg);
    odim_fit(t, p, NULL, &m, &err);
    odim_params_free(p);
    return m;
}

static odim_model *fit_rows(bool strange)
{
    odim_table *t = READ(make_rows(strange), .bounds = bounds);
    odim_model *m = t ? fit(t, "8", NULL, NULL) : NULL;
    if (!m) TEST_SAY("%s", err.msg);
    odim_table_free(t);
    return m;
}

/* ---- what is in the file -------------------------------------------------------------------------- */

/* Only weights and what is made from them may depend on a row; everything else is the same to the byte. */
static void check_files(const odim_model *a, const odim_model *b)
{
    void *saved[2];
    size_t size[2];
    od_container c[2];
    REQUIRE(!odim_model_save_memory(a, &saved[0], &size[0], &err));
    REQUIRE(!odim_model_save_memory(b, &saved[1], &size[1], &err));
    for (int i = 0; i < 2; i++) REQUIRE(!od_container_open(&c[i], saved[i], size[i], &err));
    CHECK(c[0].count == c[1].count && c[0].count == 12);
    for (size_t k = 0; k < c[0].count; k++) {
        const od_section *x = &c[0].section[k], *y = &c[1].section[k];
        CHECK_STR(x->tag, y->tag);
        bool same = x->body.left == y->body.left && memcmp(x->body.at, y->body.at, x->body.left) == 0;
        bool noised = strstr("WGTS CALB THRS REAS VERD", x->tag) != NULL;
        if (!same && !noised) TEST_SAY("section %s depends on a row", x->tag);
        if (same && strcmp(x->tag, "WGTS") == 0) TEST_SAY("the row was not used at all");
    }
    odim_free(saved[0]);
    odim_free(saved[1]);
}

TEST(one_row_of_many)
{
    odim_model *a = fit_rows(false), *b = fit_rows(true);
    REQUIRE(a && b);
    check_files(a, b);
    odim_model_free(a);
    odim_model_free(b);
}

/* The same where bounds are found: they are noised, but one row is far below what makes a difference. */
TEST(one_row_of_many_numbers)
{
    double x[ROWS * 2];
    odim_model *m[2];
    for (int i = 0; i < ROWS * 2; i++) x[i] = 20 + i * 37 % 60;
    for (int k = 0; k < 2; k++) {
        odim_table *t;
        if (k) x[ROWS] = 1e300;
        REQUIRE(!odim_table_wrap_f64(&t, x, ROWS, 2, 0, NULL, &err));
        REQUIRE((m[k] = fit(t, "8", NULL, NULL)));
        odim_table_free(t);
    }
    check_files(m[0], m[1]);
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    CHECK_INT(odim_model_column(m[1], 0, &c, &err), ODIM_OK);
    CHECK(c.high >= 64 && c.high <= 128 && c.low >= 0 && c.low <= 32 && c.missing == 0);
    odim_model_free(m[0]);
    odim_model_free(m[1]);
}

/* Every number that is said of the columns is in the file of bounds. */
TEST(columns_are_public)
{
    odim_model *m = fit_rows(true);
    REQUIRE(m);
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    int64_t rows = -1;
    CHECK_INT(odim_model_rows(m), ROWS);
    CHECK_INT(odim_model_cols(m), 4);
    for (int64_t j = 0; j < 4; j++) {
        REQUIRE(!odim_model_column(m, j, &c, &err));
        CHECK(!c.ignored && c.missing == 0);
        if (c.type != ODIM_CATEGORICAL) CHECK(c.low == c.usual_low && c.high == c.usual_high);
    }
    REQUIRE(!odim_model_column(m, 0, &c, &err));
    CHECK(c.low == 0 && c.high == 100);
    REQUIRE(!odim_model_column(m, 1, &c, &err));
    CHECK_INT(c.levels, 3);
    for (int64_t k = 0; k < 3; k++) {
        CHECK(strcmp(odim_model_level(m, 1, k, &rows), "secret") != 0);
        CHECK_INT(rows, 0);
    }
    /* What reasons are held against is within the bounds, too; and there is no history. */
    for (int g = 0; g < OD_QUANTILES; g++) CHECK(m->quantile_grid[g * m->layout.shape.d] > 0.05f);
    for (int g = 0; g < OD_QUANTILES; g++) CHECK(m->quantile_grid[g * m->layout.shape.d] < 0.95f);
    CHECK_INT(odim_model_checks(m, 0), 0);
    CHECK(m->member[0].info.distance == 0 && m->member[0].info.best_update == 5);
    odim_model_free(m);
}

/* ---- what is spent -------------------------------------------------------------------------------- */

static void check_spent(const odim_privacy_info *p, int64_t members, int others)
{
    od_budget all = {{0}}, each, other;
    od_budget_begin(&each, p->rate, p->noise);
    od_budget_begin(&other, 1, p->other_noise);
    od_budget_add(&all, &each, members * p->updates);
    od_budget_add(&all, &other, others);
    CHECK_NEAR(p->epsilon, od_budget_epsilon(&all, 1, p->delta, NULL), 1e-12);
    CHECK_NEAR(od_budget_epsilon(&other, 1, p->delta, NULL), 0.8, 1e-3); /* a tenth of 8 */
    CHECK(p->epsilon <= 8 && p->epsilon > 7.99 && p->delta == 1e-5 && p->updates == 5);
}

TEST(budget)
{
    const odim_privacy_info *p;
    double x[ROWS * 2], low[] = {0, 0}, high[] = {90, 90};
    odim_table *t;
    for (int i = 0; i < ROWS * 2; i++) x[i] = 20 + i * 37 % 60;
    REQUIRE(!odim_table_wrap_f64(&t, x, ROWS, 2, 0, NULL, &err));
    odim_model *m = fit(t, "8", "members", "2");
    REQUIRE(m);
    REQUIRE((p = odim_model_privacy(m)));
    CHECK(!p->bounds_given && p->scores_counted && p->insecure);
    check_spent(p, 2, 2);
    odim_model_free(m);
    REQUIRE(!odim_table_set_bounds(t, low, high, &err));
    REQUIRE((m = fit(t, "8", NULL, NULL)));
    REQUIRE((p = odim_model_privacy(m)));
    CHECK(p->bounds_given && p->scores_counted);
    check_spent(p, 1, 1);
    odim_model_free(m);
    /* Too few rows for the noise: scores are not looked at, and cost nothing. */
    t->n = 100;
    REQUIRE((m = fit(t, "8", "dp-insecure-seed", "off")));
    REQUIRE((p = odim_model_privacy(m)));
    CHECK(p->bounds_given && !p->scores_counted && !p->insecure);
    check_spent(p, 1, 0);
    CHECK(isfinite(odim_model_threshold(m)));
    odim_model_free(m);
    odim_params *params = odim_params_new();
    odim_params_set(params, "members", "1", NULL);
    odim_params_set(params, "max-updates", "2", NULL);
    REQUIRE(!odim_fit(t, params, NULL, &m, &err));
    CHECK(!odim_model_privacy(m));
    odim_model_free(m);
    odim_params_free(params);
    odim_table_free(t);
}

/* Randomness of the operating system: no two models are alike. With the insecure seed they are, for any
 * threads; and odim_detect gives the same as odim_fit. */
TEST(repeating)
{
    odim_table *t = READ(make_rows(false), .bounds = bounds);
    char name[4][17];
    double scores[ROWS];
    REQUIRE(t);
    for (int k = 0; k < 4; k++) {
        odim_model *m = fit(t, "8", k < 2 ? "dp-insecure-seed" : "threads",
                            k < 2    ? "off"
                            : k == 2 ? "1"
                                     : "3");
        REQUIRE(m);
        odim_model_fingerprint(m, name[k]);
        odim_model_free(m);
    }
    CHECK(strcmp(name[0], name[1]) != 0);
    CHECK_STR(name[2], name[3]);
    odim_params *p = make_params("8");
    odim_model *m;
    REQUIRE(!odim_detect(t, p, NULL, &m, scores, &err));
    odim_model_fingerprint(m, name[0]);
    CHECK_STR(name[0], name[2]);
    odim_model_free(m);
    odim_params_free(p);
    odim_table_free(t);
}

/* ---- what is refused ------------------------------------------------------------------------------ */

static void refuse(odim_table *t, const char *name, const char *value, const char *why)
{
    odim_model *m = fit(t, "8", name, value);
    if (m) TEST_SAY("fitted, should be: %s", why);
    CHECK_STR(err.msg, why);
    odim_model_free(m);
}

TEST(what_is_refused)
{
    odim_table *t = READ(make_rows(false), .bounds = bounds);
    REQUIRE(t);
    refuse(t, "batch-norm", "on",
           "batch-norm on makes the rows of a batch depend on each other, which a private fit (dp-epsilon) "
           "cannot "
           "have");
    refuse(t, "scale", "standard", "a private fit (dp-epsilon) scales by bounds: it needs scale minmax");
    refuse(t, "model", "flow", "model flow cannot be trained with privacy: leave out dp-epsilon");
    int8_t known[ROWS] = {0}; /* also when none is an outlier: that would tell */
    REQUIRE(!odim_table_set_known(t, known, &err));
    refuse(t, NULL, NULL,
           "a private fit (dp-epsilon) cannot learn from known outliers: they would not be protected");
    odim_table_free(t);
    REQUIRE((t = READ_PLAIN(make_rows(false))));
    refuse(t, NULL, NULL,
           "column 'colour' is a category, whose levels must be public for a private fit: give them in a "
           "file of "
           "bounds, a CSV with the head column,low,high,levels and a line such as "
           "color,,,red|green|blue");
    odim_table_free(t);
    odim_params *p = make_params("8");
    odim_model *m;
    write_text(in_scratch("t.csv"), make_rows(false));
    CHECK_INT(odim_fit_file(in_scratch("t.csv"), NULL, p, NULL, &m, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "a private fit (dp-epsilon) needs all rows in memory: it cannot be streamed");
    odim_params_free(p);
}

/* Values that no scaling bears are no reason to refuse a row: whether there is a model would tell of it. */
TEST(extreme_rows_are_scored)
{
    odim_table *t = READ(make_rows(true), .bounds = bounds);
    REQUIRE(t);
    odim_model *m = fit(t, "8", NULL, NULL), *again;
    double scores[2][ROWS];
    void *saved;
    size_t size;
    REQUIRE(m);
    CHECK_INT(odim_score(m, t, NULL, NULL, scores[0], &err), ODIM_OK);
    for (int i = 0; i < ROWS; i++) CHECK(i == ROWS / 2 || scores[0][i] < scores[0][ROWS / 2]);
    REQUIRE(!odim_model_save_memory(m, &saved, &size, &err));
    REQUIRE(!odim_model_load_memory(&again, saved, size, &err));
    CHECK_INT(odim_score(again, t, NULL, NULL, scores[1], &err), ODIM_OK);
    CHECK(memcmp(scores[0], scores[1], sizeof scores[0]) == 0);
    odim_free(saved);
    odim_model_free(again);
    odim_model_free(m);
    odim_table_free(t);
}

/* A gap has the value in the middle of the bounds, also in a table of numbers only. */
TEST(gaps_are_in_the_middle)
{
    double x[ROWS * 2], low[2] = {0, 0}, high[2] = {100, 10}, scores[ROWS];
    for (int i = 0; i < ROWS; i++) x[2 * i] = i * 37 % 100, x[2 * i + 1] = i * 7 % 10;
    x[2] = 50, x[3] = 3, x[4] = NAN, x[5] = 3;
    odim_table *t;
    REQUIRE(!odim_table_wrap_f64(&t, x, ROWS, 2, 0, NULL, &err));
    REQUIRE(!odim_table_set_bounds(t, low, high, &err));
    odim_model *m = fit(t, "8", NULL, NULL);
    REQUIRE(m);
    CHECK_INT(odim_score(m, t, NULL, NULL, scores, &err), ODIM_OK);
    CHECK(scores[1] == scores[2]);
    odim_model_free(m);
    odim_table_free(t);
}

/* Whether a private fit succeeds must not depend on a row. */
TEST(a_row_without_a_score_is_the_last)
{
    odim_table *t = READ(make_rows(false), .bounds = bounds);
    odim_model *m = fit(t, "8", NULL, NULL);
    double scores[ROWS];
    REQUIRE(t && m);
    m->member[0].params[0] = NAN;
    CHECK_INT(odim_score_raw(m, t, NULL, NULL, scores, &err), ODIM_OK);
    for (int i = 0; i < ROWS; i++) CHECK(scores[i] == OD_SCORE_BEYOND);
    CHECK_INT(odim_score(m, t, NULL, NULL, scores, &err), ODIM_OK);
    for (int i = 0; i < ROWS; i++) CHECK(scores[i] > OD_SCORE_OUTLIER && scores[i] < 100);
    odim_model_free(m);
    odim_table_free(t);
}

static void keep_note(const char *text, void *user)
{
    char *notes = user;
    snprintf(notes + strlen(notes), 1000 - strlen(notes), "%s;", text);
}

TEST(a_delta_that_is_too_large)
{
    odim_table *t = READ(make_rows(false), .bounds = bounds);
    odim_params *p = make_params("8");
    char notes[1000] = "";
    odim_model *m;
    REQUIRE(t && p);
    REQUIRE(!odim_fit(t, p, &(odim_hooks){.size = sizeof(odim_hooks), .note = keep_note, .user = notes}, &m,
                      &err));
    CHECK(!strstr(notes, "dp-delta"));
    odim_model_free(m);
    REQUIRE(!odim_params_set(p, "dp-delta", "0.01", &err));
    REQUIRE(!odim_fit(t, p, &(odim_hooks){.size = sizeof(odim_hooks), .note = keep_note, .user = notes}, &m,
                      &err));
    CHECK(strstr(notes, "dp-delta 0.01 is not well below one over the number of rows (0.0033)"));
    odim_model_free(m);
    odim_params_free(p);
    odim_table_free(t);
}

int main(void)
{
    scratch_make();
    char path[256]; /* in_scratch has room for four */
    snprintf(path, sizeof path, "%s", in_scratch("bounds.csv"));
    bounds = path;
    write_text(bounds,
               "column,low,high,levels\nload,0,100,\ncolour,,,red|green|blue\nday,2024-01-01,2024-12-31,\n"
               "open,,,\n");
    RUN(one_row_of_many);
    RUN(one_row_of_many_numbers);
    RUN(columns_are_public);
    RUN(budget);
    RUN(repeating);
    RUN(what_is_refused);
    RUN(extreme_rows_are_scored);
    RUN(gaps_are_in_the_middle);
    RUN(a_row_without_a_score_is_the_last);
    RUN(a_delta_that_is_too_large);
    return test_end();
}
