#define _GNU_SOURCE /* sched_getaffinity */
#include "base/par.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

#define TICK_NS 100000000L

struct od_par {
    od_par_job job;
    void *ctx;
    int64_t count;
    _Atomic int64_t next;
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t done;
    int running;        /* workers alive, under lock */
    odim_status status; /* the first failure, under lock */
    odim_error err;
};

typedef struct worker {
    od_par *par;
    int index;
    pthread_t thread;
} worker;

bool od_par_stopped(const od_par *par)
{
    return atomic_load_explicit(&par->stop, memory_order_relaxed);
}

int od_par_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        int n = CPU_COUNT(&set);
        if (n > 0) return n;
    }
    return 1;
}

static void *work(void *arg)
{
    worker *w = arg;
    od_par *par = w->par;
    while (!od_par_stopped(par)) {
        int64_t job = atomic_fetch_add(&par->next, 1);
        if (job >= par->count) break;
        odim_error err = {0};
        odim_status status = par->job(par->ctx, par, w->index, job, &err);
        if (status) {
            pthread_mutex_lock(&par->lock);
            /* Jobs that end because another failed must not hide the reason. */
            if (!par->status || par->status == ODIM_ERR_CANCELLED) {
                par->status = status;
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

static void watch(od_par *par, int (*tick)(void *ctx))
{
    pthread_mutex_lock(&par->lock);
    while (par->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += TICK_NS;
        if (until.tv_nsec >= 1000000000L) {
            until.tv_sec++;
            until.tv_nsec -= 1000000000L;
        }
        int late = pthread_cond_timedwait(&par->done, &par->lock, &until);
        if (late == ETIMEDOUT && tick) {
            pthread_mutex_unlock(&par->lock);
            int cancel = tick(par->ctx);
            pthread_mutex_lock(&par->lock);
            if (cancel && !atomic_exchange(&par->stop, true) && !par->status) {
                par->status = od_fail(&par->err, ODIM_ERR_CANCELLED, "cancelled");
            }
        }
    }
    pthread_mutex_unlock(&par->lock);
}

odim_status od_par_run(int threads, int64_t count, od_par_job job, int (*tick)(void *ctx), void *ctx,
                       odim_error *err)
{
    if (threads > count) threads = count > 0 ? (int)count : 1;
    worker *workers = od_calloc((size_t)threads, sizeof *workers);
    od_par *par = od_calloc(1, sizeof *par);
    odim_status status = ODIM_OK;
    if (!workers || !par) {
        status = od_fail_nomem(err);
        goto out;
    }
    par->job = job;
    par->ctx = ctx;
    par->count = count;
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_mutex_init(&par->lock, NULL);
    pthread_cond_init(&par->done, &attr);
    pthread_condattr_destroy(&attr);

    int started = 0, failed = 0;
    for (; started < threads; started++) {
        workers[started] = (worker){par, started, 0};
        pthread_mutex_lock(&par->lock);
        par->running++;
        pthread_mutex_unlock(&par->lock);
        failed = pthread_create(&workers[started].thread, NULL, work, &workers[started]);
        if (failed) {
            pthread_mutex_lock(&par->lock);
            par->running--;
            pthread_mutex_unlock(&par->lock);
            break;
        }
    }
    /* Fewer threads than wished for is slower, not wrong: only none at all is an error. */
    if (started > 0) {
        watch(par, tick);
        for (int i = 0; i < started; i++) pthread_join(workers[i].thread, NULL);
        status = par->status;
        if (status && err) *err = par->err;
    } else {
        status = od_fail(err, ODIM_ERR_SYSTEM, "cannot start a thread: %s", strerror(failed));
    }
    pthread_cond_destroy(&par->done);
    pthread_mutex_destroy(&par->lock);
out:
    od_free(par);
    od_free(workers);
    return status;
}
