/* Reasons: which columns made the score of a row, and what was expected there. The essay is in explain.c. */
#ifndef OD_EXPLAIN_H
#define OD_EXPLAIN_H

#include "base/parallel.h"
#include "model/model.h"
#include "net/net.h"

#define OD_EXPLAIN_ROWS 64 /* rows that an explainer takes at a time */

/* Scratch of one thread. */
typedef struct od_explainer {
    const odim_model *model;
    od_net net;
    float *x;                   /* (OD_EXPLAIN_ROWS, features) */
    float *changed;             /* (OD_EXPLAIN_ROWS, features): rows with another value in one column */
    float *seen;                /* (OD_EXPLAIN_ROWS, d): rows in the view of the networks */
    od_attribution_parts parts; /* of as many rows: the means over the members */
    int64_t *column;            /* (OD_EXPLAIN_ROWS, columns tried) */
    double *score;              /* (OD_EXPLAIN_ROWS, columns tried, OD_QUANTILES): after the change */
    double *own;                /* (features) what the companions have of a row */
    void *room;                 /* for the companions */
    double *each;               /* (columns) evidence of the checks of single cells */
    double *cells;              /* (columns and od_checks_room) for these checks */
} od_explainer;

odim_status od_explainer_new(od_explainer *e, const odim_model *model, odim_error *err);
void od_explainer_free(od_explainer *e);

/* e->parts of x (rows, d), at most OD_EXPLAIN_ROWS of them. Without networks it is the losses and what
 * companions know of their scores, and nothing is expected. */
void od_explainer_attribute(od_explainer *e, const float *x, int64_t rows);

/* Jobs of OD_EXPLAIN_ROWS out of `count` rows, with an explainer in *explainer for each thread while it
 * lasts. threads 0: all cores. */
odim_status od_explain_run(od_explainer **explainer, const odim_model *model, int64_t count, int64_t threads,
                           od_parallel_job job, int (*tick)(void *ctx), void *ctx, odim_error *err);

/* What explaining gives; of each row the shares of the columns are 0 or more and add up to 1, or are all 0
 * where nothing is above what is usual. */
typedef struct od_reasons {
    double *share;   /* (count, schema.cols) */
    float *expected; /* (count, features): the values the model expected, as od_encode_rows would have them */
    double *evidence; /* (count, schema.cols) that the cell is wrong by itself, or NULL */
} od_reasons;

struct od_encoder;
/* Evidence of the checks of single cells for a row of the encoder's table: each (columns). Returns the sum.
 * share (columns): those of the account. room (columns and od_checks_room). */
double od_explain_check(const odim_model *model, const struct od_encoder *encoder, int64_t row,
                        const double *share, double *each, double *room);
/* Combines shares with evidence `each` that sums up to `sum`, both (columns). */
void od_explain_combine(const double *each, double sum, int64_t cols, double *share);

/* Of rows[0..count-1] of the table or, where rows is NULL, of its first `count`. threads 0: all cores. The
 * result depends on the model and each row only. */
odim_status od_explain_rows(const odim_model *model, const odim_table *table, const int64_t *rows,
                            int64_t count, int64_t threads, const odim_hooks *hooks, const od_reasons *out,
                            odim_error *err);

/* How many training rows od_explain_fit should be given of a table with so many: fewer of wide ones. */
int64_t od_explain_sample(int64_t rows, int64_t features);
/* Fills in what the model must know of the training rows: usual, ladder, ordinary. rows (count) of the table,
 * all of them in memory at a time. */
odim_status od_explain_fit(odim_model *model, const odim_table *table, const int64_t *rows, int64_t count,
                           int64_t threads, const odim_hooks *hooks, odim_error *err);
/* The same without looking at training rows: for a private model, from made-up rows. What is usual is what
 * rows cost that are as the model expects them; `ordinary` is left to the caller. */
odim_status od_explain_fit_synthetic(odim_model *model, int64_t threads, const odim_hooks *hooks,
                                     odim_error *err);

#endif
