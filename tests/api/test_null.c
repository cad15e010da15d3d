/*
 * Every function of odim.h with NULL for each of its pointers, and structs of wrong size: a stated result or
 * an error that names the argument. tests/checks/symbols.sh sees to it that every function is here.
 */
#include "test.h"

#include "odim.h"

enum { ROWS = 40, COLS = 2 };

static odim_error err;
static odim_table *table;
static odim_model *model;
static odim_params *params;
static odim_trace *trace;
static odim_reasons *reasons;
static double x[ROWS * COLS], scores[ROWS];

static void expect_need(odim_status status, const char *argument)
{
    char want[80];
    snprintf(want, sizeof want, "%s must not be NULL", argument);
    CHECK_INT(status, ODIM_ERR_PARAM);
    CHECK_STR(err.msg, want);
    CHECK(err.status == ODIM_ERR_PARAM && err.row == -1 && err.col == -1);
    memset(&err, 0, sizeof err);
}

/* The call fails because of that argument, and also if nobody wants to know why. */
#define NEEDS(argument, function, ...)                                                                       \
    do {                                                                                                     \
        expect_need(function(__VA_ARGS__, &err), argument);                                                  \
        CHECK_INT(function(__VA_ARGS__, NULL), ODIM_ERR_PARAM);                                              \
    } while (0)

/* The same for a call that gives a handle. */
#define NEEDS_NONE(out, argument, function, ...)                                                             \
    do {                                                                                                     \
        (out) = (void *)&err;                                                                                \
        NEEDS(argument, function, __VA_ARGS__);                                                              \
        CHECK(!(out));                                                                                       \
    } while (0)

static void make(void)
{
    for (int i = 0; i < ROWS * COLS; i++) x[i] = i * 7 % 11 + (i == 12 ? 90 : 0);
    odim_trace_options look = ODIM_TRACE_OPTIONS_INIT;
    look.length = 10;
    params = odim_params_new();
    if (!params || odim_params_set(params, "members", "2", &err) ||
        odim_params_set(params, "max-updates", "20", &err) ||
        odim_table_wrap_f64(&table, x, ROWS, COLS, 0, NULL, &err) ||
        odim_fit(table, params, NULL, &model, &err) ||
        odim_explain(model, table, NULL, NULL, NULL, &reasons, &err) ||
        odim_trace_fit(table, params, &look, NULL, &trace, &err)) {
        puts(err.msg);
        exit(1);
    }
}

static void drop(void)
{
    odim_trace_free(trace);
    odim_reasons_free(reasons);
    odim_model_free(model);
    odim_table_free(table);
    odim_params_free(params);
}

TEST(nothing_to_free)
{
    odim_table_free(NULL);
    odim_reader_free(NULL);
    odim_params_free(NULL);
    odim_model_free(NULL);
    odim_reasons_free(NULL);
    odim_trace_free(NULL);
    odim_free(NULL);
}

TEST(constants)
{
    CHECK(*odim_version() && *odim_kernels());
    CHECK_INT(odim_version_number(), ODIM_VERSION_NUMBER);
    CHECK_STR(odim_status_text(ODIM_OK), "success");
    CHECK_STR(odim_status_text((odim_status)99), "unknown status");
    CHECK_STR(odim_type_text((odim_type)99), "unknown");
    CHECK_STR(odim_stage_text(ODIM_STAGE_EXPLAINING), "explaining");
    CHECK_STR(odim_stage_text((odim_stage)99), "unknown");
    CHECK_STR(odim_reason_kind_text((odim_reason_kind)99), "unknown");
    CHECK(odim_param_count() > 0 && odim_param_at(0) && !odim_param_at(-1) &&
          !odim_param_at(odim_param_count()));
}

