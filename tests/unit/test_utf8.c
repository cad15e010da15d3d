/* tests: utf8. UTF-8. */
#include "common/utf8.h"

#include "test.h"

/* The code point, -1 when the whole text is not one character. */
static long code_of(const char *text, size_t left)
{
    uint32_t code;
    int len = od_utf8_decode(text, left, &code);
    return len && (size_t)len == strlen(text) ? (long)code : -1;
}

TEST(characters)
{
    CHECK_INT(code_of("a", 1), 'a');
    CHECK_INT(code_of("\x7F", 1), 0x7F);
    CHECK_INT(code_of("\xC2\x80", 2), 0x80);
    CHECK_INT(code_of("\xDF\xBF", 4), 0x7FF);
    CHECK_INT(code_of("\xE0\xA0\x80", 3), 0x800);
    CHECK_INT(code_of("\xED\x9F\xBF", 3), 0xD7FF);
    CHECK_INT(code_of("\xEF\xBF\xBF", 3), 0xFFFF);
    CHECK_INT(code_of("\xF0\x90\x80\x80", 4), 0x10000);
    CHECK_INT(code_of("\xF4\x8F\xBF\xBF", OD_UTF8_LONGEST), 0x10FFFF);
}

TEST(not_characters)
{
    static const char *const bad[] = {"\x80",
                                      "\xBF",
                                      "\xC2",
                                      "\xC2x",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xE0\x9F\xBF",
                                      "\xED\xA0\x80",
                                      "\xE2\x82",
                                      "\xE2\x82x",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF8\x88\x80\x80",
                                      "\xFF"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t code;
        CHECK_INT(od_utf8_decode(bad[i], OD_UTF8_LONGEST, &code), 0);
    }
    CHECK_INT(code_of("\xC2\x80", 1), -1); /* cut short */
    CHECK_INT(code_of("a", 0), -1);
}

int main(void)
{
    RUN(characters);
    RUN(not_characters);
    return test_end();
}
