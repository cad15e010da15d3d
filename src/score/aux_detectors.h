/* Contribution of the classical detectors to a row's score. */
#ifndef OD_AUX_DETECTORS_H
#define OD_AUX_DETECTORS_H

#include "model/model.h"

/* Rows to be scored, any number of them. */
typedef struct od_aux_rows {
    const float *plain; /* (rows, features) */
    const float *seen;  /* (rows, width): the same after the transform */
    int64_t rows;
    void *scratch; /* of this thread, od_aux_scratch bytes */
} od_aux_rows;

/* Bytes that a thread needs to score with any detector of the model. */
size_t od_aux_scratch(const odim_model *m);

/* score (rows): of one detector, without its weight. */
void od_aux_score(const od_aux_detector *c, const od_aux_rows *in, double *score);

/* Adds the weighted scores of all detectors to score (rows). */
void od_aux_add(const odim_model *m, const od_aux_rows *in, double *score);

/* The detector that confirms verdicts, or NULL. */
const od_aux_detector *od_aux_confirming(const odim_model *m);

/* Returns the weighted sum for one row. Detectors that can divide their score among the values of a row add
 * their parts: to part_plain (features) or, if they see the transformed row, to part_seen (width).
 */
double od_aux_attribute(const odim_model *m, const od_aux_rows *row, double *part_plain, double *part_seen);

#endif
