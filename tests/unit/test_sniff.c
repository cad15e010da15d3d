/* tests: sniff sniff_cell header_axis. Guessing delimiter and header. */
#include "io/sniff.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/mem.h"
#include "bytes.h"
#include "starve.h"
#include "test.h"

static odim_error err;

static bool tolerant; /* in the next calls */

/* "," or ",h" with a header: what is found in the text, as set in the parser. */
static const char *sniff_bytes(const void *text, size_t len, int delimiter, int header)
{
    static char found[32];
    od_source *src = NULL;
    od_csv *csv = NULL;
    od_sniffed f;
    od_record r;
    odim_status status = od_source_memory(&src, text, len, &err);
    if (!status) status = od_csv_open(&csv, src, &err);
    if (!status)
        status = od_sniff(csv, &(od_sniff_options){delimiter, header, .tolerant = tolerant}, &f, &err);
    if (!status) status = od_csv_next(csv, &r, &err);
    if (!status) {
        char c = ' ';
        if (r.count > 1) c = r.fields[0].text[r.fields[0].len + r.fields[0].quoted];
        snprintf(found, sizeof found, "%s%s", c == '\t' ? "tab" : (char[2]){c, '\0'}, f.header ? "h" : "");
        CHECK_INT(r.row, r.count && f.header ? 0 : 1);
    }
    od_csv_close(csv);
    od_source_close(src);
    return status ? err.msg : found;
}

static const char *sniff(const char *text)
{
    return sniff_bytes(text, strlen(text), 0, 0);
}

TEST(delimiters)
{
    CHECK_STR(sniff("1,2,3\n4,5,6\n"), ",");
    CHECK_STR(sniff("1;2;3\n4;5;6\n"), ";");
    CHECK_STR(sniff("1\t2\t3\n4\t5\t6\n"), "tab");
    CHECK_STR(sniff("1|2|3\n4|5|6\n"), "|");
    CHECK_STR(sniff("1\n2\n"), " ");
    CHECK_STR(sniff(""), " ");
    CHECK_STR(sniff("1,2"), ",");
}

TEST(delimiters_that_compete)
{
    CHECK_STR(sniff("1,5;2,5;3,5\n4,5;5,5;6,5\n"), ";");     /* decimal commas */
    CHECK_STR(sniff("1,5\t2,5\n4\t5\n"), "tab");             /* some of them whole */
    CHECK_STR(sniff("a|b,1,2\nc|d,3,4\n"), ",");             /* text with a bar in it */
    CHECK_STR(sniff("2020;1:00,1,2\n2020;2:00,3,4\n"), ","); /* text with a semicolon in it */
    CHECK_STR(sniff("\"a;b;c\",1\n\"d;e;f\",2\n"), ",");     /* in quotes */
    CHECK_STR(sniff("\"1,2,3\";\"4,5\"\n\"1,2\";\"4\"\n"), ";");
    CHECK_STR(sniff("name; x, y\n1;2\n3;4\n"), ";h");
    CHECK_STR(sniff("1,2,3\n4,5,6\n7,8\n9,10,11\n"), ","); /* one row is ragged */
    CHECK_STR(sniff("a,b;c\n"), ";h");                     /* nothing but order to go by */
    CHECK_STR(sniff("1 2 3\n4 5 6\n"), " ");               /* blanks separate numbers */
    /* Texts beside decimal commas: the header agrees with the right one only. */
    CHECK_STR(sniff("city;name;price\nberlin;anna;13,3\nwien;otto;11,9\n"), ";h");
    CHECK_STR(sniff("berlin;13,3\nwien;11,9\n"), ";");
    CHECK_STR(sniff("city\tprice\nberlin\t13,3\nwien\t11,9\n"), "tabh");
}

TEST(headers)
{
    CHECK_STR(sniff("a,b\n1,2\n"), ",h");
    CHECK_STR(sniff("1,2\n3,4\n"), ",");
    CHECK_STR(sniff("id,a\nx1,1\nx2,2\n"), ",h");
    CHECK_STR(sniff("x1,1\nx2,2\n"), ",");
    CHECK_STR(sniff("0,1,2,label\n5,6,7,0\n"), ",h");
    CHECK_STR(sniff(",a,b\n0,1,2\n"), ",h");
    CHECK_STR(sniff("a,b\n"), ",h");
    CHECK_STR(sniff("name,city\nAnn,Ulm\n"), ",h");
    CHECK_STR(sniff("a,b\n,\nNA,nan\n3,4\n"), ",h");
    CHECK_STR(sniff("0,b\n1,\n2,NA\n3,4\n"), ",h"); /* the first below b that is there */
    CHECK_STR(sniff("0,b\n1,\n2,c\n3,4\n"), ",");
    CHECK_STR(sniff("a\n1\n"), " h");
    CHECK_STR(sniff("\"first name\",\"1\"\n3,4\n"), ",h");
    CHECK_STR(sniff("nan_count,b\n1,2\n"), ",h");
}

