/* tests: text_columns. Columns of free text in tables, in parts of files, in memory and in models. */
#include "prep/text_columns.h"

#include "model/schema_file.h"
#include "prep/read.h"
#include "prep/table_build.h"
#include "model/model.h"
#include "scratch.h"
#include "starve.h"
#include "tables.h"

enum { ROWS = 40, ODD = 17, GAP = 23 };

/* Remarks that all differ, with an odd one and a missing one. */
static const char *remark(int i, char *buf, size_t size)
{
    static const char *const word[] = {"small", "large", "green", "heavy", "round", "clean", "sound"};
    if (i == GAP) return "";
    if (i == ODD) return "${jndi:ldap://x}";
    snprintf(buf, size, "%s and %s, box %d", word[i % 7], word[i / 7], i);
    return buf;
}

static const char *table_text(bool header)
{
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", header ? "n,remark,kind\n" : "");
    for (int i = 0; i < ROWS; i++) {
        char buf[64];
        used += (size_t)snprintf(text + used, sizeof text - used, "%d.5,\"%s\",%s\n", i % 9,
                                 remark(i, buf, sizeof buf), i % 3 ? "a" : "b");
    }
    return text;
}

TEST(columns)
{
    static const char *const names[] = {"n",
                                        "remark: length",
                                        "remark: digits",
                                        "remark: upper case",
                                        "remark: punctuation",
                                        "remark: non-ASCII",
                                        "remark: rare characters",
                                        "remark: rare sequences",
                                        "remark: rare words",
                                        "kind"};
    odim_table *t = READ_PLAIN(table_text(true));
    REQUIRE(t);
    CHECK_INT(t->d, 10);
    for (int64_t j = 0; j < t->d && j < 10; j++) {
        CHECK_STR(t->col[j].name, names[j]);
        bool gap = j > 0 && j < 9;
        CHECK(isnan(od_table_cell(t, GAP, j)) == gap);
    }
    CHECK_NEAR(od_table_cell(t, ODD, 1), 16.0, 0.0);
    CHECK_NEAR(od_table_cell(t, ODD, 4), 7.0 / 16, 0.0);
    CHECK_NEAR(od_table_cell(t, ODD, 6), 1.0, 0.0);
    CHECK(od_table_cell(t, ODD, 7) > 0.9 && od_table_cell(t, 0, 7) < 0.6);
    CHECK_NEAR(od_table_cell(t, ODD, 8), 1.0, 0.0);
    CHECK_STR(odim_table_note(t, 0),
              "column 'remark': free text, compared by length, kinds of characters and rare parts");
    CHECK(!odim_table_note(t, 1));
    odim_table_free(t);
}

/* What the caller says stays; ids stay ids; a few texts are levels. */
TEST(other_texts)
{
    odim_table *t = READ(table_text(true), .categorical = NAMES("remark"));
    REQUIRE(t);
    CHECK(t->d == 3 && t->texts.count == 0);
    odim_table_free(t);
    t = READ_PLAIN("a,b\n1,x y\n2,z w\n3,u v\n");
    REQUIRE(t);
    CHECK(t->d == 2 && t->col[1].type == ODIM_CATEGORICAL);
    odim_table_free(t);
    char text[4096], *p = text;
    p += sprintf(p, "token,path,v\n");
    for (int i = 0; i < ROWS; i++)
        p += sprintf(p, "k%d%c,/a/%c/%d,%d\n", i * 37, 'a' + i % 5, 'b' + i % 9, i, i % 7);
    t = READ_PLAIN(text);
    REQUIRE(t);
    CHECK_STR(odim_table_id_name(t), "token");
    CHECK_STR(t->col[0].name, "path: length");
    odim_table_free(t);
}

