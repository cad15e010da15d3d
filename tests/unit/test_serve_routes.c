/* The routes, the models and the scoring of odim serve, without sockets. */
#include "routes.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "common/mem.h"
#include "log.h"
#include "mixed.h"
#include "page_files.h"
#include "score_bulk.h"
#include "scratch.h"
#include "test.h"
#include "verb.h"

const char cli_program[] = "odim", cli_examples[] = "";
const cli_verb *const cli_verbs[] = {NULL};
const cli_verb *cli_verb_find(const char *name)
{
    return name ? NULL : *cli_verbs;
}

static http_app app;
static odim_model *model;
static const char *host = "localhost", *origin, *authorization, *content_type, *accept_header;

/* A request and its response, as the server makes them. Returns the status. */
static int ask(const char *method, const char *target, const char *body, size_t size, http_response *a)
{
    http_request r = {.method = method,
                      .host = host,
                      .origin = origin,
                      .authorization = authorization,
                      .content_type = content_type,
                      .accept = accept_header};
    *a = (http_response){0};
    int bad = http_request_parse(&r, target);
    const http_route *route = NULL;
    if (bad)
        http_problem(a, bad, "bad");
    else
        route = http_route_admit(&app, &r, a);
    if (route && body) http_text_add(&r.body, body, size);
    if (route) http_route_answer(&app, route, &r, a);
    http_request_free(&r);
    return a->status;
}

static int status_of(const char *method, const char *target)
{
    http_response a;
    int status = ask(method, target, NULL, 0, &a);
    http_response_free(&a);
    return status;
}

/* The text of the response to a body; valid until the next call. */
static const char *score(const char *target, const char *body)
{
    static http_response a;
    http_response_free(&a);
    ask("POST", target, body, strlen(body), &a);
    return a.body.bytes ? a.body.bytes : a.fixed ? a.fixed : "";
}

TEST(routing)
{
    CHECK_INT(status_of("GET", "/healthz"), 200);
    CHECK_INT(status_of("HEAD", "/healthz"), 200);
    CHECK_INT(status_of("GET", "/"), 200);
    CHECK_INT(status_of("GET", "/page.js"), 200);
    CHECK_INT(status_of("GET", "/version"), 200);
    CHECK_INT(status_of("GET", "/metrics"), 200);
    CHECK_INT(status_of("GET", "/v1/openapi.json"), 200);
    CHECK_INT(status_of("GET", "/v1/models"), 200);
    CHECK_INT(status_of("GET", "/v1/models/mixed"), 200);
    CHECK_INT(status_of("GET", "/v1/models/mixed.odim"), 200);
    CHECK_INT(status_of("GET", "/v1/models/none"), 404);
    CHECK_INT(status_of("GET", "/v1/models/..%2Fmixed"), 404);
    CHECK_INT(status_of("GET", "/v1/models/.."), 404);
    CHECK_INT(status_of("GET", "/nothing"), 404);
    CHECK_INT(status_of("GET", "/../etc/passwd"), 404);
    CHECK_INT(status_of("POST", "/"), 405);
    CHECK_INT(status_of("GET", "/v1/models/mixed/score"), 405);
    CHECK_INT(status_of("OPTIONS", "/v1/models/mixed"), 405);
    CHECK_INT(status_of("GET", "/%"), 400);
    CHECK_INT(status_of("GET", "/v1/jobs"), 200);
    CHECK_INT(status_of("GET", "/v1/jobs/00"), 404);
    CHECK_INT(status_of("GET", "/v1/jobs/00/rows/x"), 400);
}

TEST(allow)
{
    http_response a;
    CHECK_INT(ask("PATCH", "/v1/models/mixed", NULL, 0, &a), 405);
    CHECK_STR(a.allow, "GET, PUT, DELETE");
    CHECK_STR(a.body.bytes, "{\"type\": \"about:blank\", \"title\": \"Method Not Allowed\", \"status\": 405, "
                            "\"detail\": \"PATCH is not possible here, only GET, PUT, DELETE\"}\n");
    http_response_free(&a);
}

