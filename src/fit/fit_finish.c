/* The last step of a fit: what makes the score, what scores mean, and what reasons are held against. */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "fit/fit.h"
#include "score/aux_detectors.h"
#include "score/aux_weights.h"
#include "score/calibrate.h"
#include "score/explain.h"
#include "score/score.h"
#include "prep/checks_row.h"
#include "score/threshold.h"
#include "score/trusted_rows.h"

/* Training rows, evenly spread, that scores are calibrated on. */
#define CALIBRATION_ROWS 32768
/* At most this share of them is unusual, besides the outliers. */
#define UNUSUAL_SHARE 0.03
/* Training rows, evenly spread, that auxiliary detectors are weighed on. */
#define WEIGHT_ROWS 4096

static int64_t at_most(int64_t count, int64_t most)
{
    return count < most ? count : most;
}

static bool is_private(const od_fit *f)
{
    return f->config.dp_epsilon > 0;
}

/* ---- what makes the score ----------------------------------------------------------------------------- */

typedef odim_status step(odim_model *m, const od_table_rows *rows, const od_run *run, odim_error *err);

/* n training rows, evenly spread among them, to be od_free'd; NULL: out of memory. */
static int64_t *even_rows(const od_fit *f, int64_t n)
{
    int64_t *rows = od_alloc((size_t)n, sizeof *rows);
    for (int64_t i = 0; rows && i < n; i++) rows[i] = od_row_set_even(&f->chosen, i, n);
    return rows;
}

/* A step that looks at n of them. */
static odim_status on_training_rows(od_fit *f, int64_t n, step *take, odim_error *err)
{
    int64_t *rows = even_rows(f, n);
    if (!rows) return od_fail_nomem(err);
    odim_status status = take(f->model, &(od_table_rows){f->table, rows, n}, &f->run, err);
    od_free(rows);
    return status;
}

/* Known inliers among the training rows; known outliers are listed already. */
static odim_status learn_known(od_fit *f, const od_table_rows *trusted, odim_error *err)
{
    const od_row_set *chosen = &f->chosen;
    int64_t *inliers = od_alloc((size_t)chosen->count, sizeof *inliers), count = 0;
    if (!inliers) return od_fail_nomem(err);
    for (int64_t i = 0; i < chosen->count; i++) {
        int64_t row = chosen->rows ? chosen->rows[i] : i;
        if (f->table->known[row] == 0) inliers[count++] = row;
    }
    odim_status status = od_trusted_rows_learn(
        f->model, trusted, &(od_known_lists){chosen->known, chosen->knowns, inliers, count}, &f->run, err);
    od_free(inliers);
    return status;
}

/* The rows that the networks and detectors find most ordinary make the score, together with known rows. */
static odim_status trust(od_fit *f, odim_error *err)
{
    int64_t n = od_sample_few(f->chosen.count, f->model->schema.features), *rows = even_rows(f, n);
    if (!rows) return od_fail_nomem(err);
    od_table_rows trusted = {f->table, rows, n};
    odim_status status =
        od_trusted_rows_fit(f->model, &trusted, rows, &trusted.count, &f->judged, &f->run, err);
    if (!status && f->table->known) status = learn_known(f, &trusted, err);
    od_free(rows);
    return status;
}

/* Networks and detectors are fitted. Now either they choose the rows to trust, or the detectors get their
 * weights next to the networks. */
static odim_status compose(od_fit *f, odim_error *err)
{
    const odim_model *m = f->model;
    int64_t count = f->chosen.count;
    if (f->config.trusted_fraction > 0) return trust(f, err);
    if (!m->members || !m->aux_count) return ODIM_OK;
    return on_training_rows(f, at_most(count, WEIGHT_ROWS), od_aux_weights_fit, err);
}

/* ---- what scores mean --------------------------------------------------------------------------------- */

/* The evidence on some rows, and which rows they are. */
typedef struct sample {
    int64_t *rows; /* (n), or NULL: these are no rows of the table */
    int64_t n;
    od_evidence_set found;
} sample;

