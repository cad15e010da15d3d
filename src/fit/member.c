/* Trains one member of the ensemble, and stops it early. */
#include "fit/member.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "fit/noise.h"
#include "fit/probe.h"
#include "base/shuffle.h"
#include "fit/stop_rule.h"
#include "net/adam.h"

/*
 * Known outliers take part in every update, in addition to a full batch of other rows. There are as many of
 * them as rows in the batch or, if fewer are known, all of them. Their mean is then as steady as that of the
 * batch, an update costs at most twice as much, and a single known outlier is enough. The stop rule does not
 * look at them: training makes their losses high, and a group of losses that training itself has moved away
 * does not say whether the unknown outliers are being learned.
 *
 * Small tables have few batches per epoch: checks come more often, and the patience stays 100 updates long.
 */
od_plan od_plan_make(const od_config *c, int64_t rows, int64_t knowns)
{
    od_plan p = {.batch = c->batch < rows ? c->batch : rows};
    p.known = p.batch < knowns ? p.batch : knowns;
    int64_t batches = rows / p.batch;
    p.check_every = c->check_every ? c->check_every : (batches < 10 ? batches : 10);
    p.patience = c->patience ? c->patience : (100 + p.check_every - 1) / p.check_every;
    return p;
}

odim_status od_trainer_new(od_trainer *t, const odim_model *model, const od_plan *plan, od_forkjoin *team,
                           odim_error *err)
{
    const od_layout *l = &model->layout;
    *t = (od_trainer){.plan = *plan};
    int64_t all = plan->batch + plan->known;
    odim_status status = od_net_new(
        &t->net, od_kern_get(), l,
        &(od_net_options){.rows = all, .samples = od_model_samples(model), .training = true, .team = team},
        err);
    if (status) return status;
    size_t b = (size_t)all;
    bool ok = (t->w = od_alloc(l->params, sizeof(float))) && (t->g = od_alloc(l->params, sizeof(float))) &&
              (t->m = od_alloc(l->params, sizeof(float))) && (t->v = od_alloc(l->params, sizeof(float))) &&
              (t->stats = od_alloc(l->stats, sizeof(float))) && (t->rows = od_alloc(b, sizeof(int64_t))) &&
              (t->plain = od_alloc(b * (size_t)model->schema.features, sizeof(float))) &&
              (t->seen = od_alloc(b * (size_t)model->width, sizeof(float))) &&
              (t->x = od_alloc(b * (size_t)l->shape.d, sizeof(float))) &&
              (t->eps = od_alloc((size_t)od_net_noise(&t->net, all), sizeof(float))) &&
              (t->loss = od_alloc(b, sizeof(float))) &&
              (t->scratch = od_alloc(2 * (size_t)plan->batch, sizeof(double)));
    status = ok ? od_noise_chooser_new(&t->chooser, model, err) : od_fail_nomem(err);
    if (status) od_trainer_free(t);
    return status;
}

void od_trainer_free(od_trainer *t)
{
    od_net_free(&t->net);
    od_free(t->w);
    od_free(t->g);
    od_free(t->m);
    od_free(t->v);
    od_free(t->stats);
    od_free(t->rows);
    od_free(t->plain);
    od_free(t->seen);
    od_free(t->x);
    od_free(t->eps);
    od_free(t->loss);
    od_free(t->scratch);
    od_noise_chooser_free(&t->chooser);
    *t = (od_trainer){0};
}

/* Rows of one kind: known outliers, or all others. */
typedef struct row_pool {
    const int64_t *rows; /* (n), or NULL: the first n */
    int64_t n;
    od_rng_purpose purpose; /* of the random numbers that order them */
} row_pool;

/* `count` rows for update number `update`: whole batches only, and a new order every epoch. */
static void pick(int64_t *to, int64_t count, const row_pool *from, uint64_t seed, int64_t index,
                 int64_t update)
{
    int64_t per_epoch = from->n / count, start = update % per_epoch * count;
    od_shuffle order = od_shuffle_make((uint64_t)from->n, seed, (uint32_t)index, from->purpose,
                                       (uint32_t)(update / per_epoch));
    for (int64_t i = 0; i < count; i++) {
        int64_t at = (int64_t)od_shuffle_at(&order, (uint64_t)(start + i));
        to[i] = from->rows ? from->rows[at] : at;
    }
}

