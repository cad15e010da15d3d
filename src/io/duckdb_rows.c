/* Runs a query with DuckDB and gives its rows as records. */
#include "io/duckdb_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/platform.h"
#include "base/poll.h"
#include "common/mem.h"
#include "io/duckdb_text.h"
#include "base/hint.h"

/* More columns and levels than anyone has. */
#define COLUMNS_MOST (1 << 20)
#define LEVELS_MOST  (1 << 26)
/* Memory that DuckDB may use: a quarter of the machine's, but not less than this many MiB. */
#define MEMORY_LEAST 256

typedef struct column {
    od_ddb_kind kind;
    uint64_t at; /* in the result */
    bool empty;  /* its cells are not needed */
    const void *data;
    const uint64_t *valid; /* a bit for each row; NULL: all are */
} column;

typedef struct rows {
    od_records base;
    od_ddb_api api;
    od_ddb_database database;
    od_ddb_connection connection;
    od_ddb_statement statement;
    od_ddb_result result;
    bool running; /* there is a result */
    bool ended;
    od_ddb_chunk chunk;
    size_t size, next; /* rows of the chunk; the one to be read next */
    int64_t row;
    int memory;  /* descriptor of a file in memory; -1: it is on disk */
    column *col; /* (names.count) */
    od_field *fields;
    char (*room)[OD_DDB_ROOM];
} rows;

/* ---- errors ----------------------------------------------------------------------------------------- */

/* The first line of what DuckDB says, which is often followed by a picture of the query. */
static odim_status fail(odim_error *err, odim_status status, const char *message)
{
    char shown[400];
    if (!message || !*message) message = "DuckDB failed without a message";
    size_t len = strcspn(message, "\n");
    return od_fail(err, status, "%s", od_printable(shown, sizeof shown, message, len));
}

/* ---- opening ---------------------------------------------------------------------------------------- */

static bool set_options(const od_ddb_api *api, od_ddb_config config, const od_ddb_input *in)
{
    char memory[40], folder[4096];
    const char *tmp = getenv("TMPDIR");
    uint64_t most = od_mem_physical() / 4 >> 20;
    snprintf(memory, sizeof memory, "%lluMiB",
             (unsigned long long)(most > MEMORY_LEAST ? most : MEMORY_LEAST));
    /* A folder of its own: files of two processes would have the same names. */
    snprintf(folder, sizeof folder, "%s/odim-duckdb-%ld", tmp && *tmp ? tmp : "/tmp", (long)getpid());
    const char *const options[][2] = {
        {"memory_limit", memory},
        {"temp_directory", folder},
        {"preserve_insertion_order", "true"},
        {"autoinstall_known_extensions", "false"}, /* nothing is downloaded */
        {"access_mode", in->from == OD_DDB_FROM_FILE ? "READ_ONLY" : "AUTOMATIC"},
        {"threads", "1"}, /* of a query, so that its rows and sums come in the same order each time */
    };
    size_t count = sizeof options / sizeof *options - (in->sql == NULL);
    for (size_t i = 0; i < count; i++)
        if (api->set_config(config, options[i][0], options[i][1]) != OD_DDB_OK) return false;
    bool sealed = in->bytes && in->from == OD_DDB_FROM_FILE;
    return !sealed || api->set_config(config, "enable_external_access", "false") == OD_DDB_OK;
}

static odim_status open_database(rows *r, const od_ddb_input *in, odim_error *err)
{
    const od_ddb_api *api = &r->api;
    od_ddb_config config = NULL;
    char *message = NULL;
    odim_status status = ODIM_OK;
    if (api->create_config(&config) != OD_DDB_OK || !set_options(api, config, in))
        status = od_fail(err, ODIM_ERR_SYSTEM, "this version of libduckdb does not know an option of odim");
    else if (api->open_ext(in->from == OD_DDB_FROM_FILE ? in->path : NULL, &r->database, config, &message) !=
             OD_DDB_OK)
        status = fail(err, ODIM_ERR_FORMAT, message);
    else if (api->connect(r->database, &r->connection) != OD_DDB_OK)
        status = od_fail(err, ODIM_ERR_SYSTEM, "DuckDB does not connect");
    if (message) api->free(message);
    if (config) api->destroy_config(&config);
    return status;
}

