#include "fit/ensemble.h"

#include "common/mem.h"
#include "fit/prefit.h"
#include "fit/member.h"
#include "prep/schema_fit.h"

#define TYPICAL_UPDATES 250 /* of a member, before any is done: only for the estimate of progress */

/* Who trains a member. */
typedef struct member_worker {
    od_trainer trainer;
    od_forkjoin *team;              /* NULL, or the threads that do it together */
    od_dp_trainer *private_trainer; /* in its place, if training is private */
    od_probe_worker probe_worker;
} member_worker;

typedef struct ensemble {
    odim_model *model;
    od_training set;
    od_probe *probe;              /* or NULL */
    const od_member_subset *some; /* or NULL: all members */
    const odim_hooks *hooks;
    int64_t jobs; /* members to train */
    int64_t workers;
    member_worker *worker; /* (crews) */
    od_fit_state state;
    double shown; /* the fraction last reported: an estimate may be corrected, but never goes back */
} ensemble;

od_shape od_ensemble_shape(const od_config *c, int64_t d)
{
    if (c->method) return (od_shape){.d = d};
    od_shape s = {.kind = (od_kind)c->model, .d = d};
    s.layers = c->hidden.count;
    for (int i = 0; i < s.layers; i++) s.hidden[i] = c->hidden.size[i];
    if (!s.layers) {
        s.layers = 2;
        s.hidden[0] = d < 100 ? 32 : d <= 1000 ? 128 : 512;
        s.hidden[1] = s.hidden[0] / 2;
    }
    if (s.kind == OD_NET_FLOW) {
        s.steps = d > 1 ? (int)c->flow_steps : 1;
        return s;
    }
    s.batch_norm = c->batch_norm != 0;
    s.lik = (od_lik)c->likelihood;
    s.latent = c->latent;
    if (!s.latent) {
        s.latent = d > 1000 ? 128 : d >= 100 ? 32 : d > 8 ? 8 : d > 6 ? 6 : d > 4 ? 4 : 2;
        int64_t most = s.hidden[s.layers - 1] / 2; /* what it is in the paper's networks of any size */
        if (s.latent > most) s.latent = most > 1 ? most : 1;
    }
    return s;
}

static odim_status fit_one(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    ensemble *e = ctx;
    int64_t member = e->some ? e->some->member[job] : job;
    od_dp_trainer *private = e->worker[worker].private_trainer;
    if (private) return od_dp_fit(private, e->model, &e->set, member, &e->state, par, err);
    odim_status status =
        od_member_fit(&e->worker[worker].trainer, e->model, &e->set, member, &e->state, par, err);
    if (!status && e->some && e->some->done) status = e->some->done(e->some->ctx, e->model, member, err);
    return status;
}

static int tick(void *ctx)
{
    ensemble *e = ctx;
    if (!e->hooks || !e->hooks->progress) return 0;
    int64_t done = atomic_load(&e->state.members_done), updates = atomic_load(&e->state.updates);
    double each = done       ? (double)atomic_load(&e->state.updates_done) / (double)done
                  : e->probe ? (double)e->probe->length
                             : TYPICAL_UPDATES;
    double fraction = (double)updates / (each * (double)e->jobs);
    if (fraction > e->shown) e->shown = fraction < 1.0 ? fraction : 1.0;
    odim_progress now = {
        .members = (int)e->jobs,
        .members_done = (int)done,
        .updates = updates,
        .distance = atomic_load(&e->state.distance),
        .fraction = e->shown,
    };
    return e->hooks->progress(&now, e->hooks->user);
}

/* Privately each member is trained by one thread. */
static odim_status worker_new_dp(member_worker *c, const ensemble *e, const od_dp_plan *plan, odim_error *err)
{
    c->private_trainer = od_calloc(1, sizeof *c->private_trainer);
    if (!c->private_trainer) return od_fail_nomem(err);
    return od_dp_trainer_new(c->private_trainer, e->model, plan, err);
}

/* A trainer for every member that trains at the same time; threads beyond that help with the rows of a batch.
 */
static odim_status workers_new(ensemble *e, int64_t threads, const od_plan *plan, const od_dp_plan *private,
                               odim_error *err)
{
    int64_t count = threads < e->jobs ? threads : e->jobs;
    int64_t most = od_net_grad_shards(&e->model->layout, plan->batch + plan->known, e->model->config.samples);
    e->worker = od_calloc((size_t)count, sizeof *e->worker);
    odim_status status = e->worker ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < count; i++) {
        member_worker *c = &e->worker[i];
        e->workers = i + 1;
        if (private) {
            status = worker_new_dp(c, e, private, err);
            continue;
        }
        int64_t share = threads / count + (i < threads % count);
        status = od_forkjoin_new(&c->team, (int)(share < most ? share : most), err);
        if (!status) status = od_trainer_new(&c->trainer, e->model, plan, c->team, err);
        if (!status && e->probe) {
            status = od_probe_worker_new(&c->probe_worker, e->probe, e->model, e->set.encoder, err);
            c->trainer.probe_worker = &c->probe_worker;
        }
    }
    return status;
}

