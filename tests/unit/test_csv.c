/* tests: csv_parse. The CSV parser. */
#include "io/csv.h"

#include <unistd.h>

#include "common/mem.h"
#include "bytes.h"
#include "starve.h"
#include "test.h"

#define BUFFER (128 << 10) /* the parser's first buffer */

static odim_error err;

/* The table as text to compare: fields between |, quoted ones in <>, the line of a record before it. */
static odim_status parse_bytes(const void *text, size_t len, char delimiter, bool header, char *out,
                               size_t size)
{
    od_source *src = NULL;
    od_csv *csv = NULL;
    od_record r;
    size_t used = 0;
    odim_status status = od_source_memory(&src, text, len, &err);
    if (!status) status = od_csv_open(&csv, src, &err);
    if (!status) od_csv_set(csv, delimiter, header);
    *out = '\0';
    while (!status && !(status = od_csv_next(csv, &r, &err)) && r.count && used + 1 < size) {
        used += (size_t)snprintf(out + used, size - used, "%lld:", (long long)r.line);
        for (size_t i = 0; i < r.count && used + 1 < size; i++) {
            const od_field *f = &r.fields[i];
            used += (size_t)snprintf(out + used, size - used, f->quoted ? "%s<%.*s>" : "%s%.*s", i ? "|" : "",
                                     (int)f->len, f->text);
        }
        used += used + 1 < size ? (size_t)snprintf(out + used, size - used, " ") : 0;
    }
    od_csv_close(csv);
    od_source_close(src);
    return status;
}

static char shown[4096];

static const char *parse(const char *text)
{
    odim_status status = parse_bytes(text, strlen(text), ',', false, shown, sizeof shown);
    return status ? err.msg : shown;
}

TEST(plain)
{
    CHECK_STR(parse(""), "");
    CHECK_STR(parse("a"), "1:a ");
    CHECK_STR(parse("a,b,c\n1,2,3\n"), "1:a|b|c 2:1|2|3 ");
    CHECK_STR(parse("a,b,c\n1,2,3"), "1:a|b|c 2:1|2|3 ");
    CHECK_STR(parse(",\n,,"), "1:| 2:|| ");
    CHECK_STR(parse(" a , b \n"), "1: a | b  ");
    CHECK_STR(parse("5\" pipe,a\"b\n"), "1:5\" pipe|a\"b ");
}

TEST(line_ends)
{
    CHECK_STR(parse("a,b\r\n1,2\r\n"), "1:a|b 2:1|2 ");
    CHECK_STR(parse("a,b\r1,2\r"), "1:a|b 2:1|2 ");
    CHECK_STR(parse("a\r1\n2\r\n3"), "1:a 2:1 3:2 4:3 ");
    CHECK_STR(parse("a\r"), "1:a ");
    CHECK_STR(parse("a\r\n"), "1:a ");
    CHECK_STR(parse("a,\r\n,b"), "1:a| 2:|b ");
}

TEST(blank_lines)
{
    CHECK_STR(parse("\n\n"), "");
    CHECK_STR(parse("\n\na\n\n \t \r\n\r\nb\n\n"), "3:a 7:b ");
    CHECK_STR(parse("\"\"\na\n"), "1:<> 2:a ");
    parse_bytes("a\n\t\nb", 5, '\t', false, shown, sizeof shown);
    CHECK_STR(shown, "1:a 2:| 3:b ");
}

