/* What a request to score rows asks for: parameters, and the formats of body and response. */
#ifndef HTTP_SCORE_OPTIONS_H
#define HTTP_SCORE_OPTIONS_H

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

/* Whether a JSON body is one object, and not one that wraps an array of rows. */
bool http_score_is_single(const char *body, size_t size);

#endif
