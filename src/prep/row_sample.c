/* Keeps the cells of sampled rows while blocks of a table pass by. */
#include "prep/row_sample.h"

#include <string.h>

#include "common/mem.h"

#define FIRST_ROWS 8192

odim_status od_row_sample_new(od_row_sample *s, int64_t d, bool known, uint64_t seed, odim_error *err)
{
    s->d = d;
    odim_status status = od_sample_new(&s->all.sample, od_sample_size(d), seed, err);
    if (!status && known) status = od_sample_new(&s->outliers.sample, od_sample_known_size(d), seed, err);
    return status;
}

static odim_status make_room(od_kept_rows *r, int64_t slot, int64_t d, odim_error *err)
{
    if (slot < r->cap) return ODIM_OK;
    int64_t cap = r->cap ? r->cap * 2 : FIRST_ROWS;
    if (cap > r->sample.size) cap = r->sample.size;
    double *cells = od_grow(r->cells, (size_t)(r->cap * d), (size_t)(cap * d), sizeof *cells);
    if (cells) r->cells = cells;
    int8_t *known = cells ? od_grow(r->known, (size_t)r->cap, (size_t)cap, 1) : NULL;
    if (!known) return od_fail_nomem(err);
    r->known = known;
    r->cap = cap;
    return ODIM_OK;
}

odim_status od_kept_rows_put(od_kept_rows *r, int64_t d, int64_t row, const double *cells, int8_t known,
                             odim_error *err)
{
    int64_t slot = od_sample_offer(&r->sample, row);
    if (slot < 0) return ODIM_OK;
    odim_status status = make_room(r, slot, d, err);
    if (status) return status;
    memcpy(r->cells + slot * d, cells, (size_t)d * sizeof *cells);
    r->known[slot] = known;
    return ODIM_OK;
}

/* Row i of the block, which is number `row` of all. */
static odim_status offer(od_kept_rows *r, const odim_table *block, int64_t i, int64_t row, odim_error *err)
{
    int64_t slot = od_sample_offer(&r->sample, row), d = block->d;
    if (slot < 0) return ODIM_OK;
    odim_status status = make_room(r, slot, d, err);
    if (status) return status;
    for (int64_t j = 0; j < d; j++) r->cells[slot * d + j] = od_table_cell(block, i, j);
    r->known[slot] = block->known ? block->known[i] : -1;
    return ODIM_OK;
}

odim_status od_row_sample_add(od_row_sample *s, const odim_table *block, int64_t first, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < block->n; i++) {
        status = offer(&s->all, block, i, first + i, err);
        if (!status && block->known && block->known[i] == 1)
            status = offer(&s->outliers, block, i, first + i, err);
    }
    return status;
}

/* Lists kept rows in the order of the file, with their numbers. They lie in the table from row `first` on, in
 * the order of their slots. */
static odim_status list_rows(od_sample *s, odim_table *t, int64_t first, int64_t **list, int64_t *count,
                             odim_error *err)
{
    *list = od_alloc((size_t)s->count, sizeof **list);
    if (!*list) return od_fail_nomem(err);
    od_sample_sort(s);
    *count = s->count;
    for (int64_t i = 0; i < s->count; i++) {
        int64_t row = (*list)[i] = first + s->heap[i].slot;
        t->number[row] = s->heap[i].row + 1;
    }
    return ODIM_OK;
}

/* The known outliers behind the other rows. */
static odim_status join(od_kept_rows *all, const od_kept_rows *outliers, int64_t d, odim_error *err)
{
    int64_t n = all->sample.count, more = outliers->sample.count;
    if (more == 0) return ODIM_OK;
    double *cells = od_grow(all->cells, (size_t)(n * d), (size_t)((n + more) * d), sizeof *cells);
    if (cells) all->cells = cells;
    int8_t *known = cells ? od_grow(all->known, (size_t)n, (size_t)(n + more), 1) : NULL;
    if (!known) return od_fail_nomem(err);
    all->known = known;
    memcpy(cells + n * d, outliers->cells, (size_t)(more * d) * sizeof *cells);
    memcpy(known + n, outliers->known, (size_t)more);
    return ODIM_OK;
}

odim_status od_row_sample_take(od_row_sample *s, odim_table *t, od_row_set *chosen, odim_error *err)
{
    int64_t n = s->all.sample.count, all = n + s->outliers.sample.count;
    od_free(t->number); /* of the rows of the last block, as are their files */
    od_free(t->path);
    t->path = NULL;
    if (!(t->number = od_alloc((size_t)all, sizeof *t->number))) return od_fail_nomem(err);
    odim_status status = join(&s->all, &s->outliers, t->d, err);
    if (status) return status;
    od_free((void *)t->cells);
    od_free(t->known);
    t->cells = s->all.cells;
    t->known = s->all.known;
    s->all.cells = NULL;
    s->all.known = NULL;
    t->is_f64 = true;
    t->n = all;
    status = list_rows(&s->all.sample, t, 0, &chosen->rows, &chosen->count, err);
    if (!status && all > n)
        status = list_rows(&s->outliers.sample, t, n, &chosen->known, &chosen->knowns, err);
    return status;
}

static void kept_rows_free(od_kept_rows *r)
{
    od_sample_free(&r->sample);
    od_free(r->cells);
    od_free(r->known);
}

void od_row_sample_free(od_row_sample *s)
{
    kept_rows_free(&s->all);
    kept_rows_free(&s->outliers);
    *s = (od_row_sample){0};
}

void od_row_set_gather(const od_row_set *rows, const odim_table *t, int64_t n, int64_t col, double *out)
{
    if (rows->rows || n != rows->count) {
        for (int64_t i = 0; i < n; i++) out[i] = od_table_cell(t, od_row_set_even(rows, i, n), col);
    } else if (t->is_f64) {
        const double *cells = (const double *)t->cells + col;
        for (int64_t i = 0; i < n; i++) out[i] = cells[i * t->stride];
    } else {
        const float *cells = (const float *)t->cells + col;
        for (int64_t i = 0; i < n; i++) out[i] = (double)cells[i * t->stride];
    }
}