TEST(quotes)
{
    CHECK_STR(parse("\"a\",\"b\"\n"), "1:<a>|<b> ");
    CHECK_STR(parse("\"a,b\",c\n"), "1:<a,b>|c ");
    CHECK_STR(parse("\"a\nb\",c\nd,e\n"), "1:<a\nb>|c 3:d|e ");
    CHECK_STR(parse("\"a\r\nb\",c\r\nd,e\r\n"), "1:<a\r\nb>|c 3:d|e ");
    CHECK_STR(parse("\"a\rb\rc\",c\rd\r"), "1:<a\rb\rc>|c 4:d ");
    CHECK_STR(parse("\"a\"\"b\"\n"), "1:<a\"b> ");
    CHECK_STR(parse("\"\"\"\"\"\",\"\"\"a\"\"\"\n"), "1:<\"\">|<\"a\"> ");
    CHECK_STR(parse("\"\",\"\""), "1:<>|<> ");
    CHECK_STR(parse("\"a\""), "1:<a> ");
    CHECK_STR(parse("  \"a\" \t,  \"b,c\"  \n"), "1:<a>|<b,c> ");
    CHECK_STR(parse("\"a\"\r\n\"b\"\r"), "1:<a> 2:<b> ");
    parse_bytes("\"a b\" c\n", 8, ' ', false, shown, sizeof shown);
    CHECK_STR(shown, "1:<a b>|c ");
}

TEST(malformed_quotes)
{
    CHECK_STR(parse("a,b\n1,\"2\n3,4\n"), "row 2 (line 2): the quote that opens here is never closed");
    CHECK_STR(parse("\"a\nb\",\"c\nd"), "row 1 (line 2): the quote that opens here is never closed");
    CHECK_INT(err.row, 0);
    CHECK_STR(parse("\""), "row 1 (line 1): the quote that opens here is never closed");
    CHECK_STR(parse("a\n\"b\" c,d\n"),
              "row 2 (line 2): text after a closing quote; a quote inside a quoted field is written twice");
    CHECK_INT(parse_bytes("\n\"a", 3, ',', true, shown, sizeof shown), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "header (line 2): the quote that opens here is never closed");
}

TEST(other_delimiters)
{
    parse_bytes("a;b,c\n", 6, ';', false, shown, sizeof shown);
    CHECK_STR(shown, "1:a|b,c ");
    parse_bytes("a\t\"b\tc\"\td\n", 11, '\t', false, shown, sizeof shown);
    CHECK_STR(shown, "1:a|<b\tc>|d ");
}

TEST(encodings)
{
    CHECK_STR(parse("\xEF\xBB\xBF"
                    "a,b\n1,2\n"),
              "1:a|b 2:1|2 ");
    CHECK_STR(parse("\xEF\xBB\xBF\"a\"\n"), "1:<a> ");
    CHECK_STR(parse("\xEF\xBB\xBF"), "");
    CHECK_STR(parse("a\xEF\xBB\xBF\n"), "1:a\xEF\xBB\xBF ");
    static const char *const utf16[] = {"\xFF\xFE"
                                        "a\0\n\0",
                                        "\xFE\xFF\0a\0\n"};
    for (int i = 0; i < 2; i++) {
        od_source *src;
        od_csv *csv;
        parse_bytes(utf16[i], 6, ',', false, shown, sizeof shown);
        CHECK_STR(shown, "1:a ");
        REQUIRE(!od_source_memory(&src, utf16[i], 6, &err) && !od_source_set_encoding(&src, "utf-8", &err));
        CHECK_INT(od_csv_open(&csv, src, &err), ODIM_ERR_FORMAT);
        CHECK_STR(
            err.msg,
            "the byte at offset 0 is not valid in the encoding utf-8; name the right one (set encoding)");
        od_source_close(src);
    }
    CHECK_INT(parse_bytes("a\nb\0c\n", 6, ',', true, shown, sizeof shown), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "row 1 (line 2): a zero byte, so this is not text; if it is UTF-16, save it as UTF-8");
    CHECK_INT(parse_bytes("a\n\"b\n\0c\"\n", 9, ',', true, shown, sizeof shown), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "row 1 (line 2): a zero byte, so this is not text; if it is UTF-16, save it as UTF-8");
}

