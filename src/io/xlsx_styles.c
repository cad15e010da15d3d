/* Tells which styles of an Excel workbook show a number as a date. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "io/xlsx_book.h"

/* More than any workbook has. */
#define FORMATS_MOST 4096
#define STYLES_MOST  65536

typedef struct custom {
    long id;
    bool date;
} custom;

typedef struct reading {
    od_book *book;
    bool in_formats, in_styles;
    custom *formats; /* those of the workbook itself */
    size_t count, cap;
} reading;

/* Formats that every Excel has: dates and times, also those of East Asia. */
static bool is_built_in_date(long id)
{
    return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) ||
           (id >= 50 && id <= 58);
}

/* [h], [mm] or [ss]: time that has passed. Colors, conditions and currencies are in brackets too. */
static bool is_elapsed(const char *p, const char *end)
{
    char c = *p;
    if (p == end || !strchr("hHmMsS", c)) return false;
    while (p < end && (*p | 32) == (c | 32)) p++;
    return p == end;
}

/* A format is one of a date if a letter of year, month, day, hour or second stands in it outside quotes and
 * brackets. A digit that may be absent (#, ?), a percent sign or "General" belong to numbers. */
static bool is_date_format(const char *p)
{
    bool date = false;
    for (; *p && *p != ';'; p++) {
        if (*p == '"') {
            if (!(p = strchr(p + 1, '"'))) break;
        } else if (*p == '[') {
            const char *end = strchr(p, ']');
            if (!end) break;
            date |= is_elapsed(p + 1, end);
            p = end;
        } else if (*p == '\\' || *p == '_' || *p == '*') { /* the next character is shown, or its width */
            if (!*++p) break;
        } else if (strchr("#?%@", *p) || strncasecmp(p, "General", 7) == 0) {
            return false;
        } else if (strchr("yYmMdDhHsS", *p)) {
            date = true;
        }
    }
    return date;
}

static odim_status add_format(reading *r, const char **attrs, odim_error *err)
{
    const char *id = od_xml_attr(attrs, "numFmtId"), *code = od_xml_attr(attrs, "formatCode");
    if (!id || !code) return ODIM_OK;
    if (r->count == FORMATS_MOST)
        return od_fail(err, ODIM_ERR_FORMAT, "it has more than %d formats", FORMATS_MOST);
    if (r->count == r->cap) {
        size_t cap = r->cap ? r->cap * 2 : 16;
        custom *more = od_grow(r->formats, r->cap, cap, sizeof *more);
        if (!more) return od_fail_nomem(err);
        r->formats = more;
        r->cap = cap;
    }
    r->formats[r->count++] = (custom){strtol(id, NULL, 10), is_date_format(code)};
    return ODIM_OK;
}

static odim_status add_style(reading *r, const char **attrs, odim_error *err)
{
    od_book *b = r->book;
    const char *text = od_xml_attr(attrs, "numFmtId");
    long id = text ? strtol(text, NULL, 10) : 0;
    if (b->styles == STYLES_MOST)
        return od_fail(err, ODIM_ERR_FORMAT, "it has more than %d styles", STYLES_MOST);
    bool date = is_built_in_date(id);
    for (size_t i = 0; i < r->count; i++)
        if (r->formats[i].id == id) date = r->formats[i].date;
    if (b->styles == b->styles_cap) {
        size_t cap = b->styles_cap ? b->styles_cap * 2 : 64;
        bool *more = od_grow(b->dates, b->styles_cap, cap, sizeof *more);
        if (!more) return od_fail_nomem(err);
        b->dates = more;
        b->styles_cap = cap;
    }
    b->dates[b->styles++] = date;
    return ODIM_OK;
}

static odim_status start(void *ctx, const char *name, const char **attrs, odim_error *err)
{
    reading *r = ctx;
    if (strcmp(name, "numFmts") == 0) r->in_formats = true;
    if (strcmp(name, "cellXfs") == 0) r->in_styles = true;
    if (r->in_formats && strcmp(name, "numFmt") == 0) return add_format(r, attrs, err);
    return r->in_styles && strcmp(name, "xf") == 0 ? add_style(r, attrs, err) : ODIM_OK;
}

static odim_status end(void *ctx, const char *name, odim_error *err)
{
    reading *r = ctx;
    (void)err;
    if (strcmp(name, "numFmts") == 0) r->in_formats = false;
    if (strcmp(name, "cellXfs") == 0) r->in_styles = false;
    return ODIM_OK;
}

odim_status od_book_read_styles(od_book *b, size_t member, odim_error *err)
{
    static const od_xml_handler handler = {start, end, NULL};
    reading r = {.book = b};
    odim_status status = od_book_run(b, member, &handler, &r, err);
    od_free(r.formats);
    return status;
}
