/* Reasons: which columns made the score of a row, and what was expected there. The essay is in explain.c. */
#ifndef OD_EXPLAIN_H
#define OD_EXPLAIN_H

#include "base/parallel.h"
#include "model/model.h"
#include "prep/table.h"

/* The reasons for the scores of rows. The shares of a row are not negative and add up to 1, or they are all 0
 * if nothing is above what is usual. */
typedef struct od_reasons {
    double *share;    /* (count, schema.cols) */
    float *expected;  /* (count, features): the values that the model expected, encoded */
    double *evidence; /* (count, schema.cols) that the cell is wrong by itself, or NULL */
} od_reasons;

/* Explains rows. The result depends on the model and each row only. */
odim_status od_explain_rows(const odim_model *model, const od_table_rows *rows, const od_run *run,
                            const od_reasons *out, odim_error *err);

struct od_encoder;
/* Evidence of the checks of single cells for a row of the encoder's table: each (columns). Returns the sum.
 * share (columns): those of the account. room (columns and od_checks_room). */
double od_explain_check(const odim_model *model, const struct od_encoder *encoder, int64_t row,
                        const double *share, double *each, double *room);
/* Combines shares with evidence `each` that sums up to `sum`, both (columns). */
void od_explain_combine(const double *each, double sum, int64_t cols, double *share);

/* How many training rows od_explain_fit should be given of a table with so many: fewer of wide ones. */
int64_t od_explain_sample(int64_t rows, int64_t features);
/* Fills in what the model must know of the training rows: usual, quantile_grid, score_p90. All these rows are
 * in memory at a time. */
odim_status od_explain_fit(odim_model *model, const od_table_rows *rows, const od_run *run, odim_error *err);
/* The same for a differentially private model, from synthetic rows. What is usual is the cost of rows that
 * are as the model expects them; score_p90 is left to the caller. */
odim_status od_explain_fit_synthetic(odim_model *model, const od_run *run, odim_error *err);

#endif
