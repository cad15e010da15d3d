/* Divides the scores of rows among their features, with the scratch of one thread. */
#include "score/explainer.h"

#include <string.h>

#include "common/mem.h"
#include "score/aux_detectors.h"

#define SUSPECTS 4 /* columns of a row that are tried where the account of the networks orders them */

int64_t od_explainer_suspects(const odim_model *m)
{
    int64_t most = m->losses ? SUSPECTS : OD_EXPLAIN_SUSPECTS;
    return m->schema.cols < most ? m->schema.cols : most;
}

void od_explainer_free(od_explainer *e)
{
    od_net_free(&e->net);
    od_free(e->x);
    od_free(e->changed);
    od_free(e->seen);
    od_free(e->inputs);
    od_free(e->input_parts);
    od_free(e->seen_by);
    od_free(e->parts.loss);
    od_free(e->parts.code);
    od_free(e->parts.part);
    od_free(e->parts.mean);
    od_free(e->column);
    od_free(e->score);
    od_free(e->own);
    od_free(e->room);
    od_free(e->each);
    od_free(e->cells);
    *e = (od_explainer){0};
}

/* For networks that see parts of a row. */
static odim_status make_inputs(od_explainer *e, odim_error *err)
{
    const odim_model *m = e->model;
    size_t cells = OD_EXPLAIN_ROWS * (size_t)m->layout.shape.d;
    e->inputs = od_alloc(cells, sizeof *e->inputs);
    e->input_parts = od_alloc(2 * cells, sizeof *e->input_parts);
    e->seen_by = od_calloc((size_t)m->width, sizeof *e->seen_by);
    if (!e->inputs || !e->input_parts || !e->seen_by) return od_fail_nomem(err);
    for (int64_t b = 0; b < m->losses; b++)
        for (int64_t j = 0; j < m->layout.shape.d; j++) e->seen_by[m->member[b].input[j]]++;
    return ODIM_OK;
}

odim_status od_explainer_new(od_explainer *e, const odim_model *model, odim_error *err)
{
    *e = (od_explainer){.model = model, .transforms = model->transform.d && model->losses};
    for (int k = 0; k < model->aux_count; k++) e->transforms |= model->aux[k].transformed;
    odim_status status = ODIM_OK;
    if (model->losses) {
        status = od_net_new(
            &e->net, od_kern_get(), &model->layout,
            &(od_net_options){.rows = OD_EXPLAIN_ROWS, .samples = od_model_score_samples(model)}, err);
        if (!status) status = od_net_attribution_new(&e->net, err);
    }
    if (!status) {
        size_t rows = OD_EXPLAIN_ROWS, cells = rows * (size_t)model->width;
        size_t plain = rows * (size_t)model->schema.features;
        size_t tried = rows * (size_t)od_explainer_suspects(model);
        bool ok = (e->x = od_alloc(plain, sizeof(float))) && (e->changed = od_alloc(plain, sizeof(float))) &&
                  (e->seen = od_alloc(cells, sizeof(float))) &&
                  (e->parts.loss = od_alloc(rows, sizeof(double))) &&
                  (e->parts.code = od_alloc(rows, sizeof(double))) &&
                  (e->parts.part = od_alloc(cells, sizeof(double))) &&
                  (e->parts.mean = od_alloc(cells, sizeof(double))) &&
                  (e->column = od_alloc(tried, sizeof *e->column)) &&
                  (e->score = od_alloc(tried * OD_QUANTILES, sizeof(double))) &&
                  (e->own = od_alloc((size_t)model->schema.features, sizeof(double))) &&
                  (e->room = od_alloc(od_aux_scratch(model), 1)) &&
                  (e->each = od_alloc((size_t)model->schema.cols, sizeof(double))) &&
                  (e->cells = od_alloc((size_t)(model->schema.cols + od_checks_room(&model->schema.checks)),
                                       sizeof(double)));
        if (!ok) status = od_fail_nomem(err);
    }
    if (!status && model->losses && model->layout.shape.d < model->width) status = make_inputs(e, err);
    if (status) od_explainer_free(e);
    return status;
}

static void divide(double *x, int64_t n, int64_t by)
{
    for (int64_t i = 0; i < n; i++) x[i] /= (double)by;
}

/* Adds the contribution of the auxiliary detectors to the account of the networks, and turns the parts of
 * transformed values into parts of features. */