/* What the network sees of the first `count` of t->rows, at most batch + known: x (count, d). */
static odim_status inputs_of(od_trainer *t, const odim_model *model, const od_training *set, int64_t index,
                             int64_t count, float *x, odim_error *err)
{
    if (set->seen) {
        int64_t d = model->layout.shape.d;
        for (int64_t i = 0; i < count; i++) {
            float *to = x + i * d;
            const float *from = od_model_inputs(model, index, set->seen + t->rows[i] * model->width, 1, to);
            if (from != to) memcpy(to, from, (size_t)d * sizeof *to);
        }
        return ODIM_OK;
    }
    odim_status status = od_encode_rows(set->encoder, t->rows, 0, count, t->plain, err);
    if (status) return status;
    const bool all = model->layout.shape.d == model->width;
    float *seen = all ? x : t->seen;
    od_transform_apply(&model->transform, t->plain, count, model->schema.features, seen);
    if (!all) od_model_inputs(model, index, seen, count, x);
    return ODIM_OK;
}

/* The rows of an update: the batch, and behind it the known outliers. */
static odim_status next_batch(od_trainer *t, const odim_model *model, const od_training *set, int64_t index,
                              int64_t update, odim_error *err)
{
    int64_t batch = t->plan.batch, known = t->plan.known;
    uint64_t seed = model->config.seed;
    const row_pool others = {set->rows, set->n, OD_RNG_SHUFFLE};
    const row_pool outliers = {set->known, set->knowns, OD_RNG_KNOWN};
    pick(t->rows, batch, &others, seed, index, update);
    if (known) pick(t->rows + batch, known, &outliers, seed, index, update);
    return inputs_of(t, model, set, index, batch + known, t->x, err);
}

/* Chooses the noise of scoring for a network with these parameters, if there is a choice. */
static odim_status choose_noise(od_trainer *t, odim_model *model, const od_training *set, int64_t index,
                                const float *params, const float *stats, odim_error *err)
{
    od_noise_chooser *c = &t->chooser;
    int64_t n = set->n < OD_NOISE_CANDIDATES ? set->n : OD_NOISE_CANDIDATES, step = t->plan.batch;
    od_shuffle order =
        od_shuffle_make((uint64_t)set->n, model->config.seed, (uint32_t)index, OD_RNG_SCORE_ROWS, 0);
    if (!c->pool) return ODIM_OK;
    for (int64_t at = 0; at < n; at += step) {
        int64_t count = n - at < step ? n - at : step;
        for (int64_t i = 0; i < count; i++) {
            int64_t row = (int64_t)od_shuffle_at(&order, (uint64_t)(at + i));
            t->rows[i] = set->rows ? set->rows[row] : row;
        }
        odim_status status = inputs_of(t, model, set, index, count, c->x + at * c->d, err);
        if (status) return status;
    }
    return od_noise_chooser_run(c, model, index, params, stats, n, err);
}

static void draw(od_trainer *t, const odim_model *model, int64_t index, od_rng_purpose purpose, int64_t rows,
                 int64_t update)
{
    od_rng s = od_rng_make(model->config.seed, (uint32_t)index, purpose, (uint32_t)update);
    t->net.kern->normal(t->eps, od_net_noise(&t->net, rows), &s);
}

