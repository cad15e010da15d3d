/*
 * Rows of a request, scored with a model. The bytes are those that `odim score -m MODEL -` writes for the
 * same rows; a JSON response is the array of what JSON lines would have, or one object for one object.
 */
#ifndef HTTP_SCORE_ROWS_H
#define HTTP_SCORE_ROWS_H

#include <stdatomic.h>

#include "models.h"
#include "request.h"
#include "response.h"
#include "results.h"

typedef enum http_format { HTTP_CSV, HTTP_JSON, HTTP_JSONL, HTTP_FORMATS } http_format;

/* What a request asks for. */
typedef struct http_score {
    const http_model *model;
    cli_output set;
    odim_read_options reading;
    double threshold;
    bool by_content;        /* the format of the response is that of the body, which is not known yet */
    http_format format;     /* of the response */
    double deadline;        /* when to give up, by cli_run_clock */
    const atomic_bool *cut; /* gives up when it becomes true */
    atomic_bool *stop;      /* the same; or NULL */
} http_score;

/* False: something cannot be understood, and the response says what. The texts are the request's. */
bool http_score_options(http_score *s, const http_request *r, http_response *a);
/* The format of the response, by the first bytes of the body. */
void http_score_see(http_score *s, const char *body, size_t size);
/* The content type of the response. */
const char *http_score_type(const http_score *s);

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
/* Whether a JSON body is one object, and not one that wraps an array of rows. */
bool http_score_is_single(const char *body, size_t size);

/* Cuts the name of the source off an error's message. */
void http_score_trim(odim_error *err, const char *name);

/* Scores the body of a request. */
void http_score_answer(http_score *s, const http_request *r, http_response *a);

#endif
