/* A growing list of texts in one block of memory. */
#include "base/strlist.h"

#include <string.h>

#include "common/mem.h"

odim_status od_strlist_add(od_strlist *t, const char *text, size_t len, odim_error *err)
{
    if (t->count == t->count_cap) {
        size_t cap = t->count_cap ? t->count_cap * 2 : 256;
        size_t *start = od_grow(t->start, t->count, cap, sizeof *start);
        if (!start) return od_fail_nomem(err);
        t->start = start;
        t->count_cap = cap;
    }
    if (t->cap - t->used <= len) {
        size_t cap = (t->used + len + 1) * 2;
        char *bytes = od_grow(t->bytes, t->used, cap, 1);
        if (!bytes) return od_fail_nomem(err);
        t->bytes = bytes;
        t->cap = cap;
    }
    t->start[t->count++] = t->used;
    if (len) memcpy(t->bytes + t->used, text, len);
    t->bytes[t->used + len] = '\0';
    t->used += len + 1;
    return ODIM_OK;
}

void od_strlist_clear(od_strlist *t)
{
    t->count = t->used = 0;
}

void od_strlist_free(od_strlist *t)
{
    od_free(t->bytes);
    od_free(t->start);
    *t = (od_strlist){0};
}