/* Wavelengths, and numbers that programs give columns without names. */
TEST(headers_of_numbers)
{
    const char *even = "0,1,2,3,4,5,6,7,8,9\n";
    char text[1000];
    snprintf(text, sizeof text, "%s%s", even, "3,1,4,1,5,9,2,6,5,3\n2,7,1,8,2,8,1,8,2,8\n");
    CHECK_STR(sniff(text), ",h");
    snprintf(text, sizeof text, "%s%s", even, "1,2,3,4,5,6,7,8,9,10\n2,7,1,8,2,8,1,8,2,8\n");
    CHECK_STR(sniff(text), ",");                                          /* half of the rows rise as well */
    CHECK_STR(sniff(even), ",");                                          /* nothing below it */
    CHECK_STR(sniff("0,1,2,3,4,5,6,7,8\n3,1,4,1,5,9,2,6,5\n"), ",");      /* too few */
    CHECK_STR(sniff("0,1,2,3,4,5,6,7,8,10\n3,1,4,1,5,9,2,6,5,3\n"), ","); /* or uneven */
    CHECK_STR(sniff("400.0,399.5,399.0,398.5,398.0,397.5,397.0,396.5,396.0,395.5\n3,1,4,1,5,9,2,6,5,3\n"),
              ",h");
    CHECK_STR(sniff("s;400,0;400,5;401,0;401,5;402,0;402,5;403,0;403,5;404,0;404,5\n"
                    "a;3,1;4,1;5,9;2,6;5,3;5,8;9,7;9,3;2,3;8,4\n"),
              ";h");
    CHECK_STR(sniff("400 nm,402 nm,404 nm,406 nm,408 nm,410 nm,412 nm,414 nm,416 nm,418 nm\n"
                    "3,1,4,1,5,9,2,6,5,3\n"),
              ",h");
    /* A date is not a name, and another unit is another thing. */
    CHECK_STR(sniff("2020-01-01,1,2,3,4,5,6,7,8,9,10\n2020-01-02,3,1,4,1,5,9,2,6,5,3\n"), ",");
    CHECK_STR(sniff("1 m,2 m,3 m,4 m,5 m,6 m,7 m,8 m,9 m,10 s\n3 m,1 m,4 m,1 m,5 m,9 m,2 m,6 m,5 m,3 s\n"),
              ",");
    size_t len = 0; /* uneven, but many */
    for (int i = 0; i < 30; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", i ? "," : "", i * i);
    len += (size_t)snprintf(text + len, sizeof text - len, "\n");
    for (int i = 0; i < 30; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", i ? "," : "", i % 7);
    snprintf(text + len, sizeof text - len, "\n");
    CHECK_STR(sniff(text), ",h");
}

/* What is missing or mistyped in the first row does not make it a header. */
TEST(no_headers)
{
    CHECK_STR(sniff("nan,2\n3,4\n"), ",");
    CHECK_STR(sniff(",2\n3,4\n"), ",");
    CHECK_STR(sniff("NA,2\n3,4\n"), ",");
    CHECK_STR(sniff("?,2\n3,4\n"), ",");
    CHECK_STR(sniff("inf,2\n3,4\n"), ",");
    CHECK_STR(sniff("null, N/A \n3,4\n"), ",");
    CHECK_STR(sniff("12.5x,2\n3,4\n"), ",");
    CHECK_STR(sniff("1e999,2\n3,4\n"), ",");
    CHECK_STR(sniff("x1,nan,2\nx2,3,4\n"), ",");
    CHECK_STR(sniff("2020-01-01,2\n2020-01-02,4\n"), ",");
}

TEST(told)
{
    CHECK_STR(sniff_bytes("a,b\n1,2\n", 8, 0, -1), ",");
    CHECK_STR(sniff_bytes("1,2\n1,2\n", 8, 0, 1), ",h");
    CHECK_STR(sniff_bytes("a;b,c\n1;2,3\n", 12, ';', 0), ";h");
    CHECK_STR(sniff_bytes("1,2;3\n1,2;3\n", 12, ';', -1), ";");
}

/* Wide rows: the sample grows until it has some of them, or is used cut. */
TEST(wide_rows)
{
    bytes b = {0};
    for (int j = 0; j < 60000; j++) put_text(&b, j ? ";name" : "name");
    put_text(&b, "\n");
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 60000; j++) put_text(&b, j ? ";1,5" : "2,5");
        put_text(&b, "\n");
    }
    CHECK_STR(sniff_bytes(b.p, b.len, 0, 0), ";h");
    b.len = 0;
    for (int j = 0; j < 2000000; j++) put_text(&b, "|12345");
    CHECK_STR(sniff_bytes(b.p, b.len, 0, 0), "|");
    drop(&b);
}

