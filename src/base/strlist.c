/* A growing list of texts in one block of memory. */
#include "base/strlist.h"

#include <string.h>

#include "common/mem.h"

/* Room for so many texts more, and for so many bytes. */
static odim_status make_room(od_strlist *t, size_t texts, size_t size, odim_error *err)
{
    if (t->count_cap - t->count < texts) {
        size_t cap = t->count_cap ? t->count_cap * 2 : 256;
        if (cap - t->count < texts) cap = t->count + texts;
        size_t *start = od_grow(t->start, t->count, cap, sizeof *start);
        if (!start) return od_fail_nomem(err);
        t->start = start;
        t->count_cap = cap;
    }
    if (t->cap - t->used < size) {
        size_t cap = (t->used + size) * 2;
        char *bytes = od_grow(t->bytes, t->used, cap, 1);
        if (!bytes) return od_fail_nomem(err);
        t->bytes = bytes;
        t->cap = cap;
    }
    return ODIM_OK;
}

odim_status od_strlist_add(od_strlist *t, const char *text, size_t len, odim_error *err)
{
    odim_status status = make_room(t, 1, len + 1, err);
    if (status) return status;
    t->start[t->count++] = t->used;
    if (len) memcpy(t->bytes + t->used, text, len);
    t->bytes[t->used + len] = '\0';
    t->used += len + 1;
    return ODIM_OK;
}

odim_status od_strlist_append(od_strlist *t, const od_strlist *from, size_t first, size_t count,
                              odim_error *err)
{
    if (count == 0) return ODIM_OK;
    size_t begin = from->start[first];
    size_t end = first + count < from->count ? from->start[first + count] : from->used;
    odim_status status = make_room(t, count, end - begin, err);
    if (status) return status;
    for (size_t i = 0; i < count; i++) t->start[t->count++] = t->used + (from->start[first + i] - begin);
    memcpy(t->bytes + t->used, from->bytes + begin, end - begin);
    t->used += end - begin;
    return ODIM_OK;
}

void od_strlist_cut(od_strlist *t, size_t count)
{
    if (count >= t->count) return;
    t->used = t->start[count];
    t->count = count;
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
