/* Several files as one table. */
#include "prep/many_files.h"

#include "schemas.h"
#include "scratch.h"
#include "starve.h"

#define A "a,b,word\n1,2,x\n3,4,y\n5,6,x\n"
#define B "word;b;a\ny;8;7\nx;10;9\n" /* other places, another delimiter */

/* Writes a file that is called by one letter and .csv. */
static const char *file(const char *name, const char *text)
{
    static char path[26][64];
    char *own = path[*name - 'a'];
    snprintf(own, sizeof *path, "%s", in_scratch(name));
    write_text(own, text);
    return own;
}

static odim_table *read_many(const char *const *paths, odim_read_options o)
{
    odim_table *t;
    o.size = sizeof o;
    o.more_files = paths + 1;
    return odim_table_read(&t, paths[0], &o, &err) ? NULL : t;
}

#define FILES(...)            ((const char *const[]){__VA_ARGS__, NULL})
#define READ_MANY(paths, ...) read_many(paths, (odim_read_options){__VA_ARGS__})

/* The message without the folder in front of names. */
static void expect_failure(odim_table *t, odim_status status, const char *msg)
{
    size_t len = strlen(scratch) + 1;
    CHECK(!t);
    odim_table_free(t);
    if (t) return;
    CHECK_INT(err.status, status);
    for (char *at; (at = strstr(err.msg, scratch));) memmove(at, at + len, strlen(at + len) + 1);
    CHECK_STR(err.msg, msg);
}

TEST(columns_in_any_order)
{
    const char *a = file("a.csv", A), *b = file("b.csv", B);
    odim_table *t = READ_MANY(FILES(a, b), .keep = 1);
    REQUIRE(t);
    CHECK_INT(odim_table_rows(t), 5);
    CHECK_STR(odim_table_file(t, 2), a);
    CHECK_STR(odim_table_file(t, 3), b);
    CHECK(odim_table_file(t, 5) == NULL && odim_table_file(t, -1) == NULL);
    CHECK(odim_table_row_number(t, 2) == 2 && odim_table_row_number(t, 3) == 0);
    CHECK_STR(odim_table_kept_name(t, 2), "word");
    CHECK_STR(odim_table_kept(t, 3, 2), "y");
    expect_text(t, "1|2|x;3|4|y;5|6|x;7|8|y;9|10|x");
    t = READ(A, .format = NULL);
    CHECK(odim_table_file(t, 0) == NULL); /* one file: the caller knows */
    odim_table_free(t);
}

/* What a column is, is decided by the cells of all files. */
TEST(types)
{
    const char *a = file("a.csv", "a,b\n1,1.5\n2,2.5\n"), *b = file("b.csv", "a,b\nx,3.5\ny,4.5\n");
    odim_table *t = READ_MANY(FILES(a, b), .format = NULL);
    REQUIRE(t);
    CHECK_INT(odim_table_type(t, 0), ODIM_CATEGORICAL);
    CHECK_INT(odim_table_type(t, 1), ODIM_NUMERIC);
    odim_table_free(t);
    a = file("a.csv", "d,b\n01.02.2024,1\n02.02.2024,2\n"), b = file("b.csv", "d,b\n25.02.2024,3\n");
    expect_text(READ_MANY(FILES(a, b), .format = NULL), "2024-02-01|1;2024-02-02|2;2024-02-25|3");
}

TEST(without_names)
{
    const char *a = file("a.csv", "1,2\n3,4\n"), *b = file("b.csv", "5;6\n7;8\n"),
               *c = file("c.csv", "5,6,7\n");
    EXPECT_TABLE(READ_MANY(FILES(a, b), .header = -1), 4, 2, 1, 2, 3, 4, 5, 6, 7, 8);
    expect_failure(READ_MANY(FILES(a, c), .header = -1), ODIM_ERR_DATA,
                   "c.csv: there is a column 'x3', which a.csv does not have");
}

TEST(different_columns)
{
    const char *a = file("a.csv", A), *b = file("b.csv", "a,b\n1,2\n"),
               *c = file("c.csv", "a,b,word,c,d,e,f\n1,2,x,4,5,6,7\n"),
               *d = file("d.csv", "a,word,b,c\n1,x,2,3\n");
    expect_failure(
        READ_MANY(FILES(a, b), .format = NULL), ODIM_ERR_DATA,
        "b.csv: there is no column 'word', which a.csv has; files of one table have the same columns");
    expect_failure(READ_MANY(FILES(a, c), .format = NULL), ODIM_ERR_DATA,
                   "c.csv: there are columns 'c', 'd', 'e' and 1 more, which a.csv does not have");
    expect_failure(READ_MANY(FILES(a, d), .format = NULL), ODIM_ERR_DATA,
                   "d.csv: there is a column 'c', which a.csv does not have");
}

