/* Scores rows on many threads, one block of rows per job. */
#include "score/score.h"

#include <math.h>
#include <stdatomic.h>

#include "common/mem.h"
#include "base/poll.h"
#include "base/parallel.h"
#include "net/net.h"
#include "prep/distinct.h"
#include "prep/checks_row.h"
#include "score/aux_detectors.h"
#include "score/threshold.h"

#define JOB_ROWS   256 /* rows a thread takes at a time */
#define BLOCK_ROWS 64  /* rows that a network or detector scores at a time */
#define WIDE_ROWS  16  /* the same of rows with more features than WIDE, so that a stop gets through */
#define WIDE       2048

typedef struct scorer {
    od_net net;
    float *plain;  /* (JOB_ROWS, features) */
    float *x;      /* (JOB_ROWS, d): the same after the transform */
    float *loss;   /* (BLOCK_ROWS) */
    void *room;    /* for the auxiliary detectors */
    double *cells; /* for the checks */
} scorer;

typedef struct scoring {
    const odim_model *model;
    od_table_rows rows;
    od_run run;
    int component;              /* of the raw score that is asked for, usually OD_COMPONENT_ALL */
    double *scores;             /* (count) */
    double *each;               /* (members, count) of each member, or NULL */
    bool judged;                /* scores are those of the verdict, not raw */
    bool lenient;               /* extreme values are no error */
    const od_evidence_set *out; /* or NULL */
    bool lossy;                 /* something needs the losses of the networks */
    bool transformed;           /* something looks at transformed rows */
    od_encoder encoder;
    od_distinct distinct;
    scorer *scorer;
    _Atomic int64_t rows_done;
} scoring;

/* Which of the scores is number i among the distinct ones. */
static int64_t place_of(const scoring *s, int64_t i)
{
    return s->distinct.rows ? s->distinct.rows[i] : i;
}

/* The row of the table that has score number `at`. */
static int64_t row_of(const scoring *s, int64_t at)
{
    return s->rows.rows ? s->rows.rows[at] : at;
}

/* Whether the losses of the networks are in the raw score. */
static bool has_losses(const scoring *s)
{
    return s->model->losses && s->component < 0;
}

odim_status od_score_fail(const odim_table *table, int64_t row, odim_error *err)
{
    int64_t number = od_table_row(table, row);
    return od_fail_at(err, ODIM_ERR_DATA, number, 0,
                      "row %lld: its score is not a number; its values are too extreme for the model",
                      (long long)number);
}

/* Whether extreme values explain that a row of features x has no score. If not, the model is to blame. */
static bool may_be_beyond(const scoring *s, const float *x)
{
    if (s->model->schema.clamped) return true;
    float most = 0.0f;
    for (int64_t j = 0; j < s->model->schema.features; j++) most = fmaxf(most, fabsf(x[j]));
    return s->encoder.lenient && most > OD_SCHEMA_FAR;
}

/* Replaces scores that are not finite. */
static void put_beyond(const scoring *s, int64_t at)
{
    double score = s->model->schema.clamped ? OD_SCORE_BEYOND : OD_SCORE_HIGHEST;
    s->scores[at] = score;
    for (int64_t b = 0; s->each && b < s->model->members; b++) {
        double *own = &s->each[b * s->rows.count + at];
        if (!isfinite(*own)) *own = score;
    }
}

/* loss (rows): the mean over the members. Goes member by member, so that each is made ready once. */
static odim_status add_losses(const scoring *s, scorer *w, od_parallel *par, int64_t start, int64_t rows,
                              double *loss, odim_error *err)
{
    const odim_model *m = s->model;
    int64_t d = m->layout.shape.d;
    for (int64_t b = 0; s->lossy && b < m->members; b++) {
        const od_member *member = &m->member[b];
        od_net_ready(&w->net, member->params, member->stats);
        for (int64_t at = 0; at < rows; at += BLOCK_ROWS) {
            if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
            int64_t count = rows - at < BLOCK_ROWS ? rows - at : BLOCK_ROWS;
            od_net_loss(&w->net, w->x + at * d, count, member->noise, true, w->loss);
            for (int64_t i = 0; i < count; i++) {
                loss[at + i] += (double)w->loss[i];
                if (s->each) s->each[b * s->rows.count + place_of(s, start + at + i)] = (double)w->loss[i];
            }
        }
    }
    for (int64_t i = 0; s->lossy && i < rows; i++) loss[i] /= (double)m->members;
    return ODIM_OK;
}

