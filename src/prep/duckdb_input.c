/* Recognizes what DuckDB reads, and opens it. */
#include "prep/duckdb_input.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/duckdb_rows.h"

bool od_duckdb_is_pattern(const char *path)
{
    size_t len = strlen(path);
    return strpbrk(path, "*?[") && len > 8 && strcasecmp(path + len - 8, ".parquet") == 0 &&
           access(path, F_OK) != 0;
}

bool od_duckdb_is(od_format format)
{
    return format == OD_FORMAT_PARQUET || format == OD_FORMAT_DUCKDB;
}

bool od_duckdb_detect(const unsigned char *bytes, size_t len, od_format *format)
{
    if (len >= 5 && memcmp(bytes, "PAR1\x15", 5) == 0)
        *format = OD_FORMAT_PARQUET;
    else if (len >= 12 && memcmp(bytes + 8, "DUCK", 4) == 0)
        *format = OD_FORMAT_DUCKDB;
    else
        return false;
    return true;
}

static bool needs_column(const void *ctx, const char *name)
{
    return od_table_input_needs(ctx, name, 0);
}

odim_status od_duckdb_open(od_text_rows *r, odim_table *t, const od_table_input *in, const char *path,
                           odim_error *err)
{
    const odim_read_options *o = in->options;
    od_ddb_input ask = {.from = OD_DDB_FROM_QUERY,
                        .path = path,
                        .pattern = in->src == NULL,
                        .sql = o->sql,
                        .table = o->table,
                        .needed = needs_column,
                        .ctx = in};
    if (in->format == OD_FORMAT_PARQUET) ask.from = OD_DDB_FROM_PARQUET;
    if (in->format == OD_FORMAT_DUCKDB) ask.from = OD_DDB_FROM_FILE;
    bool plain = !in->src || od_source_size(in->src) > 0;
    if ((path && strcmp(path, "-") == 0) || !plain || (!path && !in->src))
        return od_fail(err, ODIM_ERR_FORMAT,
                       "Parquet and DuckDB files cannot be read from a pipe or packed; save it as a "
                       "plain file first");
    if (!path) {
        const unsigned char *bytes;
        odim_status status = od_source_map(in->src, &bytes, &ask.size, err);
        if (status) return status;
        ask.bytes = bytes;
        path = "<memory>";
    }
    if (*path && o->sql && in->format != OD_FORMAT_DUCKDB)
        return od_fail(err, ODIM_ERR_PARAM,
                       "a query names its files itself: leave out the file, and select from '%.100s'", path);
    if (o->sql && o->table)
        return od_fail(err, ODIM_ERR_PARAM, "either a table is read or a query, not both");
    if (o->table && in->format != OD_FORMAT_DUCKDB)
        return od_fail(err, ODIM_ERR_PARAM, "it is one table; there is none to choose");
    od_records *records;
    odim_status status = od_ddb_rows_open(&records, &ask, &t->notes, err);
    return status ? status : od_text_rows_open_records(r, t, in, records, err);
}
