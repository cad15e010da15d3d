/* Tables that DuckDB reads: Parquet and DuckDB files, and queries. */
#ifndef OD_DUCKDB_INPUT_H
#define OD_DUCKDB_INPUT_H

#include "prep/text_rows.h"

/* Whether a path stands for several Parquet files, such as sales/2024-*.parquet. */
bool od_duckdb_is_pattern(const char *path);
/* Whether a format is one of DuckDB's; *format becomes that of the first bytes if they are of one. */
bool od_duckdb_is(od_format format);
bool od_duckdb_detect(const unsigned char *bytes, size_t len, od_format *format);

/* Opens the rows of a file of such a format, or those of the query in in->options. The path "" is no file;
 * NULL is a file in memory, which is refused. */
odim_status od_duckdb_open(od_text_rows *r, odim_table *t, const od_table_input *in, const char *path,
                           odim_error *err);

#endif