static bool all_finite(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

odim_status od_member_noise(odim_model *model, int64_t index, odim_error *err)
{
    od_rng s = od_rng_make(model->config.seed, (uint32_t)index, OD_RNG_SCORE, 0);
    return od_noise_fill(model->member[index].noise, od_model_score_samples(model),
                         model->layout.shape.latent, &s, err);
}

/* A network that has diverged can still give losses, because kernels keep exponents within bounds. */
static double check(od_trainer *t, const odim_model *model, int64_t index, int64_t update)
{
    int64_t batch = t->plan.batch;
    draw(t, model, index, OD_RNG_CHECK, batch, update);
    od_net_ready(&t->net, t->w, t->stats);
    od_net_loss(&t->net, t->x, batch, t->eps, false, t->loss);
    if (!all_finite(t->w, model->layout.params)) return NAN;
    return od_stop_distance(t->loss, batch, (od_distance)model->config.distance, t->scratch);
}

/* After an update: its losses are those of the batch before it. */
static void publish_losses(od_fit_check *c, const od_trainer *t, int64_t member, int64_t update)
{
    if (!c->recent) return;
    od_lock_take(&c->lock);
    if (c->recent_total == 0) c->recent_member = member;
    for (int64_t i = 0; c->recent_member == member && i < t->plan.batch; i++)
        c->recent[c->recent_total++ % OD_RECENT_KEPT] = t->loss[i];
    if (c->recent_member == member) c->recent_update = update;
    od_lock_release(&c->lock);
}

/* The next member that is updated is watched. */
static void publish_end(od_fit_check *c, int64_t member)
{
    if (!c->recent) return;
    od_lock_take(&c->lock);
    if (c->recent_member == member) c->recent_total = 0;
    od_lock_release(&c->lock);
}

static void publish(od_fit_check *c, const od_trainer *t, int64_t member, int64_t update, double distance)
{
    if (!c->losses) return;
    od_lock_take(&c->lock);
    if (c->check_count < OD_CHECKS_KEPT)
        c->checks[c->check_count++] = (odim_member_check){(int)member, update, distance};
    c->member = member;
    c->update = update;
    c->count = t->plan.batch;
    memcpy(c->losses, t->loss, (size_t)c->count * sizeof *c->losses);
    od_lock_release(&c->lock);
}

odim_status od_member_finish(odim_model *model, int64_t index, odim_member_info info, int64_t updates,
                             od_fit_state *state, odim_error *err)
{
    od_member *member = &model->member[index];
    if (info.best_update == 0 || !all_finite(member->params, model->layout.params))
        return od_fail(
            err, ODIM_ERR_DATA,
            "training diverged: the losses are not numbers (a smaller learning rate or another scaling "
            "may help)");
    member->info = info;
    atomic_fetch_add(&state->updates_done, updates);
    atomic_fetch_add(&state->members_done, 1);
    return ODIM_OK;
}

odim_status od_member_fit(od_trainer *t, odim_model *model, const od_training *set, int64_t index,
                          od_fit_state *state, od_parallel *par, odim_error *err)
{
    const od_config *c = &model->config;
    const od_layout *l = &model->layout;
    od_member *member = &model->member[index];
    od_adam adam = {.lr = c->lr, .decay = c->weight_decay};
    od_stop stop = {.patience = t->plan.patience};
    const od_known known = {t->plan.known, (float)c->known_weight};
    int64_t all = t->plan.batch + known.rows;
    od_layout_init(l, c->seed, (uint32_t)index, t->w, t->stats);
    memset(t->m, 0, l->params * sizeof(float));
    memset(t->v, 0, l->params * sizeof(float));
    odim_status status = od_member_noise(model, index, err);
    if (status) return status;

    int64_t update = 0, stopped = 0; /* the update at which the rule says to stop; 0: not yet */
    while (t->probe_worker ? update < od_probe_worker_length(t->probe_worker) : !stopped) {
        if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        if ((status = next_batch(t, model, set, index, update, err))) return status;
        if (update == 0) od_net_start(&t->net, t->w, t->stats, t->x, t->plan.batch);
        draw(t, model, index, OD_RNG_TRAIN, all, update);
        memset(t->g, 0, l->params * sizeof(float));
        od_net_grad(
            &t->net, t->w, t->stats, t->g,
            &(od_train_batch){.x = t->x, .rows = all, .known = known, .eps = t->eps, .loss = t->loss});
        od_adam_update(t->net.kern, &adam, t->w, t->m, t->v, t->g, (int64_t)l->params);
        update++;
        atomic_fetch_add(&state->updates, 1);
        publish_losses(&state->check, t, index, update);
        if (t->probe_worker && od_probe_worker_wants(t->probe_worker, update) &&
            (status = choose_noise(t, model, set, index, t->w, t->stats, err)))
            return status;
        if (t->probe_worker &&
            (status = od_probe_worker_check(t->probe_worker, t->w, t->stats, index, update, par, err)))
            return status;
        if (update % t->plan.check_every && update != c->max_updates) continue;

        double distance = check(t, model, index, update);
        if ((status = od_history_add(&member->history, update, distance, err))) return status;
        atomic_store(&state->distance, distance);
        publish(&state->check, t, index, update, distance);
        if (stopped) continue;
        if (od_stop_check(&stop, distance, update)) {
            memcpy(member->params, t->w, l->params * sizeof(float));
            memcpy(member->stats, t->stats, l->stats * sizeof(float));
        }
        if (od_stop_reached(&stop) || update == c->max_updates) stopped = update;
    }
    publish_end(&state->check, index);
    /* A trace may be too short for a single check. */
    if (stop.best_update == 0 && t->probe_worker && !member->history.count) return ODIM_OK;
    status = od_member_finish(model, index, (odim_member_info){stopped, stop.best_update, stop.best}, update,
                              state, err);
    return status ? status : choose_noise(t, model, set, index, member->params, member->stats, err);
}
