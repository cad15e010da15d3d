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
/* No texts, the memory kept. */
void od_strlist_clear(od_strlist *t);
void od_strlist_free(od_strlist *t);

static inline const char *od_strlist_at(const od_strlist *t, size_t i)
{
    return t->bytes + t->start[i];
}

#endif