static void workers_free(ensemble *e)
{
    for (int64_t i = 0; i < e->workers; i++) {
        od_probe_worker_free(&e->worker[i].probe_worker);
        od_trainer_free(&e->worker[i].trainer);
        od_forkjoin_free(e->worker[i].team);
        if (e->worker[i].private_trainer) od_dp_trainer_free(e->worker[i].private_trainer);
        od_free(e->worker[i].private_trainer);
    }
    od_free(e->worker);
}

static odim_status train(odim_model *model, const od_training *set, const od_dp_plan *private,
                         od_probe *probe, const od_member_subset *some, const odim_hooks *hooks,
                         odim_error *err)
{
    ensemble e = {.model = model, .set = *set, .probe = probe, .some = some, .hooks = hooks};
    e.jobs = some ? some->count : model->members;
    int64_t threads = model->config.threads ? model->config.threads : od_parallel_cores();
    od_plan plan = od_plan_make(&model->config, set->n, set->knowns);
    odim_status status = probe ? od_probe_begin(probe, model->members, plan.check_every, err) : ODIM_OK;
    if (!status) status = workers_new(&e, threads, &plan, private, err);
    if (!status) status = od_parallel_run((int)e.workers, e.jobs, fit_one, tick, &e, err);
    workers_free(&e);
    return status;
}

/* The same, where some of the chosen rows are known outliers, which are not to be among the others. */
static odim_status train_known(odim_model *model, const od_encoder *encoder, const odim_table *table,
                               const od_row_set *chosen, const od_dp_plan *private, od_probe *probe,
                               const od_member_subset *some, const odim_hooks *hooks, odim_error *err)
{
    od_training set = {encoder, chosen->rows, chosen->count, chosen->known, chosen->knowns};
    if (set.knowns == 0) return train(model, &set, private, probe, some, hooks, err);
    int64_t *others = od_alloc((size_t)chosen->count, sizeof *others);
    if (!others) return od_fail_nomem(err);
    set.rows = others;
    set.n = 0;
    for (int64_t i = 0; i < chosen->count; i++) {
        int64_t row = chosen->rows ? chosen->rows[i] : i;
        if (table->known[row] != 1) others[set.n++] = row;
    }
    odim_status status =
        set.n < 2 ? od_fail(err, ODIM_ERR_DATA, "%s known outliers: at least 2 rows are needed that are not",
                            set.n ? "all rows but one are" : "all rows are")
                  : train(model, &set, NULL, probe, some, hooks, err);
    od_free(others);
    return status;
}

odim_status od_ensemble_begin(odim_model **out, const od_config *config, const odim_table *table,
                              const od_column_stats *stats, const od_row_set *chosen, const odim_hooks *hooks,
                              odim_error *err)
{
    *out = NULL;
    od_schema schema;
    odim_status status = od_schema_make(&schema, table, stats, chosen, (od_scaling)config->scale,
                                        config->min_level_count, err);
    if (status) return status;
    od_shape shape = od_ensemble_shape(config, od_prefit_width(config, chosen->count, schema.features));
    odim_model *model;
    status = od_model_new(&model, config, &shape, schema.features, err);
    if (status) {
        od_schema_free(&schema);
        return status;
    }
    model->schema = schema;
    od_schema_note(&schema, hooks);
    od_encoder encoder;
    status = od_encoder_new(&encoder, &model->schema, table, err);
    if (!status) {
        status = od_prefit(model, &encoder, chosen, hooks, err);
        od_encoder_free(&encoder);
    }
    if (status) {
        odim_model_free(model);
        return status;
    }
    *out = model;
    return ODIM_OK;
}

odim_status od_ensemble_train(odim_model *model, const odim_table *table, const od_row_set *chosen,
                              const od_dp_plan *plan, od_probe *probe, const od_member_subset *some,
                              const odim_hooks *hooks, odim_error *err)
{
    od_encoder encoder;
    if (!model->members) return ODIM_OK;
    odim_status status = od_encoder_new(&encoder, &model->schema, table, err);
    if (status) return status;
    status = train_known(model, &encoder, table, chosen, plan, probe, some, hooks, err);
    od_encoder_free(&encoder);
    return status;
}

odim_status od_ensemble_fit(odim_model **out, const od_config *config, const odim_table *table,
                            const od_column_stats *stats, const od_row_set *chosen, const od_dp_plan *plan,
                            od_probe *probe, const odim_hooks *hooks, odim_error *err)
{
    odim_status status = od_ensemble_begin(out, config, table, stats, chosen, hooks, err);
    if (!status) status = od_ensemble_train(*out, table, chosen, plan, probe, NULL, hooks, err);
    if (!status) return ODIM_OK;
    odim_model_free(*out);
    *out = NULL;
    return status;
}