TEST(sources)
{
    host = "evil.example";
    CHECK_INT(status_of("GET", "/healthz"), 403);
    host = NULL;
    CHECK_INT(status_of("GET", "/healthz"), 403);
    host = "localhost";
    origin = "http://evil.example";
    CHECK_INT(status_of("GET", "/version"), 403);
    origin = "http://localhost";
    CHECK_INT(status_of("GET", "/version"), 200);
    origin = NULL;
}

TEST(token)
{
    char own[] = "0123456789abcdef";
    app.token = own;
    CHECK_INT(status_of("GET", "/healthz"), 200);
    CHECK_INT(status_of("GET", "/"), 200);
    CHECK_INT(status_of("GET", "/version"), 401);
    CHECK_INT(status_of("GET", "/metrics"), 401);
    CHECK_INT(status_of("GET", "/nothing"), 401);
    authorization = "Bearer 0123456789abcdeX";
    CHECK_INT(status_of("GET", "/version"), 401);
    authorization = "Bearer 0123456789abcdef";
    CHECK_INT(status_of("GET", "/version"), 200);
    CHECK_INT(status_of("GET", "/nothing"), 404);
    authorization = NULL;
    app.token = NULL;
}

TEST(stopping)
{
    atomic_store(&app.stopping, true);
    CHECK_INT(status_of("GET", "/healthz"), 503);
    CHECK_INT(status_of("GET", "/version"), 503);
    atomic_store(&app.stopping, false);
}

/* ---- the description ---------------------------------------------------------------------------------- */

/* "/v1/jobs/{id}/rows" becomes "/v1/jobs/{}/rows". */
static void to_pattern(const char *path, size_t len, char out[100])
{
    for (size_t i = 0; i < len; i++) {
        *out++ = path[i];
        if (path[i] == '{') i += strcspn(path + i, "}") - 1;
    }
    *out = '\0';
}

/* Counts the operations of the description that are routes; each method has a line of its own. */
TEST(description)
{
    int routes = 0, operations = 0, found = 0;
    char pattern[100] = "";
    for (const http_route *route = http_routes; route->method; route++) routes++;
    for (const char *at = http_openapi_json, *end; *at; at = *end ? end + 1 : end) {
        static const struct {
            const char *line, *method;
        } methods[] = {{"      \"get\": {", "GET"},
                       {"      \"post\": {", "POST"},
                       {"      \"put\": {", "PUT"},
                       {"      \"delete\": {", "DELETE"}};
        end = at + strcspn(at, "\n");
        if (strncmp(at, "    \"/", 6) == 0) to_pattern(at + 5, strcspn(at + 5, "\""), pattern);
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            if (strncmp(at, methods[k].line, strlen(methods[k].line)) != 0) continue;
            operations++;
            for (const http_route *route = http_routes; route->method; route++)
                found += strcmp(route->path, pattern) == 0 && strcmp(route->method, methods[k].method) == 0;
        }
    }
    CHECK(routes > 10);
    CHECK_INT(operations, routes);
    CHECK_INT(found, routes);
}

/* ---- scoring ------------------------------------------------------------------------------------------ */

static const char row[] = "{\"id\": \"r1\", \"load\": 57, \"heat\": 45.5, \"color\": \"green\", \"open\": "
                          "\"yes\", \"day\": \"2024-01-02\", \"site\": \"x\"}";

/* The line of a row by way of the library. */
static const char *expected(const char *json)
{
    static char text[300];
    odim_table *t = NULL;
    odim_error err;
    double value;
    odim_read_options o = {.size = sizeof o, .like = model};
    if (odim_table_read_memory(&t, json, strlen(json), NULL, &o, &err) ||
        odim_score(model, t, NULL, NULL, &value, &err))
        return "the library fails";
    snprintf(text, sizeof text, "{\"row\": 1, \"score\": %.9g, \"p_outlier\": %.9g, \"is_outlier\": %s}\n",
             value, odim_model_probability(model, value),
             value > odim_model_threshold(model) ? "true" : "false");
    odim_table_free(t);
    return text;
}

