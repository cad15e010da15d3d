/*
 * A writer of JSON objects and arrays. Values of the outer two levels get a line each, and deeper ones stay
 * on one line, which suits people and line-based tools; with `line` everything is on one line. Strings may
 * contain any bytes: what is not UTF-8 becomes U+FFFD.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdint.h>

#include "out.h"

enum { CLI_JSON_DEPTH = 8 };

typedef struct cli_json {
    cli_out *out;
    bool line; /* everything on one line */
    bool html; /* for a script element of a page: nothing in a string can end it */
    int depth;
    char close[CLI_JSON_DEPTH];      /* the bracket that ends each open level */
    bool filled[CLI_JSON_DEPTH + 1]; /* whether a level has a value already */
} cli_json;

/* key: NULL inside an array and at the top. bracket: '{' or '['. Ending the top level ends the line,
 * and another value may follow. */
void cli_json_begin(cli_json *j, const char *key, char bracket);
void cli_json_end(cli_json *j);
void cli_json_string(cli_json *j, const char *key, const char *value);
void cli_json_int(cli_json *j, const char *key, int64_t value);
/* Nine significant digits; null for what JSON cannot say (infinite, not a number). */
void cli_json_number(cli_json *j, const char *key, double value);
/* Text that is JSON already, such as true. */
void cli_json_raw(cli_json *j, const char *key, const char *text);

/* Whether text is a JSON number. */
bool cli_json_is_number(const char *text);

#endif