/* Completes the evidence on row i of a job, whose score is number `at`, and hands it out if asked for. */
static void gather(const scoring *s, scorer *w, int64_t i, int64_t at, od_evidence *e)
{
    const odim_model *m = s->model;
    e->axes = w->x + i * m->layout.shape.d + m->schema.features;
    if (m->schema.checks.cols)
        e->checks = od_checks_row(&m->schema.checks, &s->encoder, row_of(s, at), NULL, w->cells);
    const od_evidence_set *out = s->out;
    if (!out) return;
    out->raw[at] = e->raw;
    out->checks[at] = e->checks;
    if (out->loss) out->loss[at] = e->loss;
    if (out->confirm) out->confirm[at] = e->confirm;
    if (out->known) out->known[at] = e->known;
    for (int64_t k = 0; out->axes && k < out->q; k++) out->axes[at * out->q + k] = e->axes[k];
}

/* The contribution of the auxiliary detectors to the raw scores of a job's rows; confirm (rows): the score of
 * the detector that confirms verdicts. */
static odim_status add_detectors(const scoring *s, scorer *w, od_parallel *par, int64_t rows, double *raw,
                                 double *confirm, odim_error *err)
{
    const odim_model *m = s->model;
    const od_aux_detector *confirming = s->judged || s->out ? od_aux_confirming(m) : NULL;
    int64_t step = m->schema.features > WIDE ? WIDE_ROWS : BLOCK_ROWS, d = m->layout.shape.d;
    for (int64_t at = 0; m->aux_count && at < rows; at += step) {
        if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        const od_aux_rows in = {.plain = w->plain + at * m->schema.features,
                                .seen = w->x + at * d,
                                .rows = rows - at < step ? rows - at : step,
                                .scratch = w->room};
        if (s->component == OD_COMPONENT_ALL)
            od_aux_add(m, &in, raw + at);
        else if (s->component >= 0)
            od_aux_score(&m->aux[s->component], &in, raw + at);
        if (confirming) od_aux_score(confirming, &in, confirm + at);
    }
    return ODIM_OK;
}

/* near (rows): of a job's rows to known rows, if the verdict needs it. */
static void find_near(const scoring *s, const scorer *w, int64_t rows, od_known_near *near)
{
    const odim_model *m = s->model;
    if (!m->known.method || !(s->judged || s->out)) return;
    for (int64_t at = 0; at < rows; at += OD_DETECTOR_ROWS) {
        int64_t count = rows - at < OD_DETECTOR_ROWS ? rows - at : OD_DETECTOR_ROWS;
        od_known_rows_near(&m->known, w->plain + at * m->schema.features, count, w->room, near + at);
    }
}

