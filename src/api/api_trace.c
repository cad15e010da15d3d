/* How a model learns: training that is looked at, and what was seen. */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "fit/fit.h"
#include "base/sized.h"

#define LENGTH     500
#define MOST_ROWS  5000
#define MOST_TIMES 1000000000 /* updates of a member */

struct odim_trace {
    odim_model *model; /* trained, but not asked what its scores mean */
    od_probe probe;
    int64_t *updates; /* of the recorder */
    int64_t *rows;
    double *loss; /* (moments, rows) */
    double *auc;  /* (moments) */
};

/* ---- what to look at -------------------------------------------------------------------------------- */

static odim_status choose_updates(odim_trace *t, const odim_trace_options *o, odim_error *err)
{
    static const int64_t usual[] = {10, 20, 30, 40, 500};
    const int64_t *asked = o->updates ? o->updates : usual;
    int count = o->updates ? o->count : (int)(sizeof usual / sizeof *usual);
    od_probe *r = &t->probe;
    r->length = o->length ? o->length : LENGTH;
    if (count < 0 || r->length < 1 || r->length > MOST_TIMES)
        return od_fail(err, ODIM_ERR_PARAM, "a trace has 1 to %d updates, not %lld", MOST_TIMES,
                       (long long)r->length);
    t->updates = od_alloc((size_t)count + 1, sizeof *t->updates);
    if (!t->updates) return od_fail_nomem(err);
    r->updates = t->updates;
    for (int i = 0; i < count; i++) {
        bool late = asked[i] > r->length;
        if (asked[i] < 1 || (late && o->updates && o->length) || asked[i] > MOST_TIMES)
            return od_fail(err, ODIM_ERR_PARAM, "cannot look after update %lld of %lld", (long long)asked[i],
                           (long long)r->length);
        if (late && !o->updates) continue;
        if (late) r->length = asked[i];
        t->updates[r->update_count++] = asked[i];
    }
    return ODIM_OK;
}

/*
 * Evenly among the rows; with labels evenly among those of each kind, so that a few outliers of many rows are
 * there: the area under the ROC curve does not depend on how many there are of each.
 */
static odim_status choose_rows(odim_trace *t, const odim_table *table, int64_t most, odim_error *err)
{
    const int8_t *labels = table->labels;
    int64_t n = table->n, of[2] = {0, 0}, take[2], seen[2] = {0, 0}, count = 0;
    for (int64_t i = 0; i < n; i++) of[labels && labels[i] == 1]++;
    if (most > n) most = n;
    take[1] = of[1] < most / 2 ? of[1] : most / 2;
    if (most - take[1] > of[0]) take[1] = most - of[0];
    take[0] = most - take[1];
    t->rows = od_alloc((size_t)most, sizeof *t->rows);
    if (!t->rows) return od_fail_nomem(err);
    /* Number i of `of` is taken when i * take / of passes a whole number. */
    for (int64_t i = 0; i < n; i++) {
        int k = labels && labels[i] == 1;
        int64_t j = seen[k]++;
        if ((j + 1) * take[k] / of[k] > j * take[k] / of[k]) t->rows[count++] = i;
    }
    t->probe.rows = t->rows;
    t->probe.row_count = count;
    return ODIM_OK;
}

/* ---- what was seen ---------------------------------------------------------------------------------- */

/* NaN where there are not both kinds of rows, or a loss is not a number. */
static odim_status find_auc(odim_trace *t, const int8_t *row_labels, odim_error *err)
{
    const od_probe *r = &t->probe;
    for (int64_t k = 0; k < r->moments; k++) {
        const double *loss = t->loss + k * r->row_count;
        bool kind[2] = {false, false}, fine = true;
        for (int64_t i = 0; i < r->row_count; i++) {
            fine = fine && isfinite(loss[i]);
            if (row_labels) kind[row_labels[i] == 1] = true;
        }
        t->auc[k] = NAN;
        if (!fine || !kind[0] || !kind[1]) continue;
        odim_status status = odim_auc(loss, row_labels, r->row_count, &t->auc[k], err);
        if (status) return status;
    }
    return ODIM_OK;
}

