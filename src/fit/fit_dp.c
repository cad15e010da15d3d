/* Statistics and scores as a differentially private fit may know them, and what they cost. */
#include "fit/fit_dp.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/sort.h"
#include "fit/dp_bounds.h"
#include "prep/synthetic_rows.h"
#include "score/dp_histogram.h"
#include "score/score.h"

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

static void begin(const od_config *c, od_csprng *rng, od_rng_purpose purpose)
{
    if (c->dp_insecure_seed)
        od_csprng_begin_seeded(rng, c->seed, 0, purpose);
    else
        od_csprng_begin(rng);
}

/* A method that publishes one row, chosen at random, has a delta of one over the number of rows. */
static void question_delta(double delta, int64_t rows, const od_run *run)
{
    char text[160];
    if (delta * (double)rows < 0.1) return;
    snprintf(text, sizeof text,
             "dp-delta %g is not well below one over the number of rows (%.2g): this is hardly private",
             delta, 1 / (double)rows);
    od_run_note(run, text);
}

odim_status od_fit_dp_stats(od_fit_dp *dp, const od_config *c, const odim_table *t, const od_run *run,
                            od_column_stats *stats, odim_error *err)
{
    od_budget each;
    od_csprng rng;
    *dp = (od_fit_dp){0};
    odim_status status = check_columns(t, err);
    if (!status) status = od_column_stats_add_public(stats, t, err);
    if (!status)
        status = od_budget_noise(NULL, 1, 1, c->dp_share * c->dp_epsilon, c->dp_delta, &dp->noise, err);
    if (status) return status;
    question_delta(c->dp_delta, t->n, run);
    od_budget_begin(&each, 1, dp->noise);
    dp->scores_counted = od_dp_histogram_possible(t->n, dp->noise);
    if (dp->scores_counted) od_budget_add(&dp->others, &each, 1);
    dp->bounds_given = !od_dp_bounds_needed(stats, t);
    if (dp->bounds_given) return ODIM_OK;
    od_budget_add(&dp->others, &each, 1);
    begin(c, &rng, OD_RNG_BOUNDS);
    return od_dp_bounds_find(stats, t, dp->noise, &rng, err);
}

/* Synthetic rows are drawn at random within the bounds, so few real rows should be stranger. */
static odim_status score_synthetic(const odim_model *m, const od_run *run, double *scores, int64_t count,
                                   odim_error *err)
{
    odim_table *table;
    odim_status status = od_synthetic_rows(&table, &m->schema, count, m->config.seed, err);
    if (!status)
        status = od_score_rows(m, &(od_table_rows){.table = table, .count = count}, run, scores, err);
    if (!status) od_sort_double(scores, count);
    odim_table_free(table);
    if (!status)
        od_run_note(run, "too few rows for this dp-epsilon to count their scores privately: threshold and "
                         "probabilities come from synthetic rows and say little; ranks are not affected");
    return status;
}

odim_status od_fit_dp_scores(const od_fit_dp *dp, const odim_model *m, const odim_table *table,
                             const od_run *run, double *blurred, int64_t count, odim_error *err)
{
    if (!dp->scores_counted) return score_synthetic(m, run, blurred, count, err);
    double *scores = od_alloc((size_t)table->n, sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    odim_status status =
        od_score_rows(m, &(od_table_rows){.table = table, .count = table->n}, run, scores, err);
    if (!status) {
        const od_dp_scores in = {scores, table->n, m->layout.shape.d, dp->noise};
        od_csprng rng;
        begin(&m->config, &rng, OD_RNG_MEANING);
        status = od_dp_histogram_scores(blurred, count, &in, &rng, err);
    }
    od_free(scores);
    return status;
}

odim_privacy_info od_fit_dp_spent(const od_fit_dp *dp, const od_config *config)
{
    const od_dp_plan *plan = &dp->plan;
    return (odim_privacy_info){.epsilon = plan->epsilon,
                               .delta = plan->delta,
                               .updates = plan->updates,
                               .rate = plan->rate,
                               .noise = plan->noise,
                               .clip = plan->clip,
                               .other_noise = dp->noise,
                               .bounds_given = dp->bounds_given,
                               .scores_counted = dp->scores_counted,
                               .insecure = config->dp_insecure_seed != 0};
}
