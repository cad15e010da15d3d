/* A hash table with open addressing, of the names in a list. */
#include "io/name_index.h"

#include <stdbool.h>
#include <string.h>

#include "common/mem.h"

/* FNV-1a */
static uint64_t hash_of(const char *text, size_t len)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h ^ h >> 32;
}

static bool is_named(const od_strlist *names, size_t at, const char *name, size_t len)
{
    const char *own = od_strlist_at(names, at);
    return strncmp(own, name, len) == 0 && own[len] == '\0';
}

static size_t first_slot(const od_name_index *x, uint64_t hash)
{
    return (size_t)hash & (x->cap * 2 - 1);
}

static size_t next_slot(const od_name_index *x, size_t slot)
{
    return (slot + 1) & (x->cap * 2 - 1);
}

static void take_slot(od_name_index *x, size_t at)
{
    size_t slot = first_slot(x, x->hash[at]);
    while (x->slots[slot]) slot = next_slot(x, slot);
    x->slots[slot] = (uint32_t)at + 1;
}

/* Half of the slots stay free. */
static odim_status grow(od_name_index *x, size_t count, odim_error *err)
{
    size_t cap = x->cap ? x->cap * 2 : 32;
    uint64_t *hash = od_grow(x->hash, count, cap, sizeof *hash);
    if (hash) x->hash = hash;
    uint32_t *slots = hash ? od_calloc(cap * 2, sizeof *slots) : NULL;
    if (!slots) return od_fail_nomem(err);
    od_free(x->slots);
    x->slots = slots;
    x->cap = cap;
    for (size_t i = 0; i < count; i++) take_slot(x, i);
    return ODIM_OK;
}

odim_status od_name_index_add(od_name_index *x, od_strlist *names, const char *name, size_t len,
                              odim_error *err)
{
    size_t at = names->count;
    odim_status status = at == x->cap ? grow(x, at, err) : ODIM_OK;
    if (!status) status = od_strlist_add(names, name, len, err);
    if (status) return status;
    x->hash[at] = hash_of(name, len);
    take_slot(x, at);
    return ODIM_OK;
}

int64_t od_name_index_find(const od_name_index *x, const od_strlist *names, const char *name, size_t len,
                           size_t guess)
{
    if (guess < names->count && is_named(names, guess, name, len)) return (int64_t)guess;
    if (!x->cap) return -1;
    uint64_t hash = hash_of(name, len);
    for (size_t slot = first_slot(x, hash); x->slots[slot]; slot = next_slot(x, slot)) {
        size_t at = x->slots[slot] - 1;
        if (x->hash[at] == hash && is_named(names, at, name, len)) return (int64_t)at;
    }
    return -1;
}

void od_name_index_clear(od_name_index *x)
{
    if (x->cap) memset(x->slots, 0, x->cap * 2 * sizeof *x->slots);
}

void od_name_index_free(od_name_index *x)
{
    od_free(x->hash);
    od_free(x->slots);
    *x = (od_name_index){0};
}