/* ---- the query -------------------------------------------------------------------------------------- */

/* `before`, the text between quotes, `after`. In a path that is not a pattern, the characters of patterns
 * stand for themselves. */
static char *quote(const char *before, const char *text, char mark, bool literal, const char *after)
{
    size_t room;
    if (!od_mul(strlen(text), 3, &room)) return NULL;
    char *out = od_alloc(room + strlen(before) + strlen(after) + 3, 1), *to = out;
    if (!out) return NULL;
    to += sprintf(to, "%s%c", before, mark);
    for (; *text; text++) {
        bool special = literal && strchr("*?[", *text);
        if (special) *to++ = '[';
        if (*text == mark) *to++ = mark;
        *to++ = *text;
        if (special) *to++ = ']';
    }
    sprintf(to, "%c%s", mark, after);
    return out;
}

static void list_tables(od_strlist *names, char *buf, size_t size)
{
    size_t at = 0;
    *buf = '\0';
    for (size_t i = 0; i < names->count && at + 48 < size; i++) {
        char shown[40];
        const char *name = od_strlist_at(names, i);
        at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? ", " : "",
                               od_printable(shown, sizeof shown, name, strlen(name)));
    }
}

static void stop(rows *r)
{
    if (r->chunk) r->api.destroy_data_chunk(&r->chunk);
    if (r->running) r->api.destroy_result(&r->result);
    r->running = r->ended = false;
    r->size = r->next = 0;
    r->row = 0;
}

static odim_status prepare(rows *r, const char *sql, odim_error *err)
{
    if (r->statement) r->api.destroy_prepare(&r->statement);
    if (r->api.prepare(r->connection, sql, &r->statement) != OD_DDB_OK)
        return fail(err, ODIM_ERR_FORMAT, r->statement ? r->api.prepare_error(r->statement) : NULL);
    if (r->api.prepared_statement_type(r->statement) != OD_DDB_SELECT)
        return od_fail(err, ODIM_ERR_PARAM, "the query must be a SELECT, which changes nothing");
    return ODIM_OK;
}

/* Runs the query until its first rows are there. */
static odim_status start(rows *r, odim_error *err)
{
    static const struct timespec pause = {0, 1000000};
    const od_ddb_api *api = &r->api;
    od_ddb_pending pending = NULL;
    odim_status status = ODIM_OK;
    stop(r);
    if (api->pending_prepared_streaming(r->statement, &pending) != OD_DDB_OK)
        status = fail(err, ODIM_ERR_FORMAT, pending ? api->pending_error(pending) : NULL);
    for (int state = OD_DDB_NOT_READY; !status && state != OD_DDB_READY;) {
        state = api->pending_execute_task(pending);
        if (state == OD_DDB_ERROR) status = fail(err, ODIM_ERR_FORMAT, api->pending_error(pending));
        if (state == OD_DDB_NO_TASKS) nanosleep(&pause, NULL);
        if (!status) status = od_poll_check(err);
    }
    if (!status) {
        r->running = true;
        if (api->execute_pending(pending, &r->result) != OD_DDB_OK)
            status = fail(err, ODIM_ERR_FORMAT, api->result_error(&r->result));
    }
    if (pending) api->destroy_pending(&pending);
    return status;
}

/* ---- records ---------------------------------------------------------------------------------------- */