/* Fit and unfit for the short way: the bytes are the same. */
TEST(one_object)
{
    static const char *const bodies[] = {
        row,
        "{\"load\": 57, \"heat\": null, \"color\": \"green\", \"open\": true, \"day\": \"2024-01-02\", "
        "\"site\": "
        "\"x\", \"id\": null}",
        "{\"load\": 5.7e1, \"heat\": 400, \"color\": \"violet\", \"open\": false, \"day\": \"2024-06-30\", "
        "\"site\": \"y\", \"id\": 7}",
        "{\"load\": \"57\", \"heat\": \"45.5\", \"color\": \" green\", \"open\": \"NA\", \"day\": \"\", "
        "\"site\": "
        "\"x\", \"id\": \"\"}",
        "{\"load\": 57, \"heat\": 45.5, \"color\": \"gr\\u0065en\", \"open\": \"no\", \"day\": "
        "\"2024-01-02\", "
        "\"site\": \"x\", \"id\": \"a\"}",
        " \n{\"day\":\"2024-01-02\",\"open\":\"yes\",\"color\":\"blue\",\"heat\":45.5,\"load\":57,\"id\":"
        "\"\",\"site\":"
        "\"x\"}\r\n",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int again = 0; again < 2; again++)
            CHECK_STR(score("/v1/models/mixed/score", bodies[i]), expected(bodies[i]));
}

/* Keys that are not columns are left out: by way of a table at first, then without. */
TEST(more_keys)
{
    char body[400];
    snprintf(body, sizeof body, "{\"request\": \"abc\", %s", row + 1);
    for (int i = 0; i < 3; i++) CHECK_STR(score("/v1/models/mixed/score", body), expected(row));
}

TEST(formats)
{
    char body[700], lines[700];
    const char *line = expected(row);
    snprintf(body, sizeof body, "[%s, %s]", row, row);
    const char *rest = strchr(line, ',');
    snprintf(lines, sizeof lines, "[{\"row\": 1%.*s,\n{\"row\": 2%.*s]\n", (int)strlen(rest) - 1, rest,
             (int)strlen(rest) - 1, rest);
    CHECK_STR(score("/v1/models/mixed/score", body), lines);
    snprintf(body, sizeof body, "[%s]", row);
    snprintf(lines, sizeof lines, "[%.*s]\n", (int)strlen(line) - 1, line);
    CHECK_STR(score("/v1/models/mixed/score", body), lines);
    snprintf(body, sizeof body, "{\"rows\": [%s]}", row);
    CHECK_STR(score("/v1/models/mixed/score", body), lines);
    snprintf(body, sizeof body, "%s\n%s\n", row, row);
    snprintf(lines, sizeof lines, "%s{\"row\": 2%s", line, rest);
    CHECK_STR(score("/v1/models/mixed/score", body), lines);
    accept_header = "text/csv";
    CHECK(strncmp(score("/v1/models/mixed/score", row), "row,score,p_outlier,is_outlier\n1,", 33) == 0);
    accept_header = "application/x-ndjson";
    CHECK_STR(score("/v1/models/mixed/score", row), line);
    accept_header = "image/png";
    CHECK(strstr(score("/v1/models/mixed/score", row), "\"status\": 406"));
    accept_header = NULL;
}

