/*
 * Finds copies of rows, on several threads. Rows are compared byte by byte, so that 0 and -0 differ; that
 * costs a score, but no correctness.
 *
 * First every row is hashed. Rows with the same hash bits at the top belong to one part, so the copies of a
 * row are all in one part, and the parts can be searched at the same time: each by a hash table of row
 * numbers with open addressing, at most half full. The tables take most of the time, because nearly every
 * step in them is a cache miss.
 *
 * So where copies are wanted only if there are many, two samples decide whether to search. Rows chosen by
 * their hash are chosen with all of their copies: their share of copies is that of the table, if no row has
 * very many copies. Rows picked from all over the table show the rows that have.
 */
#include "prep/distinct.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/poll.h"

#define EMPTY       UINT32_MAX
#define POLL_ROWS   64
#define JOB_ROWS    16384 /* to be hashed at a time */
#define PART_BITS   6
#define PARTS       (1 << PART_BITS)
#define FEW_ROWS    65536 /* are searched by the calling thread, without samples */
#define SAMPLE_ROWS 16384

/* The columns that count, and how the cells lie. */
typedef struct columns {
    const char *cells;
    size_t cell, stride; /* bytes */
    int64_t *col;        /* (cols) */
    int64_t cols;
} columns;

typedef struct search {
    columns v;
    size_t n;
    int threads;
    uint32_t *hash;          /* (n) */
    uint32_t *order;         /* (n) rows by part, ascending in each */
    size_t start[PARTS + 1]; /* where each part begins in order */
    uint32_t *first;         /* (n) the first row that is the same */
    _Atomic int64_t done;    /* rows hashed, and rows searched */
} search;

/* ---- rows --------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, const char *p, size_t size)
{
    uint64_t word = 0;
    memcpy(&word, p, size);
    h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static uint32_t hash_row(const columns *v, size_t row)
{
    const char *p = v->cells + row * v->stride;
    uint64_t h = (uint64_t)v->cols;
    for (int64_t k = 0; k < v->cols; k++) h = mix(h, p + (size_t)v->col[k] * v->cell, v->cell);
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(h >> 32);
}

static bool same_row(const columns *v, size_t a, size_t b)
{
    const char *p = v->cells + a * v->stride, *q = v->cells + b * v->stride;
    for (int64_t k = 0; k < v->cols; k++) {
        size_t at = (size_t)v->col[k] * v->cell;
        if (memcmp(p + at, q + at, v->cell) != 0) return false;
    }
    return true;
}

/* ---- jobs --------------------------------------------------------------------------------------------- */

static int tick(void *ctx)
{
    search *s = ctx;
    od_poll_show(OD_DISTINCT_SHARE * (double)atomic_load(&s->done) / (2.0 * (double)s->n));
    return od_poll_tick(NULL);
}

static odim_status run(search *s, int64_t jobs, od_parallel_job job, odim_error *err)
{
    return od_parallel_run(s->n > FEW_ROWS ? s->threads : 0, jobs, job, tick, s, err);
}

static odim_status hash_some(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    (void)worker;
    search *s = ctx;
    size_t begin = (size_t)job * JOB_ROWS, end = s->n - begin < JOB_ROWS ? s->n : begin + JOB_ROWS;
    for (size_t i = begin; i < end; i++) {
        if (i % POLL_ROWS == 0 && od_parallel_stopped(par))
            return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        s->hash[i] = hash_row(&s->v, i);
    }
    atomic_fetch_add(&s->done, (int64_t)(end - begin));
    return ODIM_OK;
}

/* Finds the first row of each kind in a part. */
static odim_status search_part(void *ctx, od_parallel *par, int worker, int64_t part, odim_error *err)
{
    (void)worker;
    search *s = ctx;
    const uint32_t *rows = s->order + s->start[part];
    size_t count = s->start[part + 1] - s->start[part], slots = 16;
    while (slots < 2 * count) slots *= 2;
    uint32_t *table = od_alloc(slots, sizeof *table); /* rows */
    if (!table) return od_fail_nomem(err);
    memset(table, 0xFF, slots * sizeof *table);
    odim_status status = ODIM_OK;
    for (size_t i = 0; !status && i < count; i++) {
        if (i % POLL_ROWS == 0 && od_parallel_stopped(par))
            status = od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        uint32_t row = rows[i], hash = s->hash[row];
        size_t at = hash & (slots - 1);
        while (table[at] != EMPTY && (s->hash[table[at]] != hash || !same_row(&s->v, table[at], row)))
            at = (at + 1) & (slots - 1);
        if (table[at] == EMPTY) table[at] = row;
        s->first[row] = table[at];
    }
    od_free(table);
    atomic_fetch_add(&s->done, (int64_t)count);
    return status;
}

/* ---- samples ------------------------------------------------------------------------------------------ */

