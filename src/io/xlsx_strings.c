/* Reads the shared strings of an Excel workbook. */
#include <string.h>

#include "common/mem.h"
#include "io/xlsx_book.h"

/* One string may be in several parts with fonts of their own. What says how it is pronounced is left out. */
typedef struct reading {
    od_strlist *strings;
    bool in_text, in_phonetic;
    char *text;
    size_t len, cap;
} reading;

/* The character of four hexadecimal digits, or 0. */
static unsigned hex4(const char *p)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                           : -1;
        if (digit < 0) return 0;
        value = value * 16 + (unsigned)digit;
    }
    return value;
}

/* Only characters of one byte are escaped so: the others are as they are in XML. */
size_t od_book_unescape(char *text, size_t len)
{
    size_t to = 0;
    for (size_t i = 0; i < len;) {
        unsigned c = len - i >= 7 && text[i] == '_' && text[i + 1] == 'x' && text[i + 6] == '_'
                         ? hex4(text + i + 2)
                         : 0;
        bool escaped = c > 0 && c < 128;
        text[to++] = escaped ? (char)c : text[i];
        i += escaped ? 7 : 1;
    }
    return to;
}

static odim_status start(void *ctx, const char *name, const char **attrs, odim_error *err)
{
    reading *r = ctx;
    (void)attrs, (void)err;
    if (strcmp(name, "si") == 0) r->len = 0;
    if (strcmp(name, "rPh") == 0) r->in_phonetic = true;
    r->in_text = strcmp(name, "t") == 0 && !r->in_phonetic;
    return ODIM_OK;
}

static odim_status end(void *ctx, const char *name, odim_error *err)
{
    reading *r = ctx;
    r->in_text = false;
    if (strcmp(name, "rPh") == 0) r->in_phonetic = false;
    if (strcmp(name, "si") != 0) return ODIM_OK;
    r->len = od_book_unescape(r->text, r->len);
    return od_strlist_add(r->strings, r->text, r->len, err);
}

static odim_status text(void *ctx, const char *piece, size_t len, odim_error *err)
{
    reading *r = ctx;
    if (!r->in_text) return ODIM_OK;
    if (r->cap - r->len < len) {
        size_t cap = (r->len + len) * 2;
        char *more = od_grow(r->text, r->len, cap, 1);
        if (!more) return od_fail_nomem(err);
        r->text = more;
        r->cap = cap;
    }
    memcpy(r->text + r->len, piece, len);
    r->len += len;
    return ODIM_OK;
}

odim_status od_book_read_strings(od_book *b, size_t member, odim_error *err)
{
    static const od_xml_handler handler = {start, end, text};
    reading r = {.strings = &b->strings};
    odim_status status = od_book_run(b, member, &handler, &r, err);
    od_free(r.text);
    return status;
}
