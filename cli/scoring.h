/* The work of detect and score: a model, fitted or loaded; the scores of a file, in one go or as a stream. */
#ifndef OD_SCORING_H
#define OD_SCORING_H

#include "results.h"

typedef struct od_scoring {
    const char *path;
    const od_output *set;
    odim_read_options reading;
    odim_params *params;  /* of a fit, or NULL */
    const char *load;     /* the file of a model, or NULL: fit one */
    const char *save;     /* where to keep the fitted model, or NULL */
    double contamination; /* share of the rows to call outliers, 0: by the threshold */
    const char *command;  /* that was given, for the report */

    /* While it runs: */
    od_work work;
    bool answer;    /* stdout gets an answer for people instead of rows */
    od_output full; /* what `set` is then: with reasons */
    odim_model *model;
    od_out out, saved, page, drawing;
    double read_seconds, work_seconds;
} od_scoring;

/* Returns the exit code. */
int od_scoring_run(od_scoring *s);
/* One line to stderr: how many rows are outliers. */
void od_scoring_summary(const od_scoring *s, int64_t flagged, int64_t rows);

#endif
