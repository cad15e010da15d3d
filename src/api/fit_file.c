/* Fits a model from a file of any size: one pass for the column statistics and the row sample. */
#include "base/sized.h"
#include "fit/fit.h"
#include "prep/read.h"
#include "prep/row_sample.h"

#define BLOCK_ROWS 8192

typedef struct pass {
    odim_reader *reader;
    od_fit fit;
    od_row_sample row_sample;
    int64_t rows;
} pass;

static odim_status start(pass *p, const odim_table *block, odim_error *err)
{
    odim_status status = od_column_stats_new(&p->fit.stats, block->d, err);
    if (!status)
        status = od_row_sample_new(&p->row_sample, block->d, block->known != NULL, p->fit.config.seed, err);
    return status;
}

static odim_status add_block(pass *p, const odim_table *block, odim_error *err)
{
    odim_status status = od_column_stats_add(&p->fit.stats, block, err);
    if (!status) status = od_row_sample_add(&p->row_sample, block, p->rows, err);
    p->rows += block->n;
    return status;
}

static odim_status read_all(pass *p, odim_error *err)
{
    const odim_table *block;
    for (bool first = true;; first = false) {
        odim_status status = odim_reader_next(p->reader, BLOCK_ROWS, &block, err);
        if (status || block->n == 0) return status;
        if (first) status = start(p, block, err);
        if (!status) status = add_block(p, block, err);
        p->fit.poll.now.rows_done = p->rows;
        if (!status && first && od_poll_tick(NULL)) status = od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        if (!status) status = od_poll_check(err);
        if (status) return status;
    }
}

/* Nobody else sees the table, so what was noted while reading it goes to the caller's hook. */
static odim_status fit(pass *p, const odim_hooks *hooks, odim_model **out, odim_error *err)
{
    odim_table *t = od_reader_take(p->reader);
    for (int i = 0; hooks->note && odim_table_note(t, i); i++)
        hooks->note(odim_table_note(t, i), hooks->user);
    odim_status status = od_row_sample_take(&p->row_sample, t, &p->fit.chosen, err);
    p->fit.table = t;
    p->fit.poll.now = (odim_progress){0};
    if (!status) status = od_fit_run(&p->fit, out, NULL, err);
    odim_table_free(t);
    return status;
}

odim_status odim_fit_file(const char *path, const odim_read_options *options, const odim_params *params,
                          const odim_hooks *hooks, odim_model **out, odim_error *err)
{
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(path, "path", err);
    odim_hooks own;
    odim_status status = od_sized_in(&own, sizeof own, hooks, "hooks", err);
    if (status) return status;
    pass p = {0};
    status = od_fit_init(&p.fit, params, OD_FIT_STREAMED, &own, err);
    p.fit.poll.now = (odim_progress){.stage = ODIM_STAGE_READING};
    odim_read_options reading;
    if (!status) status = od_sized_in(&reading, sizeof reading, options, "options", err);
    if (!status && !reading.threads) reading.threads = p.fit.config.threads;
    if (!status) status = odim_reader_open(&p.reader, path, &reading, err);
    if (!status) status = read_all(&p, err);
    if (!status) {
        status = fit(&p, &own, out, err);
        if (status == ODIM_ERR_DATA) od_error_prefix(err, status, od_reader_name(p.reader));
    }
    od_row_sample_free(&p.row_sample);
    od_fit_free(&p.fit);
    odim_reader_free(p.reader);
    return status;
}
