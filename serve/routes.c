/* The routes: which function answers which request. */
#include "routes.h"

#include <string.h>
#include <strings.h>

#include "json.h"
#include "page_files.h"
#include "routes_jobs.h"
#include "routes_models.h"
#include "security.h"

static void get_health(http_app *app, http_request *r, http_response *a)
{
    (void)r;
    if (atomic_load(&app->stopping)) {
        http_problem(a, 503, "the server is stopping");
        return;
    }
    http_begin(a, 200, http_json_type);
    http_text_puts(&a->body, "{\"status\": \"ok\"}\n");
}

static void get_version(http_app *app, http_request *r, http_response *a)
{
    (void)r;
    http_begin(a, 200, http_json_type);
    http_text_printf(&a->body, "{\"version\": \"%s\", \"kernels\": \"%s\", \"threads\": %d}\n",
                     odim_version(), odim_kernels(), app->set.threads);
}

static void get_openapi(http_app *app, http_request *r, http_response *a)
{
    (void)app;
    (void)r;
    http_begin(a, 200, http_json_type);
    a->fixed = http_openapi_json;
    a->fixed_size = strlen(http_openapi_json);
}

static void write_jobs(http_app *app, http_text *out)
{
    serve_jobs_counts counts;
    int64_t limit;
    serve_jobs_count(app->jobs, &counts);
    http_metrics_value(out, "jobs_queued", "gauge", "Jobs that wait.", (double)counts.queued);
    http_metrics_value(out, "jobs_running", "gauge", "Jobs that run.", (double)counts.running);
    http_metrics_value(out, "jobs_done_total", "counter", "Jobs that are done.", (double)counts.done);
    http_metrics_value(out, "jobs_failed_total", "counter", "Jobs that failed.", (double)counts.failed);
    http_metrics_value(out, "jobs_cancelled_total", "counter", "Jobs that were cancelled.",
                       (double)counts.cancelled);
    http_metrics_value(out, "jobs_refused_total", "counter", "Jobs for which the queue was full.",
                       (double)counts.refused);
    http_metrics_value(out, "job_rows_total", "counter", "Rows that jobs have scored.", (double)counts.rows);
    http_metrics_value(out, "job_seconds_total", "counter", "Time that jobs have taken.", counts.seconds);
    http_metrics_value(out, "table_bytes", "gauge", "Memory of tables and results.",
                       (double)serve_tables_memory(app->tables, &limit));
    http_metrics_value(out, "table_bytes_limit", "gauge", "Memory that they may have.", (double)limit);
    http_metrics_value(out, "tables", "gauge", "Uploaded tables.", serve_tables_count(app->tables));
}

static void get_metrics(http_app *app, http_request *r, http_response *a)
{
    (void)r;
    http_begin(a, 200, "text/plain; version=0.0.4; charset=utf-8");
    http_metrics_write(&app->metrics, &a->body);
    http_metrics_value(&a->body, "active_requests", "gauge", "Requests that are not answered yet.",
                       atomic_load(&app->active));
    http_metrics_value(&a->body, "held_bytes", "gauge", "Bytes of bodies in memory.",
                       (double)atomic_load(&app->held));
    write_jobs(app, &a->body);
    http_metrics_value(&a->body, "models", "gauge", "Models that are loaded.",
                       http_models_count(app->models));
}

#define NONE   .body = HTTP_BODY_NONE
#define SMALL  .body = HTTP_BODY_SMALL
#define UPLOAD .body = HTTP_BODY_UPLOAD
#define SLOW   .slow = true

