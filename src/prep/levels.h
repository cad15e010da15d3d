/* The levels of a category: texts with codes 0, 1, ... in the order of their first appearance. */
#ifndef OD_LEVELS_H
#define OD_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strlist.h"

/* A column with more distinct texts, or longer ones, is no category. */
#define OD_LEVELS_MOST  65536
#define OD_LEVELS_BYTES ((size_t)16 << 20) /* of all texts together */

/* Begin with {0}. */
typedef struct od_levels {
    od_strlist texts;
    uint32_t *slot; /* (slots) code + 1, 0: free; open addressing, at most half full */
    size_t slots;
    bool overflow; /* there were more: all that came later have one code, the number of levels, and no text */
} od_levels;

/* The code of a text, new or old. */
odim_status od_levels_code(od_levels *l, const char *text, size_t len, uint32_t *code, odim_error *err);
/* The code, or -1. */
int64_t od_levels_find(const od_levels *l, const char *text, size_t len);
/* Adds the levels of rows that come later, as if their cells had come in that order; code (levels of `later`,
 * and one more for those it left out) becomes the code of each here. */
odim_status od_levels_merge(od_levels *l, const od_levels *later, uint32_t *code, odim_error *err);
/* Makes a copy; `to` is empty. */
odim_status od_levels_copy(od_levels *to, const od_levels *from, odim_error *err);
/* Whether both have the same texts with the same codes. */
bool od_levels_equal(const od_levels *a, const od_levels *b);
/* Forgets all levels but the first `count`. */
void od_levels_cut(od_levels *l, int64_t count);
void od_levels_free(od_levels *l);

static inline int64_t od_levels_count(const od_levels *l)
{
    return (int64_t)l->texts.count;
}

#endif
