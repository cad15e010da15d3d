/* Finds the table of an SQLite database, or prepares a query, and turns the rows into records. */
#include "io/sqlite_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/numtext.h"
#include "common/suggest.h"
#include "io/sqlite_db.h"
#include "io/windows1252.h"
#include "base/hint.h"

#define MAGIC     "SQLite format 3"
#define MAGIC_LEN sizeof MAGIC /* with the '\0' */
/* Columns of blobs are looked for in so many rows. */
#define TRIED_ROWS 100
/* Rows are counted up to here, for a message. */
#define COUNTED_ROWS 1000000

typedef struct sqlite_rows {
    od_records base;
    sqlite3 *db;
    sqlite3_stmt *stmt;
    unsigned char *copy; /* of a database in memory, if it had to be changed */
    int *place;          /* (names) columns of the statement */
    od_field *fields;    /* (names) */
    char (*number)[OD_NUM_ROOM];
    char **recoded; /* (names) texts that were not UTF-8 */
    int64_t row;    /* the last one that was read */
    bool end;
} sqlite_rows;

bool od_sqlite_is(const void *bytes, size_t len)
{
    return len >= MAGIC_LEN && memcmp(bytes, MAGIC, MAGIC_LEN) == 0;
}

/* ---- tables ----------------------------------------------------------------------------------------- */

/* What there is to read: tables first, then views. */
typedef struct contents {
    od_strlist names;
    size_t tables;
} contents;

static odim_status list_contents(sqlite_rows *s, contents *c, odim_error *err)
{
    sqlite3_stmt *stmt = NULL;
    odim_status status = ODIM_OK;
    int rc =
        sqlite3_prepare_v2(s->db,
                           "SELECT name, type = 'table' FROM sqlite_master WHERE type IN ('table', 'view')"
                           " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, rowid",
                           -1, &stmt, NULL);
    while (!rc && !status && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(stmt, 0);
        c->tables += sqlite3_column_int(stmt, 1) != 0;
        status = od_strlist_add(&c->names, name ? name : "", (size_t)sqlite3_column_bytes(stmt, 0), err);
        rc = SQLITE_OK;
    }
    if (!status && rc && rc != SQLITE_DONE) status = od_sqlite_fail(s->db, rc, err);
    sqlite3_finalize(stmt);
    return status;
}

/* A statement with a name, quoted, in the place of %w. */
static odim_status prepare_for(sqlite_rows *s, const char *format, const char *name, sqlite3_stmt **out,
                               odim_error *err)
{
    char *sql = sqlite3_mprintf(format, name);
    if (!sql) return od_fail_nomem(err);
    int rc = sqlite3_prepare_v2(s->db, sql, -1, out, NULL);
    sqlite3_free(sql);
    return rc ? od_sqlite_fail(s->db, rc, err) : ODIM_OK;
}

/* "12 rows", or why they cannot be counted. */
static void count_rows(sqlite_rows *s, const char *name, char *buf, size_t size)
{
    sqlite3_stmt *stmt = NULL;
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1 FROM \"%%w\" LIMIT %d)", COUNTED_ROWS + 1);
    if (prepare_for(s, sql, name, &stmt, NULL) || sqlite3_step(stmt) != SQLITE_ROW) {
        snprintf(buf, size, "cannot be read");
    } else {
        long long rows = sqlite3_column_int64(stmt, 0);
        bool more = rows > COUNTED_ROWS;
        snprintf(buf, size, "%s%lld row%s", more ? "more than " : "", more ? COUNTED_ROWS : rows,
                 rows == 1 ? "" : "s");
    }
    sqlite3_finalize(stmt);
}

/* Lists as many tables and views as fit. */
static void show_contents(sqlite_rows *s, const contents *c, char *buf, size_t size)
{
    enum { ROOM = 90 }; /* for one more */
    size_t len = 0, i = 0;
    *buf = '\0';
    for (; i < c->names.count && size - len > ROOM; i++) {
        char name[32], rows[40];
        const char *raw = od_strlist_at(&c->names, i);
        count_rows(s, raw, rows, sizeof rows);
        len += (size_t)snprintf(buf + len, size - len, "%s%s%s (%s)", i ? ", " : "",
                                i < c->tables ? "" : "view ",
                                od_printable(name, sizeof name, raw, strlen(raw)), rows);
    }
    if (i < c->names.count) snprintf(buf + len, size - len, " and %zu more", c->names.count - i);
}