static int compare_hashes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The share of hashes that equal another; sorts them. */
static double share_of_copies(uint32_t *hash, size_t count)
{
    size_t copies = 0;
    qsort(hash, count, sizeof *hash, compare_hashes);
    for (size_t i = 1; i < count; i++) copies += hash[i] == hash[i - 1];
    return count ? (double)copies / (double)count : 0.0;
}

/* The larger share of the two samples. Sets *share to 1 if the sample by hash is too large, as one of few
 * kinds can be. */
static odim_status sample_share(const search *s, double *share, odim_error *err)
{
    size_t step = s->n / SAMPLE_ROWS, room = 4 * SAMPLE_ROWS, count = 0;
    uint32_t mask = 0, *sample = od_alloc(room, sizeof *sample);
    if (!sample) return od_fail_nomem(err);
    while (((size_t)mask + 1) * 2 <= step) mask = 2 * mask + 1;
    for (size_t i = 0; i < s->n && count < room; i++)
        if ((s->hash[i] & mask) == 0) sample[count++] = s->hash[i];
    *share = count < room ? share_of_copies(sample, count) : 1.0;
    for (count = 0; count < SAMPLE_ROWS; count++) {
        uint64_t place = (uint64_t)count * UINT64_C(0x9E3779B97F4A7C15) >> 32;
        sample[count] = s->hash[count * step + place % step];
    }
    double everywhere = share_of_copies(sample, count);
    if (everywhere > *share) *share = everywhere;
    od_free(sample);
    return ODIM_OK;
}

/* ---- all together -------------------------------------------------------------------------------------- */

static size_t part_of(uint32_t hash)
{
    return hash >> (32 - PART_BITS);
}

/* Sorts the rows by part. */
static void make_parts(search *s)
{
    size_t next[PARTS];
    memset(s->start, 0, sizeof s->start);
    for (size_t i = 0; i < s->n; i++) s->start[part_of(s->hash[i]) + 1]++;
    for (int p = 0; p < PARTS; p++) s->start[p + 1] += s->start[p];
    memcpy(next, s->start, sizeof next);
    for (size_t i = 0; i < s->n; i++) s->order[next[part_of(s->hash[i])]++] = (uint32_t)i;
}

/* From the first row of the same kind to the number of the kind, in place. */
static odim_status number_kinds(od_distinct *out, size_t n, odim_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += out->kind[i] == i;
    out->count = (int64_t)count;
    if (count == n) return ODIM_OK;
    out->rows = od_alloc(count, sizeof *out->rows);
    if (!out->rows) return od_fail_nomem(err);
    count = 0;
    for (size_t i = 0; i < n; i++) {
        if (out->kind[i] == i) {
            out->rows[count] = (int64_t)i;
            out->kind[i] = (uint32_t)count++;
        } else {
            out->kind[i] = out->kind[out->kind[i]];
        }
    }
    return ODIM_OK;
}

/* Sets out->kind unless there are too few copies. */
static odim_status find(search *s, double worth, od_distinct *out, odim_error *err)
{
    double share = 1.0;
    if (!(s->hash = od_alloc(s->n, sizeof *s->hash))) return od_fail_nomem(err);
    odim_status status = run(s, (int64_t)((s->n + JOB_ROWS - 1) / JOB_ROWS), hash_some, err);
    if (!status && worth > 0.0 && s->n > FEW_ROWS) status = sample_share(s, &share, err);
    if (status || share < worth) return status;
    s->order = od_alloc(s->n, sizeof *s->order);
    s->first = out->kind = od_alloc(s->n, sizeof *out->kind);
    if (!s->order || !out->kind) return od_fail_nomem(err);
    make_parts(s);
    return run(s, PARTS, search_part, err);
}

odim_status od_distinct_find(od_distinct *out, const odim_table *t, const int64_t *source, int64_t cols,
                             const od_distinct_options *options, odim_error *err)
{
    *out = (od_distinct){.count = t->n};
    if (t->n < 2 || (uint64_t)t->n >= EMPTY) return ODIM_OK;
    search s = {.n = (size_t)t->n, .threads = (int)options->threads};
    s.v = (columns){.cells = t->cells, .cell = t->is_f64 ? sizeof(double) : sizeof(float)};
    s.v.stride = s.v.cell * (size_t)t->stride;
    s.v.col = od_alloc((size_t)cols, sizeof *s.v.col);
    odim_status status = s.v.col ? ODIM_OK : od_fail_nomem(err);
    for (int64_t j = 0; !status && j < cols; j++)
        if (source[j] >= 0) s.v.col[s.v.cols++] = source[j];
    if (!status) status = find(&s, options->worth, out, err);
    od_free(s.v.col);
    od_free(s.hash);
    od_free(s.order);
    if (!status && out->kind) status = number_kinds(out, s.n, err);
    if (status || !out->rows) { /* nothing to share: give the memory back */
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
    odim_status status = od_distinct_find(
        &found, t, all, t->d, &(od_distinct_options){.threads = od_run_threads(&(od_run){0})}, err);
    *out = status ? 0 : t->n - found.count;
    od_distinct_free(&found);
    od_free(all);
    return status;
}
