#include "prep/read_ids.h"

#include <string.h>

#include "base/mem.h"

odim_status od_read_ids_add(od_read_ids *ids, odim_table *t, const char *text, size_t len, odim_error *err)
{
    if (ids->rows == ids->rows_cap) {
        size_t cap = ids->rows_cap ? ids->rows_cap * 2 : 256;
        size_t *start = od_grow(t->id_start, ids->rows, cap, sizeof *start);
        if (!start) return od_fail_nomem(err);
        t->id_start = start;
        ids->rows_cap = cap;
    }
    if (ids->cap - ids->used <= len) {
        size_t cap = (ids->used + len + 1) * 2;
        char *more = od_grow(t->ids, ids->used, cap, 1);
        if (!more) return od_fail_nomem(err);
        t->ids = more;
        ids->cap = cap;
    }
    t->id_start[ids->rows++] = ids->used;
    memcpy(t->ids + ids->used, text, len);
    t->ids[ids->used + len] = '\0';
    ids->used += len + 1;
    return ODIM_OK;
}