/* The next rows. DuckDB's message counts as an error of reading: it is not one row that is bad. */
static odim_status fetch(rows *r, odim_error *err)
{
    const od_ddb_api *api = &r->api;
    while (r->next == r->size && !r->ended) {
        if (r->chunk) api->destroy_data_chunk(&r->chunk);
        r->next = r->size = 0;
        r->chunk = api->fetch_chunk(r->result);
        r->ended = !r->chunk;
        const char *message = api->result_error(&r->result);
        if (message && *message) {
            r->ended = true;
            return fail(err, ODIM_ERR_IO, message);
        }
        if (r->chunk) r->size = (size_t)api->data_chunk_get_size(r->chunk);
        for (size_t j = 0; r->size && j < r->base.names.count; j++) {
            od_ddb_vector vector = api->data_chunk_get_vector(r->chunk, r->col[j].at);
            r->col[j].data = api->vector_get_data(vector);
            r->col[j].valid = api->vector_get_validity(vector);
        }
    }
    return ODIM_OK;
}

static odim_status take_cell(rows *r, size_t j, size_t i, odim_error *err)
{
    column *c = &r->col[j];
    od_field *f = &r->fields[j];
    *f = (od_field){.text = ""};
    r->base.number[j] = NAN;
    if (c->empty || r->base.as[j] == OD_CELLS_UNUSED || (c->valid && !(c->valid[i / 64] >> i % 64 & 1)))
        return ODIM_OK;
    if (r->base.as[j] != OD_CELLS_TEXT && od_ddb_number(c->kind.type, c->data, i, &r->base.number[j]) &&
        r->base.as[j] == OD_CELLS_BARE)
        return ODIM_OK;
    size_t len = od_ddb_write(&c->kind, c->data, i, r->room[j], &f->text);
    if (len > OD_CSV_RECORD_MOST) {
        f->text = "";
        return od_fail_at(err, ODIM_ERR_FORMAT, r->row, (int64_t)j + 1, "row %lld, column %zu: %s",
                          (long long)r->row, j + 1,
                          len == SIZE_MAX ? "it has a zero byte or is not valid" : "it is too long");
    }
    f->len = (uint32_t)len;
    return ODIM_OK;
}

static odim_status next_record(od_records *base, od_record *out, odim_error *err)
{
    rows *r = (rows *)base;
    *out = (od_record){0};
    odim_status status = fetch(r, err);
    if (status || r->ended) return status;
    size_t i = r->next++;
    r->row++;
    for (size_t j = 0; j < base->names.count && !status; j++) status = take_cell(r, j, i, err);
    *out = (od_record){.fields = r->fields, .count = base->names.count, .row = r->row, .line = r->row};
    return status;
}

static odim_status rewind_records(od_records *base, odim_error *err)
{
    return start((rows *)base, err);
}

static void close_records(od_records *base)
{
    rows *r = (rows *)base;
    stop(r);
    if (r->statement) r->api.destroy_prepare(&r->statement);
    if (r->connection) r->api.disconnect(&r->connection);
    if (r->database) r->api.close(&r->database);
    if (r->memory >= 0) close(r->memory);
    for (size_t j = 0; r->col && j < base->names.count; j++) od_strlist_free(&r->col[j].kind.levels);
    od_strlist_free(&base->names);
    od_free(base->as);
    od_free(base->number);
    od_free(r->col);
    od_free(r->fields);
    od_free(r->room);
    od_free(r);
}

/* ---- columns ---------------------------------------------------------------------------------------- */

static odim_status read_levels(rows *r, od_ddb_type type, od_ddb_kind *kind, odim_error *err)
{
    uint32_t count = r->api.enum_dictionary_size(type);
    odim_status status = ODIM_OK;
    kind->stored = r->api.enum_internal_type(type);
    if (count > LEVELS_MOST) return od_fail(err, ODIM_ERR_DATA, "an ENUM has too many levels");
    for (uint32_t i = 0; i < count && !status; i++) {
        char *level = r->api.enum_dictionary_value(type, i);
        status = level ? od_strlist_add(&kind->levels, level, strlen(level), err) : od_fail_nomem(err);
        if (level) r->api.free(level);
    }
    return status;
}

