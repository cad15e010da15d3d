/* A long body, scored while it arrives. */
#include "score_bulk.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/platform.h"
#include "common/mem.h"
#include "run.h"
#include "score_rows.h"

enum { QUEUE = 1 << 20, PIPE = 1 << 20, BLOCK_ROWS = 16384 };

struct http_bulk {
    http_app *app;
    http_model *model;
    http_score score;
    char *id; /* memory of score.reading.id */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int uses; /* by the request and the threads */
    /* Input. */
    char *queue; /* (QUEUE) a ring */
    size_t first, count;
    int ends[2]; /* of the pipe */
    bool started, ended, broken;
    atomic_bool stop; /* nobody waits for the result */
    /* Output. */
    http_text out;
    size_t held; /* bytes of it that are counted */
    int64_t rows;
    odim_error err;
    bool done;
    void (*wake)(void *ctx);
    void *ctx;
    bool waiting;
};

/* ---- life --------------------------------------------------------------------------------------------- */

static void leave(http_bulk *b)
{
    http_app *app = b->app;
    pthread_mutex_lock(&b->lock);
    int left = --b->uses;
    pthread_mutex_unlock(&b->lock);
    if (left > 0) return;
    http_app_release(app, b->held);
    http_models_release(app->models, b->model);
    http_text_free(&b->out);
    od_free(b->id);
    od_free(b->queue);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    od_free(b);
    atomic_fetch_sub(&app->bulks, 1); /* the last step: at 0 the app may go */
}

http_bulk *http_bulk_new(http_app *app, const http_request *r, void (*wake)(void *ctx), void *ctx,
                         http_response *a)
{
    serve_problem why;
    http_model *model = http_models_get(app->models, r->parts[0], &why);
    if (!model) {
        http_problem_of(a, &why);
        return NULL;
    }
    http_bulk *b = od_calloc(1, sizeof *b);
    char *queue = od_alloc(QUEUE, 1);
    if (!b || !queue) {
        od_free(b);
        od_free(queue);
        http_models_release(app->models, model);
        http_problem(a, 503, "out of memory");
        return NULL;
    }
    int running = atomic_fetch_add(&app->bulks, 1);
    *b = (http_bulk){.app = app, .model = model, .queue = queue, .uses = 1, .wake = wake, .ctx = ctx};
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    b->score = (http_score){.model = model,
                            .deadline = cli_run_clock() + app->set.request_seconds,
                            .cut = &app->cut,
                            .stop = &b->stop};
    bool fine = running < app->set.threads + 2;
    if (!fine) http_problem(a, 429, "%d long bodies are being scored already", running);
    if (fine) fine = http_score_options(&b->score, r, a);
    if (fine && b->score.reading.id) {
        b->id = od_strndup(b->score.reading.id, strlen(b->score.reading.id));
        b->score.reading.id = b->id;
        fine = b->id;
        if (!fine) http_problem(a, 503, "out of memory");
    }
    if (fine) return b;
    leave(b);
    return NULL;
}

void http_bulk_free(http_bulk *b)
{
    if (!b) return;
    pthread_mutex_lock(&b->lock);
    atomic_store(&b->stop, true);
    b->ended = true;
    b->waiting = false;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    leave(b);
}

/* The lock is held. */
static void wake_up(http_bulk *b)
{
    if (!b->waiting) return;
    b->waiting = false;
    b->wake(b->ctx);
}

/* ---- input -------------------------------------------------------------------------------------------- */

/* From the queue to the pipe. */
static void *feed_pipe(void *arg)
{
    http_bulk *b = arg;
    pthread_mutex_lock(&b->lock);
    for (;;) {
        while (b->count == 0 && !b->ended) pthread_cond_wait(&b->changed, &b->lock);
        if (b->count == 0 || atomic_load(&b->stop)) break;
        size_t size = b->count < QUEUE - b->first ? b->count : QUEUE - b->first;
        const char *from = b->queue + b->first;
        pthread_mutex_unlock(&b->lock);
        ssize_t wrote = write(b->ends[1], from, size);
        if (wrote < 0 && errno == EINTR) wrote = 0;
        pthread_mutex_lock(&b->lock);
        if (wrote < 0) break; /* the reader has seen enough */
        b->first = (b->first + (size_t)wrote) % QUEUE;
        b->count -= (size_t)wrote;
        if (b->count <= QUEUE / 2 && !b->ended) wake_up(b);
    }
    b->broken = true;
    b->count = 0;
    if (!b->ended) wake_up(b);
    pthread_mutex_unlock(&b->lock);
    close(b->ends[1]);
    leave(b);
    return NULL;
}

/* ---- output ------------------------------------------------------------------------------------------- */

static odim_status fail(http_bulk *b, odim_status status, const char *text)
{
    b->err = (odim_error){.status = status, .row = -1, .col = -1};
    snprintf(b->err.msg, sizeof b->err.msg, "%s", text);
    return status;
}

/* What has been written about a block joins the response. */
static odim_status take_lines(http_bulk *b, FILE *file, char *const *lines, const size_t *size)
{
    if (fflush(file) != 0) return fail(b, ODIM_ERR_NOMEM, "out of memory");
    size_t before = b->out.size;
    if (b->score.format == HTTP_JSON && *size) {
        b->out.size -= before ? 2 : 0; /* the end of the array so far */
        http_score_array(*lines, *size, before ? ",\n" : "[", &b->out);
    } else {
        http_text_add(&b->out, *lines, *size);
    }
    rewind(file);
    if (b->out.failed) return fail(b, ODIM_ERR_NOMEM, "out of memory");
    size_t more = b->out.size > b->held ? b->out.size - b->held : 0;
    if (!http_app_hold(b->app, more))
        return fail(b, ODIM_ERR_NOMEM, "the scores need too much memory; send the rows in several requests");
    b->held += more;
    return ODIM_OK;
}

