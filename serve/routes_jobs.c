/* The routes of tables and jobs: they pass the texts of requests on. */
#include "routes_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The response to a call that wrote `text`, or failed. */
static void reply(http_response *a, odim_status status, int fine, serve_text *text, const serve_problem *why)
{
    if (status)
        http_problem_of(a, why);
    else
        http_give(a, fine, http_json_type, text);
}

static const char *body_of(const http_request *r)
{
    return r->body.bytes ? r->body.bytes : "";
}

/* The body as memory that another part frees. NULL: out of memory, and the response says so. */
static void *take_body(http_request *r, size_t *size, http_response *a)
{
    http_text_add(&r->body, "", 0); /* an empty body is memory, too */
    void *bytes = r->body.bytes;
    *size = r->body.size;
    if (bytes)
        r->body = (http_text){0};
    else
        http_problem(a, 503, "out of memory");
    return bytes;
}

/* ---- tables ------------------------------------------------------------------------------------------- */

void http_tables_post(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    size_t size;
    const char *name = http_query(r, "name");
    void *bytes = take_body(r, &size, a);
    if (!bytes) return;
    odim_status status = serve_tables_add(app->tables, name ? name : "", bytes, size, &text, &why);
    reply(a, status, 201, &text, &why);
}

void http_tables_read(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    odim_status status = serve_tables_read(app->tables, r->parts[0], body_of(r), r->body.size, &text, &why);
    reply(a, status, 200, &text, &why);
}

void http_tables_get_one(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    reply(a, serve_tables_get(app->tables, r->parts[0], &text, &why), 200, &text, &why);
}

void http_tables_delete_one(http_app *app, http_request *r, http_response *a)
{
    serve_problem why;
    if (serve_tables_delete(app->tables, r->parts[0], &why))
        http_problem_of(a, &why);
    else
        http_begin(a, 204, NULL);
}

/* ---- starting and watching ----------------------------------------------------------------------------- */

static void reply_job(http_response *a, odim_status status, const char *id, serve_text *text,
                      const serve_problem *why)
{
    reply(a, status, 202, text, why);
    if (!status) snprintf(a->location, sizeof a->location, "/v1/jobs/%s", id);
}

static void detect_file(http_app *app, http_request *r, http_response *a)
{
    serve_setting settings[HTTP_QUERY_MOST];
    serve_text text = {0};
    serve_problem why;
    char id[SERVE_ID];
    size_t size;
    int count = 0;
    for (int i = 0; i < r->query_count; i++)
        if (strcmp(r->query[i].name, "name") != 0)
            settings[count++] = (serve_setting){r->query[i].name, r->query[i].value};
    const char *name = http_query(r, "name");
    void *bytes = take_body(r, &size, a);
    if (!bytes) return;
    odim_status status =
        serve_jobs_detect_file(app->jobs, name ? name : "", bytes, size, settings, count, id, &text, &why);
    reply_job(a, status, id, &text, &why);
}

void http_jobs_detect(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    char id[SERVE_ID];
    if (!http_type_is(r->content_type, "application/json")) {
        detect_file(app, r, a);
        return;
    }
    odim_status status = serve_jobs_detect(app->jobs, body_of(r), r->body.size, id, &text, &why);
    reply_job(a, status, id, &text, &why);
}

void http_jobs_learn(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    char id[SERVE_ID];
    odim_status status = serve_jobs_learn(app->jobs, r->parts[0], body_of(r), r->body.size, id, &text, &why);
    reply_job(a, status, id, &text, &why);
}

void http_jobs_get_list(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    (void)r;
    reply(a, serve_jobs_list(app->jobs, &text, &why), 200, &text, &why);
}

void http_jobs_get_one(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    reply(a, serve_jobs_status(app->jobs, r->parts[0], &text, &why), 200, &text, &why);
}

/* A job that ran is cancelled and its status follows; another is forgotten. */
void http_jobs_delete_one(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    bool cancelled;
    if (serve_jobs_delete(app->jobs, r->parts[0], &cancelled, &why))
        http_problem_of(a, &why);
    else if (cancelled)
        reply(a, serve_jobs_status(app->jobs, r->parts[0], &text, &why), 202, &text, &why);
    else
        http_begin(a, 204, NULL);
}

/* ---- results ------------------------------------------------------------------------------------------ */

void http_jobs_get_result(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    reply(a, serve_jobs_result(app->jobs, r->parts[0], &text, &why), 200, &text, &why);
}

void http_jobs_get_figure(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    if (serve_jobs_figure(app->jobs, r->parts[0], r->parts[1], &text, &why))
        http_problem_of(a, &why);
    else
        http_give(a, 200, "image/svg+xml", &text);
}

