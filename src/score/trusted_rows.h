/* Chooses the training rows to trust; the essay is in trusted_rows.c. */
#ifndef OD_TRUSTED_ROWS_H
#define OD_TRUSTED_ROWS_H

#include "base/parallel.h"
#include "model/model.h"
#include "prep/table.h"

/* What the networks and the robust covariance found of the rows that were judged, for the verdict. */
typedef struct od_judged {
    int64_t count;
    double *loss, *confirm; /* (count), or NULL: there are no networks, or no covariance */
    float *axes;            /* (count, q), or NULL */
    int64_t q;
} od_judged;

void od_judged_free(od_judged *j);

/*
 * Judges these training rows by the networks and detectors of the model, and puts the distance to the trusted
 * ones (detectors/trusted_knn.c) in the place of all else that makes its score. Known outliers, as in
 * table->known, are never trusted. list (rows->count): the trusted rows, *count of them; it may be
 * rows->rows. judged: or NULL.
 */
odim_status od_trusted_rows_fit(odim_model *m, const od_table_rows *rows, int64_t *list, int64_t *count,
                                od_judged *judged, const od_run *run, odim_error *err);

/* Training rows whose verdict is known. */
typedef struct od_known_lists {
    const int64_t *outliers;
    int64_t outlier_count;
    const int64_t *inliers;
    int64_t inlier_count;
} od_known_lists;

/* Learns which rows are like known rows (detectors/known_near.c); the trusted rows are the ordinary ones. */
odim_status od_trusted_rows_learn(odim_model *m, const od_table_rows *trusted, const od_known_lists *lists,
                                  const od_run *run, odim_error *err);

#endif
