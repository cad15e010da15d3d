/* Starts threads, with a hook that lets tests make it fail; and locks. */
#ifndef OD_THREAD_H
#define OD_THREAD_H

#include <pthread.h>
#include <stdint.h>

/* 0, or the reason why not as errno has it. */
int od_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* For tests: the n-th start from now on fails (1 = the next), and all after it; 0 switches it off. */
void od_thread_fail_at(int64_t n);
/* For tests: how many starts were asked for so far. */
int64_t od_thread_starts(void);

/* A lock that one thread holds at a time. */
typedef struct od_lock {
    pthread_mutex_t mutex;
} od_lock;
void od_lock_new(od_lock *lock);
void od_lock_take(od_lock *lock);
void od_lock_release(od_lock *lock);
void od_lock_free(od_lock *lock);

#endif
