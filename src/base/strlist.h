/* A list of texts that only grows: ids of rows, levels of a category, cells that are kept. */
#ifndef OD_STRLIST_H
#define OD_STRLIST_H

#include "base/status.h"

/* Begin with {0}. */
typedef struct od_strlist {
    char *bytes;   /* one after the other, each with its '\0' */
    size_t *start; /* (count) of each in bytes */
    size_t count, count_cap, used, cap;
} od_strlist;

odim_status od_strlist_add(od_strlist *t, const char *text, size_t len, odim_error *err);
/* Adds `count` texts of another list, from number `first` on. */
odim_status od_strlist_append(od_strlist *t, const od_strlist *from, size_t first, size_t count,
                              odim_error *err);
/* Forgets all texts but the first `count`, the memory kept. */
void od_strlist_cut(od_strlist *t, size_t count);
/* No texts, the memory kept. */
void od_strlist_clear(od_strlist *t);
void od_strlist_free(od_strlist *t);

static inline const char *od_strlist_at(const od_strlist *t, size_t i)
{
    return t->bytes + t->start[i];
}

#endif