static odim_status read_kind(rows *r, uint64_t at, od_ddb_kind *kind, odim_error *err)
{
    odim_status status = ODIM_OK;
    od_ddb_type type = r->api.column_logical_type(&r->result, at);
    if (!type) return od_fail_nomem(err);
    *kind = (od_ddb_kind){.type = r->api.get_type_id(type)};
    if (kind->type == OD_DDB_DECIMAL) {
        kind->stored = r->api.decimal_internal_type(type);
        kind->scale = r->api.decimal_scale(type);
        if (kind->scale > 38) status = od_fail(err, ODIM_ERR_DATA, "a DECIMAL has too many digits");
    } else if (kind->type == OD_DDB_ENUM) {
        status = read_levels(r, type, kind, err);
    }
    r->api.destroy_logical_type(&type);
    return status;
}

static odim_status add_column(rows *r, uint64_t at, const od_ddb_input *in, od_strlist *notes,
                              odim_error *err)
{
    char shown[80], text[200];
    const char *name = r->api.column_name(&r->result, at);
    if (!name) name = "";
    od_printable(shown, sizeof shown, name, strlen(name));
    column c = {.at = at};
    odim_status status = read_kind(r, at, &c.kind, err);
    if (!status && c.kind.type == OD_DDB_BLOB) {
        snprintf(text, sizeof text, "column '%s' has bytes (BLOB): left out", shown);
        return od_strlist_add(notes, text, strlen(text), err);
    }
    c.empty = !od_ddb_is_readable(c.kind.type);
    if (!status && c.empty && (!in->needed || in->needed(in->ctx, name)))
        status = od_fail_at(err, ODIM_ERR_DATA, 0, (int64_t)at + 1,
                            "column '%s' is a %s, which is not a single value: ignore it, or select parts of "
                            "it with SQL",
                            shown, od_ddb_type_name(c.kind.type));
    size_t j = r->base.names.count;
    if (!status) status = od_strlist_add(&r->base.names, name, strlen(name), err);
    if (status) {
        od_strlist_free(&c.kind.levels);
        return status;
    }
    r->col[j] = c;
    if (!c.empty && od_ddb_is_number(c.kind.type)) r->base.as[j] = OD_CELLS_NUMBER;
    return ODIM_OK;
}

static odim_status find_columns(rows *r, const od_ddb_input *in, od_strlist *notes, odim_error *err)
{
    uint64_t count = r->api.column_count(&r->result);
    if (count == 0 || count > COLUMNS_MOST)
        return od_fail(err, ODIM_ERR_DATA, "it has %s columns", count ? "too many" : "no");
    size_t n = (size_t)count;
    r->col = od_calloc(n, sizeof *r->col);
    r->fields = od_calloc(n, sizeof *r->fields);
    r->room = od_alloc(n, sizeof *r->room);
    r->base.as = od_calloc(n, sizeof *r->base.as);
    r->base.number = od_calloc(n, sizeof *r->base.number);
    if (!r->col || !r->fields || !r->room || !r->base.as || !r->base.number) return od_fail_nomem(err);
    odim_status status = ODIM_OK;
    for (uint64_t at = 0; at < count && !status; at++) status = add_column(r, at, in, notes, err);
    return status;
}

/* ---- what to select --------------------------------------------------------------------------------- */

/* The texts of the first column of a query. */
static odim_status read_names(rows *r, const char *sql, od_strlist *names, odim_error *err)
{
    static const od_ddb_kind kind = {.type = OD_DDB_VARCHAR};
    od_ddb_result result = {0};
    od_ddb_chunk chunk;
    char buf[OD_DDB_ROOM];
    odim_status status = ODIM_OK;
    if (r->api.query(r->connection, sql, &result) != OD_DDB_OK)
        status = fail(err, ODIM_ERR_FORMAT, r->api.result_error(&result));
    while (!status && (chunk = r->api.fetch_chunk(result))) {
        const void *data = r->api.vector_get_data(r->api.data_chunk_get_vector(chunk, 0));
        for (size_t i = 0; i < r->api.data_chunk_get_size(chunk) && !status; i++) {
            const char *text;
            size_t len = od_ddb_write(&kind, data, i, buf, &text);
            if (len != SIZE_MAX) status = od_strlist_add(names, text, len, err);
        }
        r->api.destroy_data_chunk(&chunk);
    }
    r->api.destroy_result(&result);
    return status;
}

