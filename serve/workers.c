/* Threads that answer requests which may take long. */
#include "workers.h"

#include <pthread.h>

#include "common/mem.h"

typedef struct task {
    void (*run)(void *arg);
    void *arg;
} task;

struct http_workers {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t *threads;
    int thread_count;
    task *ring; /* (most) */
    int first, count, most;
    bool ending;
};

static void *work(void *arg)
{
    http_workers *w = arg;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->count == 0 && !w->ending) pthread_cond_wait(&w->changed, &w->lock);
        if (w->count == 0) break;
        task next = w->ring[w->first];
        w->first = (w->first + 1) % w->most;
        w->count--;
        pthread_mutex_unlock(&w->lock);
        next.run(next.arg);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

http_workers *http_workers_new(int threads, int most)
{
    http_workers *w = od_calloc(1, sizeof *w);
    if (!w) return NULL;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->most = most;
    w->ring = od_alloc((size_t)most, sizeof *w->ring);
    w->threads = od_alloc((size_t)threads, sizeof *w->threads);
    while (w->ring && w->threads && w->thread_count < threads &&
           pthread_create(&w->threads[w->thread_count], NULL, work, w) == 0)
        w->thread_count++;
    if (w->thread_count == threads) return w;
    http_workers_free(w);
    return NULL;
}

bool http_workers_add(http_workers *w, void (*run)(void *arg), void *arg)
{
    pthread_mutex_lock(&w->lock);
    bool fits = w->count < w->most;
    if (fits) w->ring[(w->first + w->count++) % w->most] = (task){run, arg};
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return fits;
}

int http_workers_waiting(http_workers *w)
{
    pthread_mutex_lock(&w->lock);
    int count = w->count;
    pthread_mutex_unlock(&w->lock);
    return count;
}

void http_workers_free(http_workers *w)
{
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->thread_count; i++) pthread_join(w->threads[i], NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    od_free(w->ring);
    od_free(w->threads);
    od_free(w);
}
