/* tests: partial api_partial partial_file. A model that is fitted from parts has the bytes of one that is
 * fitted at once, however the rows are divided and in whatever order the parts are merged. */
#include "mixed.h"
#include "starve.h"
#include "test.h"

#include "fit/partial.h"

static odim_error err;

/* ---- the same models ---------------------------------------------------------------------------------- */

static odim_params *params_of(const char *name, const char *value)
{
    odim_params *p = odim_params_new();
    if (strcmp(name, "method") != 0) {
        odim_params_set(p, "members", "2", NULL);
        odim_params_set(p, "max-updates", "40", NULL);
    }
    if (odim_params_set(p, name, value, &err)) puts(err.msg);
    return p;
}

/* Rows first..end-1 of the mixed table. All parts must take the types of the columns from the caller. */
static odim_table *mixed_part(int first, int end)
{
    char *text = malloc(64 * MIXED_ROWS), *to = text;
    const char *line = mixed_csv();
    for (int i = -1; *line; i++) {
        size_t len = strcspn(line, "\n") + 1;
        if (i < 0 || (i >= first && i < end)) memcpy(to, line, len), to += len;
        line += len;
    }
    const odim_read_options o = {.size = sizeof o,
                                 .id = "",
                                 .numeric = NAMES("load", "heat"),
                                 .categorical = NAMES("id", "color", "site"),
                                 .boolean = NAMES("open"),
                                 .time = NAMES("day")};
    odim_table *t;
    if (odim_table_read_memory(&t, text, (size_t)(to - text), "part.csv", &o, &err)) puts(err.msg);
    free(text);
    return t;
}

static void check_same_model(const odim_model *a, const odim_model *b)
{
    void *x, *y;
    size_t m, n;
    REQUIRE(a && b);
    CHECK(!odim_model_save_memory(a, &x, &m, NULL) && !odim_model_save_memory(b, &y, &n, NULL));
    CHECK(m == n && memcmp(x, y, m) == 0);
    odim_free(x);
    odim_free(y);
}

/* Sent to another process and back. */
static odim_partial *travel(odim_partial *p)
{
    void *bytes;
    size_t size;
    odim_partial *back = NULL;
    if (odim_partial_save_memory(p, &bytes, &size, &err) ||
        odim_partial_load_memory(&back, bytes, size, &err))
        puts(err.msg);
    odim_free(bytes);
    odim_partial_free(p);
    return back;
}

/* A part of two blocks, with what is known of its rows, if anything is. */
static odim_partial *mixed_partial(const odim_params *params, int first, int end, const int8_t *known)
{
    odim_partial *p;
    int cut = (first + end) / 2;
    if (odim_partial_new(&p, params, &err)) return NULL;
    for (int i = 1; i >= 0; i--) { /* the later one first */
        int from = i ? cut : first, to = i ? end : cut;
        if (from == to) continue;
        odim_table *t = mixed_part(from, to);
        if (known) odim_table_set_known(t, known + from, NULL);
        if (odim_partial_add(p, t, from, &err)) puts(err.msg);
        odim_table_free(t);
    }
    return travel(p);
}

static void check_mixed(const odim_params *params, const int8_t *known)
{
    static const int cut[] = {0, 3, 90, 222, 223, 301, MIXED_ROWS};
    static const int order[][6] = {{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}};
    odim_table *t = mixed_part(0, MIXED_ROWS);
    odim_model *whole, *m;
    if (known) odim_table_set_known(t, known, NULL);
    REQUIRE(odim_fit(t, params, NULL, &whole, &err) == ODIM_OK);
    for (int k = 0; k < 3; k++) {
        odim_partial *half[2];
        for (int h = 0; h < 2; h++) REQUIRE(odim_partial_new(&half[h], params, &err) == ODIM_OK);
        for (int i = 0; i < 6; i++) {
            odim_partial *p = mixed_partial(params, cut[order[k][i]], cut[order[k][i] + 1], known);
            REQUIRE(p);
            CHECK_INT(odim_partial_merge(half[i % 2], p, &err), ODIM_OK);
            odim_partial_free(p);
        }
        half[0] = travel(half[0]);
        CHECK_INT(odim_partial_merge(half[1], half[0], &err), ODIM_OK);
        CHECK_INT(odim_partial_rows(half[1]), MIXED_ROWS);
        /* The fit leaves the part as it is, so that it can be done again. */
        for (int again = 0; again < 2; again++) {
            CHECK_INT(odim_partial_fit(half[1], params, NULL, &m, &err), ODIM_OK);
            check_same_model(m, whole);
            odim_model_free(m);
        }
        odim_partial_free(half[0]);
        odim_partial_free(half[1]);
    }
    odim_model_free(whole);
    odim_table_free(t);
}

