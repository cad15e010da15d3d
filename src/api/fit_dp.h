/*
 * Fitting privately: what a fit takes from the rows besides the training of its members, each paid for or
 * replaced by what is public. docs/PRIVACY.md has the whole story.
 */
#ifndef OD_FIT_DP_H
#define OD_FIT_DP_H

#include "api/whole.h"
#include "fit/dp_sgd.h"

/* Refuses what a private fit cannot do. streamed: the rows are not all in memory. */
odim_status od_fit_dp_check(const od_config *config, const odim_table *table, bool streamed, odim_error *err);

/* The survey, the bounds in it and the rows to train on, all of the table; and what that costs, together with
 * what od_fit_dp_scores will cost. */
odim_status od_fit_dp_stats(od_whole *w, odim_error *err);

/* blurred (count), in rising order: made from the scores of all rows of the table, what may be known of them.
 * Not looked at, and costs nothing, where rows are too few for the noise. */
odim_status od_fit_dp_scores(const od_whole *w, const odim_model *m, const double *scores, double *blurred,
                             int64_t count, odim_error *err);

/* For the model: what was planned and has now been spent. */
odim_privacy_info od_fit_dp_spent(const od_whole *w, const od_dp_plan *plan);

#endif
