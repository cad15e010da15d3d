/*
 * A hash table of row numbers, open addressing, at most half full. Rows are compared by their bytes: 0 and -0
 * count as different, which costs a score and not its correctness.
 */
#include "prep/distinct.h"

#include <string.h>

#include "common/mem.h"
#include "base/poll.h"

#define EMPTY     UINT32_MAX
#define POLL_ROWS 64

/* The columns that count, and how the cells lie. */
typedef struct transform {
    const char *cells;
    size_t cell, stride; /* bytes */
    int64_t *col;        /* (cols) */
    int64_t cols;
} transform;

static uint64_t mix(uint64_t h, const char *p, size_t size)
{
    uint64_t word = 0;
    memcpy(&word, p, size);
    h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static uint32_t hash_row(const transform *v, size_t row)
{
    const char *p = v->cells + row * v->stride;
    uint64_t h = (uint64_t)v->cols;
    for (int64_t k = 0; k < v->cols; k++) h = mix(h, p + (size_t)v->col[k] * v->cell, v->cell);
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(h >> 32);
}

static bool same_row(const transform *v, size_t a, size_t b)
{
    const char *p = v->cells + a * v->stride, *q = v->cells + b * v->stride;
    for (int64_t k = 0; k < v->cols; k++) {
        size_t at = (size_t)v->col[k] * v->cell;
        if (memcmp(p + at, q + at, v->cell) != 0) return false;
    }
    return true;
}

odim_status od_distinct_find(od_distinct *out, const odim_table *t, const int64_t *source, int64_t cols,
                             odim_error *err)
{
    *out = (od_distinct){.count = t->n};
    if ((uint64_t)t->n >= EMPTY) return ODIM_OK;
    size_t n = (size_t)t->n, slots = 16;
    while (slots < 2 * n) slots *= 2;
    transform v = {.cells = t->cells, .cell = t->is_f64 ? sizeof(double) : sizeof(float)};
    v.stride = v.cell * (size_t)t->stride;
    v.col = od_alloc((size_t)cols, sizeof *v.col);
    uint32_t *table = od_alloc(slots, sizeof *table); /* kinds */
    out->kind = od_alloc(n, sizeof *out->kind);
    out->rows = od_alloc(n, sizeof *out->rows);
    if (!v.col || !table || !out->kind || !out->rows) {
        od_free(v.col);
        od_free(table);
        od_distinct_free(out);
        return od_fail_nomem(err);
    }
    for (int64_t j = 0; j < cols; j++)
        if (source[j] >= 0) v.col[v.cols++] = source[j];
    memset(table, 0xFF, slots * sizeof *table);
    uint32_t count = 0;
    odim_status status = ODIM_OK;
    for (size_t i = 0; !status && i < n; i++) {
        if (i % POLL_ROWS == 0) status = od_poll_check(err);
        size_t at = hash_row(&v, i) & (slots - 1);
        while (table[at] != EMPTY && !same_row(&v, (size_t)out->rows[table[at]], i))
            at = (at + 1) & (slots - 1);
        if (table[at] == EMPTY) {
            out->rows[count] = (int64_t)i;
            table[at] = count++;
        }
        out->kind[i] = table[at];
    }
    out->count = count;
    od_free(v.col);
    od_free(table);
    if (status || count == n) { /* nothing to share: give the memory back */
        od_distinct_free(out);
        out->count = t->n;
    }
    return status;
}

void od_distinct_free(od_distinct *x)
{
    od_free(x->rows);
    od_free(x->kind);
    *x = (od_distinct){0};
}

odim_status odim_table_duplicates(const odim_table *t, int64_t *out, odim_error *err)
{
    OD_NEED(t, "table", err);
    OD_NEED(out, "out", err);
    od_distinct found = {.count = t->n};
    int64_t *all = od_alloc((size_t)t->d, sizeof *all);
    if (!all) return od_fail_nomem(err);
    for (int64_t j = 0; j < t->d; j++) all[j] = j;
    odim_status status = od_distinct_find(&found, t, all, t->d, err);
    *out = status ? 0 : t->n - found.count;
    od_distinct_free(&found);
    od_free(all);
    return status;
}
