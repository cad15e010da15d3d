/* What the detectors that are no networks have in the score of a row. */
#ifndef OD_AUX_DETECTORS_H
#define OD_AUX_DETECTORS_H

#include "model/model.h"

/* Bytes that a thread needs for all of them. */
size_t od_aux_scratch(const odim_model *m);

/* Adds to score (rows), for rows with features plain (rows, features) that are seen (rows, layout.shape.d) in
 * the view; any number of rows. */
void od_aux_add(const odim_model *m, const float *plain, const float *seen, int64_t rows, void *scratch,
                double *score);

/* score (rows): that of the witness, if there is one. */
void od_aux_confirm(const odim_model *m, const float *plain, const float *seen, int64_t rows, void *scratch,
                    double *score);

/* The sum for one row, and of those that know it what each value has in it: to part_plain (features) of
 * companions that see the features, to part_seen (layout.shape.d) of the others. */
double od_aux_attribute(const odim_model *m, const float *plain, const float *seen, void *scratch,
                        double *part_plain, double *part_seen);

/* The scores of one companion alone or, where it is -1, of the networks alone; the weights are lost. */
odim_status od_aux_alone(odim_model *m, int which, const odim_table *table, const int64_t *rows,
                         int64_t count, int64_t threads, const odim_hooks *hooks, double *scores,
                         odim_error *err);

/* The weights of companions beside networks: each its share of what makes its scores deviate, over these
 * training rows, as much as the losses do. */
odim_status od_aux_balance(odim_model *m, const odim_table *table, const int64_t *rows, int64_t count,
                           int64_t threads, const odim_hooks *hooks, odim_error *err);

#endif
