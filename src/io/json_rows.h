/*
 * Rows of JSON files: an array of objects, an object whose only array of objects is that ({"data": [...]},
 * its other members are left out), or objects one after the other; JSON lines is the last with one per line.
 *
 * The columns are the keys of all objects, in the order in which they appear first. An object in an object
 * gives columns such as "a.b". null and keys that are not there are missing cells. An array in a row is an
 * error, unless its column is not used. So are a key that occurs twice and a value that is not an object: a
 * row that is bad in itself. Behind malformed text the next line is read if each object has its own;
 * otherwise the row fails with ODIM_ERR_FORMAT, and the next call with ODIM_ERR_DATA.
 */
#ifndef OD_JSON_ROWS_H
#define OD_JSON_ROWS_H

#include "io/records.h"

/* Keys of all objects together. */
#define OD_JSON_COLUMNS_MOST 65536

typedef struct od_json_options {
    bool lines; /* JSON lines; otherwise it is found out, and found if the first object is on one line */
    bool ahead; /* the source is held: read all of it for the keys. Otherwise they come from the first object
                 */
    const char *const *ignore; /* columns that are not used, or NULL; ends with NULL */
    const char *const *needed; /* all that are used, or NULL: not known. If the first object has one of them,
                                  the others become columns as well */
} od_json_options;

/* The source is borrowed. */
odim_status od_json_rows_open(od_records **out, od_source *src, const od_json_options *options,
                              odim_error *err);

#endif
