/* Memory runs out at the n-th allocation, for every n: each call must say so, and leak nothing (the sanitizer
 * build looks for that). */
#include "starve.h"
#include "test.h"

#include "common/mem.h"
#include "odim.h"
#include "packed.h"
#include "scratch.h"

enum { ROWS = 20 };

static char csv[1024];

static void make_csv(void)
{
    int len = sprintf(csv, "id,a,b,c,y,k\n");
    for (int i = 0; i < ROWS; i++)
        len += sprintf(csv + len, "\"r,%d\",%d,%d,3,%d,%s\n", i, i == 7 ? 90 : i, i * i % 13, i == 7,
                       i == 7 ? "1" : "");
}

/* The model goes to a file and comes back. */
static odim_status save_and_load(odim_model **m, odim_error *err)
{
    const char *path = in_scratch("model.odim");
    odim_status status = odim_model_save(*m, path, err);
    odim_model_free(*m);
    *m = NULL;
    return status ? status : odim_model_load(m, path, err);
}

/* More threads than members, and more rows than a chunk has: so there are teams, and they can fail. */
static odim_status whole_run(double *scores, const char *batch_norm)
{
    odim_error err = {0};
    odim_read_options o = {
        .size = sizeof(odim_read_options), .label = "y", .id = "id", .ignore = NAMES("c"), .known = "k"};
    odim_table *t = NULL;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    int64_t rank[ROWS];
    double auc;
    if (!status) status = odim_params_set(p, "members", "2", &err);
    if (!status) status = odim_params_set(p, "samples", "60", &err);
    if (!status) status = odim_params_set(p, "score-pool", "24", &err);
    if (!status) status = odim_params_set(p, "batch-norm", batch_norm, &err);
    if (!status) status = odim_params_set(p, "max-updates", "2", &err);
    if (!status) status = odim_params_set(p, "threads", "5", &err);
    if (!status) status = odim_table_read_memory(&t, csv, strlen(csv), "t.csv", &o, &err);
    if (!status) status = odim_table_set_known(t, odim_table_known(t), &err);
    if (!status) status = odim_fit(t, p, NULL, &m, &err);
    if (!status) status = save_and_load(&m, &err);
    if (!status) status = odim_score(m, t, p, NULL, scores, &err);
    if (!status) status = odim_rank(scores, ROWS, rank, &err);
    if (!status) status = odim_auc(scores, odim_table_labels(t), ROWS, &auc, &err);
    if (status && p && !strstr(err.msg, "out of memory")) TEST_SAY("%s", err.msg);
    if (status && p) CHECK(err.status == status);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
    return status;
}

/* ---- a table of all types, block by block ---------------------------------------------------------- */

static const char *typed; /* the file */

static void make_typed(void)
{
    typed = strdup(in_scratch("typed.csv"));
    FILE *f = typed ? fopen(typed, "w") : NULL;
    if (!f) abort();
    fputs("id,n,c,t,b,more\n", f);
    for (int i = 0; i < ROWS; i++)
        fprintf(f, "r%d,%s,%s,2024-05-%02dT%02d:00,%s,x\n", i,
                i % 2    ? ""
                : i == 4 ? "90"
                         : "1.5",
                i == 7  ? "\"ra,re\""
                : i % 3 ? "red"
                        : "",
                i + 1, i, i % 5 ? "yes" : "no");
    if (fclose(f)) abort();
}

/* Scores of the rows in blocks of 7. */
static odim_status score_blocks(const odim_model *m, const odim_params *p, double *scores, odim_error *err)
{
    odim_read_options o = {.size = sizeof(odim_read_options), .id = "id", .keep = 1, .like = m};
    odim_reader *r;
    const odim_table *block;
    int64_t done = 0;
    odim_status status = odim_reader_open(&r, typed, &o, err);
    if (status) return status;
    while (!(status = odim_reader_next(r, 7, &block, err)) && odim_table_rows(block) > 0) {
        if ((status = odim_score(m, block, p, NULL, scores + done, err))) break;
        done += odim_table_rows(block);
    }
    odim_reader_free(r);
    return status;
}

