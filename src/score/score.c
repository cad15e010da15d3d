/* Scores rows on many threads, one block of rows per job. */
#include "score/score.h"

#include <math.h>
#include <stdatomic.h>

#include "common/mem.h"
#include "base/poll.h"
#include "base/parallel.h"
#include "prep/distinct.h"
#include "score/threshold.h"

#define JOB_ROWS     256  /* rows a thread takes at a time */
#define WORTH_COPIES 0.02 /* share of copies for which rows are compared */

typedef struct scoring {
    const odim_model *model;
    od_table_rows rows;
    od_run run;
    double *scores;              /* (count) */
    double *each;                /* (members, count) of each member, or NULL */
    bool judged;                 /* scores are those of the verdict, not raw */
    bool lenient;                /* extreme values are no error */
    const od_evidence_set *out;  /* or NULL */
    const od_score_parts *parts; /* or NULL */
    od_encoder encoder;
    od_distinct distinct;
    od_row_scorer *scorer; /* (threads) */
    _Atomic int64_t rows_done;
} scoring;

/* Which of the scores is number i among the distinct ones. */
static int64_t place_of(const scoring *s, int64_t i)
{
    return s->distinct.rows ? s->distinct.rows[i] : i;
}

/* Hands out what is known of row i of a job, whose score is number `at`. */
static void put_row(const scoring *s, const od_row_scorer *w, int64_t i, int64_t at)
{
    const od_evidence e = od_row_scorer_at(w, i);
    const od_evidence_set *out = s->out;
    s->scores[at] = s->judged ? od_final_score(s->model, &e) : e.raw;
    for (int64_t b = 0; s->each && b < s->model->members; b++)
        s->each[b * s->rows.count + at] = w->each[b * w->room + i];
    for (int k = 0; s->parts && k < s->model->aux_count; k++)
        s->parts->detector[k * s->rows.count + at] = w->apart[k * w->room + i];
    if (s->parts && s->parts->loss) s->parts->loss[at] = e.loss;
    for (int64_t k = 0; s->parts && s->parts->axes && k < s->parts->q; k++)
        s->parts->axes[at * s->parts->q + k] = e.axes[k];
    if (!out) return;
    out->raw[at] = e.raw;
    out->checks[at] = e.checks;
    if (out->loss) out->loss[at] = e.loss;
    if (out->confirm) out->confirm[at] = e.confirm;
    if (out->known) out->known[at] = e.known;
    for (int64_t k = 0; out->axes && k < out->q; k++) out->axes[at * out->q + k] = e.axes[k];
}

/* Rows start..start+rows-1 of the distinct ones, at most JOB_ROWS. */
static odim_status score_job(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    scoring *s = ctx;
    od_row_scorer *w = &s->scorer[worker];
    int64_t start = job * JOB_ROWS, left = s->distinct.count - start;
    int64_t rows = left < JOB_ROWS ? left : JOB_ROWS;
    const int64_t *all = s->distinct.rows ? s->distinct.rows : s->rows.rows, *list = all ? all + start : NULL;
    odim_status status = od_row_scorer_block(w, par, &s->encoder, list, start, rows, err);
    for (int64_t i = 0; !status && i < rows; i++) put_row(s, w, i, place_of(s, start + i));
    if (!status) atomic_fetch_add(&s->rows_done, rows);
    return status;
}

static int tick(void *ctx)
{
    scoring *s = ctx;
    const odim_hooks *hooks = s->run.hooks;
    if (!hooks || !hooks->progress) return 0;
    int64_t done = atomic_load(&s->rows_done);
    double begin = s->rows.rows ? 0.0 : OD_DISTINCT_SHARE; /* the search for copies comes first */
    odim_progress now = {
        .stage = ODIM_STAGE_SCORING,
        .members = (int)s->model->members,
        .members_done = (int)s->model->members,
        .rows = s->rows.count,
        .rows_done = (int64_t)((double)done / (double)s->distinct.count * (double)s->rows.count),
        .fraction = begin + (1.0 - begin) * (double)done / (double)s->distinct.count,
    };
    return hooks->progress(&now, hooks->user);
}

