/* Trains members of a fit, on as many threads as it may use. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "base/hint.h"
#include "fit/fit.h"
#include "fit/member.h"

#define TYPICAL_UPDATES 250                /* of a member, before any is done: only for estimates */
#define WORKER_FLOATS   ((int64_t)1 << 25) /* of the weights, gradients and moments of all workers, at most */
#define FLOPS           2e10               /* multiply-adds of a thread in a second, about */
#define NOTE_SECONDS    120.0              /* of training that is announced */

/* What trains one member at a time. */
typedef struct worker {
    od_trainer trainer;
    od_forkjoin *team;         /* threads that train a member together */
    od_dp_trainer *dp_trainer; /* NULL, or what trains instead: differentially private, on one thread */
    od_probe_worker probe_worker;
} worker;

typedef struct training {
    const od_fit *fit;
    odim_model *model;
    od_training set;
    const od_member_subset *some; /* or NULL: all members */
    int64_t jobs;                 /* members to train */
    int64_t workers;
    worker *worker; /* (workers) */
    od_fit_state state;
    float *seen;                    /* the losses of the latest check, or NULL: nobody watches */
    odim_member_check *seen_checks; /* (OD_CHECKS_KEPT) */
    float *seen_recent;             /* (OD_RECENT_KEPT) */
    double shown; /* the fraction last reported: an estimate may be corrected, but never goes back */
} training;

static odim_status train_member(void *ctx, od_parallel *par, int number, int64_t job, odim_error *err)
{
    training *t = ctx;
    worker *w = &t->worker[number];
    int64_t member = t->some ? t->some->member[job] : job;
    odim_status status = w->dp_trainer
                             ? od_dp_fit(w->dp_trainer, t->model, &t->set, member, &t->state, par, err)
                             : od_member_fit(&w->trainer, t->model, &t->set, member, &t->state, par, err);
    if (!status && t->some && t->some->done) status = t->some->done(t->some->ctx, t->model, member, err);
    return status;
}

/* Passes on the latest check. It is copied, so that members do not wait while the caller looks at it. */
static void look(training *t, odim_progress *now)
{
    od_fit_check *c = &t->state.check;
    if (!t->seen) return;
    od_lock_take(&c->lock);
    if (c->count) memcpy(t->seen, c->losses, (size_t)c->count * sizeof *t->seen);
    now->member = (int)c->member;
    now->update = c->update;
    now->losses = t->seen;
    now->loss_count = c->count;
    c->count = 0;
    memcpy(t->seen_checks, c->checks, (size_t)c->check_count * sizeof *t->seen_checks);
    now->checks = t->seen_checks;
    now->check_count = c->check_count;
    c->check_count = 0;
    now->recent = t->seen_recent;
    now->recent_count = c->recent_total < OD_RECENT_KEPT ? c->recent_total : OD_RECENT_KEPT;
    memcpy(t->seen_recent, c->recent, (size_t)now->recent_count * sizeof *t->seen_recent);
    now->recent_member = (int)c->recent_member;
    now->recent_update = c->recent_update;
    od_lock_release(&c->lock);
}

static int tick(void *ctx)
{
    training *t = ctx;
    const odim_hooks *hooks = t->fit->run.hooks;
    if (!hooks || !hooks->progress) return 0;
    int64_t done = atomic_load(&t->state.members_done), updates = atomic_load(&t->state.updates);
    double each = done            ? (double)atomic_load(&t->state.updates_done) / (double)done
                  : t->fit->probe ? (double)t->fit->probe->length
                                  : TYPICAL_UPDATES;
    double fraction = (double)updates / (each * (double)t->jobs);
    if (fraction > t->shown) t->shown = fraction < 1.0 ? fraction : 1.0;
    odim_progress now = {
        .members = (int)t->jobs,
        .members_done = (int)done,
        .updates = updates,
        .distance = atomic_load(&t->state.distance),
        .fraction = t->shown,
    };
    look(t, &now);
    return hooks->progress(&now, hooks->user);
}

static odim_status watch_begin(training *t, int64_t batch, odim_error *err)
{
    const odim_hooks *hooks = t->fit->run.hooks;
    if (!hooks || !hooks->progress || t->model->config.dp_epsilon > 0) return ODIM_OK;
    t->seen = od_alloc((size_t)batch, sizeof *t->seen);
    od_fit_check *c = &t->state.check;
    t->seen_checks = od_alloc(OD_CHECKS_KEPT, sizeof *t->seen_checks);
    t->seen_recent = od_alloc(OD_RECENT_KEPT, sizeof *t->seen_recent);
    c->losses = od_alloc((size_t)batch, sizeof *c->losses);
    c->checks = od_alloc(OD_CHECKS_KEPT, sizeof *c->checks);
    c->recent = od_alloc(OD_RECENT_KEPT, sizeof *c->recent);
    bool all = t->seen && t->seen_checks && t->seen_recent && c->losses && c->checks && c->recent;
    return all ? ODIM_OK : od_fail_nomem(err);
}

