/* A strict UTF-8 decoder. */
#include "utf8.h"

#include <stdbool.h>

static bool is_continuation(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

static int length(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
    if (!is_continuation(s[1])) return 0;
    if (s[0] < 0xE0) return 2;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F)) return 0;
    if (!is_continuation(s[2])) return 0;
    if (s[0] < 0xF0) return 3;
    if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F)) return 0;
    return is_continuation(s[3]) ? 4 : 0;
}

int cli_utf8_decode(const char *text, uint32_t *code)
{
    static const unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    const unsigned char *s = (const unsigned char *)text;
    int len = length(s);
    *code = s[0] & first_bits[len];
    for (int i = 1; i < len; i++) *code = *code << 6 | (s[i] & 0x3F);
    return len;
}
