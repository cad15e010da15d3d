/*
 * Fitting, whichever way the rows came: from the rows that represent a table and a survey of all of them to a
 * complete model. The order of the steps is here and nowhere else, so that a table in memory and a stream of
 * the same rows give the same bits.
 */
#ifndef OD_WHOLE_H
#define OD_WHOLE_H

#include "common/mem.h"
#include "fit/ensemble.h"
#include "model/model.h"
#include "prep/sample.h"
#include "privacy/budget.h"

typedef struct od_whole {
    od_config config;
    const odim_table *table; /* has the rows to train on, maybe among others */
    od_column_stats stats;   /* of all rows */
    od_row_set chosen;       /* of the table: the rows to train on */
    od_probe *probe;         /* or NULL: nobody looks on while members are trained */
    const odim_hooks *hooks;
    /* Of a private fit: see api/fit_dp.h. */
    double other_noise; /* on what is taken from the rows besides training */
    od_budget others;   /* what that costs */
    bool bounds_given, scores_counted;
} od_whole;

/* A table in memory: its survey, and which of its rows represent it. od_whole_free also when it fails. */
odim_status od_whole_table(od_whole *w, const odim_table *table, const odim_params *params,
                           const odim_hooks *hooks, odim_error *err);
void od_whole_free(od_whole *w);

/* From the caller's parameters, NULL being the defaults; refuses what cannot be. */
odim_status od_whole_config(od_whole *w, const odim_params *params, odim_error *err);

/* The trained members, and nothing yet of what scores mean. */
odim_status od_whole_train(const od_whole *w, odim_model **out, odim_error *err);
/* The same in two steps, of which the second may be taken for some of the members only: see fit/ensemble.h.
 */
odim_status od_whole_begin(const od_whole *w, odim_model **out, odim_error *err);
odim_status od_whole_members(const od_whole *w, odim_model *m, const od_member_subset *some, odim_error *err);
/* Finds out what the scores of a model mean whose members are trained; scores as below. */
odim_status od_whole_finish(const od_whole *w, odim_model *m, double *scores, odim_error *err);
/* Trains, and finds out what scores mean. scores, if not NULL, become those of all rows of the table: they
 * are needed anyway. */
odim_status od_whole_fit(const od_whole *w, odim_model **out, double *scores, odim_error *err);

#endif
