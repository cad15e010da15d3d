/* tests: arrow_file arrow_schema arrow_body. Arrow files that another program wrote (tests/data/arrow), whole
 * and damaged. */
#include "schemas.h"
#include "scratch.h"
#include "starve.h"

#define FOLDER TEST_DIR "/data/arrow/"

static odim_table *read_file(const char *name, odim_read_options o)
{
    char path[300];
    odim_table *t = (odim_table *)&err;
    snprintf(path, sizeof path, FOLDER "%s", name);
    o.size = sizeof o;
    odim_status status = odim_table_read(&t, path, &o, &err);
    if (status && t) TEST_SAY("an output handle after a failure");
    return status ? NULL : t;
}

#define FROM(name, ...) read_file(name, (odim_read_options){__VA_ARGS__})

static bytes load(const char *name)
{
    char path[300];
    bytes b = {0};
    unsigned char piece[4096];
    snprintf(path, sizeof path, FOLDER "%s", name);
    FILE *f = fopen(path, "rb");
    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f));) put(&b, piece, n);
    if (f) fclose(f);
    if (b.len == 0) TEST_SAY("%s cannot be read", path);
    return b;
}

static const char *const tables[] = {"table.arrow",   "grow.arrow", "table.arrows", "replace.arrows",
                                     "legacy.arrows", "lz4.arrow",  "zstd.arrow",   "zstd.arrows"};
#define TABLES (sizeof tables / sizeof *tables)

static void expect_same(odim_table *a, odim_table *b, const char *what)
{
    if (!a || !b)
        TEST_SAY("%s: %s", what, err.msg);
    else if (a->n != b->n || !same_rows(a, 0, b))
        TEST_SAY("%s is another table", what);
    for (int64_t i = 0; a && b && a->n == b->n && a->d == b->d && i < a->n * a->d; i++) {
        double x = odim_table_value(a, i / a->d, i % a->d), y = odim_table_value(b, i / a->d, i % a->d);
        if (isnan(x) ? !isnan(y) : x != y) TEST_SAY("%s: cell %d: %.17g, %.17g", what, (int)i, x, y);
    }
    odim_table_free(a);
    odim_table_free(b);
}

TEST(same_as_csv)
{
    for (size_t i = 0; i < TABLES; i++) {
        expect_same(FROM(tables[i], .format = "arrow"), FROM("table.csv", 0), tables[i]);
        expect_same(
            FROM(tables[i], .format = "arrow", .keep = 1, .id = "count", .label = "paid",
                 .bad_rows = ODIM_BAD_ROWS_SKIP),
            FROM("table.csv", .keep = 1, .id = "count", .label = "paid", .bad_rows = ODIM_BAD_ROWS_SKIP),
            tables[i]);
        expect_same(FROM(tables[i], .format = "arrow", .only = NAMES("city", "amount")),
                    FROM("table.csv", .only = NAMES("city", "amount")), tables[i]);
        expect_same(FROM(tables[i], .format = "arrow", .only = NAMES("amount")),
                    FROM("table.csv", .only = NAMES("amount")), tables[i]);
    }
}

TEST(detected)
{
    for (size_t i = 0; i < TABLES; i++) {
        if (strcmp(tables[i], "legacy.arrows") == 0) continue; /* it begins like nothing special */
        bytes b = load(tables[i]);
        expect_same(read_bytes(&b, "some name", NULL), FROM("table.csv", 0), tables[i]);
        drop(&b);
    }
}

TEST(in_blocks)
{
    for (size_t i = 0; i < TABLES; i++) {
        char path[300];
        odim_reader *r;
        odim_table *whole = FROM("table.csv", 0);
        const odim_table *block;
        int64_t rows = 0;
        odim_read_options o = {.size = sizeof o, .format = "arrow"};
        snprintf(path, sizeof path, FOLDER "%s", tables[i]);
        REQUIRE(whole && odim_reader_open(&r, path, &o, &err) == ODIM_OK);
        for (;;) {
            if (odim_reader_next(r, 7, &block, &err)) TEST_SAY("%s", err.msg);
            if (!block || block->n == 0) break;
            CHECK(same_rows(whole, rows, block));
            rows += block->n;
        }
        CHECK_INT(rows, whole->n);
        odim_reader_free(r);
        odim_table_free(whole);
    }
}