/* Two parts of a file decide as the whole does, wherever it is cut. */
TEST(parts)
{
    const char *path = in_scratch("parts.csv"), *text = table_text(true);
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fputs(text, f) >= 0 && fclose(f) == 0);
    odim_table *want = READ_PLAIN(text);
    REQUIRE(want);
    for (int64_t at = 100; at < (int64_t)strlen(text); at += 331) {
        od_type_votes votes[3] = {{0}}, later[3] = {{0}};
        od_span one = {.end = at, .line = 1}, two = {.end = INT64_MAX};
        int64_t rows;
        odim_reader *r;
        REQUIRE(!od_reader_open_parts(&r, path, NULL, NULL, &err));
        CHECK(!od_reader_part(r, &one, &err) && !od_reader_count_types(r, votes, 100, &rows, &err));
        od_reader_end(r, &two.at, &two.line);
        CHECK(!od_reader_part(r, &two, &err) && !od_reader_count_types(r, later, 100, &rows, &err));
        for (int j = 0; j < 3; j++) od_type_votes_merge(&votes[j], &later[j], &err);
        CHECK_INT(od_reader_decide_types(r, votes, &err), ODIM_OK);
        const odim_table *t = od_reader_table(r);
        CHECK(t->d == want->d && t->texts.count == 1);
        CHECK(memcmp(t->texts.list, want->texts.list, sizeof *t->texts.list) == 0);
        odim_reader_free(r);
        od_type_votes_clear(votes, 3);
        od_type_votes_clear(later, 3);
    }
    odim_table_free(want);
}

/* The same cells, from memory. */
static odim_table *build(const od_schema *like)
{
    static double n[ROWS];
    static int32_t codes[ROWS], kinds[ROWS];
    static char buf[ROWS][64];
    static const char *texts[ROWS], *const kind[] = {"a", "b"};
    for (int i = 0; i < ROWS; i++) {
        n[i] = i % 9 + 0.5;
        codes[i] = i;
        texts[i] = remark(i, buf[i], sizeof buf[i]);
        kinds[i] = i % 3 == 0;
    }
    const odim_column columns[] = {{.name = "n", .numbers = n},
                                   {.name = "remark", .codes = codes, .texts = texts, .text_count = ROWS},
                                   {.name = "kind", .codes = kinds, .texts = kind, .text_count = 2}};
    odim_table *t;
    if (od_table_build(&t, columns, 3, ROWS, like, NULL, &err)) {
        TEST_SAY("%s", err.msg);
        return NULL;
    }
    return t;
}

static void expect_same(const odim_table *a, const odim_table *b)
{
    REQUIRE(a && b);
    CHECK(a->n == b->n && a->d == b->d);
    for (int64_t i = 0; a->d == b->d && i < a->n * a->d; i++) {
        double x = od_table_cell(a, i / a->d, i % a->d), y = od_table_cell(b, i / a->d, i % a->d);
        if (isnan(x) ? !isnan(y) : x != y) TEST_SAY("cell %d: %g and %g", (int)i, x, y);
    }
}

TEST(from_memory)
{
    odim_table *a = READ_PLAIN(table_text(true)), *b = build(NULL);
    expect_same(a, b);
    odim_table_free(a);
    odim_table_free(b);
}

static odim_model *fit(const odim_table *t)
{
    odim_params *p = odim_params_new();
    odim_model *m = NULL;
    if (!p || odim_params_set(p, "preset", "paper", &err) || odim_params_set(p, "members", "1", &err) ||
        odim_params_set(p, "max-updates", "20", &err) || odim_fit(t, p, NULL, &m, &err))
        TEST_SAY("%s", err.msg);
    odim_params_free(p);
    return m;
}

/* A model reads new rows as it read its own: by name, without names, from memory, and after loading. */
TEST(models)
{
    odim_table *t = READ_PLAIN(table_text(true));
    REQUIRE(t);
    odim_model *m = fit(t), *again = NULL;
    void *file;
    size_t size;
    REQUIRE(m && !odim_model_save_memory(m, &file, &size, &err));
    REQUIRE(!odim_model_load_memory(&again, file, size, &err));
    odim_table *named = READ(table_text(true), .like = again);
    odim_table *bare = READ(table_text(false), .like = again, .header = -1);
    odim_table *built = build(&again->schema);
    REQUIRE(named && bare && built);
    CHECK_INT(named->d, 8); /* without upper case and non-ASCII, which are constant */
    expect_same(named, bare);
    expect_same(named, built);
    double *own = malloc(ROWS * sizeof *own), *others = malloc(ROWS * sizeof *others);
    REQUIRE(own && others && !odim_score(m, t, NULL, NULL, own, &err) &&
            !odim_score(again, named, NULL, NULL, others, &err));
    CHECK(memcmp(own, others, ROWS * sizeof *own) == 0);
    free(own);
    free(others);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the model needs column 'remark', which is not there", "n,kind\n1,a\n",
           .like = again);
    /* A number is a text there, too. */
    odim_table *number = READ("n,remark,kind\n1,42,a\n", .like = again);
    REQUIRE(number);
    CHECK_NEAR(od_table_cell(number, 0, 1), 2.0, 0.0);
    odim_table_free(number);
    odim_table_free(t);
    odim_table_free(named);
    odim_table_free(bare);
    odim_table_free(built);
    odim_model_free(m);
    odim_model_free(again);
    odim_free(file);
}