/* Fields that are not UTF-8 are Windows-1252, each for itself. */
TEST(windows1252)
{
    static const char text[] = "Stra\xDF"
                               "e,n\xC3\xA4her,\"K\xE4se \"\"\x80\"\"\"\na,b,c\n"
                               "\"\xE9\n\xE9\",\x81\xFF,\xC3\xA4\xE4\n";
    static const char want[] = "1:Stra\xC3\x9F"
                               "e|n\xC3\xA4her|<K\xC3\xA4se \"\xE2\x82\xAC\"> 2:a|b|c "
                               "3:<\xC3\xA9\n\xC3\xA9>|\xEF\xBF\xBD\xC3\xBF|\xC3\x83\xC2\xA4\xC3\xA4 ";
    od_source *src;
    od_csv *csv;
    od_record r;
    int64_t line;
    CHECK_INT(parse_bytes(text, sizeof text - 1, ',', false, shown, sizeof shown), ODIM_OK);
    CHECK_STR(shown, want);
    REQUIRE(!od_source_memory(&src, text, sizeof text - 1, &err) && !od_csv_open(&csv, src, &err));
    CHECK_INT(od_csv_recoded(csv, &line), 0);
    for (int i = 0; i < 3; i++) REQUIRE(!od_csv_next(csv, &r, &err));
    CHECK(od_csv_recoded(csv, &line) == 5 && line == 1 && r.line == 3 && od_csv_line(csv) == 5);
    od_csv_close(csv);
    od_source_close(src);
    /* A named encoding is believed. */
    REQUIRE(!od_source_memory(&src, "\xE4,\"\xE4\"", 5, &err));
    REQUIRE(!od_source_set_encoding(&src, "utf-8", &err) && !od_csv_open(&csv, src, &err));
    REQUIRE(!od_csv_next(csv, &r, &err));
    CHECK(r.count == 2 && r.fields[0].len == 1 && r.fields[1].len == 1 && !od_csv_recoded(csv, &line));
    od_csv_close(csv);
    od_source_close(src);
    REQUIRE(!od_source_memory(&src, "\xE4,1\n", 4, &err));
    REQUIRE(!od_source_set_encoding(&src, "latin1", &err) && !od_csv_open(&csv, src, &err));
    REQUIRE(!od_csv_next(csv, &r, &err));
    CHECK(r.fields[0].len == 2 && !od_csv_recoded(csv, &line));
    od_csv_close(csv);
    od_source_close(src);
}

/* Every cut of the text gives what no cut gives: nothing is decided by what comes later. */
TEST(windows1252_in_parts)
{
    bytes b = {0};
    od_source *src;
    od_csv *csv;
    od_record r;
    for (int i = 0; i < 5000; i++) put_text(&b, i % 7 ? "1,\xC3\xA4,x\n" : "2,\xE4,y\n");
    int64_t at[2] = {0, 0}, line, n = 0;
    REQUIRE(!od_source_memory(&src, b.p, b.len, &err) && !od_csv_open(&csv, src, &err));
    while (!od_csv_next(csv, &r, &err) && r.count) {
        CHECK(r.fields[1].len == 2 && memcmp(r.fields[1].text, "\xC3\xA4", 2) == 0);
        if (++n == 4000) at[0] = od_csv_at(csv);
    }
    CHECK_INT(od_csv_recoded(csv, &line), 715);
    REQUIRE(!od_csv_seek(csv, at[0], INT64_MAX, 4001, 4001, &err));
    for (n = 4000; !od_csv_next(csv, &r, &err) && r.count; n++)
        CHECK(r.fields[1].len == 2 && memcmp(r.fields[1].text, "\xC3\xA4", 2) == 0);
    CHECK_INT(n, 5000);
    od_csv_close(csv);
    od_source_close(src);
    drop(&b);
}

