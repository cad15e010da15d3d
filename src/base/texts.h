/* A list of texts that only grows: ids of rows, levels of a category, cells that are passed through. */
#ifndef OD_TEXTS_H
#define OD_TEXTS_H

#include "base/status.h"

/* Begin with {0}. */
typedef struct od_texts {
    char *bytes;   /* one after the other, each with its '\0' */
    size_t *start; /* (count) of each in bytes */
    size_t count, count_cap, used, cap;
} od_texts;

odim_status od_texts_add(od_texts *t, const char *text, size_t len, odim_error *err);
/* No texts, the memory kept. */
void od_texts_clear(od_texts *t);
void od_texts_free(od_texts *t);

static inline const char *od_texts_at(const od_texts *t, size_t i)
{
    return t->bytes + t->start[i];
}

#endif
