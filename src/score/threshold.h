/* The verdict on rows: from raw scores, witnesses and checks to one score. The essay is in threshold.c. */
#ifndef OD_THRESHOLD_SCORE_H
#define OD_THRESHOLD_SCORE_H

#include "model/model.h"

/* What is known of a row when it is judged. */
typedef struct od_evidence {
    double raw;        /* the score as the method has it */
    double loss;       /* mean loss of the networks; used if verdict.loss is */
    double confirm;    /* of the robust covariance; used if verdict.confirm is */
    double checks;     /* of od_checks_row */
    const float *axes; /* (q) of the view; used if there are groups */
} od_evidence;

/* The score that people see. */
double od_final_score(const odim_model *m, const od_evidence *e);

/*
 * Finds the units and groups from the evidence on training rows: arrays of n, loss, witness and axes (n, q)
 * or NULL. m->calibration must be fitted to raw.
 */
odim_status od_threshold_fit(odim_model *m, const double *raw, const double *loss, const double *confirm,
                             const float *axes, int64_t n, odim_error *err);

/* How many axes of the view the groups are looked for in. */
int64_t od_threshold_axes(const odim_model *m, int64_t rows);

#endif
