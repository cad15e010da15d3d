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

/* Values of a column that are tried instead of a doubtful one. */
#define OD_QUANTILES 5

/* The checks of the stop rule, for one member. */
typedef struct od_history {
    odim_check *check; /* (count) */
    int64_t count, room;
} od_history;

typedef struct od_member {
    float *params;  /* (layout.params) */
    float *stats;   /* (layout.stats) numbers not trained by gradient, such as running means */
    float *noise;   /* (score samples, latent): the noise of scoring, the same for every row */
    int32_t *input; /* (layout.shape.d) the transformed values that it sees, ascending; NULL: all */
    odim_member_info info;
    od_history history;
} od_member;

/* A classical detector in a model. */
typedef struct od_aux_detector {
    od_detector detector;
    bool transformed; /* it sees what the networks see, not the features */
    double weight;    /* of its score in that of the model */
    bool confirm;     /* its weight is 0; only the verdict uses its score */
} od_aux_detector;

/* The score of a row is the mean of the members' losses, if there are members, plus the weighted scores of
 * the detectors. */
struct odim_model {
    od_config config;
    od_layout layout; /* layout.shape.d is the number of values that a network sees */
    int64_t width;    /* the number of transformed values; of a wide table a network sees some of them */
    od_schema schema;
    od_transform transform; /* input of the networks; d 0: the features */
    od_calibration calibration;
    od_verdict verdict;
    double threshold; /* a row is an outlier when its score is above */
    bool fresh;       /* it was fitted and not loaded: the rows at hand may be those it was fitted on */
    /* References for the reasons of a score; see score/explain.c. */
    float *usual;         /* (features) what a feature costs in the middle one of the training rows; without
                             members: the most ordinary row */
    float *quantile_grid; /* (OD_QUANTILES, features) values of each column, from its low ones to its high
                             ones */
    double score_p90;     /* 90 % quantile of the scores of training rows */
    int64_t losses; /* members whose losses are in the score: all, or 0 if trusted rows make the score */
    int64_t members;
    od_member *member; /* (members); none if a classical detector replaces them */
    int aux_count;
    od_aux_detector aux[OD_MAX_AUX]; /* (aux_count) */
    od_detector known;               /* rows whose verdict is known; its method is 0 if there are none */
    odim_privacy_info privacy;       /* epsilon 0: not fitted privately */
};

/* A model with its members' arrays, `usual` and `quantile_grid` allocated but not filled, and an empty
 * schema. width: values per row after the transform. */
odim_status od_model_new(odim_model **out, const od_config *config, const od_shape *shape, int64_t features,
                         int64_t width, odim_error *err);
/* Draws the values that each member sees. */
void od_model_draw_inputs(odim_model *m);
/* What member b sees of transformed rows: seen (rows, width) itself, or room (rows, layout.shape.d). */
const float *od_model_inputs(const odim_model *m, int64_t b, const float *seen, int64_t rows, float *room);

/* Adds a check to the history. */
odim_status od_history_add(od_history *h, int64_t update, double distance, odim_error *err);

/* Makes the distance to trusted rows the whole score; takes over what is fitted. A robust covariance next to
 * networks stays, to confirm verdicts. */
void od_model_set_trusted(odim_model *m, const od_detector *fitted);

/* The number of members of a model with this configuration. */
int64_t od_model_member_count(const od_config *config);
/* Values of a row, above which it is wide: a few latent samples say as much as many. */
#define OD_WIDE 100
/* Latent samples per row in training. */
int64_t od_model_samples(const odim_model *m);
/* Noise vectors per row when scoring; 0 for a flow, or without members. */
int64_t od_model_score_samples(const odim_model *m);
/* The number of values per row that a detector sees. */
int64_t od_model_sees(const odim_model *m, const od_aux_detector *c);

#endif