/* A sample that ends inside a quoted field. */
TEST(sample_cut_in_a_quote)
{
    bytes b = {0};
    put_text(&b, "note,value\n");
    for (int i = 0; i < 20; i++) put_text(&b, "\"one\ntwo\",5\n");
    put_text(&b, "\"");
    for (int i = 0; i < 20000; i++) put_text(&b, "; ; ; ; \n");
    put_text(&b, "\",6\n");
    CHECK_STR(sniff_bytes(b.p, b.len, 0, 0), ",h");
    drop(&b);
}

TEST(malformed)
{
    CHECK_STR(sniff("a,b\n1,\"2\n"), ",h"); /* the reader will meet the quote again */
    CHECK_STR(sniff("\"a,b\n1,2\n"), "row 1 (line 1): the quote that opens here is never closed");
    CHECK_STR(sniff_bytes("1,2\n3,\0\n", 8, 0, 0), ",");
}

/* "delimiter header lines titles: first record | second" */
static const char *layout_bytes(const void *text, size_t len, int delimiter, int header)
{
    static char shown[400];
    od_source *src = NULL;
    od_csv *csv = NULL;
    od_sniffed f = {0};
    char once[400] = "";
    odim_status status = od_source_memory(&src, text, len, &err);
    for (int again = 0; !status && again < 2; again++) { /* the same when it is read again */
        od_record r;
        od_csv_close(csv);
        csv = NULL;
        if (!status && again) status = od_source_rewind(src, &err);
        if (!status) status = od_csv_open(&csv, src, &err);
        if (!status)
            status =
                again ? od_sniff_apply(csv, &f, &err)
                      : od_sniff(csv, &(od_sniff_options){delimiter, header, .tolerant = tolerant}, &f, &err);
        size_t n =
            (size_t)snprintf(shown, sizeof shown, "%c%s %d %d:", f.delimiter == '\t' ? 't' : f.delimiter,
                             f.header ? "h" : "", (int)f.lines, (int)f.titles);
        for (int i = 0; !status && i < 2 && !(status = od_csv_next(csv, &r, &err)) && r.count; i++) {
            n += (size_t)snprintf(shown + n, sizeof shown - n, "%s %d", i ? " /" : "", (int)r.line);
            for (size_t j = 0; j < r.count; j++)
                n += (size_t)snprintf(shown + n, sizeof shown - n, " %.*s", (int)r.fields[j].len,
                                      r.fields[j].text);
            CHECK_INT(r.row, i + !f.header);
        }
        if (again) CHECK_STR(shown, once);
        strcpy(once, shown);
    }
    od_csv_close(csv);
    od_source_close(src);
    return status ? err.msg : shown;
}

static const char *layout(const char *text)
{
    return layout_bytes(text, strlen(text), 0, 0);
}

/* Where bad rows are tolerated, lines that cannot be parsed hide nothing, and above a header they are titles.
 */
TEST(bad_lines)
{
    CHECK_STR(layout("\"x\"y\na;b\n1;2\n"), err.msg);
    tolerant = true;
    CHECK_STR(layout("\"x\"y\na;b\n1;2\n"), ";h 1 1: 2 a b / 3 1 2");
    CHECK_STR(layout("Title\n\n\"x\"y\na;b\n1;2\n3;4\n"), ";h 3 3: 4 a b / 5 1 2");
    CHECK_STR(layout("a;b\n1;\"x\"y\n1;2\n"),
              "row 1 (line 2): text after a closing quote; a quote inside a quoted field "
              "is written twice");
    CHECK_STR(sniff("a;b\n1;\"x\"y\n1;2\n"), ";h");
    tolerant = false;
}

