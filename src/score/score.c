#include "score/score.h"

#include <math.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "base/par.h"
#include "net/iwae.h"

#define JOB_ROWS   256 /* rows a thread takes at a time */
#define BLOCK_ROWS 64  /* rows that are encoded at a time */

typedef struct scorer {
    od_iwae net;
    float *x;    /* (rows, d) */
    float *loss; /* (rows) */
} scorer;

typedef struct scoring {
    const odim_model *model;
    const odim_table *table;
    const odim_hooks *hooks;
    double *scores;
    scorer *scorer;
    _Atomic int64_t rows_done;
} scoring;

static odim_status score_job(void *ctx, od_par *par, int worker, int64_t job, odim_error *err)
{
    scoring *s = ctx;
    const odim_model *m = s->model;
    scorer *w = &s->scorer[worker];
    int64_t end = (job + 1) * JOB_ROWS < s->table->n ? (job + 1) * JOB_ROWS : s->table->n;
    for (int64_t start = job * JOB_ROWS; start < end; start += BLOCK_ROWS) {
        if (od_par_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        int64_t rows = end - start < BLOCK_ROWS ? end - start : BLOCK_ROWS;
        odim_status status = od_scale_rows(&m->scale, s->table, NULL, start, rows, w->x, err);
        if (status) return status;
        double *score = s->scores + start;
        for (int64_t i = 0; i < rows; i++) score[i] = 0.0;
        for (int64_t b = 0; b < m->members; b++) {
            const od_member *member = &m->member[b];
            od_iwae_loss(&w->net, member->params, member->stats, w->x, rows, member->noise, true, w->loss);
            for (int64_t i = 0; i < rows; i++) score[i] += (double)w->loss[i];
        }
        for (int64_t i = 0; i < rows; i++) {
            score[i] /= (double)m->members;
            if (!isfinite(score[i]))
                return od_fail_at(
                    err, ODIM_ERR_DATA, start + i + 1, 0,
                    "row %lld: its score is not a number; its values are too extreme for the model",
                    (long long)(start + i + 1));
        }
        atomic_fetch_add(&s->rows_done, rows);
    }
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
        .rows = s->table->n,
        .rows_done = done,
        .fraction = (double)done / (double)s->table->n,
    };
    return s->hooks->progress(&now, s->hooks->user);
}

static odim_status scorer_new(scorer *w, const scoring *s, odim_error *err)
{
    const odim_model *m = s->model;
    odim_status status =
        od_iwae_new(&w->net, od_kern_get(), &m->layout, BLOCK_ROWS, m->config.samples, false, err);
    if (status) return status;
    w->x = od_alloc((size_t)(BLOCK_ROWS * m->layout.shape.d), sizeof(float));
    w->loss = od_alloc((size_t)BLOCK_ROWS, sizeof(float));
    return w->x && w->loss ? ODIM_OK : od_fail_nomem(err);
}

odim_status od_score_table(const odim_model *model, const odim_table *table, int64_t threads,
                           const odim_hooks *hooks, double *scores, odim_error *err)
{
    if (table->d != model->layout.shape.d)
        return od_fail(err, ODIM_ERR_DATA, "the table has %lld feature columns, the model was fitted on %lld",
                       (long long)table->d, (long long)model->layout.shape.d);
    int64_t jobs = (table->n + JOB_ROWS - 1) / JOB_ROWS;
    if (threads == 0) threads = od_par_cores();
    if (threads > jobs) threads = jobs;
    scoring s = {.model = model, .table = table, .hooks = hooks, .scores = scores};
    s.scorer = od_calloc((size_t)threads, sizeof *s.scorer);
    odim_status status = s.scorer ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < threads; i++) status = scorer_new(&s.scorer[i], &s, err);
    if (!status) status = od_par_run((int)threads, jobs, score_job, tick, &s, err);
    for (int64_t i = 0; s.scorer && i < threads; i++) {
        od_iwae_free(&s.scorer[i].net);
        od_free(s.scorer[i].x);
        od_free(s.scorer[i].loss);
    }
    od_free(s.scorer);
    return status;
}
