#include "prep/read.h"

#include "schemas.h"

TEST(npy_columns)
{
    bytes b = {0};
    put_npy(&b, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }\n",
            (double[]){10, 0.1, 1, 2, 20, 1e300, 0, 3, 30, NAN, 1, 4}, 96);
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "x3", .id = "2"};
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
    EXPECT_TABLE(read_bytes(&b, "a.npy", NULL), 3, 4, 10, 0.1, 1, 2, 20, 1e300, 0, 3, 30, NAN, 1, 4);
    o = (odim_read_options){.size = sizeof(odim_read_options), .label = "4", .ignore = NAMES("2")};
    expect_error(
        read_bytes(&b, "a.npy", &o), ODIM_ERR_DATA, 1, 4,
        "a.npy: row 1, column 'x4': 2 is not a label; labels are 1 (outlier) and 0 (inlier): recode them, or "
        "leave them out (--ignore x4)");
    o = (odim_read_options){.size = sizeof(odim_read_options), .label = "y"};
    expect_error(read_bytes(&b, "a.npy", &o), ODIM_ERR_DATA, 0, 0,
                 "a.npy: there is no column 'y'; there are x1, x2, x3, x4");
    double infinite = -INFINITY;
    memcpy(b.p + b.len - 24, &infinite, 8);
    expect_error(
        read_bytes(&b, "a.npy", NULL), ODIM_ERR_DATA, 3, 2,
        "a.npy: row 3, column 'x2': infinite value; correct it, drop the row, or leave the column out "
        "(--ignore x2)");
    b.len--;
    expect_error(read_bytes(&b, "a.npy", NULL), ODIM_ERR_FORMAT, 0, 0,
                 "a.npy: the data ends after 95 of 96 bytes: the file is truncated, or its header wrong");
    drop(&b);
    b = npy_2x2();
    o = (odim_read_options){.size = sizeof(odim_read_options), .id = "x1", .only = NAMES("x2")};
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

TEST(npz_labels)
{
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\1\0", 2);
    odim_table *t = read_bytes(&b, "a.npz", NULL);
    REQUIRE(t);
    CHECK_STR(odim_table_label_name(t), "y");
    CHECK(t->labels[0] == 1 && t->labels[1] == 0);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    odim_read_options o = {.size = sizeof(odim_read_options), .ignore = NAMES("y")};
    t = read_bytes(&b, "a.npz", &o);
    REQUIRE(t);
    CHECK(t->labels == NULL && t->label_name == NULL);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    o = (odim_read_options){.size = sizeof(odim_read_options), .id = "y"};
    t = read_bytes(&b, "a.npz", &o);
    REQUIRE(t);
    CHECK_STR(odim_table_id(t, 0), "1");
    CHECK(t->labels == NULL);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    o = (odim_read_options){.size = sizeof(odim_read_options), .label = "x1"};
    expect_error(
        read_bytes(&b, "a.npz", &o), ODIM_ERR_DATA, 2, 1,
        "a.npz: row 2, column 'x1': 3 is not a label; labels are 1 (outlier) and 0 (inlier): recode them, or "
        "leave them out (--ignore x1)");
    drop(&b);
}

TEST(npz_known)
{
    bytes b = npz_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", (double[]){1, NAN}, 16);
    odim_read_options o = {.size = sizeof(odim_read_options), .known = "y"};
    odim_table *t = read_bytes(&b, "a.npz", &o);
    REQUIRE(t);
    CHECK(t->known[0] == 1 && t->known[1] == -1 && t->labels == NULL);
    EXPECT_TABLE(t, 2, 2, 1, 2, 3, 4);
    o = (odim_read_options){.size = sizeof(odim_read_options), .known = "x2", .ignore = NAMES("y")};
    expect_error(read_bytes(&b, "a.npz", &o), ODIM_ERR_DATA, 1, 2,
                 "a.npz: row 1, column 'x2': 2 is not what can be known of a row: 1 (outlier), 0 (inlier) or "
                 "NaN (not known)");
    drop(&b);
    b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\0\1", 2);
    o = (odim_read_options){.size = sizeof(odim_read_options), .known = "y"};
    t = read_bytes(&b, "a.npz", &o);
    REQUIRE(t);
    CHECK(t->known[0] == 0 && t->known[1] == 1);
    odim_table_free(t);
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
    odim_read_options o = {.size = sizeof(odim_read_options), .ignore = NAMES("y")};
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

/* ---- types ---------------------------------------------------------------------------------------- */

TEST(types_wanted)
{
    bytes b = {0};
    put_npy(&b, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }\n",
            (float[]){0.1f, 1, -9, NAN, 0, 5, 0.1f, -9, 7}, 36);
    odim_read_options o = {.size = sizeof(odim_read_options),
                           .categorical = NAMES("x1"),
                           .boolean = NAMES("x2"),
                           .na = NAMES("-9")};
    odim_table *t = read_bytes(&b, "a.npy", &o);
    REQUIRE(t);
    CHECK(t->col[0].type == ODIM_CATEGORICAL && t->col[1].type == ODIM_BOOLEAN &&
          t->col[2].type == ODIM_NUMERIC);
    expect_text(t, "0.1|true|;|false|5;0.1||7");
    o = (odim_read_options){.size = sizeof(odim_read_options),
                            .na = NAMES("0.1", "x")}; /* as a float has it */
    EXPECT_TABLE(read_bytes(&b, "a.npy", &o), 3, 3, NAN, 1, -9, NAN, 0, 5, NAN, -9, 7);
    o = (odim_read_options){.size = sizeof(odim_read_options), .boolean = NAMES("x3")};
    expect_error(read_bytes(&b, "a.npy", &o), ODIM_ERR_DATA, 1, 3,
                 "a.npy: row 1, column 'x3': neither true (1) nor false (0): -9");
    o = (odim_read_options){.size = sizeof(odim_read_options), .time = NAMES("x3")};
    expect_error(read_bytes(&b, "a.npy", &o), ODIM_ERR_DATA, 0, 3,
                 "a.npy: column 'x3': an array holds numbers, not times");
    drop(&b);
}

