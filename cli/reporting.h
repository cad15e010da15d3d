/* What detect and score show besides the scores: the report, one of its pictures, a small picture on the
 * terminal. */
#ifndef OD_REPORTING_H
#define OD_REPORTING_H

#include "scoring.h"

/* False: the options contradict each other, which has been said. */
bool od_reporting_check(const od_output *set, const char *path);
/* Opens the files; false: the reason has been said. */
bool od_reporting_open(od_scoring *s);
/* False: what the picture needs is not in the table or the model, which has been said. */
bool od_reporting_can_draw(const od_scoring *s, const odim_table *table);
/* Writes what was asked for, if anything. Returns the exit code. */
int od_reporting_write(od_scoring *s, const od_results *r);
/* A histogram of the scores on stderr, where that is a terminal. */
void od_reporting_terminal(const od_scoring *s, const od_results *r);

#endif
