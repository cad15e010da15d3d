#include "api/fit_dp.h"

#include <stdio.h>
#include <stdlib.h>

#include "fit/dp_bounds.h"
#include "prep/synthetic_rows.h"
#include "score/dp_histogram.h"
#include "score/score.h"
#include "common/compare.h"

odim_status od_fit_dp_check(const od_config *c, const odim_table *t, bool streamed, odim_error *err)
{
    if (streamed)
        return od_fail(err, ODIM_ERR_PARAM,
                       "a private fit (dp-epsilon) needs all rows in memory: it cannot be streamed");
    if (c->model != OD_NET_IWAE)
        return od_fail(err, ODIM_ERR_PARAM, "a private fit (dp-epsilon) is of model iwae only");
    if (c->batch_norm)
        return od_fail(err, ODIM_ERR_PARAM,
                       "batch-norm on makes the rows of a batch depend on each other, which a private fit "
                       "(dp-epsilon) cannot have");
    if (c->scale != OD_SCALE_MINMAX)
        return od_fail(err, ODIM_ERR_PARAM,
                       "a private fit (dp-epsilon) scales by bounds: it needs scale minmax");
    /* Whatever is known: that a fit fails must not say what is in a row. */
    if (t->known)
        return od_fail(err, ODIM_ERR_PARAM,
                       "a private fit (dp-epsilon) cannot learn from known outliers: they would not be "
                       "protected");
    return ODIM_OK;
}

static odim_status check_columns(const odim_table *t, odim_error *err)
{
    char name[64];
    for (int64_t j = 0; j < t->d; j++)
        if (t->col[j].type == ODIM_CATEGORICAL && !t->col[j].bounded)
            return od_fail_at(
                err, ODIM_ERR_DATA, 0, j + 1,
                "column '%s' is a category, whose levels must be public for a private fit: give "
                "them in a file of bounds, a CSV with the head "
                "column,low,high,levels and a line such as color,,,red|green|blue",
                od_table_show(t, j, name, sizeof name));
    return ODIM_OK;
}

static void begin(const od_whole *w, od_csprng *dice, od_rng_purpose purpose)
{
    if (w->config.dp_insecure_seed)
        od_csprng_begin_seeded(dice, w->config.seed, 0, purpose);
    else
        od_csprng_begin(dice);
}

/* A method that publishes a row at random has that delta. */
static void question_delta(const od_whole *w)
{
    char text[160];
    double delta = w->config.dp_delta, rows = (double)w->table->n;
    if (!w->hooks || !w->hooks->note || delta * rows < 0.1) return;
    snprintf(text, sizeof text,
             "dp-delta %g is not well below one over the number of rows (%.2g): this is hardly private",
             delta, 1 / rows);
    w->hooks->note(text, w->hooks->user);
}

odim_status od_fit_dp_stats(od_whole *w, odim_error *err)
{
    const od_config *c = &w->config;
    const odim_table *t = w->table;
    od_budget each;
    od_csprng dice;
    odim_status status = od_fit_dp_check(c, t, false, err);
    if (!status) status = check_columns(t, err);
    if (!status) status = od_column_stats_add_public(&w->stats, t, err);
    if (!status)
        status = od_budget_noise(NULL, 1, 1, c->dp_share * c->dp_epsilon, c->dp_delta, &w->other_noise, err);
    if (status) return status;
    question_delta(w);
    od_budget_begin(&each, 1, w->other_noise);
    w->others = (od_budget){0};
    w->scores_counted = od_dp_histogram_possible(t->n, w->other_noise);
    if (w->scores_counted) od_budget_add(&w->others, &each, 1);
    w->chosen = (od_row_set){.count = t->n};
    w->bounds_given = !od_dp_bounds_needed(&w->stats, t);
    if (w->bounds_given) return ODIM_OK;
    od_budget_add(&w->others, &each, 1);
    begin(w, &dice, OD_RNG_BOUNDS);
    return od_dp_bounds_find(&w->stats, t, w->other_noise, &dice, err);
}

/* Where rows are too few for the noise: rows at random within the bounds, than which few should be stranger.
 */
static odim_status score_madeup(const od_whole *w, const odim_model *m, double *scores, int64_t count,
                                odim_error *err)
{
    odim_table *table;
    odim_status status = od_synthetic_rows(&table, &m->schema, count, w->config.seed, err);
    if (!status) status = od_score_rows(m, table, NULL, count, w->config.threads, w->hooks, scores, err);
    if (!status) qsort(scores, (size_t)count, sizeof *scores, od_compare_double);
    odim_table_free(table);
    if (!status && w->hooks && w->hooks->note)
        w->hooks->note(
            "too few rows for this dp-epsilon to count their scores privately: threshold and "
            "probabilities are those that fit made-up rows, which says little; ranks are not affected",
            w->hooks->user);
    return status;
}

odim_status od_fit_dp_scores(const od_whole *w, const odim_model *m, const double *scores, double *blurred,
                             int64_t count, odim_error *err)
{
    od_csprng dice;
    if (!w->scores_counted) return score_madeup(w, m, blurred, count, err);
    begin(w, &dice, OD_RNG_MEANING);
    return od_dp_histogram_scores(blurred, count, scores, w->table->n, m->layout.shape.d, w->other_noise,
                                  &dice, err);
}

odim_privacy_info od_fit_dp_spent(const od_whole *w, const od_dp_plan *plan)
{
    return (odim_privacy_info){.epsilon = plan->epsilon,
                               .delta = plan->delta,
                               .updates = plan->updates,
                               .rate = plan->rate,
                               .noise = plan->noise,
                               .clip = plan->clip,
                               .other_noise = w->other_noise,
                               .bounds_given = w->bounds_given,
                               .scores_counted = w->scores_counted,
                               .insecure = w->config.dp_insecure_seed != 0};
}
