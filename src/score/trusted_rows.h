/* Chooses the training rows to trust; the essay is in trusted_rows.c. */
#ifndef OD_TRUSTED_ROWS_H
#define OD_TRUSTED_ROWS_H

#include "base/parallel.h"
#include "model/model.h"
#include "prep/table.h"

/*
 * Judges these training rows by the networks and detectors of the model, and puts the distance to the trusted
 * ones (detectors/trusted_knn.c) in the place of all else that makes its score. Known outliers, as in
 * table->known, are never trusted.
 */
odim_status od_trusted_rows_fit(odim_model *m, const od_table_rows *rows, const od_run *run, odim_error *err);

#endif
