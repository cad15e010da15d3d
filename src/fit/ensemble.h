/* Fitting the ensemble: from a table and a configuration to a model. */
#ifndef OD_ENSEMBLE_H
#define OD_ENSEMBLE_H

#include "fit/dp_sgd.h"
#include "fit/probe.h"
#include "model/model.h"
#include "prep/sample.h"

/* The network's sizes for a table of d features: what the configuration says, "auto" replaced by the paper's
 * rule. */
od_shape od_ensemble_shape(const od_config *config, int64_t d);

/* Some of the members, for who trains the others elsewhere. */
typedef struct od_member_subset {
    const int64_t *member; /* (count) */
    int64_t count;
    /* A member is trained; called by the thread that did it. NULL: nobody is told. */
    odim_status (*done)(void *ctx, const odim_model *model, int64_t member, odim_error *err);
    void *ctx;
} od_member_subset;

/* A model with all that it has before members are trained: schema, view. The survey is of all rows; the table
 * holds those that are chosen to train on. */
odim_status od_ensemble_begin(odim_model **out, const od_config *config, const odim_table *table,
                              const od_column_stats *stats, const od_row_set *chosen, const odim_hooks *hooks,
                              odim_error *err);
/* Trains members of it, all where `some` is NULL. plan NULL: training is not private. recorder NULL: nobody
 * looks on. */
odim_status od_ensemble_train(odim_model *model, const odim_table *table, const od_row_set *chosen,
                              const od_dp_plan *plan, od_probe *probe, const od_member_subset *some,
                              const odim_hooks *hooks, odim_error *err);

/*
 * Both: the schema of the columns and the trained members; not yet what scores mean (calibration, usual
 * losses).
 */
odim_status od_ensemble_fit(odim_model **out, const od_config *config, const odim_table *table,
                            const od_column_stats *stats, const od_row_set *chosen, const od_dp_plan *plan,
                            od_probe *probe, const odim_hooks *hooks, odim_error *err);

#endif