TEST(every_type)
{
    static const char *const files[] = {"types.arrow", "types.arrows"};
    static const char *const want[] = {
        "-3|-400|0|9007199254740993|250|65530|4294967290|18446744073709551610|1|0|0|-2.000|false||||2024-01-"
        "01|"
        "2024-01-01|01:00:00|01:00:00.5|01:00:00.000001|01:00:00.000000001|2024-01-01T00:00:00|"
        "2024-01-01T00:00:00.5Z|2024-01-01T00:00:00|2024-01-01T00:00:00Z|1.500||||0|",
        "-2|-100|70000|9007199254740994|251|65531|4294967291|18446744073709551611|-2.5|0.1|0."
        "3333333333333333|"
        "-0.999|true|\xC3\xA4, b|\xC3\xA4, b|\xC3\xA4, b|2024-01-02|2024-01-02|01:00:01|01:00:00.501|"
        "01:00:00.000002|01:00:00.000000002|2024-01-02T00:00:00|2024-01-02T00:00:00.5Z|2024-01-02T00:00:00|"
        "2024-01-02T00:00:00Z|1.501||||1|",
        "-1|200|140000|9007199254740995|252|65532|4294967292|18446744073709551612|0.099975586|0.2|"
        "0.6666666666666666|0.002|false|a text that is longer than twelve bytes|"
        "a text that is longer than twelve bytes|a text that is longer than twelve "
        "bytes|2024-01-03|2024-01-03|"
        "01:00:02|01:00:00.502|01:00:00.000003|01:00:00.000000003|2024-01-03T00:00:00|2024-01-03T00:00:00.5Z|"
        "2024-01-03T00:00:00|2024-01-03T00:00:00Z|1.502|||||",
    };
    for (size_t k = 0; k < 2; k++) {
        odim_table *t = FROM(files[k], .ignore = NAMES("list", "struct"), .id = "", .keep = 1);
        if (!t) TEST_SAY("%s", err.msg);
        REQUIRE(t);
        CHECK_INT(t->n, 5);
        CHECK_STR(odim_table_note(t, 0), "column 'bytes' has bytes (binary): left out");
        for (int64_t i = 0; i < 3; i++) {
            char row[1000] = "";
            for (int64_t j = 0; j < odim_table_kept_cols(t); j++)
                sprintf(row + strlen(row), "%.100s|", odim_table_kept(t, i, j));
            CHECK_STR(row, want[i]);
        }
        odim_table_free(t);
    }
    CHECK(!FROM("types.arrow", 0));
    CHECK(strstr(err.msg, "types.arrow: column 'list' is of type list, which is not a single value"));
    CHECK_INT(err.status, ODIM_ERR_DATA);
    EXPECT_TABLE(FROM("types.arrow", .only = NAMES("last", "i8")), 5, 2, -3, 0, -2, 1, -1, NAN, 0, 3, 1, 4);
}

/* ---- damage ----------------------------------------------------------------------------------------- */

/* A file that is cut or changed is read, or refused with a message; nothing else. */
static void expect_sane(const unsigned char *p, size_t size, const odim_read_options *o)
{
    odim_table *t;
    unsigned char *copy = malloc(size + 1); /* of the exact size, so that a step outside shows */
    memcpy(copy, p, size);
    odim_status status = odim_table_read_memory(&t, copy, size, "f", o, &err);
    if (!status && (t->n < 1 || t->d < 1)) TEST_SAY("an empty table");
    if (status == ODIM_ERR_NOMEM) TEST_SAY("out of memory");
    if (!status) odim_table_free(t);
    free(copy);
}

