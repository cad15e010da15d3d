/* tests: npyhead */
#include "writer.h"

#include <unistd.h>

#include "test.h"

static char path[] = "/tmp/odim-writer-XXXXXX";

static const cli_out_column columns[] = {
    {"row", CLI_CELL_INT}, {"name", CLI_CELL_TEXT}, {"score", CLI_CELL_NUMBER}, {"is, it?", CLI_CELL_FLAG}};

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
static bool write_rows(cli_row_format format, int64_t rows)
{
    cli_out out;
    cli_writer w;
    if (!cli_out_open(&out, path)) return false;
    bool fine = cli_writer_begin(&w, &out, format, columns, 4, rows, false);
    if (fine) {
        cli_writer_int(&w, 1);
        cli_writer_text(&w, "plain");
        cli_writer_number(&w, -1.0 / 3);
        cli_writer_flag(&w, false);
        cli_writer_int(&w, INT64_MIN);
        cli_writer_text(&w, "a \"b\",\tc\\\n");
        cli_writer_number(&w, INFINITY);
        cli_writer_flag(&w, true);
        cli_writer_int(&w, 3);
        cli_writer_text(&w, NULL);
        cli_writer_number(&w, NAN);
        cli_writer_flag(&w, true);
        fine = cli_writer_end(&w);
    }
    fine = fine && cli_out_commit(&out);
    cli_out_discard(&out);
    read_back();
    return fine;
}

TEST(csv)
{
    REQUIRE(write_rows(CLI_ROWS_CSV, -1));
    CHECK_STR(bytes, "row,name,score,\"is, it?\"\n"
                     "1,plain,-0.333333333,0\n"
                     "-9223372036854775808,\"a \"\"b\"\",\tc\\\n\",inf,1\n"
                     "3,,,1\n");
}

/* One text between two others, safe for a spreadsheet. */
static const char *safely(cli_row_format format, const char *text)
{
    static const cli_out_column one[] = {{"=name", CLI_CELL_TEXT}};
    cli_out out;
    cli_writer w;
    bool fine = cli_out_open(&out, path) && cli_writer_begin(&w, &out, format, one, 1, 1, true);
    if (fine) cli_writer_copy(&w, text);
    fine = fine && cli_writer_end(&w) && cli_out_commit(&out);
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
        CHECK_STR(safely(CLI_ROWS_CSV, formulas[i]), want);
    }
    CHECK_STR(safely(CLI_ROWS_CSV, "\tx"), "'\tx\n");
    CHECK_STR(safely(CLI_ROWS_CSV, "\rx"), "\"'\rx\"\n");
    CHECK_STR(safely(CLI_ROWS_TSV, "\tx"), "'\\tx\n");
    CHECK_STR(safely(CLI_ROWS_CSV, "\xEF\xBC\x9D"
                                   "1"),
              "'\xEF\xBC\x9D"
              "1\n");
    static const char *const plain[] = {"", "x=1", "5", "-5", "+3.2", "-.5", "+5.", "-1e-9", "-1E+9", "'=1"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char want[32];
        snprintf(want, sizeof want, "%s\n", plain[i]);
        CHECK_STR(safely(CLI_ROWS_CSV, plain[i]), want);
    }
}

TEST(tsv)
{
    REQUIRE(write_rows(CLI_ROWS_TSV, -1));
    CHECK_STR(bytes, "row\tname\tscore\tis, it?\n"
                     "1\tplain\t-0.333333333\t0\n"
                     "-9223372036854775808\ta \"b\",\\tc\\\\\\n\tinf\t1\n"
                     "3\t\t\t1\n");
}

