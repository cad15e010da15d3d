/* Decodes one character of UTF-8. */
#include "common/utf8.h"

int od_utf8_decode(const char *text, size_t left, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    *code = 0;
    if (left == 0) return 0;
    int len = p[0] < 0x80 ? 1 : p[0] < 0xC0 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF8 ? 4 : 0;
    if (len == 0 || (size_t)len > left) return 0;
    uint32_t c = len == 1 ? p[0] : p[0] & (0x7Fu >> len);
    for (int i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
        c = c << 6 | (p[i] & 0x3F);
    }
    *code = c;
    return c >= smallest[len] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF) ? len : 0;
}