static odim_status collect(odim_trace *t, const odim_table *table, odim_error *err)
{
    const od_probe *r = &t->probe;
    int8_t *labels = NULL;
    t->loss = od_alloc((size_t)(r->moments * r->row_count), sizeof *t->loss);
    t->auc = od_alloc((size_t)r->moments, sizeof *t->auc);
    if (table->labels) labels = od_alloc((size_t)r->row_count, sizeof *labels);
    if (!t->loss || !t->auc || (table->labels && !labels)) {
        od_free(labels);
        return od_fail_nomem(err);
    }
    for (int64_t k = 0; k < r->moments; k++) od_probe_mean(r, k, t->loss + k * r->row_count);
    for (int64_t i = 0; labels && i < r->row_count; i++) labels[i] = table->labels[t->rows[i]];
    odim_status status = find_auc(t, labels, err);
    od_free(labels);
    /* The losses of each member are no longer needed. */
    od_free(t->probe.loss);
    t->probe.loss = NULL;
    return status;
}

odim_status odim_trace_fit(const odim_table *table, const odim_params *params,
                           const odim_trace_options *options, const odim_hooks *hooks, odim_trace **out,
                           odim_error *err)
{
    odim_trace_options o;
    odim_hooks own;
    od_fit fit;
    OD_NEED(out, "out", err);
    *out = NULL;
    OD_NEED(table, "table", err);
    odim_status status = od_sized_in(&o, sizeof o, options, "options", err);
    if (!status) status = od_sized_in(&own, sizeof own, hooks, "hooks", err);
    if (status) return status;
    if (o.rows < 0) return od_fail(err, ODIM_ERR_PARAM, "cannot look at %lld rows", (long long)o.rows);
    odim_trace *t = od_calloc(1, sizeof *t);
    if (!t) return od_fail_nomem(err);
    status = od_fit_init(&fit, params, OD_FIT_TRACED, &own, err);
    if (!status) status = od_fit_table(&fit, table, err);
    if (!status) status = choose_updates(t, &o, err);
    if (!status) status = choose_rows(t, table, o.rows ? o.rows : MOST_ROWS, err);
    t->probe.at_checks = table->labels != NULL;
    fit.probe = &t->probe;
    if (!status) status = od_fit_begin(&fit, err);
    if (!status) status = od_fit_train(&fit, NULL, err);
    if (!status) status = collect(t, table, err);
    t->model = od_fit_take(&fit);
    od_fit_free(&fit);
    if (status) {
        odim_trace_free(t);
        return status;
    }
    *out = t;
    return ODIM_OK;
}

void odim_trace_free(odim_trace *t)
{
    if (!t) return;
    odim_model_free(t->model);
    od_probe_free(&t->probe);
    od_free(t->updates);
    od_free(t->rows);
    od_free(t->loss);
    od_free(t->auc);
    od_free(t);
}

/* ---- what a trace contains ------------------------------------------------------------------------- */

int odim_trace_members(const odim_trace *t)
{
    return t ? odim_model_members(t->model) : 0;
}

const odim_member_info *odim_trace_member(const odim_trace *t, int index)
{
    return t ? odim_model_member(t->model, index) : NULL;
}

int64_t odim_trace_checks(const odim_trace *t)
{
    return t ? odim_model_checks(t->model, 0) : 0;
}

const odim_check *odim_trace_check(const odim_trace *t, int member, int64_t index)
{
    return t ? odim_model_check(t->model, member, index) : NULL;
}

int64_t odim_trace_moments(const odim_trace *t)
{
    return t ? t->probe.moments : 0;
}

static bool is_moment(const odim_trace *t, int64_t moment)
{
    return t && moment >= 0 && moment < t->probe.moments;
}

int64_t odim_trace_update(const odim_trace *t, int64_t moment)
{
    return is_moment(t, moment) ? t->probe.moment[moment] : 0;
}

const double *odim_trace_losses(const odim_trace *t, int64_t moment)
{
    return is_moment(t, moment) ? t->loss + moment * t->probe.row_count : NULL;
}

double odim_trace_auc(const odim_trace *t, int64_t moment)
{
    return is_moment(t, moment) ? t->auc[moment] : NAN;
}

int64_t odim_trace_rows(const odim_trace *t)
{
    return t ? t->probe.row_count : 0;
}

const int64_t *odim_trace_row_numbers(const odim_trace *t)
{
    return t ? t->rows : NULL;
}
