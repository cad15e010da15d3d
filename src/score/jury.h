/* Which training rows are trusted: see jury.c, and detectors/trusted_knn.c for what is made of them. */
#ifndef OD_JURY_H
#define OD_JURY_H

#include "model/model.h"

/* How many training rows are judged, of so many with so many features. */
int64_t od_jury_rows(int64_t rows, int64_t features);

/*
 * Has the model judge these training rows, and puts the distance to the trusted ones in the place of all else
 * that makes its score. Of rows that are known, as table->known has it, the outliers are never trusted.
 */
odim_status od_jury_fit(odim_model *m, const odim_table *table, const int64_t *rows, int64_t count,
                        int64_t threads, const odim_hooks *hooks, odim_error *err);

#endif
