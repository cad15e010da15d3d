/* Opens a database by its path, because a log may lie next to it, or else from memory. */
#include "prep/sqlite_input.h"

#include "common/mem.h"
#include "io/sqlite_rows.h"

odim_status od_sqlite_input(od_records **out, const od_table_input *in, od_strlist *notes, odim_error *err)
{
    const unsigned char *bytes;
    size_t size;
    const odim_read_options *o = in->options;
    const od_sqlite_choice choice = {.table = o->table, .sql = o->sql};
    if (in->path && od_source_size(in->src)) return od_sqlite_open(out, in->path, choice, notes, err);
    od_source_limit(in->src, od_mem_limit(o->unpacked));
    odim_status status = od_source_all(in->src, &bytes, &size, err);
    return status ? status : od_sqlite_open_memory(out, bytes, size, choice, notes, err);
}
