/* tests: read. Reading tables of every format. */
#include "prep/read.h"

#include <fcntl.h>
#include <unistd.h>

#include "common/mem.h"
#include "scratch.h"
#include "tables.h"
#include "starve.h"

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
        EXPECT_TABLE(read_as("1,2\n3,4\n", i < 3 ? names[i] : "a.CSV",
                             (odim_read_options){.size = sizeof(odim_read_options)}),
                     2, 2, 1, 2, 3, 4);
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

/* In a TSV a comma is an ordinary character: 1,5 is a number with a decimal comma. */
TEST(tsv)
{
    static const char *const names[] = {"a.tsv", "b.TSV", "c.tsv.gz", "tsv", ".tsv", "a.csv"};
    for (int i = 0; i < 6; i++)
        expect_text(
            read_as("a\tb\n1,5\t2\n", names[i], (odim_read_options){.size = sizeof(odim_read_options)}),
            "1.5|2");
    for (int i = 0; i < 3; i++)
        expect_text(read_as("1,2\n3,4\n", names[i], (odim_read_options){.size = sizeof(odim_read_options)}),
                    "1.2;3.4");
    EXPECT_TABLE(READ("1,2\n", .format = "tsv", .ignore = NAMES("2"), .delimiter = ','), 1, 1, 1);
    expect_text(READ("1,2\n", .format = "tsv"), "1.2");
}

