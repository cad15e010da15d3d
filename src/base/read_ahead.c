/* A ring of bytes between the thread that reads them and the one that takes them. */
#include "base/read_ahead.h"

#include <string.h>

#include "common/platform.h"
#include "common/mem.h"
#include "base/poll.h"
#include "base/thread.h"

#define RING ((size_t)2 << 20)   /* bytes that are read ahead at most */
#define PULL ((size_t)256 << 10) /* at a time */

struct od_read_ahead {
    od_read_ahead_pull pull;
    void *from;
    unsigned char *ring; /* (RING) */
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t came, taken;
    /* Under the lock: */
    size_t at, used; /* the bytes that wait to be taken */
    bool ended;      /* nothing comes behind them but `status` */
    bool stop;       /* the thread is to end */
    odim_status status;
    odim_error err;
};

/* A hook for the thread: a pipe may be silent for hours, and the thread must end all the same. */
static int is_stopped(const odim_progress *now, void *user)
{
    (void)now;
    od_read_ahead *a = user;
    pthread_mutex_lock(&a->lock);
    bool stop = a->stop;
    pthread_mutex_unlock(&a->lock);
    return stop;
}

/* Waits for room; returns where it is and how much, 0 to end. */
static size_t find_room(od_read_ahead *a, size_t *to)
{
    pthread_mutex_lock(&a->lock);
    while (a->used == RING && !a->stop) pthread_cond_wait(&a->taken, &a->lock);
    *to = (a->at + a->used) % RING;
    size_t room = a->stop ? 0 : RING - a->used;
    pthread_mutex_unlock(&a->lock);
    if (room > RING - *to) room = RING - *to;
    return room < PULL ? room : PULL;
}

static void *read_on(void *arg)
{
    od_read_ahead *a = arg;
    od_poll poll;
    const odim_hooks hooks = {.size = sizeof hooks, .progress = is_stopped, .user = a};
    od_poll_begin(&poll, &hooks, (odim_progress){.stage = ODIM_STAGE_READING});
    size_t to, room;
    for (bool more = true; more && (room = find_room(a, &to));) {
        size_t got = 0;
        odim_error err = {0};
        odim_status status = a->pull(a->from, a->ring + to, room, &got, &err);
        more = !status && got;
        pthread_mutex_lock(&a->lock);
        if (!status) a->used += got;
        a->status = status;
        a->err = err;
        a->ended = !more;
        pthread_cond_signal(&a->came);
        pthread_mutex_unlock(&a->lock);
    }
    od_poll_end(&poll);
    return NULL;
}

odim_status od_read_ahead_new(od_read_ahead **out, od_read_ahead_pull pull, void *from, odim_error *err)
{
    od_read_ahead *a = *out = od_calloc(1, sizeof *a);
    unsigned char *ring = od_alloc(RING, 1);
    if (!a || !ring) {
        od_free(a);
        od_free(ring);
        *out = NULL;
        return od_fail_nomem(err);
    }
    a->pull = pull;
    a->from = from;
    a->ring = ring;
    pthread_mutex_init(&a->lock, NULL);
    od_platform_cond_init(&a->came);
    od_platform_cond_init(&a->taken);
    a->started = od_thread_start(&a->thread, read_on, a) == 0;
    if (a->started) return ODIM_OK;
    od_read_ahead_free(a);
    *out = NULL;
    return ODIM_OK;
}

void od_read_ahead_free(od_read_ahead *a)
{
    if (!a) return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_cond_signal(&a->taken);
    pthread_mutex_unlock(&a->lock);
    if (a->started) pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->came);
    pthread_cond_destroy(&a->taken);
    pthread_mutex_destroy(&a->lock);
    od_free(a->ring);
    od_free(a);
}

/* Waits, under the lock, until something has come. The caller's hooks are called meanwhile. */
static odim_status await(od_read_ahead *a, odim_error *err)
{
    while (!a->used && !a->ended) {
        if (!od_poll_is_on()) {
            pthread_cond_wait(&a->came, &a->lock);
            continue;
        }
        struct timespec until;
        od_platform_deadline(&until, 1e-9 * (double)od_poll_interval());
        pthread_cond_timedwait(&a->came, &a->lock, &until);
        if (a->used || a->ended) break;
        pthread_mutex_unlock(&a->lock); /* a hook may take long */
        odim_status status = od_poll_check(err);
        pthread_mutex_lock(&a->lock);
        if (status) return status;
    }
    return ODIM_OK;
}

odim_status od_read_ahead_take(od_read_ahead *a, void *buf, size_t cap, size_t *got, odim_error *err)
{
    *got = 0;
    pthread_mutex_lock(&a->lock);
    odim_status status = await(a, err);
    size_t from = a->at, n = RING - from < a->used ? RING - from : a->used;
    bool ended = a->ended;
    pthread_mutex_unlock(&a->lock);
    if (status) return status;
    if (n == 0 && ended) { /* what the thread left is not changed any more */
        if (a->status && err) *err = a->err;
        return a->status;
    }
    if (n > cap) n = cap;
    memcpy(buf, a->ring + from, n); /* the thread writes elsewhere */
    pthread_mutex_lock(&a->lock);
    a->at = (from + n) % RING;
    a->used -= n;
    pthread_cond_signal(&a->taken);
    pthread_mutex_unlock(&a->lock);
    *got = n;
    return ODIM_OK;
}

bool od_read_ahead_ready(od_read_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    bool ready = a->used || a->ended;
    pthread_mutex_unlock(&a->lock);
    return ready;
}
