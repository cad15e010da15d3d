/* A request and its response on a connection of libmicrohttpd. */
#include "exchange.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "connections.h"
#include "run.h"
#include "score_bulk.h"

/* A body that is refused is read to its end if it is not longer than DISCARD_MOST. Rows are scored at once if
 * they are not longer than ROWS_MOST, and as they come otherwise. */
enum { DISCARD_MOST = 1 << 16, ROWS_MOST = 1 << 14 };

typedef enum state { NEW, RECEIVING, DISCARDING, WORKING, READY, SENDING } state;

typedef struct exchange {
    http_loop *loop;
    struct MHD_Connection *connection;
    http_connection *tracked;
    state state;
    http_request request;
    http_response answer;
    const http_route *route; /* NULL: refused, the answer says why */
    int refused;             /* the status if the target cannot be parsed */
    bool expects;            /* the client waits before it sends the body */
    bool has_length, chunked;
    unsigned long long length; /* of the body, as announced */
    size_t held;               /* bytes counted by http_app_hold */
    http_bulk *bulk;           /* of a long body of rows; else NULL */
    size_t received;           /* bytes of the body */
    uint64_t sent;             /* the same of a stream */
    double start;
    char method[8];
    char *shown; /* the path, for the log; or NULL */
} exchange;

/* ---- the request ------------------------------------------------------------------------------------ */

void *http_exchange_begin(void *loop, const char *target, struct MHD_Connection *connection)
{
    exchange *x = od_calloc(1, sizeof *x);
    if (!x) return NULL;
    x->loop = loop;
    x->connection = connection;
    x->tracked = http_connection_of(connection);
    x->start = cli_run_clock();
    x->refused = http_request_parse(&x->request, target);
    if (x->loop->app->log) x->shown = od_strndup(target, strcspn(target, "?"));
    atomic_fetch_add(&x->loop->app->active, 1);
    return x;
}

static enum MHD_Result take_header(void *closure, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    exchange *x = closure;
    http_request *r = &x->request;
    (void)kind;
    const struct {
        const char *name, **place;
    } known[] = {{"Host", &r->host},
                 {"Accept", &r->accept},
                 {"Content-Type", &r->content_type},
                 {"Authorization", &r->authorization},
                 {"Origin", &r->origin},
                 {"Sec-Fetch-Site", &r->fetch_site}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcasecmp(name, known[i].name) != 0) continue;
        if (!*known[i].place) *known[i].place = value ? value : "";
        return MHD_YES;
    }
    if (strcasecmp(name, "Content-Length") == 0 && value) {
        x->has_length = true;
        x->length = strtoull(value, NULL, 10);
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        x->chunked = true;
    } else if (strcasecmp(name, "Expect") == 0) {
        x->expects = true;
    }
    return MHD_YES;
}

/* The connection rests until `resume`, which another thread may call. */
static void suspend(exchange *x)
{
    atomic_fetch_add(&x->loop->suspended, 1);
    mhd.suspend_connection(x->connection);
}

/* What is behind the call may be gone after it. */
static void resume(void *arg)
{
    exchange *x = arg;
    http_loop *loop = x->loop;
    mhd.resume_connection(x->connection);
    atomic_fetch_sub(&loop->suspended, 1);
}

/* After the headers. */
static void admit(exchange *x, const char *method)
{
    http_app *app = x->loop->app;
    snprintf(x->method, sizeof x->method, "%s", method);
    x->request.method = x->method;
    mhd.get_connection_values(x->connection, MHD_HEADER_KIND, take_header, x);
    if (x->refused) {
        http_problem(&x->answer, x->refused, "the target of the request cannot be used");
        return;
    }
    x->route = http_route_admit(app, &x->request, &x->answer);
    if (!x->route) return;
    size_t most = http_route_body_most(app, x->route);
    x->request.body.most = most;
    if (x->has_length && x->length > most) {
        x->route = NULL;
        if (most)
            http_problem(&x->answer, 413, "the body has %llu bytes; at most %zu are accepted", x->length,
                         most);
        else
            http_problem(&x->answer, 413, "this request has no body");
    }
    if (x->route && x->route->body == HTTP_BODY_ROWS &&
        (x->has_length ? x->length > ROWS_MOST : x->chunked)) {
        x->bulk = http_bulk_new(app, &x->request, resume, x, &x->answer);
        if (!x->bulk) x->route = NULL;
    }
}

/* ---- the response ----------------------------------------------------------------------------------- */

