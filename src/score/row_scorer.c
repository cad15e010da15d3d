/* Scores blocks of rows on one thread. */
#include "score/row_scorer.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "kern/kern.h"
#include "prep/checks_row.h"
#include "score/aux_detectors.h"

#define BLOCK_ROWS 64 /* rows that a network or detector scores at a time */
#define WIDE_ROWS  16 /* the same of rows with more features than WIDE, so that a stop gets through */
#define WIDE       2048

/* ---- memory ------------------------------------------------------------------------------------------ */

/* Whether the losses of the networks are in the raw score. */
static bool has_losses(const od_row_scorer *w)
{
    return w->model->losses > 0;
}

static odim_status make_nets(od_row_scorer *w, bool small, odim_error *err)
{
    const odim_model *m = w->model;
    const od_net_options options = {.rows = w->room < BLOCK_ROWS ? w->room : BLOCK_ROWS,
                                    .samples = od_model_score_samples(m)};
    if (!m->members || !w->lossy) return ODIM_OK;
    if (!small) return od_net_new(&w->net, od_kern_get(), &m->layout, &options, err);
    odim_status status = od_ready_nets_new(&w->ready, od_kern_get(), &m->layout, m->members, &options, err);
    for (int64_t b = 0; !status && b < m->members; b++)
        od_ready_nets_set(&w->ready, b, m->member[b].params, m->member[b].stats);
    return status;
}

odim_status od_row_scorer_new(od_row_scorer *w, const odim_model *model, const od_row_wants *wants,
                              int64_t rows, bool small, odim_error *err)
{
    *w = (od_row_scorer){.model = model, .wants = *wants, .room = rows};
    w->lossy = wants->losses || wants->members || has_losses(w);
    w->transformed = w->lossy || wants->axes;
    for (int k = 0; k < model->aux_count; k++) w->transformed = w->transformed || model->aux[k].transformed;
    odim_status status = make_nets(w, small, err);
    size_t room = (size_t)rows;
    if (!status) {
        bool ok = (w->plain = od_alloc(room * (size_t)model->schema.features, sizeof(float))) &&
                  (w->x = od_alloc(room * (size_t)model->width, sizeof(float))) &&
                  (w->inputs = od_alloc(BLOCK_ROWS * (size_t)model->layout.shape.d, sizeof(float))) &&
                  (w->net_loss = od_alloc(BLOCK_ROWS, sizeof(float))) &&
                  (w->scratch = od_alloc(od_aux_scratch(model), 1)) &&
                  (w->cells = od_alloc((size_t)od_checks_room(&model->schema.checks), sizeof(double))) &&
                  (w->raw = od_alloc(5 * room, sizeof(double))) &&
                  (!model->known.method || (w->known = od_calloc(room, sizeof *w->known))) &&
                  (!wants->members || (w->each = od_alloc((size_t)model->members * room, sizeof(double)))) &&
                  (!wants->apart || (w->apart = od_alloc((size_t)model->aux_count * room, sizeof(double))));
        if (!ok) status = od_fail_nomem(err);
    }
    if (status) {
        od_row_scorer_free(w);
        return status;
    }
    w->loss = w->raw + room;
    w->confirm = w->loss + room;
    w->checks = w->confirm + room;
    w->excused = w->checks + room;
    return ODIM_OK;
}

void od_row_scorer_free(od_row_scorer *w)
{
    od_net_free(&w->net);
    od_ready_nets_free(&w->ready);
    od_free(w->plain);
    od_free(w->x);
    od_free(w->inputs);
    od_free(w->net_loss);
    od_free(w->scratch);
    od_free(w->cells);
    od_free(w->raw);
    od_free(w->each);
    od_free(w->apart);
    od_free(w->known);
    *w = (od_row_scorer){0};
}

/* ---- scoring ----------------------------------------------------------------------------------------- */

static bool is_stopped(od_parallel *par)
{
    return par && od_parallel_stopped(par);
}

static od_net *net_of(od_row_scorer *w, int64_t b)
{
    const od_member *member = &w->model->member[b];
    if (w->ready.net) return od_ready_nets_at(&w->ready, b);
    od_net_ready(&w->net, member->params, member->stats);
    return &w->net;
}

