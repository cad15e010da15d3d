/* tests: npyhead utf8 */
#include "writer.h"

#include <unistd.h>

#include "test.h"

static char path[] = "/tmp/odim-writer-XXXXXX";

static const od_out_column columns[] = {
    {"row", OD_CELL_INT}, {"name", OD_CELL_TEXT}, {"score", OD_CELL_NUMBER}, {"is, it?", OD_CELL_FLAG}};

static char bytes[4096];
static size_t size;

static void read_back(void)
{
    FILE *file = fopen(path, "rb");
    size = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    bytes[size] = '\0';
    if (file) fclose(file);
}

/* Three rows in a format; rows: what is announced. Fills `bytes`. */
static bool write_rows(od_row_format format, int64_t rows)
{
    od_out out;
    od_writer w;
    if (!od_out_open(&out, path)) return false;
    bool fine = od_writer_begin(&w, &out, format, columns, 4, rows, false);
    if (fine) {
        od_writer_int(&w, 1);
        od_writer_text(&w, "plain");
        od_writer_number(&w, -1.0 / 3);
        od_writer_flag(&w, false);
        od_writer_int(&w, INT64_MIN);
        od_writer_text(&w, "a \"b\",\tc\\\n");
        od_writer_number(&w, INFINITY);
        od_writer_flag(&w, true);
        od_writer_int(&w, 3);
        od_writer_text(&w, NULL);
        od_writer_number(&w, NAN);
        od_writer_flag(&w, true);
        fine = od_writer_end(&w);
    }
    fine = fine && od_out_commit(&out);
    od_out_discard(&out);
    read_back();
    return fine;
}

TEST(csv)
{
    REQUIRE(write_rows(OD_ROWS_CSV, -1));
    CHECK_STR(bytes, "row,name,score,\"is, it?\"\n"
                     "1,plain,-0.333333333,0\n"
                     "-9223372036854775808,\"a \"\"b\"\",\tc\\\n\",inf,1\n"
                     "3,,,1\n");
}

/* One text between two others, safe for a spreadsheet. */
static const char *safely(od_row_format format, const char *text)
{
    static const od_out_column one[] = {{"=name", OD_CELL_TEXT}};
    od_out out;
    od_writer w;
    bool fine = od_out_open(&out, path) && od_writer_begin(&w, &out, format, one, 1, 1, true);
    if (fine) od_writer_copy(&w, text);
    fine = fine && od_writer_end(&w) && od_out_commit(&out);
    read_back();
    return fine && strncmp(bytes, "'=name\n", 7) == 0 ? bytes + 7 : "?";
}

TEST(formulas)
{
    static const char *const formulas[] = {"=1", "+x", "-x",  "@a",  "--5", "-5-5",
                                           "-",  "+",  "-e5", "-5e", "-.",  "-1 "};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        char want[32];
        const char *quote = strchr(formulas[i], ' ') ? "\"" : "";
        bool missing = strcmp(formulas[i], "-") == 0;
        snprintf(want, sizeof want, "%s%s%s%s\n", quote, missing ? "" : "'", formulas[i], quote);
        CHECK_STR(safely(OD_ROWS_CSV, formulas[i]), want);
    }
    CHECK_STR(safely(OD_ROWS_CSV, "\tx"), "'\tx\n");
    CHECK_STR(safely(OD_ROWS_CSV, "\rx"), "\"'\rx\"\n");
    CHECK_STR(safely(OD_ROWS_TSV, "\tx"), "'\\tx\n");
    CHECK_STR(safely(OD_ROWS_CSV, "\xEF\xBC\x9D"
                                  "1"),
              "'\xEF\xBC\x9D"
              "1\n");
    static const char *const plain[] = {"", "x=1", "5", "-5", "+3.2", "-.5", "+5.", "-1e-9", "-1E+9", "'=1"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char want[32];
        snprintf(want, sizeof want, "%s\n", plain[i]);
        CHECK_STR(safely(OD_ROWS_CSV, plain[i]), want);
    }
}

TEST(tsv)
{
    REQUIRE(write_rows(OD_ROWS_TSV, -1));
    CHECK_STR(bytes, "row\tname\tscore\tis, it?\n"
                     "1\tplain\t-0.333333333\t0\n"
                     "-9223372036854775808\ta \"b\",\\tc\\\\\\n\tinf\t1\n"
                     "3\t\t\t1\n");
}

TEST(json_lines)
{
    REQUIRE(write_rows(OD_ROWS_JSONL, 3));
    CHECK_STR(bytes,
              "{\"row\": 1, \"name\": \"plain\", \"score\": -0.333333333, \"is, it?\": false}\n"
              "{\"row\": -9223372036854775808, \"name\": \"a \\\"b\\\",\\tc\\\\\\n\", \"score\": null, "
              "\"is, it?\": true}\n"
              "{\"row\": 3, \"name\": null, \"score\": null, \"is, it?\": true}\n");
}

static double number_at(size_t at)
{
    double v;
    memcpy(&v, bytes + at, sizeof v); /* the machine that runs this is little-endian, as the file is */
    return v;
}