TEST(reading)
{
    odim_table *t;
    odim_reader *r;
    const odim_table *block = table;
    NEEDS("out", odim_table_read, NULL, "a.csv", NULL);
    NEEDS_NONE(t, "path", odim_table_read, &t, NULL, NULL);
    NEEDS("out", odim_table_read_memory, NULL, "a\n1\n", 4, "a.csv", NULL);
    NEEDS_NONE(t, "bytes", odim_table_read_memory, &t, NULL, 4, "a.csv", NULL);
    REQUIRE(odim_table_read_memory(&t, "a\n1\n", 4, NULL, NULL, &err) == ODIM_OK);
    odim_table_free(t);
    unsigned char rgb[3];
    int width, height;
    NEEDS("path", odim_picture_read, NULL, 1, 0, rgb, &width, &height);
    NEEDS("rgb", odim_picture_read, "a.png", 1, 0, NULL, &width, &height);
    NEEDS("width", odim_picture_read, "a.png", 1, 0, rgb, NULL, &height);
    NEEDS("height", odim_picture_read, "a.png", 1, 0, rgb, &width, NULL);
    NEEDS("out", odim_reader_open, NULL, "a.csv", NULL);
    NEEDS_NONE(r, "path", odim_reader_open, &r, NULL, NULL);
    NEEDS("reader", odim_reader_next, NULL, 1, &block);
    CHECK(!block);
    NEEDS("block", odim_reader_next, NULL, 1, NULL);
}

TEST(making_tables)
{
    odim_table *t;
    const float f[] = {1, 2};
    const char *const names[] = {"a", NULL};
    odim_column one = ODIM_COLUMN_INIT;
    const odim_column *columns[] = {&one, NULL};
    one.numbers = x;
    NEEDS("out", odim_table_wrap_f32, NULL, f, 1, 2, 0, NULL);
    NEEDS_NONE(t, "x", odim_table_wrap_f32, &t, NULL, 1, 2, 0, NULL);
    NEEDS_NONE(t, "a name in names", odim_table_wrap_f32, &t, f, 1, 2, 0, names);
    NEEDS("out", odim_table_wrap_f64, NULL, x, 1, 2, 0, NULL);
    NEEDS_NONE(t, "x", odim_table_wrap_f64, &t, NULL, 1, 2, 0, NULL);
    NEEDS("out", odim_table_build, NULL, columns, 1, ROWS, NULL);
    NEEDS_NONE(t, "columns", odim_table_build, &t, NULL, 1, ROWS, NULL);
    NEEDS_NONE(t, "a column in columns", odim_table_build, &t, columns, 2, ROWS, NULL);
    struct ArrowArrayStream stream = {.release = NULL};
    NEEDS("out", odim_table_arrow, NULL, &stream, NULL);
    NEEDS_NONE(t, "stream", odim_table_arrow, &t, NULL, NULL);
    NEEDS("table", odim_table_set_known, NULL, NULL);
    NEEDS("table", odim_table_set_bounds, NULL, x, x);
    NEEDS("low", odim_table_set_bounds, table, NULL, x);
    NEEDS("high", odim_table_set_bounds, table, x, NULL);
}

TEST(no_table)
{
    int64_t count;
    char buf[8] = "text";
    CHECK(odim_table_rows(NULL) == 0 && odim_table_cols(NULL) == 0 && odim_table_kept_cols(NULL) == 0);
    CHECK(!odim_table_name(NULL, 0) && odim_table_type(NULL, 0) == ODIM_NUMERIC);
    CHECK(isnan(odim_table_value(NULL, 0, 0)));
    CHECK_STR(odim_table_text(NULL, 0, 0, buf, sizeof buf), "");
    CHECK(!odim_table_text(table, 0, 0, NULL, 0));
    CHECK(!odim_table_labels(NULL) && !odim_table_label_name(NULL) && !odim_table_known(NULL));
    CHECK(!odim_table_id(NULL, 0) && !odim_table_id_name(NULL));
    CHECK(!odim_table_kept_name(NULL, 0) && !odim_table_kept(NULL, 0, 0) && !odim_table_note(NULL, 0));
    CHECK(odim_table_row_number(NULL, 0) == 0 && odim_table_skipped(NULL) == 0 &&
          !odim_table_bad_row(NULL, 0) && !odim_table_file(NULL, 0));
    NEEDS("table", odim_table_duplicates, NULL, &count);
    NEEDS("out", odim_table_duplicates, table, NULL);
}

