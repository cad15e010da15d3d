/* The job of detect and score, which scoring, stream and reporting share the work of. */
#ifndef CLI_SCORE_JOB_H
#define CLI_SCORE_JOB_H

#include "results.h"

typedef struct cli_score_job {
    cli_run *run;
    const cli_output *set;
    odim_read_options reading;
    const char *load;     /* the file of a model, or NULL: fit one */
    const char *save;     /* where to keep the fitted model, or NULL */
    double contamination; /* share of the rows to call outliers, 0: by the threshold */
    int64_t part, parts;  /* which part of the rows to score, from 1, of how many; 0: all rows */
    const char *scanned;  /* the merged scans of all parts, or NULL */
    bool call_bad_rows;   /* the caller did not say what to do with rows that cannot be read: call a few */

    /* While it runs: */
    bool answer;     /* stdout gets an answer for people instead of rows */
    cli_output full; /* what `set` is then: with reasons */
    odim_model *model;
    cli_out out, saved, page, drawing;
    double read_seconds, work_seconds;
} cli_score_job;

#endif
