/* Rows of a result: searched, sorted and paged over the whole table; and one row with its reasons. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "explain_rows.h"
#include "fold.h"
#include "job_state.h"
#include "reason_words.h"

enum { CELL = 4096, SHOWN = 500, NEEDLE = 400, DEFAULT_LIMIT = 50, MOST_LIMIT = 1000, REASON = 256 };

/* What to sort by. */
typedef enum sort_kind { BY_SCORE, BY_ROW, BY_ID, BY_NUMBER, BY_TEXT } sort_kind;
/* Which rows. */
typedef enum which_rows { WHICH_ALL, WHICH_OUTLIERS, WHICH_NOTABLE, WHICH_MARKED } which_rows;

typedef struct query {
    int64_t offset, limit;
    sort_kind sort;
    int64_t column; /* of the file, for BY_NUMBER and BY_TEXT */
    bool descending;
    which_rows which;
    double threshold;
    char needle[NEEDLE]; /* folded; "": all rows */
    int64_t number;      /* the row that the text is the number of; 0: it is none */
    char key[NEEDLE + 200];
} query;

/* ---- the query -------------------------------------------------------------------------------------- */

static odim_status find_sort(query *q, const serve_result *r, const char *sort, serve_problem *why)
{
    if (!sort || !*sort || strcmp(sort, "score") == 0) return ODIM_OK;
    q->sort = strcmp(sort, "row") == 0 ? BY_ROW : strcmp(sort, "id") == 0 ? BY_ID : BY_TEXT;
    if (q->sort == BY_ID && !odim_table_id_name(r->table)) q->sort = BY_TEXT;
    if (q->sort != BY_TEXT) return ODIM_OK;
    int64_t cols = r->parsed->cols;
    while (q->column < cols && strcmp(serve_parsed_column(r->parsed, q->column), sort) != 0) q->column++;
    if (q->column == cols) return serve_fail(why, 400, "sort: there is no column '%s'", sort);
    const char *type = serve_parsed_type(r->parsed, q->column);
    if (type && strcmp(type, odim_type_text(ODIM_CATEGORICAL)) != 0) q->sort = BY_NUMBER;
    return ODIM_OK;
}

static odim_status find_which(query *q, const char *which, serve_problem *why)
{
    static const char *const names[] = {"all", "outliers", "notable", "marked"};
    for (int i = 0; which && *which; i++) {
        if (i > WHICH_MARKED)
            return serve_fail(why, 400, "which must be all, outliers, notable or marked, not '%s'", which);
        q->which = (which_rows)i;
        if (strcmp(which, names[i]) == 0) break;
    }
    return ODIM_OK;
}

static odim_status find_threshold(query *q, const serve_result *r, const char *text, serve_problem *why)
{
    char *end;
    q->threshold = r->threshold;
    if (!text || !*text) return ODIM_OK;
    q->threshold = strtod(text, &end);
    if (end != text && !*end && isfinite(q->threshold)) return ODIM_OK;
    return serve_fail(why, 400, "threshold must be a number, not '%s'", text);
}

static odim_status understand(query *q, const serve_result *r, const serve_rows_query *asked,
                              serve_problem *why)
{
    *q = (query){.offset = asked->offset, .limit = asked->limit ? asked->limit : DEFAULT_LIMIT};
    if (q->offset < 0 || q->limit < 0) return serve_fail(why, 400, "offset and limit must not be negative");
    if (q->limit > MOST_LIMIT) return serve_fail(why, 400, "limit must be at most %d", MOST_LIMIT);
    odim_status status = find_sort(q, r, asked->sort, why);
    if (!status) status = find_which(q, asked->which, why);
    if (!status) status = find_threshold(q, r, asked->threshold, why);
    if (status) return status;
    q->descending = q->sort == BY_SCORE;
    if (asked->order && *asked->order) {
        q->descending = strcmp(asked->order, "desc") == 0;
        if (!q->descending && strcmp(asked->order, "asc") != 0)
            return serve_fail(why, 400, "order must be asc or desc, not '%s'", asked->order);
    }
    if (asked->search) {
        char *end;
        if (strlen(asked->search) >= NEEDLE / 2) return serve_fail(why, 400, "search is too long");
        serve_fold(asked->search, q->needle, sizeof q->needle);
        errno = 0;
        q->number = strtoll(q->needle, &end, 10);
        if (*end || errno || q->number < 1) q->number = 0;
    }
    snprintf(q->key, sizeof q->key, "%d %lld %d %d %.17g %s", (int)q->sort, (long long)q->column,
             q->descending, (int)q->which, q->threshold, q->needle);
    return ODIM_OK;
}

