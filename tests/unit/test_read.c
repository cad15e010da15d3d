/* tests: read read_text read_dense read_ids */
#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"
#include "bytes.h"
#include "odim.h"
#include "prep/table.h"
#include "test.h"

static odim_error err;
static const odim_read_options none;

static odim_table *read_bytes(const bytes *b, const char *name, const odim_read_options *o)
{
    odim_table *t = (odim_table *)&err;
    odim_status status = odim_table_read_memory(&t, b->p, b->len, name, o, &err);
    if (status && t) TEST_SAY("an output handle after a failure");
    if (status && status != err.status) TEST_SAY("the status is not in the error");
    return status ? NULL : t;
}

static odim_table *read_as(const char *text, const char *name, odim_read_options o)
{
    bytes b = {(unsigned char *)text, strlen(text), 0};
    return read_bytes(&b, name, &o);
}

#define READ(text, ...)  read_as(text, "t.csv", (odim_read_options){__VA_ARGS__})
#define READ_PLAIN(text) read_as(text, "t.csv", none)

/* The reading fails, with this place and message. */
static void expect_error(odim_table *t, odim_status status, int64_t row, int64_t col, const char *msg)
{
    if (t) {
        TEST_SAY("was read, should be: %s", msg);
        odim_table_free(t);
        return;
    }
    CHECK_STR(err.msg, msg);
    if (err.status != status || err.row != row || err.col != col)
        TEST_SAY("status %d, row %d, column %d of: %s", (int)err.status, (int)err.row, (int)err.col, msg);
}

#define EXPECT(status, row, col, msg, text, ...) expect_error(READ(text, __VA_ARGS__), status, row, col, msg)

/* n, d and the values row by row. */
static void expect_table(odim_table *t, int64_t n, int64_t d, const double *values)
{
    if (!t) {
        TEST_SAY("%s", err.msg);
        return;
    }
    CHECK_INT(odim_table_rows(t), n);
    CHECK_INT(odim_table_cols(t), d);
    for (int64_t i = 0; i < t->n * t->d && n == t->n && d == t->d; i++)
        if (odim_table_value(t, i / d, i % d) != values[i])
            TEST_SAY("cell %d is %g, expected %g", (int)i, odim_table_value(t, i / d, i % d), values[i]);
    odim_table_free(t);
}

#define EXPECT_TABLE(t, n, d, ...) expect_table(t, n, d, (const double[]){__VA_ARGS__})

/* ---- text ----------------------------------------------------------------------------------------- */

TEST(csv)
{
    EXPECT_TABLE(READ_PLAIN("a,b\n1,2\n3,4\n"), 2, 2, 1, 2, 3, 4);
    EXPECT_TABLE(READ_PLAIN("1;2.5;1e3"), 1, 3, 1, 2.5, 1000);
    EXPECT_TABLE(READ_PLAIN("\xEF\xBB\xBF\"a\";\"b\"\r\n\"1\";\" 2 \"\r\n\r\n"), 1, 2, 1, 2);
    EXPECT_TABLE(READ_PLAIN("5\n6\n7"), 3, 1, 5, 6, 7);
    EXPECT_TABLE(READ("1,2\n3,4\n", .header = 1), 1, 2, 3, 4);
    EXPECT_TABLE(READ("1 2\n3 4\n", .delimiter = ' '), 2, 2, 1, 2, 3, 4);
    EXPECT_TABLE(READ("a,b,c,d\n1,x,0,4\n5,y,1,8\n", .label = "c", .id = "b"), 2, 2, 1, 4, 5, 8);
    EXPECT_TABLE(READ("a,b,c\n1,x,3\n", .ignore = "b"), 1, 2, 1, 3);
    EXPECT_TABLE(READ("a,b,c\n1,x,3\n", .only = "c"), 1, 1, 3);
}

