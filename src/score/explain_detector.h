/* Reasons where there are no networks, and so no account of what a column costs. */
#ifndef OD_EXPLAIN_DETECTOR_H
#define OD_EXPLAIN_DETECTOR_H

#include "score/counterfactual.h"

/* doubt (columns): how suspicious each is in row i of e->x, of which e->parts are the account. */
void od_explain_detector_suspect(const od_explainer *e, int64_t i, double *doubt);

/* share (rows of e->x, columns) and expected (rows of e->x, features) of the doubtful rows, whose suspects
 * are in e->column: blames that are not yet shares, and the values that would have helped. */
odim_status od_explain_detector_blame(od_explainer *e, const od_doubtful *w, double *share, float *expected,
                                      od_parallel *par, odim_error *err);

#endif
