/* Text and numbers in pictures: escaped, measured, formatted. */
#include "plot_text.h"

#include <math.h>
#include <stdint.h>

#include "common/utf8.h"

#define LETTER 6.0 /* mean width of a letter of 12 px */

static int is_shown(uint32_t code)
{
    return code >= 0x20 && !(code >= 0x7F && code < 0xA0) && code != 0xFFFE && code != 0xFFFF;
}

void plot_text(FILE *f, const char *text)
{
    uint32_t code;
    for (int len; *text; text += len ? len : 1) {
        len = od_utf8_decode(text, OD_UTF8_LONGEST, &code);
        switch (*text) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        case '"': fputs("&quot;", f); break;
        case '\'': fputs("&#39;", f); break;
        default:
            if (len && is_shown(code))
                fwrite(text, 1, (size_t)len, f);
            else
                fputs("\xEF\xBF\xBD", f);
        }
    }
}

double plot_text_width(const char *text)
{
    double width = 0;
    for (; *text; text++) width += LETTER * ((*text & 0xC0) != 0x80); /* not the later bytes of a character */
    return width;
}

const char *plot_number(char *buf, size_t size, double value)
{
    if (!(fabs(value) >= 1000 && fabs(value) < 1e15)) {
        snprintf(buf, size, "%g", value == 0 ? 0 : value); /* no -0 */
        return buf;
    }
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t used = 0;
    if (value < 0 && size > 1) buf[used++] = '-';
    for (int i = 0; i < len && used + 3 < size; i++) {
        if (i && (len - i) % 3 == 0) buf[used++] = ',';
        buf[used++] = digits[i];
    }
    buf[used] = '\0';
    return buf;
}