TEST(forced_format)
{
    EXPECT(
        ODIM_ERR_PARAM, 0, 0,
        "format 'xls' is not known; csv, tsv, npy, npz, idx, json, jsonl, xlsx, ods, sqlite, parquet, arrow, "
        "duckdb and auto are",
        "1\n", .format = "xls");
    EXPECT(ODIM_ERR_FORMAT, 0, 0, "t.csv: not an NPY file: it does not begin with \\x93NUMPY", "1\n",
           .format = "npy");
    EXPECT(ODIM_ERR_FORMAT, 0, 0, "t.csv: not an IDX file: it does not begin with two zero bytes", "1\n",
           .format = "idx");
    EXPECT(ODIM_ERR_FORMAT, 0, 0,
           "t.csv: not a whole zip archive: its directory, which belongs at the end, is missing: the "
           "file is "
           "truncated",
           "1\n", .format = "npz");
    bytes npy = npy_2x2();
    odim_read_options o = {.size = sizeof(odim_read_options), .format = "csv"};
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
        {8, "ARROW1\0\0", "f: the Arrow data ends too early: the file is truncated"},
        {4, "FEA1",
         "f: it is a Feather file of version 1, which cannot be read; convert it to CSV, NPY or NPZ"},
        {8, "\x89HDF\r\n\x1a\n",
         "f: it is an HDF5 file, which cannot be read; convert it to CSV, NPY or NPZ"},
        {20, "MATLAB 5.0 MAT-file,",
         "f: it is a MATLAB file, which cannot be read; convert it to CSV, NPY or NPZ"},
        {6, "\xFD\x37zXZ\0", "f: the xz data ends too early: the file is truncated"},
        {10, "BZh91AY&SY", "f: the bzip2 data ends too early: the file is truncated"},
        {4, "\x28\xB5\x2F\xFD", "f: the zstd data ends too early: the file is truncated"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bytes b = {(unsigned char *)files[i].bytes, files[i].len, 0};
        expect_error(read_bytes(&b, "f", NULL), ODIM_ERR_FORMAT, 0, 0, files[i].msg);
    }
    /* DuckDB refuses these, or it is not there. */
    static const char *const cut[] = {"PAR1\x15\0\0\0", "ARROW1\0\0"};
    for (size_t i = 0; i < 2; i++) {
        odim_table *t;
        CHECK(odim_table_read_memory(&t, cut[i], 8, "f", NULL, &err) != ODIM_OK);
        CHECK(!t && strncmp(err.msg, "f: ", 3) == 0);
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

TEST(files)
{
    scratch_make();
    const char *path = in_scratch("a.csv");
    write_text(path, "a,b\n1,-inf\n");
    odim_table *t;
    char want[400];
    CHECK_INT(odim_table_read(&t, path, NULL, &err), ODIM_ERR_DATA);
    snprintf(
        want, sizeof want,
        "%s: row 1 (line 2), column 'b': '-inf' is not a finite number; correct it, or count it as missing "
        "(set na)",
        path);
    CHECK_STR(err.msg, want);
    odim_read_options o = {.size = sizeof(odim_read_options), .ignore = NAMES("b")};
    CHECK_INT(odim_table_read(&t, path, &o, &err), ODIM_OK);
    EXPECT_TABLE(t, 1, 1, 1);
    unlink(path);
    CHECK_INT(odim_table_read(&t, path, NULL, &err), ODIM_ERR_IO);
    snprintf(want, sizeof want, "%s: cannot open: No such file or directory", path);
    CHECK_STR(err.msg, want);
    o.format = "csv";
    CHECK_INT(odim_table_read(&t, "/", &o, &err), ODIM_ERR_IO);
    CHECK_STR(err.msg, "/: cannot read: Is a directory");
}

/* Runs `read` with a file as standard input, from byte `offset` on. */
static odim_status read_stdin(const char *path, off_t offset, const odim_read_options *o, odim_table **t)
{
    int saved = dup(STDIN_FILENO), in = open(path, O_RDONLY);
    if (saved < 0 || in < 0 || lseek(in, offset, SEEK_SET) < 0) abort();
    dup2(in, STDIN_FILENO);
    odim_status status = odim_table_read(t, "-", o, &err);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(in);
    return status;
}

TEST(standard_input)
{
    odim_table *t;
    const char *path = in_scratch("a.csv");
    write_text(path, "# note\na,b\n1,x\n2,y\n");
    CHECK_INT(read_stdin(path, 7, NULL, &t), ODIM_OK); /* both passes begin where the caller left off */
    expect_text(t, "1|x;2|y");
    write_text(path, "a,b\n1,inf\n");
    CHECK_INT(read_stdin(path, 0, NULL, &t), ODIM_ERR_DATA);
    CHECK(strncmp(err.msg, "<stdin>: row 1 (line 2), column 'b'", 35) == 0);
}

/* Types need a pass of their own: what is packed is unpacked twice. */
TEST(packed_file)
{
    bytes text = {0}, packed = {0};
    put_text(&text, "a,b\n");
    for (int i = 0; i < 40000; i++) put_text(&text, i % 2 ? "1,x\n" : "2,y\n");
    put_gzip(&packed, text.p, text.len / 2);
    put_gzip(&packed, text.p + text.len / 2, text.len - text.len / 2);
    const char *path = in_scratch("a.csv.gz");
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fwrite(packed.p, 1, packed.len, f) == packed.len && !fclose(f));
    odim_table *t;
    odim_reader *r;
    const odim_table *block;
    REQUIRE(!odim_table_read(&t, path, NULL, &err));
    CHECK(odim_table_rows(t) == 40000 && odim_table_type(t, 1) == ODIM_CATEGORICAL);
    REQUIRE(!odim_reader_open(&r, path, NULL, &err));
    int64_t rows = 0;
    for (; !odim_reader_next(r, 10007, &block, &err) && block->n; rows += block->n)
        CHECK(same_rows(t, rows, block));
    CHECK_INT(rows, 40000);
    odim_reader_free(r);
    odim_table_free(t);
    drop(&text);
    drop(&packed);
}

/* A reader of blocks must not take the end of a file that was cut meanwhile for the end of its rows. */
TEST(file_that_shrinks)
{
    const char *path = in_scratch("a.csv");
    FILE *f = fopen(path, "w");
    REQUIRE(f);
    for (int i = 0; i < 100000; i++) fputs("1,2\n", f);
    fclose(f);
    odim_reader *r;
    const odim_table *block;
    REQUIRE(!odim_reader_open(&r, path, NULL, &err));
    CHECK(!odim_reader_next(r, 100, &block, &err) && block->n == 100);
    REQUIRE(!truncate(path, 300000));
    CHECK_INT(odim_reader_next(r, 1000000, &block, &err), ODIM_ERR_IO);
    CHECK(!block && strstr(err.msg, "a.csv: the file became shorter while it was being read"));
    odim_reader_free(r);
}

/* ---- pipes ---------------------------------------------------------------------------------------- */

static void say(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text)) abort();
}

