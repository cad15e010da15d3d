/* tests: read text_rows text_cells dense_rows. A file that is read in parts, wherever it is cut, gives the
 * rows of the whole. */
#include "prep/read.h"
#include "scratch.h"
#include "tables.h"

/* Quotes that hide line ends, quotes that do not, all three line ends, blank lines, a last line without end.
 */
static const char text[] = "a,b,c\n"
                           "1,\"x\ny,1,2\n3,4,5\",2\n"
                           "\n"
                           "2,5\" pipe,\r\n"
                           "3,\"he said \"\"no\"\"\n\",7\r"
                           "4, \"q\" ,8\n"
                           "5,\"\n\n\n\",9\n"
                           "6,plain,10\n"
                           "7,\"1,2,3\n1,2,3\n1,2,3\",11";

/* Adds the rows that the reader still has as text, one a line: its number, and what it holds. */
static void add_rows(odim_reader *r, bytes *out)
{
    const odim_table *block;
    while (!odim_reader_next(r, 2, &block, &err) && block->n)
        for (int64_t i = 0; i < block->n; i++) {
            char line[100], cell[60];
            snprintf(line, sizeof line, "%d:", (int)od_table_row(block, i));
            put_text(out, line);
            for (int64_t j = 0; j < block->d; j++) {
                put_text(out, odim_table_text(block, i, j, cell, sizeof cell));
                put_text(out, "|");
            }
            put_text(out, block->labels && block->labels[i] ? "1\n" : "0\n");
        }
}

static bool alike(const bytes *a, const bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->p, b->p, a->len) == 0);
}

static odim_reader *open_parts(const char *path, const odim_read_options *o)
{
    odim_reader *r;
    if (od_reader_open_parts(&r, path, o, NULL, &err)) {
        TEST_SAY("%s", err.msg);
        return NULL;
    }
    return r;
}

/* Rows and types of the text cut at byte `at`; also where the second part was guessed to begin. */
static bytes read_cut(const char *path, int64_t at, bool *guessed)
{
    bytes out = {0};
    od_type_votes votes[3] = {{0}}, later[3] = {{0}};
    od_span one = {.end = at, .line = 1}, two = {.end = INT64_MAX};
    int64_t rows, start, line;
    odim_reader *r = open_parts(path, NULL);
    if (!r) return out;
    CHECK(od_reader_is_text(r) && od_reader_length(r) == (int64_t)strlen(text));
    CHECK_INT(od_reader_guess(r, at, &start, &err), ODIM_OK);
    CHECK(!od_reader_part(r, &one, &err) && !od_reader_count_types(r, votes, 100, &rows, &err));
    od_reader_end(r, &two.at, &two.line);
    two.row = rows;
    *guessed = start == two.at;
    CHECK(!od_reader_part(r, &two, &err) && !od_reader_count_types(r, later, 100, &rows, &err));
    CHECK_INT(two.row + rows, 7);
    for (int j = 0; j < 3; j++) od_type_votes_merge(&votes[j], &later[j], &err);
    CHECK_INT(od_reader_decide_types(r, votes, &err), ODIM_OK);
    CHECK_INT(od_reader_table(r)->col[1].type, ODIM_CATEGORICAL);
    CHECK_INT(od_reader_part(r, &one, &err), ODIM_OK);
    add_rows(r, &out);
    CHECK_INT(od_reader_part(r, &two, &err), ODIM_OK);
    add_rows(r, &out);
    od_reader_end(r, &start, &line);
    CHECK_INT(line, 17);
    odim_reader_free(r);
    od_type_votes_clear(votes, 3);
    od_type_votes_clear(later, 3);
    return out;
}

TEST(text_cut_anywhere)
{
    const char *path = in_scratch("t.csv");
    bytes want = {0};
    odim_reader *whole;
    int wrong = 0;
    write_text(path, text);
    REQUIRE(!odim_reader_open(&whole, path, NULL, &err));
    add_rows(whole, &want);
    odim_reader_free(whole);
    for (int64_t at = 1; at <= (int64_t)strlen(text); at++) {
        bool guessed = false;
        bytes got = read_cut(path, at, &guessed);
        if (!alike(&got, &want)) TEST_SAY("cut at %d: %.*s", (int)at, (int)got.len, got.p);
        wrong += !guessed;
        drop(&got);
    }
    /* In the last row three lines look like rows. */
    CHECK(wrong < 30);
    drop(&want);
}

/* One column, in which a blank line is a cell; cut anywhere. */
static void cut_lines(const char *lines, const char *want)
{
    const char *path = in_scratch("one.csv");
    write_text(path, lines);
    for (int64_t at = 1; at <= (int64_t)strlen(lines); at++) {
        bytes got = {0};
        od_type_votes votes[2] = {{0}};
        od_span one = {.end = at, .line = 1}, two = {.end = INT64_MAX};
        int64_t rows = 0;
        odim_reader *r = open_parts(path, NULL);
        REQUIRE(r);
        CHECK(!od_reader_part(r, &one, &err) && !od_reader_count_types(r, &votes[0], 100, &rows, &err));
        od_reader_end(r, &two.at, &two.line);
        two.row = rows;
        CHECK(!od_reader_part(r, &two, &err) && !od_reader_count_types(r, &votes[1], 100, &rows, &err));
        od_type_votes_merge(&votes[0], &votes[1], &err);
        CHECK_INT(od_reader_decide_types(r, votes, &err), ODIM_OK);
        CHECK_INT(od_reader_part(r, &one, &err), ODIM_OK);
        add_rows(r, &got);
        CHECK_INT(od_reader_part(r, &two, &err), ODIM_OK);
        add_rows(r, &got);
        if (got.len != strlen(want) || memcmp(got.p, want, got.len) != 0)
            TEST_SAY("cut at %d: %.*s", (int)at, (int)got.len, got.p);
        odim_reader_free(r);
        drop(&got);
    }
}

