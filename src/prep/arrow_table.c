/* Reads the batches of an Arrow stream into a table. */
#include "prep/arrow_table.h"

#include "io/arrow_stream.h"
#include "prep/arrow_input.h"
#include "prep/bounds.h"
#include "prep/known_rows.h"
#include "prep/read.h"
#include "prep/text_rows.h"

/* Stands for the name of a file in messages. */
#define STREAM_NAME "<arrow>"

static odim_status open_stream(od_text_rows *r, odim_table *t, const od_table_input *in,
                               struct ArrowArrayStream *stream, odim_error *err)
{
    od_arrow_batches *batches;
    od_records *records;
    const od_arrow_needs needs = {od_arrow_input_needs, in};
    odim_status status = od_arrow_stream_open(&batches, stream, in->like == NULL, err);
    if (!status) status = od_arrow_rows_open(&records, batches, &needs, &t->notes, err);
    return status ? status : od_text_rows_open_records(r, t, in, records, err);
}

static odim_status mark_known(odim_table *t, const odim_read_options *o, odim_error *err)
{
    od_known_rows known = {0};
    if (!o->known_rows) return ODIM_OK;
    odim_status status = od_known_rows_read(&known, o->known_rows, o->id && *o->id, err);
    if (!status) status = od_known_rows_apply(&known, t, err);
    if (!status) status = od_known_rows_end(&known, t->n, err);
    od_known_rows_free(&known);
    return status;
}

odim_status od_arrow_table(odim_table **out, struct ArrowArrayStream *stream, const odim_read_options *o,
                           const od_schema *like, odim_error *err)
{
    od_table_input in = {.options = o, .like = like};
    od_schema bounds = {0};
    od_text_rows rows = {0};
    odim_table *t = od_table_new();
    *out = NULL;
    odim_status status = t ? od_read_check_options(o, &in.format, err) : od_fail_nomem(err);
    if (!status && o->bounds) {
        status = od_bounds_read(&bounds, o->bounds, err);
        in.like = &bounds;
    }
    if (!status) {
        status = open_stream(&rows, t, &in, stream, err);
        if (!status) status = od_text_rows_all(&rows, t, err);
        od_error_prefix(err, status, STREAM_NAME);
    }
    if (!status) status = mark_known(t, o, err);
    od_text_rows_close(&rows);
    od_schema_free(&bounds);
    if (status)
        odim_table_free(t);
    else
        *out = t;
    return status;
}
