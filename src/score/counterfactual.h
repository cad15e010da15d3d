/* Counterfactuals: rows with another value in one column, scored again. */
#ifndef OD_COUNTERFACTUAL_H
#define OD_COUNTERFACTUAL_H

#include "score/explainer.h"

/* Rows of e->x whose score needs a reason. */
typedef struct od_doubtful {
    int64_t count;
    int64_t row[OD_EXPLAIN_ROWS];
    double score[OD_EXPLAIN_ROWS];
} od_doubtful;

/* Puts a column of x (features) at one of its quantiles. */
void od_counterfactual_step(const odim_model *m, int64_t column, int64_t quantile, float *x);
/* `to` is `row` with a column at one of its quantiles. */
void od_counterfactual_change(const odim_model *m, const float *row, int64_t column, int64_t quantile,
                              float *to);

/* Fills e->score: `count` rows of e->x, each with every suspect (e->column) at every quantile. */
odim_status od_counterfactual_run(od_explainer *e, const int64_t *row, int64_t count, od_parallel *par,
                                  odim_error *err);

#endif