static void account_features(od_explainer *e, const float *x, int64_t rows)
{
    const odim_model *m = e->model;
    int64_t d = m->width, features = m->schema.features;
    for (int64_t i = 0; i < rows; i++, x += features) {
        double *part = e->parts.part + i * features, *mean = e->parts.mean + i * features;
        double *part_seen = e->parts.part + i * d, *mean_seen = e->parts.mean + i * d;
        memset(e->own, 0, (size_t)features * sizeof *e->own);
        e->parts.loss[i] += od_aux_attribute(
            m, &(od_aux_rows){.plain = x, .seen = e->seen + i * d, .rows = 1, .scratch = e->room}, e->own,
            part_seen);
        if (e->transforms) {
            od_transform_back(&m->transform, e->seen + i * d, part_seen, mean_seen);
            memmove(part, part_seen, (size_t)features * sizeof *part);
            memmove(mean, mean_seen, (size_t)features * sizeof *mean);
        }
        for (int64_t j = 0; j < features; j++) part[j] += e->own[j];
    }
}

/* Adds the account of a member to the values that it sees. */
static void add_inputs(od_explainer *e, int64_t b, int64_t rows)
{
    const odim_model *m = e->model;
    int64_t d = m->layout.shape.d;
    const int32_t *input = m->member[b].input;
    double *part = e->input_parts, *mean = part + OD_EXPLAIN_ROWS * d;
    const float *x = od_model_inputs(m, b, e->seen, rows, e->inputs);
    memset(part, 0, 2 * OD_EXPLAIN_ROWS * (size_t)d * sizeof *part);
    od_net_attribute(&e->net, x, rows, m->member[b].noise,
                     &(od_attribution_parts){e->parts.loss, e->parts.code, part, mean});
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < d; j++) {
            e->parts.part[i * m->width + input[j]] += part[i * d + j];
            e->parts.mean[i * m->width + input[j]] += mean[i * d + j];
        }
}

/* Each value counts by the mean over the networks that see it, so that all have the same weight. */
static void average_inputs(od_explainer *e, int64_t rows)
{
    const odim_model *m = e->model;
    double weight = (double)m->layout.shape.d / (double)m->width;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < m->width; j++) {
            if (!e->seen_by[j]) continue; /* only in a file that no odim has written */
            e->parts.part[i * m->width + j] *= weight / (double)e->seen_by[j];
            e->parts.mean[i * m->width + j] /= (double)e->seen_by[j];
        }
}

void od_explainer_see(od_explainer *e, const float *x, int64_t rows)
{
    const odim_model *m = e->model;
    if (!m->transform.d || e->transforms)
        od_transform_apply(&m->transform, x, rows, m->schema.features, e->seen);
}

void od_explainer_attribute(od_explainer *e, const float *x, int64_t rows)
{
    const odim_model *m = e->model;
    const od_attribution_parts *p = &e->parts;
    int64_t cells = rows * m->width;
    memset(p->loss, 0, (size_t)rows * sizeof(double));
    memset(p->code, 0, (size_t)rows * sizeof(double));
    memset(p->part, 0, (size_t)cells * sizeof(double));
    memset(p->mean, 0, (size_t)cells * sizeof(double));
    od_explainer_see(e, x, rows);
    for (int64_t b = 0; b < m->losses; b++) {
        od_net_ready(&e->net, m->member[b].params, m->member[b].stats);
        if (e->seen_by)
            add_inputs(e, b, rows);
        else
            od_net_attribute(&e->net, e->seen, rows, m->member[b].noise, p);
    }
    if (m->losses) {
        divide(p->loss, rows, m->losses);
        divide(p->code, rows, m->losses);
    }
    if (e->seen_by) {
        average_inputs(e, rows);
    } else if (m->losses) {
        divide(p->part, cells, m->losses);
        divide(p->mean, cells, m->losses);
    }
    account_features(e, x, rows);
}

odim_status od_explainer_run(od_explainer_pool *pool, od_parallel_job job, int (*tick)(void *ctx), void *ctx,
                             odim_error *err)
{
    int64_t jobs = (pool->count + OD_EXPLAIN_ROWS - 1) / OD_EXPLAIN_ROWS;
    int64_t threads = od_run_threads(&pool->run);
    if (jobs == 0) return ODIM_OK;
    if (threads > jobs) threads = jobs;
    od_explainer *e = pool->each = od_calloc((size_t)threads, sizeof *e);
    odim_status status = e ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < threads; i++) status = od_explainer_new(&e[i], pool->model, err);
    /* A few rows are not worth a thread. */
    if (!status) status = od_parallel_run(jobs > 1 ? (int)threads : 0, jobs, job, tick, ctx, err);
    for (int64_t i = 0; e && i < threads; i++) od_explainer_free(&e[i]);
    od_free(e);
    pool->each = NULL;
    return status;
}
