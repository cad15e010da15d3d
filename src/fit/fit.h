/*
 * One fit, from rows to a model: begin, train, finish.
 *
 * A table in memory, a streamed file, a traced fit, a differentially private fit and the cluster program all
 * go through these steps, so the same rows give the same bits. They differ in how the context gets its rows.
 */
#ifndef OD_FIT_H
#define OD_FIT_H

#include "base/parallel.h"
#include "base/poll.h"
#include "fit/fit_dp.h"
#include "fit/probe.h"
#include "score/trusted_rows.h"
#include "model/model.h"
#include "model/params.h"
#include "prep/column_stats.h"
#include "prep/sample.h"

typedef struct od_fit {
    od_config config;
    od_run run;
    od_poll poll; /* of the calling thread, until od_fit_free */
    /* The rows; od_fit_table sets them, or the caller does. */
    const odim_table *table; /* has the training rows, maybe among others */
    od_column_stats stats;   /* of all rows */
    od_row_set chosen;       /* rows of the table to train on */
    od_fit_dp dp;            /* of a differentially private fit */
    od_probe *probe;         /* or NULL: the fit is not traced */
    odim_model *model;       /* since od_fit_begin */
    od_judged judged;        /* what was found of training rows, evenly spread, when some became trusted */
} od_fit;

/* A subset of the members, if the others are trained elsewhere. */
typedef struct od_member_subset {
    const int64_t *member; /* (count) */
    int64_t count;
    /* Called when a member is trained, by the thread that trained it; or NULL. */
    odim_status (*done)(void *ctx, const odim_model *model, int64_t member, odim_error *err);
    void *ctx;
} od_member_subset;

/* Takes the caller's parameters, or the defaults for NULL, and refuses combinations that cannot be fitted.
 * The context must not move until od_fit_free, which is needed also after a failure. */
odim_status od_fit_init(od_fit *f, const odim_params *params, od_fit_kind kind, const odim_hooks *hooks,
                        odim_error *err);
void od_fit_free(od_fit *f);

/* Takes the rows of a table in memory: the statistics of its columns and its training rows. */
odim_status od_fit_table(od_fit *f, const odim_table *table, odim_error *err);

/* Makes a model with all that it has before members are trained: schema, transform, detectors. */
odim_status od_fit_begin(od_fit *f, odim_error *err);
/* Trains a subset of the members, or all of them for NULL. */
odim_status od_fit_train(od_fit *f, const od_member_subset *some, odim_error *err);
/* Calibrates the scores of a model whose members are trained, and learns what reasons are held against.
 * scores, if not NULL, become the final scores of all rows of the table, which are needed anyway. */
odim_status od_fit_finish(od_fit *f, double *scores, odim_error *err);

/* All three steps. *out is the model, or NULL after a failure. */
odim_status od_fit_run(od_fit *f, odim_model **out, double *scores, odim_error *err);
/* Hands the model over to the caller. */
odim_model *od_fit_take(od_fit *f);

/* The sizes of the network for d features: those of the configuration, with the paper's rule for "auto". */
od_shape od_fit_shape(const od_config *config, int64_t d);

#endif