TEST(truncated)
{
    odim_read_options o = {.size = sizeof o, .format = "arrow"};
    for (size_t i = 0; i < TABLES; i++) {
        bytes b = load(tables[i]);
        for (size_t size = 0; size < b.len; size += size < 600 ? 1 : 37) expect_sane(b.p, size, &o);
        b.len -= 9;
        odim_table *t = read_bytes(&b, "f", &o);
        bool stream = tables[i][strlen(tables[i]) - 1] == 's';
        if (!stream)
            expect_error(t, ODIM_ERR_FORMAT, 0, 0, "f: the Arrow data ends too early: the file is truncated");
        else
            CHECK(!t && strstr(err.msg, "the file is truncated"));
        drop(&b);
    }
}

TEST(changed)
{
    static const unsigned char values[] = {0x00, 0x01, 0x7F, 0xFF};
    odim_read_options o = {
        .size = sizeof o, .format = "arrow", .ignore = NAMES("list", "struct"), .unpacked = 1 << 24};
    static const char *const files[] = {"types.arrow", "types.arrows", "zstd.arrows", "lz4.arrow",
                                        "replace.arrows"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bytes b = load(files[i]);
        for (size_t at = 0; at < b.len; at += 1 + at % 3) {
            unsigned char old = b.p[at];
            b.p[at] = values[at % 4] == old ? (unsigned char)(old + 1) : values[at % 4];
            expect_sane(b.p, b.len, &o);
            b.p[at] = old;
        }
        drop(&b);
    }
}

/* Finds bytes, which must be there once, and puts others in their place. */
static void change(bytes *b, const void *from, const void *to, size_t len)
{
    int found = 0;
    for (size_t at = 0; at + len <= b->len; at++) {
        if (memcmp(b->p + at, from, len) != 0) continue;
        if (found++ == 0) memcpy(b->p + at, to, len);
    }
    if (!found) TEST_SAY("the bytes to be changed are not there");
}

/* What a file unpacks to is limited, and known before it is unpacked. */
TEST(bombs)
{
    odim_read_options o = {.size = sizeof o, .unpacked = 600};
    bytes b = load("zstd.arrow");
    expect_error(
        read_bytes(&b, "f", &o), ODIM_ERR_DATA, 0, 0,
        "f: a batch unpacks to more than 0.0 MB, the most that is allowed; if the file can be trusted, set "
        "unpacked to allow more");
    drop(&b);
    b = load("table.arrows");
    expect_error(
        read_bytes(&b, "f", &o), ODIM_ERR_DATA, 0, 0,
        "f: a batch has 0.0 MB, and 0.0 MB are allowed; write smaller batches or, if the file can be "
        "trusted, set unpacked to allow more");
    drop(&b);
    /* 40 rows of the first batch become very many. */
    o.unpacked = 0;
    b = load("table.arrow");
    int64_t forty[] = {40, 0}, many[] = {(int64_t)1 << 40, 0};
    for (int i = 0; i < 3; i++) change(&b, forty, many, sizeof forty);
    expect_error(read_bytes(&b, "f", &o), ODIM_ERR_FORMAT, 0, 0,
                 "f: a record batch of the Arrow data is damaged");
    drop(&b);
}

TEST(allocations)
{
    static const char *const files[] = {"table.arrows", "lz4.arrow", "zstd.arrows", "types.arrow"};
    odim_status status;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bytes b = load(files[i]);
        odim_read_options o = {.size = sizeof o, .ignore = NAMES("list", "struct")};
        if (i < 3) o.ignore = NULL;
        EACH_ALLOCATION_FAILS(status, 30)
        {
            odim_table *t;
            status = odim_table_read_memory(&t, b.p, b.len, "f", &o, &err);
            odim_table_free(t);
        }
        drop(&b);
    }
}

int main(void)
{
    RUN(same_as_csv);
    RUN(detected);
    RUN(in_blocks);
    RUN(every_type);
    RUN(truncated);
    RUN(changed);
    RUN(bombs);
    RUN(allocations);
    return test_end();
}
