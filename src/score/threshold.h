/* The verdict on rows: combines raw scores, confirming scores and checks. The essay is in threshold.c. */
#ifndef OD_THRESHOLD_SCORE_H
#define OD_THRESHOLD_SCORE_H

#include "detectors/known_near.h"
#include "model/model.h"
#include "prep/encode.h"

/* The evidence on a row. */
typedef struct od_evidence {
    double raw;          /* the score as the method has it */
    double loss;         /* mean loss of the networks; used if verdict.loss is */
    double confirm;      /* of the robust covariance; used if verdict.confirm is */
    double checks;       /* of od_checks_row */
    const float *axes;   /* (q) of the transform; used if there are groups */
    od_known_near known; /* nearness to known rows; used if verdict.learned is */
    bool excused;        /* by od_checks_is_excused: then agreement does not count */
} od_evidence;

/* The score that people see. */
double od_final_score(const odim_model *m, const od_evidence *e);

/* Finds the units and groups from the evidence on n training rows; loss, confirm and axes (n, q) may be NULL.
 * m->calibration must be fitted to raw. */
odim_status od_threshold_fit(odim_model *m, const double *raw, const double *loss, const double *confirm,
                             const float *axes, int64_t n, odim_error *err);

/* Then, if rows are known: the unit of the scores that nearness to these has moved. raw and known (n). */
odim_status od_threshold_fit_known(odim_model *m, const double *raw, const od_known_near *known, int64_t n,
                                   odim_error *err);

/*
 * Finds the levels that are excused, from the evidence on n training rows whose encoder is given. A row of a
 * rare but ordinary kind, such as a salary among payments by card, looks far out in all columns together. It
 * is not an error if most rows of its kind look like that.
 */
odim_status od_threshold_excuse(odim_model *m, const od_encoder *encoder, const int64_t *rows,
                                const double *loss, const double *confirm, const float *axes, int64_t n,
                                odim_error *err);

/*
 * Then, where the raw score is the best judge of rows but does not know how many are outliers: as many as the
 * networks and the covariance together call, those with the highest raw scores are called. Both are not asked
 * any more.
 */
odim_status od_threshold_by_rank(odim_model *m, const double *raw, const double *loss, const double *confirm,
                                 const float *axes, int64_t n, odim_error *err);

/* The number of axes of the transform along which groups are looked for. */
int64_t od_threshold_axes(const odim_model *m, int64_t rows);

#endif