TEST(places_of_errors)
{
    const char *a = file("a.csv", A), *b = file("b.csv", "b,a,word\n1,2,x\n1,zwei,y\n"),
               *c = file("c.csv", "a,b,word\n1,2,x\n3\n"), *e = file("e.csv", "");
    expect_failure(READ_MANY(FILES(a, b), .numeric = FILES("a")), ODIM_ERR_DATA,
                   "b.csv: row 2 (line 3), column 'a': 'zwei' is not a number");
    CHECK_INT(err.row, 1);
    expect_failure(READ_MANY(FILES(a, c), .format = NULL), ODIM_ERR_DATA,
                   "c.csv: row 2 (line 3): 1 field, expected 3");
    expect_failure(READ_MANY(FILES(a, e), .format = NULL), ODIM_ERR_DATA, "e.csv: the file is empty");
    expect_failure(READ_MANY(FILES(a, in_scratch("no.csv")), .format = NULL), ODIM_ERR_IO,
                   "no.csv: cannot open: No such file or directory");
    expect_failure(READ_MANY(FILES(a, "-"), .format = NULL), ODIM_ERR_IO,
                   "<stdin>: it is not a regular file, and several files are read more than once; save it "
                   "first");
    expect_failure(READ_MANY(FILES(a, c), .known_rows = a), ODIM_ERR_PARAM,
                   "a.csv: known rows of several files need ids (set id)");
    expect_failure(READ_MANY(FILES(a, c), .ignore = FILES("q")), ODIM_ERR_DATA,
                   "a.csv: there is no column 'q'; there are a, b, word");
    bytes npy = npy_2x2();
    FILE *f = fopen(in_scratch("x.npy"), "wb");
    REQUIRE(f && fwrite(npy.p, 1, npy.len, f) == npy.len && !fclose(f));
    drop(&npy);
    expect_failure(READ_MANY(FILES(a, in_scratch("x.npy")), .format = NULL), ODIM_ERR_DATA,
                   "x.npy: it is an array; several files must be tables such as CSV");
}

TEST(bad_rows)
{
    const char *a = file("a.csv", A), *b = file("b.csv", "b,a,word\n1\n2,1,x\n\"3,4,y\n");
    odim_table *t = READ_MANY(FILES(b, a), .bad_rows = ODIM_BAD_ROWS_SKIP);
    REQUIRE(t);
    CHECK_INT(odim_table_skipped(t), 2);
    CHECK_INT(odim_table_row_number(t, 0), 1);
    CHECK_STR(odim_table_file(t, 1), a);
    expect_text(t, "2|1|x;2|1|x;4|3|y;6|5|x");
    t = READ_MANY(FILES(a, b), .bad_rows = ODIM_BAD_ROWS_CALL);
    REQUIRE(t);
    CHECK_INT(odim_table_rows(t), 6);
    CHECK_STR(odim_table_file(t, 3), b);
    CHECK_STR(odim_table_bad_row(t, 3), "row 1 (line 2): 1 field, expected 3");
    odim_table_free(t);
}

/* A bad row keeps its place, its file and the cells that it has. */
TEST(places_of_bad_rows)
{
    const char *a = file("a.csv", A), *b = file("b.csv", "word,b,a\nx\"y\",\"1\"2,3\nx,2\nz,7,8,9\ny,4,3\n");
    char want[200];
    odim_table *t = READ_MANY(FILES(a, b), .bad_rows = ODIM_BAD_ROWS_SKIP);
    REQUIRE(t);
    CHECK_INT(t->notes.count, 3);
    snprintf(want, sizeof want, "skipped: %s: row 2 (line 3): 2 fields, expected 3", b);
    CHECK_STR(od_strlist_at(&t->notes, 1), want);
    CHECK_INT(odim_table_row_number(t, 3), 3);
    expect_text(t, "1|2|x;3|4|y;5|6|x;3|4|y");
    t = READ_MANY(FILES(a, b), .bad_rows = ODIM_BAD_ROWS_CALL, .keep = 1);
    REQUIRE(t);
    CHECK_INT(odim_table_rows(t), 7);
    CHECK_INT(odim_table_row_number(t, 3), 0);
    CHECK_STR(odim_table_file(t, 3), b);
    CHECK_STR(odim_table_bad_row(t, 5), "row 3 (line 4): 4 fields, expected 3");
    CHECK_STR(odim_table_kept(t, 4, 0), "");
    CHECK_STR(odim_table_kept(t, 4, 1), "2");
    CHECK_STR(odim_table_kept(t, 4, 2), "x");
    CHECK_STR(odim_table_kept(t, 5, 0), "8");
    CHECK_STR(odim_table_kept(t, 5, 1), "7");
    CHECK_STR(odim_table_kept(t, 5, 2), "z");
    odim_table_free(t);
}

