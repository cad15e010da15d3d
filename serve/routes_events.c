/* The route of a job's events: a stream of server-sent events. */
#include <string.h>

#include "common/mem.h"
#include "routes_jobs.h"
#include "run.h"

/* Streams at a time, seconds between signs of life, bytes that are taken at a time. */
enum { WATCHES_MOST = 256, QUIET_MOST = 15, TAKE = 1 << 18 };

typedef struct events {
    http_app *app;
    serve_watch *watch;
    http_text pending;
    size_t at; /* bytes of it that are sent */
    double last;
    bool ended;
} events;

static bool add_event(const char *name, const char *data, void *ctx)
{
    events *e = ctx;
    http_text_printf(&e->pending, "event: %s\ndata: %s\n\n", name, data);
    return e->pending.size < TAKE;
}

static ssize_t read_events(void *state, char *buf, size_t most)
{
    events *e = state;
    double now = cli_run_clock();
    if (e->at == e->pending.size) {
        e->at = e->pending.size = 0;
        if (!e->ended) e->ended = !serve_watch_take(e->watch, add_event, e);
        if (e->pending.size == 0 && now - e->last > QUIET_MOST) http_text_puts(&e->pending, ":\n\n");
    }
    if (e->pending.failed) return -2;
    size_t size = e->pending.size - e->at;
    if (size == 0) return e->ended || atomic_load(&e->app->stopping) ? -1 : 0;
    if (size > most) size = most;
    memcpy(buf, e->pending.bytes + e->at, size);
    e->at += size;
    e->last = now;
    return (ssize_t)size;
}

static void close_events(void *state)
{
    events *e = state;
    serve_watch_close(e->watch);
    atomic_fetch_sub(&e->app->watches, 1);
    http_text_free(&e->pending);
    od_free(e);
}

/* The server asks ten times per second, which is often enough. */
static void ignore(void *ctx)
{
    (void)ctx;
}

void http_jobs_events(http_app *app, http_request *r, http_response *a)
{
    serve_problem why;
    events *e = od_calloc(1, sizeof *e);
    if (!e) {
        http_problem(a, 503, "out of memory");
        return;
    }
    e->app = app;
    e->last = cli_run_clock();
    if (atomic_fetch_add(&app->watches, 1) >= WATCHES_MOST) {
        http_problem(a, 429, "too many clients watch jobs");
    } else if (serve_watch_open(&e->watch, app->jobs, r->parts[0], ignore, NULL, &why)) {
        http_problem_of(a, &why);
    } else {
        http_begin(a, 200, "text/event-stream");
        a->stream = (http_stream){read_events, close_events, e};
        return;
    }
    atomic_fetch_sub(&app->watches, 1);
    od_free(e);
}
