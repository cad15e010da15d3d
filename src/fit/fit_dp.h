/*
 * Parts of a differentially private fit besides training: each is paid for, or replaced by what is public.
 * docs/PRIVACY.md explains the guarantee.
 */
#ifndef OD_FIT_DP_H
#define OD_FIT_DP_H

#include "base/parallel.h"
#include "fit/dp_sgd.h"
#include "prep/column_stats.h"

typedef struct od_fit_dp {
    double noise;        /* on what is taken from the rows besides training */
    od_budget others;    /* what that costs */
    bool bounds_given;   /* the bounds of all columns are public */
    bool scores_counted; /* there are enough rows for a noised histogram of their scores */
    od_dp_plan plan;     /* of training; od_fit_begin makes it */
} od_fit_dp;

/* Column statistics of the table with public or noised bounds; and the cost of this, together with that of
 * od_fit_dp_scores. */
odim_status od_fit_dp_stats(od_fit_dp *dp, const od_config *config, const odim_table *table,
                            const od_run *run, od_column_stats *stats, odim_error *err);

/* blurred (count), in rising order: what may be known of the scores of all rows of the table. If there are
 * too few rows for the noise, the scores of synthetic rows, which cost nothing. */
odim_status od_fit_dp_scores(const od_fit_dp *dp, const odim_model *m, const odim_table *table,
                             const od_run *run, double *blurred, int64_t count, odim_error *err);

/* For the model: what was planned and has now been spent. */
odim_privacy_info od_fit_dp_spent(const od_fit_dp *dp, const od_config *config);

#endif
