/* Reasons for models without networks, which have no account of what a column costs. */
#ifndef OD_EXPLAIN_DETECTOR_H
#define OD_EXPLAIN_DETECTOR_H

#include "score/counterfactual.h"

/* doubt (columns): how suspicious each column is in row i of e->x, whose account is in e->parts. */
void od_explain_detector_suspect(const od_explainer *e, int64_t i, double *doubt);

/* Fills share (rows of e->x, columns) and expected (rows of e->x, features) for the doubtful rows, whose
 * suspects are in e->column: blames that are not yet shares, and values that lower the score. */
odim_status od_explain_detector_blame(od_explainer *e, const od_doubtful *w, double *share, float *expected,
                                      od_parallel *par, odim_error *err);

#endif