/* loss (rows): the mean over the members. Goes member by member, so that each is made ready once. */
static odim_status add_losses(od_row_scorer *w, od_parallel *par, int64_t rows, odim_error *err)
{
    const odim_model *m = w->model;
    for (int64_t b = 0; b < m->members; b++) {
        od_net *net = net_of(w, b);
        for (int64_t at = 0; at < rows; at += BLOCK_ROWS) {
            if (is_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
            int64_t count = rows - at < BLOCK_ROWS ? rows - at : BLOCK_ROWS;
            const float *x = od_model_inputs(m, b, w->x + at * m->width, count, w->inputs);
            od_net_loss(net, x, count, m->member[b].noise, true, w->net_loss);
            for (int64_t i = 0; i < count; i++) {
                w->loss[at + i] += (double)w->net_loss[i];
                if (w->each) w->each[b * w->room + at + i] = (double)w->net_loss[i];
            }
        }
    }
    for (int64_t i = 0; i < rows; i++) w->loss[i] /= (double)m->members;
    return ODIM_OK;
}

/* The contribution of the auxiliary detectors to the raw scores, and the score of the detector that confirms
 * verdicts. */
static odim_status add_detectors(od_row_scorer *w, od_parallel *par, int64_t rows, odim_error *err)
{
    const odim_model *m = w->model;
    const od_aux_detector *confirming = w->wants.confirm ? od_aux_confirming(m) : NULL;
    int64_t step = m->schema.features > WIDE ? WIDE_ROWS : BLOCK_ROWS, d = m->width;
    for (int64_t at = 0; m->aux_count && at < rows; at += step) {
        if (is_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        const od_aux_rows in = {.plain = w->plain + at * m->schema.features,
                                .seen = w->x + at * d,
                                .rows = rows - at < step ? rows - at : step,
                                .scratch = w->scratch};
        if (!w->wants.apart) od_aux_add(m, &in, w->raw + at);
        for (int k = 0; w->wants.apart && k < m->aux_count; k++) {
            double *own = w->apart + k * w->room + at;
            od_aux_score(&m->aux[k], &in, own);
            for (int64_t i = 0; i < in.rows; i++) w->raw[at + i] += own[i]; /* to see that all are numbers */
        }
        if (confirming) od_aux_score(confirming, &in, w->confirm + at);
    }
    return ODIM_OK;
}

/* How near rows are to known rows. */
static void find_near(const od_row_scorer *w, int64_t rows)
{
    const odim_model *m = w->model;
    if (!w->known || !w->wants.evidence) return;
    for (int64_t at = 0; at < rows; at += OD_DETECTOR_ROWS) {
        int64_t count = rows - at < OD_DETECTOR_ROWS ? rows - at : OD_DETECTOR_ROWS;
        od_known_rows_near(&m->known, w->plain + at * m->schema.features, count, w->scratch, w->known + at);
    }
}

odim_status od_score_fail(const odim_table *table, int64_t row, odim_error *err)
{
    int64_t number = od_table_row(table, row);
    return od_fail_at(err, ODIM_ERR_DATA, number, 0,
                      "row %lld: its score is not a number; its values are too extreme for the model",
                      (long long)number);
}

/* Whether extreme values explain that a row of features x has no score. If not, the model is to blame. */
static bool may_be_beyond(const od_row_scorer *w, const od_encoder *e, const float *x)
{
    if (w->model->schema.clamped) return true;
    float most = 0.0f;
    for (int64_t j = 0; j < w->model->schema.features; j++) most = fmaxf(most, fabsf(x[j]));
    return e->lenient && most > OD_SCHEMA_FAR;
}

/* Replaces scores that are not finite. */
static void put_beyond(od_row_scorer *w, int64_t i)
{
    double score = w->model->schema.clamped ? OD_SCORE_BEYOND : OD_SCORE_HIGHEST;
    w->raw[i] = score;
    for (int64_t b = 0; w->each && b < w->model->members; b++) {
        double *own = &w->each[b * w->room + i];
        if (!isfinite(*own)) *own = score;
    }
}

odim_status od_row_scorer_block(od_row_scorer *w, od_parallel *par, const od_encoder *e, const int64_t *list,
                                int64_t start, int64_t count, odim_error *err)
{
    const odim_model *m = w->model;
    const od_checks *checks = &m->schema.checks;
    size_t size = (size_t)count * sizeof(double);
    memset(w->raw, 0, size);
    memset(w->loss, 0, size);
    memset(w->confirm, 0, size);
    odim_status status = od_encode_rows(e, list, start, count, w->plain, err);
    if (status) return status;
    if (w->transformed) od_transform_apply(&m->transform, w->plain, count, m->schema.features, w->x);
    if (w->lossy && m->members && (status = add_losses(w, par, count, err))) return status;
    if (has_losses(w)) memcpy(w->raw, w->loss, size);
    if ((status = add_detectors(w, par, count, err))) return status;
    find_near(w, count);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = list ? list[i] : start + i;
        if (!isfinite(w->raw[i])) {
            if (!may_be_beyond(w, e, w->plain + i * m->schema.features))
                return od_score_fail(e->table, row, err);
            put_beyond(w, i);
        }
        bool checked = w->wants.evidence && checks->cols;
        w->checks[i] = checked ? od_checks_row(checks, e, row, NULL, w->cells) : 0.0;
        w->excused[i] = checked && od_checks_is_excused(checks, e, row) ? 1.0 : 0.0;
    }
    return ODIM_OK;
}

od_evidence od_row_scorer_at(const od_row_scorer *w, int64_t i)
{
    const odim_model *m = w->model;
    return (od_evidence){.raw = w->raw[i],
                         .known = w->known ? w->known[i] : (od_known_near){0},
                         .loss = w->loss[i],
                         .confirm = w->confirm[i],
                         .checks = w->checks[i],
                         .excused = w->excused[i] > 0.0,
                         .axes = w->x + i * m->width + m->schema.features};
}
