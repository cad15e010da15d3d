/* The registry of jobs, their queue, and the workers. */
#include "jobs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/platform.h"
#include "base/thread.h"
#include "common/mem.h"
#include "job_state.h"
#include "prep/table.h"

struct serve_jobs {
    serve_tables *tables;
    pthread_mutex_t lock;
    pthread_cond_t work; /* there is a job in the queue, or it is time to stop */
    bool stopping;
    serve_job *first; /* the newest */
    int count;
    serve_job *queue, **queue_end;
    serve_jobs_counts counts;
    pthread_t *workers;
    int worker_count;
};

/* ---- references ------------------------------------------------------------------------------------- */

serve_memory *serve_job_memory(serve_job *job)
{
    return serve_tables_count_memory(job->jobs->tables);
}

serve_tables *serve_job_tables(serve_job *job)
{
    return job->jobs->tables;
}

static void free_job(serve_job *job)
{
    if (job->of) serve_job_release(job->of);
    serve_result_free(job->result);
    serve_parsed_unref(job->parsed);
    serve_options_free(&job->options);
    od_strlist_free(&job->params);
    odim_params_free(job->fit);
    serve_memory_give(serve_job_memory(job), job->bytes_counted);
    free(job->bytes);
    od_free(job->known);
    od_free(job->checks);
    od_free(job->name);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->lock);
    od_free(job);
}

void serve_job_release(serve_job *job)
{
    serve_jobs *j = job->jobs;
    pthread_mutex_lock(&j->lock);
    bool last = --job->refs == 0;
    pthread_mutex_unlock(&j->lock);
    if (last) free_job(job);
}

/* The lock is held. */
static serve_job *find(serve_jobs *j, const char *id)
{
    serve_job *job = j->first;
    while (job && strcmp(job->id, id) != 0) job = job->next;
    return job;
}

serve_job *serve_job_take(serve_jobs *j, const char *id, serve_problem *why)
{
    pthread_mutex_lock(&j->lock);
    serve_job *job = find(j, id);
    if (job) job->refs++;
    pthread_mutex_unlock(&j->lock);
    if (!job) serve_fail(why, 404, "there is no such job; it may have been deleted to make room");
    return job;
}

int serve_job_place(serve_job *job)
{
    serve_jobs *j = job->jobs;
    int place = 1;
    pthread_mutex_lock(&j->lock);
    serve_job *at = j->queue;
    for (; at && at != job; at = at->wait) place++;
    pthread_mutex_unlock(&j->lock);
    return at ? place : 0;
}

serve_state serve_job_state(serve_job *job)
{
    pthread_mutex_lock(&job->lock);
    serve_state state = job->state;
    pthread_mutex_unlock(&job->lock);
    return state;
}

/* Takes a job out of the list; the lock is held, and the reference of the list goes to the caller. */
static void detach(serve_jobs *j, serve_job *job)
{
    serve_job **at = &j->first;
    while (*at != job) at = &(*at)->next;
    *at = job->next;
    j->count--;
}

/* The end of its watches, and of the list's reference. */
static void forget(serve_job *job)
{
    pthread_mutex_lock(&job->lock);
    job->forgotten = true;
    serve_job_publish(job);
    pthread_mutex_unlock(&job->lock);
    serve_job_release(job);
}

/* Forgets the oldest job that has ended and that nobody uses. */
static bool evict_job(void *ctx)
{
    serve_jobs *j = ctx;
    serve_job *oldest = NULL;
    pthread_mutex_lock(&j->lock);
    for (serve_job *job = j->first; job; job = job->next)
        if (job->refs == 1 && serve_state_is_end(serve_job_state(job))) oldest = job;
    if (oldest) detach(j, oldest);
    pthread_mutex_unlock(&j->lock);
    if (oldest) forget(oldest);
    return oldest != NULL;
}

/* ---- workers ---------------------------------------------------------------------------------------- */

/* The lock is held. */
static void dequeue(serve_jobs *j, serve_job *job)
{
    serve_job **at = &j->queue;
    while (*at && *at != job) at = &(*at)->wait;
    if (!*at) return;
    *at = job->wait;
    if (!*at) j->queue_end = at;
    j->counts.queued--;
}

