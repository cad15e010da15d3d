/* Scores of rows: raw, by component or member, and the final score that people see. */
#ifndef OD_SCORE_H
#define OD_SCORE_H

#include "score/row_scorer.h"

/* Raw scores (rows->count) of training rows, where values that are too extreme are an error. */
odim_status od_score_rows(const odim_model *model, const od_table_rows *rows, const od_run *run,
                          double *scores, odim_error *err);

/* The same, but each part of the score by itself. */
typedef struct od_score_parts {
    double *loss;     /* (rows) of the networks; or NULL */
    double *detector; /* (auxiliary detectors, rows), without their weights */
    float *axes;      /* (rows, q): the first principal axes of the transform; or NULL */
    int64_t q;
} od_score_parts;
odim_status od_score_parts_of(const odim_model *model, const od_table_rows *rows, const od_run *run,
                              const od_score_parts *out, odim_error *err);

/* Raw scores of all rows of a new table. Extreme values are no error: scores exist to find them. */
odim_status od_score_new_rows(const odim_model *model, const odim_table *table, const od_run *run,
                              double *scores, odim_error *err);

/* The losses of each member, each (members, rows->count); extreme values are no error. */
odim_status od_score_members(const odim_model *model, const od_table_rows *rows, const od_run *run,
                             double *each, odim_error *err);

/* What the verdict on rows rests on. Each array is (rows); loss, confirm, axes (rows, q) and known may be
 * NULL.
 */
typedef struct od_evidence_set {
    double *raw, *loss, *confirm, *checks;
    float *axes;
    int64_t q;
    od_known_near *known;
} od_evidence_set;
odim_status od_score_evidence(const odim_model *model, const od_table_rows *rows, const od_run *run,
                              const od_evidence_set *out, odim_error *err);

/* Final scores of all rows of a table. lenient: as for new rows. */
odim_status od_score_final(const odim_model *model, const odim_table *table, bool lenient, const od_run *run,
                           double *scores, odim_error *err);
/* Makes rows of the table that could not be read outliers, whatever is left of them. */
void od_score_raise_bad(const odim_model *model, const odim_table *table, double *scores);

/* The score of a single such row, of which something was left with this score. */
double od_score_of_bad(const odim_model *model, double score);

#endif
