#include "base/status.h"

#include "test.h"

static const char *show(const char *text, size_t size)
{
    static char buf[100];
    memset(buf, 'Z', sizeof buf);
    return od_printable(buf, size, text, strlen(text));
}

TEST(printable)
{
    CHECK_STR(show("plain", 100), "plain");
    CHECK_STR(show("", 100), "");
    CHECK_STR(show("a\tb\r\n\x7f\033[1m", 100), "a\\tb\\r\\n\\x7f\\x1b[1m");
    CHECK_STR(show("C:\\data", 100), "C:\\data");
    char buf[10];
    CHECK_STR(od_printable(buf, sizeof buf, "a\0b", 3), "a\\x00b");
    CHECK_STR(odim_printable("a\nb", buf, sizeof buf), "a\\nb");
    CHECK(odim_printable("a", buf, 0) == buf);
}

/* Valid UTF-8 passes; what is not, byte by byte, does not. */
TEST(utf8)
{
    CHECK_STR(show("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80", 100), "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80");
    CHECK_STR(show("\xE4", 100), "\\xe4"); /* Latin-1 */
    CHECK_STR(show("\xE4n", 100), "\\xe4n");
    CHECK_STR(show("\xC3", 100), "\\xc3");                                     /* cut */
    CHECK_STR(show("\xA4", 100), "\\xa4");                                     /* no beginning */
    CHECK_STR(show("\xC0\x8A\xE0\x80\x8A", 100), "\\xc0\\x8a\\xe0\\x80\\x8a"); /* a line end, overlong */
    CHECK_STR(show("\xED\xA0\x80", 100), "\\xed\\xa0\\x80");                   /* a surrogate */
    CHECK_STR(show("\xF4\x90\x80\x80", 100), "\\xf4\\x90\\x80\\x80");          /* beyond the last character */
    CHECK_STR(show("\xFF\xFE", 100), "\\xff\\xfe");
}

/* The character of that number by itself between two letters. */
static const char *show_code(unsigned code)
{
    char text[8];
    int n = 0;
    text[n++] = 'a';
    if (code < 0x800) {
        text[n++] = (char)(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        text[n++] = (char)(0xE0 | code >> 12);
        text[n++] = (char)(0x80 | (code >> 6 & 0x3F));
    } else {
        text[n++] = (char)(0xF0 | code >> 18);
        text[n++] = (char)(0x80 | (code >> 12 & 0x3F));
        text[n++] = (char)(0x80 | (code >> 6 & 0x3F));
    }
    text[n++] = (char)(0x80 | (code & 0x3F));
    text[n++] = 'b';
    text[n] = '\0';
    return show(text, 100);
}

/* What a terminal obeys or nobody sees: controls of C1, direction, line separators, zero width. */
TEST(hidden)
{
    static const unsigned hidden[] = {0x80,   0x85,   0x9B,   0x9F,   0xAD,   0x61C,  0x180E, 0x200B, 0x200C,
                                      0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D,
                                      0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF, 0xFFF9};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        char want[16];
        snprintf(want, sizeof want, "a\\u%04xb", hidden[i]);
        CHECK_STR(show_code(hidden[i]), want);
    }
    CHECK_STR(show_code(0xE0041), "a\\U000e0041b");
    CHECK_STR(show_code(0xA0), "a\xC2\xA0"
                               "b");
    CHECK_STR(show_code(0x5D0), "a\xD7\x90"
                                "b"); /* letters that are written from the right stay */
    /* A joiner stays where writing needs it. */
    CHECK_STR(show("\xD9\x85\xE2\x80\x8C\xD9\x85", 100), "\xD9\x85\xE2\x80\x8C\xD9\x85");
    CHECK_STR(show("\xE2\x80\x8C\xD9\x85", 100), "\\u200c\xD9\x85");
    CHECK_STR(show("\xD9\x85\xE2\x80\x8D", 100), "\xD9\x85\\u200d");
}

TEST(cut)
{
    CHECK_STR(show("0123456", 8), "0123456");
    CHECK_STR(show("01234567", 8), "0123...");
    CHECK_STR(show("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 8), "\xC3\xA4\xC3\xA4...");
    CHECK_STR(show("a\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 8), "a\xC3\xA4...");
    CHECK_STR(show("012\n4567", 8), "012...");
    CHECK_STR(show("0123", 4), "...");
    CHECK_STR(show("0123", 3), "");
    CHECK_STR(show("0123", 1), "");
}

TEST(failures)
{
    odim_error err;
    CHECK_INT(od_fail(&err, ODIM_ERR_DATA, "%d rows", 0), ODIM_ERR_DATA);
    CHECK(err.status == ODIM_ERR_DATA && err.row == -1 && err.col == -1);
    CHECK_STR(err.msg, "0 rows");
    CHECK_INT(od_fail_at(&err, ODIM_ERR_IO, 7, 8, "x"), ODIM_ERR_IO);
    CHECK(err.status == ODIM_ERR_IO && err.row == 6 && err.col == 7);
    CHECK_INT(od_error_prefix(&err, ODIM_ERR_IO, "file"), ODIM_ERR_IO);
    CHECK_STR(err.msg, "file: x");
    CHECK_INT(od_error_prefix(&err, ODIM_OK, "file"), ODIM_OK);
    CHECK_STR(err.msg, "file: x");
    CHECK_INT(od_fail_nomem(NULL), ODIM_ERR_NOMEM);
    CHECK_INT(od_error_prefix(NULL, ODIM_ERR_NOMEM, "file"), ODIM_ERR_NOMEM);
}

TEST(texts)
{
    for (int i = ODIM_OK; i <= ODIM_ERR_SYSTEM; i++)
        CHECK(strcmp(odim_status_text((odim_status)i), "unknown status"));
    CHECK_STR(odim_status_text((odim_status)99), "unknown status");
}

int main(void)
{
    RUN(printable);
    RUN(utf8);
    RUN(hidden);
    RUN(cut);
    RUN(failures);
    RUN(texts);
    return test_end();
}
