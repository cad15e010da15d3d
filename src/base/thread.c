/* Starts threads, and lets a test make that fail. */
#include "base/thread.h"

#include <errno.h>
#include <stdatomic.h>

static _Atomic int64_t fail_at, starts, total;

int od_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    int64_t limit = atomic_load(&fail_at);
    atomic_fetch_add(&total, 1);
    if (limit && atomic_fetch_add(&starts, 1) + 1 >= limit) return EAGAIN;
    return pthread_create(thread, NULL, run, arg);
}

void od_thread_fail_at(int64_t n)
{
    atomic_store(&starts, 0);
    atomic_store(&fail_at, n);
}

int64_t od_thread_starts(void)
{
    return atomic_load(&total);
}

void od_lock_new(od_lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
}

void od_lock_take(od_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void od_lock_release(od_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

void od_lock_free(od_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}
