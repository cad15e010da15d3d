/* Creates and frees models, and implements their public accessors. */
#include "model/model.h"

#include <stdlib.h>

#include "base/shuffle.h"
#include "common/compare.h"
#include "common/mem.h"

#define SAMPLES      10 /* latent samples per row, unless the parameters say how many */
#define SAMPLES_WIDE 5  /* the same for wide rows */

odim_status od_model_new(odim_model **out, const od_config *config, const od_shape *shape, int64_t features,
                         int64_t width, odim_error *err)
{
    odim_model *m = *out = od_calloc(1, sizeof *m);
    if (!m) return od_fail_nomem(err);
    m->config = *config;
    m->width = width;
    m->members = m->losses = od_model_member_count(config);
    if (m->members)
        od_layout_make(&m->layout, shape);
    else
        m->layout.shape = *shape;
    m->member = od_calloc((size_t)m->members, sizeof *m->member);
    m->usual = od_calloc((size_t)features, sizeof *m->usual);
    m->quantile_grid = od_calloc((size_t)features, OD_QUANTILES * sizeof *m->quantile_grid);
    bool ok = m->member && m->usual && m->quantile_grid;
    for (int64_t b = 0; ok && b < m->members; b++) {
        od_member *x = &m->member[b];
        ok = (x->params = od_alloc(m->layout.params, sizeof(float))) &&
             (x->stats = od_alloc(m->layout.stats, sizeof(float))) &&
             (x->noise = od_alloc((size_t)(od_model_score_samples(m) * shape->latent), sizeof(float))) &&
             (shape->d == width || (x->input = od_calloc((size_t)shape->d, sizeof *x->input)));
    }
    if (ok) return ODIM_OK;
    odim_model_free(m);
    *out = NULL;
    return od_fail_nomem(err);
}

/* Members take turns in one random order, so that all values are seen about equally often. */
void od_model_draw_inputs(odim_model *m)
{
    int64_t d = m->layout.shape.d;
    if (d == m->width) return;
    od_shuffle order = od_shuffle_make((uint64_t)m->width, m->config.seed, 0, OD_RNG_INPUTS, 0);
    for (int64_t b = 0; b < m->members; b++) {
        int32_t *input = m->member[b].input;
        for (int64_t j = 0; j < d; j++)
            input[j] = (int32_t)od_shuffle_at(&order, (uint64_t)((b * d + j) % m->width));
        qsort(input, (size_t)d, sizeof *input, od_compare_int32);
    }
}

const float *od_model_inputs(const odim_model *m, int64_t b, const float *seen, int64_t rows, float *room)
{
    const int32_t *input = m->member[b].input;
    int64_t d = m->layout.shape.d;
    if (!input) return seen;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < d; j++) room[i * d + j] = seen[i * m->width + input[j]];
    return room;
}

odim_status od_history_add(od_history *h, int64_t update, double distance, odim_error *err)
{
    if (h->count == h->room) {
        int64_t room = h->room ? 2 * h->room : 64;
        odim_check *grown = od_grow(h->check, (size_t)h->count, (size_t)room, sizeof *grown);
        if (!grown) return od_fail_nomem(err);
        h->check = grown;
        h->room = room;
    }
    h->check[h->count++] = (odim_check){update, distance};
    return ODIM_OK;
}

int64_t od_model_member_count(const od_config *config)
{
    return config->method ? 0 : config->members;
}

void od_model_set_trusted(odim_model *m, const od_detector *fitted)
{
    od_aux_detector confirm = {0};
    for (int i = 0; i < m->aux_count; i++) {
        od_aux_detector *c = &m->aux[i];
        if (m->members && !confirm.confirm && c->detector.method == OD_METHOD_MCD) {
            confirm = *c;
            confirm.weight = 0.0;
            confirm.confirm = true;
        } else {
            od_detector_free(&c->detector);
        }
    }
    m->aux[0] = (od_aux_detector){.detector = *fitted, .weight = 1.0};
    m->aux[1] = confirm;
    m->aux_count = confirm.confirm ? 2 : 1;
    m->losses = 0;
}

int64_t od_model_sees(const odim_model *m, const od_aux_detector *c)
{
    return c->transformed ? m->width : m->schema.features;
}

/* The more values a row has, the fewer of its samples have any weight: docs/experiments/wide.md. */
int64_t od_model_samples(const odim_model *m)
{
    if (m->config.samples) return m->config.samples;
    return m->width > OD_WIDE ? SAMPLES_WIDE : SAMPLES;
}

int64_t od_model_score_samples(const odim_model *m)
{
    if (m->config.model == OD_NET_FLOW || m->config.method) return 0;
    return m->config.score_samples ? m->config.score_samples : od_model_samples(m);
}

void odim_model_free(odim_model *m)
{
    if (!m) return;
    for (int64_t b = 0; m->member && b < m->members; b++) {
        od_free(m->member[b].params);
        od_free(m->member[b].stats);
        od_free(m->member[b].noise);
        od_free(m->member[b].input);
        od_free(m->member[b].history.check);
    }
    od_free(m->member);
    od_free(m->usual);
    od_free(m->quantile_grid);
    od_schema_free(&m->schema);
    od_transform_free(&m->transform);
    for (int i = 0; i < m->aux_count; i++) od_detector_free(&m->aux[i].detector);
    od_detector_free(&m->known);
    od_verdict_free(&m->verdict);
    od_free(m);
}

const odim_privacy_info *odim_model_privacy(const odim_model *m)
{
    return m && m->privacy.epsilon > 0 ? &m->privacy : NULL;
}

int odim_model_members(const odim_model *m)
{
    return m ? (int)m->members : 0;
}

const odim_member_info *odim_model_member(const odim_model *m, int index)
{
    return index >= 0 && index < odim_model_members(m) ? &m->member[index].info : NULL;
}

int64_t odim_model_checks(const odim_model *m, int member)
{
    return member >= 0 && member < odim_model_members(m) ? m->member[member].history.count : 0;
}

const odim_check *odim_model_check(const odim_model *m, int member, int64_t index)
{
    bool is_one = index >= 0 && index < odim_model_checks(m, member);
    return is_one ? &m->member[member].history.check[index] : NULL;
}
