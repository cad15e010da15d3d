/* Threads that answer requests which may take long, so that those that serve connections never wait. */
#ifndef SRV_WORKERS_H
#define SRV_WORKERS_H

#include <stdbool.h>

typedef struct srv_workers srv_workers;

/* NULL: no memory or no thread. `most`: tasks that may wait. */
srv_workers *srv_workers_new(int threads, int most);
/* Has a thread call run(arg). False: too many wait already. */
bool srv_workers_add(srv_workers *w, void (*run)(void *arg), void *arg);
/* Tasks that wait. */
int srv_workers_waiting(srv_workers *w);
/* Waits until all tasks are done. */
void srv_workers_free(srv_workers *w);

#endif