static ssize_t read_stream(void *closure, uint64_t pos, char *buf, size_t most)
{
    exchange *x = closure;
    (void)pos;
    ssize_t got = x->answer.stream.read(x->answer.stream.state, buf, most);
    if (got > 0) x->sent += (uint64_t)got;
    if (got == 0) http_connection_nap(x->tracked, x->connection);
    return got == -1   ? (ssize_t)MHD_CONTENT_READER_END_OF_STREAM
           : got == -2 ? (ssize_t)MHD_CONTENT_READER_END_WITH_ERROR
                       : got;
}

static struct MHD_Response *make_response(exchange *x)
{
    http_response *a = &x->answer;
    enum { BLOCK = 32768 };
    if (a->stream.read)
        return mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, x, NULL);
    /* Both live until http_exchange_end. */
    void *bytes = a->fixed ? (void *)a->fixed : a->body.bytes;
    return mhd.create_response_from_buffer(a->fixed ? a->fixed_size : a->body.size, bytes,
                                           MHD_RESPMEM_PERSISTENT);
}

static void add_headers(const exchange *x, struct MHD_Response *response)
{
    static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
                                 "data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; "
                                 "base-uri 'none'";
    const http_response *a = &x->answer;
    char text[200];
    if (a->type) mhd.add_response_header(response, "Content-Type", a->type);
    if (a->retry_after) {
        snprintf(text, sizeof text, "%d", a->retry_after);
        mhd.add_response_header(response, "Retry-After", text);
    }
    if (*a->allow) mhd.add_response_header(response, "Allow", a->allow);
    if (*a->location) mhd.add_response_header(response, "Location", a->location);
    if (*a->attachment) {
        snprintf(text, sizeof text, "attachment; filename=\"%s\"", a->attachment);
        mhd.add_response_header(response, "Content-Disposition", text);
    }
    if (a->status == 401) mhd.add_response_header(response, "WWW-Authenticate", "Bearer");
    if (a->close || atomic_load(&x->loop->app->stopping))
        mhd.add_response_header(response, "Connection", "close");
    mhd.add_response_header(response, "X-Content-Type-Options", "nosniff");
    mhd.add_response_header(response, "Cache-Control", "no-store");
    if (a->type && strncmp(a->type, "text/html", 9) == 0) {
        mhd.add_response_header(response, "Content-Security-Policy", policy);
        mhd.add_response_header(response, "Referrer-Policy", "no-referrer");
        mhd.add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    }
}

static enum MHD_Result send_answer(exchange *x)
{
    struct MHD_Response *response = make_response(x);
    if (!response) return MHD_NO;
    add_headers(x, response);
    http_connection_phase(x->tracked, x->answer.stream.read ? HTTP_PHASE_WATCHING : HTTP_PHASE_SENDING);
    x->state = SENDING;
    enum MHD_Result result = mhd.queue_response(x->connection, (unsigned)x->answer.status, response);
    mhd.destroy_response(response);
    return result;
}

/* ---- in between ------------------------------------------------------------------------------------- */

static void work(void *arg)
{
    exchange *x = arg;
    http_route_answer(x->loop->app, x->route, &x->request, &x->answer);
    x->state = READY;
    resume(x);
}

/* A long body of rows is complete. */
static enum MHD_Result wait_for_bulk(exchange *x)
{
    http_bulk_end(x->bulk);
    x->state = WORKING;
    http_connection_phase(x->tracked, HTTP_PHASE_WORKING);
    suspend(x);
    http_bulk_wait(x->bulk);
    return MHD_YES;
}

/* The body is complete. */
static enum MHD_Result answer(exchange *x)
{
    if (!x->route) return send_answer(x);
    if (x->bulk) return wait_for_bulk(x);
    if (!x->route->slow) {
        http_route_answer(x->loop->app, x->route, &x->request, &x->answer);
        return send_answer(x);
    }
    x->state = WORKING;
    http_connection_phase(x->tracked, HTTP_PHASE_WORKING);
    suspend(x);
    if (http_workers_add(x->loop->workers, work, x)) return MHD_YES;
    http_problem(&x->answer, 429, "too many requests are waiting");
    x->state = READY;
    resume(x);
    return MHD_YES;
}

static void refuse(exchange *x, int status, const char *detail)
{
    http_connection_refuse(x->tracked, status, detail);
    http_problem(&x->answer, status, "%s", detail); /* for the log */
    http_text_free(&x->request.body);
    x->state = DISCARDING;
}