static odim_status fail_to_choose(sqlite_rows *s, const contents *c, odim_error *err)
{
    char list[245]; /* a message with a path has room for 300 */
    show_contents(s, c, list, sizeof list);
    return od_fail(err, ODIM_ERR_DATA, "it has several tables; choose one%s: %s", OD_HINT("table"), list);
}

static odim_status fail_unknown(sqlite_rows *s, const contents *c, const char *wanted, odim_error *err)
{
    char shown[40], best[40], list[220];
    od_suggest near = {.word = wanted};
    for (size_t i = 0; i < c->names.count; i++) od_suggest_offer(&near, od_strlist_at(&c->names, i));
    od_printable(shown, sizeof shown, wanted, strlen(wanted));
    if (near.best)
        return od_fail(err, ODIM_ERR_DATA, "there is no table '%s'; did you mean '%s'?", shown,
                       od_printable(best, sizeof best, near.best, strlen(near.best)));
    show_contents(s, c, list, sizeof list);
    return od_fail(err, ODIM_ERR_DATA, "there is no table '%s'; there %s %s", shown,
                   c->names.count == 1 ? "is" : "are", list);
}

/* A whole scan of a table goes by its own order, unless SQLite finds an index with all columns. */
static odim_status prepare_table(sqlite_rows *s, const char *wanted, odim_error *err)
{
    contents c = {0};
    size_t at = 0;
    odim_status status = list_contents(s, &c, err);
    while (wanted && at < c.names.count && sqlite3_stricmp(wanted, od_strlist_at(&c.names, at)) != 0) at++;
    if (!status && c.names.count == 0) status = od_fail(err, ODIM_ERR_DATA, "the database has no tables");
    if (!status && wanted && at == c.names.count) status = fail_unknown(s, &c, wanted, err);
    if (!status && !wanted && c.tables != 1 && c.names.count > 1) status = fail_to_choose(s, &c, err);
    if (!status)
        status = prepare_for(s, at < c.tables ? "SELECT * FROM \"%w\" NOT INDEXED" : "SELECT * FROM \"%w\"",
                             od_strlist_at(&c.names, at), &s->stmt, err);
    od_strlist_free(&c.names);
    return status;
}

/* ---- queries ---------------------------------------------------------------------------------------- */

/* Refuses what counts as reading, or works while it is prepared, and is still not a query. A search in a text
 * index asks for a number by PRAGMA. */
static int refuse_orders(void *ignored, int action, const char *a, const char *b, const char *database,
                         const char *by)
{
    (void)ignored, (void)b, (void)database, (void)by;
    switch (action) {
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return SQLITE_DENY;
    case SQLITE_PRAGMA: return a && strcmp(a, "data_version") == 0 ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_OK;
    }
}

static odim_status fail_query(const sqlite_rows *s, int rc, odim_error *err)
{
    char shown[300];
    const char *text = sqlite3_errmsg(s->db);
    if (rc == SQLITE_AUTH)
        return od_fail(err, ODIM_ERR_DATA, "the query must only read: one SELECT statement");
    if (rc != SQLITE_ERROR) return od_sqlite_fail(s->db, rc, err);
    return od_fail(err, ODIM_ERR_DATA, "the query is wrong: %s",
                   od_printable(shown, sizeof shown, text, strlen(text)));
}

static odim_status check_query(const sqlite_rows *s, const char *tail, odim_error *err)
{
    sqlite3_stmt *second = NULL;
    if (!s->stmt) return od_fail(err, ODIM_ERR_DATA, "the query is empty");
    if (!sqlite3_stmt_readonly(s->stmt) || sqlite3_stmt_isexplain(s->stmt) ||
        sqlite3_column_count(s->stmt) == 0)
        return od_fail(err, ODIM_ERR_DATA, "the query must only read: one SELECT statement");
    if (sqlite3_bind_parameter_count(s->stmt))
        return od_fail(err, ODIM_ERR_DATA, "the query has a parameter ('%s'), which has no value",
                       sqlite3_bind_parameter_name(s->stmt, 1) ? sqlite3_bind_parameter_name(s->stmt, 1)
                                                               : "?");
    for (int rc = 0; tail && *tail;) {
        const char *from = tail;
        rc = sqlite3_prepare_v2(s->db, from, -1, &second, &tail);
        bool other = rc || second;
        sqlite3_finalize(second);
        if (other) return od_fail(err, ODIM_ERR_DATA, "the query must be one statement, without others");
        if (tail == from) break;
    }
    return ODIM_OK;
}