static void count_end(serve_jobs *j, serve_job *job)
{
    pthread_mutex_lock(&j->lock);
    pthread_mutex_lock(&job->lock);
    j->counts.running--;
    j->counts.done += job->state == SERVE_DONE;
    j->counts.failed += job->state == SERVE_FAILED;
    j->counts.cancelled += job->state == SERVE_CANCELLED;
    if (job->state == SERVE_DONE) {
        j->counts.rows += job->rows;
        j->counts.seconds += job->ended - job->started;
    }
    pthread_mutex_unlock(&job->lock);
    pthread_mutex_unlock(&j->lock);
}

static void *work(void *arg)
{
    serve_jobs *j = arg;
    for (;;) {
        pthread_mutex_lock(&j->lock);
        while (!j->queue && !j->stopping) pthread_cond_wait(&j->work, &j->lock);
        serve_job *job = j->queue;
        if (job) {
            dequeue(j, job);
            job->refs++;
            j->counts.running++;
        }
        pthread_mutex_unlock(&j->lock);
        if (!job) return NULL;
        serve_job_run(job);
        count_end(j, job);
        serve_job_release(job);
    }
}

odim_status serve_jobs_new(serve_jobs **out, serve_tables *tables, serve_problem *why)
{
    const serve_limits *limits = serve_tables_limits(tables);
    serve_jobs *j = *out = od_calloc(1, sizeof *j);
    if (!j) return serve_fail_nomem(why);
    j->tables = tables;
    j->queue_end = &j->queue;
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->work, NULL);
    serve_tables_set_evict(tables, evict_job, j);
    j->workers = od_calloc((size_t)limits->workers, sizeof *j->workers);
    odim_status status = j->workers ? ODIM_OK : serve_fail_nomem(why);
    while (!status && j->worker_count < limits->workers) {
        int error = od_thread_start(&j->workers[j->worker_count], work, j);
        if (error)
            status = serve_fail(why, 500, "a thread cannot be started: %s", strerror(error));
        else
            j->worker_count++;
    }
    if (!status) return ODIM_OK;
    serve_jobs_free(j);
    *out = NULL;
    return status;
}

/* The lock is held. The file that it was to read goes at once. */
static void cancel_queued(serve_jobs *j, serve_job *job)
{
    dequeue(j, job);
    j->counts.cancelled++;
    pthread_mutex_lock(&job->lock);
    free(job->bytes);
    job->bytes = NULL;
    serve_memory_give(serve_job_memory(job), job->bytes_counted);
    job->bytes_counted = 0;
    serve_job_set_state(job, SERVE_CANCELLED);
    pthread_mutex_unlock(&job->lock);
}

void serve_jobs_stop(serve_jobs *j)
{
    pthread_mutex_lock(&j->lock);
    j->stopping = true;
    while (j->queue) {
        atomic_store(&j->queue->cancel, true);
        cancel_queued(j, j->queue);
    }
    for (serve_job *job = j->first; job; job = job->next) atomic_store(&job->cancel, true);
    pthread_cond_broadcast(&j->work);
    pthread_mutex_unlock(&j->lock);
}

void serve_jobs_free(serve_jobs *j)
{
    if (!j) return;
    serve_jobs_stop(j);
    for (int i = 0; i < j->worker_count; i++) pthread_join(j->workers[i], NULL);
    serve_tables_set_evict(j->tables, NULL, NULL);
    while (j->first) {
        serve_job *job = j->first;
        detach(j, job);
        forget(job);
    }
    pthread_cond_destroy(&j->work);
    pthread_mutex_destroy(&j->lock);
    od_free(j->workers);
    od_free(j);
}

void serve_jobs_count(serve_jobs *j, serve_jobs_counts *out)
{
    pthread_mutex_lock(&j->lock);
    *out = j->counts;
    pthread_mutex_unlock(&j->lock);
}

/* ---- new jobs --------------------------------------------------------------------------------------- */

