/* The work of detect and score: a model, fitted or loaded; the scores of a file, in one go or as a stream. */
#ifndef CLI_SCORING_H
#define CLI_SCORING_H

#include "results.h"

typedef struct cli_scoring {
    const char *path;
    const cli_output *set;
    odim_read_options reading;
    odim_params *params;  /* of a fit, or NULL */
    const char *load;     /* the file of a model, or NULL: fit one */
    const char *save;     /* where to keep the fitted model, or NULL */
    double contamination; /* share of the rows to call outliers, 0: by the threshold */
    const char *command;  /* that was given, for the report */

    /* While it runs: */
    cli_run work;
    bool answer;     /* stdout gets an answer for people instead of rows */
    cli_output full; /* what `set` is then: with reasons */
    odim_model *model;
    cli_out out, saved, page, drawing;
    double read_seconds, work_seconds;
} cli_scoring;

/* Returns the exit code. */
int cli_scoring_run(cli_scoring *s);
/* One line to stderr: how many rows are outliers. */
void cli_scoring_summary(const cli_scoring *s, int64_t flagged, int64_t rows);

#endif
