#include "score/score.h"

#include <math.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "base/poll.h"
#include "base/par.h"
#include "net/net.h"
#include "prep/distinct.h"
#include "prep/encode.h"
#include "score/companion.h"

#define JOB_ROWS   256  /* rows a thread takes at a time */
#define BLOCK_ROWS 64   /* rows that are encoded at a time */
#define WIDE_ROWS  16   /* and that a detector scores at a time, so that a stop gets through, of rows that */
#define WIDE       2048 /* have more features than this */

typedef struct scorer {
    od_net net;
    float *plain; /* (JOB_ROWS, features) */
    float *x;     /* (JOB_ROWS, d): the same in the view of the networks */
    float *loss;  /* (BLOCK_ROWS) */
    void *room;   /* for the companions */
} scorer;

typedef struct scoring {
    const odim_model *model;
    od_encoder encoder;
    const odim_hooks *hooks;
    const int64_t *rows; /* (count) of the table, or NULL: all */
    int64_t count;
    double *scores; /* (count) */
    double *each;   /* (members, count) of each member, or NULL */
    bool viewed;    /* something looks at rows in the view */
    od_distinct distinct;
    scorer *scorer;
    _Atomic int64_t rows_done;
} scoring;

/* Which of the scores is number i among the distinct ones. */
static int64_t place_of(const scoring *s, int64_t i)
{
    return s->distinct.rows ? s->distinct.rows[i] : i;
}

odim_status od_score_fail(const odim_table *table, int64_t row, odim_error *err)
{
    int64_t number = od_table_row(table, row);
    return od_fail_at(err, ODIM_ERR_DATA, number, 0,
                      "row %lld: its score is not a number; its values are too extreme for the model",
                      (long long)number);
}

/* Whether a row of features x without a score is one by its values. If not, the model is to blame. */
static bool may_be_beyond(const scoring *s, const float *x)
{
    if (s->model->schema.clamped) return true;
    float most = 0.0f;
    for (int64_t j = 0; j < s->model->schema.features; j++) most = fmaxf(most, fabsf(x[j]));
    return s->encoder.lenient && most > OD_SCHEMA_FAR;
}

/* In the place of scores that are none. */
static void put_beyond(const scoring *s, int64_t at)
{
    double score = s->model->schema.clamped ? OD_SCORE_BEYOND : OD_SCORE_HIGHEST;
    s->scores[at] = score;
    for (int64_t b = 0; s->each && b < s->model->members; b++) {
        double *own = &s->each[b * s->count + at];
        if (!isfinite(*own)) *own = score;
    }
}

/* Rows start..start+rows-1 of the distinct ones, at most JOB_ROWS: member after member, so that each is made
 * ready once. */
