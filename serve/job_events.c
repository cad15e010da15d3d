/* What listeners of a job see: its status, the losses and distances of its fit, and its end. */
#include <math.h>
#include <string.h>

#include "common/platform.h"
#include "common/mem.h"
#include "job_state.h"

/* ---- the status ------------------------------------------------------------------------------------- */

const char *serve_state_text(serve_state state)
{
    static const char *const names[] = {"queued",     "reading", "fitting", "scoring",
                                        "explaining", "done",    "failed",  "cancelled"};
    return names[state];
}

static void put_text(cli_json *j, const char *key, const char *text)
{
    if (*text)
        cli_json_string(j, key, text);
    else
        cli_json_raw(j, key, "null");
}

/* An early estimate would jump about. */
static double seconds_left(const serve_job *job)
{
    double spent = serve_clock() - job->stage_started, fraction = job->progress.fraction;
    if (serve_state_is_end(job->state) || !(spent > 0.5 && fraction > 0.01)) return NAN;
    return spent * (1 - fraction) / fraction;
}

static void put_progress(const serve_job *job, cli_json *j)
{
    const odim_progress *p = &job->progress;
    cli_json_begin(j, "progress", '{');
    cli_json_number(j, "fraction", job->state == SERVE_DONE ? 1 : p->fraction);
    cli_json_int(j, "members", p->members);
    /* The last call of a fit may come before its last member is done. */
    cli_json_int(j, "members_done", job->state == SERVE_DONE ? p->members : p->members_done);
    cli_json_int(j, "updates", p->updates);
    cli_json_number(j, "distance", p->distance);
    cli_json_int(j, "rows", p->rows);
    cli_json_int(j, "rows_done", p->rows_done);
    cli_json_number(j, "seconds_left", seconds_left(job));
    cli_json_end(j);
}

void serve_job_json(serve_job *job, const char *key, cli_json *j)
{
    char created[40];
    int place = serve_job_place(job); /* before the lock, because of its own */
    pthread_mutex_lock(&job->lock);
    double until = job->ended > 0 ? job->ended : serve_clock();
    cli_json_begin(j, key, '{');
    cli_json_string(j, "job", job->id);
    cli_json_string(j, "name", job->name);
    put_text(j, "table", job->table);
    put_text(j, "parent", job->parent);
    cli_json_string(j, "state", serve_state_text(job->state));
    snprintf(created, sizeof created, "%.3f", job->created);
    cli_json_raw(j, "created", created); /* nine digits are not enough */
    cli_json_number(j, "seconds", job->started > 0 ? floor(1000 * (until - job->started)) / 1000 : 0);
    put_progress(job, j);
    if (place && job->state == SERVE_QUEUED)
        cli_json_int(j, "queue", place);
    else
        cli_json_raw(j, "queue", "null");
    if (job->error.status)
        serve_problem_json(&job->error, "error", j);
    else
        cli_json_raw(j, "error", "null");
    cli_json_int(j, "rows", job->rows);
    cli_json_int(j, "columns", job->columns);
    cli_json_int(j, "bytes", job->bytes_counted);
    if (job->state == SERVE_DONE)
        cli_json_int(j, "outliers", job->outliers);
    else
        cli_json_raw(j, "outliers", "null");
    cli_json_begin(j, "marks", '{');
    cli_json_int(j, "outliers", job->marks[1]);
    cli_json_int(j, "inliers", job->marks[0]);
    cli_json_end(j);
    cli_json_end(j);
    pthread_mutex_unlock(&job->lock);
}

/* ---- watches ---------------------------------------------------------------------------------------- */

struct serve_watch {
    serve_job *job; /* a reference */
    void (*wake)(void *ctx);
    void *ctx;
    /* Under the lock of the job: */
    bool armed;
    uint64_t status_seen, losses_seen;
    size_t checks_seen;
    bool ended;
    serve_watch *next;
};

/* These are called with the lock held. */
static bool is_over(const serve_job *job)
{
    return serve_state_is_end(job->state) || job->forgotten;
}

static bool has_events(const serve_watch *w)
{
    const serve_job *job = w->job;
    if (w->ended) return false;
    return w->checks_seen < job->check_count || w->losses_seen < job->losses_count ||
           w->status_seen < job->status_count || is_over(job);
}

static void wake_if_due(serve_watch *w)
{
    if (!w->armed || !has_events(w)) return;
    w->armed = false;
    if (w->wake) w->wake(w->ctx);
}

void serve_job_publish(serve_job *job)
{
    job->status_count++;
    for (serve_watch *w = job->watches; w; w = w->next) wake_if_due(w);
    pthread_cond_broadcast(&job->changed);
}

void serve_job_set_state(serve_job *job, serve_state state)
{
    job->state = state;
    job->stage_started = serve_clock();
    if (!job->started && state != SERVE_QUEUED) job->started = job->stage_started;
    if (serve_state_is_end(state)) job->ended = job->stage_started;
    job->progress.fraction = 0;
    serve_job_publish(job);
}

