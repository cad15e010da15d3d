/* Rows with another value in one column: would the score be lower? */
#ifndef OD_COUNTERFACTUAL_H
#define OD_COUNTERFACTUAL_H

#include "score/explain.h"

#define OD_COUNTERFACTUAL_MOST                                                                               \
    32 /* columns of a row that are tried where no account says which are suspicious */

/* Rows of e->x whose score needs a reason. */
typedef struct od_doubtful {
    int64_t count;
    int64_t row[OD_EXPLAIN_ROWS];
    double score[OD_EXPLAIN_ROWS];
} od_doubtful;

/* How many columns of a row are tried. */
int64_t od_counterfactual_suspects(const odim_model *m);

/* Puts a column of x (features) at a rung of its ladder. */
void od_counterfactual_step(const odim_model *m, int64_t column, int64_t quantile, float *x);
/* `to` is `row` with a column at a rung. */
void od_counterfactual_change(const odim_model *m, const float *row, int64_t column, int64_t quantile,
                              float *to);

/* e->score: of `count` rows of e->x, with each suspect, which are in e->column, at each rung. */
odim_status od_counterfactual_run(od_explainer *e, const int64_t *row, int64_t count, od_parallel *par,
                                  odim_error *err);

#endif