static void watch_end(training *t)
{
    od_free(t->seen);
    od_free(t->seen_checks);
    od_free(t->seen_recent);
    od_free(t->state.check.losses);
    od_free(t->state.check.checks);
    od_free(t->state.check.recent);
}

static odim_status worker_new_dp(worker *w, const training *t, odim_error *err)
{
    w->dp_trainer = od_calloc(1, sizeof *w->dp_trainer);
    if (!w->dp_trainer) return od_fail_nomem(err);
    return od_dp_trainer_new(w->dp_trainer, t->model, &t->fit->dp.plan, err);
}

static odim_status worker_new(worker *w, const training *t, const od_plan *plan, int64_t threads,
                              odim_error *err)
{
    od_probe *probe = t->fit->probe;
    odim_status status = od_forkjoin_new(&w->team, (int)threads, err);
    if (!status) status = od_trainer_new(&w->trainer, t->model, plan, w->team, err);
    if (!status && probe) {
        status = od_probe_worker_new(&w->probe_worker, probe, t->model, t->set.encoder, err);
        w->trainer.probe_worker = &w->probe_worker;
    }
    return status;
}

/* Says how long the training of large networks takes, and what it takes less. */
static void note_effort(const training *t, const od_plan *plan)
{
    const odim_model *m = t->model;
    const double weights = (double)m->layout.params, samples = (double)od_model_samples(m);
    /* A training step goes there and back, for the weights and for the values. Half of the weights, those of
     * the decoder, see each sample of a row. */
    double steps = 3.0 * TYPICAL_UPDATES * (double)(plan->batch + plan->known) * (samples + 1.0) / 2.0;
    /* Scores of the rows for calibration, and of all rows. */
    double rows = (double)(t->set.n < 32768 ? t->set.n : 32768) + (double)t->fit->table->n;
    double scores = rows * ((double)od_model_score_samples(m) + 1.0) / 2.0;
    double seconds =
        weights * (double)m->members * (steps + scores) / (FLOPS * (double)od_run_threads(&t->fit->run));
    if (seconds < NOTE_SECONDS || m->config.dp_epsilon > 0) return;
    char text[240];
    snprintf(text, sizeof text,
             "%lld networks of %.1f million weights take about %.0f minutes and %.0f MB; networks that see "
             "fewer columns take less%s",
             (long long)m->members, weights / 1e6, ceil(seconds / 60.0),
             weights * 4.0 * (double)m->members / 1e6, OD_HINT_TO("max-features", "128"));
    od_run_note(&t->fit->run, text);
}

/* One worker per member that trains at the same time; further threads share the rows of its batches. Of large
 * networks fewer are trained at the same time, because each has a gradient for each of its shards, and the
 * moments of Adam. */
static odim_status workers_new(training *t, const od_plan *plan, odim_error *err)
{
    const odim_model *m = t->model;
    int64_t threads = od_run_threads(&t->fit->run), count = threads < t->jobs ? threads : t->jobs;
    int64_t most = od_net_grad_shards(&m->layout, plan->batch + plan->known, od_model_samples(m));
    int64_t fitting = WORKER_FLOATS / ((int64_t)m->layout.params * (4 + most));
    if (count > fitting && m->config.dp_epsilon <= 0) count = fitting > 1 ? fitting : 1;
    t->worker = od_calloc((size_t)count, sizeof *t->worker);
    odim_status status = t->worker ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < count; i++) {
        int64_t share = threads / count + (i < threads % count);
        t->workers = i + 1;
        status = m->config.dp_epsilon > 0
                     ? worker_new_dp(&t->worker[i], t, err)
                     : worker_new(&t->worker[i], t, plan, share < most ? share : most, err);
    }
    return status;
}

static void workers_free(training *t)
{
    for (int64_t i = 0; i < t->workers; i++) {
        worker *w = &t->worker[i];
        od_probe_worker_free(&w->probe_worker);
        od_trainer_free(&w->trainer);
        od_forkjoin_free(w->team);
        if (w->dp_trainer) od_dp_trainer_free(w->dp_trainer);
        od_free(w->dp_trainer);
    }
    od_free(t->worker);
}

/* Separates known outliers, which are trained on in their own way, from the other rows: *others, which is to
 * be od_free'd. */
