/*
 * The parameters of a fit as plain values. model/params.def has their names, defaults, ranges and meanings;
 * 0 stands for "auto" if the default depends on the data.
 */
#ifndef OD_CONFIG_H
#define OD_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "detectors/detector.h"
#include "net/layout.h"

#define OD_MAX_AUX 3

typedef enum od_distance { OD_DISTANCE_PAPER, OD_DISTANCE_W2 } od_distance;

typedef enum od_transform_kind { OD_TRANSFORM_NONE, OD_TRANSFORM_LOG_PCA } od_transform_kind;

typedef struct od_sizes {
    int count; /* 0: auto */
    int64_t size[OD_MAX_LAYERS];
} od_sizes;

/* Auxiliary detectors next to the networks. */
typedef struct od_aux_spec {
    int count;
    struct {
        od_method method;
        bool transformed; /* it sees what the networks see, not the features */
        double weight;    /* of its score relative to the loss, both in units of their deviations */
    } item[OD_MAX_AUX];
} od_aux_spec;

typedef struct od_config {
    int64_t method; /* an od_method: this detector instead of networks */
    int64_t preset;
    int64_t members, samples, score_samples, batch, check_every, patience, max_updates;
    double lr, weight_decay, contamination, known_weight;
    od_sizes hidden;
    int64_t latent;
    int64_t max_features; /* 0: all */
    int64_t score_pool;   /* 0: the noise of scoring is not chosen */
    int64_t batch_norm, likelihood, distance, scale;
    int64_t model, flow_steps;
    int64_t transform;
    od_aux_spec with;
    int64_t neighbors, trees, tree_sample;
    double trusted_fraction; /* 0: off */
    int64_t min_level_count; /* 0: auto */
    int64_t share_safe;
    double dp_epsilon; /* 0: no privacy */
    double dp_delta, dp_clip, dp_noise, dp_share;
    int64_t dp_updates, dp_insecure_seed;
    uint64_t seed;
    int64_t threads;
    double nu, gamma; /* gamma 0: auto */
    int64_t clusters, projections, bins, references, bags;
} od_config;

#endif