/* ---- blocks --------------------------------------------------------------------------------------- */

/* Block by block the same as at once, and then a mistake in the last row. */
static void expect_blocks(bytes *b, const odim_read_options *o, const od_schema *like)
{
    odim_table *all;
    REQUIRE(!od_read_table(&all, "a", b->p, b->len, o, like, &err));
    static const int64_t sizes[] = {1, 2, 7, 100};
    for (int i = 0; i < 4; i++) {
        odim_reader *r;
        const odim_table *block;
        int64_t rows = 0;
        REQUIRE(!od_reader_open(&r, "a", b->p, b->len, o, like, &err));
        while (!odim_reader_next(r, sizes[i], &block, &err) && block->n) {
            CHECK(block->n <= sizes[i] && od_table_row(block, 0) == rows + 1);
            if (!same_rows(all, rows, block)) TEST_SAY("blocks of %d: other rows", (int)sizes[i]);
            rows += block->n;
        }
        CHECK_INT(rows, all->n);
        CHECK(!odim_reader_next(r, 1, &block, &err) && block->n == 0);
        odim_reader_free(r);
    }
    odim_table_free(all);
}

enum { ROWS = 9, COLS = 3 };

/* A 9 x 3 array of the type, its last cell that of the caller. */
static bytes npy_9x3(const char *order, double last)
{
    bytes b = {0};
    char header[100];
    double x[ROWS * COLS];
    for (int i = 0; i < ROWS * COLS; i++) x[i] = i * 5 % 7;
    for (int i = 0; i < ROWS; i++) x[i] = i % 2; /* a label, if columns come first */
    x[12] = NAN;
    x[ROWS * COLS - 1] = last;
    snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': %s, 'shape': (9, 3), }\n", order);
    put_npy(&b, header, x, sizeof x);
    return b;
}

TEST(blocks)
{
    static const char *const orders[] = {"False", "True"};
    for (int k = 0; k < 2; k++) {
        bytes b = npy_9x3(orders[k], 4), packed = {0};
        odim_read_options o = {
            .size = sizeof(odim_read_options), .id = "x2", .keep = 1, .categorical = NAMES("x3")};
        if (k) o.label = "x1";
        expect_blocks(&b, &o, NULL);
        put_gzip(&packed, b.p, b.len);
        expect_blocks(&packed, &o, NULL);
        drop(&packed);
        drop(&b);
        b = npy_9x3(orders[k], INFINITY);
        odim_reader *r;
        const odim_table *block;
        REQUIRE(!od_reader_open(&r, "a", b.p, b.len, NULL, NULL, &err));
        CHECK(!odim_reader_next(r, 5, &block, &err) && block->n == 5);
        CHECK_INT(odim_reader_next(r, 5, &block, &err), ODIM_ERR_DATA);
        CHECK(!block && err.row == 8 && err.col == 2 &&
              strstr(err.msg, "row 9, column 'x3': infinite value"));
        odim_reader_free(r);
        drop(&b);
    }
}

/* An archive is one piece, and its rows still come in blocks, with their labels. */
TEST(blocks_of_an_archive)
{
    bytes x = npy_9x3("False", 4), y = {0};
    zip_maker z = {0};
    put_npy(&y, "{'descr': '|u1', 'fortran_order': False, 'shape': (9,), }\n", "\0\1\0\0\1\1\0\1\0", 9);
    zip_add(&z, "X.npy", x.p, x.len, 1);
    zip_add(&z, "y.npy", y.p, y.len, 1);
    bytes b = zip_end(&z);
    odim_read_options o = {.size = sizeof(odim_read_options), .keep = 1, .id = "x1"};
    expect_blocks(&b, &o, NULL);
    o = (odim_read_options){.size = sizeof(odim_read_options), .id = "y"};
    expect_blocks(&b, &o, NULL);
    drop(&b);
    drop(&x);
    drop(&y);
}

/* ---- for a model ---------------------------------------------------------------------------------- */