/* Beyond the last row and column there is as little as in no table. */
TEST(out_of_range)
{
    char buf[8] = "text";
    CHECK(!odim_table_name(table, COLS) && !odim_table_name(table, -1));
    CHECK(odim_table_type(table, COLS) == ODIM_NUMERIC && isnan(odim_table_value(table, ROWS, 0)));
    CHECK_STR(odim_table_text(table, -1, 0, buf, sizeof buf), "");
    CHECK(!odim_table_id(table, ROWS) && !odim_table_kept(table, 0, 0) && !odim_table_note(table, -1));
    CHECK(!odim_model_level(model, COLS, 0, NULL) && !odim_model_level(model, 0, 0, NULL));
    strcpy(buf, "text");
    CHECK_STR(odim_model_text(model, COLS, 1, buf, sizeof buf), "");
    strcpy(buf, "text");
    CHECK_STR(odim_model_format(model, COLS, buf, sizeof buf), "");
    CHECK(odim_table_row_number(table, ROWS) == 0 && !odim_table_bad_row(table, 0) &&
          !odim_table_bad_row(table, -1) && !odim_table_file(table, 0));
    CHECK(!odim_model_member(model, 2) && !odim_model_member(model, -1));
    CHECK(odim_model_checks(model, 2) == 0 && !odim_model_check(model, 0, -1));
    CHECK(!odim_reasons_at(reasons, ROWS, 0) && !odim_reasons_at(reasons, -1, 0) &&
          !odim_reasons_at(reasons, 0, -1) && !odim_reasons_at(reasons, 0, COLS));
    CHECK(odim_reasons_count(reasons, ROWS) == 0);
    CHECK(!odim_trace_member(trace, 2) && !odim_trace_check(trace, 0, -1));
    CHECK(odim_trace_update(trace, -1) == 0 && !odim_trace_losses(trace, -1) &&
          isnan(odim_trace_auc(trace, -1)));
}

TEST(no_text)
{
    char buf[8] = "text";
    CHECK_STR(odim_printable(NULL, buf, sizeof buf), "");
    CHECK(!odim_printable("a", NULL, 0));
    odim_hints_set((odim_hints)99);
    odim_hints_set(ODIM_HINTS_FIELDS);
    CHECK(!odim_model_text(model, 0, 1, NULL, 0));
    CHECK(!odim_model_format(model, 0, NULL, 0));
    const odim_reason *first = NULL;
    for (int64_t i = 0; !first && i < ROWS; i++) first = odim_reasons_at(reasons, i, 0);
    REQUIRE(first);
    CHECK(!odim_reason_text(model, table, 0, first, NULL, 0));
    CHECK_STR(odim_reason_text(NULL, table, 0, first, buf, sizeof buf), "");
    CHECK_STR(odim_reason_text(model, NULL, 0, first, buf, sizeof buf), "");
    CHECK_STR(odim_reason_text(model, table, 0, NULL, buf, sizeof buf), "");
    CHECK_STR(odim_reason_text(model, table, ROWS, first, buf, sizeof buf), "");
    CHECK_STR(odim_reason_usual(NULL, table, 0, first, buf, sizeof buf), "");
    CHECK_STR(odim_reason_usual(model, NULL, 0, first, buf, sizeof buf), "");
    CHECK_STR(odim_reason_usual(model, table, 0, NULL, buf, sizeof buf), "");
}

TEST(parameters)
{
    NEEDS("params", odim_params_set, NULL, "members", "3");
    NEEDS("name", odim_params_set, params, NULL, "3");
    NEEDS("value", odim_params_set, params, "members", NULL);
    CHECK(!odim_params_get(NULL, "members") && !odim_params_get(params, NULL));
    CHECK_STR(odim_params_get(params, "members"), "2");
}

TEST(fitting)
{
    odim_model *m;
    NEEDS_NONE(m, "table", odim_fit, NULL, params, NULL, &m);
    NEEDS("out", odim_fit, table, params, NULL, NULL);
    NEEDS_NONE(m, "table", odim_detect, NULL, params, NULL, &m, scores);
    NEEDS("out", odim_detect, table, params, NULL, NULL, scores);
    NEEDS_NONE(m, "scores", odim_detect, table, params, NULL, &m, NULL);
    NEEDS_NONE(m, "path", odim_fit_file, NULL, NULL, params, NULL, &m);
    NEEDS("out", odim_fit_file, "a.csv", NULL, params, NULL, NULL);
}

