/* Starts threads, with a hook that lets tests make it fail. */
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

#endif
