/* What went wrong with a request, in terms of the caller: a status of RFC 9457, a title, a detail, a place.
 */
#ifndef SERVE_PROBLEM_H
#define SERVE_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "json.h"
#include "odim.h"

#if defined(__GNUC__)
#define SERVE_PRINTF(AT) __attribute__((format(printf, AT, AT + 1)))
#else
#define SERVE_PRINTF(AT)
#endif

/*
 * status: 400 malformed JSON, an unknown option or parameter, or a value out of range; 404 no such table, job
 * or row; 409 the job is not in a state for that (no result yet, failed, cancelled); 413 the file or the
 * table is above a limit; 422 the file cannot be read or used (row and column say where); 429 the queue is
 * full; 499 the request was cancelled with its job; 500 something else, such as a thread that cannot be
 * started; 503 out of memory, or the server is stopping.
 */
typedef struct serve_problem {
    int status;        /* 0: nothing went wrong */
    const char *title; /* static, such as "The queue is full" */
    char detail[512];  /* one complete sentence or line; safe to print */
    int64_t row;       /* at fault, from 1; 0: none */
    int64_t column;    /* the same */
    int retry_after;   /* seconds; 0: trying again does not help. With 429 and 503 */
} serve_problem;

/* Fills in a problem and returns its odim_status, so that a function can end with it. `why` may be NULL. */
odim_status serve_fail(serve_problem *why, int status, const char *fmt, ...) SERVE_PRINTF(3);
/* The same from an error of the library. */
odim_status serve_fail_error(serve_problem *why, const odim_error *err);
odim_status serve_fail_nomem(serve_problem *why);
/* The object of RFC 9457: type, title, status, detail, row and column. key NULL: at the top. */
void serve_problem_json(const serve_problem *p, const char *key, cli_json *j);

#endif
