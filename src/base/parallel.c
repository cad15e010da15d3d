/* Runs jobs on a pool of threads. */
#include "base/parallel.h"

#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#include "common/platform.h"
#include "common/mem.h"
#include "base/cores.h"
#include "base/poll.h"
#include "base/thread.h"

/* A thread starts in about 50 us, and a cell takes about 10 ns. */
#define LEAST_CELLS 1e5

struct od_parallel {
    od_parallel_job job;
    void *ctx;
    int64_t count;
    _Atomic int64_t next;
    atomic_bool stop;
    int (*tick)(void *ctx); /* or NULL */
    bool alone;             /* no thread was started: the caller works, and ticks when it is `due` */
    int64_t due;
    pthread_mutex_t lock;
    pthread_cond_t done;
    int running;        /* workers alive, under lock */
    odim_status status; /* the failure of the first job that failed, under lock */
    int64_t failed;     /* the number of that job */
    odim_error err;
};

typedef struct worker {
    od_parallel *par;
    int index;
    pthread_t thread;
} worker;

static void call_tick(od_parallel *par)
{
    if (!par->tick || !par->tick(par->ctx)) return;
    pthread_mutex_lock(&par->lock);
    if (!atomic_exchange(&par->stop, true) && !par->status)
        par->status = od_fail(&par->err, ODIM_ERR_CANCELLED, "cancelled");
    pthread_mutex_unlock(&par->lock);
}

bool od_parallel_stopped(od_parallel *par)
{
    if (par->alone && od_poll_clock() >= par->due) {
        call_tick(par);
        par->due = od_poll_clock() + od_poll_interval();
    }
    return atomic_load_explicit(&par->stop, memory_order_relaxed);
}

int64_t od_run_threads(const od_run *run)
{
    return run->threads ? run->threads : od_cores();
}

int od_parallel_worth(int64_t threads, double cells)
{
    return threads > 1 && cells >= LEAST_CELLS ? (int)threads : 0;
}

void od_run_note(const od_run *run, const char *text)
{
    if (run->hooks && run->hooks->note) run->hooks->note(text, run->hooks->user);
}

static void *work(void *arg)
{
    worker *w = arg;
    od_parallel *par = w->par;
    while (!od_parallel_stopped(par)) {
        int64_t job = atomic_fetch_add(&par->next, 1);
        if (job >= par->count) break;
        odim_error err = {0};
        odim_status status = par->job(par->ctx, par, w->index, job, &err);
        if (status) {
            pthread_mutex_lock(&par->lock);
            /* Jobs that end because another failed must not hide the reason. */
            bool is_reason = status != ODIM_ERR_CANCELLED && job < par->failed;
            if (!par->status || par->status == ODIM_ERR_CANCELLED || is_reason) {
                par->status = status;
                par->failed = job;
                par->err = err;
            }
            pthread_mutex_unlock(&par->lock);
            atomic_store(&par->stop, true);
        }
    }
    pthread_mutex_lock(&par->lock);
    par->running--;
    pthread_cond_signal(&par->done);
    pthread_mutex_unlock(&par->lock);
    return NULL;
}

static void watch(od_parallel *par)
{
    pthread_mutex_lock(&par->lock);
    while (par->running > 0) {
        struct timespec until;
        od_platform_deadline(&until, 1e-9 * (double)od_poll_interval());
        if (pthread_cond_timedwait(&par->done, &par->lock, &until) != ETIMEDOUT) continue;
        pthread_mutex_unlock(&par->lock);
        call_tick(par);
        pthread_mutex_lock(&par->lock);
    }
    pthread_mutex_unlock(&par->lock);
}

/* Returns how many of the workers have a thread. */
static int start(od_parallel *par, worker *workers, int threads)
{
    for (int i = 0; i < threads; i++) {
        workers[i] = (worker){par, i, 0};
        pthread_mutex_lock(&par->lock);
        par->running++;
        pthread_mutex_unlock(&par->lock);
        if (od_thread_start(&workers[i].thread, work, &workers[i]) == 0) continue;
        pthread_mutex_lock(&par->lock);
        par->running--;
        pthread_mutex_unlock(&par->lock);
        return i;
    }
    return threads;
}

odim_status od_parallel_run(int threads, int64_t count, od_parallel_job job, int (*tick)(void *ctx),
                            void *ctx, odim_error *err)
{
    if (threads > count) threads = count > 0 ? (int)count : 1;
    worker *workers = od_calloc(threads > 0 ? (size_t)threads : 1, sizeof *workers);
    od_parallel *par = od_calloc(1, sizeof *par);
    odim_status status = ODIM_OK;
    if (!workers || !par) {
        status = od_fail_nomem(err);
        goto out;
    }
    par->job = job;
    par->ctx = ctx;
    par->count = count;
    par->tick = tick;
    pthread_mutex_init(&par->lock, NULL);
    od_platform_cond_init(&par->done);

    /* Fewer threads than asked for, or none besides the caller's, is slower, not wrong. */
    int started = start(par, workers, threads);
    if (started > 0) {
        watch(par);
    } else {
        workers[0] = (worker){.par = par};
        par->alone = true;
        par->due = od_poll_clock() + od_poll_interval();
        par->running = 1;
        work(&workers[0]);
    }
    for (int i = 0; i < started; i++) pthread_join(workers[i].thread, NULL);
    status = par->status;
    if (status && err) *err = par->err;
    pthread_cond_destroy(&par->done);
    pthread_mutex_destroy(&par->lock);
out:
    od_free(par);
    od_free(workers);
    return status;
}

typedef struct ranges {
    od_parallel_range range;
    void *ctx;
    int64_t n, size;
} ranges;

static odim_status run_range(void *ctx, od_parallel *par, int number, int64_t job, odim_error *err)
{
    (void)par, (void)err;
    const ranges *r = ctx;
    int64_t first = job * r->size, left = r->n - first;
    r->range(r->ctx, number, first, first + (left < r->size ? left : r->size));
    return ODIM_OK;
}

odim_status od_parallel_ranges(int64_t threads, int64_t n, int64_t size, od_parallel_range range, void *ctx,
                               odim_error *err)
{
    ranges r = {range, ctx, n, size};
    int64_t jobs = (n + size - 1) / size;
    return od_parallel_run(threads > 1 && jobs > 1 ? (int)threads : 0, jobs, run_range, od_poll_tick, &r,
                           err);
}