TEST(scoring)
{
    double each[2 * ROWS];
    NEEDS("model", odim_score, NULL, table, params, NULL, scores);
    NEEDS("table", odim_score, model, NULL, params, NULL, scores);
    NEEDS("scores", odim_score, model, table, params, NULL, NULL);
    NEEDS("model", odim_score_raw, NULL, table, params, NULL, scores);
    NEEDS("table", odim_score_raw, model, NULL, params, NULL, scores);
    NEEDS("scores", odim_score_raw, model, table, params, NULL, NULL);
    NEEDS("model", odim_score_members, NULL, table, NULL, params, NULL, each);
    NEEDS("table", odim_score_members, model, NULL, NULL, params, NULL, each);
    NEEDS("scores", odim_score_members, model, table, NULL, params, NULL, NULL);
    CHECK(isnan(odim_model_threshold(NULL)) && isnan(odim_model_unusual(NULL)));
    CHECK(isnan(odim_model_probability(NULL, 1)));
    NEEDS("model", odim_model_probabilities, NULL, scores, ROWS, each);
    NEEDS("scores", odim_model_probabilities, model, NULL, ROWS, each);
    NEEDS("probabilities", odim_model_probabilities, model, scores, ROWS, NULL);
    CHECK_INT(odim_model_probabilities(model, NULL, 0, NULL, &err), ODIM_OK);
}

TEST(partial_fits)
{
    odim_partial *p, *q;
    odim_model *m;
    void *bytes;
    size_t size;
    NEEDS("out", odim_partial_new, NULL, params);
    CHECK_INT(odim_partial_new(&p, NULL, &err), ODIM_OK);
    NEEDS("partial", odim_partial_add, NULL, table, 0);
    NEEDS("rows", odim_partial_add, p, NULL, 0);
    NEEDS("partial", odim_partial_merge, NULL, p);
    NEEDS("other", odim_partial_merge, p, NULL);
    NEEDS("partial", odim_partial_save_memory, NULL, &bytes, &size);
    NEEDS("bytes", odim_partial_save_memory, p, NULL, &size);
    NEEDS("size", odim_partial_save_memory, p, &bytes, NULL);
    NEEDS("out", odim_partial_load_memory, NULL, "", 0);
    NEEDS_NONE(q, "bytes", odim_partial_load_memory, &q, NULL, 3);
    NEEDS_NONE(m, "partial", odim_partial_fit, NULL, params, NULL, &m);
    NEEDS("out", odim_partial_fit, p, params, NULL, NULL);
    CHECK(odim_partial_rows(NULL) == 0);
    odim_partial_free(p);
    odim_partial_free(NULL);
}

TEST(scans)
{
    odim_scan *s, *q;
    odim_reader *r;
    odim_table *t;
    void *bytes;
    size_t size;
    double numbers[] = {1, 2};
    const odim_column one = {.size = sizeof one, .numbers = numbers}, *columns[] = {&one}, *none[] = {NULL};
    NEEDS("out", odim_scan_new, NULL);
    CHECK_INT(odim_scan_new(&s, &err), ODIM_OK);
    NEEDS("scan", odim_scan_add, NULL, 0, columns, 1, 2);
    NEEDS("columns", odim_scan_add, s, 0, NULL, 1, 2);
    NEEDS("a column in columns", odim_scan_add, s, 0, none, 1, 2);
    NEEDS("scan", odim_scan_file, NULL, 0, 1, "a.csv", NULL);
    NEEDS("path", odim_scan_file, s, 0, 1, NULL, NULL);
    NEEDS("scan", odim_scan_merge, NULL, s);
    NEEDS("other", odim_scan_merge, s, NULL);
    NEEDS("scan", odim_scan_save_memory, NULL, &bytes, &size);
    NEEDS("bytes", odim_scan_save_memory, s, NULL, &size);
    NEEDS("size", odim_scan_save_memory, s, &bytes, NULL);
    NEEDS("out", odim_scan_load_memory, NULL, "", 0);
    NEEDS_NONE(q, "bytes", odim_scan_load_memory, &q, NULL, 3);
    NEEDS_NONE(t, "scan", odim_scan_table, NULL, columns, 1, 2, &t);
    NEEDS("out", odim_scan_table, s, columns, 1, 2, NULL);
    NEEDS_NONE(r, "scan", odim_scan_open, NULL, 0, "a.csv", NULL, &r);
    NEEDS_NONE(r, "path", odim_scan_open, s, 0, NULL, NULL, &r);
    NEEDS("out", odim_scan_open, s, 0, "a.csv", NULL, NULL);
    CHECK(odim_scan_parts(NULL) == 0 && odim_scan_first(NULL, 1) == -1);
    odim_scan_free(s);
    odim_scan_free(NULL);
}

