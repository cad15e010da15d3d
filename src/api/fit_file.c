/* Fitting from a file of any size: one pass for the survey and the rows that represent it. */
#include <string.h>

#include "api/whole.h"
#include "kern/kern.h"
#include "prep/read.h"
#include "prep/sample.h"

#define BLOCK_ROWS  8192
#define BLOCKS_TICK 16 /* blocks between two calls of the progress hook */

typedef struct pass {
    odim_reader *reader;
    od_whole whole;
    od_sample sample;
    double *cells; /* (cap, d) the rows chosen so far, by slot */
    int64_t cap;
    int64_t rows;
} pass;

static odim_status make_room(pass *p, int64_t slot, int64_t d, odim_error *err)
{
    if (slot < p->cap) return ODIM_OK;
    int64_t cap = p->cap ? p->cap * 2 : BLOCK_ROWS;
    if (cap > p->sample.size) cap = p->sample.size;
    double *cells = od_grow(p->cells, (size_t)(p->cap * d), (size_t)(cap * d), sizeof *cells);
    if (!cells) return od_fail_nomem(err);
    p->cells = cells;
    p->cap = cap;
    return ODIM_OK;
}

static odim_status add_block(pass *p, const odim_table *block, odim_error *err)
{
    odim_status status = od_survey_add(&p->whole.survey, block, err);
    for (int64_t i = 0; !status && i < block->n; i++) {
        int64_t slot = od_sample_offer(&p->sample, p->rows + i);
        if (slot < 0) continue;
        status = make_room(p, slot, block->d, err);
        for (int64_t j = 0; !status && j < block->d; j++)
            p->cells[slot * block->d + j] = od_table_cell(block, i, j);
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
        if (blocks == 0) {
            status = od_survey_new(&p->whole.survey, block->d, err);
            if (!status)
                status = od_sample_new(&p->sample, od_sample_size(block->d), p->whole.config.seed, err);
        }
        if (!status) status = add_block(p, block, err);
        if (!status && blocks % BLOCKS_TICK == 0) status = report(p, err);
        if (status) return status;
    }
}

/* The chosen rows as a table that has the columns of the file; its rows lie in the order of their slots. */
static odim_status fit(pass *p, odim_model **out, odim_error *err)
{
    odim_table *t = od_reader_take(p->reader);
    int64_t n = p->sample.count, *order = od_alloc((size_t)n, sizeof *order);
    t->number = od_alloc((size_t)n, sizeof *t->number);
    odim_status status = order && t->number ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        od_sample_sort(&p->sample);
        for (int64_t i = 0; i < n; i++) {
            order[i] = p->sample.heap[i].slot;
            t->number[order[i]] = p->sample.heap[i].row + 1;
        }
        od_free((void *)t->cells);
        t->cells = p->cells;
        p->cells = NULL;
        t->is_f64 = true;
        t->n = n;
        p->whole.table = t;
        p->whole.rows = order;
        p->whole.count = n;
        status = od_whole_fit(&p->whole, out, NULL, err);
    }
    od_free(order);
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
    if (!status) status = odim_reader_open(&p.reader, path, options, err);
    if (!status) status = read_all(&p, err);
    if (!status) {
        status = fit(&p, out, err);
        if (status == ODIM_ERR_DATA) od_error_prefix(err, status, od_reader_name(p.reader));
    }
    od_sample_free(&p.sample);
    od_survey_free(&p.whole.survey);
    od_free(p.cells);
    odim_reader_free(p.reader);
    return status;
}
