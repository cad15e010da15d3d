/* What detect and score show besides the scores: the report, one of its plots, a histogram on the terminal.
 */
#ifndef CLI_REPORTING_H
#define CLI_REPORTING_H

#include "score_job.h"

/* Opens the files; false: the reason has been reported. */
bool cli_reporting_open(cli_score_job *s);
/* False: the table or the model lacks what the plot needs, which has been reported. */
bool cli_reporting_can_draw(const cli_score_job *s, const odim_table *table);
/* Writes what was asked for, if anything. Returns the exit code. */
int cli_reporting_write(cli_score_job *s, const cli_results *r);
/* A histogram of the scores on stderr, where that is a terminal. */
void cli_reporting_terminal(const cli_score_job *s, const cli_results *r);

#endif