TEST(scorers)
{
    odim_scorer *s;
    double value;
    NEEDS("out", odim_scorer_new, NULL, model);
    NEEDS_NONE(s, "model", odim_scorer_new, &s, NULL);
    CHECK_INT(odim_scorer_new(&s, model, &err), ODIM_OK);
    NEEDS("scorer", odim_scorer_score, NULL, scores, 1, 0, scores, NULL);
    NEEDS("values", odim_scorer_score, s, NULL, 1, 0, scores, NULL);
    NEEDS("scorer", odim_scorer_table, NULL, table, scores, NULL);
    NEEDS("table", odim_scorer_table, s, NULL, scores, NULL);
    NEEDS("model", odim_model_value, NULL, 0, "1", &value);
    NEEDS("text", odim_model_value, model, 0, NULL, &value);
    NEEDS("value", odim_model_value, model, 0, "1", NULL);
    CHECK(isnan(odim_model_bad_row_score(NULL, 1)) && !odim_scorer_model(NULL));
    odim_scorer_free(s);
    odim_scorer_free(NULL);
}

TEST(explaining)
{
    odim_reasons *r;
    NEEDS_NONE(r, "model", odim_explain, NULL, table, NULL, NULL, NULL, &r);
    NEEDS_NONE(r, "table", odim_explain, model, NULL, NULL, NULL, NULL, &r);
    NEEDS("out", odim_explain, model, table, NULL, NULL, NULL, NULL);
    NEEDS("model", odim_explain_cells, NULL, table, NULL, NULL, NULL, NULL, NULL);
    NEEDS("table", odim_explain_cells, model, NULL, NULL, NULL, NULL, NULL, NULL);
    CHECK_INT(odim_explain_cells(model, table, NULL, NULL, NULL, NULL, NULL, &err), ODIM_OK);
    CHECK(odim_reasons_rows(NULL) == 0 && odim_reasons_count(NULL, 0) == 0 && !odim_reasons_at(NULL, 0, 0));
    CHECK_INT(odim_reasons_rows(reasons), ROWS);
}

TEST(no_model)
{
    char buf[17] = "text";
    odim_column_info column = ODIM_COLUMN_INFO_INIT;
    odim_held_info held = ODIM_HELD_INFO_INIT;
    CHECK(odim_model_rows(NULL) == 0 && odim_model_cols(NULL) == 0 && odim_model_features(NULL) == 0);
    NEEDS("model", odim_model_column, NULL, 0, &column);
    NEEDS("out", odim_model_column, model, 0, NULL);
    CHECK(!odim_model_level(NULL, 0, 0, NULL));
    CHECK_STR(odim_model_text(NULL, 0, 1, buf, sizeof buf), "");
    CHECK_STR(odim_model_format(NULL, 0, buf, sizeof buf), "");
    CHECK(!odim_model_pixels(NULL, NULL, NULL, NULL) && !odim_model_pixels(model, NULL, NULL, NULL));
    CHECK(!odim_model_place(NULL, 0) && !odim_model_place(model, 0));
    CHECK(!odim_model_get(NULL, "members", buf, sizeof buf));
    CHECK(!odim_model_get(model, NULL, buf, sizeof buf));
    CHECK(!odim_model_get(model, "members", NULL, 0));
    CHECK(odim_model_members(NULL) == 0 && !odim_model_member(NULL, 0));
    CHECK(odim_model_checks(NULL, 0) == 0 && !odim_model_check(NULL, 0, 0));
    CHECK(!odim_model_privacy(NULL) && !odim_model_privacy(model));
    NEEDS("model", odim_model_held, NULL, &held);
    NEEDS("out", odim_model_held, model, NULL);
    strcpy(buf, "text");
    odim_model_fingerprint(NULL, buf);
    CHECK_STR(buf, "");
    odim_model_fingerprint(model, NULL);
}