TEST(parameters)
{
    CHECK(strstr(score("/v1/models/mixed/score?threshold=-100", row), "\"is_outlier\": true"));
    CHECK(strstr(score("/v1/models/mixed/score?threshold=-100&reasons=1", row), "\"reason1\": \""));
    CHECK(strstr(score("/v1/models/mixed/score?reasons=2&threshold=100", row),
                 "\"reason1\": \"\", \"reason2\": \"\"}\n"));
    CHECK(strstr(score("/v1/models/mixed/score?raw_scores=1", row), "\"raw_score\": "));
    CHECK(strstr(score("/v1/models/mixed/score?table=1", row), "\"load\": 57"));
    CHECK(strstr(score("/v1/models/mixed/score?id=id", row), "\"id\": \"r1\""));
    CHECK(strstr(score("/v1/models/mixed/score?reasons=101", row), "\"status\": 400"));
    CHECK(strstr(score("/v1/models/mixed/score?reasons=x", row), "\"status\": 400"));
    CHECK(strstr(score("/v1/models/mixed/score?threshold=", row), "\"status\": 400"));
    CHECK(strstr(score("/v1/models/mixed/score?raw_scores=2", row), "\"status\": 400"));
    CHECK(strstr(score("/v1/models/mixed/score?bad_rows=no", row), "\"status\": 400"));
    CHECK(strstr(score("/v1/models/mixed/score?colour=no", row), "unknown parameter 'colour'"));
}

TEST(bad_rows)
{
    const char *text =
        score("/v1/models/mixed/score", "load,heat,color,open,day\n1,2,red,yes,2024-01-01\n1,x,red,no,\n");
    CHECK(strstr(text, "\"status\": 422, \"detail\": \"row 2 (line 3), column 'heat': 'x' is not a number\", "
                       "\"row\": 2, \"column\": 2}"));
    text = score("/v1/models/mixed/score?bad_rows=skip",
                 "load,heat,color,open,day\n1,2,red,yes,2024-01-01\n1,x,red,no,\n");
    CHECK(strstr(text, "\n1,") && !strstr(text, "\n2,"));
    CHECK(strstr(score("/v1/models/mixed/score", ""), "\"status\": 422"));
    CHECK(strstr(score("/v1/models/mixed/score", "{"), "\"status\": 422"));
    CHECK(strstr(score("/v1/models/mixed/score", "{\"load\": 1}"), "\"status\": 422"));
}

/* ---- long bodies -------------------------------------------------------------------------------------- */

typedef struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool awake;
} waiter;

