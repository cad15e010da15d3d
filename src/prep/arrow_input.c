/* Opens an Arrow file as records, with the options of the caller. */
#include "prep/arrow_input.h"

#include "common/mem.h"
#include "io/arrow_file.h"

bool od_arrow_input_needs(const void *ctx, const char *name, size_t column)
{
    return od_table_input_needs(ctx, name, (int64_t)column + 1);
}

odim_status od_arrow_input(od_records **out, const od_table_input *in, od_strlist *notes, odim_error *err)
{
    od_arrow_batches *batches;
    const od_arrow_needs needs = {od_arrow_input_needs, in};
    size_t stored, limit = od_mem_limit(in->options->unpacked);
    *out = NULL;
    od_source_packed(in->src, &stored); /* 0: it is a pipe */
    od_source_limit(in->src, limit);
    odim_status status = ODIM_OK;
    if (!in->like || stored || od_source_size(in->src)) status = od_source_hold(in->src, err);
    if (!status) status = od_arrow_file_open(&batches, in->src, limit, err);
    return status ? status : od_arrow_rows_open(out, batches, &needs, notes, err);
}