TEST(saving)
{
    odim_model *m;
    void *bytes;
    size_t size;
    NEEDS("model", odim_model_save, NULL, "a.odim");
    NEEDS("path", odim_model_save, model, NULL);
    NEEDS("out", odim_model_load, NULL, "a.odim");
    NEEDS_NONE(m, "path", odim_model_load, &m, NULL);
    NEEDS_NONE(bytes, "model", odim_model_save_memory, NULL, &bytes, &size);
    NEEDS("bytes", odim_model_save_memory, model, NULL, &size);
    NEEDS_NONE(bytes, "size", odim_model_save_memory, model, &bytes, NULL);
    NEEDS("out", odim_model_load_memory, NULL, "a", 1);
    NEEDS_NONE(m, "bytes", odim_model_load_memory, &m, NULL, 1);
    CHECK_INT(odim_model_load_memory(&m, NULL, 0, &err), ODIM_ERR_FORMAT);
}

TEST(no_trace)
{
    odim_trace *t;
    NEEDS_NONE(t, "table", odim_trace_fit, NULL, params, NULL, NULL, &t);
    NEEDS("out", odim_trace_fit, table, params, NULL, NULL, NULL);
    CHECK(odim_trace_members(NULL) == 0 && !odim_trace_member(NULL, 0));
    CHECK(odim_trace_checks(NULL) == 0 && !odim_trace_check(NULL, 0, 0));
    CHECK(odim_trace_moments(NULL) == 0 && odim_trace_update(NULL, 0) == 0);
    CHECK(!odim_trace_losses(NULL, 0) && isnan(odim_trace_auc(NULL, 0)));
    CHECK(odim_trace_rows(NULL) == 0 && !odim_trace_row_numbers(NULL));
}

TEST(judging)
{
    const int8_t labels[] = {0, 1};
    int64_t rank[2];
    double out;
    NEEDS("scores", odim_auc, NULL, labels, 2, &out);
    NEEDS("labels", odim_auc, scores, NULL, 2, &out);
    NEEDS("out", odim_auc, scores, labels, 2, NULL);
    NEEDS("scores", odim_average_precision, NULL, labels, 2, &out);
    NEEDS("labels", odim_average_precision, scores, NULL, 2, &out);
    NEEDS("out", odim_average_precision, scores, labels, 2, NULL);
    NEEDS("scores", odim_rank, NULL, 2, rank);
    NEEDS("rank", odim_rank, scores, 2, NULL);
    CHECK_INT(odim_rank(NULL, 0, NULL, &err), ODIM_OK);
}

TEST(budget)
{
    NEEDS("epsilon", odim_dp_epsilon, 0.1, 1, 1, 1e-5, NULL, NULL);
    NEEDS("steps", odim_dp_steps, 0.1, 1, 1, 1e-5, NULL);
    NEEDS("noise", odim_dp_noise, 0.1, 1, 1, 1e-5, NULL);
}

/* ---- structs of other sizes ----------------------------------------------------------------------- */

#define EXPECT_REFUSAL(name, call)                                                                           \
    do {                                                                                                     \
        CHECK_INT(call, ODIM_ERR_PARAM);                                                                     \
        CHECK(strncmp(err.msg, name ": ", strlen(name ": ")) == 0);                                          \
    } while (0)