/* ---- the selection ---------------------------------------------------------------------------------- */

static bool is_wanted(const query *q, const serve_result *r, int64_t row)
{
    cli_log_level level = serve_result_level(r, row, q->threshold);
    switch (q->which) {
    case WHICH_OUTLIERS: return level == CLI_OUTLIER;
    case WHICH_NOTABLE: return level != CLI_ORDINARY;
    case WHICH_MARKED: return serve_result_mark(r, row) != NULL;
    default: return true;
    }
}

static bool is_found(const query *q, const serve_result *r, int64_t row)
{
    char room[CELL];
    if (!*q->needle) return true;
    if (q->number && odim_table_row_number(r->table, row) + 1 == q->number) return true;
    const char *id = odim_table_id(r->table, row);
    if (id && serve_fold_contains(id, q->needle)) return true;
    for (int64_t j = 0; j < r->parsed->cols; j++)
        if (serve_fold_contains(serve_parsed_cell(r->parsed, row, j, room, sizeof room), q->needle))
            return true;
    return false;
}

/* A row and what it is sorted by. */
typedef struct sort_row {
    int64_t row;
    double number;
    const char *text;
} sort_row;

/* Rows without a value come last in either order, equal ones as in the file. */
static int by_key(const void *a, const void *b, bool descending)
{
    const sort_row *x = a, *y = b;
    bool no_x = x->text ? !*x->text : isnan(x->number), no_y = y->text ? !*y->text : isnan(y->number);
    int order = 0;
    if (no_x || no_y)
        order = no_x - no_y;
    else if (x->text)
        order = serve_fold_compare(x->text, y->text) * (descending ? -1 : 1);
    else
        order = ((x->number > y->number) - (x->number < y->number)) * (descending ? -1 : 1);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int ascending(const void *a, const void *b)
{
    return by_key(a, b, false);
}

static int descending(const void *a, const void *b)
{
    return by_key(a, b, true);
}

static bool sort_rows(const query *q, const serve_result *r, int64_t *row, int64_t count)
{
    static const char *const none = "";
    const serve_parsed *p = r->parsed;
    sort_row *all = od_alloc((size_t)count, sizeof *all);
    if (!all) return false;
    for (int64_t i = 0; i < count; i++) {
        all[i] = (sort_row){.row = row[i]};
        if (q->sort == BY_SCORE) all[i].number = r->scores[row[i]];
        if (q->sort == BY_ROW) all[i].number = (double)row[i];
        if (q->sort == BY_NUMBER) all[i].number = odim_table_value(p->table, row[i], p->feature[q->column]);
        if (q->sort == BY_ID) all[i].text = odim_table_id(r->table, row[i]);
        /* Cells that are not features are texts that the table holds. */
        if (q->sort == BY_TEXT) all[i].text = serve_parsed_cell(p, row[i], q->column, NULL, 0);
        if (q->sort >= BY_ID && q->sort != BY_NUMBER && !all[i].text) all[i].text = none;
    }
    qsort(all, (size_t)count, sizeof *all, q->descending ? descending : ascending);
    for (int64_t i = 0; i < count; i++) row[i] = all[i].row;
    od_free(all);
    return true;
}

static void free_selection(serve_selection *s)
{
    od_free(s->key);
    od_free(s->row);
    od_free(s);
}

static serve_selection *make_selection(const query *q, const serve_result *r)
{
    serve_selection *s = od_calloc(1, sizeof *s);
    if (!s) return NULL;
    s->refs = 1;
    s->key = od_strndup(q->key, strlen(q->key));
    s->row = od_alloc((size_t)r->rows, sizeof *s->row);
    bool fine = s->key && s->row;
    /* The order by score exists already, and equal scores are in the order of the file in either direction.
     */
    bool ready = q->sort == BY_SCORE && q->descending;
    for (int64_t i = 0; fine && i < r->rows; i++) {
        int64_t row = ready ? r->order[i] : i;
        if (is_wanted(q, r, row) && is_found(q, r, row)) s->row[s->count++] = row;
    }
    if (fine && !ready) fine = sort_rows(q, r, s->row, s->count);
    if (fine) return s;
    free_selection(s);
    return NULL;
}

static void release_selection(serve_result *r, serve_selection *s)
{
    pthread_mutex_lock(&r->lock);
    bool last = --s->refs == 0;
    pthread_mutex_unlock(&r->lock);
    if (last) free_selection(s);
}

/* The one that is kept, so that the next page costs nothing, or a new one that takes its place. */
static serve_selection *take_selection(serve_result *r, const query *q)
{
    pthread_mutex_lock(&r->lock);
    serve_selection *s = r->selection;
    if (s && strcmp(s->key, q->key) != 0) s = NULL;
    if (s) s->refs++;
    pthread_mutex_unlock(&r->lock);
    if (s || !(s = make_selection(q, r))) return s;
    pthread_mutex_lock(&r->lock);
    serve_selection *old = r->selection;
    s->refs++;
    r->selection = s;
    pthread_mutex_unlock(&r->lock);
    if (old) release_selection(r, old);
    return s;
}

/* ---- rows as JSON ----------------------------------------------------------------------------------- */

static void put_or_null(cli_json *j, const char *key, const char *text)
{
    char shown[SHOWN];
    if (text)
        cli_json_string(j, key, odim_printable(text, shown, sizeof shown));
    else
        cli_json_raw(j, key, "null");
}

/* The first reason, of the rows that the report lists. */
static const char *first_reason(const serve_result *r, int64_t row, char *buf, size_t size)
{
    const cli_findings *f = &r->findings;
    int64_t at = r->rank[row] - 1; /* the list has the highest rows in their order */
    if (at >= f->listed || !f->reason || f->reason[at * CLI_REPORT_REASONS].col < 0) return NULL;
    return odim_reason_text(r->model, r->table, row, &f->reason[at * CLI_REPORT_REASONS], buf, size);
}

static void put_row(const serve_result *r, int64_t row, double threshold, cli_json *j)
{
    static const char *const verdicts[CLI_LEVELS] = {"ordinary", "unusual", "outlier"};
    char reason[REASON];
    const int8_t *labels = odim_table_labels(r->table);
    const char *bad = odim_table_bad_row(r->table, row);
    cli_json_int(j, "row", odim_table_row_number(r->table, row) + 1);
    put_or_null(j, "id", odim_table_id(r->table, row));
    cli_json_number(j, "score", r->scores[row]);
    cli_json_int(j, "rank", r->rank[row]);
    cli_json_number(j, "probability", odim_model_probability(r->model, r->scores[row]));
    cli_json_string(j, "verdict", verdicts[serve_result_level(r, row, threshold)]);
    put_or_null(j, "mark", serve_result_mark(r, row));
    if (labels) cli_json_int(j, "label", labels[row]);
    put_or_null(j, "reason", bad ? bad : first_reason(r, row, reason, sizeof reason));
}

static const char *cell_or_null(const serve_result *r, int64_t row, int64_t col, char *room)
{
    const char *cell = serve_parsed_cell(r->parsed, row, col, room, CELL);
    return cell && *cell ? cell : NULL;
}

static void put_values(const serve_result *r, int64_t row, cli_json *j)
{
    char room[CELL];
    cli_json_begin(j, "values", '[');
    for (int64_t k = 0; k < r->parsed->cols; k++) put_or_null(j, NULL, cell_or_null(r, row, k, room));
    cli_json_end(j);
}

static odim_status write_rows(const serve_result *r, const query *q, const serve_selection *s,
                              serve_text *out, serve_problem *why)
{
    serve_text_out to;
    odim_status status = serve_text_begin(&to, why);
    if (status) return status;
    cli_json j = {.out = &to.out, .line = true};
    cli_json_begin(&j, NULL, '{');
    cli_json_int(&j, "total", s->count);
    cli_json_int(&j, "offset", q->offset);
    cli_json_begin(&j, "rows", '[');
    for (int64_t i = 0; i < q->limit && q->offset < s->count - i; i++) {
        int64_t row = s->row[q->offset + i];
        cli_json_begin(&j, NULL, '{');
        put_row(r, row, q->threshold, &j);
        put_values(r, row, &j);
        cli_json_end(&j);
    }
    cli_json_end(&j);
    cli_json_end(&j);
    return serve_text_end(&to, out, why);
}

odim_status serve_jobs_rows(serve_jobs *j, const char *id, const serve_rows_query *asked, serve_text *out,
                            serve_problem *why)
{
    query q;
    *out = (serve_text){0};
    serve_job *job = serve_result_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    serve_result *r = job->result;
    odim_status status = understand(&q, r, asked, why);
    serve_selection *s = status ? NULL : take_selection(r, &q);
    if (!status && !s) status = serve_fail_nomem(why);
    if (!status) status = write_rows(r, &q, s, out, why);
    if (s) release_selection(r, s);
    serve_job_release(job);
    return status;
}

/* ---- one row ---------------------------------------------------------------------------------------- */

static void put_reasons(const serve_result *r, int64_t row, const odim_reason *reason, int count, cli_json *j)
{
    cli_json_begin(j, "reasons", '[');
    for (int k = 0; k < count && reason[k].col >= 0; k++) {
        char text[REASON], shown[SHOWN];
        cli_json_begin(j, NULL, '{');
        put_or_null(j, "column", cli_reason_name(r->model, reason[k].col, text, sizeof text));
        cli_json_number(j, "share", floor(1e4 * reason[k].share + 0.5) / 1e4);
        put_or_null(j, "value", cli_reason_value(r->model, r->table, row, &reason[k], text, sizeof text));
        put_or_null(j, "expected", cli_reason_expected(r->model, &reason[k], text, sizeof text));
        put_or_null(j, "usual", odim_reason_usual(r->model, r->table, row, &reason[k], text, sizeof text));
        cli_json_string(j, "kind", odim_reason_kind_text(reason[k].kind));
        cli_json_string(j, "text",
                        odim_reason_text(r->model, r->table, row, &reason[k], shown, sizeof shown));
        cli_json_end(j);
    }
    cli_json_end(j);
}

static odim_status write_row(const serve_result *r, int64_t row, const odim_reason *reason, int count,
                             serve_text *out, serve_problem *why)
{
    serve_text_out to;
    char room[CELL];
    odim_status status = serve_text_begin(&to, why);
    if (status) return status;
    cli_json j = {.out = &to.out, .line = true};
    cli_json_begin(&j, NULL, '{');
    put_row(r, row, r->threshold, &j);
    put_values(r, row, &j);
    put_reasons(r, row, reason, count, &j);
    cli_json_begin(&j, "cells", '[');
    for (int64_t k = 0; k < r->parsed->cols; k++) {
        cli_json_begin(&j, NULL, '{');
        cli_json_string(&j, "column", serve_parsed_column(r->parsed, k));
        put_or_null(&j, "value", cell_or_null(r, row, k, room));
        cli_json_end(&j);
    }
    cli_json_end(&j);
    cli_json_end(&j);
    return serve_text_end(&to, out, why);
}

odim_status serve_jobs_row(serve_jobs *j, const char *id, int64_t number, serve_text *out, serve_problem *why)
{
    odim_error err;
    odim_reason reason[CLI_REPORT_REASONS];
    *out = (serve_text){0};
    serve_job *job = serve_result_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    const serve_result *r = job->result;
    odim_status status = ODIM_OK;
    int64_t row = serve_result_find(r, number);
    if (row < 0) status = serve_fail(why, 404, "there is no row %lld", (long long)number);
    const odim_explain_options which = {
        .size = sizeof which, .rows = &row, .count = 1, .top = CLI_REPORT_REASONS};
    if (!status) {
        status = cli_explain_rows(r->model, r->table, &which, NULL, NULL, reason, &err);
        if (status) serve_fail_error(why, &err);
    }
    if (!status) status = write_row(r, row, reason, CLI_REPORT_REASONS, out, why);
    serve_job_release(job);
    return status;
}