static odim_status typed_run(double *scores, const char *batch_norm)
{
    odim_error err = {0};
    odim_read_options o = {.size = sizeof(odim_read_options),
                           .id = "id",
                           .ignore = NAMES("more"),
                           .na = NAMES("90", "-"),
                           .categorical = NAMES("c")};
    odim_model *m = NULL, *loaded = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    void *saved = NULL;
    size_t size;
    if (!status) status = odim_params_set(p, "members", "1", &err);
    if (!status) status = odim_params_set(p, "batch-norm", batch_norm, &err);
    if (!status) status = odim_params_set(p, "max-updates", "1", &err);
    if (!status) status = odim_params_set(p, "threads", "1", &err);
    if (!status) status = odim_fit_file(typed, &o, p, NULL, &m, &err);
    if (!status) status = odim_model_save_memory(m, &saved, &size, &err);
    if (!status) status = odim_model_load_memory(&loaded, saved, size, &err);
    if (!status) status = score_blocks(loaded, p, scores, &err);
    if (status && p && !strstr(err.msg, "out of memory")) TEST_SAY("%s", err.msg);
    if (status && p) CHECK(err.status == status);
    odim_free(saved);
    odim_model_free(m);
    odim_model_free(loaded);
    odim_params_free(p);
    return status;
}

/* ---- columns that are in memory -------------------------------------------------------------------- */

static odim_status explain_two(const odim_model *m, const odim_table *t, const int64_t *rows,
                               const odim_params *p, odim_error *err)
{
    odim_reasons *reasons;
    const odim_explain_options o = {.size = sizeof o, .rows = rows, .count = 2, .top = 1};
    odim_status status = odim_explain(m, t, &o, p, NULL, &reasons, err);
    odim_reasons_free(reasons);
    return status;
}

static odim_status columns_run(double *scores, const char *batch_norm)
{
    static const char *const words[] = {"red", "blue", "yes", "no"};
    double numbers[ROWS];
    int32_t colours[ROWS], truths[ROWS];
    for (int i = 0; i < ROWS; i++) {
        numbers[i] = i == 7 ? 90 : i;
        colours[i] = i % 3 - 1;
        truths[i] = 2 + i % 2;
    }
    const odim_column n = {.size = sizeof n, .name = "n", .numbers = numbers},
                      x = {.size = sizeof x, .codes = colours, .texts = words, .text_count = 2},
                      b = {.size = sizeof b, .name = "b", .codes = truths, .texts = words, .text_count = 4},
                      c = {.size = sizeof c,
                           .name = "c",
                           .numbers = numbers,
                           .typed = 1,
                           .type = ODIM_CATEGORICAL};
    const odim_column *columns[] = {&n, &x, &b, &c};
    odim_error err = {0};
    odim_table *t = NULL;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    if (!status) status = odim_params_set(p, "members", "1", &err);
    if (!status) status = odim_params_set(p, "batch-norm", batch_norm, &err);
    if (!status) status = odim_params_set(p, "max-updates", "1", &err);
    if (!status) status = odim_params_set(p, "threads", "1", &err);
    if (!status) status = odim_table_build(&t, columns, 4, ROWS, NULL, &err);
    if (!status) status = odim_fit(t, p, NULL, &m, &err);
    odim_table_free(t);
    t = NULL;
    if (!status) status = odim_table_build(&t, columns, 4, ROWS, m, &err);
    if (!status) status = odim_score(m, t, p, NULL, scores, &err);
    if (status && p && !strstr(err.msg, "out of memory")) TEST_SAY("%s", err.msg);
    if (status && p) CHECK(err.status == status);
    odim_table_free(t);
    odim_model_free(m);
    odim_params_free(p);
    return status;
}

/* ---- a private fit ---------------------------------------------------------------------------------- */

static const char *bounds; /* of two of the columns; the file */

static void make_bounds(void)
{
    bounds = strdup(in_scratch("bounds.csv"));
    if (!bounds) abort();
    write_text(bounds, "column,low,high,levels\nn,0,10,\nc,,,red|blue\nt,2024-05-01,2024-06-01,\n");
}

/* With bounds that are given, or ("no") found; scores are counted, which rows are too few for otherwise. */
static odim_status private_run(double *scores, const char *given)
{
    odim_error err = {0};
    odim_read_options o = {.size = sizeof(odim_read_options), .id = "id"};
    odim_table *t = NULL;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    bool found = strcmp(given, "no") == 0;
    const char *const only[] = {"n", "t", NULL};
    if (found)
        o.only = only;
    else
        o.bounds = bounds;
    if (!status) status = odim_params_set(p, "dp-epsilon", "1000", &err);
    if (!status) status = odim_params_set(p, "dp-insecure-seed", "on", &err);
    if (!status) status = odim_params_set(p, "dp-updates", "2", &err);
    if (!status) status = odim_params_set(p, "threads", "1", &err);
    if (!status) status = odim_table_read(&t, typed, &o, &err);
    if (!status) status = odim_fit(t, p, NULL, &m, &err);
    if (!status) status = save_and_load(&m, &err);
    if (!status) status = odim_score(m, t, p, NULL, scores, &err);
    if (status && p && !strstr(err.msg, "out of memory")) TEST_SAY("%s", err.msg);
    if (status && p) CHECK(err.status == status);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
    return status;
}

