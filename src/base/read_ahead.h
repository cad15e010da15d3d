/*
 * Reads bytes on a thread of its own, ahead of the thread that needs them: a file is unpacked, or a slow disk
 * read, while the rows before are parsed and scored. Bytes come in their order, and a failure comes behind
 * the bytes before it, so that nobody sees a difference.
 */
#ifndef OD_READ_AHEAD_H
#define OD_READ_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct od_read_ahead od_read_ahead;

/* Reads at least one byte and at most `cap`; 0 is the end. While it waits it calls od_poll_check. */
typedef odim_status (*od_read_ahead_pull)(void *from, void *buf, size_t cap, size_t *got, odim_error *err);

/* Until it is freed, only its thread calls `pull`. *out is NULL if no thread can be started: then the caller
 * reads by itself. */
odim_status od_read_ahead_new(od_read_ahead **out, od_read_ahead_pull pull, void *from, odim_error *err);
/* Waits for the thread. What was read and not taken is lost. */
void od_read_ahead_free(od_read_ahead *a);

/* The same as `pull`. */
odim_status od_read_ahead_take(od_read_ahead *a, void *buf, size_t cap, size_t *got, odim_error *err);
/* Whether od_read_ahead_take would come back at once. */
bool od_read_ahead_ready(od_read_ahead *a);

#endif