/* A whole number of a query, or of a path; false: it is none, and the response says so. */
static bool take_whole(const char *text, const char *name, int64_t *out, http_response *a)
{
    if (!text) return true;
    size_t len = strspn(text, "0123456789");
    if (len && len <= 15 && !text[len]) {
        *out = strtoll(text, NULL, 10);
        return true;
    }
    http_problem(a, 400, "%s must be a whole number, not '%s'", name, text);
    return false;
}

void http_jobs_get_rows(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    serve_rows_query query = {.sort = http_query(r, "sort"),
                              .order = http_query(r, "order"),
                              .search = http_query(r, "search"),
                              .which = http_query(r, "which"),
                              .threshold = http_query(r, "threshold")};
    if (!take_whole(http_query(r, "offset"), "offset", &query.offset, a) ||
        !take_whole(http_query(r, "limit"), "limit", &query.limit, a))
        return;
    reply(a, serve_jobs_rows(app->jobs, r->parts[0], &query, &text, &why), 200, &text, &why);
}

void http_jobs_get_row(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    int64_t row = 0;
    if (!take_whole(r->parts[1], "the row", &row, a)) return;
    reply(a, serve_jobs_row(app->jobs, r->parts[0], row, &text, &why), 200, &text, &why);
}

/* ---- downloads ---------------------------------------------------------------------------------------- */

/* The body becomes a file that is named after the table. */
static void name_file(http_app *app, const http_request *r, const char *ending, http_response *a)
{
    char name[100];
    if (serve_jobs_name(app->jobs, r->parts[0], name, sizeof name, NULL)) snprintf(name, sizeof name, "odim");
    snprintf(a->attachment, sizeof a->attachment, "%s%s", name, ending);
}

static void download(http_app *app, const http_request *r, odim_status status, serve_text *text,
                     const serve_problem *why, const char *type, const char *ending, http_response *a)
{
    if (status) {
        http_problem_of(a, why);
        return;
    }
    http_give(a, 200, type, text);
    name_file(app, r, ending, a);
}

static bool is_on(const http_request *r, const char *name)
{
    const char *value = http_query(r, name);
    return value && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0);
}

void http_jobs_get_scores(http_app *app, http_request *r, http_response *a)
{
    static const struct {
        const char *format, *type, *ending;
    } kinds[] = {{"csv", "text/csv; charset=utf-8", "-scores.csv"},
                 {"json", "application/json", "-scores.json"},
                 {"jsonl", "application/x-ndjson", "-scores.jsonl"},
                 {"tsv", "text/tab-separated-values; charset=utf-8", "-scores.tsv"}};
    static const char *const types[] = {"text/csv", "application/json", "application/x-ndjson",
                                        "text/tab-separated-values"};
    const char *format = http_query(r, "format");
    int64_t explain = 0;
    int kind = format ? 0 : http_accept(r->accept, types, 4);
    while (format && kind < 4 && strcmp(kinds[kind].format, format) != 0) kind++;
    if (kind < 0 || kind > 3) {
        http_problem(a, format ? 400 : 406, "the format must be csv, tsv, json or jsonl");
        return;
    }
    if (!take_whole(http_query(r, "explain"), "explain", &explain, a)) return;
    serve_text text = {0};
    serve_problem why;
    const serve_scores_query query = {.format = kinds[kind].format,
                                      .table = is_on(r, "table"),
                                      .safe = is_on(r, "safe"),
                                      .raw_scores = is_on(r, "raw_scores"),
                                      .explain = explain > 1000 ? 1000 : (int)explain};
    odim_status status = serve_jobs_scores(app->jobs, r->parts[0], &query, &text, &why);
    download(app, r, status, &text, &why, kinds[kind].type, kinds[kind].ending, a);
}

void http_jobs_get_report(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    odim_status status = serve_jobs_report(app->jobs, r->parts[0], &text, &why);
    download(app, r, status, &text, &why, "text/html; charset=utf-8", "-report.html", a);
}

void http_jobs_get_model(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    odim_status status = serve_jobs_model(app->jobs, r->parts[0], &text, &why);
    download(app, r, status, &text, &why, "application/octet-stream", ".odim", a);
}

void http_jobs_get_known(http_app *app, http_request *r, http_response *a)
{
    serve_text text = {0};
    serve_problem why;
    odim_status status = serve_jobs_known(app->jobs, r->parts[0], &text, &why);
    download(app, r, status, &text, &why, "text/plain; charset=utf-8", "-known.txt", a);
}
