/* Records the losses of some rows during training. */
#include "fit/probe.h"

#include <stdlib.h>

#include "common/compare.h"
#include "common/mem.h"

#define BLOCK_ROWS 64 /* rows that are encoded at a time */

odim_status od_probe_begin(od_probe *r, int64_t members, int64_t check_every, odim_error *err)
{
    int64_t checks = r->at_checks ? r->length / check_every : 0;
    r->members = members;
    r->moments = 0;
    r->moment = od_alloc((size_t)(r->update_count + checks), sizeof *r->moment);
    if (!r->moment) return od_fail_nomem(err);
    int64_t count = 0;
    for (int64_t i = 0; i < r->update_count; i++) r->moment[count++] = r->updates[i];
    for (int64_t i = 1; i <= checks; i++) r->moment[count++] = i * check_every;
    qsort(r->moment, (size_t)count, sizeof *r->moment, od_compare_int64);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || r->moment[i] != r->moment[i - 1]) r->moment[r->moments++] = r->moment[i];
    size_t size;
    if (!od_mul((size_t)members, (size_t)r->moments, &size) || !od_mul(size, (size_t)r->row_count, &size) ||
        !(r->loss = od_alloc(size, sizeof *r->loss)))
        return od_fail_nomem(err);
    return ODIM_OK;
}

void od_probe_free(od_probe *r)
{
    od_free(r->moment);
    od_free(r->loss);
    r->moment = NULL;
    r->loss = NULL;
}

static float *losses(const od_probe *r, int64_t member, int64_t moment)
{
    return r->loss + (member * r->moments + moment) * r->row_count;
}

void od_probe_mean(const od_probe *r, int64_t moment, double *loss)
{
    for (int64_t i = 0; i < r->row_count; i++) {
        double sum = 0;
        for (int64_t b = 0; b < r->members; b++) sum += (double)losses(r, b, moment)[i];
        loss[i] = sum / (double)r->members;
    }
}

odim_status od_probe_worker_new(od_probe_worker *v, od_probe *probe, const odim_model *model,
                                const od_encoder *encoder, odim_error *err)
{
    *v = (od_probe_worker){.probe = probe, .model = model, .encoder = encoder};
    odim_status status =
        od_net_new(&v->net, od_kern_get(), &model->layout,
                   &(od_net_options){.rows = BLOCK_ROWS, .samples = od_model_score_samples(model)}, err);
    if (status) return status;
    v->plain = od_alloc((size_t)(BLOCK_ROWS * model->schema.features), sizeof *v->plain);
    v->seen = od_alloc((size_t)(BLOCK_ROWS * model->width), sizeof *v->seen);
    v->x = od_alloc((size_t)(BLOCK_ROWS * model->layout.shape.d), sizeof *v->x);
    return v->plain && v->seen && v->x ? ODIM_OK : od_fail_nomem(err);
}

void od_probe_worker_free(od_probe_worker *v)
{
    od_net_free(&v->net);
    od_free(v->plain);
    od_free(v->seen);
    od_free(v->x);
    *v = (od_probe_worker){0};
}

int64_t od_probe_worker_length(const od_probe_worker *v)
{
    return v->probe->length;
}

/* The place of an update among the moments, or NULL. */
static const int64_t *find_moment(const od_probe *r, int64_t update)
{
    return bsearch(&update, r->moment, (size_t)r->moments, sizeof update, od_compare_int64);
}

bool od_probe_worker_wants(const od_probe_worker *v, int64_t update)
{
    return find_moment(v->probe, update);
}

odim_status od_probe_worker_check(od_probe_worker *v, const float *params, const float *stats, int64_t index,
                                  int64_t update, od_parallel *par, odim_error *err)
{
    const od_probe *r = v->probe;
    const int64_t *found = find_moment(r, update);
    if (!found) return ODIM_OK;
    float *loss = losses(r, index, found - r->moment);
    od_net_ready(&v->net, params, stats);
    for (int64_t at = 0; at < r->row_count; at += BLOCK_ROWS) {
        if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        int64_t count = r->row_count - at < BLOCK_ROWS ? r->row_count - at : BLOCK_ROWS;
        odim_status status = od_encode_rows(v->encoder, r->rows + at, 0, count, v->plain, err);
        if (status) return status;
        od_transform_apply(&v->model->transform, v->plain, count, v->model->schema.features, v->seen);
        const float *x = od_model_inputs(v->model, index, v->seen, count, v->x);
        od_net_loss(&v->net, x, count, v->model->member[index].noise, true, loss + at);
    }
    return ODIM_OK;
}
