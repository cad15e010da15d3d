#include "api/whole.h"

#include <math.h>
#include <stdio.h>

#include "api/fit_dp.h"
#include "base/poll.h"
#include "kern/kern.h"
#include "model/params.h"
#include "score/calibrate.h"
#include "score/aux_detectors.h"
#include "score/trusted_rows.h"
#include "score/explain.h"
#include "score/threshold.h"
#include "score/score.h"

/* Training rows whose scores say what a score means; evenly spread among them. */
#define CALIBRATION_ROWS 32768
/* Of these rows so many are unusual at most, beside the outliers. */
#define UNUSUAL_SHARE 0.03
/* Training rows by which the two parts of a score are brought to a common unit. */
#define BALANCE_ROWS 4096

/* Fewer known outliers than this can hardly be of all kinds that there are. */
#define FEW_KNOWN 20

odim_status od_whole_config(od_whole *w, const odim_params *params, odim_error *err)
{
    if (params)
        w->config = params->config;
    else
        od_params_defaults(&w->config);
    odim_status status = params ? od_params_check(params, err) : ODIM_OK;
    if (status) return status;
    if (w->config.model == OD_NET_FLOW && w->config.dp_epsilon > 0)
        return od_fail(err, ODIM_ERR_PARAM,
                       "model flow cannot be trained with privacy: leave out dp-epsilon");
    if ((w->config.transform || w->config.with.count || w->config.trusted_fraction > 0) &&
        w->config.dp_epsilon > 0)
        return od_fail(
            err, ODIM_ERR_PARAM,
            "with dp-epsilon, transform must be none, with must be none and trusted-fraction must be "
            "off: they store values of training rows");
    if (w->config.likelihood == OD_LIK_BERNOULLI && w->config.scale == OD_SCALE_STANDARD)
        return od_fail(err, ODIM_ERR_PARAM,
                       "likelihood bernoulli is for values from 0 to 1: it needs scale minmax");
    return ODIM_OK;
}

static bool is_private(const od_whole *w)
{
    return w->config.dp_epsilon > 0;
}

odim_status od_whole_table(od_whole *w, const odim_table *table, const odim_params *params,
                           const odim_hooks *hooks, odim_error *err)
{
    *w = (od_whole){.table = table, .hooks = hooks};
    odim_status status = od_kern_check(err);
    if (!status) status = od_whole_config(w, params, err);
    if (!status) status = od_column_stats_new(&w->stats, table->d, err);
    if (status) return status;
    if (is_private(w)) return od_fit_dp_stats(w, err);
    status = od_column_stats_add(&w->stats, table, err);
    if (!status) status = od_sample_choose(&w->chosen, table->known, table->n, table->d, w->config.seed, err);
    return status;
}

void od_whole_free(od_whole *w)
{
    od_row_set_free(&w->chosen);
    od_column_stats_free(&w->stats);
}

/* Row number i of `count` that are chosen evenly among the training rows. */
static int64_t training_row(const od_whole *w, int64_t i, int64_t count)
{
    int64_t at = i * w->chosen.count / count;
    return w->chosen.rows ? w->chosen.rows[at] : at;
}

static bool is_known_outlier(const od_whole *w, int64_t row)
{
    return w->table->known && w->table->known[row] == 1;
}

/* ---- what the scores mean ---------------------------------------------------------------------------- */

static const od_aux_detector *confirm_of(const odim_model *m)
{
    for (int k = 0; k < m->aux_count; k++)
        if (m->aux[k].confirm) return &m->aux[k];
    return NULL;
}

/* The evidence on some rows, and which they are. */
typedef struct sample {
    int64_t *rows; /* (n) */
    int64_t n;
    od_evidence_set found;
} sample;

static void sample_free(sample *s)
{
    od_free(s->rows);
    od_free(s->found.raw);
    od_free(s->found.axes);
}

/* Rows that represent all, at most CALIBRATION_ROWS, with what the verdict rests on. */
static odim_status take_sample(const od_whole *w, const odim_model *m, sample *s, odim_error *err)
{
    int64_t n = w->chosen.count < CALIBRATION_ROWS ? w->chosen.count : CALIBRATION_ROWS;
    bool several = m->members && confirm_of(m);
    int64_t q = several ? od_threshold_axes(m, n) : 0;
    *s = (sample){.rows = od_alloc((size_t)n, sizeof *s->rows), .n = n, .found.q = q};
    double *at = od_calloc((size_t)n, 4 * sizeof *at);
    s->found.raw = at;
    s->found.axes = q ? od_alloc((size_t)n, (size_t)q * sizeof(float)) : NULL;
    if (!s->rows || !at || (q && !s->found.axes)) return od_fail_nomem(err);
    s->found.checks = at + n;
    if (several) {
        s->found.loss = at + 2 * n;
        s->found.confirm = at + 3 * n;
    }
    for (int64_t i = 0; i < n; i++) s->rows[i] = training_row(w, i, n);
    return od_score_evidence(m, w->table, s->rows, n, w->config.threads, w->hooks, &s->found, err);
}

