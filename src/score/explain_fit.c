/* Learns from training rows what explain.c holds a row against. */
#include <math.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/sort.h"
#include "common/mem.h"
#include "base/parallel.h"
#include "prep/encode.h"
#include "prep/synthetic_rows.h"
#include "score/explain.h"
#include "score/explainer.h"

#define SAMPLE_ROWS  1000
#define LEAST_ROWS   100
#define SAMPLE_CELLS (128 * 1000)
#define COLUMNS      8 /* that are one job */

typedef struct learning {
    const odim_model *model;
    od_table_rows rows;
    int64_t count; /* of rows */
    od_encoder encoder;
    od_explainer_pool pool;
    bool as_expected; /* what is usual is learned from rows as the model expects them */
    float *x;         /* (count, d) */
    double *score;    /* (count) */
    float *part;      /* (d, count) */
} learning;

int64_t od_explain_sample(int64_t rows, int64_t features)
{
    int64_t most = SAMPLE_CELLS / features;
    most = most < LEAST_ROWS ? LEAST_ROWS : most < SAMPLE_ROWS ? most : SAMPLE_ROWS;
    return rows < most ? rows : most;
}

static odim_status learn_job(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    learning *l = ctx;
    od_explainer *e = &l->pool.each[worker];
    int64_t start = job * OD_EXPLAIN_ROWS, left = l->count - start, d = l->model->schema.features;
    int64_t rows = left < OD_EXPLAIN_ROWS ? left : OD_EXPLAIN_ROWS;
    float *x = l->x + start * d;
    if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
    const int64_t *list = l->rows.rows ? l->rows.rows + start : NULL;
    odim_status status = od_encode_rows(&l->encoder, list, start, rows, x, err);
    if (status) return status;
    od_explainer_attribute(e, x, rows);
    if (l->as_expected) {
        for (int64_t i = 0; i < rows * d; i++) e->x[i] = (float)e->parts.mean[i];
        od_explainer_attribute(e, e->x, rows);
    }
    for (int64_t i = 0; i < rows; i++) {
        l->score[start + i] = e->parts.loss[i];
        for (int64_t j = 0; j < d; j++) l->part[j * l->count + start + i] = (float)e->parts.part[i * d + j];
    }
    return ODIM_OK;
}

/* How long it takes is not known, so there is no fraction. */
static int tick(void *ctx)
{
    const learning *l = ctx;
    const odim_hooks *hooks = l->pool.run.hooks;
    if (!hooks || !hooks->progress) return 0;
    odim_progress now = {.stage = ODIM_STAGE_EXPLAINING,
                         .members = (int)l->model->members,
                         .members_done = (int)l->model->members};
    for (int64_t b = 0; b < l->model->members; b++) now.updates += l->model->member[b].info.updates;
    return hooks->progress(&now, hooks->user);
}

/* The features of a column in one of the rows. */
typedef struct cell {
    const float *feature;
    int64_t features;
} cell;

static int by_features(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    int order = 0;
    for (int64_t j = 0; !order && j < x->features; j++)
        order = od_compare_float(&x->feature[j], &y->feature[j]);
    return order;
}

typedef struct summing {
    odim_model *model;
    const learning *l;
    cell *cells;  /* (workers, count) */
    size_t first; /* the row with the lowest score */
} summing;

/* The rows by one column, and its values at even distances among them. */
static void set_quantile_grid(const summing *s, const od_schema_col *col, cell *cells)
{
    const learning *l = s->l;
    int64_t d = s->model->schema.features;
    for (int64_t i = 0; i < l->count; i++)
        cells[i] = (cell){.feature = l->x + i * d + col->first, .features = col->features};
    qsort(cells, (size_t)l->count, sizeof *cells, by_features);
    for (int64_t g = 0; g < OD_QUANTILES; g++) {
        const cell *at = &cells[(2 * g + 1) * l->count / (2 * OD_QUANTILES)];
        for (int64_t j = 0; j < col->features; j++)
            s->model->quantile_grid[g * d + col->first + j] = at->feature[j];
    }
}