TEST(npy)
{
    static const char want[] =
        "{'descr': [('row', '<i8'), ('score', '<f8'), ('is, it?', '|u1')], 'fortran_order': False, "
        "'shape': (3,), }";
    for (int announced = 0; announced < 2; announced++) {
        REQUIRE(write_rows(OD_ROWS_NPY, announced ? 3 : -1));
        size_t head = 10 + (unsigned char)bytes[8] + 256 * (unsigned char)bytes[9];
        CHECK(memcmp(bytes, "\x93NUMPY\x01\x00", 8) == 0);
        CHECK_INT(head % 64, 0);
        CHECK_INT(bytes[head - 1], '\n');
        CHECK(memcmp(bytes + 10, want, strlen(want)) == 0);
        CHECK_INT(strspn(bytes + 10 + strlen(want), " "), head - 11 - strlen(want));
        CHECK_INT(size, head + 3 * 17);
        CHECK(memcmp(bytes + head, "\1\0\0\0\0\0\0\0", 8) == 0);
        CHECK(number_at(head + 8) == -1.0 / 3);
        CHECK_INT(bytes[head + 16], 0);
        CHECK(memcmp(bytes + head + 17, "\0\0\0\0\0\0\0\x80", 8) == 0);
        CHECK(isinf(number_at(head + 17 + 8)));
        CHECK_INT(bytes[head + 33], 1);
        CHECK(isnan(number_at(head + 34 + 8)));
    }
}

/* Fills `bytes` with the header of columns without rows. */
static bool write_header(const od_out_column *some, int count)
{
    od_out out;
    od_writer w;
    if (!od_out_open(&out, path)) return false;
    bool fine = od_writer_begin(&w, &out, OD_ROWS_NPY, some, count, 0, false) && od_writer_end(&w);
    fine = fine && od_out_commit(&out);
    od_out_discard(&out);
    read_back();
    return fine;
}

TEST(npy_of_one_column)
{
    static const od_out_column two[] = {{"id", OD_CELL_TEXT}, {"score", OD_CELL_NUMBER}};
    REQUIRE(write_header(two, 2));
    CHECK_INT(size, 128);
    CHECK(strncmp(bytes + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), } ", 58) == 0);
    CHECK(!write_header(two, 1)); /* only a text */
}

/* Names become strings of Python, in ASCII. */
TEST(npy_names)
{
    static const od_out_column odd[] = {{"it's \\", OD_CELL_INT},
                                        {"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", OD_CELL_INT},
                                        {"tab\t \x80", OD_CELL_FLAG}};
    REQUIRE(write_header(odd, 3));
    CHECK(strstr(bytes + 10, "[('it\\'s \\\\', '<i8'), ('\\u00e9 \\u20ac \\U0001f600', '<i8'), "
                             "('tab\\x09 \\ufffd', '|u1')]"));
}

/* The size of the header is the same for any number of rows, also where the padding just begins anew. */
TEST(npy_alignment)
{
    char name[80] = "";
    for (size_t len = 1; len < sizeof name; len++) {
        name[len - 1] = 'x';
        od_out_column two[] = {{name, OD_CELL_INT}, {"y", OD_CELL_FLAG}};
        REQUIRE(write_header(two, 2));
        CHECK_INT(size % 64, 0);
        od_out out;
        od_writer w;
        REQUIRE(od_out_open(&out, path));
        CHECK(od_writer_begin(&w, &out, OD_ROWS_NPY, two, 2, INT64_MAX, false));
        CHECK_INT(ftell(out.file), size);
        od_out_discard(&out);
    }
}

TEST(npy_too_long)
{
    static char name[65000];
    memset(name, 'x', sizeof name - 1);
    od_out_column two[] = {{name, OD_CELL_INT}, {"y", OD_CELL_FLAG}};
    CHECK(write_header(two, 2));
    od_out_column three[] = {{name, OD_CELL_INT}, {"y", OD_CELL_FLAG}, {name + 64000, OD_CELL_INT}};
    CHECK(!write_header(three, 3));
}

TEST(wrong_number_of_rows)
{
    CHECK(!write_rows(OD_ROWS_CSV, 2));
    CHECK(!write_rows(OD_ROWS_NPY, 4));
}

TEST(npy_needs_the_rows_in_a_pipe)
{
    od_out out;
    od_writer w;
    REQUIRE(od_out_open(&out, "/dev/null"));
    CHECK(!od_writer_begin(&w, &out, OD_ROWS_NPY, columns, 4, -1, false));
    CHECK(od_writer_begin(&w, &out, OD_ROWS_NPY, columns, 4, 0, false));
    od_out_discard(&out);
}

TEST(formats)
{
    CHECK_INT(od_writer_format(NULL, NULL), OD_ROWS_CSV);
    CHECK_INT(od_writer_format(NULL, "-"), OD_ROWS_CSV);
    CHECK_INT(od_writer_format(NULL, "x.tsv"), OD_ROWS_TSV);
    CHECK_INT(od_writer_format(NULL, "x.npy.csv"), OD_ROWS_CSV);
    CHECK_INT(od_writer_format(NULL, "x.jsonl"), OD_ROWS_JSONL);
    CHECK_INT(od_writer_format(NULL, "x.ndjson"), OD_ROWS_JSONL);
    CHECK_INT(od_writer_format(NULL, "x.npy"), OD_ROWS_NPY);
    CHECK_INT(od_writer_format(NULL, "npy"), OD_ROWS_CSV);
    CHECK_INT(od_writer_format("tsv", "x.npy"), OD_ROWS_TSV);
    CHECK_INT(od_writer_format("csv", "x.npy"), OD_ROWS_CSV);
    CHECK_INT(od_writer_format("jsonl", NULL), OD_ROWS_JSONL);
}

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    RUN(csv);
    RUN(formulas);
    RUN(tsv);
    RUN(json_lines);
    RUN(npy);
    RUN(npy_of_one_column);
    RUN(npy_names);
    RUN(npy_alignment);
    RUN(npy_too_long);
    RUN(wrong_number_of_rows);
    RUN(npy_needs_the_rows_in_a_pipe);
    RUN(formats);
    unlink(path);
    return test_end();
}