static bool has_second(const char *text)
{
    od_source *src;
    od_csv *csv;
    od_sniffed f;
    CHECK(!od_source_memory(&src, text, strlen(text), &err) && !od_csv_open(&csv, src, &err));
    CHECK(!od_sniff(csv, &(od_sniff_options){0}, &f, &err));
    od_csv_close(csv);
    od_source_close(src);
    return f.second;
}

TEST(second_line)
{
#define BELOW "1,2,3\n4,5,6\n7,8,9\n"
    CHECK(has_second("t,u,v\ns,m/s,[C]\n" BELOW));
    CHECK(has_second("id,t,u\n,s,m\n" BELOW));
    CHECK(!has_second("t,u,v\n" BELOW "1,2,3\n"));
    CHECK(!has_second("t,u,v\ns,m,C\n1,2,3\n4,5,6\n")); /* too few rows to tell */
    CHECK(!has_second("t,u,v\ns,m,5\n" BELOW));
    CHECK(!has_second("t,u,v\nx,,\n" BELOW)); /* a row with missing cells */
    CHECK(!has_second("t,u,v\nNA,x,NA\n" BELOW));
    CHECK(!has_second("n,c,v\na,b,x\nd,e,1\nf,g,2\nh,i,3\n")); /* one column of numbers: a mistake */
#undef BELOW
}

TEST(comments)
{
    CHECK_STR(layout("# made by hand\n#\n\n# twice, really\na,b\n1,2\n3,4\n"), ",h 4 0: 5 a b / 6 1 2");
    CHECK_STR(layout("# one\r\n1;2\r\n3;4\r\n"), "; 1 0: 2 1 2 / 3 3 4");
    CHECK_STR(layout("# a column\n1\n2\n"), ", 1 0: 2 1 / 3 2");
    CHECK_STR(layout("a,b\n# 1,2\n3,4\n"), ",h 0 0: 1 a b / 2 # 1 2"); /* not later ones */
    CHECK_STR(layout("# nothing else\n"), ",h 0 0: 1 # nothing else");
    CHECK_STR(layout("\xEF\xBB\xBF# one\na,b\n1,2\n"), ",h 1 0: 2 a b / 3 1 2");
    CHECK_STR(layout_bytes("# one\n1;2\n3;4\n", 14, ';', -1), "; 1 0: 2 1 2 / 3 3 4");
    /* A header may begin with # too. */
    CHECK_STR(layout("#,name\n1,x\n2,y\n"), ",h 0 0: 1 # name / 2 1 x");
    CHECK_STR(layout("# one\n#chrom\tstart\nx\t5\n"), "th 1 0: 2 #chrom start / 3 x 5");
    CHECK_STR(layout("# of rooms,price\n3,100\n4,200\n"), ",h 0 0: 1 # of rooms price / 2 3 100");
    CHECK_STR(layout("# first, then second\na,b\n1,2\n"), ",h 1 0: 2 a b / 3 1 2");
    bytes b = {0};
    for (int i = 0; i < 1000; i++) put_text(&b, "# a comment; with; some; text\n");
    put_text(&b, "a,b\n1,2\n3,4\n");
    CHECK_STR(layout_bytes(b.p, b.len, 0, 0), ",h 1000 0: 1001 a b / 1002 1 2");
    drop(&b);
}

TEST(told_delimiters)
{
    CHECK_STR(layout("sep=;\na,b;c\n1,2;3\n"), ";h 1 0: 2 a,b c / 3 1,2 3");
    CHECK_STR(layout("\"sep=|\"\r\na|b\r\n1|2\r\n"), "|h 1 0: 2 a b / 3 1 2");
    CHECK_STR(layout("SEP=\t\na\tb\n1\t2\n"), "th 1 0: 2 a b / 3 1 2");
    CHECK_STR(layout("sep=:\n# note\na:b\n1:2\n"), ":h 2 0: 3 a b / 4 1 2");
    CHECK_STR(layout_bytes("sep=;\na,b\n1,2\n", 14, ',', 0), ",h 1 0: 2 a b / 3 1 2");
    CHECK_STR(layout("sep=;;\n1\n2\n"), ",h 0 0: 1 sep=;; / 2 1");
    CHECK_STR(layout("a\nsep=;\n"), ",h 0 0: 1 a / 2 sep=;");
}