odim_status serve_watch_open(serve_watch **out, serve_jobs *j, const char *id, void (*wake)(void *ctx),
                             void *ctx, serve_problem *why)
{
    *out = NULL;
    serve_job *job = serve_job_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    serve_watch *w = od_calloc(1, sizeof *w);
    if (!w) {
        serve_job_release(job);
        return serve_fail_nomem(why);
    }
    w->job = job;
    w->wake = wake;
    w->ctx = ctx;
    pthread_mutex_lock(&job->lock);
    /* There is a first status, also of a job that waits. */
    if (!job->status_count) job->status_count = 1;
    w->next = job->watches;
    job->watches = w;
    pthread_mutex_unlock(&job->lock);
    *out = w;
    return ODIM_OK;
}

void serve_watch_close(serve_watch *w)
{
    if (!w) return;
    serve_job *job = w->job;
    pthread_mutex_lock(&job->lock);
    serve_watch **at = &job->watches;
    while (*at != w) at = &(*at)->next;
    *at = w->next;
    pthread_mutex_unlock(&job->lock);
    serve_job_release(job);
    od_free(w);
}

void serve_watch_arm(serve_watch *w)
{
    pthread_mutex_lock(&w->job->lock);
    w->armed = true;
    wake_if_due(w);
    pthread_mutex_unlock(&w->job->lock);
}

bool serve_watch_wait(serve_watch *w, double seconds)
{
    struct timespec until;
    serve_job *job = w->job;
    od_platform_deadline(&until, seconds);
    pthread_mutex_lock(&job->lock);
    while (!has_events(w) && !w->ended && pthread_cond_timedwait(&job->changed, &job->lock, &until) == 0)
        continue;
    bool any = has_events(w);
    pthread_mutex_unlock(&job->lock);
    return any;
}

/* ---- taking ----------------------------------------------------------------------------------------- */

typedef enum event_kind { NOTHING, DISTANCE, LOSSES, STATUS, END } event_kind;

typedef struct event {
    event_kind kind;
    serve_check check;
    serve_losses losses;
    serve_state state;
} event;

/* The next event, which counts as taken. Distances come first, and the end last. */
static event take_next(serve_watch *w)
{
    event e = {.kind = NOTHING};
    serve_job *job = w->job;
    pthread_mutex_lock(&job->lock);
    e.state = job->state;
    if (w->ended) {
        e.kind = NOTHING;
    } else if (w->checks_seen < job->check_count) {
        e.kind = DISTANCE;
        e.check = job->checks[w->checks_seen++];
    } else if (w->losses_seen < job->losses_count) {
        e.kind = LOSSES;
        e.losses = job->losses;
        w->losses_seen = job->losses_count;
    } else if (w->status_seen < job->status_count) {
        e.kind = STATUS;
        w->status_seen = job->status_count;
    } else if (is_over(job)) {
        e.kind = END;
        w->ended = true;
    }
    pthread_mutex_unlock(&job->lock);
    return e;
}

static void put_losses(const serve_losses *l, cli_json *j)
{
    cli_json_int(j, "member", l->member);
    cli_json_int(j, "update", l->update);
    cli_json_number(j, "low", l->low);
    cli_json_number(j, "high", l->high);
    cli_json_begin(j, "counts", '[');
    for (int i = 0; i < SERVE_BINS; i++) cli_json_int(j, NULL, (int64_t)l->count[i]);
    cli_json_end(j);
}

/* On one line, without its end. */
static odim_status write_event(const event *e, serve_job *job, serve_text *out)
{
    serve_text_out to;
    odim_status status = serve_text_begin(&to, NULL);
    if (status) return status;
    cli_json j = {.out = &to.out, .line = true};
    if (e->kind == STATUS) {
        serve_job_json(job, NULL, &j);
    } else {
        cli_json_begin(&j, NULL, '{');
        if (e->kind == LOSSES) put_losses(&e->losses, &j);
        if (e->kind == DISTANCE) {
            cli_json_int(&j, "member", e->check.member);
            cli_json_int(&j, "update", e->check.update);
            cli_json_number(&j, "distance", e->check.distance);
        }
        if (e->kind == END) cli_json_string(&j, "state", serve_state_text(e->state));
        cli_json_end(&j);
    }
    status = serve_text_end(&to, out, NULL);
    if (!status && out->size && out->bytes[out->size - 1] == '\n') out->bytes[--out->size] = '\0';
    return status;
}

bool serve_watch_take(serve_watch *w, bool (*take)(const char *name, const char *data, void *ctx), void *ctx)
{
    static const char *const names[] = {"", "distance", "losses", "status", "end"};
    for (bool more = true; more;) {
        serve_text text = {0};
        event e = take_next(w);
        if (e.kind == NOTHING) break;
        /* An event that there is no memory for is lost, as a slow listener loses some. */
        if (!write_event(&e, w->job, &text)) more = take(names[e.kind], text.bytes, ctx);
        serve_text_free(&text);
    }
    pthread_mutex_lock(&w->job->lock);
    bool ended = w->ended;
    pthread_mutex_unlock(&w->job->lock);
    return !ended;
}
