/*
 * Cancellation and progress of long stages that run on the calling thread. A public call begins a poll with
 * the caller's hooks, and the code below it polls now and then. The hooks are called about ten times per
 * second, however often that is. Worker threads have no poll: they ask od_parallel_stopped.
 */
#ifndef OD_POLL_H
#define OD_POLL_H

#include <stdbool.h>

#include "base/status.h"

typedef struct od_poll {
    const odim_hooks *hooks; /* may be NULL */
    odim_progress now;       /* what is shown */
    int64_t due;             /* when the hooks are called again, in ns */
    bool cancelled;
    struct od_poll *outer;
} od_poll;

/* p becomes the poll of this thread until od_poll_end, which brings back the one before it. */
void od_poll_begin(od_poll *p, const odim_hooks *hooks, odim_progress now);
void od_poll_end(od_poll *p);

/* What is shown from here on: how much of the call is done, 0 to 1. Does nothing without a poll. */
void od_poll_show(double fraction);
/* Calls the hooks if it is time; true once the call is to end. */
bool od_poll_stopped(void);
/* The same as a status: ODIM_ERR_CANCELLED once the call is to end. */
odim_status od_poll_check(odim_error *err);
/* Calls the hooks now; non-zero once the call is to end. For the tick of od_parallel_run. */
int od_poll_tick(void *ignored);

/* Whether this thread has a poll. */
bool od_poll_is_on(void);
/* Time between two calls of the hooks, in ns. */
int64_t od_poll_interval(void);
/* For tests: the time between two calls, in ns; 0: every look is a call. Negative: the usual time. */
void od_poll_set_interval(int64_t ns);
/* Monotonic clock, in ns. */
int64_t od_poll_clock(void);

#endif