TEST(titles)
{
    CHECK_STR(layout("My report\n\na,b,c\n1,2,3\n4,5,6\n"), ",h 2 2: 3 a b c / 4 1 2 3");
    CHECK_STR(layout("My report,,\na,b,c\n1,2,3\n"), ",h 1 1: 2 a b c / 3 1 2 3");
    CHECK_STR(layout("Report;2024\nby me\na;b;c\n1;2;3\n4;5;6\n"), ";h 2 2: 3 a b c / 4 1 2 3");
    CHECK_STR(layout("\"two\nlines\"\n1,2\n3,4\n5,6\n"), ", 2 2: 3 1 2 / 4 3 4");
    CHECK_STR(layout("# note\nsome words\na\tb\n1\t2\n"), "th 2 1: 3 a b / 4 1 2");
    CHECK_STR(layout("a\nb\nc\nd\ne\nx,y\n1,2\n3,4\n"), ",h 5 5: 6 x y / 7 1 2");
    CHECK_STR(layout_bytes("Report\na;b\n1;2\n", 15, ';', 1), ";h 1 1: 2 a b / 3 1 2");
    CHECK_STR(layout_bytes("Report\n1;2\n3;4\n", 15, ';', -1), "; 1 1: 2 1 2 / 3 3 4");
}

TEST(no_titles)
{
    CHECK_STR(layout("a\nb\n1\n"), ",h 0 0: 1 a / 2 b");                 /* one column */
    CHECK_STR(layout("a\n1,2\n"), ",h 0 0: 1 a / 2 1 2");                /* as many as there are rows */
    CHECK_STR(layout("a,b\n1,2\n3,4\n5\n"), ",h 0 0: 1 a b / 2 1 2");    /* a short row later on */
    CHECK_STR(layout("7,8\n1,2,3\n4,5,6\n"), ", 0 0: 1 7 8 / 2 1 2 3");  /* a short row of numbers */
    CHECK_STR(layout("a,b\nx,1,2\ny,3,4\n"), ",h 0 0: 1 a b / 2 x 1 2"); /* a header that lacks a name */
    CHECK_STR(layout("5,,\n1,2,3\n4,5,6\n"), ", 0 0: 1 5   / 2 1 2 3");
    CHECK_STR(layout(",a\n0,1\n1,2\n"), ",h 0 0: 1  a / 2 0 1");
    CHECK_STR(layout("hello\nworld\nfoo, bar\nbaz, b\n"), ",h 0 0: 1 hello / 2 world"); /* prose */
    CHECK_STR(layout("a,b,c\n1,2\n3,4\n"), ",h 0 0: 1 a b c / 2 1 2"); /* a header that is too long */
}

TEST(runs_of_blanks)
{
    CHECK_STR(layout("  1.5   2\n 10.5  30\n"), "  0 0: 1 1.5 2 / 2 10.5 30");
    CHECK_STR(layout("x y  z\n1 2  3\n4 5  6\n"), " h 0 0: 1 x y z / 2 1 2 3");
    CHECK_STR(layout("some words above it\nx y\n1 2\n3 4\n5 6\n"), " h 0 0: 1 some words above it / 2 x y");
    CHECK_STR(layout("words\nx y\n1 2\n3 4\n5 6\n"), " h 1 1: 2 x y / 3 1 2");
    CHECK_STR(layout("John Smith\nJane Doe\n"), ",h 0 0: 1 John Smith / 2 Jane Doe");
    CHECK_STR(layout("1 234.5\n12 345.5\n"), ", 0 0: 1 1 234.5 / 2 12 345.5"); /* numbers with spaces */
    CHECK_STR(layout("5 kg\n6 kg\n"), ", 0 0: 1 5 kg / 2 6 kg");
    CHECK_STR(layout("1 2 3\n"), ", 0 0: 1 1 2 3"); /* one line agrees with nothing */
    CHECK_STR(layout("1 2,3\n4 5,6\n"), ", 0 0: 1 1 2 3 / 2 4 5 6");
    CHECK_STR(layout("1,5 2,5\n3,5 4,5\n"), "  0 0: 1 1,5 2,5 / 2 3,5 4,5"); /* decimal commas */
    CHECK_STR(layout("x y  z\n1,5 2,5 3\n4 5,5 6\n"), " h 0 0: 1 x y z / 2 1,5 2,5 3");
    CHECK_STR(layout("1, 2, 3\n4, 5, 6\n"), ", 0 0: 1 1  2  3 / 2 4  5  6");
    CHECK_STR(layout("1, 2\n4, 5\n"), ", 0 0: 1 1  2 / 2 4  5");
    CHECK_STR(layout("1.5,ab cd\n2.5,ef gh\n"), ", 0 0: 1 1.5 ab cd / 2 2.5 ef gh");
}