TEST(like_a_model)
{
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\1\0", 2);
    odim_table *t = READ("a,b\n1,5\n3,7\n1,5\n3,7\n", .categorical = NAMES("b")), *got;
    od_schema s;
    REQUIRE(t && !make_schema(&s, t, OD_SCALE_MINMAX));
    odim_table_free(t);
    expect_blocks(&b, &(odim_read_options){.size = sizeof(odim_read_options), .keep = 1}, &s);
    REQUIRE(!od_read_table(&got, "a.npz", b.p, b.len, NULL, &s, &err));
    CHECK_STR(odim_table_name(got, 1), "b");
    CHECK_STR(odim_table_note(got, 0),
              "the file has no column names: its columns are taken in the model's order");
    CHECK(got->labels && got->labels[0] == 1);
    expect_text(got, "1|2;3|4");
    /* X has two columns: with one of them as the label, there are too few, and y does not step in. */
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "x1"};
    CHECK_INT(od_read_table(&got, "a.npz", b.p, b.len, &o, &s, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "a.npz: the model needs columns 'a', 'b', which are not there");
    od_schema_free(&s);
    drop(&b);
}

/* A few bytes that declare rows x 10000 doubles. */
static bytes bomb(long long rows, bool gzip, size_t zip_size)
{
    char header[200];
    bytes npy = {0}, b = {0};
    snprintf(header, sizeof header, "{'descr': '<f8', 'fortran_order': False, 'shape': (%lld, 10000), }",
             rows);
    put_npy(&npy, header, "", 0);
    if (gzip) {
        put_gzip(&b, npy.p, npy.len);
    } else {
        zip_maker z = {0};
        zip_add(&z, "X.npy", npy.p, npy.len, 1);
        b = zip_end(&z);
        /* What the directory says of its size may be true or not. */
        for (size_t i = 0; zip_size && i + 28 < b.len; i++)
            if (memcmp(b.p + i, "PK\1\2", 4) == 0) set_little(&b, i + 24, zip_size, 4);
    }
    drop(&npy);
    return b;
}

static void expect_refused(bytes b, const char *name, int64_t most, const char *before, const char *after)
{
    odim_table *t =
        read_bytes(&b, name, &(odim_read_options){.size = sizeof(odim_read_options), .unpacked = most});
    if (t || err.status != ODIM_ERR_DATA || !strstr(err.msg, before) || !strstr(err.msg, after))
        TEST_SAY("%s", t ? "was read" : err.msg);
    odim_table_free(t);
    drop(&b);
}

TEST(more_than_memory_is_refused)
{
    const char *declares = "the compressed array declares 40000 x 10000 values, which need 3.0 GB of memory";
    /* By default whatever the memory: so few bytes cannot hold so much. */
    expect_refused(bomb(40000, false, 0), "b.npz", 0, "b.npz: X.npy: ", declares);
    expect_refused(bomb(40000, false, 0xEFFFFFFF), "b.npz", 0, declares, "at most 256.0 MB is allowed");
    expect_refused(bomb(40000, false, 0), "b.npz", 1 << 20, declares, "at most 1.0 MB is allowed");
    expect_refused(bomb(40000, false, 0), "b.npz", 1 << 20, declares, "--unpacked 3052M");
    expect_refused(bomb(40000, true, 0), "b.npy.gz", 1 << 20, declares, "at most 1.0 MB is allowed");
    expect_refused(bomb(4000000000000, true, 0), "b.npy.gz", 0, "declares 4000000000000 x 10000 values",
                   "if the file can be trusted");
    /* What is allowed is read, and found to be cut short. */
    bytes b = bomb(40000, false, 0);
    CHECK(!read_bytes(&b, "b.npz",
                      &(odim_read_options){.size = sizeof(odim_read_options), .unpacked = (int64_t)4 << 30}));
    CHECK(strstr(err.msg, "ends after 0 of"));
    drop(&b);
}

/* An archive within gzip, larger than what may be unpacked. */
TEST(gzip_of_an_archive_is_limited)
{
    size_t size = (size_t)3 << 20;
    char *zeros = calloc(size, 1);
    zip_maker z = {0};
    REQUIRE(zeros);
    zip_add(&z, "X.npy", zeros, size, 0);
    bytes zip = zip_end(&z), b = {0};
    put_gzip(&b, zip.p, zip.len);
    odim_table *t = read_bytes(&b, "b.npz.gz",
                               &(odim_read_options){.size = sizeof(odim_read_options), .unpacked = 1 << 20});
    CHECK(!t && err.status == ODIM_ERR_DATA && strstr(err.msg, "unpacks to more than 1.0 MB"));
    drop(&zip);
    drop(&b);
    free(zeros);
}

int main(void)
{
    RUN(npy_columns);
    RUN(npy_promises);
    RUN(npz_labels);
    RUN(npz_known);
    RUN(npz_bad_labels);
    RUN(npz_damaged);
    RUN(types_wanted);
    RUN(blocks);
    RUN(blocks_of_an_archive);
    RUN(like_a_model);
    RUN(more_than_memory_is_refused);
    RUN(gzip_of_an_archive_is_limited);
    return test_end();
}
