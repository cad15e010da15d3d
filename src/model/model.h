/* The fitted thing: immutable once made, shared by any number of threads. */
#ifndef OD_MODEL_H
#define OD_MODEL_H

#include "base/status.h"
#include "model/calibration.h"
#include "model/config.h"
#include "net/layout.h"
#include "net/near.h"
#include "prep/schema.h"
#include "prep/view.h"

/* Values of a column that are tried in the place of a doubtful one. */
#define OD_RUNGS 5

/* What the stop rule saw of a member, check after check. */
typedef struct od_history {
    odim_check *check; /* (count) */
    int64_t count, room;
} od_history;

typedef struct od_member {
    float *params; /* (layout.params) */
    float *stats;  /* (layout.stats) what is not trained by gradient, such as running means */
    float *noise;  /* (score samples, latent): the noise of scoring, the same for every row */
    odim_member_info info;
    od_history history;
} od_member;

struct odim_model {
    od_config config;
    od_layout layout; /* layout.shape.d is what the view makes of schema.features */
    od_schema schema;
    od_view view; /* what the networks see of a row; d 0: its features */
    od_near near; /* groups 0: the networks alone make the score */
    od_calibration calibration;
    double threshold; /* a row is an outlier when its score is above */
    /* What the reasons for a score are held against; see score/explain.c. */
    float *usual;    /* (features) what a feature costs in the middle one of the training rows */
    float *ladder;   /* (OD_RUNGS, features) values of each column, from its low ones to its high ones */
    double ordinary; /* the score that nine of ten training rows stay below */
    int64_t members;
    od_member *member;         /* (members) */
    odim_privacy_info privacy; /* epsilon 0: not fitted privately */
};

/* A model with its members' arrays, `usual` and `ladder` allocated and not yet filled, the schema empty. */
odim_status od_model_new(odim_model **out, const od_config *config, const od_shape *shape, int64_t features,
                         odim_error *err);

/* Adds a check to the history. */
odim_status od_history_add(od_history *h, int64_t update, double distance, odim_error *err);

/* Noise vectors a row when scoring; 0 of a flow. */
int64_t od_model_score_samples(const odim_model *m);

#endif