static odim_status prepare_query(sqlite_rows *s, const char *sql, odim_error *err)
{
    const char *tail = NULL;
    sqlite3_set_authorizer(s->db, refuse_orders, NULL);
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &s->stmt, &tail);
    odim_status status = rc ? fail_query(s, rc & 0xff, err) : check_query(s, tail, err);
    sqlite3_set_authorizer(s->db, NULL, NULL);
    return status;
}

/* ---- columns ---------------------------------------------------------------------------------------- */

/* Marks the columns that contain blobs, by their declaration or in the first rows. */
static odim_status find_blobs(sqlite_rows *s, bool *blob, int count, odim_error *err)
{
    int rc = SQLITE_ROW;
    for (int j = 0; j < count; j++) {
        const char *type = sqlite3_column_decltype(s->stmt, j);
        blob[j] = type && sqlite3_strlike("%blob%", type, 0) == 0;
    }
    for (int i = 0; i < TRIED_ROWS && (rc = sqlite3_step(s->stmt)) == SQLITE_ROW; i++)
        for (int j = 0; j < count; j++)
            if (sqlite3_column_type(s->stmt, j) == SQLITE_BLOB) blob[j] = true;
    odim_status status = rc == SQLITE_ROW || rc == SQLITE_DONE ? ODIM_OK : od_sqlite_fail(s->db, rc, err);
    sqlite3_reset(s->stmt);
    return status;
}

static odim_status note_blobs(const char *name, od_strlist *notes, odim_error *err)
{
    char shown[60], text[120];
    snprintf(text, sizeof text, "column '%s' contains blobs: ignored",
             od_printable(shown, sizeof shown, name, strlen(name)));
    return od_strlist_add(notes, text, strlen(text), err);
}

