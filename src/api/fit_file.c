/* Fitting from a file of any size: one pass for the survey and the rows that represent it. */
#include <string.h>

#include "api/privately.h"
#include "kern/kern.h"
#include "prep/read.h"
#include "prep/sample.h"

#define BLOCK_ROWS  8192
#define BLOCKS_TICK 16 /* blocks between two calls of the progress hook */

/* Rows chosen from those that came by, and their cells. */
typedef struct shelf {
    od_sample sample;
    double *cells; /* (cap, d) by slot */
    int8_t *known; /* (cap) what is known of each, by slot */
    int64_t cap;
} shelf;

typedef struct pass {
    odim_reader *reader;
    od_whole whole;
    shelf all;      /* the rows that represent the file */
    shelf outliers; /* the known outliers, some of which may be among those */
    int64_t rows;
} pass;

static odim_status make_room(shelf *s, int64_t slot, int64_t d, odim_error *err)
{
    if (slot < s->cap) return ODIM_OK;
    int64_t cap = s->cap ? s->cap * 2 : BLOCK_ROWS;
    if (cap > s->sample.size) cap = s->sample.size;
    double *cells = od_grow(s->cells, (size_t)(s->cap * d), (size_t)(cap * d), sizeof *cells);
    if (cells) s->cells = cells;
    int8_t *known = cells ? od_grow(s->known, (size_t)s->cap, (size_t)cap, 1) : NULL;
    if (!known) return od_fail_nomem(err);
    s->known = known;
    s->cap = cap;
    return ODIM_OK;
}

/* Row i of the block, which is number `row` of the file. */
static odim_status offer(shelf *s, const odim_table *block, int64_t i, int64_t row, odim_error *err)
{
    int64_t slot = od_sample_offer(&s->sample, row), d = block->d;
    if (slot < 0) return ODIM_OK;
    odim_status status = make_room(s, slot, d, err);
    if (status) return status;
    for (int64_t j = 0; j < d; j++) s->cells[slot * d + j] = od_table_cell(block, i, j);
    s->known[slot] = block->known ? block->known[i] : -1;
    return ODIM_OK;
}

static void shelf_free(shelf *s)
{
    od_sample_free(&s->sample);
    od_free(s->cells);
    od_free(s->known);
}

static odim_status start(pass *p, const odim_table *block, odim_error *err)
{
    uint64_t seed = p->whole.config.seed;
    odim_status status = od_survey_new(&p->whole.survey, block->d, err);
    if (!status) status = od_sample_new(&p->all.sample, od_sample_size(block->d), seed, err);
    if (!status && block->known)
        status = od_sample_new(&p->outliers.sample, od_sample_known_size(block->d), seed, err);
    return status;
}

static odim_status add_block(pass *p, const odim_table *block, odim_error *err)
{
    odim_status status = od_survey_add(&p->whole.survey, block, err);
    for (int64_t i = 0; !status && i < block->n; i++) {
        status = offer(&p->all, block, i, p->rows + i, err);
        if (!status && block->known && block->known[i] == 1)
            status = offer(&p->outliers, block, i, p->rows + i, err);
    }
    p->rows += block->n;
    return status;
}

static odim_status report(const pass *p, odim_error *err)
{
    const odim_hooks *h = p->whole.hooks;
    odim_progress now = {.reading = 1, .rows_done = p->rows};
    if (!h || !h->progress || !h->progress(&now, h->user)) return ODIM_OK;
    return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
}

static odim_status read_all(pass *p, odim_error *err)
{
    const odim_table *block;
    for (int64_t blocks = 0;; blocks++) {
        odim_status status = odim_reader_next(p->reader, BLOCK_ROWS, &block, err);
        if (status || block->n == 0) return status;
        if (blocks == 0) status = start(p, block, err);
        if (!status) status = add_block(p, block, err);
        if (!status && blocks % BLOCKS_TICK == 0) status = report(p, err);
        if (status) return status;
    }
}

/* The rows of a shelf lie in the table from row `first` on, in the order of their slots: their numbers, and a
 * list of them in the order of the file. */
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
static odim_status join(shelf *all, const shelf *outliers, int64_t d, odim_error *err)
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

/* The chosen rows in place of the last block: the columns of the table are those of the file. */
static odim_status gather(pass *p, odim_table *t, odim_error *err)
{
    int64_t n = p->all.sample.count, all = n + p->outliers.sample.count;
    od_chosen *c = &p->whole.chosen;
    if (!(t->number = od_alloc((size_t)all, sizeof *t->number))) return od_fail_nomem(err);
    odim_status status = join(&p->all, &p->outliers, t->d, err);
    if (status) return status;
    od_free((void *)t->cells);
    od_free(t->known);
    t->cells = p->all.cells;
    t->known = p->all.known;
    p->all.cells = NULL;
    p->all.known = NULL;
    t->is_f64 = true;
    t->n = all;
    status = list_rows(&p->all.sample, t, 0, &c->rows, &c->count, err);
    if (!status && all > n) status = list_rows(&p->outliers.sample, t, n, &c->known, &c->knowns, err);
    return status;
}

static odim_status fit(pass *p, odim_model **out, odim_error *err)
{
    odim_table *t = od_reader_take(p->reader);
    odim_status status = gather(p, t, err);
    p->whole.table = t;
    if (!status) status = od_whole_fit(&p->whole, out, NULL, err);
    odim_table_free(t);
    return status;
}

odim_status odim_fit_file(const char *path, const odim_read_options *options, const odim_params *params,
                          const odim_hooks *hooks, odim_model **out, odim_error *err)
{
    *out = NULL;
    if (!path) return od_fail(err, ODIM_ERR_PARAM, "the path is NULL");
    pass p = {.whole.hooks = hooks};
    odim_status status = od_kern_check(err);
    if (!status) status = od_whole_config(&p.whole, params, err);
    if (!status && p.whole.config.dp_epsilon > 0)
        status = od_privately_check(&p.whole.config, NULL, true, err);
    if (!status) status = odim_reader_open(&p.reader, path, options, err);
    if (!status) status = read_all(&p, err);
    if (!status) {
        status = fit(&p, out, err);
        if (status == ODIM_ERR_DATA) od_error_prefix(err, status, od_reader_name(p.reader));
    }
    shelf_free(&p.all);
    shelf_free(&p.outliers);
    od_whole_free(&p.whole);
    odim_reader_free(p.reader);
    return status;
}