TEST(rules)
{
    CHECK_STR(layout(" a | b \n---+---\n 1 | 2\n(1 row)\n"), "|h 0 0: 1 a b / 3 1 2");
    CHECK_STR(layout("+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n"), "|h 0 0: 2 a b / 4 1 2");
    CHECK_STR(layout("# made by hand\na  b\n-- --\n 1  2\n"), " h 1 0: 2 a b / 4 1 2");
}

TEST(local_numbers)
{
    CHECK_STR(layout("Preis;Anteil\n1.234,50 \xE2\x82\xAC;18,0 %\n99,00 \xE2\x82\xAC;7,5 %\n"),
              ";h 0 0: 1 Preis Anteil / 2 1.234,50 \xE2\x82\xAC 18,0 %");
    CHECK_STR(layout("1.234,50 \x80;18,0 %\n99,00 \x80;7,5 %\n"),
              "; 0 0: 1 1.234,50 \xE2\x82\xAC 18,0 % / 2 99,00 \xE2\x82\xAC 7,5 %");
    CHECK_STR(layout("0;b\n1;5 kg\n2;6 kg\n"), ";h 0 0: 1 0 b / 2 1 5 kg");
    CHECK_STR(layout("EUR 2020,EUR 2021\n5,6\n7,8\n"), ",h 0 0: 1 EUR 2020 EUR 2021 / 2 5 6");
    CHECK_STR(layout("$5,1\n$6,2\n"), ", 0 0: 1 $5 1 / 2 $6 2");
}

/* From a pipe, a comment alone says nothing: a record is awaited, and no more than one. */
TEST(active)
{
    od_source *src;
    od_csv *csv;
    od_sniffed f;
    od_record r;
    int ends[2], saved = dup(STDIN_FILENO);
    REQUIRE(saved >= 0 && !pipe(ends));
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    pid_t child = fork();
    if (child == 0) {
        static const char *const parts[] = {"sep=;\n# no", "te\n", "\n", "a;b\n1"};
        for (int i = 0; i < 4; i++) {
            if (write(ends[1], parts[i], strlen(parts[i])) < 0) _exit(1);
            nanosleep(&(struct timespec){0, 20000000}, NULL);
        }
        pause();
    }
    REQUIRE(!od_source_open(&src, "-", &err) && !od_csv_open(&csv, src, &err));
    REQUIRE(!od_sniff(csv, &(od_sniff_options){.active = true}, &f, &err));
    CHECK(f.delimiter == ';' && f.header && f.lines == 2);
    REQUIRE(!od_csv_next(csv, &r, &err));
    CHECK(r.count == 2 && r.row == 0 && r.line == 4);
    od_csv_close(csv);
    od_source_close(src);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ends[1]);
    dup2(saved, STDIN_FILENO);
    close(saved);
}

TEST(cells)
{
    CHECK(od_sniff_is_missing("NA", 2) && od_sniff_is_missing(" n/a ", 5) && od_sniff_is_missing("None", 4));
    CHECK(!od_sniff_is_missing("NAME", 4) && !od_sniff_is_missing("N", 1) && !od_sniff_is_missing("", 0));
    CHECK(od_sniff_is_comma_number("12,5", 4) && od_sniff_is_comma_number("-0,5e3", 6));
    CHECK(!od_sniff_is_comma_number("12.5", 4) && !od_sniff_is_comma_number("1,2,3", 5));
    CHECK(!od_sniff_is_comma_number("1.000,5", 7) && !od_sniff_is_comma_number("a,b", 3));
}

TEST(out_of_memory)
{
    const char *msg = NULL;
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 12)
    {
        msg = sniff("a;b\n1;2\n");
        status = strcmp(msg, "out of memory") == 0 ? ODIM_ERR_NOMEM : ODIM_OK;
    }
    CHECK_STR(msg, ";h");
}

int main(void)
{
    RUN(delimiters);
    RUN(delimiters_that_compete);
    RUN(headers);
    RUN(headers_of_numbers);
    RUN(no_headers);
    RUN(told);
    RUN(wide_rows);
    RUN(sample_cut_in_a_quote);
    RUN(malformed);
    RUN(bad_lines);
    RUN(second_line);
    RUN(comments);
    RUN(told_delimiters);
    RUN(titles);
    RUN(no_titles);
    RUN(runs_of_blanks);
    RUN(rules);
    RUN(local_numbers);
    RUN(active);
    RUN(cells);
    RUN(out_of_memory);
    return test_end();
}
