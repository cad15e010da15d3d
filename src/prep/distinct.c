/*
 * A hash table of row numbers, open addressing, at most half full. Rows are compared by their bytes: 0 and -0
 * count as different, which costs a score and not its correctness.
 */
#include "prep/distinct.h"

#include <string.h>

#include "base/mem.h"

#define EMPTY UINT32_MAX

static const char *row_bytes(const odim_table *t, int64_t row, size_t *size)
{
    size_t cell = t->is_f64 ? sizeof(double) : sizeof(float);
    *size = cell * (size_t)t->d;
    return (const char *)t->cells + cell * (size_t)(row * t->stride);
}

/* Four bytes at a time, a multiply and a shift each. */
static uint32_t hash_row(const odim_table *t, int64_t row)
{
    size_t size;
    const char *p = row_bytes(t, row, &size);
    uint64_t h = size;
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, p + i, 4);
        h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 29;
    }
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(h >> 32);
}

static bool same_row(const odim_table *t, int64_t a, int64_t b)
{
    size_t size;
    const char *p = row_bytes(t, a, &size);
    return memcmp(p, row_bytes(t, b, &size), size) == 0;
}

odim_status od_distinct_find(od_distinct *out, const odim_table *t, odim_error *err)
{
    *out = (od_distinct){.count = t->n};
    if ((uint64_t)t->n >= EMPTY) return ODIM_OK;
    size_t n = (size_t)t->n, slots = 16;
    while (slots < 2 * n) slots *= 2;
    uint32_t *table = od_alloc(slots, sizeof *table); /* kinds */
    out->kind = od_alloc(n, sizeof *out->kind);
    out->rows = od_alloc(n, sizeof *out->rows);
    if (!table || !out->kind || !out->rows) {
        od_free(table);
        od_distinct_free(out);
        return od_fail_nomem(err);
    }
    memset(table, 0xFF, slots * sizeof *table);
    uint32_t count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t at = hash_row(t, (int64_t)i) & (slots - 1);
        while (table[at] != EMPTY && !same_row(t, out->rows[table[at]], (int64_t)i))
            at = (at + 1) & (slots - 1);
        if (table[at] == EMPTY) {
            out->rows[count] = (int64_t)i;
            table[at] = count++;
        }
        out->kind[i] = table[at];
    }
    out->count = count;
    od_free(table);
    if (count == n) { /* nothing to share: give the memory back */
        od_distinct_free(out);
        out->count = t->n;
    }
    return ODIM_OK;
}

void od_distinct_free(od_distinct *x)
{
    od_free(x->rows);
    od_free(x->kind);
    *x = (od_distinct){0};
}
