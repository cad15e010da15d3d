/*
 * The progress line on stderr, redrawn in place while a fit or a scoring runs:
 *
 *     fitting  ━━━━━━━━━━━━━━━━━━  62%  6/10 members  1840 updates  distance 0.132  4 s left
 *
 * Only a terminal gets it, and it is gone when the work is done.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include "odim.h"

typedef struct cli_progress {
    bool on;           /* stderr is a terminal that can redraw a line */
    bool color;        /* NO_COLOR is not set */
    bool utf8;         /* the terminal shows more than ASCII */
    const char *doing; /* what the work is called; NULL: as the library reports it */
    const char *phase; /* of the last draw; NULL before the first */
    double start;      /* of the phase, in seconds */
} cli_progress;

void cli_progress_init(cli_progress *bar, bool wanted);
/* A line of text, for work that has no measure. */
void cli_progress_text(cli_progress *bar, const char *what, const char *name);
void cli_progress_draw(cli_progress *bar, const odim_progress *now);
/* Removes the line; call it before anything else is written to the terminal. */
void cli_progress_clear(void);
/* The same, for signal handlers. */
void cli_progress_abandon(void);

#endif
