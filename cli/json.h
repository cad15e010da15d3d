/*
 * Writes JSON. Values of the outer two levels get a line each, what is nested deeper stays on one line, which
 * suits both people and line-based tools; with `line` all of it does. Strings may hold any bytes: what is not
 * UTF-8 becomes U+FFFD.
 */
#ifndef OD_JSON_H
#define OD_JSON_H

#include <stdint.h>

#include "out.h"

enum { OD_JSON_DEPTH = 8 };

typedef struct od_json {
    od_out *out;
    bool line; /* everything on one line */
    bool html; /* for a script element of a page: nothing in a string can end it */
    int depth;
    char close[OD_JSON_DEPTH];      /* the bracket that ends each open level */
    bool filled[OD_JSON_DEPTH + 1]; /* whether a level has a value already */
} od_json;

/* key: NULL inside an array and at the top. bracket: '{' or '['. Ending the top level ends the line,
 * and another value may follow. */
void od_json_begin(od_json *j, const char *key, char bracket);
void od_json_end(od_json *j);
void od_json_string(od_json *j, const char *key, const char *value);
void od_json_int(od_json *j, const char *key, int64_t value);
/* Nine significant digits; null for what JSON cannot say (infinite, not a number). */
void od_json_number(od_json *j, const char *key, double value);
/* Text that is JSON already, such as true. */
void od_json_raw(od_json *j, const char *key, const char *text);

/* Whether text is a JSON number. */
bool od_json_is_number(const char *text);

#endif