/* Rows start..start+rows-1 of the distinct ones, at most JOB_ROWS. */
static odim_status score_job(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    scoring *s = ctx;
    scorer *w = &s->scorer[worker];
    const odim_model *m = s->model;
    int64_t start = job * JOB_ROWS, left = s->distinct.count - start;
    int64_t rows = left < JOB_ROWS ? left : JOB_ROWS;
    const int64_t *all = s->distinct.rows ? s->distinct.rows : s->rows.rows, *list = all ? all + start : NULL;
    double loss[JOB_ROWS] = {0}, raw[JOB_ROWS] = {0}, confirm[JOB_ROWS] = {0};
    od_known_near near[JOB_ROWS];
    odim_status status = od_encode_rows(&s->encoder, list, start, rows, w->plain, err);
    if (status) return status;
    if (s->transformed) od_transform_apply(&m->transform, w->plain, rows, m->schema.features, w->x);
    status = add_losses(s, w, par, start, rows, loss, err);
    if (status) return status;
    for (int64_t i = 0; has_losses(s) && i < rows; i++) raw[i] = loss[i];
    status = add_detectors(s, w, par, rows, raw, confirm, err);
    if (status) return status;
    find_near(s, w, rows, near);
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = place_of(s, start + i);
        s->scores[at] = raw[i];
        if (!isfinite(raw[i])) {
            if (!may_be_beyond(s, w->plain + i * m->schema.features))
                return od_score_fail(s->encoder.table, row_of(s, at), err);
            put_beyond(s, at);
        }
        if (!s->judged && !s->out) continue;
        od_evidence e = {.raw = s->scores[at], .loss = loss[i], .confirm = confirm[i]};
        if (m->known.method) e.known = near[i];
        gather(s, w, i, at, &e);
        if (s->judged) s->scores[at] = od_final_score(m, &e);
    }
    atomic_fetch_add(&s->rows_done, rows);
    return ODIM_OK;
}

static int tick(void *ctx)
{
    scoring *s = ctx;
    const odim_hooks *hooks = s->run.hooks;
    if (!hooks || !hooks->progress) return 0;
    int64_t done = atomic_load(&s->rows_done);
    odim_progress now = {
        .stage = ODIM_STAGE_SCORING,
        .members = (int)s->model->members,
        .members_done = (int)s->model->members,
        .rows = s->rows.count,
        .rows_done = (int64_t)((double)done / (double)s->distinct.count * (double)s->rows.count),
        .fraction = (double)done / (double)s->distinct.count,
    };
    return hooks->progress(&now, hooks->user);
}

static odim_status scorer_new(scorer *w, const scoring *s, odim_error *err)
{
    const odim_model *m = s->model;
    odim_status status =
        m->members
            ? od_net_new(&w->net, od_kern_get(), &m->layout,
                         &(od_net_options){.rows = BLOCK_ROWS, .samples = od_model_score_samples(m)}, err)
            : ODIM_OK;
    if (status) return status;
    w->plain = od_alloc((size_t)(JOB_ROWS * m->schema.features), sizeof(float));
    w->x = od_alloc((size_t)(JOB_ROWS * m->layout.shape.d), sizeof(float));
    w->loss = od_alloc((size_t)BLOCK_ROWS, sizeof(float));
    w->room = od_alloc(od_aux_scratch(m), 1);
    w->cells = od_alloc((size_t)od_checks_room(&m->schema.checks), sizeof(double));
    return w->plain && w->x && w->loss && w->room && w->cells ? ODIM_OK : od_fail_nomem(err);
}

static odim_status run_jobs(scoring *s, odim_error *err)
{
    int64_t jobs = (s->distinct.count + JOB_ROWS - 1) / JOB_ROWS, threads = od_run_threads(&s->run);
    if (threads > jobs) threads = jobs;
    s->scorer = od_calloc((size_t)threads, sizeof *s->scorer);
    odim_status status = s->scorer ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < threads; i++) status = scorer_new(&s->scorer[i], s, err);
    if (!status) status = od_parallel_run((int)threads, jobs, score_job, tick, s, err);
    for (int64_t i = 0; s->scorer && i < threads; i++) {
        od_net_free(&s->scorer[i].net);
        od_free(s->scorer[i].plain);
        od_free(s->scorer[i].x);
        od_free(s->scorer[i].loss);
        od_free(s->scorer[i].room);
        od_free(s->scorer[i].cells);
    }
    od_free(s->scorer);
    return status;
}

