/* Text in lines of a given length. */
#include "wrap.h"

#include <string.h>

int cli_wrap_chars(const char *text, int bytes)
{
    int n = 0;
    for (int i = 0; i < bytes; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

void cli_wrap(const char *text, int room, const char *indent, FILE *to)
{
    for (int used = 0; *text;) {
        int len = (int)strcspn(text, " "), chars = cli_wrap_chars(text, len);
        if (used > 0 && used + 1 + chars > room) {
            fprintf(to, "\n%s", indent);
            used = 0;
        }
        if (used > 0) used += fprintf(to, " ");
        fprintf(to, "%.*s", len, text);
        used += chars;
        text += len + (text[len] == ' ');
    }
}