static void wake(void *ctx)
{
    waiter *w = ctx;
    pthread_mutex_lock(&w->lock);
    w->awake = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static void wait_for(waiter *w, http_bulk *b)
{
    w->awake = false;
    http_bulk_wait(b);
    pthread_mutex_lock(&w->lock);
    while (!w->awake) pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

/* The response to a body that comes in pieces; cut: the client leaves in the middle. */
static http_response feed(const char *target, const char *body, size_t size, size_t piece, bool cut)
{
    waiter w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    http_request r = {.method = "POST", .host = host};
    http_response a = {0};
    CHECK_INT(http_request_parse(&r, target), 0);
    CHECK(http_route_admit(&app, &r, &a) != NULL);
    http_bulk *b = http_bulk_new(&app, &r, wake, &w, &a);
    for (size_t at = 0; b && at < (cut ? size / 2 : size);) {
        size_t more = size - at < piece ? size - at : piece, took = http_bulk_feed(b, body + at, more);
        at += took;
        if (took < more) wait_for(&w, b);
    }
    if (b && !cut) {
        http_bulk_end(b);
        wait_for(&w, b);
        CHECK(http_bulk_is_done(b));
        http_bulk_answer(b, &a);
    }
    http_bulk_free(b);
    http_request_free(&r);
    return a;
}

/* A long table: several blocks, more than the queue holds. */
static char *long_table(int copies, size_t *size)
{
    const char *csv = mixed_csv(), *rows = strchr(csv, '\n') + 1;
    http_text t = {0};
    http_text_add(&t, csv, (size_t)(rows - csv));
    for (int i = 0; i < copies; i++) http_text_puts(&t, rows);
    *size = t.size;
    return t.bytes;
}

TEST(long_bodies)
{
    size_t size;
    char *body = long_table(100, &size);
    CHECK(size > 1 << 20);
    http_response whole;
    CHECK_INT(ask("POST", "/v1/models/mixed/score", body, size, &whole), 200);
    static const size_t pieces[] = {777, 32768, (size_t)3 << 20};
    for (int i = 0; i < 3; i++) {
        http_response a = feed("/v1/models/mixed/score", body, size, pieces[i], false);
        CHECK_INT(a.status, 200);
        CHECK_INT(a.rows, 40000);
        CHECK_INT(a.body.size, whole.body.size);
        CHECK(a.body.size == whole.body.size && memcmp(a.body.bytes, whole.body.bytes, a.body.size) == 0);
        http_response_free(&a);
    }
    http_response_free(&whole);
    od_free(body);
}

TEST(long_json)
{
    http_text body = {0};
    http_response whole, a;
    http_text_puts(&body, "[");
    for (int i = 0; i < 20000; i++) http_text_printf(&body, "%s%s", i ? "," : "", row);
    http_text_puts(&body, "]");
    CHECK_INT(ask("POST", "/v1/models/mixed/score", body.bytes, body.size, &whole), 200);
    a = feed("/v1/models/mixed/score", body.bytes, body.size, 5000, false);
    CHECK_INT(a.status, 200);
    CHECK_STR(a.type, "application/json");
    CHECK(a.body.size == whole.body.size && memcmp(a.body.bytes, whole.body.bytes, a.body.size) == 0);
    http_response_free(&a);
    http_response_free(&whole);
    http_text_free(&body);
}

TEST(long_bad_bodies)
{
    size_t size;
    char *body = long_table(100, &size);
    body[size / 2] = '\n';
    http_response a = feed("/v1/models/mixed/score", body, size, 10000, false);
    CHECK_INT(a.status, 422);
    CHECK(strstr(a.body.bytes, "\"row\": "));
    http_response_free(&a);
    a = feed("/v1/models/mixed/score", body, size / 4, 10000, true);
    http_response_free(&a);
    a = feed("/v1/models/mixed/score", body, 0, 1, false);
    CHECK_INT(a.status, 422);
    http_response_free(&a);
    a = feed("/v1/models/none/score", body, size, 1, false);
    CHECK_INT(a.status, 404);
    http_response_free(&a);
    a = feed("/v1/models/mixed/score?reasons=x", body, size, 1, false);
    CHECK_INT(a.status, 400);
    http_response_free(&a);
    od_free(body);
}

TEST(long_limits)
{
    size_t size, most = app.set.max_memory;
    char *body = long_table(100, &size);
    app.set.max_memory = 200000;
    http_response a = feed("/v1/models/mixed/score", body, size, 10000, false);
    CHECK_INT(a.status, 413);
    http_response_free(&a);
    app.set.max_memory = most;
    double seconds = app.set.request_seconds;
    app.set.request_seconds = -1;
    a = feed("/v1/models/mixed/score", body, size, 10000, false);
    CHECK_INT(a.status, 503);
    http_response_free(&a);
    app.set.request_seconds = seconds;
    atomic_fetch_add(&app.bulks, 100);
    a = feed("/v1/models/mixed/score", body, size, 10000, false);
    CHECK_INT(a.status, 429);
    CHECK_INT(a.retry_after, 1);
    http_response_free(&a);
    atomic_fetch_sub(&app.bulks, 100);
    od_free(body);
    for (int i = 0; i < 1000 && atomic_load(&app.bulks) > 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    CHECK_INT(atomic_load(&app.bulks), 0);
    CHECK_INT(atomic_load(&app.held), 0);
}

/* ---- models ------------------------------------------------------------------------------------------- */

TEST(models)
{
    http_response a;
    void *bytes;
    size_t size;
    REQUIRE(odim_model_save_memory(model, &bytes, &size, NULL) == ODIM_OK);
    CHECK_INT(ask("PUT", "/v1/models/other", bytes, size, &a), 201);
    http_response_free(&a);
    CHECK_INT(ask("PUT", "/v1/models/other.odim", bytes, size, &a), 200);
    http_response_free(&a);
    CHECK(access(in_scratch("other.odim"), F_OK) == 0);
    accept_header = "application/octet-stream";
    CHECK_INT(ask("GET", "/v1/models/other", NULL, 0, &a), 200);
    CHECK(a.body.size == size && memcmp(a.body.bytes, bytes, size) == 0);
    http_response_free(&a);
    accept_header = NULL;
    CHECK_INT(ask("PUT", "/v1/models/other", bytes, size - 1, &a), 422);
    http_response_free(&a);
    CHECK_INT(ask("PUT", "/v1/models/a%2Fb", bytes, size, &a), 404);
    http_response_free(&a);
    CHECK_INT(ask("PUT", "/v1/models/.a", bytes, size, &a), 400);
    http_response_free(&a);
    CHECK_INT(ask("PUT", "/v1/models/a%20b", bytes, size, &a), 400);
    http_response_free(&a);
    CHECK_INT(status_of("DELETE", "/v1/models/other"), 204);
    CHECK_INT(status_of("DELETE", "/v1/models/other"), 404);
    CHECK_INT(status_of("GET", "/v1/models/other"), 404);
    CHECK(access(in_scratch("other.odim"), F_OK) != 0);
    odim_free(bytes);
}

/* Files come, change and go behind the server's back; a bad one leaves the old model in place. */
TEST(changes)
{
    CHECK_INT(odim_model_save(model, in_scratch("late.odim"), NULL), ODIM_OK);
    CHECK_INT(status_of("GET", "/v1/models/late"), 200);
    write_text(in_scratch("late.odim"), "not a model");
    http_models_refresh(app.models);
    CHECK_INT(status_of("GET", "/v1/models/late"), 200);
    CHECK_INT(unlink(in_scratch("late.odim")), 0);
    http_models_refresh(app.models);
    CHECK_INT(status_of("GET", "/v1/models/late"), 404);
    write_text(in_scratch("broken.odim"), "not a model");
    http_models_refresh(app.models);
    CHECK_INT(status_of("GET", "/v1/models/broken"), 500);
    CHECK_INT(odim_model_save(model, in_scratch("broken.odim"), NULL), ODIM_OK);
    http_models_refresh(app.models);
    CHECK_INT(status_of("GET", "/v1/models/broken"), 200);
    CHECK_INT(status_of("DELETE", "/v1/models/broken"), 204);
}

/* Whatever allocation fails, there is a response, and nothing is lost. */
TEST(memory)
{
    http_response a;
    for (int64_t n = 1; n < 400; n++) {
        od_mem_fail_at(n);
        int status = ask("POST", "/v1/models/mixed/score?reasons=1&threshold=-9", row, strlen(row), &a);
        od_mem_fail_at(0);
        CHECK(status == 200 || status == 503);
        CHECK(a.fixed || a.body.size > 0);
        http_response_free(&a);
    }
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN); /* as serve/server.c does: a client may be gone before its answer */
    cli_log_mute();
    scratch_make();
    odim_table *t = mixed_read(mixed_csv(), NULL);
    model = t ? mixed_fit(t) : NULL;
    odim_table_free(t);
    const http_settings set = {.models = scratch,
                               .listen = "127.0.0.1",
                               .max_upload = 1 << 20,
                               .max_memory = (size_t)1 << 30,
                               .threads = 2,
                               .jobs = 1,
                               .request_seconds = 600};
    if (!model || odim_model_save(model, in_scratch("mixed.odim"), NULL) || !http_app_open(&app, &set))
        return 1;
    RUN(routing);
    RUN(allow);
    RUN(sources);
    RUN(token);
    RUN(stopping);
    RUN(description);
    RUN(one_object);
    RUN(more_keys);
    RUN(formats);
    RUN(parameters);
    RUN(bad_rows);
    RUN(long_bodies);
    RUN(long_json);
    RUN(long_bad_bodies);
    RUN(long_limits);
    RUN(models);
    RUN(changes);
    RUN(memory);
    http_app_close(&app);
    odim_model_free(model);
    return test_end();
}
