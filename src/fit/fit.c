/* The context of a fit: parameters, rows, the model before training. */
#include "fit/fit.h"

#include <stdio.h>

#include "common/mem.h"
#include "fit/prefit.h"
#include "kern/kern.h"
#include "prep/schema_fit.h"

/* With fewer known outliers than this, some kinds of outliers are probably not among them. */
#define FEW_KNOWN 20

odim_status od_fit_init(od_fit *f, const odim_params *params, od_fit_kind kind, const odim_hooks *hooks,
                        odim_error *err)
{
    *f = (od_fit){.run.hooks = hooks};
    od_poll_begin(&f->poll, hooks, (odim_progress){0});
    odim_status status = od_kern_check(err);
    if (status) return status;
    if (params)
        f->config = params->config;
    else
        od_params_defaults(&f->config);
    f->run.threads = f->config.threads;
    if (params) status = od_params_check(params, err);
    return status ? status : od_params_check_kind(&f->config, kind, err);
}

void od_fit_free(od_fit *f)
{
    odim_model_free(f->model);
    od_judged_free(&f->judged);
    od_row_set_free(&f->chosen);
    od_column_stats_free(&f->stats);
    od_poll_end(&f->poll);
}

odim_status od_fit_table(od_fit *f, const odim_table *table, odim_error *err)
{
    f->table = table;
    odim_status status = od_column_stats_new(&f->stats, table->d, err);
    if (status) return status;
    if (f->config.dp_epsilon > 0) {
        status = od_params_check_known(&f->config, table->known != NULL, 0, err);
        f->chosen = (od_row_set){.count = table->n};
        return status ? status : od_fit_dp_stats(&f->dp, &f->config, table, &f->run, &f->stats, err);
    }
    status = od_column_stats_add(&f->stats, table, err);
    if (!status) status = od_sample_choose(&f->chosen, table->known, table->n, table->d, f->config.seed, err);
    return status;
}

od_shape od_fit_shape(const od_config *c, int64_t d)
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
        int64_t most = s.hidden[s.layers - 1] / 2; /* as in the paper's networks of all sizes */
        if (s.latent > most) s.latent = most > 1 ? most : 1;
    }
    return s;
}

static void note_known(const od_fit *f)
{
    char text[160];
    int64_t outliers = f->stats.known[1], inliers = f->stats.known[0];
    if (outliers + inliers == 0) return;
    int len =
        snprintf(text, sizeof text, "known beforehand: %lld outlier%s, %lld inlier%s", (long long)outliers,
                 outliers == 1 ? "" : "s", (long long)inliers, inliers == 1 ? "" : "s");
    if (f->chosen.knowns < outliers)
        snprintf(text + len, sizeof text - (size_t)len, "; %lld of these outliers are trained on",
                 (long long)f->chosen.knowns);
    else if (outliers > 0 && outliers < FEW_KNOWN)
        snprintf(text + len, sizeof text - (size_t)len,
                 "; with so few known outliers the model may miss other kinds");
    od_run_note(&f->run, text);
}

/* Refuses rows that no model can be made of. */
static odim_status check_rows(const od_fit *f, odim_error *err)
{
    if (f->stats.rows < 2)
        return od_fail(err, ODIM_ERR_DATA, "one row alone cannot be compared: at least 2 are needed");
    if (f->table->d > OD_MAX_COLS)
        return od_fail(err, ODIM_ERR_DATA, "%lld feature columns; at most %d can be used",
                       (long long)f->table->d, OD_MAX_COLS);
    return od_params_check_known(&f->config, f->table->known != NULL, f->stats.known[0] + f->stats.known[1],
                                 err);
}

/* How many of so many values a network sees. Each value is seen by at least one of them. */
static int64_t inputs_of(const od_config *c, int64_t width)
{
    int64_t members = od_model_member_count(c);
    if (!c->max_features || !members || c->dp_epsilon > 0) return width;
    int64_t least = (width + members - 1) / members, inputs = c->max_features;
    if (inputs < least) inputs = least;
    return inputs < width ? inputs : width;
}

/* The model with its schema, and memory for its members. */
static odim_status new_model(od_fit *f, odim_error *err)
{
    const od_config *c = &f->config;
    od_schema schema;
    odim_status status = od_schema_make(&schema, f->table, &f->stats, &f->chosen, (od_scaling)c->scale,
                                        c->min_level_count, od_run_threads(&f->run), err);
    if (status) return status;
    int64_t width = od_prefit_width(c, f->chosen.count, schema.features);
    od_shape shape = od_fit_shape(c, inputs_of(c, width));
    status = od_model_new(&f->model, c, &shape, schema.features, width, err);
    if (status) {
        od_schema_free(&schema);
        return status;
    }
    f->model->schema = schema;
    od_model_draw_inputs(f->model);
    od_schema_note(&schema, f->run.hooks);
    return ODIM_OK;
}

odim_status od_fit_begin(od_fit *f, odim_error *err)
{
    od_encoder encoder;
    odim_status status = check_rows(f, err);
    if (status) return status;
    note_known(f);
    if (f->config.dp_epsilon > 0)
        status = od_dp_plan_make(&f->dp.plan, &f->config, f->chosen.count, &f->dp.others, err);
    if (!status) status = new_model(f, err);
    if (!status) status = od_encoder_new(&encoder, &f->model->schema, f->table, err);
    if (status) return status;
    status = od_prefit(f->model, &encoder, &f->chosen, &f->run, err);
    od_encoder_free(&encoder);
    return status;
}

odim_status od_fit_run(od_fit *f, odim_model **out, double *scores, odim_error *err)
{
    odim_status status = od_fit_begin(f, err);
    if (!status) status = od_fit_train(f, NULL, err);
    if (!status) status = od_fit_finish(f, scores, err);
    *out = status ? NULL : od_fit_take(f);
    return status;
}

odim_model *od_fit_take(od_fit *f)
{
    odim_model *m = f->model;
    f->model = NULL;
    return m;
}