TEST(same_models)
{
    static const char *const settings[][2] = {
        {"preset", "auto"}, {"preset", "paper"}, {"method", "hbos"}, {"method", "knn"}, {"seed", "7"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        odim_params *params = params_of(settings[i][0], settings[i][1]);
        check_mixed(params, NULL);
        odim_params_free(params);
    }
}

TEST(known_outliers)
{
    int8_t known[MIXED_ROWS];
    memset(known, -1, sizeof known);
    for (int i = 5; i < MIXED_ROWS; i += 37) known[i] = i % 2;
    odim_params *params = params_of("preset", "paper");
    check_mixed(params, known);
    odim_params_free(params);
}

/* More rows than the sample has. */
TEST(samples)
{
    enum { N = 150000, D = 3, PARTS = 5 };
    static float x[N * D];
    uint32_t state = 1;
    for (int i = 0; i < N * D; i++) x[i] = (float)((state = state * 1664525u + 1013904223u) >> 8);
    odim_params *params = params_of("method", "hbos");
    odim_table *t;
    odim_model *whole, *m;
    odim_partial *all;
    REQUIRE(odim_table_wrap_f32(&t, x, N, D, 0, NULL, &err) == ODIM_OK);
    REQUIRE(odim_fit(t, params, NULL, &whole, &err) == ODIM_OK);
    odim_table_free(t);
    REQUIRE(odim_partial_new(&all, params, &err) == ODIM_OK);
    for (int i = 0; i < PARTS; i++) {
        int64_t first = i * 3 % PARTS * (N / PARTS);
        odim_partial *p;
        REQUIRE(odim_table_wrap_f32(&t, x + first * D, N / PARTS, D, 0, NULL, &err) == ODIM_OK);
        REQUIRE(odim_partial_new(&p, params, &err) == ODIM_OK);
        CHECK_INT(odim_partial_add(p, t, first, &err), ODIM_OK);
        p = travel(p);
        REQUIRE(p && odim_partial_merge(all, p, &err) == ODIM_OK);
        odim_partial_free(p);
        odim_table_free(t);
    }
    CHECK_INT(odim_partial_fit(all, params, NULL, &m, &err), ODIM_OK);
    check_same_model(m, whole);
    odim_partial_free(all);
    odim_model_free(m);
    odim_model_free(whole);
    odim_params_free(params);
}

/* ---- what does not fit together ------------------------------------------------------------------------ */

TEST(rows_missing_or_twice)
{
    odim_partial *p, *q;
    odim_model *m;
    odim_table *t = mixed_part(0, 10);
    REQUIRE(odim_partial_new(&p, NULL, &err) == ODIM_OK);
    CHECK_INT(odim_partial_fit(p, NULL, NULL, &m, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "there are no rows to fit");
    CHECK_INT(odim_partial_add(p, t, 10, &err), ODIM_OK);
    CHECK_INT(odim_partial_fit(p, NULL, NULL, &m, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "rows 1 to 10 are missing: their part was not merged");
    CHECK(!m);
    CHECK_INT(odim_partial_add(p, t, 0, &err), ODIM_OK);
    CHECK_INT(odim_partial_add(p, t, 30, &err), ODIM_OK);
    CHECK_INT(odim_partial_fit(p, NULL, NULL, &m, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "rows 21 to 30 are missing: their part was not merged");
    static const int64_t wrong[] = {0, 5, 11, 19, 25, 30, 39, -1, INT64_MAX, INT64_MAX - 10};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        REQUIRE(odim_partial_new(&q, NULL, &err) == ODIM_OK);
        REQUIRE(odim_partial_merge(q, p, &err) == ODIM_OK);
        CHECK(odim_partial_add(q, t, wrong[i], &err) != ODIM_OK);
        if (wrong[i] == 19) CHECK_STR(err.msg, "rows 20 to 29: some of them were added before");
        odim_partial_free(q);
    }
    CHECK_INT(odim_partial_add(p, t, 20, &err), ODIM_OK); /* closes the gap */
    CHECK_INT(p->ranges, 1);
    CHECK_INT(odim_partial_rows(p), 40);
    odim_partial_free(p);
    odim_table_free(t);
}

/* What merging two parts that were read from these texts answers. */
static void check_refused(const char *one, const char *two, const char *why)
{
    odim_partial *p[2];
    const char *text[] = {one, two};
    for (int i = 0; i < 2; i++) {
        odim_table *t;
        REQUIRE(odim_partial_new(&p[i], NULL, &err) == ODIM_OK);
        REQUIRE(odim_table_read_memory(&t, text[i], strlen(text[i]), "a.csv", NULL, &err) == ODIM_OK);
        REQUIRE(odim_partial_add(p[i], t, 10 * i, &err) == ODIM_OK);
        odim_table_free(t);
    }
    CHECK_INT(odim_partial_merge(p[0], p[1], &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, why);
    odim_partial_free(p[0]);
    odim_partial_free(p[1]);
}

TEST(parts_that_differ)
{
    check_refused("a,b\n1,2\n3,5\n", "a,b,c\n1,2,3\n3,5,4\n", "3 columns, but the rows so far have 2");
    check_refused("a,b\n1,2\n3,5\n", "a,c\n1,2\n3,5\n", "column 2 is 'c', but in the rows so far 'b'");
    check_refused(
        "a,b\n1,2\n3,5\n", "a,b\n1,x\n3,y\n",
        "column 'b' is categorical here and numeric in the rows so far, or its cells have another format: "
        "give the type of the column, or find it from all parts with odim_scan");
    odim_partial *p, *q;
    odim_params *params = params_of("seed", "5");
    REQUIRE(!odim_partial_new(&p, params, &err) && !odim_partial_new(&q, NULL, &err));
    CHECK_INT(odim_partial_merge(p, q, &err), ODIM_ERR_PARAM);
    CHECK_STR(err.msg, "the parts have different seeds, 5 and 0");
    odim_partial_free(p);
    odim_partial_free(q);
    odim_params_free(params);
}

/* ---- bytes -------------------------------------------------------------------------------------------- */

static void seal(unsigned char *bytes, size_t size)
{
    od_byte_writer hasher = od_bytes_hasher();
    od_bytes_put(&hasher, bytes, size - 8);
    od_bytes_set_u64(bytes + size - 8, hasher.hash);
}

TEST(damaged_bytes)
{
    odim_partial *p = mixed_partial(NULL, 0, 30, NULL), *back;
    void *saved;
    size_t size;
    REQUIRE(p && odim_partial_save_memory(p, &saved, &size, &err) == ODIM_OK);
    unsigned char *bytes = malloc(size);
    CHECK_INT(odim_partial_load_memory(&back, "", 0, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the bytes are damaged, or are not a part that was saved");
    for (size_t n = 0; n < size; n += n < 200 ? 1 : 97) {
        memcpy(bytes, saved, size);
        CHECK_INT(odim_partial_load_memory(&back, bytes, n, &err), ODIM_ERR_FORMAT);
        if (n > 20) {
            seal(bytes, n);
            CHECK(odim_partial_load_memory(&back, bytes, n, &err) == ODIM_ERR_FORMAT && !back);
        }
    }
    /* Any change is noticed; with the right hash it is refused or harmless. */
    for (size_t at = 0; at < size - 8; at += at < 1500 ? 1 : 13) {
        memcpy(bytes, saved, size);
        bytes[at] ^= 0x81;
        CHECK_INT(odim_partial_load_memory(&back, bytes, size, &err), ODIM_ERR_FORMAT);
        seal(bytes, size);
        if (odim_partial_load_memory(&back, bytes, size, &err)) continue;
        odim_model *m = NULL;
        odim_params *params = params_of("method", "hbos");
        odim_partial_fit(back, params, NULL, &m, &err);
        odim_model_free(m);
        odim_params_free(params);
        odim_partial_free(back);
    }
    memcpy(bytes, saved, size);
    bytes[8] = 3;
    CHECK_INT(odim_partial_load_memory(&back, bytes, size, &err), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the part was saved by another version of odim");
    free(bytes);
    odim_free(saved);
    odim_partial_free(p);
}

TEST(nothing_yet)
{
    odim_partial *p, *q;
    REQUIRE(!odim_partial_new(&p, NULL, &err) && !odim_partial_new(&q, NULL, &err));
    p = travel(p);
    REQUIRE(p);
    CHECK_INT(odim_partial_rows(p), 0);
    CHECK_INT(odim_partial_merge(p, q, &err), ODIM_OK);
    CHECK_INT(odim_partial_rows(NULL), 0);
    odim_partial_free(p);
    odim_partial_free(q);
    odim_partial_free(NULL);
}

TEST(memory_can_run_out)
{
    odim_table *t = mixed_part(0, 60), *later = mixed_part(60, 90);
    odim_params *params = params_of("method", "hbos");
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 60)
    {
        odim_partial *p = NULL, *q = NULL, *back = NULL;
        odim_model *m = NULL;
        void *bytes = NULL;
        size_t size;
        status = odim_partial_new(&p, params, &err);
        if (!status) status = odim_partial_new(&q, params, &err);
        if (!status) status = odim_partial_add(p, t, 0, &err);
        if (!status) status = odim_partial_add(q, later, 60, &err);
        if (!status) status = odim_partial_merge(p, q, &err);
        if (!status) status = odim_partial_save_memory(p, &bytes, &size, &err);
        if (!status) status = odim_partial_load_memory(&back, bytes, size, &err);
        if (!status) {
            odim_partial copy;
            od_partial_init(&copy, 0);
            status = od_partial_merge(&copy, back, &err);
            if (!status) status = od_partial_complete(&copy, &err);
            od_partial_clear(&copy);
        }
        odim_model_free(m);
        odim_partial_free(p);
        odim_partial_free(q);
        odim_partial_free(back);
        odim_free(bytes);
    }
    odim_params_free(params);
    odim_table_free(t);
    odim_table_free(later);
}

int main(void)
{
    RUN(same_models);
    RUN(known_outliers);
    RUN(samples);
    RUN(rows_missing_or_twice);
    RUN(parts_that_differ);
    RUN(damaged_bytes);
    RUN(nothing_yet);
    RUN(memory_can_run_out);
    return test_end();
}
