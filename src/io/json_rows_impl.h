/* The inside of the rows of a JSON file, which reading them and finding their columns share. */
#ifndef OD_JSON_ROWS_IMPL_H
#define OD_JSON_ROWS_IMPL_H

#include "io/json_parse.h"
#include "io/name_index.h"
#include "io/records.h"

/* Bytes of a column's name, with those of the objects around it. */
#define OD_JSON_NAME_MOST 4096

typedef enum od_json_layout {
    OD_JSON_LAYOUT_ARRAY,   /* of objects */
    OD_JSON_LAYOUT_WRAPPED, /* the same as a member of an object */
    OD_JSON_LAYOUT_OBJECTS, /* one after the other */
    OD_JSON_LAYOUT_LINES    /* the same with one per line */
} od_json_layout;

/* What the row in hand has in a column. */
typedef struct od_json_cell {
    uint64_t stamp; /* of the row that has set it */
    size_t start;   /* in text */
    uint32_t len;
    bool quoted, number;
} od_json_cell;

typedef struct od_json_rows {
    od_records base;
    od_json *json;
    bool lines;
    od_strlist ignore, needed; /* as in the options */
    bool is_needed_known;
    od_json_layout layout;
    bool started, done, learning;
    bool has_token; /* the first of the array, which has been read to find the layout */
    bool has_row;   /* the same for a row */
    od_json_token token;
    od_record row;
    int64_t end_line; /* of the row */
    odim_error fault; /* what is wrong with the row in hand */
    odim_error stuck; /* nothing can be read behind this */
    odim_error first; /* what is wrong with the first row, which was read for the columns */
    int64_t top_line; /* where the object around a wrapped table begins */
    bool in_lines;    /* another object begins behind its line, so that the table is not wrapped */

    od_json_cell *cells; /* (cap) */
    od_field *fields;    /* (cap) */
    size_t cap;
    od_name_index index; /* of the names */
    size_t expected;     /* the column that most likely comes next */
    uint64_t stamp;
    char *text; /* of the row in hand */
    size_t text_len, text_cap;
    char name[OD_JSON_NAME_MOST];
    size_t name_len, prefix[OD_JSON_DEPTH + 1];
} od_json_rows;

/* Adds a column to the names. */
odim_status od_json_rows_add(od_json_rows *r, const char *name, size_t len, odim_error *err);
/* The column of a name, or -1. */
int64_t od_json_rows_find(const od_json_rows *r, const char *name, size_t len);
/* The column that column i of the model is, or -1. */
int64_t od_json_rows_needed(const od_json_rows *r, size_t i);
/* Forgets all columns. */
void od_json_rows_clear(od_json_rows *r);
/* Reads the next row into r, or its end: r->done. */
odim_status od_json_rows_step(od_json_rows *r, odim_error *err);
odim_status od_json_rows_rewind(od_records *base, odim_error *err);

/* Finds the columns: of all rows, which are then read again, or, if they cannot be, of the first. */
odim_status od_json_learn_all(od_json_rows *r, odim_error *err);
odim_status od_json_learn_first(od_json_rows *r, odim_error *err);

#endif
