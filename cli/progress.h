/*
 * The progress line on stderr, redrawn in place while a fit or a scoring runs:
 *
 *     fitting  ━━━━━━━━━━━━━━━━━━  62%  6/10 members  1840 updates  distance 0.132  4 s left
 *
 * Only a terminal gets it, and it is gone when the work is done.
 */
#ifndef OD_PROGRESS_H
#define OD_PROGRESS_H

#include <stdbool.h>

#include "odim.h"

typedef struct od_progress {
    bool on;      /* stderr is a terminal that can redraw a line */
    bool colour;  /* NO_COLOR is not set */
    bool utf8;    /* the terminal shows more than ASCII */
    int phase;    /* of the last draw: 0 fitting, 1 scoring, 2 reading; -1 before the first */
    double start; /* of the phase, in seconds */
} od_progress;

void od_progress_init(od_progress *bar, bool wanted);
/* A line of text, for work that has no measure. */
void od_progress_text(od_progress *bar, const char *what, const char *name);
void od_progress_draw(od_progress *bar, const odim_progress *now);
/* Removes the line; call it before anything else is written to the terminal. */
void od_progress_clear(void);
/* The same, for signal handlers. */
void od_progress_abandon(void);

#endif