const http_route http_routes[] = {
    {"GET", "/healthz", get_health, HTTP_GROUP_OTHER, NONE, .open = true},
    {"GET", "/metrics", get_metrics, HTTP_GROUP_OTHER, NONE},
    {"GET", "/version", get_version, HTTP_GROUP_OTHER, NONE},
    {"GET", "/v1/openapi.json", get_openapi, HTTP_GROUP_OTHER, NONE},
    {"GET", "/v1/models", http_models_get_list, HTTP_GROUP_MODELS, NONE, SLOW},
    {"GET", "/v1/models/{}", http_models_get_one, HTTP_GROUP_MODELS, NONE, SLOW},
    {"PUT", "/v1/models/{}", http_models_put_one, HTTP_GROUP_MODELS, UPLOAD, SLOW},
    {"DELETE", "/v1/models/{}", http_models_delete_one, HTTP_GROUP_MODELS, NONE, SLOW},
    {"POST", "/v1/models/{}/score", http_models_score, HTTP_GROUP_SCORE, .body = HTTP_BODY_ROWS},
    {"POST", "/v1/tables", http_tables_post, HTTP_GROUP_TABLES, UPLOAD, SLOW},
    {"POST", "/v1/tables/{}/read", http_tables_read, HTTP_GROUP_TABLES, SMALL, SLOW},
    {"GET", "/v1/tables/{}", http_tables_get_one, HTTP_GROUP_TABLES, NONE, SLOW},
    {"DELETE", "/v1/tables/{}", http_tables_delete_one, HTTP_GROUP_TABLES, NONE, SLOW},
    {"POST", "/v1/detect", http_jobs_detect, HTTP_GROUP_JOBS, UPLOAD, SLOW},
    {"GET", "/v1/jobs", http_jobs_get_list, HTTP_GROUP_JOBS, NONE},
    {"GET", "/v1/jobs/{}", http_jobs_get_one, HTTP_GROUP_JOBS, NONE},
    {"DELETE", "/v1/jobs/{}", http_jobs_delete_one, HTTP_GROUP_JOBS, NONE, SLOW},
    {"GET", "/v1/jobs/{}/events", http_jobs_events, HTTP_GROUP_JOBS, NONE},
    {"GET", "/v1/jobs/{}/result", http_jobs_get_result, HTTP_GROUP_JOBS, NONE, SLOW},
    {"GET", "/v1/jobs/{}/figures/{}", http_jobs_get_figure, HTTP_GROUP_JOBS, NONE, SLOW},
    {"GET", "/v1/jobs/{}/rows", http_jobs_get_rows, HTTP_GROUP_JOBS, NONE, SLOW},
    {"GET", "/v1/jobs/{}/rows/{}", http_jobs_get_row, HTTP_GROUP_JOBS, NONE, SLOW},
    {"POST", "/v1/jobs/{}/learn", http_jobs_learn, HTTP_GROUP_JOBS, SMALL, SLOW},
    {"GET", "/v1/jobs/{}/scores", http_jobs_get_scores, HTTP_GROUP_JOBS, NONE, SLOW},
    {"GET", "/v1/jobs/{}/report", http_jobs_get_report, HTTP_GROUP_JOBS, NONE, SLOW},
    {"GET", "/v1/jobs/{}/model", http_jobs_get_model, HTTP_GROUP_JOBS, NONE, SLOW},
    {"GET", "/v1/jobs/{}/known", http_jobs_get_known, HTTP_GROUP_JOBS, NONE, SLOW},
    {.method = NULL},
};

static void get_file(http_app *app, http_request *r, http_response *a)
{
    (void)app;
    const http_page_file *file = http_page_find(r->path);
    http_begin(a, 200, file->type);
    a->fixed = file->bytes;
    a->fixed_size = strlen(file->bytes);
}

static const http_route page_route = {"GET", "", get_file, HTTP_GROUP_PAGE, .open = true};

/* A HEAD is a GET whose body is left out later. */
static bool has_method(const http_request *r, const char *method)
{
    return strcmp(r->method, method) == 0 || (strcmp(r->method, "HEAD") == 0 && strcmp(method, "GET") == 0);
}

static const http_route *find(http_request *r, http_response *a)
{
    const http_route *same =
        NULL; /* the path of the last one that matched, for which all methods are listed */
    char allow[sizeof a->allow] = "";
    if (http_page_find(r->path)) {
        if (has_method(r, "GET")) return &page_route;
        strcpy(allow, "GET");
    }
    for (const http_route *route = http_routes; route->method; route++) {
        bool match = same ? strcmp(same->path, route->path) == 0 : http_path_matches(r, route->path);
        if (!match) continue;
        if (has_method(r, route->method)) return route;
        same = route;
        if (*allow) strncat(allow, ", ", sizeof allow - strlen(allow) - 1);
        strncat(allow, route->method, sizeof allow - strlen(allow) - 1);
    }
    if (!*allow) {
        http_problem(a, 404, "there is no %s", r->path);
        return NULL;
    }
    http_problem(a, 405, "%s is not possible here, only %s", r->method, allow);
    memcpy(a->allow, allow, sizeof allow);
    return NULL;
}

static bool check_source(const http_app *app, const http_request *r, http_response *a)
{
    if (!http_host_is_ours(r->host, app->set.hosts)) {
        http_problem(
            a, 403,
            "the host '%s' is not this server; --host NAME allows a name besides localhost and addresses",
            r->host ? r->host : "");
        return false;
    }
    bool other = r->fetch_site && strcasecmp(r->fetch_site, "cross-site") == 0;
    if (http_origin_is_ours(r->origin, r->host) && !other) return true;
    http_problem(a, 403, "requests from pages of another origin are refused");
    return false;
}

const http_route *http_route_admit(http_app *app, http_request *r, http_response *a)
{
    if (!check_source(app, r, a)) return NULL;
    bool allowed = !app->token || http_token_is_given(app->token, r->authorization);
    const http_route *route = find(r, a);
    /* Without the token nobody learns which paths there are. */
    if (!allowed && !(route && route->open)) {
        http_problem(a, 401, "a token is needed: Authorization: Bearer TOKEN");
        return NULL;
    }
    if (route && atomic_load(&app->stopping) && route->handle != get_health) {
        http_problem(a, 503, "the server is stopping");
        return NULL;
    }
    return route;
}

size_t http_route_body_most(const http_app *app, const http_route *route)
{
    return route->body == HTTP_BODY_NONE    ? 0
           : route->body == HTTP_BODY_SMALL ? HTTP_SMALL_MOST
                                            : app->set.max_upload;
}

void http_route_answer(http_app *app, const http_route *route, http_request *r, http_response *a)
{
    route->handle(app, r, a);
    http_finish(a);
}
