#include "fit/member.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "fit/noise.h"
#include "fit/shuffle.h"
#include "fit/stop.h"
#include "net/adam.h"

/* Small tables have few batches an epoch: checks come more often, and the patience stays 100 updates long. */
od_plan od_plan_make(const od_config *c, int64_t rows)
{
    od_plan p = {.batch = c->batch < rows ? c->batch : rows};
    int64_t batches = rows / p.batch;
    p.check_every = c->check_every ? c->check_every : (batches < 10 ? batches : 10);
    p.patience = c->patience ? c->patience : (100 + p.check_every - 1) / p.check_every;
    return p;
}

odim_status od_trainer_new(od_trainer *t, const odim_model *model, const od_plan *plan, od_team *team,
                           odim_error *err)
{
    const od_layout *l = &model->layout;
    *t = (od_trainer){.plan = *plan};
    odim_status status =
        od_iwae_new(&t->net, od_kern_get(), l, plan->batch, model->config.samples, true, team, err);
    if (status) return status;
    size_t b = (size_t)plan->batch;
    bool ok = (t->w = od_alloc(l->params, sizeof(float))) && (t->g = od_alloc(l->params, sizeof(float))) &&
              (t->m = od_alloc(l->params, sizeof(float))) && (t->v = od_alloc(l->params, sizeof(float))) &&
              (t->stats = od_alloc(l->stats, sizeof(float))) && (t->rows = od_alloc(b, sizeof(int64_t))) &&
              (t->x = od_alloc(b * (size_t)l->shape.d, sizeof(float))) &&
              (t->eps = od_alloc((size_t)od_iwae_noise(&t->net, plan->batch), sizeof(float))) &&
              (t->loss = od_alloc(b, sizeof(float))) && (t->scratch = od_alloc(2 * b, sizeof(double)));
    if (ok) return ODIM_OK;
    od_trainer_free(t);
    return od_fail_nomem(err);
}

void od_trainer_free(od_trainer *t)
{
    od_iwae_free(&t->net);
    od_free(t->w);
    od_free(t->g);
    od_free(t->m);
    od_free(t->v);
    od_free(t->stats);
    od_free(t->rows);
    od_free(t->x);
    od_free(t->eps);
    od_free(t->loss);
    od_free(t->scratch);
    *t = (od_trainer){0};
}

/* The rows of update number `update`: whole batches only, a new order every epoch. */
static odim_status next_batch(od_trainer *t, const odim_model *model, const od_training *set, int64_t index,
                              int64_t update, odim_error *err)
{
    int64_t batch = t->plan.batch, per_epoch = set->n / batch;
    od_shuffle order = od_shuffle_make((uint64_t)set->n, model->config.seed, (uint32_t)index,
                                       (uint32_t)(update / per_epoch));
    int64_t start = update % per_epoch * batch;
    for (int64_t i = 0; i < batch; i++) {
        int64_t at = (int64_t)od_shuffle_at(&order, (uint64_t)(start + i));
        t->rows[i] = set->rows ? set->rows[at] : at;
    }
    return od_encode_rows(set->encoder, t->rows, 0, batch, t->x, err);
}

static void draw(od_trainer *t, const odim_model *model, int64_t index, od_purpose purpose, int64_t update)
{
    od_stream s = od_stream_make(model->config.seed, (uint32_t)index, purpose, (uint32_t)update);
    t->net.kern->normal(t->eps, od_iwae_noise(&t->net, t->plan.batch), &s);
}

static bool all_finite(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static odim_status finish(odim_model *model, int64_t index, const od_stop *stop, int64_t updates,
                          odim_error *err)
{
    od_member *member = &model->member[index];
    od_stream s = od_stream_make(model->config.seed, (uint32_t)index, OD_RNG_SCORE, 0);
    member->info = (odim_member_info){updates, stop->best_update, stop->best};
    return od_noise_fill(member->noise, od_model_score_samples(model), model->layout.shape.latent, &s, err);
}

odim_status od_member_fit(od_trainer *t, odim_model *model, const od_training *set, int64_t index,
                          od_fit_state *state, const od_par *par, odim_error *err)
{
    const od_config *c = &model->config;
    const od_layout *l = &model->layout;
    const od_kern *k = t->net.kern;
    od_member *member = &model->member[index];
    od_adam adam = {.lr = c->lr, .decay = c->weight_decay};
    od_stop stop = {.patience = t->plan.patience};
    od_layout_init(l, c->seed, (uint32_t)index, t->w, t->stats);
    memset(t->m, 0, l->params * sizeof(float));
    memset(t->v, 0, l->params * sizeof(float));

    int64_t update = 0;
    while (update < c->max_updates && !od_stop_reached(&stop)) {
        if (od_par_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        odim_status status = next_batch(t, model, set, index, update, err);
        if (status) return status;
        draw(t, model, index, OD_RNG_TRAIN, update);
        memset(t->g, 0, l->params * sizeof(float));
        od_iwae_grad(&t->net, t->w, t->stats, t->g, t->x, t->plan.batch, NULL, t->eps, t->loss);
        od_adam_update(k, &adam, t->w, t->m, t->v, t->g, (int64_t)l->params);
        update++;
        atomic_fetch_add(&state->updates, 1);
        if (update % t->plan.check_every && update < c->max_updates) continue;

        draw(t, model, index, OD_RNG_CHECK, update);
        od_iwae_ready(&t->net, t->w, t->stats);
        od_iwae_loss(&t->net, t->x, t->plan.batch, t->eps, false, t->loss);
        /* A network that has run away can still give losses: kernels keep exponents within bounds. */
        double distance =
            !all_finite(t->w, l->params)
                ? NAN
                : od_stop_distance(t->loss, t->plan.batch, (od_distance)c->distance, t->scratch);
        if (od_stop_check(&stop, distance, update)) {
            memcpy(member->params, t->w, l->params * sizeof(float));
            memcpy(member->stats, t->stats, l->stats * sizeof(float));
        }
        atomic_store(&state->distance, distance);
    }
    if (stop.best_update == 0)
        return od_fail(
            err, ODIM_ERR_DATA,
            "training diverged: the losses are not numbers (a smaller learning rate or another scaling "
            "may help)");
    atomic_fetch_add(&state->updates_done, update);
    atomic_fetch_add(&state->members_done, 1);
    return finish(model, index, &stop, update, err);
}
