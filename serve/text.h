/* A text that grows while it is written, for answers that are sent as a whole. */
#ifndef SERVE_TEXT_H
#define SERVE_TEXT_H

#include <stddef.h>

#include "out.h"
#include "problem.h"

/* bytes are followed by a '\0' that is not counted. They belong to the caller: free(). */
typedef struct serve_text {
    char *bytes;
    size_t size;
} serve_text;

void serve_text_free(serve_text *text);
/* The bytes of a model file. */
odim_status serve_text_of_model(const odim_model *model, serve_text *out, serve_problem *why);

/* Between begin and end, what is written to `out` goes to memory (cli/json.h, cli/writer.h). */
typedef struct serve_text_out {
    cli_out out;
    serve_text text;
} serve_text_out;

odim_status serve_text_begin(serve_text_out *t, serve_problem *why);
/* Hands over what was written. After a failed begin, or a second time, it fails and does nothing. */
odim_status serve_text_end(serve_text_out *t, serve_text *out, serve_problem *why);
/* Forgets what was written. */
void serve_text_discard(serve_text_out *t);

#endif