TEST(one_column)
{
    cut_lines("\n\na\n\n1\n \n\n2\r\n\r\n\"3\"\n\n\n", "1:|0\n2:1|0\n3:|0\n4:|0\n5:2|0\n6:|0\n7:3|0\n");
    cut_lines("\n\n1\n\n2\n3", "1:1|0\n2:|0\n3:2|0\n4:3|0\n");
}

/* A mistake has the number of its row and line in the file. */
TEST(mistake_in_a_part)
{
    const char *path = in_scratch("bad.csv");
    od_type_votes votes[2] = {{0}};
    int64_t rows;
    write_text(path, "a,b\n1,2\n3,4\n5\n");
    odim_reader *r = open_parts(path, NULL);
    REQUIRE(r);
    CHECK_INT(od_reader_part(r, &(od_span){.at = 8, .end = 99, .row = 1, .line = 3}, &err), ODIM_OK);
    CHECK_INT(od_reader_count_types(r, votes, 100, &rows, &err), ODIM_ERR_DATA);
    CHECK(strstr(err.msg, "bad.csv: row 3 (line 4): 1 field, expected 2") && rows == 1);
    odim_reader_free(r);
}

/* What is packed is one part. */
TEST(gzip)
{
    const char *path = in_scratch("t.csv.gz");
    bytes b = {0}, want = {0}, got = {0};
    put_deflated(&b, "a\n1\n2\n", 6, 15 + 16);
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fwrite(b.p, 1, b.len, f) == b.len && !fclose(f));
    odim_reader *r = open_parts(path, NULL);
    REQUIRE(r);
    CHECK_INT(od_reader_length(r), 0);
    CHECK_INT(od_reader_part(r, &(od_span){.end = INT64_MAX, .line = 1}, &err), ODIM_OK);
    add_rows(r, &got);
    put_text(&want, "1:1|0\n2:2|0\n");
    CHECK(alike(&got, &want));
    odim_reader_free(r);
    drop(&b);
    drop(&got);
    drop(&want);
}

/* ---- arrays --------------------------------------------------------------------------------------- */

enum { N = 11 };

static void expect_array(const bytes *b, const char *name, bool labels, bool can_be_cut)
{
    const char *path = in_scratch(name);
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fwrite(b->p, 1, b->len, f) == b->len && !fclose(f));
    for (int at = 0; at <= N; at++)
        for (int end = at; end <= N; end++) {
            bytes want = {0}, got = {0};
            for (int i = at; i < end; i++) {
                char line[60];
                snprintf(line, sizeof line, "%d:%d|%d|%d\n", i + 1, 2 * i, 2 * i + 1, labels && i % 3 == 0);
                put_text(&want, line);
            }
            odim_reader *r = open_parts(path, NULL);
            REQUIRE(r);
            CHECK_INT(od_reader_length(r), can_be_cut ? N : 0);
            CHECK_INT(od_reader_rows(r), N);
            od_span part = {.at = at, .end = end, .row = at};
            CHECK_INT(od_reader_part(r, &part, &err), ODIM_OK);
            add_rows(r, &got);
            /* A second time, from another place. */
            CHECK_INT(od_reader_part(r, &part, &err), ODIM_OK);
            bytes again = {0};
            add_rows(r, &again);
            if (!alike(&got, &want)) TEST_SAY("%s, %d to %d: %.*s", name, at, end, (int)got.len, got.p);
            CHECK(alike(&again, &got));
            drop(&want);
            drop(&got);
            drop(&again);
            odim_reader_free(r);
        }
}

TEST(arrays_cut_anywhere)
{
    int16_t x[N * 2], turned[N * 2];
    int8_t y[N];
    bytes rows = {0}, cols = {0}, labels = {0};
    for (int i = 0; i < N * 2; i++) x[i] = turned[i % 2 * N + i / 2] = (int16_t)i;
    for (int i = 0; i < N; i++) y[i] = i % 3 == 0;
    put_npy(&rows, "{'descr': '<i2', 'fortran_order': False, 'shape': (11, 2), }\n", x, sizeof x);
    put_npy(&cols, "{'descr': '<i2', 'fortran_order': True, 'shape': (11, 2), }\n", turned, sizeof turned);
    put_npy(&labels, "{'descr': '|i1', 'fortran_order': False, 'shape': (11,), }\n", y, sizeof y);
    expect_array(&rows, "rows.npy", false, true);
    expect_array(&cols, "cols.npy", false, false);
    for (int deflated = 0; deflated < 2; deflated++) {
        zip_maker z = {0};
        zip_add(&z, "X.npy", rows.p, rows.len, deflated);
        zip_add(&z, "y.npy", labels.p, labels.len, deflated);
        bytes archive = zip_end(&z);
        expect_array(&archive, deflated ? "packed.npz" : "stored.npz", true, !deflated);
        drop(&archive);
    }
    drop(&rows);
    drop(&cols);
    drop(&labels);
}

int main(void)
{
    scratch_make();
    RUN(text_cut_anywhere);
    RUN(one_column);
    RUN(mistake_in_a_part);
    RUN(gzip);
    RUN(arrays_cut_anywhere);
    return test_end();
}