/* The only table of a DuckDB file. */
static odim_status select_only(rows *r, char **sql, odim_error *err)
{
    char list[300];
    od_strlist names = {0};
    odim_status status = read_names(
        r,
        "SELECT name FROM (SELECT table_name AS name FROM duckdb_tables() WHERE NOT internal UNION ALL "
        "SELECT view_name FROM duckdb_views() WHERE NOT internal) ORDER BY name",
        &names, err);
    list_tables(&names, list, sizeof list);
    if (!status && names.count == 0) status = od_fail(err, ODIM_ERR_DATA, "it has no tables");
    if (!status && names.count > 1)
        status = od_fail(err, ODIM_ERR_DATA, "it has %zu tables: choose one%s: %s", names.count,
                         OD_HINT("table"), list);
    if (!status && !(*sql = quote("SELECT * FROM ", od_strlist_at(&names, 0), '"', false, "")))
        status = od_fail_nomem(err);
    od_strlist_free(&names);
    return status;
}

static odim_status select_rows(rows *r, const od_ddb_input *in, odim_error *err)
{
    char *sql = NULL;
    odim_status status = ODIM_OK;
    if (in->sql)
        sql = od_strndup(in->sql, strlen(in->sql));
    else if (in->from == OD_DDB_FROM_PARQUET)
        sql = quote("SELECT * FROM read_parquet(", in->path, '\'', !in->pattern, ")");
    else if (in->from == OD_DDB_FROM_FILE && in->table)
        sql = quote("SELECT * FROM ", in->table, '"', false, "");
    else
        status = select_only(r, &sql, err);
    if (!status && !sql) status = od_fail_nomem(err);
    if (!status) status = prepare(r, sql, err);
    od_free(sql);
    return status;
}

/* DuckDB reads files only: a file without a name, which never reaches the disk, is one. */
static odim_status open_memory(rows *r, const od_ddb_input *in, char path[40], odim_error *err)
{
    const char *bytes = in->bytes;
    r->memory = od_platform_memory_file(path, 40);
    for (size_t done = 0; r->memory >= 0 && done < in->size;) {
        ssize_t more = write(r->memory, bytes + done, in->size - done);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return od_fail(err, ODIM_ERR_SYSTEM, "no file in memory: %s", strerror(errno));
        done += (size_t)more;
    }
    if (r->memory < 0) return od_fail(err, ODIM_ERR_SYSTEM, "no file in memory: %s", strerror(errno));
    return ODIM_OK;
}

odim_status od_ddb_rows_open(od_records **out, const od_ddb_input *asked, od_strlist *notes, odim_error *err)
{
    char path[40];
    od_ddb_input input = *asked, *in = &input;
    *out = NULL;
    rows *r = od_calloc(1, sizeof *r);
    if (!r) return od_fail_nomem(err);
    r->base = (od_records){.next = next_record, .rewind = rewind_records, .close = close_records};
    r->memory = -1;
    if (in->bytes) in->path = path;
    odim_status status = od_ddb_load(&r->api, err);
    if (!status && in->bytes) status = open_memory(r, in, path, err);
    if (!status) status = open_database(r, in, err);
    if (!status) status = select_rows(r, in, err);
    if (!status) status = start(r, err);
    if (!status) status = find_columns(r, in, notes, err);
    if (status)
        close_records(&r->base);
    else
        *out = &r->base;
    return status;
}