/* The same of a column that is one feature, whose parts are no longer needed. */
static void set_number_grid(const summing *s, int64_t feature, float *sorted)
{
    const learning *l = s->l;
    int64_t d = s->model->schema.features;
    for (int64_t i = 0; i < l->count; i++) sorted[i] = l->x[i * d + feature];
    od_sort_float(sorted, l->count);
    for (int64_t g = 0; g < OD_QUANTILES; g++)
        s->model->quantile_grid[g * d + feature] = sorted[(2 * g + 1) * l->count / (2 * OD_QUANTILES)];
}

static void sum_up_columns(void *ctx, int worker, int64_t first, int64_t end)
{
    const summing *s = ctx;
    const learning *l = s->l;
    odim_model *m = s->model;
    for (int64_t c = first; c < end; c++) {
        const od_schema_col *col = &m->schema.col[c];
        if (!col->features) continue;
        for (int64_t j = col->first; j < col->first + col->features; j++) {
            float *part = l->part + j * l->count;
            od_sort_float(part, l->count);
            m->usual[j] =
                m->losses ? part[l->count / 2] : l->x[s->first * (size_t)m->schema.features + (size_t)j];
        }
        if (col->features == 1)
            set_number_grid(s, col->first, l->part + col->first * l->count);
        else
            set_quantile_grid(s, col, s->cells + worker * l->count);
    }
}

static odim_status sum_up(odim_model *m, learning *l, cell *cells, const od_run *run, odim_error *err)
{
    size_t n = (size_t)l->count;
    summing s = {.model = m, .l = l, .cells = cells};
    for (size_t i = 1; i < n; i++)
        if (l->score[i] < l->score[s.first]) s.first = i;
    od_sort_double(l->score, (int64_t)n);
    if (!l->as_expected) m->score_p90 = l->score[n * 9 / 10];
    odim_status status =
        od_parallel_ranges(od_run_threads(run), m->schema.cols, COLUMNS, sum_up_columns, &s, err);
    /* The row with the lowest score may not be in a model that is to be shared: the middle of each column. */
    for (int64_t j = 0; !status && !m->losses && m->config.share_safe && j < m->schema.features; j++)
        m->usual[j] = m->quantile_grid[OD_QUANTILES / 2 * m->schema.features + j];
    return status;
}

static odim_status learn(odim_model *model, const od_table_rows *rows, bool as_expected, const od_run *run,
                         odim_error *err)
{
    learning l = {.model = model,
                  .rows = *rows,
                  .count = rows->count,
                  .pool = {.model = model, .count = rows->count, .run = *run},
                  .as_expected = as_expected};
    size_t n = (size_t)l.count, d = (size_t)model->schema.features;
    odim_status status = od_encoder_new(&l.encoder, &model->schema, rows->table, err);
    if (status) return status;
    cell *cells = od_alloc(n * (size_t)od_run_threads(run), sizeof *cells);
    l.x = od_alloc(n * d, sizeof *l.x);
    l.score = od_alloc(n, sizeof *l.score);
    l.part = od_alloc(n * d, sizeof *l.part);
    if (!cells || !l.x || !l.score || !l.part) status = od_fail_nomem(err);
    if (!status) status = od_explainer_run(&l.pool, learn_job, tick, &l, err);
    if (!status) status = sum_up(model, &l, cells, run, err);
    od_free(cells);
    od_free(l.x);
    od_free(l.score);
    od_free(l.part);
    od_encoder_free(&l.encoder);
    return status;
}

odim_status od_explain_fit(odim_model *model, const od_table_rows *rows, const od_run *run, odim_error *err)
{
    return learn(model, rows, false, run, err);
}

odim_status od_explain_fit_synthetic(odim_model *model, const od_run *run, odim_error *err)
{
    od_table_rows rows = {.count = od_explain_sample(SAMPLE_ROWS, model->schema.features)};
    odim_table *table;
    odim_status status = od_synthetic_rows(&table, &model->schema, rows.count, model->config.seed, err);
    rows.table = table;
    if (!status) status = learn(model, &rows, true, run, err);
    odim_table_free(table);
    return status;
}
