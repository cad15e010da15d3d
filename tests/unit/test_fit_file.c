/* tests: fit_file. A model fitted from a file, block by block, is the one fitted from the table of that
 * file, byte for byte; scores block by block are the scores of the table. */
#include "prep/sample.h"
#include "scratch.h"
#include "tables.h"

static odim_params *params(const char *updates, const char *scale)
{
    odim_params *p = odim_params_new();
    if (!p || odim_params_set(p, "members", "2", &err) || odim_params_set(p, "max-updates", updates, &err) ||
        odim_params_set(p, "samples", "5", &err) || odim_params_set(p, "scale", scale, &err) ||
        odim_params_set(p, "threads", "2", &err))
        abort();
    return p;
}

static bytes saved(const odim_model *m)
{
    void *p;
    bytes b = {0};
    size_t size;
    if (odim_model_save_memory(m, &p, &size, &err)) abort();
    put(&b, p, size);
    odim_free(p);
    return b;
}

/* Numbers, gaps, categories rare and frequent, times, booleans, a name, a constant. */
static void write_mixed(const char *path, int rows)
{
    FILE *f = fopen(path, "w");
    if (!f) abort();
    fputs("name,n,big,c,t,b,k,y\n", f);
    for (int i = 0; i < rows; i++) {
        uint32_t x = (uint32_t)i * 2654435761u >> 8;
        fprintf(f, "row %d,", i);
        if (x % 11) fprintf(f, "%g", (double)(x % 1000) / 7);
        fprintf(f, ",%lld,", 1000000000000000LL + (long long)(x % 100000));
        if (x % 13) fprintf(f, "%s%u", x % 300 ? "level " : "rare ", x % 300 ? x % 5 : x);
        fprintf(f, ",20%02u-%02u-%02uT%02u:15,", x % 30, x % 12 + 1, x % 28 + 1, x % 24);
        fprintf(f, "%s,7,%d\n", x % 17 == 0 ? "NA" : x % 3 ? "yes" : "no", x % 50 == 0);
    }
    if (fclose(f)) abort();
}

/* What is noted while reading is told, as the caller has no table to ask. */
static void join_note(const char *text, void *user)
{
    strcat(strcat(user, text), ";");
}

TEST(notes)
{
    char told[600] = "";
    odim_hooks hooks = {.size = sizeof hooks, .note = join_note, .user = told};
    odim_params *p = params("20", "minmax");
    odim_model *m;
    bytes b = {0};
    char line[40];
    put_text(&b, "id;price;k\n");
    for (int i = 0; i < 40; i++) {
        snprintf(line, sizeof line, "K-%d;%d,50 EUR;7\n", i, i * 7 % 11);
        put_text(&b, line);
    }
    put(&b, "", 1);
    write_text(in_scratch("notes.csv"), (const char *)b.p);
    CHECK_INT(odim_fit_file(in_scratch("notes.csv"), NULL, p, &hooks, &m, &err), ODIM_OK);
    CHECK_STR(
        told,
        "column 'price': decimal comma, EUR;column 'id' has a different value in almost every row (looks "
        "like an ID): used as the name of the rows;column 'k' is constant: ignored;");
    odim_model_free(m);
    odim_params_free(p);
    drop(&b);
}

static void expect_same_model(const char *path, const odim_read_options *o, odim_params *p)
{
    odim_table *t;
    odim_model *table_model, *file_model, *detected;
    REQUIRE(!odim_table_read(&t, path, o, &err));
    double *scores = malloc((size_t)t->n * sizeof *scores), *again = malloc((size_t)t->n * sizeof *again);
    REQUIRE(scores && again);
    if (odim_fit(t, p, NULL, &table_model, &err) || odim_fit_file(path, o, p, NULL, &file_model, &err) ||
        odim_detect(t, p, NULL, &detected, scores, &err)) {
        TEST_SAY("%s", err.msg);
        return;
    }
    bytes one = saved(table_model), other = saved(file_model), third = saved(detected);
    CHECK(one.len == other.len && memcmp(one.p, other.p, one.len) == 0);
    CHECK(one.len == third.len && memcmp(one.p, third.p, one.len) == 0);
    REQUIRE(!odim_score(file_model, t, p, NULL, again, &err));
    CHECK(memcmp(scores, again, (size_t)t->n * sizeof *scores) == 0);

    /* Block by block, with the columns and types of the model. */
    odim_read_options like = o ? *o : (odim_read_options){.size = sizeof(odim_read_options)};
    like.like = file_model;
    odim_reader *r;
    const odim_table *block;
    int64_t done = 0;
    REQUIRE(!odim_reader_open(&r, path, &like, &err));
    while (!odim_reader_next(r, 997, &block, &err) && block->n) {
        REQUIRE(!odim_score(file_model, block, p, NULL, again + done, &err));
        done += block->n;
    }
    CHECK_INT(done, t->n);
    CHECK(memcmp(scores, again, (size_t)t->n * sizeof *scores) == 0);
    odim_reader_free(r);
    drop(&one);
    drop(&other);
    drop(&third);
    odim_model_free(table_model);
    odim_model_free(file_model);
    odim_model_free(detected);
    odim_table_free(t);
    free(scores);
    free(again);
}

TEST(mixed_table)
{
    const char *path = in_scratch("mixed.csv");
    static const char *const scales[] = {"minmax", "standard"};
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "y"};
    write_mixed(path, 3000);
    for (int i = 0; i < 2; i++) {
        odim_params *p = params("20", scales[i]);
        expect_same_model(path, &o, p);
        odim_params_free(p);
    }
}

