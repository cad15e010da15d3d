/* Reasons where there are no networks, and so no account of what a column costs. */
#ifndef OD_UNAIDED_H
#define OD_UNAIDED_H

#include "score/trial.h"

/* How strange the value of a column is by itself, of a row with features x: the distance from the nearest
 * rung of its ladder, in units of the ladder's length. */
double od_unaided_strangeness(const odim_model *m, const od_schema_col *c, const float *x);

/* share (rows of e->x, columns) and expected (rows of e->x, features) of the doubtful rows, whose suspects
 * are in e->column: blames that are not yet shares, and the values that would have helped. */
odim_status od_unaided_blame(od_explainer *e, const od_doubtful *w, double *share, float *expected,
                             od_par *par, odim_error *err);

#endif