TEST(runs_of_blanks)
{
    static const struct {
        const char *text, *want;
    } cases[] = {{"a b\n1 2\n", "1:a|b 2:1|2 "},
                 {"  a   b\t \tc  \n1 2 3\n", "1:a|b|c 2:1|2|3 "},
                 {"\ta\t\r\n \t \r\n  b \r", "1:a 3:b "},
                 {" \"a  b\"  \"\" c", "1:<a  b>|<>|c "},
                 {"1  2", "1:1|2 "},
                 {"1 2  ", "1:1|2 "},
                 {"1 \"2\" \n", "1:1|<2> "},
                 {"a,b;c 5\" d\n", "1:a,b;c|5\"|d "},
                 {"", ""},
                 {"  ", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(parse_bytes(cases[i].text, strlen(cases[i].text), ' ', false, shown, sizeof shown),
                  ODIM_OK);
        CHECK_STR(shown, cases[i].want);
    }
    CHECK_INT(parse_bytes("1 \0 2\n", 6, ' ', false, shown, sizeof shown), ODIM_ERR_FORMAT);
}

TEST(rows_are_counted)
{
    od_source *src;
    od_csv *csv;
    od_record r;
    for (int header = 0; header < 2; header++) {
        REQUIRE(!od_source_memory(&src, "a\n\n1\n2\n", 7, &err));
        REQUIRE(!od_csv_open(&csv, src, &err));
        od_csv_set(csv, ',', header);
        for (int i = 0; i < 3; i++) {
            REQUIRE(!od_csv_next(csv, &r, &err));
            CHECK_INT(r.row, i + !header);
            CHECK_INT(r.line, i == 0 ? 1 : i + 2);
        }
        for (int i = 0; i < 2; i++) {
            REQUIRE(!od_csv_next(csv, &r, &err));
            CHECK_INT(r.count, 0);
        }
        od_csv_close(csv);
        od_source_close(src);
    }
    od_csv_close(NULL);
}

/* Every cut of every kind of token by the end of the buffer gives what no cut gives. */
static void cut_at_buffer_end(char delimiter, const char *tail, const char *want, int lines);

TEST(buffer_ends)
{
    cut_at_buffer_end(',', "\"x\"\"y\" ,\"a\r\nb\",7\r\n8,9, \"\"\"\"\r\n\r\nz\"\r10,11\n\"12\"",
                      "|<x\"y>|<a\r\nb>|7 |8|9|<\"> |z\" |10|11 |<12> ", 8);
    cut_at_buffer_end(' ', "  \"x\"  7 \t8\t\r\n \t\r\n1  \xE4 \r 2 \xC3\xA4 \"\xE4\xE4\"  ",
                      "|<x>|7|8 |1|\xC3\xA4 |2|\xC3\xA4|<\xC3\xA4\xC3\xA4> ", 5);
}

static void cut_at_buffer_end(char delimiter, const char *tail, const char *want, int lines)
{
    size_t tail_len = strlen(tail);
    char *text = malloc(BUFFER + 100);
    for (size_t pad = BUFFER - tail_len - 4; pad < BUFFER + 5; pad++) {
        memset(text, 'a', pad);
        text[pad - 1] = '\n';
        memcpy(text + pad, tail, tail_len);
        od_source *src;
        od_csv *csv;
        od_record r;
        char got[200] = "";
        size_t used = 0;
        REQUIRE(!od_source_memory(&src, text, pad + tail_len, &err));
        REQUIRE(!od_csv_open(&csv, src, &err));
        od_csv_set(csv, delimiter, false);
        REQUIRE(!od_csv_next(csv, &r, &err));
        CHECK(r.count == 1 && r.fields[0].len == pad - 1);
        int64_t last = 0;
        while (!od_csv_next(csv, &r, &err) && r.count) {
            last = r.line;
            for (size_t i = 0; i < r.count; i++)
                used +=
                    (size_t)snprintf(got + used, sizeof got - used, r.fields[i].quoted ? "|<%.*s>" : "|%.*s",
                                     (int)r.fields[i].len, r.fields[i].text);
            used += (size_t)snprintf(got + used, sizeof got - used, " ");
        }
        CHECK_STR(got, want);
        CHECK_INT(last, lines);
        od_csv_close(csv);
        od_source_close(src);
    }
    free(text);
}

TEST(long_records)
{
    bytes b = {0};
    char *part = malloc(BUFFER);
    memset(part, ',', BUFFER);
    put(&b, "\"", 1);
    for (int i = 0; i < 10; i++) put(&b, part, BUFFER);
    put_text(&b, "\"\n1,2\n");
    od_source *src;
    od_csv *csv;
    od_record r;
    REQUIRE(!od_source_memory(&src, b.p, b.len, &err));
    REQUIRE(!od_csv_open(&csv, src, &err));
    REQUIRE(!od_csv_next(csv, &r, &err));
    CHECK(r.count == 1 && r.fields[0].len == 10 * BUFFER);
    REQUIRE(!od_csv_next(csv, &r, &err));
    CHECK(r.count == 2 && r.line == 2);
    od_csv_close(csv);
    od_source_close(src);

    b.p[0] = ',';
    b.p[b.len - 6] = ','; /* where the closing quote was */
    REQUIRE(!od_source_memory(&src, b.p, b.len, &err));
    REQUIRE(!od_csv_open(&csv, src, &err));
    REQUIRE(!od_csv_next(csv, &r, &err));
    CHECK_INT(r.count, 10 * BUFFER + 3);
    od_csv_close(csv);
    od_source_close(src);
    drop(&b);
    free(part);
}

TEST(endless_quote)
{
    size_t len = OD_CSV_RECORD_MOST + 10;
    char *text = malloc(len);
    memset(text, 'a', len);
    memcpy(text, "a\n\"", 3);
    CHECK_INT(parse_bytes(text, len, ',', true, shown, sizeof shown), ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "row 1 (line 2): longer than 64 MB; is a quote not closed?");
    free(text);
}

TEST(peek)
{
    od_source *src;
    od_csv *csv;
    od_record r;
    const char *text;
    size_t len;
    bool whole;
    bytes b = {0};
    put_text(&b, "\xEF\xBB\xBF");
    for (int i = 0; i < 40000; i++) put_text(&b, "1234567\n");
    REQUIRE(!od_source_memory(&src, b.p, b.len, &err));
    REQUIRE(!od_csv_open(&csv, src, &err));
    REQUIRE(!od_csv_peek(csv, 3, 1 << 20, false, &text, &len, &whole, &err));
    CHECK(len >= 24 && len < 200000 && !whole && memcmp(text, "1234567\n", 8) == 0);
    REQUIRE(!od_csv_peek(csv, 30000, 1 << 20, false, &text, &len, &whole, &err));
    CHECK(len >= 240000 && !whole);
    REQUIRE(!od_csv_peek(csv, 40001, 1 << 20, false, &text, &len, &whole, &err));
    CHECK(len == 320000 && whole);
    int64_t n = 0;
    while (!od_csv_next(csv, &r, &err) && r.count) CHECK(r.row == ++n && r.fields[0].len == 7);
    CHECK_INT(n, 40000);
    od_csv_close(csv);
    od_source_close(src);
    drop(&b);
}

/* A failing read in the middle reaches the caller. */
/* From a pipe that is still being written: what has come is enough, a part of a line is not. */
TEST(active)
{
    od_source *src;
    od_csv *csv;
    od_record r;
    const char *text;
    size_t len;
    bool whole;
    int ends[2], saved = dup(STDIN_FILENO);
    REQUIRE(saved >= 0 && !pipe(ends));
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    CHECK(write(ends[1], "a,b\n1,", 6) == 6);
    REQUIRE(!od_source_open(&src, "-", &err) && !od_csv_open(&csv, src, &err));
    REQUIRE(!od_csv_peek(csv, 30, 1 << 20, true, &text, &len, &whole, &err));
    CHECK(len == 6 && !whole);
    CHECK(od_csv_ready(csv));
    REQUIRE(!od_csv_next(csv, &r, &err) && r.count == 2);
    CHECK(!od_csv_ready(csv));
    CHECK(write(ends[1], "2", 1) == 1);
    CHECK(!od_csv_ready(csv));
    CHECK(write(ends[1], "\n3,4", 4) == 4);
    CHECK(od_csv_ready(csv));
    REQUIRE(!od_csv_next(csv, &r, &err) && r.count == 2 && r.fields[1].text[0] == '2');
    CHECK(!od_csv_ready(csv));
    close(ends[1]);
    CHECK(od_csv_ready(csv)); /* the last line has no end of its own */
    REQUIRE(!od_csv_next(csv, &r, &err) && r.count == 2 && r.row == 3);
    CHECK(od_csv_ready(csv));
    REQUIRE(!od_csv_next(csv, &r, &err) && r.count == 0);
    od_csv_close(csv);
    od_source_close(src);
    dup2(saved, STDIN_FILENO);
    close(saved);
}

TEST(source_fails)
{
    bytes plain = {0}, b = {0};
    for (int i = 0; i < 100000; i++) put_text(&plain, i % 2 ? "1234567,8\n" : "9,7654321\n");
    put_gzip(&b, plain.p, plain.len);
    od_source *src;
    od_csv *csv;
    od_record r;
    odim_status status;
    REQUIRE(!od_source_memory(&src, b.p, b.len - 4, &err));
    REQUIRE(!od_csv_open(&csv, src, &err));
    while (!(status = od_csv_next(csv, &r, &err)) && r.count) continue;
    CHECK_INT(status, ODIM_ERR_FORMAT);
    CHECK_STR(err.msg, "the gzip data ends too early: the file is truncated");
    od_csv_close(csv);
    od_source_close(src);
    drop(&plain);
    drop(&b);
}

TEST(out_of_memory)
{
    bytes b = {0};
    put_text(&b, "\"");
    for (int i = 0; i < 50000; i++) put_text(&b, "1234567,");
    put_text(&b, "\"\n");
    for (int i = 0; i < 200; i++) put_text(&b, "1,");
    for (int i = 0; i < 200; i++) put_text(&b, "\xE4,");
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 7)
    {
        status = parse_bytes(b.p, b.len, ',', false, shown, sizeof shown);
    }
    drop(&b);
}

