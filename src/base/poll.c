/* Calls the hooks of the caller at intervals, from long stages on its own thread. */
#include "base/poll.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#define USUAL_NS INT64_C(100000000)

static _Thread_local od_poll *current;
static _Atomic int64_t interval = USUAL_NS;

int64_t od_poll_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t od_poll_interval(void)
{
    return atomic_load_explicit(&interval, memory_order_relaxed);
}

void od_poll_set_interval(int64_t ns)
{
    atomic_store(&interval, ns < 0 ? USUAL_NS : ns);
}

void od_poll_begin(od_poll *p, const odim_hooks *hooks, odim_progress now)
{
    *p = (od_poll){.hooks = hooks, .now = now, .due = od_poll_clock() + od_poll_interval(), .outer = current};
    current = p;
}

void od_poll_end(od_poll *p)
{
    current = p->outer;
}

bool od_poll_is_on(void)
{
    return current != NULL;
}

void od_poll_show(double fraction)
{
    if (current) current->now.fraction = fraction;
}

int od_poll_tick(void *ignored)
{
    (void)ignored;
    od_poll *p = current;
    if (!p || !p->hooks || !p->hooks->progress) return 0;
    if (!p->cancelled) p->cancelled = p->hooks->progress(&p->now, p->hooks->user) != 0;
    p->due = od_poll_clock() + od_poll_interval();
    return p->cancelled;
}

bool od_poll_stopped(void)
{
    if (!current) return false;
    if (current->cancelled) return true;
    return od_poll_clock() >= current->due && od_poll_tick(NULL);
}

odim_status od_poll_check(odim_error *err)
{
    return od_poll_stopped() ? od_fail(err, ODIM_ERR_CANCELLED, "cancelled") : ODIM_OK;
}
