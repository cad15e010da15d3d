/*
 * Rows that DuckDB reads: of Parquet files, of the tables of DuckDB files, of a query. They
 * come in chunks, so that memory stays bounded, and in the order of the file.
 */
#ifndef OD_DUCKDB_ROWS_H
#define OD_DUCKDB_ROWS_H

#include "io/records.h"

typedef enum od_ddb_from {
    OD_DDB_FROM_PARQUET, /* a file, or with `pattern` several files */
    OD_DDB_FROM_FILE,    /* DuckDB's own */
    OD_DDB_FROM_QUERY    /* without a file */
} od_ddb_from;

typedef struct od_ddb_input {
    od_ddb_from from;
    const char *path;
    bool pattern;
    const char *table; /* of a DuckDB file; NULL: its only one */
    const char *sql;   /* what to select, in a DuckDB file or without a file; NULL: the table */
    /* The file in memory, instead of a path. Its views and queries cannot reach other files. */
    const void *bytes;
    size_t size;
    /* Whether the cells of a column are needed. If not, its type does not matter. */
    bool (*needed)(const void *ctx, const char *name);
    const void *ctx;
} od_ddb_input;

/*
 * Opens the file and starts the query. Columns of bytes (BLOB) are left out, and a remark about each of them
 * goes to `notes`. A column of a type that is not a single value (LIST, STRUCT, MAP) is an error if its cells
 * are needed; otherwise they are missing.
 */
odim_status od_ddb_rows_open(od_records **out, const od_ddb_input *in, od_strlist *notes, odim_error *err);

#endif