static void sample_free(sample *s)
{
    od_free(s->rows);
    od_free(s->found.raw);
    od_free(s->found.axes);
    od_free(s->found.known);
}

/* Training rows with what the verdict on them rests on. */
static odim_status take_sample(const od_fit *f, sample *s, odim_error *err)
{
    const odim_model *m = f->model;
    int64_t n = at_most(f->chosen.count, CALIBRATION_ROWS);
    bool several = m->members && od_aux_confirming(m);
    int64_t q = several ? od_threshold_axes(m, n) : 0;
    *s = (sample){.rows = even_rows(f, n), .n = n, .found.q = q};
    double *at = od_calloc((size_t)n, 4 * sizeof *at);
    s->found.raw = at;
    s->found.axes = q ? od_alloc((size_t)n, (size_t)q * sizeof(float)) : NULL;
    if (m->known.method) s->found.known = od_alloc((size_t)n, sizeof *s->found.known);
    if (!s->rows || !at || (q && !s->found.axes) || (m->known.method && !s->found.known))
        return od_fail_nomem(err);
    s->found.checks = at + n;
    if (several) {
        s->found.loss = at + 2 * n;
        s->found.confirm = at + 3 * n;
    }
    od_evidence_set wanted = s->found;
    const od_judged *j = &f->judged;
    if (several && j->count == n && j->loss && j->confirm && j->q == q) { /* these rows have been judged */
        memcpy(s->found.loss, j->loss, (size_t)n * sizeof *j->loss);
        memcpy(s->found.confirm, j->confirm, (size_t)n * sizeof *j->confirm);
        if (q) memcpy(s->found.axes, j->axes, (size_t)(n * q) * sizeof *j->axes);
        wanted.loss = wanted.confirm = NULL;
        wanted.axes = NULL;
    }
    return od_score_evidence(m, &(od_table_rows){f->table, s->rows, n}, &f->run, &wanted, err);
}

/* Removes the known outliers, whose scores are high because training made them high. */
static void remove_known(const od_fit *f, sample *s)
{
    int64_t count = 0;
    od_evidence_set *e = &s->found;
    for (int64_t i = 0; i < s->n; i++) {
        if (f->table->known && f->table->known[s->rows[i]] == 1) continue;
        s->rows[count] = s->rows[i];
        e->raw[count] = e->raw[i];
        e->checks[count] = e->checks[i];
        if (e->loss) e->loss[count] = e->loss[i];
        if (e->confirm) e->confirm[count] = e->confirm[i];
        if (e->known) e->known[count] = e->known[i];
        for (int64_t k = 0; k < e->q; k++) e->axes[count * e->q + k] = e->axes[i * e->q + k];
        count++;
    }
    s->n = count;
}

/* The same for a differentially private fit: only what it may know of the scores. */
static odim_status take_private(od_fit *f, sample *s, odim_error *err)
{
    int64_t n = at_most(f->chosen.count, CALIBRATION_ROWS);
    *s = (sample){.n = n, .found.raw = od_calloc((size_t)n, 2 * sizeof(double))};
    if (!s->found.raw) return od_fail_nomem(err);
    s->found.checks = s->found.raw + n;
    odim_status status = od_fit_dp_scores(&f->dp, f->model, f->table, &f->run, s->found.raw, n, err);
    if (!status) f->model->score_p90 = s->found.raw[n * 9 / 10];
    return status;
}

/* The final score of each row of a sample. */
static void judge_sample(const odim_model *m, const sample *s, const od_encoder *encoder, double *scores)
{
    const od_evidence_set *found = &s->found;
    for (int64_t i = 0; i < s->n; i++) {
        od_evidence e = {.raw = found->raw[i], .checks = found->checks[i]};
        if (found->loss) e.loss = found->loss[i];
        if (found->confirm) e.confirm = found->confirm[i];
        if (found->axes) e.axes = found->axes + i * found->q;
        if (found->known) e.known = found->known[i];
        if (s->rows) e.excused = od_checks_is_excused(&m->schema.checks, encoder, s->rows[i]);
        scores[i] = od_final_score(m, &e);
    }
}