TEST(json_lines)
{
    REQUIRE(write_rows(CLI_ROWS_JSONL, 3));
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
        REQUIRE(write_rows(CLI_ROWS_NPY, announced ? 3 : -1));
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
static bool write_header(const cli_out_column *some, int count)
{
    cli_out out;
    cli_writer w;
    if (!cli_out_open(&out, path)) return false;
    bool fine = cli_writer_begin(&w, &out, CLI_ROWS_NPY, some, count, 0, false) && cli_writer_end(&w);
    fine = fine && cli_out_commit(&out);
    cli_out_discard(&out);
    read_back();
    return fine;
}

TEST(npy_of_one_column)
{
    static const cli_out_column two[] = {{"id", CLI_CELL_TEXT}, {"score", CLI_CELL_NUMBER}};
    REQUIRE(write_header(two, 2));
    CHECK_INT(size, 128);
    CHECK(strncmp(bytes + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), } ", 58) == 0);
    CHECK(!write_header(two, 1)); /* only a text */
}

/* Names become strings of Python, in ASCII. */
TEST(npy_names)
{
    static const cli_out_column odd[] = {{"it's \\", CLI_CELL_INT},
                                         {"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", CLI_CELL_INT},
                                         {"tab\t \x80", CLI_CELL_FLAG}};
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
        cli_out_column two[] = {{name, CLI_CELL_INT}, {"y", CLI_CELL_FLAG}};
        REQUIRE(write_header(two, 2));
        CHECK_INT(size % 64, 0);
        cli_out out;
        cli_writer w;
        REQUIRE(cli_out_open(&out, path));
        CHECK(cli_writer_begin(&w, &out, CLI_ROWS_NPY, two, 2, INT64_MAX, false));
        CHECK_INT(ftell(out.file), size);
        cli_out_discard(&out);
    }
}

TEST(npy_too_long)
{
    static char name[65000];
    memset(name, 'x', sizeof name - 1);
    cli_out_column two[] = {{name, CLI_CELL_INT}, {"y", CLI_CELL_FLAG}};
    CHECK(write_header(two, 2));
    cli_out_column three[] = {{name, CLI_CELL_INT}, {"y", CLI_CELL_FLAG}, {name + 64000, CLI_CELL_INT}};
    CHECK(!write_header(three, 3));
}

TEST(wrong_number_of_rows)
{
    CHECK(!write_rows(CLI_ROWS_CSV, 2));
    CHECK(!write_rows(CLI_ROWS_NPY, 4));
}

TEST(npy_needs_the_rows_in_a_pipe)
{
    cli_out out;
    cli_writer w;
    REQUIRE(cli_out_open(&out, "/dev/null"));
    CHECK(!cli_writer_begin(&w, &out, CLI_ROWS_NPY, columns, 4, -1, false));
    CHECK(cli_writer_begin(&w, &out, CLI_ROWS_NPY, columns, 4, 0, false));
    cli_out_discard(&out);
}

TEST(formats)
{
    CHECK_INT(cli_writer_format(NULL, NULL), CLI_ROWS_CSV);
    CHECK_INT(cli_writer_format(NULL, "-"), CLI_ROWS_CSV);
    CHECK_INT(cli_writer_format(NULL, "x.tsv"), CLI_ROWS_TSV);
    CHECK_INT(cli_writer_format(NULL, "x.npy.csv"), CLI_ROWS_CSV);
    CHECK_INT(cli_writer_format(NULL, "x.jsonl"), CLI_ROWS_JSONL);
    CHECK_INT(cli_writer_format(NULL, "x.ndjson"), CLI_ROWS_JSONL);
    CHECK_INT(cli_writer_format(NULL, "x.npy"), CLI_ROWS_NPY);
    CHECK_INT(cli_writer_format(NULL, "npy"), CLI_ROWS_CSV);
    CHECK_INT(cli_writer_format("tsv", "x.npy"), CLI_ROWS_TSV);
    CHECK_INT(cli_writer_format("csv", "x.npy"), CLI_ROWS_CSV);
    CHECK_INT(cli_writer_format("jsonl", NULL), CLI_ROWS_JSONL);
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