/* Leaves out the known outliers, whose scores are high because they are made to be. */
static void leave_known(const od_whole *w, sample *s)
{
    int64_t count = 0;
    od_evidence_set *f = &s->found;
    for (int64_t i = 0; i < s->n; i++) {
        if (is_known_outlier(w, s->rows[i])) continue;
        s->rows[count] = s->rows[i];
        f->raw[count] = f->raw[i];
        f->checks[count] = f->checks[i];
        if (f->loss) f->loss[count] = f->loss[i];
        if (f->confirm) f->confirm[count] = f->confirm[i];
        for (int64_t k = 0; k < f->q; k++) f->axes[count * f->q + k] = f->axes[i * f->q + k];
        count++;
    }
    s->n = count;
}

/* In their place what a private model may know of the scores. */
static odim_status take_private(const od_whole *w, odim_model *m, sample *s, odim_error *err)
{
    int64_t n = w->chosen.count < CALIBRATION_ROWS ? w->chosen.count : CALIBRATION_ROWS;
    *s = (sample){.n = n, .found.raw = od_calloc((size_t)n, 2 * sizeof(double))};
    double *own = w->scores_counted ? od_alloc((size_t)w->table->n, sizeof *own) : NULL;
    odim_status status = !s->found.raw || (w->scores_counted && !own) ? od_fail_nomem(err) : ODIM_OK;
    if (!status) s->found.checks = s->found.raw + n;
    if (!status && own)
        status = od_score_rows(m, w->table, NULL, w->table->n, w->config.threads, w->hooks, own, err);
    if (!status) status = od_fit_dp_scores(w, m, own, s->found.raw, n, err);
    if (!status) m->score_p90 = s->found.raw[n * 9 / 10];
    od_free(own);
    return status;
}

typedef odim_status step(odim_model *m, const odim_table *table, const int64_t *rows, int64_t count,
                         int64_t threads, const odim_hooks *hooks, odim_error *err);

/* A step that looks at n training rows, evenly spread among them. */
static odim_status on_training_rows(const od_whole *w, odim_model *m, int64_t n, step *take, odim_error *err)
{
    int64_t *rows = od_alloc((size_t)n, sizeof *rows);
    if (!rows) return od_fail_nomem(err);
    for (int64_t i = 0; i < n; i++) rows[i] = training_row(w, i, n);
    odim_status status = take(m, w->table, rows, n, w->config.threads, w->hooks, err);
    od_free(rows);
    return status;
}

/* What makes the score, of networks and detectors that are fitted: trusted rows, or the weights of what
 * stands beside networks. */
static odim_status compose(const od_whole *w, odim_model *m, odim_error *err)
{
    int64_t count = w->chosen.count;
    if (w->config.trusted_fraction > 0)
        return on_training_rows(w, m, od_trusted_rows_count(count, m->schema.features), od_trusted_rows_fit,
                                err);
    if (!m->members || !m->aux_count) return ODIM_OK;
    return on_training_rows(w, m, count < BALANCE_ROWS ? count : BALANCE_ROWS, od_aux_balance, err);
}

/* The score of each row of a sample; those of private rows are of no row. */
static void judge_sample(const odim_model *m, const sample *s, double *scores)
{
    const od_evidence_set *f = &s->found;
    for (int64_t i = 0; i < s->n; i++) {
        od_evidence e = {.raw = f->raw[i], .checks = f->checks[i]};
        if (f->loss) e.loss = f->loss[i];
        if (f->confirm) e.confirm = f->confirm[i];
        if (f->axes) e.axes = f->axes + i * f->q;
        scores[i] = od_final_score(m, &e);
    }
}

