/* Scoring: the mean over the members of a row's loss, a pure function of (model, row). */
#ifndef OD_SCORE_H
#define OD_SCORE_H

#include "model/model.h"

/* scores (rows of the table). threads 0: all cores. */
odim_status od_score_table(const odim_model *model, const odim_table *table, int64_t threads,
                           const odim_hooks *hooks, double *scores, odim_error *err);

#endif
