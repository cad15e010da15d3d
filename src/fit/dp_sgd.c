/* Plans and runs differentially private training of a member (DP-SGD). */
#include "fit/dp_sgd.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "net/adam.h"

#define WORDS           4294967296.0 /* of 32 bits */
#define DEFAULT_UPDATES 200

/* ---- the plan --------------------------------------------------------------------------------------- */

/* Finds the noise for the updates, or the updates for the noise. If both are given, checks that they fit. */
static odim_status settle(od_dp_plan *p, const od_config *c, const od_budget *others, odim_error *err)
{
    od_budget each;
    p->updates = c->dp_updates ? c->dp_updates : DEFAULT_UPDATES;
    p->noise = c->dp_noise;
    if (p->noise == 0) {
        odim_status status = od_budget_noise(others, p->rate, p->updates * p->members, c->dp_epsilon,
                                             c->dp_delta, &p->noise, err);
        if (status) return status;
    }
    od_budget_begin(&each, p->rate, p->noise);
    if (c->dp_noise > 0 && c->dp_updates == 0)
        p->updates = od_budget_steps(others, &each, c->dp_epsilon, c->dp_delta) / p->members;
    p->epsilon = od_budget_with(others, &each, p->updates * p->members, c->dp_delta);
    if (p->updates > 0 && p->epsilon <= c->dp_epsilon) return ODIM_OK;
    if (p->updates == 0)
        return od_fail(err, ODIM_ERR_PARAM,
                       "dp-epsilon %g does not allow a single update with dp-noise %g: more noise is needed",
                       c->dp_epsilon, p->noise);
    return od_fail(err, ODIM_ERR_PARAM,
                   "%lld updates with dp-noise %g need an epsilon of %.4g, which is above dp-epsilon %g",
                   (long long)(p->updates * p->members), p->noise, p->epsilon, c->dp_epsilon);
}

odim_status od_dp_plan_make(od_dp_plan *p, const od_config *c, int64_t rows, const od_budget *others,
                            odim_error *err)
{
    *p = (od_dp_plan){.rows = rows, .members = c->members, .clip = c->dp_clip, .delta = c->dp_delta};
    double share = (double)c->batch / (double)rows;
    p->below = share < 1 ? (uint64_t)ceil(share * WORDS) : (uint64_t)WORDS;
    p->rate = (double)p->below / WORDS;
    p->batch = p->rate * (double)rows;
    return settle(p, c, others, err);
}

/* ---- the trainer ------------------------------------------------------------------------------------ */

odim_status od_dp_trainer_new(od_dp_trainer *t, const odim_model *model, const od_dp_plan *plan,
                              odim_error *err)
{
    const od_layout *l = &model->layout;
    memset(t, 0, sizeof *t);
    t->plan = *plan;
    odim_status status = od_dp_clip_new(&t->clip, od_kern_get(), l, od_model_samples(model), err);
    if (status) return status;
    size_t block = OD_DP_BLOCK, noise = (size_t)od_dp_clip_noise(&t->clip, OD_DP_BLOCK);
    bool ok = (t->w = od_alloc(l->params, sizeof(float))) && (t->sum = od_alloc(l->params, sizeof(double))) &&
              (t->g = od_alloc(l->params, sizeof(float))) && (t->m = od_alloc(l->params, sizeof(float))) &&
              (t->v = od_alloc(l->params, sizeof(float))) && (t->rows = od_alloc(block, sizeof(int64_t))) &&
              (t->eps = od_alloc(noise, sizeof(float))) &&
              (t->x = od_alloc(block * (size_t)l->shape.d, sizeof(float))) &&
              (t->loss = od_alloc(block, sizeof(float))) && (t->noise = od_alloc(block, sizeof(double)));
    if (ok) return ODIM_OK;
    od_dp_trainer_free(t);
    return od_fail_nomem(err);
}

void od_dp_trainer_free(od_dp_trainer *t)
{
    od_dp_clip_free(&t->clip);
    od_free(t->w);
    od_free(t->sum);
    od_free(t->g);
    od_free(t->m);
    od_free(t->v);
    od_free(t->rows);
    od_free(t->x);
    od_free(t->eps);
    od_free(t->loss);
    od_free(t->noise);
    memset(t, 0, sizeof *t);
}