odim_status serve_job_new(serve_job **out, serve_jobs *j, serve_problem *why)
{
    serve_job *job = *out = od_calloc(1, sizeof *job);
    if (!job) return serve_fail_nomem(why);
    job->jobs = j;
    job->refs = 1;
    job->created = serve_time();
    atomic_init(&job->cancel, false);
    pthread_mutex_init(&job->lock, NULL);
    od_platform_cond_init(&job->changed);
    return serve_new_id(job->id, why);
}

odim_status serve_job_enqueue(serve_jobs *j, serve_job *job, serve_problem *why)
{
    const serve_limits *limits = serve_tables_limits(j->tables);
    for (;;) {
        pthread_mutex_lock(&j->lock);
        bool many = j->count >= limits->jobs;
        /* A job that a free worker takes at once does not wait. */
        int64_t room = limits->queue + limits->workers - j->counts.running;
        bool full = j->counts.queued >= room;
        if (!j->stopping && !full && !many) {
            job->refs++;
            job->next = j->first;
            j->first = job;
            j->count++;
            job->wait = NULL;
            *j->queue_end = job;
            j->queue_end = &job->wait;
            j->counts.queued++;
            pthread_cond_signal(&j->work);
            pthread_mutex_unlock(&j->lock);
            return ODIM_OK;
        }
        bool stopping = j->stopping;
        j->counts.refused += full;
        pthread_mutex_unlock(&j->lock);
        if (stopping) return serve_fail(why, 503, "the server is stopping");
        if (full) return serve_fail(why, 429, "%d jobs are waiting already; try again later", limits->queue);
        if (!evict_job(j)) return serve_fail(why, 429, "there are %d jobs in use", limits->jobs);
    }
}

/* ---- looking and deleting --------------------------------------------------------------------------- */

odim_status serve_jobs_status(serve_jobs *j, const char *id, serve_text *out, serve_problem *why)
{
    serve_text_out to;
    *out = (serve_text){0};
    serve_job *job = serve_job_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    odim_status status = serve_text_begin(&to, why);
    if (!status) {
        cli_json json = {.out = &to.out, .line = true};
        serve_job_json(job, NULL, &json);
        status = serve_text_end(&to, out, why);
    }
    serve_job_release(job);
    return status;
}

odim_status serve_jobs_list(serve_jobs *j, serve_text *out, serve_problem *why)
{
    serve_text_out to;
    int count = 0;
    *out = (serve_text){0};
    odim_status status = serve_text_begin(&to, why);
    if (status) return status;
    pthread_mutex_lock(&j->lock);
    serve_job **all = od_alloc((size_t)j->count + 1, sizeof(serve_job *));
    for (serve_job *job = j->first; all && job; job = job->next) {
        job->refs++;
        all[count++] = job;
    }
    pthread_mutex_unlock(&j->lock);
    if (!all) {
        serve_text_discard(&to);
        return serve_fail_nomem(why);
    }
    cli_json json = {.out = &to.out, .line = true};
    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "jobs", '[');
    for (int i = 0; i < count; i++) {
        serve_job_json(all[i], NULL, &json);
        serve_job_release(all[i]);
    }
    cli_json_end(&json);
    cli_json_end(&json);
    od_free(all);
    return serve_text_end(&to, out, why);
}

odim_status serve_jobs_delete(serve_jobs *j, const char *id, bool *cancelled, serve_problem *why)
{
    pthread_mutex_lock(&j->lock);
    serve_job *job = find(j, id), *ended = NULL;
    if (job) {
        serve_state state = serve_job_state(job);
        *cancelled = !serve_state_is_end(state);
        if (*cancelled) {
            atomic_store(&job->cancel, true);
            if (state == SERVE_QUEUED) {
                serve_job *at = j->queue;
                while (at && at != job) at = at->wait;
                if (at) cancel_queued(j, job);
            }
        } else {
            detach(j, job);
            ended = job;
        }
    }
    pthread_mutex_unlock(&j->lock);
    if (ended) forget(ended);
    return job ? ODIM_OK : serve_fail(why, 404, "there is no such job");
}