/* An array of floats, which a table holds as they are and a stream as doubles. */
TEST(array)
{
    enum { N = 9000, D = 3 };
    bytes b = {0};
    char header[100];
    static float x[N * D];
    for (int i = 0; i < N * D; i++) x[i] = (float)(i * 37 % 1009) / 7;
    x[100] = NAN;
    snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }\n", N, D);
    put_npy(&b, header, x, sizeof x);
    const char *path = in_scratch("a.npy");
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fwrite(b.p, 1, b.len, f) == b.len && !fclose(f));
    drop(&b);
    odim_params *p = params("10", "minmax");
    expect_same_model(path, NULL, p);
    odim_params_free(p);
}

/* More rows than represent a table: both ways choose the same ones. */
TEST(sampled)
{
    enum { N = 140000 };
    const char *path = in_scratch("large.csv");
    CHECK(N > od_sample_size(2));
    FILE *f = fopen(path, "w");
    REQUIRE(f);
    fputs("a,c\n", f);
    for (int i = 0; i < N; i++) {
        uint32_t x = (uint32_t)i * 2654435761u >> 8;
        fprintf(f, "%u,%s\n", x % 1000, x % 7 ? "u" : x % 3 ? "v" : "");
    }
    fclose(f);
    odim_params *p = params("3", "standard");
    expect_same_model(path, NULL, p);
    odim_params_free(p);
}

/* Known outliers: of a small table, which holds them all twice, and of one of whose rows most are not chosen,
 * and too many of which are known. */
TEST(known)
{
    enum { N = 140000 };
    const char *path = in_scratch("known.csv");
    odim_read_options o = {.size = sizeof(odim_read_options), .known = "y"};
    odim_params *p = params("20", "minmax");
    write_mixed(path, 3000);
    expect_same_model(path, &o, p);
    odim_params_free(p);
    FILE *f = fopen(path, "w");
    REQUIRE(f);
    fputs("a,b,y\n", f);
    for (int i = 0; i < N; i++) {
        uint32_t x = (uint32_t)i * 2654435761u >> 8;
        fprintf(f, "%u,%u,%s\n", x % 1000, x / 1000 % 77, x % 3 == 0 ? "1" : x % 5 ? "" : "0");
    }
    fclose(f);
    p = params("3", "standard");
    expect_same_model(path, &o, p);
    odim_params_free(p);
}

/* ---- mistakes ------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static int stop(const odim_progress *now, void *user)
{
    (void)user;
    return now->stage == ODIM_STAGE_READING;
}

TEST(mistakes)
{
    odim_model *m = (odim_model *)&err;
    const char *path = in_scratch("bad.csv");
    odim_params *p = params("3", "minmax");
    CHECK_INT(odim_fit_file(NULL, NULL, p, NULL, &m, &err), ODIM_ERR_PARAM);
    CHECK(!m);
    CHECK_INT(odim_fit_file(in_scratch("none"), NULL, p, NULL, &m, &err), ODIM_ERR_IO);
    write_text(path, "a,b\n1,2\n");
    CHECK_INT(odim_fit_file(path, NULL, p, NULL, &m, &err), ODIM_ERR_DATA);
    CHECK(ends_with(err.msg, "bad.csv: one row alone cannot be compared: at least 2 are needed"));
    write_text(path, "a,b\n1,2\n1,2\n");
    CHECK_INT(odim_fit_file(path, NULL, p, NULL, &m, &err), ODIM_ERR_DATA);
    CHECK(ends_with(err.msg, "bad.csv: no usable columns: all are constant or ignored"));
    /* A mistake far down, in a block of its own. */
    FILE *f = fopen(path, "w");
    REQUIRE(f);
    for (int i = 0; i < 20000; i++) fprintf(f, "%d,%s\n", i, i == 17000 ? "inf" : "1");
    fclose(f);
    odim_read_options o = {.size = sizeof(odim_read_options), .header = -1};
    CHECK_INT(odim_fit_file(path, &o, p, NULL, &m, &err), ODIM_ERR_DATA);
    CHECK(err.row == 17000 && err.col == 1 && strstr(err.msg, "row 17001 (line 17001), column 'x2': 'inf'"));
    /* The row number of a value that scaling refuses, in the table and in the stream. */
    f = fopen(path, "w");
    REQUIRE(f);
    for (int i = 0; i < 20000; i++) fprintf(f, "%d,%s\n", i, i == 17000 ? "1e30" : "1");
    fclose(f);
    REQUIRE(!odim_params_set(p, "scale", "none", &err));
    CHECK_INT(odim_fit_file(path, &o, p, NULL, &m, &err), ODIM_ERR_DATA);
    CHECK(ends_with(
        err.msg,
        "bad.csv: row 17001, column 'x2': 1e+30 is too large for the scaling that was chosen or fitted"));
    /* Cancelled while reading. */
    odim_hooks hooks = {.size = sizeof(odim_hooks), .progress = stop};
    CHECK_INT(odim_fit_file(path, &o, p, &hooks, &m, &err), ODIM_ERR_CANCELLED);
    CHECK(!m);
    odim_params_free(p);
}

int main(void)
{
    scratch_make();
    RUN(mixed_table);
    RUN(array);
    RUN(sampled);
    RUN(known);
    RUN(mistakes);
    RUN(notes);
    return test_end();
}
