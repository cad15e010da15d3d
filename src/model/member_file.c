#include "model/member_file.h"

#include "common/mem.h"

static size_t noise_count(const odim_model *m)
{
    return (size_t)(od_model_score_samples(m) * m->layout.shape.latent);
}

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
    enum { CHECK_SIZE = 16 };
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