TEST(names)
{
    odim_table *t = READ(" a ,\" b \",,c,key,y\n1,2,3,4,k1,0\n1,2,3,4,,1\n", .label = "y", .id = "5");
    REQUIRE(t);
    CHECK_STR(odim_table_name(t, 0), "a");
    CHECK_STR(odim_table_name(t, 1), " b ");
    CHECK_STR(odim_table_name(t, 2), "x3");
    CHECK_STR(odim_table_name(t, 3), "c");
    CHECK(odim_table_name(t, 4) == NULL);
    CHECK_STR(odim_table_label_name(t), "y");
    CHECK_STR(odim_table_id_name(t), "key");
    CHECK_STR(odim_table_id(t, 0), "k1");
    CHECK_STR(odim_table_id(t, 1), "");
    CHECK(odim_table_id(t, 2) == NULL);
    CHECK_INT(odim_table_labels(t)[0], 0);
    CHECK_INT(odim_table_labels(t)[1], 1);
    odim_table_free(t);
    t = READ("1,2,3\n", .ignore = "x1");
    REQUIRE(t);
    CHECK_STR(odim_table_name(t, 0), "x2"); /* numbers are the file's */
    CHECK(odim_table_labels(t) == NULL && odim_table_id_name(t) == NULL && odim_table_id(t, 0) == NULL);
    odim_table_free(t);
}

TEST(labels)
{
    odim_table *t = READ("a,y\n1,0\n1,1\n1,0.0\n1,1e0\n1,true\n1,FALSE\n1, 1 \n", .label = "y");
    REQUIRE(t);
    static const int8_t want[] = {0, 1, 0, 1, 1, 0, 1};
    CHECK(memcmp(odim_table_labels(t), want, sizeof want) == 0);
    odim_table_free(t);
    EXPECT(ODIM_ERR_DATA, 2, 2,
           "t.csv: row 2 (line 3), column 'y': 'yes' is not a label; labels are 1 (outlier) and 0 (inlier): "
           "recode the "
           "column, or name another as the label",
           "a,y\n1,0\n1,yes\n", .label = "y");
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'y': '2' is not a label; labels are 1 (outlier) and 0 (inlier): "
           "recode the "
           "column, or name another as the label",
           "a,y\n1,2\n", .label = "y");
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'y': '' is not a label; labels are 1 (outlier) and 0 (inlier): "
           "recode the "
           "column, or name another as the label",
           "a,y\n1,\n", .label = "y");
}

TEST(csv_ragged)
{
    EXPECT(ODIM_ERR_DATA, 2, 0, "t.csv: row 2 (line 4): 1 field, expected 2", "a,b\n1,2\n\n3\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 2, 0, "t.csv: row 2 (line 2): 3 fields, expected 2", "1,2\n3,4,5\n",
           .delimiter = ',');
    EXPECT(ODIM_ERR_FORMAT, 2, 0, "t.csv: row 2 (line 3): the quote that opens here is never closed",
           "a,b\n1,2\n3,\"4\n", .header = 0);
}