/* ---- damaged files ---------------------------------------------------------------------------------- */

/* A schema of the names in `names`, for bytes to be read into. */
static void make_schema(od_schema *s, const char *const *names, int64_t cols)
{
    *s = (od_schema){.cols = cols, .col = od_calloc((size_t)cols, sizeof *s->col)};
    if (!s->col) abort();
    for (int64_t j = 0; j < cols; j++) s->col[j].name = od_strndup(names[j], strlen(names[j]));
}

static odim_status read_back(const od_byte_writer *b, const char *const *names, int64_t cols)
{
    od_schema s;
    od_byte_reader in = {.at = b->bytes, .left = b->size};
    make_schema(&s, names, cols);
    odim_status status = od_file_columns_read(&in, &s, &err);
    if (!status && in.left) status = ODIM_ERR_FORMAT;
    od_schema_free(&s);
    return status;
}

TEST(damage)
{
    odim_table *t = READ_PLAIN(table_text(true));
    REQUIRE(t);
    const char *names[16];
    od_schema s;
    od_byte_writer out = {0};
    for (int64_t j = 0; j < t->d; j++) names[j] = t->col[j].name;
    make_schema(&s, names, t->d);
    for (int64_t j = 0; j < t->d; j++) s.col[j].format = t->col[j].format;
    CHECK(!od_file_columns_copy(&s.file, &t->file, &err) &&
          !od_text_profiles_copy(&s.texts, &t->texts, &err));
    CHECK(od_file_columns_wanted(&s));
    od_file_columns_write(&out, &s);
    CHECK_INT(read_back(&out, names, t->d), ODIM_OK);
    size_t size = out.size, texts = size - OD_TEXT_SLOTS - 8;
    int fine = 0;
    for (size_t cut = 0; cut < size; cut += cut < texts + 16 ? 1 : 997) {
        out.size = cut;
        fine += read_back(&out, names, t->d) != ODIM_ERR_FORMAT;
    }
    CHECK_INT(fine, 0);
    out.size = size;
    /* The number of texts, and the first column of the text. */
    for (size_t at = texts; at < texts + 8; at++) {
        unsigned char was = out.bytes[at];
        for (int k = 1; k < 256; k++) {
            out.bytes[at] = (unsigned char)(was + k);
            fine += read_back(&out, names, t->d) != ODIM_ERR_FORMAT;
        }
        out.bytes[at] = was;
    }
    CHECK_INT(fine, 0);
    const char *right = names[4];
    names[4] = "other: punctuation";
    CHECK_INT(read_back(&out, names, t->d), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "column 'other: punctuation': it does not describe a text");
    names[4] = right;
    CHECK_INT(read_back(&out, names, t->d), ODIM_OK);
    od_free(out.bytes);
    od_schema_free(&s);
    odim_table_free(t);
}

TEST(memory)
{
    odim_status status;
    EACH_ALLOCATION_FAILS_BUT(status, 20, 1)
    {
        odim_table *t = READ_PLAIN(table_text(true));
        status = t ? ODIM_OK : err.status;
        odim_table_free(t);
    }
}

int main(void)
{
    RUN(columns);
    RUN(other_texts);
    RUN(parts);
    RUN(from_memory);
    RUN(models);
    RUN(damage);
    RUN(memory);
    return test_end();
}