static odim_status score_blocks(http_bulk *b, odim_reader *reader, http_score_run *run, char *const *lines,
                                const size_t *size)
{
    for (;;) {
        const odim_table *block;
        odim_status status = odim_reader_next(reader, BLOCK_ROWS, &block, &b->err);
        if (status || odim_table_rows(block) == 0) return status;
        status = http_score_block(run, block, &b->err);
        if (!status) status = take_lines(b, run->out->file, lines, size);
        if (!status && cli_run_clock() > b->score.deadline) status = ODIM_ERR_CANCELLED;
        if (status == ODIM_ERR_CANCELLED)
            return fail(b, status, "scoring takes longer than the server allows");
        if (status) return status;
        b->rows += odim_table_rows(block);
    }
}

static odim_status score_pipe(http_bulk *b, const char *path)
{
    odim_reader *reader;
    char *lines = NULL;
    size_t size = 0;
    odim_status status = odim_reader_open(&reader, path, &b->score.reading, &b->err);
    close(b->ends[0]); /* the reader has its own */
    if (status) return status;
    cli_out out = {.name = "memory", .file = open_memstream(&lines, &size)};
    if (out.file) {
        http_score_run run = {.score = &b->score, .out = &out};
        status = score_blocks(b, reader, &run, &lines, &size);
        http_score_run_free(&run);
        fclose(out.file);
    } else {
        status = fail(b, ODIM_ERR_NOMEM, "out of memory");
    }
    free(lines);
    odim_reader_free(reader);
    return status;
}

static void *score_all(void *arg)
{
    http_bulk *b = arg;
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", b->ends[0]);
    odim_status status = score_pipe(b, path);
    if (status) {
        http_score_trim(&b->err, path);
        b->err.status = status;
    }
    pthread_mutex_lock(&b->lock);
    if (!status) b->err.status = ODIM_OK;
    b->done = true;
    if (b->ended) wake_up(b);
    pthread_mutex_unlock(&b->lock);
    leave(b);
    return NULL;
}

/* ---- for the connection -------------------------------------------------------------------------------- */

/* Starts the threads when the first bytes have shown what the body is. */
static void start(http_bulk *b, const char *bytes, size_t size)
{
    pthread_t thread;
    pthread_attr_t detached;
    b->started = true;
    http_score_see(&b->score, bytes, size);
    bool fine = od_platform_pipe(b->ends, PIPE);
    if (!fine) b->ends[0] = b->ends[1] = -1;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    b->uses += 2;
    bool feeds = fine && pthread_create(&thread, &detached, feed_pipe, b) == 0;
    bool scores = feeds && pthread_create(&thread, &detached, score_all, b) == 0;
    pthread_attr_destroy(&detached);
    if (scores) return;
    pthread_mutex_lock(&b->lock);
    fail(b, ODIM_ERR_SYSTEM, "no thread or pipe for a long body");
    atomic_store(&b->stop, true);
    b->done = b->broken = true;
    b->uses -= feeds ? 1 : 2;
    pthread_mutex_unlock(&b->lock);
    if (fine) close(b->ends[0]);
    if (fine && !feeds) close(b->ends[1]);
}

size_t http_bulk_feed(http_bulk *b, const char *bytes, size_t size)
{
    if (!b->started) start(b, bytes, size);
    pthread_mutex_lock(&b->lock);
    size_t taken = b->broken ? size : size < QUEUE - b->count ? size : QUEUE - b->count;
    for (size_t left = b->broken ? 0 : taken, at = (b->first + b->count) % QUEUE; left > 0;) {
        size_t part = left < QUEUE - at ? left : QUEUE - at;
        memcpy(b->queue + at, bytes, part);
        bytes += part;
        left -= part;
        at = (at + part) % QUEUE;
    }
    if (!b->broken) b->count += taken;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    return taken;
}

void http_bulk_end(http_bulk *b)
{
    if (!b->started) start(b, "", 0);
    pthread_mutex_lock(&b->lock);
    b->ended = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

void http_bulk_wait(http_bulk *b)
{
    pthread_mutex_lock(&b->lock);
    b->waiting = true;
    if (b->ended ? b->done : b->broken || b->count <= QUEUE / 2) wake_up(b);
    pthread_mutex_unlock(&b->lock);
}

bool http_bulk_is_done(http_bulk *b)
{
    pthread_mutex_lock(&b->lock);
    bool done = b->done;
    pthread_mutex_unlock(&b->lock);
    return done;
}

void http_bulk_answer(http_bulk *b, http_response *a)
{
    if (b->err.status) {
        bool memory = b->err.status == ODIM_ERR_NOMEM && strstr(b->err.msg, "several requests");
        if (memory)
            http_problem(a, 413, "%s", b->err.msg);
        else
            http_problem_error(a, &b->err);
        return;
    }
    http_begin(a, 200, http_score_type(&b->score));
    a->body = b->out;
    b->out = (http_text){0};
    if (b->score.format == HTTP_JSON && a->body.size == 0) http_text_puts(&a->body, "[]\n");
    a->rows = b->rows;
}
