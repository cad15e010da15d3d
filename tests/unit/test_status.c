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
    CHECK_STR(show("a\tb\x7f\033[1m", 100), "a?b??[1m");
    char buf[10];
    CHECK_STR(od_printable(buf, sizeof buf, "a\0b", 3), "a?b");
}

/* Valid UTF-8 passes; what is not, byte by byte, does not. */
TEST(utf8)
{
    CHECK_STR(show("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80", 100), "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80");
    CHECK_STR(show("\xE4", 100), "?"); /* Latin-1 */
    CHECK_STR(show("\xE4n", 100), "?n");
    CHECK_STR(show("\xC3", 100), "?");                     /* cut */
    CHECK_STR(show("\xA4", 100), "?");                     /* no beginning */
    CHECK_STR(show("\xC0\x8A\xE0\x80\x8A", 100), "?????"); /* a line end, overlong */
    CHECK_STR(show("\xC2\x9B", 100), "??");                /* a control character of its own */
    CHECK_STR(show("\xED\xA0\x80", 100), "???");           /* a surrogate */
    CHECK_STR(show("\xF4\x90\x80\x80", 100), "????");      /* beyond the last character */
    CHECK_STR(show("\xFF\xFE", 100), "??");
}

TEST(cut)
{
    CHECK_STR(show("0123456", 8), "0123456");
    CHECK_STR(show("01234567", 8), "0123...");
    CHECK_STR(show("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 8), "\xC3\xA4\xC3\xA4...");
    CHECK_STR(show("a\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 8), "a\xC3\xA4...");
    CHECK_STR(show("0123", 4), "...");
    CHECK_STR(show("0123", 3), "");
    CHECK_STR(show("0123", 1), "");
}

TEST(failures)
{
    odim_error err;
    CHECK_INT(od_fail(&err, ODIM_ERR_DATA, "%d rows", 0), ODIM_ERR_DATA);
    CHECK(err.status == ODIM_ERR_DATA && err.row == 0 && err.col == 0);
    CHECK_STR(err.msg, "0 rows");
    CHECK_INT(od_fail_at(&err, ODIM_ERR_IO, 7, 8, "x"), ODIM_ERR_IO);
    CHECK(err.status == ODIM_ERR_IO && err.row == 7 && err.col == 8);
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
    RUN(cut);
    RUN(failures);
    RUN(texts);
    return test_end();
}
