/*
 * Reports what a model reveals about single training rows.
 *
 * Nearly all of it can be read directly. Each detector says what it keeps; scaling can be undone. A model
 * that scores without networks also has the most ordinary row (score/explain_detector.c), unless it is to be
 * shared. For each column of numbers or times it has bounds, usual bounds, the median and the quantile grid:
 * values that occurred in some row, but not in which.
 */
#include "common/mem.h"
#include "base/sized.h"
#include "model/model.h"

/* low, high, usual_low, usual_high and fill. */
#define BOUNDS 5

/* The rows of a detector, and whether the most ordinary row is among them. All that keep rows keep some of
 * the same ones. */
static odim_status count_rows(const odim_model *m, const od_aux_detector *c, int64_t *rows, bool *is_one,
                              odim_error *err)
{
    const od_detector_kind *kind = od_detector_kind_of(c->detector.method);
    bool found = false;
    if (!kind->rows) return ODIM_OK;
    float *seen = c->transformed ? od_alloc((size_t)m->width, sizeof *seen) : NULL;
    if (c->transformed && !seen) return od_fail_nomem(err);
    if (seen) od_transform_apply(&m->transform, m->usual, 1, m->schema.features, seen);
    int64_t kept = kind->rows(&c->detector, seen ? seen : m->usual, &found);
    od_free(seen);
    if (kept > *rows) *rows = kept;
    *is_one |= found;
    return ODIM_OK;
}

static void count_columns(const od_schema *s, odim_held_info *out)
{
    for (int64_t j = 0; j < s->cols; j++) {
        const od_schema_col *c = &s->col[j];
        bool number = c->type == ODIM_NUMERIC || c->type == ODIM_TIME;
        if (number && !c->ignored) out->values += BOUNDS + OD_QUANTILES;
        out->levels += od_levels_count(&c->levels);
        for (int64_t i = 0; i < od_levels_count(&c->levels); i++) out->once += c->level_count[i] == 1;
    }
}

odim_status odim_model_held(const odim_model *m, odim_held_info *out, odim_error *err)
{
    OD_NEED(m, "model", err);
    OD_NEED(out, "out", err);
    bool is_one = m->losses > 0 || m->config.share_safe;
    odim_status status = ODIM_OK;
    odim_held_info held = ODIM_HELD_INFO_INIT;
    if (m->privacy.epsilon > 0) return od_sized_out(out, &held, sizeof held, "out", err);
    for (int i = 0; !status && i < m->aux_count; i++) {
        const od_detector_kind *kind = od_detector_kind_of(m->aux[i].detector.method);
        status = count_rows(m, &m->aux[i], &held.rows, &is_one, err);
        if (kind->values) held.values += kind->values(&m->aux[i].detector);
    }
    if (status) return status;
    held.rows += !is_one;
    bool other;
    if (m->known.method) held.rows += od_detector_kind_of(m->known.method)->rows(&m->known, m->usual, &other);
    count_columns(&m->schema, &held);
    return od_sized_out(out, &held, sizeof held, "out", err);
}