TEST(csv_cells)
{
    EXPECT(ODIM_ERR_DATA, 2, 1,
           "t.csv: row 2 (line 3), column 'age': not a number: '12,5' (decimals need a point)",
           "age;b\n1;2\n12,5;2\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 1,
           "t.csv: row 1 (line 2), column 'age': not a number: '12,5' (decimals need a point)",
           "age;b\n12,5;2\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 2, 2, "t.csv: row 2 (line 3), column 'b': not a number: '4..5'",
           "a,b\n1,2\n3,4..5\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 2, 2,
           "t.csv: row 2 (line 3), column 'b': not a number: 'four'; leave the column out (--ignore b) or "
           "make it numeric",
           "a,b\n1,2\n3,four\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: column 'city' is not numeric (row 1, line 2: 'Ulm'): leave it out (--ignore city) or make "
           "it numeric",
           "a,city\n1,Ulm\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 1,
           "t.csv: column 'x1' is not numeric (row 1, line 1: '1st'): leave it out (--ignore x1) or make it "
           "numeric; if "
           "the first line holds names, say so (--header)",
           "1st,2nd\n1,2\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 1,
           "t.csv: column 'x1' is not numeric (row 1, line 1: '1 2'): leave it out (--ignore x1) or make it "
           "numeric; only "
           "one column was found: if there are more, give the --delimiter",
           "1 2\n3 4\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'b': empty cell; fill it in, drop the row, or leave the column out "
           "(--ignore b)",
           "a,b\n1,\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 1), column 'x2': empty cell; fill it in, drop the row, or leave the column "
           "out (--ignore x2)",
           "1, \n1,2\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'b': missing value 'NA'; fill it in, drop the row, or leave the "
           "column out "
           "(--ignore b)",
           "a,b\n1,NA\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'b': 'nan' is not a finite number; fill it in, drop the row, or "
           "leave the column "
           "out (--ignore b)",
           "a,b\n1,nan\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'b': '-Inf' is not a finite number; fill it in, drop the row, or "
           "leave the column "
           "out (--ignore b)",
           "a,b\n1,-Inf\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 1, 2,
           "t.csv: row 1 (line 2), column 'b': '1e400' is too large for a number of 64 bits",
           "a,b\n1,1e400\n", .header = 0);
}

/* Names and cells that would spoil a message are shown harmless, and cut. */
TEST(csv_ugly_cells)
{
    EXPECT(ODIM_ERR_DATA, 2, 2, "t.csv: row 2 (line 3), column 'b\xC3\xA9?': not a number: '\xC3\xA9?[31m?'",
           "a,b\xC3\xA9\x1b\n1,2\n3,\xC3\xA9\x1b[31m\xC3\n", .header = 1);
    char text[3000] = "a,";
    memset(text + 2, 'n', 1000);
    strcat(text, "\n1,2\n3,");
    memset(text + strlen(text), '=', 1000);
    EXPECT(ODIM_ERR_DATA, 2, 2,
           "t.csv: row 2 (line 3), column 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...': not a number: "
           "'====================================...'",
           text, .header = 0);
}

/* The longest message there can be still ends with its advice. */
TEST(csv_long_message)
{
    char text[3000] = "", name[1000];
    memset(text, 'n', 1000);
    text[1000] = '\n';
    memset(text + 1001, 'a', 1000);
    memset(name, 'f', sizeof name);
    name[sizeof name - 1] = '\0';
    CHECK(read_as(text, name, (odim_read_options){.header = 1}) == NULL);
    size_t len = strlen(err.msg);
    CHECK(len > 26 && strcmp(err.msg + len - 26, "more, give the --delimiter") == 0);
}

TEST(nothing_to_read)
{
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the file is empty", "", .header = 0);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the file is empty", "\n \r\n\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the file is empty", "\xEF\xBB\xBF", .header = 0);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: there is a header and no rows below it", "a,b\n", .header = 0);
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: there is a header and no rows below it", "1,2\n", .header = 1);
    EXPECT(ODIM_ERR_DATA, 0, 0,
           "t.csv: no feature column is left: of 2, all are the label, the id or ignored", "a,b\n1,2\n",
           .ignore = "a,b");
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: the file is empty", "", .format = "npz");
}

TEST(columns_that_are_not_there)
{
    EXPECT(ODIM_ERR_DATA, 0, 0, "t.csv: there is no column 'z'; there are a, b", "a,b\n1,2\n", .label = "z");
    EXPECT(ODIM_ERR_DATA, 0, 0,
           "t.csv: ignore: 2 columns are named 'a'; give the number instead (the first of them is column 1)",
           "a,a\n1,2\n", .ignore = "a");
    EXPECT(ODIM_ERR_PARAM, 0, 2, "t.csv: column 'b' cannot be both the label and the id", "a,b\n1,2\n",
           .label = "b", .id = "b");
}