/* ---- training that is looked at --------------------------------------------------------------------- */

static odim_status traced_run(double *scores, const char *batch_norm)
{
    odim_error err = {0};
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "y", .id = "id", .ignore = NAMES("c")};
    odim_trace_options look = {
        .size = sizeof(odim_trace_options), .length = 4, .updates = (int64_t[]){3}, .count = 1};
    odim_table *t = NULL;
    odim_trace *trace = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    if (!status) status = odim_params_set(p, "members", "2", &err);
    if (!status) status = odim_params_set(p, "batch-norm", batch_norm, &err);
    if (!status) status = odim_params_set(p, "threads", "2", &err);
    if (!status) status = odim_table_read_memory(&t, csv, strlen(csv), "t.csv", &o, &err);
    if (!status) status = odim_trace_fit(t, p, &look, NULL, &trace, &err);
    if (status && p && !strstr(err.msg, "out of memory")) TEST_SAY("%s", err.msg);
    if (status && p) CHECK(err.status == status);
    if (!status) memcpy(scores, odim_trace_losses(trace, 0), ROWS * sizeof *scores);
    odim_trace_free(trace);
    odim_table_free(t);
    odim_params_free(p);
    return status;
}

/* ---- the n-th allocation -------------------------------------------------------------------------- */

static void fail_everywhere(odim_status (*run)(double *, const char *), const char *batch_norm)
{
    double want[ROWS], got[ROWS];
    odim_status status;
    REQUIRE(run(want, batch_norm) == ODIM_OK);
    EACH_ALLOCATION_FAILS(status, 101)
    {
        status = run(got, batch_norm);
    }
    CHECK(memcmp(want, got, sizeof want) == 0);
}

TEST(every_allocation_may_fail)
{
    fail_everywhere(whole_run, "on");
}

TEST(every_allocation_may_fail_without_batch_norm)
{
    fail_everywhere(whole_run, "off");
}

/* A flow, which is also explained: of the rows as they are scaled, or in the view and with the companion of
 * auto. */
static odim_status flow_run(double *scores, const char *preset)
{
    static const int64_t rows[2] = {7, 0};
    odim_error err = {0};
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "y", .id = "id", .known = "k"};
    odim_table *t = NULL;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    if (!status) status = odim_params_set(p, "preset", preset, &err);
    if (!status) status = odim_params_set(p, "model", "flow", &err);
    if (!status) status = odim_params_set(p, "members", "1", &err);
    if (!status) status = odim_params_set(p, "flow-steps", "2", &err);
    if (!status) status = odim_params_set(p, "max-updates", "2", &err);
    if (!status) status = odim_params_set(p, "threads", "1", &err);
    if (!status) status = odim_table_read_memory(&t, csv, strlen(csv), "t.csv", &o, &err);
    if (!status) status = odim_fit(t, p, NULL, &m, &err);
    if (!status) status = save_and_load(&m, &err);
    if (!status) status = odim_score(m, t, p, NULL, scores, &err);
    if (!status) status = explain_two(m, t, rows, p, &err);
    if (status && p && !strstr(err.msg, "out of memory")) TEST_SAY("%s", err.msg);
    if (status && p) CHECK(err.status == status);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
    return status;
}

TEST(every_allocation_may_fail_with_a_flow)
{
    fail_everywhere(flow_run, "paper");
    fail_everywhere(flow_run, "auto");
}

/* A classical detector in the place of networks, or some beside them ("subsample-knn,iforest"), or the rows
 * that one trusts
 * ("trusted-fraction"). */