/* Returns how many bytes were taken. */
static size_t receive_rows(exchange *x, const char *piece, size_t size)
{
    if (size > x->request.body.most - x->received) {
        refuse(x, 413, "the body is longer than the server accepts");
        return size;
    }
    size_t taken = http_bulk_feed(x->bulk, piece, size);
    x->received += taken;
    if (!http_connection_received(x->tracked, taken)) {
        refuse(x, 408, "the body comes too slowly");
    } else if (taken < size) {
        suspend(x);
        http_bulk_wait(x->bulk);
    }
    return taken;
}

static void receive(exchange *x, const char *piece, size_t size)
{
    http_text *body = &x->request.body;
    x->received += size;
    if (!http_connection_received(x->tracked, size)) {
        refuse(x, 408, "the body comes too slowly");
        return;
    }
    if (!x->route) return;
    if (size > body->most - body->size) {
        refuse(x, 413, "the body is longer than the server accepts");
    } else if (!http_app_hold(x->loop->app, size)) {
        refuse(x, 429, "the server holds too many bytes of other requests");
    } else {
        x->held += size;
        http_text_add(body, piece, size);
        if (body->failed) refuse(x, 503, "out of memory");
    }
}

static enum MHD_Result begin(exchange *x, const char *method)
{
    admit(x, method);
    x->state = RECEIVING;
    http_connection_phase(x->tracked, HTTP_PHASE_RECEIVING);
    if (x->route || !x->has_length || x->length <= DISCARD_MOST) return MHD_YES;
    if (x->expects) {
        x->answer.close = true;
        return send_answer(x);
    }
    refuse(x, x->answer.status, "the request is refused, see the description of the interface");
    return MHD_YES;
}

enum MHD_Result http_exchange_handle(void *loop, struct MHD_Connection *connection, const char *url,
                                     const char *method, const char *version, const char *piece, size_t *size,
                                     void **closure)
{
    exchange *x = *closure;
    (void)loop;
    (void)connection;
    (void)url;
    (void)version;
    if (!x) return MHD_NO;
    if (x->state == NEW) return begin(x, method);
    if (x->state == READY) return send_answer(x);
    if (x->state == WORKING && x->bulk && http_bulk_is_done(x->bulk)) {
        http_bulk_answer(x->bulk, &x->answer);
        http_finish(&x->answer);
        return send_answer(x);
    }
    if (*size == 0) return x->state == DISCARDING ? MHD_NO : x->state == RECEIVING ? answer(x) : MHD_YES;
    size_t taken = *size;
    if (x->state == RECEIVING && x->bulk)
        taken = receive_rows(x, piece, *size);
    else if (x->state == RECEIVING)
        receive(x, piece, *size);
    *size -= taken;
    return MHD_YES;
}

static void client_of(const exchange *x, char out[INET6_ADDRSTRLEN])
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(x->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    const void *bytes = !address ? NULL
                        : address->sa_family == AF_INET
                            ? (const void *)&((const struct sockaddr_in *)address)->sin_addr
                            : &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (!bytes || !inet_ntop(address->sa_family, bytes, out, INET6_ADDRSTRLEN)) *out = '\0';
}

/* For metrics and log. A request that was not answered counts as 408. */
static void count(const exchange *x)
{
    http_app *app = x->loop->app;
    const http_response *a = &x->answer;
    double seconds = cli_run_clock() - x->start;
    int status = x->state == SENDING || x->state == DISCARDING ? a->status : 408;
    uint64_t sent = a->stream.read ? x->sent : a->fixed ? a->fixed_size : a->body.size;
    http_metrics_add(&app->metrics, x->route ? x->route->group : HTTP_GROUP_OTHER, status, seconds,
                     x->received, sent, (uint64_t)a->rows);
    if (!app->log) return;
    char client[INET6_ADDRSTRLEN];
    client_of(x, client);
    http_log_add(app->log, &(http_log_line){.client = client,
                                            .method = x->method,
                                            .path = x->shown,
                                            .status = status,
                                            .received = x->received,
                                            .sent = sent,
                                            .rows = (uint64_t)a->rows,
                                            .seconds = seconds});
}

void http_exchange_end(void *loop, struct MHD_Connection *connection, void **closure,
                       enum MHD_RequestTerminationCode how)
{
    exchange *x = *closure;
    (void)loop;
    (void)connection;
    (void)how;
    if (!x) return;
    http_app *app = x->loop->app;
    count(x);
    http_connection_phase(x->tracked, HTTP_PHASE_IDLE);
    http_app_release(app, x->held);
    http_bulk_free(x->bulk);
    http_response_free(&x->answer);
    http_request_free(&x->request);
    od_free(x->shown);
    od_free(x);
    atomic_fetch_sub(&app->active, 1);
    *closure = NULL;
}
