/* What there is to choose in a file: sheets of a workbook, tables of a database, entries of an archive. */
#include <string.h>

#include "io/sqlite_rows.h"
#include "io/xlsx_book.h"
#include "io/zip_pick.h"
#include "parsed.h"
#include "prep/duckdb_input.h"

enum { MOST = 200 }; /* names */

typedef struct choices {
    const char *kind; /* "sheets", "tables" or "entries"; NULL: there are none */
    od_strlist names;
} choices;

static bool add(choices *c, const char *name, size_t len)
{
    return c->names.count < MOST && od_strlist_add(&c->names, name, len, NULL) == ODIM_OK;
}

static void list_sheets(choices *c, const void *bytes, size_t size)
{
    enum { UNPACKED = 1 << 26 }; /* of the texts in the workbook, which are not needed here */
    od_book book;
    c->kind = "sheets";
    if (od_book_open(&book, bytes, size, UNPACKED, NULL)) return;
    for (size_t i = 0; i < book.names.count; i++) {
        const char *name = od_strlist_at(&book.names, i);
        if (!book.sheets[i].hidden && !add(c, name, strlen(name))) break;
    }
    od_book_close(&book);
}

/* Folders, and what macOS adds, are not entries. */
static void list_zip(choices *c, const void *bytes, size_t size)
{
    od_zip zip;
    if (od_zip_open(&zip, bytes, size, NULL)) return;
    bool book = od_book_is(&zip);
    if (!book && od_zip_is_folder(&zip)) c->kind = "entries";
    for (size_t i = 0; c->kind && i < zip.count; i++) {
        const od_zip_member *m = &zip.members[i];
        const char *base = m->name;
        for (size_t k = 0; k + 1 < m->name_len; k++)
            if (m->name[k] == '/') base = m->name + k + 1;
        bool file = m->name_len > 0 && m->name[m->name_len - 1] != '/' && *base != '.' &&
                    (m->name_len < 9 || memcmp(m->name, "__MACOSX/", 9) != 0);
        if (file && !add(c, m->name, m->name_len)) break;
    }
    od_zip_close(&zip);
    if (book) list_sheets(c, bytes, size);
}

/* By a query, as a client could ask it. */
static void list_tables(choices *c, const char *name, const void *bytes, size_t size, const char *sql)
{
    odim_table *t;
    odim_read_options o = ODIM_READ_OPTIONS_INIT;
    o.sql = sql;
    o.keep = 1;
    o.id = "";
    c->kind = "tables";
    if (odim_table_read_memory(&t, bytes, size, name, &o, NULL)) return;
    for (int64_t i = 0; i < odim_table_rows(t); i++) {
        const char *found = odim_table_kept(t, i, 0);
        if (found && !add(c, found, strlen(found))) break;
    }
    odim_table_free(t);
}

static void find_choices(choices *c, const char *name, const void *bytes, size_t size)
{
    od_format format;
    *c = (choices){0};
    if (od_zip_is(bytes, size))
        list_zip(c, bytes, size);
    else if (od_sqlite_is(bytes, size))
        list_tables(c, name, bytes, size,
                    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE "
                    "'sqlite\\_%' ESCAPE '\\' ORDER BY rowid");
    else if (od_duckdb_detect(bytes, size, &format) && format == OD_FORMAT_DUCKDB)
        list_tables(c, name, bytes, size,
                    "SELECT table_name FROM information_schema.tables ORDER BY table_name");
}

bool serve_choices_exist(const char *name, const void *bytes, size_t size)
{
    choices c;
    find_choices(&c, name, bytes, size);
    bool any = c.names.count > 1;
    od_strlist_free(&c.names);
    return any;
}

void serve_choices_json(const char *name, const void *bytes, size_t size, cli_json *j)
{
    choices c;
    find_choices(&c, name, bytes, size);
    cli_json_begin(j, "choices", '{');
    if (c.names.count > 1) {
        cli_json_begin(j, c.kind, '[');
        for (size_t i = 0; i < c.names.count; i++) cli_json_string(j, NULL, od_strlist_at(&c.names, i));
        cli_json_end(j);
    }
    cli_json_end(j);
    od_strlist_free(&c.names);
}
