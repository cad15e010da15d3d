/* Threads that answer requests which may take long, so that those that serve connections never wait. */
#ifndef HTTP_WORKERS_H
#define HTTP_WORKERS_H

#include <stdbool.h>

typedef struct http_workers http_workers;

/* NULL: no memory or no thread. `most`: tasks that may wait. */
http_workers *http_workers_new(int threads, int most);
/* Has a thread call run(arg). False: too many wait already. */
bool http_workers_add(http_workers *w, void (*run)(void *arg), void *arg);
/* Tasks that wait. */
int http_workers_waiting(http_workers *w);
/* Waits until all tasks are done. */
void http_workers_free(http_workers *w);

#endif