/* The message comes from the first line, before anything else is looked at. */
TEST(too_many_columns)
{
    bytes b = {0};
    for (int i = 0; i < 100000; i++) put_text(&b, i ? ",1" : "1");
    put_text(&b, "\nx\n");
    expect_error(read_bytes(&b, "wide.csv", NULL), ODIM_ERR_DATA, 0, 0,
                 "wide.csv: 100000 feature columns; at most 16384 can be used: choose some (--only, "
                 "--ignore) or reduce "
                 "the dimension first");
    b.len -= 2;
    odim_read_options o = {.only = "7,100000"};
    EXPECT_TABLE(read_bytes(&b, "wide.csv", &o), 1, 2, 1, 1);
    drop(&b);
}

/* More rows than the first allocation holds, with labels and ids. */
TEST(many_rows)
{
    enum { N = 50000 };
    bytes b = {0};
    char line[100];
    put_text(&b, "id,a,b,y\n");
    for (int i = 0; i < N; i++) {
        snprintf(line, sizeof line, "row%d,%d,%d.25,%d\n", i, i, -i, i % 3 == 0);
        put_text(&b, line);
    }
    odim_read_options o = {.id = "id", .label = "y"};
    odim_table *t = read_bytes(&b, "t.csv", &o);
    drop(&b);
    REQUIRE(t);
    CHECK_INT(t->n, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        snprintf(line, sizeof line, "row%d", i);
        wrong += odim_table_value(t, i, 0) != i || odim_table_value(t, i, 1) != -i + (i ? -0.25 : 0.25) ||
                 t->labels[i] != (i % 3 == 0) || strcmp(odim_table_id(t, i), line) != 0;
    }
    CHECK_INT(wrong, 0);
    odim_table_free(t);
}

/* ---- which format --------------------------------------------------------------------------------- */

#define NPY_HEADER "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n"

static bytes npy_2x2(void)
{
    bytes b = {0};
    put_npy(&b, NPY_HEADER, (float[]){1, 2, 3, 4}, 16);
    return b;
}

TEST(detection)
{
    bytes npy = npy_2x2(), zipped = {0}, idx = {0};
    put_gzip(&zipped, npy.p, npy.len);
    put(&idx, "\0\0\x08\2\0\0\0\2\0\0\0\2\1\2\3\4", 16);
    zip_maker z = {0};
    zip_add(&z, "X.npy", npy.p, npy.len, 1);
    bytes npz = zip_end(&z);
    static const char *const names[] = {"a.csv", "a.npy", "a",
                                        "a.tsv"}; /* the content counts, not the name */
    for (int i = 0; i < 4; i++) {
        EXPECT_TABLE(read_bytes(&npy, names[i], NULL), 2, 2, 1, 2, 3, 4);
        EXPECT_TABLE(read_bytes(&zipped, names[i], NULL), 2, 2, 1, 2, 3, 4);
        EXPECT_TABLE(read_bytes(&idx, names[i], NULL), 2, 2, 1, 2, 3, 4);
        EXPECT_TABLE(read_bytes(&npz, names[i], NULL), 2, 2, 1, 2, 3, 4);
        EXPECT_TABLE(read_as("1,2\n3,4\n", i < 3 ? names[i] : "a.CSV", none), 2, 2, 1, 2, 3, 4);
    }
    bytes packed = {0};
    put_gzip(&packed, npz.p, npz.len);
    EXPECT_TABLE(read_bytes(&packed, "a.npz.gz", NULL), 2, 2, 1, 2, 3, 4);
    drop(&packed);
    put_gzip(&packed, "1,2\n3,4\n", 8);
    EXPECT_TABLE(read_bytes(&packed, NULL, NULL), 2, 2, 1, 2, 3, 4);
    drop(&packed);
    drop(&npy);
    drop(&zipped);
    drop(&idx);
    drop(&npz);
}

