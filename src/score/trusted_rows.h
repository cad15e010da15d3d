/* Which training rows are trusted: see trusted_rows.c, and detectors/trusted_knn.c for what is made of them.
 */
#ifndef OD_TRUSTED_ROWS_H
#define OD_TRUSTED_ROWS_H

#include "model/model.h"

/*
 * Has the model judge these training rows, and puts the distance to the trusted ones in the place of all else
 * that makes its score. Of rows that are known, as table->known has it, the outliers are never trusted.
 */
odim_status od_trusted_rows_fit(odim_model *m, const odim_table *table, const int64_t *rows, int64_t count,
                                int64_t threads, const odim_hooks *hooks, odim_error *err);

#endif
