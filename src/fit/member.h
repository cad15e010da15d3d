/* Trains one member of the ensemble. */
#ifndef OD_MEMBER_H
#define OD_MEMBER_H

#include <stdatomic.h>

#include "base/parallel.h"
#include "base/thread.h"
#include "fit/choose_noise.h"
#include "model/model.h"
#include "net/net.h"
#include "prep/encode.h"

/* The values of parameters that may be "auto", for this table. */
typedef struct od_plan {
    int64_t batch, check_every, patience;
    int64_t known; /* known outliers per update, in addition to the batch */
} od_plan;

/* rows: without the known outliers. */
od_plan od_plan_make(const od_config *config, int64_t rows, int64_t knowns);

/* The rows that members are trained on: rows[0..n-1] of the encoder's table or, where rows is NULL, the first
 * n; and the known outliers, which are not among them. */
typedef struct od_training {
    const od_encoder *encoder;
    const int64_t *rows;
    int64_t n;
    const int64_t *known;
    int64_t knowns;
    const float *seen; /* (rows of the table, width) transformed rows; NULL: members make them as they go */
} od_training;

enum { OD_CHECKS_KEPT = 512, OD_RECENT_KEPT = 1024 };

/* The latest check of any member, for the caller's progress callback. */
typedef struct od_fit_check {
    od_lock lock; /* of everything below */
    int64_t member, update;
    int64_t count;             /* losses; 0: no check since the last look */
    float *losses;             /* (batch), or NULL if nobody watches: then the other two are too */
    odim_member_check *checks; /* (OD_CHECKS_KEPT) since the last look */
    int64_t check_count;
    /* The losses of the latest updates of one member, as a ring. Another one follows when it is done. */
    float *recent;        /* (OD_RECENT_KEPT) */
    int64_t recent_total; /* losses so far; 0: no member yet */
    int64_t recent_member, recent_update;
} od_fit_check;

/* What the watching thread may look at while members train. */
typedef struct od_fit_state {
    _Atomic int64_t updates;
    _Atomic int64_t members_done;
    _Atomic int64_t updates_done; /* of the members that are done */
    _Atomic double distance;
    od_fit_check check;
} od_fit_state;

struct od_probe_worker;

/* Everything of one worker, reused from member to member: a training step allocates nothing. */
typedef struct od_trainer {
    od_net net;
    od_plan plan;
    float *w, *g, *m, *v; /* (params): weights, gradient, Adam's moments */
    float *stats;         /* (stats) */
    int64_t *rows;        /* (batch + known) the known outliers last */
    float *plain;         /* (batch + known, features) */
    float *seen;          /* (batch + known, width): the same after the transform */
    float *x;             /* (batch + known, layout.shape.d): what the network sees of it */
    float *eps;           /* noise of the batch */
    float *loss;          /* (batch + known) */
    double *scratch;      /* (2 batch) */
    od_noise_chooser chooser;
    /* NULL, or the probe of a traced fit: then training goes on past the stop. */
    struct od_probe_worker *probe_worker;
} od_trainer;

/* team NULL: the calling thread trains alone. */
odim_status od_trainer_new(od_trainer *t, const odim_model *model, const od_plan *plan, od_forkjoin *team,
                           odim_error *err);
void od_trainer_free(od_trainer *t);

/* The noise that a member will score with. */
odim_status od_member_noise(odim_model *model, int64_t index, odim_error *err);
/* Completes a member whose parameters are set, after `updates` updates of either kind of training. */
odim_status od_member_finish(odim_model *model, int64_t index, odim_member_info info, int64_t updates,
                             od_fit_state *state, odim_error *err);

/* Fits member `index` of the model. */
odim_status od_member_fit(od_trainer *t, odim_model *model, const od_training *set, int64_t index,
                          od_fit_state *state, od_parallel *par, odim_error *err);

#endif