/* Where a share of the rows is to be called, of all rows. */
static odim_status set_thresholds(const od_whole *w, odim_model *m, const sample *s, odim_error *err)
{
    double *scores = od_alloc((size_t)s->n, sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    judge_sample(m, s, scores);
    m->threshold = OD_SCORE_OUTLIER;
    odim_status status = od_calibrate_quantile(&m->verdict.unusual, scores, s->n, UNUSUAL_SHARE, err);
    m->verdict.unusual = fmin(fmax(m->verdict.unusual, OD_SCORE_UNUSUAL), OD_SCORE_OUTLIER);
    if (!status && w->config.contamination > 0)
        status = od_calibrate_quantile(&m->threshold, scores, s->n, w->config.contamination, err);
    od_free(scores);
    return status;
}

/* Whether a sample is all rows of the table, in their order. */
static bool is_whole_table(const od_whole *w, const sample *s)
{
    return s->rows && s->n == w->table->n && !w->chosen.rows;
}

/* What scores mean; scores: NULL, or of all rows of the table. */
static odim_status calibrate(const od_whole *w, odim_model *m, double *scores, odim_error *err)
{
    sample s;
    const bool known = w->chosen.knowns > 0;
    odim_status status = is_private(w) ? take_private(w, m, &s, err) : take_sample(w, m, &s, err);
    if (!status && known) leave_known(w, &s);
    if (!status) status = od_calibrate_fit(&m->calibration, s.found.raw, s.n, err);
    if (!status)
        status = od_threshold_fit(m, s.found.raw, s.found.loss, s.found.confirm, s.found.axes, s.n, err);
    if (!status && known) {
        sample_free(&s);
        status = take_sample(w, m, &s, err);
    }
    if (!status) status = set_thresholds(w, m, &s, err);
    if (!status && scores && is_whole_table(w, &s))
        judge_sample(m, &s, scores);
    else if (!status && scores)
        status = od_score_final(m, w->table, w->config.threads, false, w->hooks, scores, err);
    sample_free(&s);
    return status;
}

/* What reasons are held against, from training rows evenly spread among them. */
static odim_status learn_usual(const od_whole *w, odim_model *m, odim_error *err)
{
    if (is_private(w)) return od_explain_fit_synthetic(m, w->config.threads, w->hooks, err);
    return on_training_rows(w, m, od_explain_sample(w->chosen.count, m->schema.features), od_explain_fit,
                            err);
}

static void note_known(const od_whole *w)
{
    char text[160];
    int64_t outliers = w->stats.known[1], inliers = w->stats.known[0];
    if (!w->hooks || !w->hooks->note || outliers + inliers == 0) return;
    int len =
        snprintf(text, sizeof text, "known beforehand: %lld outlier%s, %lld inlier%s", (long long)outliers,
                 outliers == 1 ? "" : "s", (long long)inliers, inliers == 1 ? "" : "s");
    if (w->chosen.knowns < outliers)
        snprintf(text + len, sizeof text - (size_t)len, "; %lld of these outliers are learnt from",
                 (long long)w->chosen.knowns);
    else if (outliers > 0 && outliers < FEW_KNOWN)
        snprintf(text + len, sizeof text - (size_t)len,
                 "; so few make the model look for their like, and others may be missed");
    w->hooks->note(text, w->hooks->user);
}

/* What no model can be made of. */
static odim_status check_rows(const od_whole *w, odim_error *err)
{
    if (w->stats.rows < 2)
        return od_fail(err, ODIM_ERR_DATA, "one row alone cannot be compared: at least 2 are needed");
    if (w->table->d > OD_MAX_COLS)
        return od_fail(err, ODIM_ERR_DATA, "%lld feature columns; at most %d can be used",
                       (long long)w->table->d, OD_MAX_COLS);
    odim_params asked = {.config = w->config};
    if (w->config.method && w->stats.known[0] + w->stats.known[1] > 0)
        return od_fail(err, ODIM_ERR_PARAM, "method %s does not learn from known outliers",
                       odim_params_get(&asked, "method"));
    if (w->config.method && w->probe)
        return od_fail(err, ODIM_ERR_PARAM, "method %s is not trained: there is nothing to trace",
                       odim_params_get(&asked, "method"));
    note_known(w);
    return ODIM_OK;
}

odim_status od_whole_begin(const od_whole *w, odim_model **out, odim_error *err)
{
    *out = NULL;
    odim_status status = check_rows(w, err);
    if (status) return status;
    return od_ensemble_begin(out, &w->config, w->table, &w->stats, &w->chosen, w->hooks, err);
}

odim_status od_whole_members(const od_whole *w, odim_model *m, const od_member_subset *some, odim_error *err)
{
    return od_ensemble_train(m, w->table, &w->chosen, NULL, NULL, some, w->hooks, err);
}

odim_status od_whole_train(const od_whole *w, odim_model **out, odim_error *err)
{
    *out = NULL;
    od_dp_plan plan;
    odim_status status = check_rows(w, err);
    if (status) return status;
    if (is_private(w) && w->probe)
        return od_fail(err, ODIM_ERR_PARAM,
                       "private training has no stop rule, and may not be looked at: no dp-epsilon here");
    if (is_private(w)) status = od_dp_plan_make(&plan, &w->config, w->chosen.count, &w->others, err);
    if (status) return status;
    status = od_ensemble_fit(out, &w->config, w->table, &w->stats, &w->chosen, is_private(w) ? &plan : NULL,
                             w->probe, w->hooks, err);
    if (!status && is_private(w)) (*out)->privacy = od_fit_dp_spent(w, &plan);
    return status;
}

odim_status od_whole_finish(const od_whole *w, odim_model *m, double *scores, odim_error *err)
{
    odim_status status = compose(w, m, err);
    if (!status) status = calibrate(w, m, scores, err);
    od_poll poll;
    od_poll_begin(&poll, w->hooks, (odim_progress){.stage = ODIM_STAGE_EXPLAINING});
    if (!status) status = learn_usual(w, m, err);
    od_poll_end(&poll);
    return status;
}

odim_status od_whole_fit(const od_whole *w, odim_model **out, double *scores, odim_error *err)
{
    odim_model *m;
    *out = NULL;
    odim_status status = od_whole_train(w, &m, err);
    if (!m) return status;
    status = od_whole_finish(w, m, scores, err);
    if (status) {
        odim_model_free(m);
        return status;
    }
    *out = m;
    return ODIM_OK;
}
