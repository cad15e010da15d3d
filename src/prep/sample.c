/* Samples rows by random keys, with a heap of the smallest. */
#include "prep/sample.h"

#include <stdbool.h>
#include <stdlib.h>
#include "common/mem.h"
#include "base/poll.h"

#define MOST_ROWS  131072
#define LEAST_ROWS 32768
#define POLL_ROWS  4096
#define CELLS      ((int64_t)1 << 24)
#define FEW_ROWS   8192

int64_t od_sample_size(int64_t cols)
{
    int64_t rows = CELLS / cols;
    return rows > MOST_ROWS ? MOST_ROWS : rows < LEAST_ROWS ? LEAST_ROWS : rows;
}

int64_t od_sample_known_size(int64_t cols)
{
    return od_sample_size(cols) / 4;
}

odim_status od_sample_new(od_sample *s, int64_t size, uint64_t seed, odim_error *err)
{
    *s = (od_sample){.size = size, .stream = od_rng_make(seed, 0, OD_RNG_SAMPLE, 0)};
    s->heap = od_alloc((size_t)size, sizeof *s->heap);
    return s->heap ? ODIM_OK : od_fail_nomem(err);
}

static bool is_above(const od_sample_row *a, const od_sample_row *b)
{
    return a->key != b->key ? a->key > b->key : a->row > b->row;
}

static void swap(od_sample_row *a, od_sample_row *b)
{
    od_sample_row t = *a;
    *a = *b;
    *b = t;
}

static void sift_up(od_sample_row *h, int64_t i)
{
    for (; i > 0 && is_above(&h[i], &h[(i - 1) / 2]); i = (i - 1) / 2) swap(&h[i], &h[(i - 1) / 2]);
}

static void sift_down(od_sample_row *h, int64_t count)
{
    for (int64_t i = 0;;) {
        int64_t top = i;
        for (int64_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
            if (is_above(&h[child], &h[top])) top = child;
        if (top == i) return;
        swap(&h[i], &h[top]);
        i = top;
    }
}

int64_t od_sample_offer(od_sample *s, int64_t row)
{
    uint32_t word[4];
    od_rng_block(&s->stream, (uint64_t)row, word);
    od_sample_row x = {.key = (uint64_t)word[0] << 32 | word[1], .row = row, .slot = s->count};
    if (s->count < s->size) {
        s->heap[s->count] = x;
        sift_up(s->heap, s->count++);
        return x.slot;
    }
    if (!is_above(&s->heap[0], &x)) return -1;
    x.slot = s->heap[0].slot;
    s->heap[0] = x;
    sift_down(s->heap, s->count);
    return x.slot;
}

int64_t od_sample_within(const od_sample *s, uint64_t key, int64_t row)
{
    const od_sample_row last = {.key = key, .row = row};
    int64_t count = 0;
    for (int64_t i = 0; i < s->count; i++) count += !is_above(&s->heap[i], &last);
    return count;
}

void od_sample_limit(od_sample *s, uint64_t key, int64_t row)
{
    const od_sample_row last = {.key = key, .row = row};
    int64_t count = 0;
    for (int64_t i = 0; i < s->count; i++)
        if (!is_above(&s->heap[i], &last)) s->heap[count++] = s->heap[i];
    s->count = count;
}

static int by_row(const void *a, const void *b)
{
    const od_sample_row *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

void od_sample_sort(od_sample *s)
{
    qsort(s->heap, (size_t)s->count, sizeof *s->heap, by_row);
}

void od_sample_free(od_sample *s)
{
    od_free(s->heap);
    *s = (od_sample){0};
}

/* The rows with the smallest keys, at most `size`; with `known` only among those that are known outliers. */
static odim_status pick(int64_t **rows, int64_t *count, const int8_t *known, int64_t n, int64_t size,
                        uint64_t seed, odim_error *err)
{
    od_sample s;
    odim_status status = od_sample_new(&s, n < size ? n : size, seed, err);
    if (status) return status;
    for (int64_t i = 0; !status && i < n; i++) {
        if (!known || known[i] == 1) od_sample_offer(&s, i);
        if (i % POLL_ROWS == 0) status = od_poll_check(err);
    }
    if (status) {
        od_sample_free(&s);
        return status;
    }
    od_sample_sort(&s);
    *count = s.count;
    *rows = od_alloc((size_t)s.count, sizeof **rows);
    if (!*rows) status = od_fail_nomem(err);
    for (int64_t i = 0; !status && i < s.count; i++) (*rows)[i] = s.heap[i].row;
    od_sample_free(&s);
    return status;
}

odim_status od_sample_choose(od_row_set *out, const int8_t *known, int64_t n, int64_t cols, uint64_t seed,
                             odim_error *err)
{
    *out = (od_row_set){.count = n};
    int64_t size = od_sample_size(cols);
    odim_status status = n > size ? pick(&out->rows, &out->count, NULL, n, size, seed, err) : ODIM_OK;
    if (!status && known)
        status = pick(&out->known, &out->knowns, known, n, od_sample_known_size(cols), seed, err);
    if (status) od_row_set_free(out);
    return status;
}

void od_row_set_free(od_row_set *c)
{
    od_free(c->rows);
    od_free(c->known);
    *c = (od_row_set){0};
}

int64_t od_row_set_even(const od_row_set *s, int64_t i, int64_t n)
{
    int64_t at = i * s->count / n;
    return s->rows ? s->rows[at] : at;
}

int64_t od_sample_few(int64_t rows, int64_t features)
{
    int64_t most = CELLS / features < FEW_ROWS ? CELLS / features : FEW_ROWS;
    if (most < 2) most = 2;
    return rows < most ? rows : most;
}