static odim_status separate_known(const od_fit *f, od_training *set, int64_t **others, odim_error *err)
{
    const od_row_set *chosen = &f->chosen;
    *others = NULL;
    *set = (od_training){.encoder = set->encoder,
                         .rows = chosen->rows,
                         .n = chosen->count,
                         .known = chosen->known,
                         .knowns = chosen->knowns};
    if (set->knowns == 0) return ODIM_OK;
    *others = od_alloc((size_t)chosen->count, sizeof **others);
    if (!*others) return od_fail_nomem(err);
    set->rows = *others;
    set->n = 0;
    for (int64_t i = 0; i < chosen->count; i++) {
        int64_t row = chosen->rows ? chosen->rows[i] : i;
        if (f->table->known[row] != 1) (*others)[set->n++] = row;
    }
    if (set->n >= 2) return ODIM_OK;
    return od_fail(err, ODIM_ERR_DATA, "%s known outliers: at least 2 rows are needed that are not",
                   set->n ? "all rows but one are" : "all rows are");
}

/* ---- transformed rows ---------------------------------------------------------------------------------- */

/* Members visit about 50,000 rows together. Transforming all rows once is cheaper if they are fewer. */
#define SEEN_ROWS  32768
#define SEEN_CELLS ((int64_t)1 << 24)
#define SEEN_BLOCK 64

typedef struct seeing {
    const odim_model *model;
    const od_encoder *encoder;
    int64_t n;
    float *plain; /* (workers, SEEN_BLOCK, features) */
    float *seen;  /* (n, width) */
} seeing;

static odim_status see_block(void *ctx, od_parallel *par, int number, int64_t job, odim_error *err)
{
    (void)par;
    const seeing *s = ctx;
    const odim_model *m = s->model;
    int64_t features = m->schema.features, first = job * SEEN_BLOCK;
    int64_t rows = s->n - first < SEEN_BLOCK ? s->n - first : SEEN_BLOCK;
    float *plain = s->plain + number * SEEN_BLOCK * features;
    odim_status status = od_encode_rows(s->encoder, NULL, first, rows, plain, err);
    if (!status) od_transform_apply(&m->transform, plain, rows, features, s->seen + first * m->width);
    return status;
}

/* Fills set->seen, which is to be od_free'd, if that is worth it. */
static odim_status see_rows(const training *t, float **out, odim_error *err)
{
    const odim_model *m = t->model;
    int64_t n = t->fit->table->n, threads = od_run_threads(&t->fit->run);
    *out = NULL;
    if (n > SEEN_ROWS || n > SEEN_CELLS / m->width || t->fit->config.dp_epsilon > 0) return ODIM_OK;
    seeing s = {.model = m, .encoder = t->set.encoder, .n = n};
    s.plain = od_alloc((size_t)(threads * SEEN_BLOCK), (size_t)m->schema.features * sizeof *s.plain);
    s.seen = *out = od_alloc((size_t)n, (size_t)m->width * sizeof *s.seen);
    odim_status status = s.plain && s.seen ? ODIM_OK : od_fail_nomem(err);
    if (!status)
        status = od_parallel_run((int)threads, (n + SEEN_BLOCK - 1) / SEEN_BLOCK, see_block, NULL, &s, err);
    od_free(s.plain);
    return status;
}

odim_status od_fit_train(od_fit *f, const od_member_subset *some, odim_error *err)
{
    odim_model *m = f->model;
    od_encoder encoder;
    int64_t *others;
    float *seen = NULL;
    if (!m->members) return ODIM_OK;
    odim_status status = od_encoder_new(&encoder, &m->schema, f->table, err);
    if (status) return status;
    training t = {.fit = f, .model = m, .set.encoder = &encoder, .some = some};
    od_lock_new(&t.state.check.lock);
    t.jobs = some ? some->count : m->members;
    status = separate_known(f, &t.set, &others, err);
    if (!status) status = see_rows(&t, &seen, err);
    t.set.seen = seen;
    if (!status) {
        od_plan plan = od_plan_make(&m->config, t.set.n, t.set.knowns);
        if (f->probe) status = od_probe_begin(f->probe, m->members, plan.check_every, err);
        if (!status) status = watch_begin(&t, plan.batch, err);
        if (!status) note_effort(&t, &plan);
        if (!status) status = workers_new(&t, &plan, err);
        if (!status) status = od_parallel_run((int)t.workers, t.jobs, train_member, tick, &t, err);
        workers_free(&t);
        watch_end(&t);
    }
    od_lock_free(&t.state.check.lock);
    od_free(others);
    od_free(seen);
    od_encoder_free(&encoder);
    return status;
}