/* From every place where a record ended the rest can be read; what begins later than the end is not. */
TEST(seek)
{
    static const char text[] = "a,b\n\"1\n\",2\n\n3,4\r\n5,6";
    od_source *src;
    od_csv *csv;
    od_record r;
    int64_t at[8], line[8];
    int n = 0;
    REQUIRE(!od_source_memory(&src, text, strlen(text), &err) && !od_csv_open(&csv, src, &err));
    do {
        at[n] = od_csv_at(csv);
        line[n++] = od_csv_line(csv);
        REQUIRE(!od_csv_next(csv, &r, &err));
    } while (r.count);
    CHECK(n == 5 && at[0] == 0 && at[1] == 4 && at[2] == 11 && at[3] == 17 && at[4] == 20);
    CHECK(line[1] == 2 && line[2] == 4 && line[3] == 6);
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++) {
            REQUIRE(!od_csv_seek(csv, at[i], at[k], i + 1, line[i], &err));
            for (int j = i; j < k; j++) {
                REQUIRE(!od_csv_next(csv, &r, &err));
                CHECK(r.count == 2 && r.row == j + 1 && od_csv_at(csv) == at[j + 1]);
                CHECK_INT(od_csv_line(csv), line[j + 1]);
            }
            REQUIRE(!od_csv_next(csv, &r, &err));
            CHECK(r.count == 0 && od_csv_at(csv) == at[k]);
        }
    od_csv_close(csv);
    od_source_close(src);
}

int main(void)
{
    RUN(plain);
    RUN(line_ends);
    RUN(blank_lines);
    RUN(quotes);
    RUN(malformed_quotes);
    RUN(other_delimiters);
    RUN(encodings);
    RUN(windows1252);
    RUN(windows1252_in_parts);
    RUN(runs_of_blanks);
    RUN(rows_are_counted);
    RUN(buffer_ends);
    RUN(long_records);
    RUN(endless_quote);
    RUN(peek);
    RUN(active);
    RUN(source_fails);
    RUN(out_of_memory);
    RUN(seek);
    return test_end();
}
