/* When to stop training: the heart of the method. The essay is in stop_rule.c. */
#ifndef OD_STOP_RULE_H
#define OD_STOP_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "fit/gmm1d.h"
#include "model/config.h"

/* Between the two components; `paper` has variances where the squared 2-Wasserstein distance has deviations.
 */
double od_stop_wasserstein(const od_gmm1d *g, od_distance kind);

/* How bimodal the losses (n) are; 0 when they are all equal, NaN when one is not finite. scratch (2 n). */
double od_stop_distance(const float *loss, int64_t n, od_distance kind, double *scratch);

typedef struct od_stop {
    int64_t patience; /* checks without a new maximum before the end */
    int64_t stale;    /* such checks so far */
    double best;
    int64_t best_update; /* 0: none yet */
} od_stop;

/* Returns true at a new maximum, when the parameters are to be stored. NaN is never one. */
bool od_stop_check(od_stop *s, double distance, int64_t update);
bool od_stop_reached(const od_stop *s);

#endif
