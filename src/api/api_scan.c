/* The public calls of the first pass over the parts of a table. */
#include "common/mem.h"
#include "fit/part_read.h"
#include "api/reading.h"

odim_status odim_scan_new(odim_scan **out, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = od_calloc(1, sizeof **out);
    return *out ? ODIM_OK : od_fail_nomem(err);
}

void odim_scan_free(odim_scan *s)
{
    if (!s) return;
    od_scan_clear(s);
    od_free(s);
}

static odim_status add_columns(odim_scan *s, int64_t part, const odim_column *columns, int64_t cols,
                               int64_t rows, odim_error *err)
{
    od_strlist names = {0};
    od_type_votes *votes = od_scan_new_votes(cols);
    odim_status status = votes ? od_table_vote(columns, cols, rows, &names, votes, err) : od_fail_nomem(err);
    if (!status && s->is_file)
        status = od_fail(err, ODIM_ERR_PARAM, "the parts so far are of a file, these rows are not");
    if (!status) status = od_scan_columns(s, &names, err);
    if (!status)
        status = od_scan_add(s, part, &(od_scan_part){.rows = rows}, votes, err);
    else
        od_scan_free_votes(votes, cols);
    od_strlist_free(&names);
    return status;
}

odim_status odim_scan_add(odim_scan *s, int64_t part, const odim_column *const *columns, int64_t cols,
                          int64_t rows, odim_error *err)
{
    OD_NEED(s, "scan", err);
    odim_column *own;
    odim_status status = od_reading_columns(&own, columns, cols, err);
    if (!status && (cols < 1 || rows < 0))
        status = od_fail(err, ODIM_ERR_PARAM, "a part needs at least one column");
    if (!status) status = add_columns(s, part, own, cols, rows, err);
    od_free(own);
    return status;
}

odim_status odim_scan_file(odim_scan *s, int64_t part, int64_t parts, const char *path,
                           const odim_read_options *options, odim_error *err)
{
    od_reading r;
    OD_NEED(s, "scan", err);
    OD_NEED(path, "path", err);
    odim_status status = od_reading_begin(&r, options, err);
    if (status) return status;
    status = od_part_scan(s, part, parts, path, &r.options, r.like, err);
    od_reading_end(&r);
    return status;
}

odim_status odim_scan_merge(odim_scan *s, const odim_scan *other, odim_error *err)
{
    OD_NEED(s, "scan", err);
    OD_NEED(other, "other", err);
    return od_scan_merge(s, other, err);
}

int64_t odim_scan_parts(const odim_scan *s)
{
    int64_t parts = 0;
    for (size_t i = 0; s && i < s->runs; i++) parts += (int64_t)s->run[i].parts;
    return parts;
}

int64_t odim_scan_first(const odim_scan *s, int64_t part)
{
    int64_t rows, lines;
    if (part < 0 || !s) return -1;
    if (part > 0 && (!s->runs || s->run[0].first > 0 || (int64_t)s->run[0].parts < part)) return -1;
    od_scan_before(s, part, &rows, &lines);
    return rows;
}

odim_status odim_scan_save_memory(const odim_scan *s, void **bytes, size_t *size, odim_error *err)
{
    OD_NEED(bytes, "bytes", err);
    *bytes = NULL;
    OD_NEED(size, "size", err);
    *size = 0;
    OD_NEED(s, "scan", err);
    od_byte_writer out = {0};
    od_scan_write(&out, s);
    if (out.nomem) {
        od_free(out.bytes);
        return od_fail_nomem(err);
    }
    *bytes = out.bytes;
    *size = out.size;
    return ODIM_OK;
}

odim_status odim_scan_load_memory(odim_scan **out, const void *bytes, size_t size, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(bytes, "bytes", err);
    odim_scan *s = od_calloc(1, sizeof *s);
    odim_status status = s ? od_scan_read(s, bytes, size, err) : od_fail_nomem(err);
    if (status)
        od_free(s);
    else
        *out = s;
    return status;
}

odim_status odim_scan_table(const odim_scan *s, const odim_column *const *columns, int64_t cols, int64_t rows,
                            odim_table **out, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(s, "scan", err);
    odim_column *own;
    odim_status status = od_reading_columns(&own, columns, cols, err);
    if (!status) status = od_scan_complete(s, err);
    if (!status) {
        const od_voted voted = od_scan_voted(s);
        status = od_table_build(out, own, cols, rows, NULL, &voted, err);
    }
    od_free(own);
    return status;
}

odim_status odim_scan_open(const odim_scan *s, int64_t part, const char *path,
                           const odim_read_options *options, odim_reader **out, odim_error *err)
{
    od_reading r;
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(s, "scan", err);
    OD_NEED(path, "path", err);
    odim_status status = od_reading_begin(&r, options, err);
    if (status) return status;
    status = od_part_open(out, s, part, path, &r.options, r.like, err);
    od_reading_end(&r);
    return status;
}
