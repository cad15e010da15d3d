/* A growing text, for responses and for lines of the log. */
#include "http_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/utf8.h"

/* Makes room for `more` bytes and a '\0'. */
static bool reserve(http_text *t, size_t more)
{
    if (t->failed) return false;
    if (more < t->room - t->size) return true;
    size_t needed = t->size + more + 1;
    bool fits = needed > more && (!t->most || needed - 1 <= t->most);
    size_t room = t->room * 2 > needed ? t->room * 2 : needed < 256 ? 256 : needed;
    char *grown = fits ? od_grow(t->bytes, t->size, room, 1) : NULL;
    if (!grown) {
        t->failed = true;
        return false;
    }
    t->bytes = grown;
    t->room = room;
    return true;
}

void http_text_add(http_text *t, const void *bytes, size_t size)
{
    if (!reserve(t, size)) return;
    if (size) memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = '\0';
}

void http_text_puts(http_text *t, const char *text)
{
    http_text_add(t, text, strlen(text));
}

void http_text_printf(http_text *t, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, ap);
    if (len >= 0 && reserve(t, (size_t)len)) {
        vsnprintf(t->bytes + t->size, (size_t)len + 1, fmt, again);
        t->size += (size_t)len;
    }
    va_end(again);
    va_end(ap);
}

void http_text_json(http_text *t, const char *text)
{
    http_text_add(t, "\"", 1);
    for (int len; *text; text += len) {
        uint32_t code;
        len = od_utf8_decode(text, OD_UTF8_LONGEST, &code);
        if (len == 0) {
            len = 1;
            http_text_puts(t, "\\ufffd");
        } else if (code == '"' || code == '\\') {
            http_text_printf(t, "\\%c", (char)code);
        } else if (code < 0x20 || code == 0x7F) {
            http_text_printf(t, "\\u%04x", (unsigned)code);
        } else {
            http_text_add(t, text, (size_t)len);
        }
    }
    http_text_add(t, "\"", 1);
}

void http_text_free(http_text *t)
{
    od_free(t->bytes);
    *t = (http_text){0};
}
