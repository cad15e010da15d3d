/* tests: sniff. Guessing delimiter and header. */
#include "io/sniff.h"

#include "common/mem.h"
#include "bytes.h"
#include "starve.h"
#include "test.h"

static odim_error err;

/* "," or ",h" with a header: what is found in the text, as set in the parser. */
static const char *sniff_bytes(const void *text, size_t len, int delimiter, int header)
{
    static char found[32];
    od_source *src = NULL;
    od_csv *csv = NULL;
    bool has_header;
    od_record r;
    odim_status status = od_source_memory(&src, text, len, &err);
    if (!status) status = od_csv_open(&csv, src, &err);
    if (!status) status = od_sniff_set(csv, &delimiter, header, false, &has_header, &err);
    if (!status) status = od_csv_next(csv, &r, &err);
    if (!status) {
        char c = ' ';
        if (r.count > 1) c = r.fields[0].text[r.fields[0].len + r.fields[0].quoted];
        snprintf(found, sizeof found, "%s%s", c == '\t' ? "tab" : (char[2]){c, '\0'}, has_header ? "h" : "");
        CHECK_INT(r.row, r.count && has_header ? 0 : 1);
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
    CHECK_STR(sniff("a,b;c\n"), ",h");                     /* nothing but order to go by */
    CHECK_STR(sniff("1 2 3\n4 5 6\n"), " ");               /* blanks do not separate */
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
    RUN(no_headers);
    RUN(told);
    RUN(wide_rows);
    RUN(sample_cut_in_a_quote);
    RUN(malformed);
    RUN(cells);
    RUN(out_of_memory);
    return test_end();
}