static odim_status name_columns(sqlite_rows *s, od_strlist *notes, odim_error *err)
{
    int count = sqlite3_column_count(s->stmt);
    bool *blob = od_calloc((size_t)count, sizeof *blob);
    s->place = od_alloc((size_t)count, sizeof *s->place);
    s->fields = od_calloc((size_t)count, sizeof *s->fields);
    s->number = od_alloc((size_t)count, sizeof *s->number);
    s->recoded = od_calloc((size_t)count, sizeof *s->recoded);
    odim_status status = blob && s->place && s->fields && s->number && s->recoded
                             ? find_blobs(s, blob, count, err)
                             : od_fail_nomem(err);
    for (int j = 0; !status && j < count; j++) {
        const char *name = sqlite3_column_name(s->stmt, j);
        if (!name) status = od_fail_nomem(err);
        if (!status && blob[j]) {
            status = note_blobs(name, notes, err);
        } else if (!status) {
            s->place[s->base.names.count] = j;
            status = od_strlist_add(&s->base.names, name, strlen(name), err);
        }
    }
    od_free(blob);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------------- */

static odim_status take_text(sqlite_rows *s, size_t k, odim_error *err)
{
    od_field *f = &s->fields[k];
    const char *text = (const char *)sqlite3_column_text(s->stmt, s->place[k]);
    size_t len = (size_t)sqlite3_column_bytes(s->stmt, s->place[k]);
    char shown[40];
    const char *name = od_strlist_at(&s->base.names, k);
    if (!text) return od_fail_nomem(err);
    if (memchr(text, '\0', len))
        return od_fail_at(err, ODIM_ERR_FORMAT, s->row, (int64_t)k + 1,
                          "row %lld, column '%s': the text has a zero byte in it", (long long)s->row,
                          od_printable(shown, sizeof shown, name, strlen(name)));
    if (!od_is_utf8(text, len)) {
        s->recoded[k] = od_alloc(len, OD_WINDOWS1252_MOST);
        if (!s->recoded[k]) return od_fail_nomem(err);
        len = od_windows1252_to_utf8(text, len, s->recoded[k]);
        text = s->recoded[k];
    }
    *f = (od_field){.text = text, .len = (uint32_t)len};
    return ODIM_OK;
}

static odim_status take_field(sqlite_rows *s, size_t k, odim_error *err)
{
    od_field *f = &s->fields[k];
    char shown[40];
    const char *name = od_strlist_at(&s->base.names, k);
    double value;
    od_free(s->recoded[k]);
    s->recoded[k] = NULL;
    *f = (od_field){.text = s->number[k], .number = true};
    switch (sqlite3_column_type(s->stmt, s->place[k])) {
    case SQLITE_NULL: return ODIM_OK;
    case SQLITE_INTEGER:
        f->len = (uint32_t)od_num_int(s->number[k], sqlite3_column_int64(s->stmt, s->place[k]));
        return ODIM_OK;
    case SQLITE_FLOAT:
        value = sqlite3_column_double(s->stmt, s->place[k]);
        if (isfinite(value))
            od_num_format(s->number[k], value, false);
        else
            snprintf(s->number[k], OD_NUM_ROOM, "%s", value > 0 ? "inf" : "-inf");
        f->len = (uint32_t)strlen(s->number[k]);
        return ODIM_OK;
    case SQLITE_TEXT: return take_text(s, k, err);
    default:
        return od_fail_at(err, ODIM_ERR_FORMAT, s->row, (int64_t)k + 1,
                          "row %lld, column '%s' is a blob; leave the column out by a query%s",
                          (long long)s->row, od_printable(shown, sizeof shown, name, strlen(name)),
                          OD_HINT("sql"));
    }
}

static odim_status next(od_records *r, od_record *out, odim_error *err)
{
    sqlite_rows *s = (sqlite_rows *)r;
    odim_status status = ODIM_OK;
    *out = (od_record){.row = s->row + 1};
    if (s->end) return ODIM_OK;
    int rc = sqlite3_step(s->stmt);
    if (rc != SQLITE_ROW) {
        s->end = true;
        return rc == SQLITE_DONE ? ODIM_OK : od_sqlite_fail(s->db, rc, err);
    }
    s->row++;
    for (size_t k = 0; k < r->names.count && !status; k++) status = take_field(s, k, err);
    if (!status) out->fields = s->fields, out->count = r->names.count;
    return status;
}

static odim_status rewind_rows(od_records *r, odim_error *err)
{
    sqlite_rows *s = (sqlite_rows *)r;
    (void)err; /* what the last step has failed with was told then */
    sqlite3_reset(s->stmt);
    s->row = 0;
    s->end = false;
    return ODIM_OK;
}

static void close_rows(od_records *r)
{
    sqlite_rows *s = (sqlite_rows *)r;
    for (size_t k = 0; s->recoded && k < r->names.count; k++) od_free(s->recoded[k]);
    sqlite3_finalize(s->stmt);
    sqlite3_close(s->db);
    od_strlist_free(&r->names);
    od_free(s->copy);
    od_free(s->place);
    od_free(s->fields);
    od_free(s->number);
    od_free(s->recoded);
    od_free(s);
}

static odim_status open_rows(od_records **out, const char *path, const void *bytes, size_t size,
                             od_sqlite_choice choice, od_strlist *notes, odim_error *err)
{
    *out = NULL;
    if (choice.table && choice.sql)
        return od_fail(err, ODIM_ERR_PARAM, "rows are those of a table or of a query, not of both");
    sqlite_rows *s = od_calloc(1, sizeof *s);
    if (!s) return od_fail_nomem(err);
    s->base = (od_records){.next = next, .rewind = rewind_rows, .close = close_rows};
    odim_status status = bytes ? od_sqlite_connect_memory(&s->db, bytes, size, &s->copy, err)
                               : od_sqlite_connect(&s->db, path, err);
    if (!status)
        status = choice.sql ? prepare_query(s, choice.sql, err) : prepare_table(s, choice.table, err);
    if (!status) status = name_columns(s, notes, err);
    if (status)
        close_rows(&s->base);
    else
        *out = &s->base;
    return status;
}

odim_status od_sqlite_open(od_records **out, const char *path, od_sqlite_choice choice, od_strlist *notes,
                           odim_error *err)
{
    return open_rows(out, path, NULL, 0, choice, notes, err);
}

odim_status od_sqlite_open_memory(od_records **out, const void *bytes, size_t size, od_sqlite_choice choice,
                                  od_strlist *notes, odim_error *err)
{
    return open_rows(out, NULL, bytes, size, choice, notes, err);
}
