/* Writes and reads the members of a model: together, as sections of a file, and one by one. */
#include "model/member_file.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"

/* Bytes of a check of the stop rule. */
#define CHECK_SIZE 16

static size_t noise_count(const odim_model *m)
{
    return (size_t)(od_model_score_samples(m) * m->layout.shape.latent);
}

/* ---- MEMB, WGTS, STAT, NOIS: required sections ----------------------------------------------------- */

void od_members_file_write(od_byte_writer *out, const odim_model *m)
{
    for (int64_t b = 0; b < m->members; b++) {
        const odim_member_info *info = &m->member[b].info;
        od_bytes_put_u64(out, (uint64_t)info->updates);
        od_bytes_put_u64(out, (uint64_t)info->best_update);
        od_bytes_put_f64(out, info->distance);
    }
}

odim_status od_members_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    for (int64_t b = 0; b < loading->model->members; b++) {
        odim_member_info *info = &loading->model->member[b].info;
        info->updates = od_bytes_get_i64(in);
        info->best_update = od_bytes_get_i64(in);
        info->distance = od_bytes_get_f64(in);
        if (in->bad || info->best_update > info->updates || !(info->distance >= 0) || isinf(info->distance))
            return od_fail(err, ODIM_ERR_FORMAT, "what is said of member %lld is impossible", (long long)b);
    }
    return ODIM_OK;
}

void od_weights_file_write(od_byte_writer *out, const odim_model *m)
{
    for (int64_t b = 0; b < m->members; b++) od_bytes_put_f32s(out, m->member[b].params, m->layout.params);
}

odim_status od_weights_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    const odim_model *m = loading->model;
    odim_status status = ODIM_OK;
    for (int64_t b = 0; !status && b < m->members; b++)
        status = od_bytes_get_finite(in, m->member[b].params, m->layout.params, err);
    return status;
}

void od_statistics_file_write(od_byte_writer *out, const odim_model *m)
{
    for (int64_t b = 0; b < m->members; b++) od_bytes_put_f32s(out, m->member[b].stats, m->layout.stats);
}

static odim_status check_variances(const od_mlp *s, const float *stats, odim_error *err)
{
    for (int i = 0; s->batch_norm && i < s->layers; i++)
        for (int64_t j = 0; j < s->layer[i].out; j++)
            if (stats[s->layer[i].var + (size_t)j] < 0)
                return od_fail(err, ODIM_ERR_FORMAT, "a variance is negative");
    return ODIM_OK;
}

/* Of every step each feature once. */
static odim_status check_orders(const od_layout *l, const float *stats, odim_error *err)
{
    int64_t d = l->shape.d;
    bool *seen = od_alloc((size_t)d, sizeof *seen), ok = true;
    if (!seen) return od_fail_nomem(err);
    for (int i = 0; ok && i < l->shape.steps; i++, stats += l->step.stats) {
        memset(seen, 0, (size_t)d * sizeof *seen);
        for (int64_t j = 0; ok && j < d; j++) {
            float at = stats[l->step.order + (size_t)j];
            ok = at >= 0 && at < (float)d && at == floorf(at) && !seen[(int64_t)at];
            if (ok) seen[(int64_t)at] = true;
        }
    }
    od_free(seen);
    return ok ? ODIM_OK : od_fail(err, ODIM_ERR_FORMAT, "not an order of the features");
}

odim_status od_statistics_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    const odim_model *m = loading->model;
    odim_status status = ODIM_OK;
    for (int64_t b = 0; !status && b < m->members; b++) {
        float *stats = m->member[b].stats;
        status = od_bytes_get_finite(in, stats, m->layout.stats, err);
        if (!status) status = check_variances(&m->layout.enc, stats, err);
        if (!status) status = check_variances(&m->layout.dec, stats, err);
        if (!status && m->layout.shape.kind == OD_NET_FLOW) status = check_orders(&m->layout, stats, err);
    }
    return status;
}

void od_noise_file_write(od_byte_writer *out, const odim_model *m)
{
    for (int64_t b = 0; b < m->members; b++) od_bytes_put_f32s(out, m->member[b].noise, noise_count(m));
}

odim_status od_noise_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    const odim_model *m = loading->model;
    odim_status status = ODIM_OK;
    for (int64_t b = 0; !status && b < m->members; b++)
        status = od_bytes_get_finite(in, m->member[b].noise, noise_count(m), err);
    return status;
}

/* ---- hist: values that the stop rule saw ---------------------------------------------------------- */

void od_history_file_write(od_byte_writer *out, const odim_model *m)
{
    for (int64_t b = 0; b < m->members; b++) {
        const od_history *h = &m->member[b].history;
        od_bytes_put_u32(out, (uint32_t)h->count);
        for (int64_t i = 0; i < h->count; i++) {
            od_bytes_put_u64(out, (uint64_t)h->check[i].update);
            od_bytes_put_f64(out, h->check[i].distance);
        }
    }
}

odim_status od_history_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    for (int64_t b = 0; b < loading->model->members; b++) {
        od_member *member = &loading->model->member[b];
        size_t count = od_bytes_get_count(in, CHECK_SIZE);
        int64_t last = 0;
        for (size_t i = 0; i < count; i++) {
            int64_t update = od_bytes_get_i64(in);
            double distance = od_bytes_get_f64(in);
            if (update <= last || update > member->info.updates || distance < 0 || isinf(distance))
                in->bad = true;
            if (in->bad) break;
            odim_status status = od_history_add(&member->history, last = update, distance, err);
            if (status) return status;
        }
        if (in->bad)
            return od_fail(err, ODIM_ERR_FORMAT, "what is said of member %lld is impossible", (long long)b);
    }
    return ODIM_OK;
}

/* ---- one member ----------------------------------------------------------------------------------- */

void od_member_put(od_byte_writer *out, const odim_model *m, int64_t index)
{
    const od_member *x = &m->member[index];
    od_bytes_put_u64(out, (uint64_t)x->info.updates);
    od_bytes_put_u64(out, (uint64_t)x->info.best_update);
    od_bytes_put_f64(out, x->info.distance);
    od_bytes_put_f32s(out, x->params, m->layout.params);
    od_bytes_put_f32s(out, x->stats, m->layout.stats);
    od_bytes_put_f32s(out, x->noise, noise_count(m));
    od_bytes_put_u32(out, (uint32_t)x->history.count);
    for (int64_t i = 0; i < x->history.count; i++) {
        od_bytes_put_u64(out, (uint64_t)x->history.check[i].update);
        od_bytes_put_f64(out, x->history.check[i].distance);
    }
}

odim_status od_member_get(od_byte_reader *in, odim_model *m, int64_t index, odim_error *err)
{
    od_member *x = &m->member[index];
    odim_status status = ODIM_OK;
    x->info.updates = od_bytes_get_i64(in);
    x->info.best_update = od_bytes_get_i64(in);
    x->info.distance = od_bytes_get_f64(in);
    od_bytes_get_f32s(in, x->params, m->layout.params);
    od_bytes_get_f32s(in, x->stats, m->layout.stats);
    od_bytes_get_f32s(in, x->noise, noise_count(m));
    x->history.count = 0;
    for (size_t i = od_bytes_get_count(in, CHECK_SIZE); !status && i > 0; i--) {
        int64_t update = od_bytes_get_i64(in);
        status = od_history_add(&x->history, update, od_bytes_get_f64(in), err);
    }
    if (!status && in->bad)
        status = od_fail(err, ODIM_ERR_FORMAT, "the bytes of member %lld are not complete", (long long)index);
    return status;
}
