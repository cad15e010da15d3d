/*
 * Lists the sheets of an OpenDocument spreadsheet (.ods): a zip archive whose content.xml has all of them.
 *
 *     META-INF/manifest.xml          the files; those of a document with a password have encryption data
 *     content.xml                    styles, which tell the hidden sheets, then the sheets: io/ods_sheet.c
 */
#include <string.h>

#include "common/mem.h"
#include "io/xlsx_book.h"

/* More than any document has. */
#define SHEETS_MOST 16384

typedef struct content {
    od_book *book;
    size_t member;
    int depth;         /* of tables in tables */
    bool is_sheets;    /* a spreadsheet, and not a text document */
    od_strlist hidden; /* styles of tables that are not shown */
    char style[80];    /* that is being read */
} content;

static odim_status add_sheet(content *c, const char **attrs, odim_error *err)
{
    od_book *b = c->book;
    const char *name = od_xml_attr(attrs, "name"), *style = od_xml_attr(attrs, "style-name");
    bool hidden = false;
    if (!name) name = "";
    if (b->names.count == SHEETS_MOST)
        return od_fail(err, ODIM_ERR_FORMAT, "it has more than %d sheets", SHEETS_MOST);
    for (size_t i = 0; style && i < c->hidden.count; i++)
        hidden |= strcmp(od_strlist_at(&c->hidden, i), style) == 0;
    return od_book_add_sheet(b, name, (od_book_sheet){c->member, hidden}, err);
}

static odim_status start_content(void *ctx, const char *name, const char **attrs, odim_error *err)
{
    content *c = ctx;
    if (strcmp(name, "spreadsheet") == 0) c->is_sheets = true;
    if (strcmp(name, "table") == 0 && c->is_sheets && c->depth++ == 0) return add_sheet(c, attrs, err);
    if (strcmp(name, "style") == 0) {
        const char *style = od_xml_attr(attrs, "name");
        size_t len = style ? strlen(style) : 0;
        if (len >= sizeof c->style) len = 0;
        if (len) memcpy(c->style, style, len);
        c->style[len] = '\0';
    } else if (strcmp(name, "table-properties") == 0 && *c->style) {
        const char *shown = od_xml_attr(attrs, "display");
        if (shown && strcmp(shown, "false") == 0)
            return od_strlist_add(&c->hidden, c->style, strlen(c->style), err);
    }
    return ODIM_OK;
}

static odim_status end_content(void *ctx, const char *name, odim_error *err)
{
    content *c = ctx;
    (void)err;
    if (strcmp(name, "table") == 0 && c->is_sheets) c->depth--;
    return ODIM_OK;
}

static odim_status start_manifest(void *ctx, const char *name, const char **attrs, odim_error *err)
{
    (void)ctx, (void)attrs;
    if (strcmp(name, "encryption-data") != 0) return ODIM_OK;
    return od_fail(err, ODIM_ERR_FORMAT, "the document is encrypted; save it without a password, or as CSV");
}

static odim_status end_manifest(void *ctx, const char *name, odim_error *err)
{
    (void)ctx, (void)name, (void)err;
    return ODIM_OK;
}

odim_status od_book_read_ods(od_book *b, size_t member, const size_t *manifest, odim_error *err)
{
    static const od_xml_handler handler = {start_content, end_content, NULL};
    static const od_xml_handler of_manifest = {start_manifest, end_manifest, NULL};
    content c = {.book = b, .member = member};
    b->is_ods = true;
    odim_status status = manifest ? od_book_run(b, *manifest, &of_manifest, &c, err) : ODIM_OK;
    if (!status) status = od_book_run(b, member, &handler, &c, err);
    od_strlist_free(&c.hidden);
    if (status) return status;
    if (!c.is_sheets)
        return od_fail(
            err, ODIM_ERR_FORMAT,
            "it is an OpenDocument file without a spreadsheet; save the table as .ods, .xlsx or CSV");
    return b->names.count ? ODIM_OK : od_fail(err, ODIM_ERR_DATA, "the document has no sheets");
}
