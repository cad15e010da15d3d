/* The response to a request, and errors as problem+json (RFC 9457). */
#ifndef HTTP_RESPONSE_H
#define HTTP_RESPONSE_H

#include <sys/types.h>

#include "odim.h"
#include "http_text.h"
#include "problem.h"
#include "text.h"

/* Of a body that is made while it is sent. */
typedef struct http_stream {
    /* Writes at most `most` bytes; 0: nothing at the moment, ask again in a while; -1: the end, -2: failed.
     */
    ssize_t (*read)(void *state, char *buf, size_t most);
    void (*close)(void *state);
    void *state;
} http_stream;

typedef struct http_response {
    int status;
    const char *type; /* the content type; a static text */
    http_text body;
    const char *fixed; /* instead of `body`: bytes that live as long as the program */
    size_t fixed_size;
    http_stream stream;   /* instead of both, if `read` is set */
    int retry_after;      /* seconds; 0: no such header */
    bool close;           /* the connection ends with this response */
    char allow[64];       /* methods, of a 405; else "" */
    char location[80];    /* of a 202; else "" */
    char attachment[140]; /* the name of the file that the body is to become; else "" */
    int64_t rows;         /* that were scored, for log and metrics */
} http_response;

/* Begins a response; the body follows. */
void http_begin(http_response *a, int status, const char *type);
extern const char http_json_type[];

/* Makes the response an error, whatever it was before. */
void http_problem(http_response *a, int status, const char *fmt, ...) HTTP_PRINTF(3, 4);
/* The same with the place of the fault; row and column from 1, 0: none. */
void http_problem_at(http_response *a, int status, int64_t row, int64_t column, const char *detail);
/* The same from an error of the library. */
void http_problem_error(http_response *a, const odim_error *err);
/* The same from what a part of the server reports. */
void http_problem_of(http_response *a, const serve_problem *why);
/* A response whose body is that text, which it takes. */
void http_give(http_response *a, int status, const char *type, serve_text *text);
/* The status that stands for an error of the library. */
int http_status_of(odim_status status);
/* "Not Found"; "" if it is not used here. */
const char *http_reason(int status);

/* If the body ran out of memory, the response becomes a problem. */
void http_finish(http_response *a);
void http_response_free(http_response *a);

#endif
