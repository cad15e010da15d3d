#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"

#define SPINS 4000 /* some microseconds of looking before a thread goes to sleep */

struct od_team {
    int size;
    int started;
    od_team_work work;
    void *ctx;
    int64_t count;
    _Atomic int64_t next;   /* index to take */
    _Atomic uint64_t round; /* runs begun; 0 while there was none */
    atomic_int busy;        /* helpers that have not finished the round */
    atomic_bool stop;
    pthread_mutex_t lock; /* for sleeping only */
    pthread_cond_t wake;
    struct helper {
        od_team *team;
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

static void take(od_team *t, int worker)
{
    for (;;) {
        int64_t i = atomic_fetch_add(&t->next, 1);
        if (i >= t->count) return;
        t->work(t->ctx, worker, i);
    }
}

/* Waits for a round other than `seen`, first awake, then asleep. */
static void wait_round(od_team *t, uint64_t seen)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&t->round) != seen) return;
        relax();
    }
    pthread_mutex_lock(&t->lock);
    while (atomic_load(&t->round) == seen) pthread_cond_wait(&t->wake, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

static void begin_round(od_team *t)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->round, 1);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

static void *help(void *arg)
{
    struct helper *h = arg;
    od_team *t = h->team;
    for (uint64_t seen = 0;; seen++) {
        wait_round(t, seen);
        if (atomic_load(&t->stop)) return NULL;
        take(t, h->index);
        atomic_fetch_sub(&t->busy, 1);
    }
}

odim_status od_team_new(od_team **team, int size, odim_error *err)
{
    *team = NULL;
    if (size <= 1) return ODIM_OK;
    od_team *t = od_calloc(1, sizeof *t + (size_t)(size - 1) * sizeof t->helper[0]);
    if (!t) return od_fail_nomem(err);
    t->size = size;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    for (int i = 0; i < size - 1; i++) {
        t->helper[i] = (struct helper){t, i + 1, 0};
        /* Fewer threads than wished for is slower, not wrong. */
        if (pthread_create(&t->helper[i].thread, NULL, help, &t->helper[i])) break;
        t->started++;
    }
    *team = t;
    return ODIM_OK;
}

void od_team_free(od_team *team)
{
    if (!team) return;
    atomic_store(&team->stop, true);
    begin_round(team);
    for (int i = 0; i < team->started; i++) pthread_join(team->helper[i].thread, NULL);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    od_free(team);
}

int od_team_size(const od_team *team)
{
    return team ? team->size : 1;
}

void od_team_run(od_team *team, int64_t count, od_team_work work, void *ctx)
{
    if (!team) {
        for (int64_t i = 0; i < count; i++) work(ctx, 0, i);
        return;
    }
    team->work = work;
    team->ctx = ctx;
    team->count = count;
    atomic_store(&team->next, 0);
    atomic_store(&team->busy, team->started);
    begin_round(team);
    take(team, 0);
    while (atomic_load(&team->busy) > 0) relax();
}
