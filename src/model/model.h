/* The fitted model: immutable once made, and shared by any number of threads. */
#ifndef OD_MODEL_H
#define OD_MODEL_H

#include "base/status.h"
#include "model/calibration.h"
#include "model/config.h"
#include "model/verdict.h"
#include "net/layout.h"
#include "prep/schema.h"
#include "prep/transform.h"

/* Values of a column that are tried in the place of a doubtful one. */
#define OD_QUANTILES 5

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

/* A detector that is no network. */
typedef struct od_aux_detector {
    od_detector detector;
    bool transformed; /* it sees what the networks see, not the features */
    double weight;    /* of its score in that of the model */
    bool confirm;     /* its weight is 0; the verdict asks for its score */
} od_aux_detector;

/* The score of a row is the mean of the members' losses, if there are any, and what the companions add. */
struct odim_model {
    od_config config;
    od_layout layout; /* layout.shape.d is what the view makes of schema.features */
    od_schema schema;
    od_transform transform; /* what the networks see of a row; d 0: its features */
    od_calibration calibration;
    od_verdict verdict;
    double threshold; /* a row is an outlier when its score is above */
    /* What the reasons for a score are held against; see score/explain.c. */
    float *usual;         /* (features) what a feature costs in the middle one of the training rows; without
                             members: the most ordinary row */
    float *quantile_grid; /* (OD_QUANTILES, features) values of each column, from its low ones to its high
                             ones */
    double score_p90;     /* the score that nine of ten training rows stay below */
    int64_t
        losses; /* members whose losses are in the score: all of them, or none where trusted rows decide */
    int64_t members;
    od_member *member; /* (members); none where a classical detector is in their place */
    int aux_count;
    od_aux_detector aux[OD_MAX_AUX]; /* (companions) */
    odim_privacy_info privacy;       /* epsilon 0: not fitted privately */
};

/* A model with its members' arrays, `usual` and `ladder` allocated and not yet filled, the schema empty. */
odim_status od_model_new(odim_model **out, const od_config *config, const od_shape *shape, int64_t features,
                         odim_error *err);

/* Adds a check to the history. */
odim_status od_history_add(od_history *h, int64_t update, double distance, odim_error *err);

/* The distance to trusted rows in the place of all that made the score; takes what is fitted. A robust
 * covariance beside networks stays as a witness. */
void od_model_set_trusted(odim_model *m, const od_detector *fitted);

/* How many members a model of this configuration has. */
int64_t od_model_member_count(const od_config *config);
/* Noise vectors a row when scoring; 0 of a flow, or without members. */
int64_t od_model_score_samples(const odim_model *m);
/* What a companion sees of a row: so many values. */
int64_t od_model_sees(const odim_model *m, const od_aux_detector *c);

#endif
