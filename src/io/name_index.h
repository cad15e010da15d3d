/* Finds the columns of a list by name, in constant time: a hash table beside the list. */
#ifndef OD_NAME_INDEX_H
#define OD_NAME_INDEX_H

#include <stdint.h>

#include "base/strlist.h"

/* Begin with {0}. */
typedef struct od_name_index {
    uint64_t *hash;  /* (cap) of each name */
    uint32_t *slots; /* (2 cap, a power of two) places in the list, from 1; 0: free */
    size_t cap;
} od_name_index;

/* Adds a name that is new to the list and to its index. At most 2^31 names. */
odim_status od_name_index_add(od_name_index *x, od_strlist *names, const char *name, size_t len,
                              odim_error *err);
/* The place of the name, -1: none. It is looked for at `guess` first. */
int64_t od_name_index_find(const od_name_index *x, const od_strlist *names, const char *name, size_t len,
                           size_t guess);
/* After the list has been cleared. */
void od_name_index_clear(od_name_index *x);
void od_name_index_free(od_name_index *x);

#endif