/* In a TSV a comma is an ordinary character: 1,5 in a column of text. */
TEST(tsv)
{
    static const char *const names[] = {"a.tsv", "b.TSV", "c.tsv.gz", "tsv", ".tsv", "a.csv"};
    for (int i = 0; i < 6; i++) {
        odim_read_options o = {.ignore = i < 3 ? "a" : NULL};
        odim_table *t = read_as("a\tb\n1,5\t2\n", names[i], o);
        if (i < 3)
            EXPECT_TABLE(t, 1, 1, 2);
        else
            CHECK(t == NULL && strstr(err.msg, "not a number: '1,5'"));
    }
    EXPECT_TABLE(READ("1,2\n", .format = "tsv", .ignore = "2", .delimiter = ','), 1, 1, 1);
    EXPECT(ODIM_ERR_DATA, 1, 1,
           "t.csv: row 1 (line 1), column 'x1': not a number: '1,2' (decimals need a point)", "1,2\n",
           .format = "tsv");
}

TEST(forced_format)
{
    EXPECT(ODIM_ERR_PARAM, 0, 0, "format 'xls' is not known; csv, tsv, npy, npz, idx and auto are", "1\n",
           .format = "xls");
    EXPECT(ODIM_ERR_FORMAT, 0, 0, "t.csv: not an NPY file: it does not begin with \\x93NUMPY", "1\n",
           .format = "npy");
    EXPECT(ODIM_ERR_FORMAT, 0, 0, "t.csv: not an IDX file: it does not begin with two zero bytes", "1\n",
           .format = "idx");
    EXPECT(ODIM_ERR_FORMAT, 0, 0,
           "t.csv: not a whole zip archive (NPZ): its directory, which belongs at the end, is missing: the "
           "file is "
           "truncated",
           "1\n", .format = "npz");
    bytes npy = npy_2x2();
    odim_read_options o = {.format = "csv"};
    expect_error(
        read_bytes(&npy, "a.npy", &o), ODIM_ERR_FORMAT, 1, 0,
        "a.npy: row 1 (line 1): a zero byte, so this is not text; if it is UTF-16, save it as UTF-8");
    drop(&npy);
    EXPECT_TABLE(READ("1,2\n", .format = "auto"), 1, 2, 1, 2);
}

