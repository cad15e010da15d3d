/*
 * Rows of a request, scored with a model. The bytes are those that `odim score -m MODEL -` writes for the
 * same rows; a JSON response is the array of what JSON lines would have, or one object for one object.
 */
#ifndef HTTP_SCORE_ROWS_H
#define HTTP_SCORE_ROWS_H

#include "score_options.h"

/* Rows that come in blocks. */
typedef struct http_score_run {
    const http_score *score;
    const odim_params *params;
    cli_results results;
    cli_rows rows;
    double *scores, *raw;
    odim_reason *reasons;
    int64_t room; /* rows of a block */
    cli_out *out; /* rows as CSV or JSON lines */
} http_score_run;

/* Scores a block of rows and writes them. */
odim_status http_score_block(http_score_run *run, const odim_table *block, odim_error *err);
void http_score_run_free(http_score_run *run);
/* Makes a JSON array of JSON lines; before: "[" or, if it goes on, ",\n". */
void http_score_array(const char *lines, size_t size, const char *before, http_text *out);
/* Cuts the name of the source off an error's message. */
void http_score_trim(odim_error *err, const char *name);

/* Scores the body of a request. */
void http_score_answer(http_score *s, const http_request *r, http_response *a);

#endif