/* The fields of s that say what is wanted are set. */
static odim_status score(scoring *s, odim_error *err)
{
    const odim_model *model = s->model;
    const odim_table *table = s->rows.table;
    const od_verdict *v = &model->verdict;
    s->distinct.count = s->rows.count;
    s->lossy = s->each || has_losses(s) || (s->judged && v->loss.used) || (s->out && s->out->loss);
    s->transformed = s->lossy || (s->judged && v->groups) || (s->out && s->out->axes);
    for (int k = 0; k < model->aux_count; k++) s->transformed = s->transformed || model->aux[k].transformed;
    odim_status status = od_encoder_new(&s->encoder, &model->schema, table, err);
    if (status) return status;
    s->encoder.lenient = s->lenient;
    od_poll poll;
    od_poll_begin(&poll, s->run.hooks, (odim_progress){.stage = ODIM_STAGE_SCORING, .rows = s->rows.count});
    if (!s->rows.rows)
        status = od_distinct_find(&s->distinct, table, s->encoder.source, model->schema.cols, err);
    if (!status) status = run_jobs(s, err);
    od_poll_end(&poll);
    /* The first of each kind comes before its copies. */
    for (int64_t i = 0; !status && s->distinct.kind && i < s->rows.count; i++)
        s->scores[i] = s->scores[s->distinct.rows[s->distinct.kind[i]]];
    od_distinct_free(&s->distinct);
    od_encoder_free(&s->encoder);
    return status;
}

odim_status od_score_component(const odim_model *model, int component, const od_table_rows *rows,
                               const od_run *run, double *scores, odim_error *err)
{
    scoring s = {.model = model, .rows = *rows, .run = *run, .component = component, .scores = scores};
    return score(&s, err);
}

odim_status od_score_rows(const odim_model *model, const od_table_rows *rows, const od_run *run,
                          double *scores, odim_error *err)
{
    return od_score_component(model, OD_COMPONENT_ALL, rows, run, scores, err);
}

/* Scores of all rows of a table, raw or final. */
static odim_status score_table(const odim_model *model, const odim_table *table, bool judged, bool lenient,
                               const od_run *run, double *scores, odim_error *err)
{
    scoring s = {.model = model,
                 .rows = {.table = table, .count = table->n},
                 .run = *run,
                 .component = OD_COMPONENT_ALL,
                 .scores = scores,
                 .judged = judged,
                 .lenient = lenient};
    return score(&s, err);
}

odim_status od_score_new_rows(const odim_model *model, const odim_table *table, const od_run *run,
                              double *scores, odim_error *err)
{
    return score_table(model, table, false, true, run, scores, err);
}

odim_status od_score_final(const odim_model *model, const odim_table *table, bool lenient, const od_run *run,
                           double *scores, odim_error *err)
{
    odim_status status = score_table(model, table, model->verdict.present, lenient, run, scores, err);
    if (!status) od_score_raise_bad(model, table, scores);
    return status;
}

void od_score_raise_bad(const odim_model *model, const odim_table *table, double *scores)
{
    double least = model->threshold + fmax(OD_SCORE_OUTLIER, fabs(model->threshold));
    for (size_t i = 0; i < table->bad.why.count; i++) {
        double *score = &scores[table->bad.row[i]];
        *score = fmax(*score, least);
    }
}

odim_status od_score_evidence(const odim_model *model, const od_table_rows *rows, const od_run *run,
                              const od_evidence_set *out, odim_error *err)
{
    scoring s = {.model = model,
                 .rows = *rows,
                 .run = *run,
                 .component = OD_COMPONENT_ALL,
                 .scores = out->raw,
                 .out = out};
    return score(&s, err);
}

odim_status od_score_members(const odim_model *model, const od_table_rows *rows, const od_run *run,
                             double *each, odim_error *err)
{
    double *scores = od_alloc((size_t)rows->count, sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    scoring s = {.model = model,
                 .rows = *rows,
                 .run = *run,
                 .component = OD_COMPONENT_ALL,
                 .scores = scores,
                 .each = each,
                 .lenient = true};
    odim_status status = score(&s, err);
    od_free(scores);
    return status;
}