TEST(foreign_formats)
{
    static const struct {
        size_t len;
        const char *bytes, *msg;
    } files[] = {
        {8, "PAR1\x15\0\0\0", "f: it is a Parquet file, which cannot be read; convert it to CSV, NPY or NPZ"},
        {8, "ARROW1\0\0", "f: it is an Arrow file, which cannot be read; convert it to CSV, NPY or NPZ"},
        {8, "\x89HDF\r\n\x1a\n",
         "f: it is an HDF5 file, which cannot be read; convert it to CSV, NPY or NPZ"},
        {20, "MATLAB 5.0 MAT-file,",
         "f: it is a MATLAB file, which cannot be read; convert it to CSV, NPY or NPZ"},
        {6, "\xFD\x37zXZ\0",
         "f: it is compressed with xz, which cannot be read; convert it to CSV, NPY or NPZ"},
        {10, "BZh91AY&SY",
         "f: it is compressed with bzip2, which cannot be read; convert it to CSV, NPY or NPZ"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bytes b = {(unsigned char *)files[i].bytes, files[i].len, 0};
        expect_error(read_bytes(&b, "f", NULL), ODIM_ERR_FORMAT, 0, 0, files[i].msg);
    }
    EXPECT_TABLE(READ_PLAIN("PAR1,PAR2\n1,2\n"), 1, 2, 1, 2); /* names of columns */
}

TEST(bad_arguments)
{
    odim_table *t;
    CHECK_INT(odim_table_read(&t, NULL, NULL, &err), ODIM_ERR_PARAM);
    CHECK(t == NULL);
    CHECK_INT(odim_table_read_memory(&t, NULL, 1, "x", NULL, &err), ODIM_ERR_PARAM);
    CHECK_INT(odim_table_read_memory(&t, NULL, 0, NULL, NULL, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "<memory>: the file is empty");
    CHECK_INT(odim_table_read_memory(&t, "a", 1, "x", NULL, NULL), ODIM_ERR_DATA); /* nobody listens */
    static const int delimiters[] = {'"', '\n', '\r', 127, 200, -1, 1000};
    for (size_t i = 0; i < sizeof delimiters / sizeof *delimiters; i++)
        EXPECT(ODIM_ERR_PARAM, 0, 0,
               "the delimiter must be a tab or a printable ASCII character, but no quote", "1\n",
               .delimiter = delimiters[i]);
}

/* ---- arrays --------------------------------------------------------------------------------------- */

TEST(npy_columns)
{
    bytes b = {0};
    put_npy(&b, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }\n",
            (double[]){10, 0.1, 1, 2, 20, 1e300, 0, 3, 30, NAN, 1, 4}, 96);
    odim_read_options o = {.label = "x3", .id = "2"};
    odim_table *t = read_bytes(&b, "a.npy", &o);
    REQUIRE(t);
    CHECK_STR(odim_table_id_name(t), "x2");
    CHECK_STR(odim_table_id(t, 0), "0.1");
    CHECK_STR(odim_table_id(t, 1), "1e+300");
    CHECK_STR(odim_table_id(t, 2), "nan");
    CHECK_STR(odim_table_label_name(t), "x3");
    CHECK(t->labels[0] == 1 && t->labels[1] == 0 && t->labels[2] == 1);
    CHECK_STR(odim_table_name(t, 0), "x1");
    CHECK_STR(odim_table_name(t, 1), "x4");
    EXPECT_TABLE(t, 3, 2, 10, 2, 20, 3, 30, 4);
    expect_error(
        read_bytes(&b, "a.npy", NULL), ODIM_ERR_DATA, 3, 2,
        "a.npy: row 3, column 'x2': missing value (NaN); fill it in, drop the row, or leave the column out "
        "(--ignore x2)");
    o = (odim_read_options){.label = "4", .ignore = "2"};
    expect_error(
        read_bytes(&b, "a.npy", &o), ODIM_ERR_DATA, 1, 4,
        "a.npy: row 1, column 'x4': 2 is not a label; labels are 1 (outlier) and 0 (inlier): recode them, or "
        "leave them out (--ignore x4)");
    o = (odim_read_options){.label = "y"};
    expect_error(read_bytes(&b, "a.npy", &o), ODIM_ERR_DATA, 0, 0,
                 "a.npy: there is no column 'y'; there are x1, x2, x3, x4");
    double infinite = -INFINITY;
    memcpy(b.p + b.len - 24, &infinite, 8);
    expect_error(
        read_bytes(&b, "a.npy", NULL), ODIM_ERR_DATA, 3, 2,
        "a.npy: row 3, column 'x2': infinite value; fill it in, drop the row, or leave the column out "
        "(--ignore x2)");
    b.len--;
    expect_error(read_bytes(&b, "a.npy", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npy: the data ends after 95 of 96 bytes: the file is truncated, or its header wrong");
    drop(&b);
    b = npy_2x2();
    o = (odim_read_options){.id = "x1", .only = "x2"};
    t = read_bytes(&b, "a.npy", &o);
    REQUIRE(t);
    CHECK_STR(odim_table_id(t, 1), "3");
    EXPECT_TABLE(t, 2, 1, 2, 4);
    drop(&b);
}

/* A header may promise what it likes: no memory is taken for it. */
TEST(npy_promises)
{
    bytes b = {0};
    put_npy(&b, "{'descr': '|u1', 'fortran_order': False, 'shape': (1000000000000, 2), }\n", "abc", 3);
    expect_error(
        read_bytes(&b, "a.npy", NULL), ODIM_ERR_FORMAT, 0, 0,
        "a.npy: the data ends after 3 of 2000000000000 bytes: the file is truncated, or its header wrong");
    drop(&b);
    put_npy(&b, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1000000000000), }\n", "abc", 3);
    expect_error(read_bytes(&b, "a.npy", NULL), ODIM_ERR_DATA, 0, 0,
                 "a.npy: more than 1048576 columns; reduce the dimension first");
    drop(&b);
    put_npy(&b, "{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }\n", "abc", 3);
    expect_error(read_bytes(&b, "a.npy", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npy: it is an object array, stored as pickled Python, and nothing in a file is executed "
                 "here; save it "
                 "as numbers: numpy.save(file, array.astype(float))");
    drop(&b);
}

/* An archive of a 2 x 2 X and this y. */
static bytes npz_with(const char *y_header, const void *y, size_t len)
{
    bytes x = npy_2x2(), member = {0};
    zip_maker z = {0};
    put_npy(&member, y_header, y, len);
    zip_add(&z, "y.npy", member.p, member.len, 1);
    zip_add(&z, "X.npy", x.p, x.len, 0);
    drop(&member);
    drop(&x);
    return zip_end(&z);
}

TEST(npz_labels)
{
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\1\0", 2);
    odim_table *t = read_bytes(&b, "a.npz", NULL);
    REQUIRE(t);
    CHECK_STR(odim_table_label_name(t), "y");
    CHECK(t->labels[0] == 1 && t->labels[1] == 0);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    odim_read_options o = {.ignore = "y"};
    t = read_bytes(&b, "a.npz", &o);
    REQUIRE(t);
    CHECK(t->labels == NULL && t->label_name == NULL);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    o = (odim_read_options){.id = "y"};
    t = read_bytes(&b, "a.npz", &o);
    REQUIRE(t);
    CHECK_STR(odim_table_id(t, 0), "1");
    CHECK(t->labels == NULL);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    o = (odim_read_options){.label = "x1"};
    expect_error(
        read_bytes(&b, "a.npz", &o), ODIM_ERR_DATA, 2, 1,
        "a.npz: row 2, column 'x1': 3 is not a label; labels are 1 (outlier) and 0 (inlier): recode them, or "
        "leave them out (--ignore x1)");
    drop(&b);
}

TEST(npz_bad_labels)
{
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n", "\1\0\1", 3);
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_DATA, 0, 0,
                 "a.npz: y.npy: 3 x 1 values, but X has 2 rows; one for each row is needed");
    drop(&b);
    b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n", "\1\0\1\0", 4);
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_DATA, 0, 0,
                 "a.npz: y.npy: 2 x 2 values, but X has 2 rows; one for each row is needed");
    drop(&b);
    b = npz_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", (double[]){0, NAN}, 16);
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_DATA, 2, 3,
                 "a.npz: row 2, column 'y': nan is not a label; labels are 1 (outlier) and 0 (inlier): "
                 "recode them, or "
                 "leave them out (--ignore y)");
    drop(&b);
    /* What is not needed is not read. */
    b = npz_with("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n", "", 0);
    odim_read_options o = {.ignore = "y"};
    EXPECT_TABLE(read_bytes(&b, "a.npz", &o), 2, 2, 1, 2, 3, 4);
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npz: y.npy: it is an object array, stored as pickled Python, and nothing in a file is "
                 "executed here; "
                 "save it as numbers: numpy.save(file, array.astype(float))");
    drop(&b);
}

