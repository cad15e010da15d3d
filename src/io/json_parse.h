/*
 * JSON (RFC 8259), one token at a time, from a source of any length.
 *
 * The grammar is strict: no comments, no trailing commas, no NaN. Text must be UTF-8, for which a byte order
 * mark is skipped; \u0000 is refused, as zero bytes are in CSV. Numbers keep their text, so that their value
 * is exact. Several values may follow each other, as in JSON lines.
 */
#ifndef OD_JSON_PARSE_H
#define OD_JSON_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"

/* Arrays and objects in each other. */
#define OD_JSON_DEPTH 64

typedef struct od_json od_json;

typedef enum od_json_kind {
    OD_JSON_END, /* of the source */
    OD_JSON_OBJECT,
    OD_JSON_OBJECT_END,
    OD_JSON_ARRAY,
    OD_JSON_ARRAY_END,
    OD_JSON_KEY,
    OD_JSON_STRING,
    OD_JSON_NUMBER,
    OD_JSON_BOOL,
    OD_JSON_NULL
} od_json_kind;

typedef struct od_json_token {
    od_json_kind kind;
    const char *text; /* of a key, string, number, "true" or "false"; valid until the next token */
    size_t len;
    int64_t line; /* 1-based, of its first character */
    int64_t at;   /* bytes before it */
} od_json_token;

/* The source is borrowed. Nothing is read yet. */
odim_status od_json_open(od_json **out, od_source *src, odim_error *err);
void od_json_close(od_json *j);
/* From now on each value has a line of its own, as in JSON lines. */
void od_json_set_lines(od_json *j);
/* Malformed text is ODIM_ERR_FORMAT; the message has the line and the byte, counted from 1. */
odim_status od_json_next(od_json *j, od_json_token *out, odim_error *err);
/* The number of arrays and objects that are open. */
int od_json_depth(const od_json *j);
/* The line of the next byte. */
int64_t od_json_line(const od_json *j);
/* Reads on until fewer than `depth` are open. */
odim_status od_json_leave(od_json *j, int depth, odim_error *err);
/* Leaves out the rest of the line at which od_json_next has failed. */
odim_status od_json_skip_line(od_json *j, odim_error *err);
/* Back to the beginning, after od_source_hold. The lines stay set. */
odim_status od_json_rewind(od_json *j, odim_error *err);
/* Whether the next object can most likely be read without waiting for it. */
bool od_json_ready(od_json *j);

#endif