TEST(forgotten_sizes)
{
    odim_table *t;
    odim_reader *r;
    odim_model *m;
    odim_trace *tr;
    odim_reasons *re;
    const odim_read_options reading = {.header = 1};
    const odim_hooks hooks = {.user = x};
    const odim_column column = {.numbers = x}, *columns[] = {&column};
    const odim_explain_options explain = {.top = 1};
    const odim_score_options some = {.count = 1};
    const odim_trace_options look = {.length = 10};
    odim_column_info info = {.missing = 1};
    odim_held_info held = {.rows = 1};
    EXPECT_REFUSAL("options", odim_table_read(&t, "a.csv", &reading, &err));
    EXPECT_REFUSAL("options", odim_table_read_memory(&t, "a\n1\n", 4, NULL, &reading, &err));
    EXPECT_REFUSAL("options", odim_reader_open(&r, "a.csv", &reading, &err));
    EXPECT_REFUSAL("options", odim_fit_file("a.csv", &reading, params, NULL, &m, &err));
    EXPECT_REFUSAL("hooks", odim_fit_file("a.csv", NULL, params, &hooks, &m, &err));
    EXPECT_REFUSAL("options",
                   odim_table_arrow(&t, &(struct ArrowArrayStream){.release = NULL}, &reading, &err));
    EXPECT_REFUSAL("a column in columns", odim_table_build(&t, columns, 1, ROWS, NULL, &err));
    EXPECT_REFUSAL("hooks", odim_fit(table, params, &hooks, &m, &err));
    EXPECT_REFUSAL("hooks", odim_detect(table, params, &hooks, &m, scores, &err));
    EXPECT_REFUSAL("hooks", odim_score(model, table, params, &hooks, scores, &err));
    EXPECT_REFUSAL("hooks", odim_score_raw(model, table, params, &hooks, scores, &err));
    EXPECT_REFUSAL("options", odim_score_members(model, table, &some, params, NULL, scores, &err));
    EXPECT_REFUSAL("options", odim_explain(model, table, &explain, params, NULL, &re, &err));
    EXPECT_REFUSAL("hooks", odim_explain(model, table, NULL, params, &hooks, &re, &err));
    EXPECT_REFUSAL("options", odim_trace_fit(table, params, &look, NULL, &tr, &err));
    EXPECT_REFUSAL("hooks", odim_trace_fit(table, params, NULL, &hooks, &tr, &err));
    EXPECT_REFUSAL("out", odim_model_column(model, 0, &info, &err));
    EXPECT_REFUSAL("out", odim_model_held(model, &held, &err));
    CHECK(info.missing == 1 && held.rows == 1);
}

/* A program with a shorter struct gets what it knows; one with a longer struct gets zeros, and may ask for
 * nothing that is new. */
TEST(other_sizes)
{
    odim_table *t;
    struct {
        odim_read_options known;
        int news;
    } later = {ODIM_READ_OPTIONS_INIT, 0};
    later.known.size = sizeof later;
    REQUIRE(odim_table_read_memory(&t, "a\n1\n", 4, NULL, &later.known, &err) == ODIM_OK);
    odim_table_free(t);
    later.news = 1;
    EXPECT_REFUSAL("options", odim_table_read_memory(&t, "a\n1\n", 4, NULL, &later.known, &err));
    odim_read_options shorter = ODIM_READ_OPTIONS_INIT;
    shorter.bounds = "/no/such/file"; /* beyond its size */
    shorter.size = offsetof(odim_read_options, bounds);
    REQUIRE(odim_table_read_memory(&t, "a\n1\n", 4, NULL, &shorter, &err) == ODIM_OK);
    odim_table_free(t);
    odim_column_info info = ODIM_COLUMN_INFO_INIT;
    info.dropped = -7;
    info.size = offsetof(odim_column_info, dropped);
    REQUIRE(odim_model_column(model, 1, &info, &err) == ODIM_OK);
    CHECK_STR(info.name, "x2");
    CHECK(info.dropped == -7 && info.size == offsetof(odim_column_info, dropped));
}

int main(void)
{
    make();
    RUN(nothing_to_free);
    RUN(constants);
    RUN(reading);
    RUN(making_tables);
    RUN(no_table);
    RUN(out_of_range);
    RUN(no_text);
    RUN(parameters);
    RUN(fitting);
    RUN(scoring);
    RUN(partial_fits);
    RUN(scans);
    RUN(scorers);
    RUN(explaining);
    RUN(no_model);
    RUN(saving);
    RUN(no_trace);
    RUN(judging);
    RUN(budget);
    RUN(forgotten_sizes);
    RUN(other_sizes);
    drop();
    return test_end();
}