/* With a model rows are given as they come, and a line that is not complete holds up none before it. */
TEST(rows_as_they_come)
{
    odim_model *m;
    odim_table *t = READ("a,c\n1,x\n2,y\n3,x\n4,y\n5,x\n6,y\n7,x\n8,y\n", .header = 1);
    odim_params *p = odim_params_new();
    REQUIRE(t && p && !odim_params_set(p, "max-updates", "1", &err) &&
            !odim_params_set(p, "members", "1", &err));
    REQUIRE(!odim_fit(t, p, NULL, &m, &err));
    int ends[2], saved = dup(STDIN_FILENO);
    REQUIRE(saved >= 0 && !pipe(ends));
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    odim_read_options o = {.size = sizeof(odim_read_options), .like = m};
    odim_reader *r;
    const odim_table *block;
    say(ends[1], "c,a\nx,1\ny,2\nz,");
    REQUIRE(!odim_reader_open(&r, "-", &o, &err));
    CHECK(!odim_reader_next(r, 100, &block, &err) && block->n == 2);
    say(ends[1], "3\n");
    CHECK(!odim_reader_next(r, 100, &block, &err) && block->n == 1 && od_table_row(block, 0) == 3);
    say(ends[1], "x,4\ny,5\nx,6\n");
    CHECK(!odim_reader_next(r, 1, &block, &err) && block->n == 1);
    CHECK(!odim_reader_next(r, 100, &block, &err) && block->n == 2);
    CHECK_INT(odim_table_value(block, 1, 0), 6);
    say(ends[1], "y,7");
    close(ends[1]);
    CHECK(!odim_reader_next(r, 100, &block, &err) && block->n == 1);
    CHECK(!odim_reader_next(r, 100, &block, &err) && block->n == 0);
    CHECK_INT(odim_reader_next(r, 0, &block, &err), ODIM_ERR_PARAM);
    odim_reader_free(r);
    dup2(saved, STDIN_FILENO);
    close(saved);
    odim_model_free(m);
    odim_params_free(p);
    odim_table_free(t);
}

/* ---- memory --------------------------------------------------------------------------------------- */

/* Each allocation fails once: a clear status, and (with the sanitizer) no leak. */
static void starve(const bytes *b, const odim_read_options *o, int at_least)
{
    odim_status status;
    EACH_ALLOCATION_FAILS_BUT(status, at_least, 1) /* the last one only saves memory */
    {
        odim_table *t = read_bytes(b, "t", o);
        status = t ? ODIM_OK : err.status;
        CHECK(t || strstr(err.msg, "out of memory"));
        odim_table_free(t);
    }
}

TEST(out_of_memory)
{
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "y", .id = "id"};
    bytes csv = {0}, zipped = {0};
    put_text(&csv, "id,a,b,y\n");
    for (int i = 0; i < 9000; i++) put_text(&csv, "some_id,12345.678,7,0\n");
    put_gzip(&zipped, csv.p, csv.len);
    starve(&csv, &o, 20);
    starve(&zipped, &o, 22);
    drop(&csv);
    drop(&zipped);
    bytes b = npz_with("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n", "\1\0", 2);
    o = (odim_read_options){.size = sizeof(odim_read_options), .id = "x1"};
    starve(&b, &o, 15);
    drop(&b);
    b = npy_2x2();
    o = (odim_read_options){.size = sizeof(odim_read_options), .ignore = NAMES("x1")};
    put_gzip(&zipped, b.p, b.len);
    starve(&zipped, &o, 8);
    drop(&b);
    drop(&zipped);
}

int main(void)
{
    RUN(detection);
    RUN(tsv);
    RUN(forced_format);
    RUN(foreign_formats);
    RUN(bad_arguments);
    RUN(files);
    RUN(standard_input);
    RUN(packed_file);
    RUN(file_that_shrinks);
    RUN(rows_as_they_come);
    RUN(out_of_memory);
    return test_end();
}
