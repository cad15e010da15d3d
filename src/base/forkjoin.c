/* A fork-join team whose threads spin between jobs, then sleep. */
#include "base/forkjoin.h"

#include <sched.h>
#include <stdatomic.h>

#include "common/mem.h"
#include "base/thread.h"

#define SPINS 1000 /* some microseconds of looking before a thread gives way */

/*
 * A run is over when all its indices are done, not when all threads have woken up, so that a thread without a
 * core delays nothing. Such a thread may come late, when the next run has begun. Therefore the number of the
 * run and its remaining indices are one word: a thread that takes an index by compare and exchange has read
 * the work of that run.
 */
struct od_forkjoin {
    int size;
    int started;
    _Atomic(od_forkjoin_work) work;
    _Atomic(void *) ctx;
    _Atomic uint64_t ticket; /* run << 32 | indices left to take */
    atomic_int done;         /* indices */
    atomic_bool stop;
    atomic_int asleep;
    pthread_mutex_t lock; /* for sleeping only */
    pthread_cond_t wake;
    struct helper {
        od_forkjoin *team;
        int index;
        pthread_t thread;
    } helper[];
};

static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static uint64_t run_of(uint64_t ticket)
{
    return ticket >> 32;
}

/* Works until nothing is left to take; returns the run that it saw last. */
static uint64_t take(od_forkjoin *t, int worker)
{
    for (;;) {
        uint64_t ticket = atomic_load(&t->ticket);
        int64_t left = (int64_t)(ticket & UINT32_MAX);
        od_forkjoin_work work = atomic_load(&t->work);
        void *ctx = atomic_load(&t->ctx);
        if (left == 0) return run_of(ticket);
        if (!atomic_compare_exchange_strong(&t->ticket, &ticket, ticket - 1)) continue;
        work(ctx, worker, left - 1);
        atomic_fetch_add(&t->done, 1);
    }
}

/* Waits for a run other than `seen`, first awake, then asleep. */
static void wait_run(od_forkjoin *t, uint64_t seen)
{
    for (int i = 0; i < SPINS; i++) {
        if (run_of(atomic_load(&t->ticket)) != seen) return;
        relax();
    }
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while (run_of(atomic_load(&t->ticket)) == seen) pthread_cond_wait(&t->wake, &t->lock);
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->lock);
}

static void begin_run(od_forkjoin *t, int count)
{
    atomic_store(&t->ticket, (run_of(atomic_load(&t->ticket)) + 1) << 32 | (uint64_t)count);
    if (atomic_load(&t->asleep) == 0) return; /* a thread checks the ticket once more before it sleeps */
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

static void *help(void *arg)
{
    struct helper *h = arg;
    od_forkjoin *t = h->team;
    uint64_t seen = 0;
    while (!atomic_load(&t->stop)) { /* also after `take`, which may have seen the last run already */
        wait_run(t, seen);
        if (!atomic_load(&t->stop)) seen = take(t, h->index);
    }
    return NULL;
}

odim_status od_forkjoin_new(od_forkjoin **team, int size, odim_error *err)
{
    *team = NULL;
    if (size <= 1) return ODIM_OK;
    od_forkjoin *t = od_calloc(1, sizeof *t + (size_t)(size - 1) * sizeof t->helper[0]);
    if (!t) return od_fail_nomem(err);
    t->size = size;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    for (int i = 0; i < size - 1; i++) {
        t->helper[i] = (struct helper){t, i + 1, 0};
        /* Fewer threads than wished for is slower, not wrong. */
        if (od_thread_start(&t->helper[i].thread, help, &t->helper[i])) break;
        t->started++;
    }
    *team = t;
    return ODIM_OK;
}

void od_forkjoin_free(od_forkjoin *team)
{
    if (!team) return;
    atomic_store(&team->stop, true);
    begin_run(team, 0);
    for (int i = 0; i < team->started; i++) pthread_join(team->helper[i].thread, NULL);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    od_free(team);
}

int od_forkjoin_size(const od_forkjoin *team)
{
    return team ? team->size : 1;
}

void od_forkjoin_run(od_forkjoin *team, int count, od_forkjoin_work work, void *ctx)
{
    if (!team || count <= 1) {
        for (int i = 0; i < count; i++) work(ctx, 0, i);
        return;
    }
    atomic_store(&team->work, work);
    atomic_store(&team->ctx, ctx);
    atomic_store(&team->done, 0);
    begin_run(team, count);
    take(team, 0);
    for (int i = 0; atomic_load(&team->done) < count; i++) {
        if (i < SPINS)
            relax();
        else
            sched_yield(); /* a helper at work may be waiting for this core */
    }
}
