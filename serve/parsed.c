/* Reads uploaded bytes into a table, and says what was understood. */
#include "parsed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "prep/cell_format.h"
#include "prep/sample.h"
#include "prep/schema_fit.h"
#include "prep/table.h"

enum { PREVIEW = 8, EXAMPLES = 3, LOOKED_AT = 200, CELL = 200 };

serve_parsed *serve_parsed_ref(serve_parsed *p)
{
    if (p) atomic_fetch_add(&p->refs, 1);
    return p;
}

void serve_parsed_unref(serve_parsed *p)
{
    if (!p || atomic_fetch_sub(&p->refs, 1) > 1) return;
    for (int64_t j = 0; p->why && j < p->cols; j++) od_free(p->why[j]);
    od_free(p->why);
    od_free(p->missing);
    od_free(p->feature);
    od_free(p->name);
    odim_table_free(p->table);
    serve_options_free(&p->options);
    serve_memory_give(p->memory, p->bytes);
    od_free(p);
}

/* ---- columns ---------------------------------------------------------------------------------------- */

const char *serve_parsed_column(const serve_parsed *p, int64_t col)
{
    return p->table->kept_cols ? p->table->kept_name[col] : p->table->col[col].name;
}

static od_role role_of(const serve_parsed *p, int64_t col)
{
    const odim_table *t = p->table;
    if ((int64_t)t->file.names.count == p->cols) return (od_role)t->file.role[col];
    return p->feature[col] >= 0 ? OD_ROLE_FEATURE : OD_ROLE_IGNORED;
}

/* "feature", "id", "label", "known" or "ignored". */
static const char *role(const serve_parsed *p, int64_t col)
{
    static const char *const names[OD_ROLES] = {"ignored", "feature", "id", "label", "known"};
    od_role role = role_of(p, col);
    return role == OD_ROLE_FEATURE && p->why[col] ? "ignored" : names[role];
}

static bool describes_text(const od_column *c)
{
    return c->format.feature != OD_TEXT_NONE;
}

const char *serve_parsed_type(const serve_parsed *p, int64_t col)
{
    if (p->feature[col] < 0) return NULL;
    const od_column *c = &p->table->col[p->feature[col]];
    return describes_text(c) ? NULL : odim_type_text(c->type);
}

static const char *format_of(const serve_parsed *p, int64_t col, char *buf, size_t size)
{
    *buf = '\0';
    if (p->feature[col] < 0) return buf;
    const od_column *c = &p->table->col[p->feature[col]];
    if (!describes_text(c)) return od_cell_format_text(c->type, &c->format, buf, size);
    snprintf(buf, size, "free text");
    return buf;
}

const char *serve_parsed_cell(const serve_parsed *p, int64_t row, int64_t col, char *buf, size_t size)
{
    if (p->table->kept_cols) return odim_table_kept(p->table, row, col);
    return odim_table_text(p->table, row, col, buf, size);
}

/* Whether a column of the table comes from this one of the file. */
static bool comes_from(const od_column *c, const char *name)
{
    size_t len = od_text_source(c->name, (od_text_feature)c->format.feature);
    return strlen(name) == len && strncmp(c->name, name, len) == 0;
}

/* Features are in the order of the file. */
static void match_columns(serve_parsed *p)
{
    const odim_table *t = p->table;
    int64_t at = 0;
    for (int64_t j = 0; j < p->cols; j++) {
        p->feature[j] = -1;
        if (!t->kept_cols) p->feature[j] = j;
        if (!t->kept_cols || at == t->d || !comes_from(&t->col[at], t->kept_name[j])) continue;
        if ((int64_t)t->file.names.count == p->cols && t->file.role[j] != OD_ROLE_FEATURE) continue;
        p->feature[j] = at++;
        while (at < t->d && t->col[at].format.feature > OD_TEXT_LENGTH) at++;
    }
}

static odim_status set_why(serve_parsed *p, int64_t col, const char *why)
{
    p->why[col] = why ? od_strndup(why, strlen(why)) : NULL;
    return why && !p->why[col] ? ODIM_ERR_NOMEM : ODIM_OK;
}

