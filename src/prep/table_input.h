/* A table file to be read, with the options of the caller; and a part of one. */
#ifndef OD_TABLE_INPUT_H
#define OD_TABLE_INPUT_H

#include <stdbool.h>

#include "io/source.h"
#include "prep/schema.h"

typedef enum od_format {
    OD_FORMAT_AUTO,
    OD_FORMAT_CSV,
    OD_FORMAT_TSV,
    OD_FORMAT_NPY,
    OD_FORMAT_NPZ,
    OD_FORMAT_IDX,
    OD_FORMAT_JSON,
    OD_FORMAT_JSON_LINES,
    OD_FORMAT_XLSX,
    OD_FORMAT_PARQUET,
    OD_FORMAT_ARROW,
    OD_FORMAT_DUCKDB,
    OD_FORMAT_SQLITE
} od_format;

typedef struct od_table_input {
    od_source *src;   /* must outlive the rows that are read from it */
    const char *path; /* of the file; NULL: memory, standard input or a member of an archive */
    od_format format;
    const odim_read_options *options; /* never NULL; must outlive the rows as well */
    const od_schema *like;            /* the columns of a model; NULL: types are inferred */
    bool raw;                         /* only names and records: types and roles are the caller's business */
    bool in_parts;                    /* the caller reads it part by part, and may leave some out */
} od_table_input;

/* Whether the cells of a column are used, as a feature or for something else. number: from 1, by which the
 * options may also name it; 0: not known. A reader may ask before it reads a column that it has no use for.
 */
bool od_table_input_needs(const od_table_input *in, const char *name, int64_t number);

/*
 * A part of a file, for several readers that each read only their own. Of text it has the records that begin
 * at byte `at` or later and before byte `end`, of an array the rows from `at` to before `end`. at 0 is the
 * first row, wherever that begins.
 */
typedef struct od_span {
    int64_t at, end;
    int64_t row;  /* number of rows in the file before it */
    int64_t line; /* number of its first line */
} od_span;

#endif
