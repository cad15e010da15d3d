/* Converts Windows-1252 to UTF-8. */
#include "io/windows1252.h"

#include <stdint.h>
#include <string.h>

#include "common/utf8.h"

/* What the bytes 80 to 9F stand for; the others are those of Latin-1, which are Unicode's. */
static const uint16_t upper[32] = {0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                   0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
                                   0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                   0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

/* Bytes of a word that are ASCII and come before the others, whose highest bits are set in `high`; or fewer.
 */
static size_t count_ascii(uint64_t high)
{
    if (!high) return 8;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t)__builtin_ctzll(high) / 8;
#else
    return 0;
#endif
}

bool od_is_utf8(const char *text, size_t len)
{
    const char *end = text + len;
    while (text < end) {
        uint64_t eight;
        uint32_t code;
        if (end - text >= 8) {
            memcpy(&eight, text, 8);
            eight &= 0x8080808080808080u;
            text += count_ascii(eight);
            if (!eight) continue;
        }
        /* Most characters without a call: those of one byte, two, and three that are neither overlong nor
         * surrogates. */
        while (text < end && (unsigned char)*text < 0x80) text++;
        if (text == end) return true;
        unsigned char first = (unsigned char)*text;
        if (first >= 0xC2 && first < 0xE0 && end - text >= 2 && (text[1] & 0xC0) == 0x80) {
            text += 2;
            continue;
        }
        if (first >= 0xE1 && first < 0xED && end - text >= 3 && (text[1] & 0xC0) == 0x80 &&
            (text[2] & 0xC0) == 0x80) {
            text += 3;
            continue;
        }
        int n = od_utf8_decode(text, (size_t)(end - text), &code);
        if (n == 0) return false;
        text += n;
    }
    return true;
}

size_t od_windows1252_to_utf8(const char *text, size_t len, char *out)
{
    char *p = out;
    for (size_t i = 0; i < len; i++) {
        unsigned c = (unsigned char)text[i];
        if (c >= 0x80 && c < 0xA0) c = upper[c - 0x80];
        if (c < 0x80) {
            *p++ = (char)c;
        } else if (c < 0x800) {
            *p++ = (char)(0xC0 | c >> 6);
            *p++ = (char)(0x80 | (c & 0x3F));
        } else {
            *p++ = (char)(0xE0 | c >> 12);
            *p++ = (char)(0x80 | (c >> 6 & 0x3F));
            *p++ = (char)(0x80 | (c & 0x3F));
        }
    }
    return (size_t)(p - out);
}