static odim_status run_jobs(scoring *s, odim_error *err)
{
    const od_verdict *v = &s->model->verdict;
    const od_row_wants wants = {.apart = s->parts,
                                .evidence = s->judged || s->out,
                                .confirm = s->judged || (s->out && s->out->confirm),
                                .losses = (s->judged && v->loss.used) || (s->out && s->out->loss),
                                .axes = (s->judged && v->groups) || (s->out && s->out->axes) ||
                                        (s->parts && s->parts->axes),
                                .members = s->each};
    int64_t jobs = (s->distinct.count + JOB_ROWS - 1) / JOB_ROWS, threads = od_run_threads(&s->run);
    if (threads > jobs) threads = jobs;
    int64_t most = s->distinct.count < JOB_ROWS ? s->distinct.count : JOB_ROWS;
    s->scorer = od_calloc((size_t)threads, sizeof *s->scorer);
    odim_status status = s->scorer ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < threads; i++)
        status = od_row_scorer_new(&s->scorer[i], s->model, &wants, most, false, err);
    /* A single job is not worth a thread. */
    if (!status) status = od_parallel_run(jobs > 1 ? (int)threads : 0, jobs, score_job, tick, s, err);
    for (int64_t i = 0; s->scorer && i < threads; i++) od_row_scorer_free(&s->scorer[i]);
    od_free(s->scorer);
    return status;
}

/* The fields of s that say what is wanted are set. */
static odim_status score(scoring *s, odim_error *err)
{
    const odim_model *model = s->model;
    const odim_table *table = s->rows.table;
    s->distinct.count = s->rows.count;
    odim_status status = od_encoder_new(&s->encoder, &model->schema, table, err);
    if (status) return status;
    s->encoder.lenient = s->lenient;
    od_poll poll;
    od_poll_begin(&poll, s->run.hooks, (odim_progress){.stage = ODIM_STAGE_SCORING, .rows = s->rows.count});
    if (!s->rows.rows)
        status = od_distinct_find(
            &s->distinct, table, s->encoder.source, model->schema.cols,
            &(od_distinct_options){.threads = od_run_threads(&s->run), .worth = WORTH_COPIES}, err);
    if (!status) status = run_jobs(s, err);
    od_poll_end(&poll);
    /* The first of each kind comes before its copies. */
    for (int64_t i = 0; !status && s->distinct.kind && i < s->rows.count; i++)
        s->scores[i] = s->scores[s->distinct.rows[s->distinct.kind[i]]];
    od_distinct_free(&s->distinct);
    od_encoder_free(&s->encoder);
    return status;
}

odim_status od_score_parts_of(const odim_model *model, const od_table_rows *rows, const od_run *run,
                              const od_score_parts *out, odim_error *err)
{
    double *sums = od_alloc((size_t)rows->count, sizeof *sums);
    if (!sums) return od_fail_nomem(err);
    scoring s = {.model = model, .rows = *rows, .run = *run, .scores = sums, .parts = out};
    odim_status status = score(&s, err);
    od_free(sums);
    return status;
}

odim_status od_score_rows(const odim_model *model, const od_table_rows *rows, const od_run *run,
                          double *scores, odim_error *err)
{
    scoring s = {.model = model, .rows = *rows, .run = *run, .scores = scores};
    return score(&s, err);
}

/* Scores of all rows of a table, raw or final. */
static odim_status score_table(const odim_model *model, const odim_table *table, bool judged, bool lenient,
                               const od_run *run, double *scores, odim_error *err)
{
    scoring s = {.model = model,
                 .rows = {.table = table, .count = table->n},
                 .run = *run,
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
    for (size_t i = 0; i < table->bad.why.count; i++) {
        double *score = &scores[table->bad.row[i]];
        *score = od_score_of_bad(model, *score);
    }
}

double od_score_of_bad(const odim_model *model, double score)
{
    return fmax(score, model->threshold + fmax(OD_SCORE_OUTLIER, fabs(model->threshold)));
}

odim_status od_score_evidence(const odim_model *model, const od_table_rows *rows, const od_run *run,
                              const od_evidence_set *out, odim_error *err)
{
    scoring s = {.model = model, .rows = *rows, .run = *run, .scores = out->raw, .out = out};
    return score(&s, err);
}

odim_status od_score_members(const odim_model *model, const od_table_rows *rows, const od_run *run,
                             double *each, odim_error *err)
{
    double *scores = od_alloc((size_t)rows->count, sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    scoring s = {.model = model, .rows = *rows, .run = *run, .scores = scores, .each = each, .lenient = true};
    odim_status status = score(&s, err);
    od_free(scores);
    return status;
}
