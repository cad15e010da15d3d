/* Windows-1252 to UTF-8, against iconv. */
#include "io/windows1252.h"

#include <iconv.h>

#include "test.h"

/* iconv is the judge, for the bytes that stand for something. */
TEST(all_bytes)
{
    iconv_t cd = iconv_open("UTF-8", "WINDOWS-1252");
    REQUIRE(cd != (iconv_t)-1);
    for (int c = 1; c < 256; c++) {
        char byte = (char)c, got[8], want[8] = "\xEF\xBF\xBD", *in = &byte, *out = want;
        size_t in_len = 1, left = sizeof want;
        size_t n = od_windows1252_to_utf8(&byte, 1, got), len = 3;
        if (iconv(cd, &in, &in_len, &out, &left) != (size_t)-1) len = sizeof want - left;
        CHECK(n == len && memcmp(got, want, n) == 0 && n <= OD_WINDOWS1252_MOST);
        CHECK(od_is_utf8(got, n));
        CHECK(od_is_utf8(&byte, 1) == (c < 128));
        iconv(cd, NULL, NULL, NULL, NULL);
    }
    iconv_close(cd);
}

TEST(valid)
{
    CHECK(od_is_utf8("", 0) && od_is_utf8("12345678901", 11));
    CHECK(od_is_utf8("1234567\xC3\xA4", 9) && od_is_utf8("\xF0\x9F\x98\x80", 4));
    CHECK(!od_is_utf8("1234567\xC3", 8) && !od_is_utf8("12345678\xE4", 9));
    CHECK(!od_is_utf8("\xC0\x80", 2) && !od_is_utf8("\xED\xA0\x80", 3));
    for (size_t at = 0; at < 20; at++) {
        char text[20];
        memset(text, 'a', sizeof text);
        text[at] = (char)0xE4;
        CHECK(!od_is_utf8(text, sizeof text) && od_is_utf8(text, at));
    }
}

int main(void)
{
    RUN(all_bytes);
    RUN(valid);
    return test_end();
}