/* Any of the files may show that the decimal mark is a comma. */
TEST(semicolons)
{
    const char *a = file("a.csv", "a\tb\n1\t2\n3\t4\n"), *b = file("b.csv", "a;b\n1,234;2\n3,125;4\n");
    expect_text(READ_MANY(FILES(a, b), .id = ""), "1|2;3|4;1.234|2;3.125|4");
    expect_text(READ_MANY(FILES(b, a), .id = ""), "1.234|2;3.125|4;1|2;3|4");
}

TEST(totals)
{
    const char *a = file("a.csv", "a,b\n1,2\n3,4\nTotal,6\n"), *b = file("b.csv", "a,b\n5,6\n7,8\n");
    char want[200];
    odim_table *t = READ_MANY(FILES(b, a), .numeric = FILES("a"));
    REQUIRE(t && t->notes.count == 1);
    snprintf(want, sizeof want, "%s: row 3 looks like totals ('Total'): it is treated like any other row", a);
    CHECK_STR(od_strlist_at(&t->notes, 0), want);
    odim_table_free(t);
}

TEST(ignored_arrays)
{
    const char *a = file("a.jsonl", "{\"a\":1,\"t\":[1]}\n{\"a\":2,\"t\":[]}\n"),
               *b = file("b.jsonl", "{\"t\":[{}],\"a\":3}\n");
    EXPECT_TABLE(READ_MANY(FILES(a, b), .ignore = FILES("t")), 3, 1, 1, 2, 3);
    expect_failure(
        READ_MANY(FILES(a, b), .id = ""), ODIM_ERR_FORMAT,
        "a.jsonl: row 1 (line 1): 't' is an array, which cannot be a cell; leave it out (set ignore)");
}

/* Block by block, with options that are gone after opening, and for a model. */
TEST(blocks)
{
    const char *a = file("a.csv", A), *b = file("b.csv", B);
    for (int64_t most = 1; most < 7; most++) {
        odim_reader *r;
        const odim_table *block;
        int64_t rows = 0;
        char encoding[] = "utf-8";
        odim_read_options o = {.size = sizeof o, .encoding = encoding, .more_files = FILES(b, a)};
        odim_table *all = READ_MANY(FILES(a, b, a), .encoding = "utf-8");
        REQUIRE(all && !odim_reader_open(&r, a, &o, &err));
        memset(encoding, '?', sizeof encoding - 1);
        memset(&o, 0xA5, sizeof o);
        while (!odim_reader_next(r, most, &block, &err) && block->n) {
            CHECK(same_rows(all, rows, block));
            for (int64_t i = 0; i < block->n; i++) {
                CHECK_STR(odim_table_file(block, i), odim_table_file(all, rows + i));
                CHECK_INT(odim_table_row_number(block, i), odim_table_row_number(all, rows + i));
            }
            rows += block->n;
        }
        CHECK_INT(rows, 8);
        odim_reader_free(r);
        odim_table_free(all);
    }
}

TEST(allocations)
{
    odim_status status;
    odim_table *t;
    const char *a = file("a.csv", "# title\n\n" A), *b = file("b.csv", B);
    const odim_read_options o = {
        .size = sizeof o, .more_files = FILES(b), .ignore = FILES("word"), .bad_rows = ODIM_BAD_ROWS_CALL};
    EACH_ALLOCATION_FAILS_BUT(status, 30, 1) /* the last one only saves memory */
    {
        status = odim_table_read(&t, a, &o, &err);
        CHECK(!status == !!t);
        odim_table_free(t);
    }
}

int main(void)
{
    scratch_make();
    RUN(columns_in_any_order);
    RUN(types);
    RUN(without_names);
    RUN(different_columns);
    RUN(places_of_errors);
    RUN(bad_rows);
    RUN(places_of_bad_rows);
    RUN(semicolons);
    RUN(totals);
    RUN(ignored_arrays);
    RUN(blocks);
    RUN(allocations);
    return test_end();
}
