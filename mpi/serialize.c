/* Type votes, statistics, levels and rows as bytes, and back. */
#include "serialize.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"

void job_put_votes(od_byte_writer *out, const od_type_votes *votes, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++) {
        od_bytes_put(out, &votes[j], sizeof votes[j]);
        od_bytes_put_u8(out, votes[j].parts != NULL);
        if (votes[j].parts) od_bytes_put(out, votes[j].parts, sizeof *votes[j].parts);
    }
}

odim_status job_merge_votes(od_byte_reader *in, od_type_votes *votes, int64_t cols, odim_error *err)
{
    for (int64_t j = 0; j < cols; j++) {
        od_type_votes one;
        memcpy(&one, od_bytes_take(in, sizeof one), sizeof one);
        one.parts = NULL;
        if (od_bytes_get_u8(in)) {
            if (!(one.parts = od_alloc(1, sizeof *one.parts))) return od_fail_nomem(err);
            memcpy(one.parts, od_bytes_take(in, sizeof *one.parts), sizeof *one.parts);
        }
        od_type_votes_merge(&votes[j], &one);
        od_type_votes_clear(&one, 1);
    }
    return ODIM_OK;
}

void job_put_levels(od_byte_writer *out, const od_levels *l)
{
    od_bytes_put_u8(out, l->overflow);
    od_bytes_put_u32(out, (uint32_t)l->texts.count);
    for (size_t i = 0; i < l->texts.count; i++) od_bytes_put_text(out, od_strlist_at(&l->texts, i));
}

odim_status job_get_levels(od_byte_reader *in, od_levels *l, odim_error *err)
{
    bool overflow = od_bytes_get_u8(in);
    odim_status status = ODIM_OK;
    for (size_t i = od_bytes_get_count(in, 4); !status && i > 0; i--) {
        size_t len;
        uint32_t code;
        const char *text = od_bytes_get_text(in, OD_LEVELS_BYTES, &len);
        if (text) status = od_levels_code(l, text, len, &code, err);
    }
    l->overflow = overflow;
    return status;
}

void job_put_column_stats(od_byte_writer *out, const od_column_stats *s)
{
    od_bytes_put_u64(out, (uint64_t)s->cols);
    od_bytes_put_u64(out, (uint64_t)s->rows);
    od_bytes_put_u64(out, (uint64_t)s->known[0]);
    od_bytes_put_u64(out, (uint64_t)s->known[1]);
    for (int64_t j = 0; j < s->cols; j++) {
        const od_column_stats_col *c = &s->col[j];
        od_bytes_put_u64(out, (uint64_t)c->missing);
        od_bytes_put_f64(out, c->low);
        od_bytes_put_f64(out, c->high);
        od_bytes_put_f64(out, c->clock_low);
        od_bytes_put_f64(out, c->clock_high);
        od_bytes_put_u32(out, (uint32_t)c->levels);
        for (int64_t i = 0; i < c->levels; i++) od_bytes_put_u64(out, (uint64_t)c->level_count[i]);
    }
}

odim_status job_get_column_stats(od_byte_reader *in, od_column_stats *s, odim_error *err)
{
    odim_status status = od_column_stats_new(s, od_bytes_get_i64(in), err);
    if (status) return status;
    s->rows = od_bytes_get_i64(in);
    s->known[0] = od_bytes_get_i64(in);
    s->known[1] = od_bytes_get_i64(in);
    for (int64_t j = 0; j < s->cols; j++) {
        od_column_stats_col *c = &s->col[j];
        c->missing = od_bytes_get_i64(in);
        c->low = od_bytes_get_f64(in);
        c->high = od_bytes_get_f64(in);
        c->clock_low = od_bytes_get_f64(in);
        c->clock_high = od_bytes_get_f64(in);
        c->levels = (int64_t)od_bytes_get_count(in, 8);
        if (!c->levels) continue;
        c->level_count = od_alloc((size_t)c->levels, sizeof *c->level_count);
        if (!c->level_count) return od_fail_nomem(err);
        for (int64_t i = 0; i < c->levels; i++) c->level_count[i] = od_bytes_get_i64(in);
    }
    return ODIM_OK;
}

void job_put_kept_rows(od_byte_writer *out, od_kept_rows *r, int64_t d, const uint32_t *const *code)
{
    od_sample_sort(&r->sample);
    for (int64_t i = 0; i < r->sample.count; i++) {
        int64_t slot = r->sample.heap[i].slot;
        od_bytes_put_u64(out, (uint64_t)r->sample.heap[i].row);
        od_bytes_put_u8(out, (uint8_t)r->known[slot]);
        for (int64_t j = 0; j < d; j++) {
            double v = r->cells[slot * d + j];
            od_bytes_put_f64(out, code[j] && !isnan(v) ? (double)code[j][(int64_t)v] : v);
        }
    }
}

odim_status job_get_kept_rows(od_byte_reader *in, od_kept_rows *r, int64_t d, odim_error *err)
{
    double *cells = od_alloc((size_t)d, sizeof *cells);
    odim_status status = cells ? ODIM_OK : od_fail_nomem(err);
    while (!status && in->left) {
        int64_t row = od_bytes_get_i64(in);
        int8_t known = (int8_t)od_bytes_get_u8(in);
        od_bytes_get_f64s(in, cells, (size_t)d);
        status = od_kept_rows_put(r, d, row, cells, known, err);
    }
    od_free(cells);
    return status;
}