/*
 * The noise of the latent variables need not come from the CSPRNG: it does not depend on the rows, and what a
 * row adds is clipped in any case. But which numbers a row gets depends on how many rows were taken before
 * it. This reveals nothing while the seed is secret, since all orders of the numbers are equally likely.
 */
static void begin(od_dp_trainer *t, const odim_model *model, int64_t index)
{
    const od_config *c = &model->config;
    if (c->dp_insecure_seed)
        od_csprng_begin_seeded(&t->rng, c->seed, (uint32_t)index, OD_RNG_PRIVATE);
    else
        od_csprng_begin(&t->rng);
    t->secret = (uint64_t)od_csprng_word(&t->rng) << 32;
    t->secret |= od_csprng_word(&t->rng);
    t->drawn = 0;
    od_layout_init(&model->layout, c->seed, (uint32_t)index, t->w, NULL);
    memset(t->m, 0, model->layout.params * sizeof(float));
    memset(t->v, 0, model->layout.params * sizeof(float));
}

/* ---- an update -------------------------------------------------------------------------------------- */

static odim_status add_rows(od_dp_trainer *t, const od_training *set, int64_t count, odim_error *err)
{
    odim_status status = od_encode_rows(set->encoder, t->rows, 0, count, t->x, err);
    if (status) return status;
    od_rng s = od_rng_make(t->secret, 0, OD_RNG_TRAIN, t->drawn++);
    t->clip.net.kern->normal(t->eps, od_dp_clip_noise(&t->clip, count), &s);
    od_dp_clip_add(&t->clip, t->w, t->sum,
                   &(od_train_batch){.x = t->x, .rows = count, .eps = t->eps, .loss = t->loss}, t->plan.clip);
    return ODIM_OK;
}

/* Poisson sampling: every row is taken independently of the others, and there may be none. */
static odim_status add_batch(od_dp_trainer *t, const od_training *set, odim_error *err)
{
    int64_t count = 0;
    odim_status status = ODIM_OK;
    for (int64_t i = 0; i < set->n && !status; i++) {
        if (od_csprng_word(&t->rng) >= t->plan.below) continue;
        t->rows[count++] = set->rows ? set->rows[i] : i;
        if (count < OD_DP_BLOCK) continue;
        status = add_rows(t, set, count, err);
        count = 0;
    }
    return status || count == 0 ? status : add_rows(t, set, count, err);
}

/* Adds noise to the sum and takes the mean over the expected number of rows, since the actual one is secret.
 */
static void add_noise(od_dp_trainer *t, size_t params)
{
    double spread = t->plan.noise * t->plan.clip;
    for (size_t at = 0; at < params; at += OD_DP_BLOCK) {
        size_t count = params - at < OD_DP_BLOCK ? params - at : OD_DP_BLOCK;
        od_csprng_normal(&t->rng, t->noise, (int64_t)count);
        for (size_t i = 0; i < count; i++)
            t->g[at + i] = (float)((t->sum[at + i] + spread * t->noise[i]) / t->plan.batch);
    }
}

odim_status od_dp_fit(od_dp_trainer *t, odim_model *model, const od_training *set, int64_t index,
                      od_fit_state *state, od_parallel *par, odim_error *err)
{
    const od_config *c = &model->config;
    size_t params = model->layout.params;
    od_adam adam = {.lr = c->lr, .decay = c->weight_decay};
    odim_status status = od_member_noise(model, index, err);
    if (status) return status;
    begin(t, model, index);
    for (int64_t update = 0; update < t->plan.updates; update++) {
        if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        memset(t->sum, 0, params * sizeof(double));
        status = add_batch(t, set, err);
        add_noise(t, params);
        if (!status) status = od_csprng_check(&t->rng, err);
        if (status) return status;
        od_adam_update(t->clip.net.kern, &adam, t->w, t->m, t->v, t->g, (int64_t)params);
        atomic_fetch_add(&state->updates, 1);
    }
    memcpy(model->member[index].params, t->w, params * sizeof(float));
    odim_member_info info = {t->plan.updates, t->plan.updates, 0};
    return od_member_finish(model, index, info, t->plan.updates, state, err);
}