TEST(npz_damaged)
{
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\1\0", 2);
    size_t at = 0;
    while (memcmp(b.p + at, (float[]){1}, 4) != 0) at++; /* the first cell of X */
    b.p[at] ^= 1;
    expect_error(read_bytes(&b, "a.npz", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npz: X.npy: its checksum (CRC-32) is wrong: the file is damaged");
    drop(&b);
}

/* ---- files ---------------------------------------------------------------------------------------- */

TEST(files)
{
    char path[] = "/tmp/odim-test-XXXXXX";
    int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    CHECK(write(fd, "a,b\n1,x\n", 8) == 8);
    close(fd);
    odim_table *t;
    char want[200];
    CHECK_INT(odim_table_read(&t, path, NULL, &err), ODIM_ERR_DATA);
    snprintf(
        want, sizeof want,
        "%s: column 'b' is not numeric (row 1, line 2: 'x'): leave it out (--ignore b) or make it numeric",
        path);
    CHECK_STR(err.msg, want);
    odim_read_options o = {.ignore = "b"};
    CHECK_INT(odim_table_read(&t, path, &o, &err), ODIM_OK);
    EXPECT_TABLE(t, 1, 1, 1);
    /* The same file as standard input. */
    int saved = dup(STDIN_FILENO), in = open(path, O_RDONLY);
    dup2(in, STDIN_FILENO);
    CHECK_INT(odim_table_read(&t, "-", NULL, &err), ODIM_ERR_DATA);
    CHECK(strncmp(err.msg, "<stdin>: column 'b'", 19) == 0);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(in);
    unlink(path);
    CHECK_INT(odim_table_read(&t, path, NULL, &err), ODIM_ERR_IO);
    snprintf(want, sizeof want, "%s: cannot open: No such file or directory", path);
    CHECK_STR(err.msg, want);
    CHECK_INT(odim_table_read(&t, "/", NULL, &err), ODIM_ERR_IO);
    CHECK_STR(err.msg, "/: cannot read: Is a directory");
}

/* ---- memory --------------------------------------------------------------------------------------- */

/* Each allocation fails once: a clear status, and (with the sanitizer) no leak. */
static void starve(const bytes *b, const odim_read_options *o, int at_least)
{
    int n = 1;
    odim_table *t = NULL;
    for (; n < 1000; n++) {
        od_mem_fail_at(n);
        t = read_bytes(b, "t", o);
        if (t) break;
        CHECK_INT(err.status, ODIM_ERR_NOMEM);
        CHECK(strstr(err.msg, "out of memory"));
    }
    od_mem_fail_at(0);
    CHECK(t && n > at_least);
    odim_table_free(t);
}

TEST(out_of_memory)
{
    odim_read_options o = {.label = "y", .id = "id"};
    bytes csv = {0}, zipped = {0};
    put_text(&csv, "id,a,b,y\n");
    for (int i = 0; i < 9000; i++) put_text(&csv, "some_id,12345.678,7,0\n");
    put_gzip(&zipped, csv.p, csv.len);
    starve(&csv, &o, 20);
    starve(&zipped, &o, 22);
    drop(&csv);
    drop(&zipped);
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\1\0", 2);
    o = (odim_read_options){.id = "x1"};
    starve(&b, &o, 15);
    drop(&b);
    b = npy_2x2();
    o = (odim_read_options){.ignore = "x1"};
    put_gzip(&zipped, b.p, b.len);
    starve(&zipped, &o, 8);
    drop(&b);
    drop(&zipped);
}

int main(void)
{
    RUN(csv);
    RUN(names);
    RUN(labels);
    RUN(csv_ragged);
    RUN(csv_cells);
    RUN(csv_ugly_cells);
    RUN(csv_long_message);
    RUN(nothing_to_read);
    RUN(columns_that_are_not_there);
    RUN(too_many_columns);
    RUN(many_rows);
    RUN(detection);
    RUN(tsv);
    RUN(forced_format);
    RUN(foreign_formats);
    RUN(bad_arguments);
    RUN(npy_columns);
    RUN(npy_promises);
    RUN(npz_labels);
    RUN(npz_bad_labels);
    RUN(npz_damaged);
    RUN(files);
    RUN(out_of_memory);
    return test_end();
}