/* The scores from which on rows are unusual, or outliers. */
static odim_status set_thresholds(od_fit *f, const sample *s, const od_encoder *encoder, odim_error *err)
{
    odim_model *m = f->model;
    double *scores = od_alloc((size_t)s->n, sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    judge_sample(m, s, encoder, scores);
    m->threshold = OD_SCORE_OUTLIER;
    odim_status status = od_calibrate_quantile(&m->verdict.unusual, scores, s->n, UNUSUAL_SHARE, err);
    m->verdict.unusual = fmin(fmax(m->verdict.unusual, OD_SCORE_UNUSUAL), OD_SCORE_OUTLIER);
    if (!status && f->config.contamination > 0)
        status = od_calibrate_quantile(&m->threshold, scores, s->n, f->config.contamination, err);
    od_free(scores);
    return status;
}

/* Whether a sample is all rows of the table, in their order. */
static bool is_all_rows(const od_fit *f, const sample *s)
{
    return s->rows && s->n == f->table->n && !f->chosen.rows;
}

/* scores: NULL, or final scores of all rows of the table. */
static odim_status calibrate(od_fit *f, double *scores, odim_error *err)
{
    sample s;
    odim_model *m = f->model;
    const bool known = f->chosen.knowns > 0;
    od_encoder encoder;
    odim_status status = od_encoder_new(&encoder, &m->schema, f->table, err);
    if (status) return status;
    m->fresh = true;
    status = is_private(f) ? take_private(f, &s, err) : take_sample(f, &s, err);
    if (!status && known) remove_known(f, &s);
    if (!status) status = od_calibrate_fit(&m->calibration, s.found.raw, s.n, err);
    if (!status)
        status = od_threshold_fit(m, s.found.raw, s.found.loss, s.found.confirm, s.found.axes, s.n, err);
    if (!status && s.found.known) status = od_threshold_fit_known(m, s.found.raw, s.found.known, s.n, err);
    if (!status && s.rows && s.found.loss && s.found.confirm)
        status =
            od_threshold_excuse(m, &encoder, s.rows, s.found.loss, s.found.confirm, s.found.axes, s.n, err);
    /* In one unit the distance to trusted rows knows better which rows are outliers. */
    if (!status && m->schema.one_unit && s.found.loss && s.found.confirm)
        status = od_threshold_by_rank(m, s.found.raw, s.found.loss, s.found.confirm, s.found.axes, s.n, err);
    if (!status && known) {
        sample_free(&s);
        status = take_sample(f, &s, err);
    }
    if (!status) status = set_thresholds(f, &s, &encoder, err);
    if (!status && scores && is_all_rows(f, &s))
        judge_sample(m, &s, &encoder, scores);
    else if (!status && scores)
        status = od_score_final(m, f->table, false, &f->run, scores, err);
    if (!status && scores) od_score_raise_bad(m, f->table, scores);
    od_encoder_free(&encoder);
    sample_free(&s);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static odim_status learn_usual(od_fit *f, odim_error *err)
{
    if (is_private(f)) return od_explain_fit_synthetic(f->model, &f->run, err);
    return on_training_rows(f, od_explain_sample(f->chosen.count, f->model->schema.features), od_explain_fit,
                            err);
}

odim_status od_fit_finish(od_fit *f, double *scores, odim_error *err)
{
    if (is_private(f)) f->model->privacy = od_fit_dp_spent(&f->dp, &f->config);
    odim_status status = compose(f, err);
    if (!status) status = calibrate(f, scores, err);
    od_poll poll;
    od_poll_begin(&poll, f->run.hooks, (odim_progress){.stage = ODIM_STAGE_EXPLAINING});
    if (!status) status = learn_usual(f, err);
    od_poll_end(&poll);
    return status;
}