/* What a fit would leave out. That a fit would fail is found out by the fit. */
static odim_status foresee(serve_parsed *p, odim_error *err)
{
    const odim_table *t = p->table;
    od_column_stats stats = {0};
    od_row_set rows = {0};
    od_schema schema = {0};
    odim_status status = od_column_stats_new(&stats, t->d, err), made = ODIM_OK;
    if (!status) status = od_column_stats_add(&stats, t, err);
    if (!status) status = od_sample_choose(&rows, t->known, t->n, t->d, 1, err);
    if (!status) made = od_schema_make(&schema, t, &stats, &rows, OD_SCALE_ROBUST, 0, 1, err);
    if (made == ODIM_ERR_NOMEM) status = made;
    for (int64_t j = 0; !status && j < p->cols; j++) {
        int64_t at = p->feature[j];
        if (at < 0) continue;
        p->missing[j] = stats.col[at].missing;
        /* A free text has several columns, of which one is enough. */
        od_ignored ignored = made ? OD_USED : schema.col[at].ignored;
        for (int64_t k = at + 1; k < t->d && t->col[k].format.feature > OD_TEXT_LENGTH; k++)
            if (!made && !schema.col[k].ignored) ignored = OD_USED;
        if (set_why(p, j, od_schema_why(ignored))) status = od_fail_nomem(err);
    }
    if (!status && !made) od_schema_free(&schema);
    od_row_set_free(&rows);
    od_column_stats_free(&stats);
    return status;
}

/* Missing cells of columns that are not features. */
static void count_empty(serve_parsed *p)
{
    const odim_table *t = p->table;
    for (int64_t j = 0; t->kept_cols && j < p->cols; j++) {
        if (p->feature[j] >= 0) continue;
        for (int64_t i = 0; i < t->n; i++) p->missing[j] += !*odim_table_kept(t, i, j);
    }
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static int64_t list_bytes(const od_strlist *l)
{
    return (int64_t)(l->cap + l->count_cap * sizeof *l->start);
}

static int64_t table_bytes(const odim_table *t)
{
    int64_t sum = t->n * t->stride * (t->is_f64 ? 8 : 4) + t->n * (t->number ? 8 : 0) + 4096;
    sum += t->n * ((t->labels != NULL) + (t->known != NULL));
    sum += list_bytes(&t->ids) + list_bytes(&t->kept) + list_bytes(&t->notes) + list_bytes(&t->bad.why);
    sum += (int64_t)(t->texts.count * sizeof *t->texts.list);
    for (int64_t j = 0; j < t->d; j++) sum += 256 + list_bytes(&t->col[j].levels.texts);
    return sum;
}

static odim_status check_limits(const serve_parsed *p, const serve_limits *limits, serve_problem *why)
{
    if (p->table->n > limits->rows)
        return serve_fail(why, 413, "%s: %lld rows are more than this server takes (%lld)", p->name,
                          (long long)p->table->n, (long long)limits->rows);
    if (p->cols > limits->columns)
        return serve_fail(why, 413, "%s: %lld columns are more than this server takes (%lld)", p->name,
                          (long long)p->cols, (long long)limits->columns);
    return ODIM_OK;
}

static odim_status understand(serve_parsed *p, const serve_limits *limits, serve_problem *why)
{
    odim_error err;
    const odim_table *t = p->table;
    p->cols = t->kept_cols ? t->kept_cols : t->d;
    odim_status status = check_limits(p, limits, why);
    if (status) return status;
    p->feature = od_alloc((size_t)p->cols, sizeof *p->feature);
    p->missing = od_calloc((size_t)p->cols, sizeof *p->missing);
    p->why = od_calloc((size_t)p->cols, sizeof *p->why);
    if (!p->feature || !p->missing || !p->why) return serve_fail_nomem(why);
    match_columns(p);
    count_empty(p);
    if (t->d > 0 && t->n > 0 && foresee(p, &err)) return serve_fail_error(why, &err);
    int64_t bytes = table_bytes(t) + p->cols * 32;
    status = serve_memory_take(p->memory, bytes, why);
    if (!status) p->bytes = bytes;
    return status;
}

/*
 * About how many bytes a text becomes when it is read: each cell is kept as a text with its place and as a
 * number. Counted before anything is allocated, so that a file of tiny cells does not take seven times its
 * size by surprise. Other formats are limited by what they may unpack to.
 */
static int64_t foresee_bytes(const unsigned char *bytes, size_t size)
{
    enum { LOOKED_AT_FIRST = 4096, CELL_BYTES = 16 };
    int64_t cells = 0;
    if (memchr(bytes, 0, size < LOOKED_AT_FIRST ? size : LOOKED_AT_FIRST)) return (int64_t)size;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = bytes[i];
        cells += (c == ',') | (c == ';') | (c == '\t') | (c == '|') | (c == '\n');
    }
    return (int64_t)size + CELL_BYTES * cells;
}