static odim_status classic_run(double *scores, const char *method)
{
    static const int64_t rows[2] = {7, 0};
    bool with = strchr(method, ','), trusted_fraction = strcmp(method, "trusted-fraction") == 0;
    odim_error err = {0};
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "y", .id = "id", .ignore = NAMES("k")};
    odim_table *t = NULL;
    odim_model *m = NULL;
    odim_params *p = odim_params_new();
    odim_status status = p ? ODIM_OK : ODIM_ERR_NOMEM;
    if (!status && with) status = odim_params_set(p, "preset", "paper", &err);
    if (!status)
        status = odim_params_set(p, with ? "with" : "method", trusted_fraction ? "hbos" : method, &err);
    if (!status && trusted_fraction) status = odim_params_set(p, "trusted-fraction", "0.75", &err);
    if (!status) status = odim_params_set(p, "transform", with ? "none" : "log-pca", &err);
    if (!status && with) status = odim_params_set(p, "members", "1", &err);
    if (!status && with) status = odim_params_set(p, "max-updates", "2", &err);
    if (!status && strstr(method, "iforest")) status = odim_params_set(p, "trees", "5", &err);
    if (!status) status = odim_params_set(p, "threads", "2", &err);
    if (!status) status = odim_table_read_memory(&t, csv, strlen(csv), "t.csv", &o, &err);
    if (!status) status = odim_fit(t, p, NULL, &m, &err);
    if (!status) status = save_and_load(&m, &err);
    if (!status) status = odim_score(m, t, p, NULL, scores, &err);
    if (!status) status = explain_two(m, t, rows, p, &err);
    if (status && p && !strstr(err.msg, "out of memory")) TEST_SAY("%s", err.msg);
    if (status && p) CHECK(err.status == status);
    odim_model_free(m);
    odim_table_free(t);
    odim_params_free(p);
    return status;
}

TEST(every_allocation_may_fail_without_networks)
{
    static const char *const methods[] = {"iforest",
                                          "knn",
                                          "lof",
                                          "mcd",
                                          "pca",
                                          "hbos",
                                          "ecod",
                                          "copod",
                                          "ocsvm",
                                          "cblof",
                                          "loda",
                                          "cof",
                                          "sod",
                                          "bagging",
                                          "subsample-knn,iforest",
                                          "trusted-fraction"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) fail_everywhere(classic_run, methods[i]);
}

TEST(every_allocation_may_fail_in_blocks)
{
    fail_everywhere(typed_run, "off");
}

TEST(every_allocation_may_fail_with_columns)
{
    fail_everywhere(columns_run, "off");
}

TEST(every_allocation_may_fail_in_private)
{
    fail_everywhere(private_run, "yes");
    fail_everywhere(private_run, "no");
}

TEST(every_allocation_may_fail_when_looked_at)
{
    fail_everywhere(traced_run, "on");
}

/* ---- packed and recoded texts ----------------------------------------------------------------------- */

/* That rows that did not come give their memory back may fail. */
static void fail_reading(const bytes *in)
{
    odim_error err;
    odim_status status;
    EACH_ALLOCATION_FAILS_BUT(status, 40, 1)
    {
        odim_table *t = NULL;
        status = odim_table_read_memory(&t, in->p, in->len, "t.csv", NULL, &err);
        if (status) CHECK(strstr(err.msg, "out of memory") && err.status == status);
        if (!status) CHECK_INT(odim_table_rows(t), ROWS);
        odim_table_free(t);
    }
}

TEST(every_allocation_may_fail_unpacking)
{
    static void (*const pack[])(bytes *, const void *, size_t) = {put_gzip, put_xz, put_zstd, put_bzip2};
    bytes plain = {0}, wide = {0}, packed = {0};
    put_text(&plain, "# a remark\nA title\nStra\xDF"
                     "e;a;b\n"); /* Windows-1252 */
    for (int i = 0; i < ROWS; i++) put_text(&plain, i % 2 ? "\xE4;1,5;2\n" : "\xE9;2,5;1\n");
    put_wide(&wide, csv, 2, 0);
    fail_reading(&plain);
    fail_reading(&wide);
    for (int i = 0; i < 8; i++) {
        const bytes *in = i % 2 ? &wide : &plain;
        pack[i / 2](&packed, in->p, in->len);
        fail_reading(&packed);
        drop(&packed);
    }
    drop(&wide);
    drop(&plain);
}

int main(void)
{
    scratch_make();
    make_csv();
    make_typed();
    make_bounds();
    RUN(every_allocation_may_fail);
    RUN(every_allocation_may_fail_without_batch_norm);
    RUN(every_allocation_may_fail_with_a_flow);
    RUN(every_allocation_may_fail_without_networks);
    RUN(every_allocation_may_fail_in_blocks);
    RUN(every_allocation_may_fail_with_columns);
    RUN(every_allocation_may_fail_in_private);
    RUN(every_allocation_may_fail_when_looked_at);
    RUN(every_allocation_may_fail_unpacking);
    return test_end();
}