static odim_status score_job(void *ctx, od_par *par, int worker, int64_t job, odim_error *err)
{
    scoring *s = ctx;
    scorer *w = &s->scorer[worker];
    const odim_model *m = s->model;
    int64_t start = job * JOB_ROWS, left = s->distinct.count - start, d = m->layout.shape.d;
    int64_t rows = left < JOB_ROWS ? left : JOB_ROWS;
    const int64_t *all = s->distinct.rows ? s->distinct.rows : s->rows, *list = all ? all + start : NULL;
    double sum[JOB_ROWS] = {0};
    odim_status status = od_encode_rows(&s->encoder, list, start, rows, w->plain, err);
    if (status) return status;
    if (s->viewed) od_view_apply(&m->view, w->plain, rows, m->schema.features, w->x);
    for (int64_t b = 0; b < (s->each ? m->members : m->losses); b++) {
        const od_member *member = &m->member[b];
        od_net_ready(&w->net, member->params, member->stats);
        for (int64_t at = 0; at < rows; at += BLOCK_ROWS) {
            if (od_par_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
            int64_t count = rows - at < BLOCK_ROWS ? rows - at : BLOCK_ROWS;
            od_net_loss(&w->net, w->x + at * d, count, member->noise, true, w->loss);
            for (int64_t i = 0; b < m->losses && i < count; i++) sum[at + i] += (double)w->loss[i];
            for (int64_t i = 0; s->each && i < count; i++)
                s->each[b * s->count + place_of(s, start + at + i)] = (double)w->loss[i];
        }
    }
    for (int64_t i = 0; m->losses && i < rows; i++) sum[i] /= (double)m->losses;
    int64_t step = m->schema.features > WIDE ? WIDE_ROWS : BLOCK_ROWS;
    for (int64_t at = 0; m->companions && at < rows; at += step) {
        if (od_par_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        od_companion_add(m, w->plain + at * m->schema.features, w->x + at * d,
                         rows - at < step ? rows - at : step, w->room, sum + at);
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = place_of(s, start + i);
        s->scores[at] = sum[i];
        if (isfinite(s->scores[at])) continue;
        if (!may_be_beyond(s, w->plain + i * m->schema.features))
            return od_score_fail(s->encoder.table, s->rows ? s->rows[at] : at, err);
        put_beyond(s, at);
    }
    atomic_fetch_add(&s->rows_done, rows);
    return ODIM_OK;
}

static int tick(void *ctx)
{
    scoring *s = ctx;
    if (!s->hooks || !s->hooks->progress) return 0;
    int64_t done = atomic_load(&s->rows_done);
    odim_progress now = {
        .scoring = 1,
        .members = (int)s->model->members,
        .members_done = (int)s->model->members,
        .rows = s->count,
        .rows_done = (int64_t)((double)done / (double)s->distinct.count * (double)s->count),
        .fraction = (double)done / (double)s->distinct.count,
    };
    return s->hooks->progress(&now, s->hooks->user);
}

static odim_status scorer_new(scorer *w, const scoring *s, odim_error *err)
{
    const odim_model *m = s->model;
    odim_status status = m->members ? od_net_new(&w->net, od_kern_get(), &m->layout, BLOCK_ROWS,
                                                 od_model_score_samples(m), false, NULL, err)
                                    : ODIM_OK;
    if (status) return status;
    w->plain = od_alloc((size_t)(JOB_ROWS * m->schema.features), sizeof(float));
    w->x = od_alloc((size_t)(JOB_ROWS * m->layout.shape.d), sizeof(float));
    w->loss = od_alloc((size_t)BLOCK_ROWS, sizeof(float));
    w->room = od_alloc(od_companion_scratch(m), 1);
    return w->plain && w->x && w->loss && w->room ? ODIM_OK : od_fail_nomem(err);
}

static odim_status run(scoring *s, int64_t threads, odim_error *err)
{
    int64_t jobs = (s->distinct.count + JOB_ROWS - 1) / JOB_ROWS;
    if (threads == 0) threads = od_par_cores();
    if (threads > jobs) threads = jobs;
    s->scorer = od_calloc((size_t)threads, sizeof *s->scorer);
    odim_status status = s->scorer ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < threads; i++) status = scorer_new(&s->scorer[i], s, err);
    if (!status) status = od_par_run((int)threads, jobs, score_job, tick, s, err);
    for (int64_t i = 0; s->scorer && i < threads; i++) {
        od_net_free(&s->scorer[i].net);
        od_free(s->scorer[i].plain);
        od_free(s->scorer[i].x);
        od_free(s->scorer[i].loss);
        od_free(s->scorer[i].room);
    }
    od_free(s->scorer);
    return status;
}

static odim_status score(const odim_model *model, const odim_table *table, const int64_t *rows, int64_t count,
                         int64_t threads, const odim_hooks *hooks, bool lenient, double *scores, double *each,
                         odim_error *err)
{
    scoring s = {
        .model = model, .hooks = hooks, .rows = rows, .count = count, .scores = scores, .each = each};
    s.distinct.count = count;
    s.viewed = each || model->losses;
    for (int k = 0; k < model->companions; k++) s.viewed = s.viewed || model->companion[k].viewed;
    odim_status status = od_encoder_new(&s.encoder, &model->schema, table, err);
    if (status) return status;
    s.encoder.lenient = lenient;
    od_poll poll;
    od_poll_begin(&poll, hooks, (odim_progress){.scoring = 1, .rows = count});
    if (!rows) status = od_distinct_find(&s.distinct, table, s.encoder.source, model->schema.cols, err);
    if (!status) status = run(&s, threads, err);
    od_poll_end(&poll);
    /* The first of each kind comes before its copies. */
    for (int64_t i = 0; !status && s.distinct.kind && i < count; i++)
        scores[i] = scores[s.distinct.rows[s.distinct.kind[i]]];
    od_distinct_free(&s.distinct);
    od_encoder_free(&s.encoder);
    return status;
}

odim_status od_score_rows(const odim_model *model, const odim_table *table, const int64_t *rows,
                          int64_t count, int64_t threads, const odim_hooks *hooks, double *scores,
                          odim_error *err)
{
    return score(model, table, rows, count, threads, hooks, false, scores, NULL, err);
}

odim_status od_score_new_rows(const odim_model *model, const odim_table *table, int64_t threads,
                              const odim_hooks *hooks, double *scores, odim_error *err)
{
    return score(model, table, NULL, table->n, threads, hooks, true, scores, NULL, err);
}

odim_status od_score_members(const odim_model *model, const odim_table *table, const int64_t *rows,
                             int64_t count, int64_t threads, const odim_hooks *hooks, double *each,
                             odim_error *err)
{
    double *scores = od_alloc((size_t)count, sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    odim_status status = score(model, table, rows, count, threads, hooks, true, scores, each, err);
    od_free(scores);
    return status;
}