static odim_status read_bytes(serve_parsed *p, const void *bytes, size_t size, int threads,
                              serve_problem *why)
{
    enum { LEAST = 1 << 20, GROWTH = 4 }; /* of what is unpacked, when it is read */
    odim_error err;
    serve_reading reading = {0};
    int64_t room = size ? foresee_bytes(bytes, size) : 0;
    odim_status status = serve_reading_make(&reading, &p->options, why);
    bool taken = !status && !(status = serve_memory_take(p->memory, room, why));
    if (!status) {
        int64_t left = serve_memory_left(p->memory) / GROWTH;
        reading.options.unpacked = left > LEAST ? left : LEAST;
        reading.options.threads = threads > 0 ? threads : 0;
        status = odim_table_read_memory(&p->table, bytes, size, p->name, &reading.options, &err);
        if (status) serve_fail_error(why, &err);
        /* The library has no status of its own for that. */
        if (status && why && strstr(err.msg, "unpacks to more than")) why->status = 413;
    }
    if (taken) serve_memory_give(p->memory, room); /* what the table has really taken is counted next */
    serve_reading_free(&reading);
    return status;
}

odim_status serve_parsed_read(serve_parsed **out, serve_memory *memory, const serve_limits *limits,
                              const char *name, const void *bytes, size_t size, const serve_options *options,
                              serve_problem *why)
{
    double start = serve_clock();
    serve_parsed *p = od_calloc(1, sizeof *p);
    *out = NULL;
    if (!p) return serve_fail_nomem(why);
    p->memory = memory;
    atomic_init(&p->refs, 1);
    odim_status status = (p->name = od_strndup(name, strlen(name))) ? ODIM_OK : serve_fail_nomem(why);
    if (!status) status = serve_options_copy(&p->options, options, why);
    if (!status) status = read_bytes(p, bytes, size, limits->threads, why);
    if (!status) status = understand(p, limits, why);
    p->seconds = serve_clock() - start;
    if (status)
        serve_parsed_unref(p);
    else
        *out = p;
    return status;
}

/* ---- the description -------------------------------------------------------------------------------- */

static void put_cell(const serve_parsed *p, int64_t row, int64_t col, cli_json *j)
{
    char room[CELL], shown[CELL];
    cli_json_string(j, NULL,
                    odim_printable(serve_parsed_cell(p, row, col, room, sizeof room), shown, sizeof shown));
}

/* The first different cells. */
static void put_examples(const serve_parsed *p, int64_t col, cli_json *j)
{
    char room[CELL], taken[EXAMPLES][CELL], shown[CELL];
    int count = 0;
    cli_json_begin(j, "examples", '[');
    for (int64_t i = 0; i < p->table->n && i < LOOKED_AT && count < EXAMPLES; i++) {
        bool known = false;
        odim_printable(serve_parsed_cell(p, i, col, room, sizeof room), shown, sizeof shown);
        for (int k = 0; k < count; k++) known |= strcmp(taken[k], shown) == 0;
        if (known || !*shown) continue;
        memcpy(taken[count++], shown, sizeof shown);
        cli_json_string(j, NULL, shown);
    }
    cli_json_end(j);
}

void serve_parsed_put_column(const serve_parsed *p, int64_t col, cli_json *j)
{
    char format[160];
    const char *type = serve_parsed_type(p, col);
    cli_json_string(j, "name", serve_parsed_column(p, col)); /* as it is: options name it */
    cli_json_string(j, "role", role(p, col));
    if (type)
        cli_json_string(j, "type", type);
    else
        cli_json_raw(j, "type", "null");
    cli_json_string(j, "format", format_of(p, col, format, sizeof format));
    cli_json_int(j, "missing", p->missing[col]);
}

static void put_column(const serve_parsed *p, int64_t col, cli_json *j)
{
    cli_json_begin(j, NULL, '{');
    serve_parsed_put_column(p, col, j);
    if (p->why[col])
        cli_json_string(j, "why", p->why[col]);
    else
        cli_json_raw(j, "why", "null");
    put_examples(p, col, j);
    cli_json_end(j);
}

void serve_parsed_json(const serve_parsed *p, cli_json *j)
{
    cli_json_int(j, "rows", p->table->n);
    cli_json_begin(j, "columns", '[');
    for (int64_t k = 0; k < p->cols; k++) put_column(p, k, j);
    cli_json_end(j);
    cli_json_begin(j, "preview", '{');
    cli_json_begin(j, "rows", '[');
    for (int64_t i = 0; i < p->table->n && i < PREVIEW; i++) {
        cli_json_begin(j, NULL, '[');
        for (int64_t k = 0; k < p->cols; k++) put_cell(p, i, k, j);
        cli_json_end(j);
    }
    cli_json_end(j);
    cli_json_end(j);
    cli_json_begin(j, "notes", '[');
    for (int i = 0; odim_table_note(p->table, i); i++) cli_json_string(j, NULL, odim_table_note(p->table, i));
    cli_json_end(j);
    cli_json_begin(j, "options", '{');
    serve_options_json(&p->options, p->table->id_name ? p->table->id_name : "", j);
    cli_json_end(j);
}
