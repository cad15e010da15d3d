/* The raw score of rows: the mean over the members of the loss, and what the companions add; and the score
 * that the verdict makes of it. */
#ifndef OD_SCORE_H
#define OD_SCORE_H

#include <float.h>

#include "model/model.h"

/* The score of a row under a private model that has none: whether a private fit succeeds may not depend on a
 * row. */
#define OD_SCORE_BEYOND 1e30
/* That of a new row under any other model, if its values are so extreme that it has none: as high as a score
 * can be. */
#define OD_SCORE_HIGHEST ((double)FLT_MAX)

/* scores (count): of rows[0..count-1] of the table or, where rows is NULL, of its first `count`. threads 0:
 * all cores. For rows that are fitted: values that are too extreme are an error. */
odim_status od_score_rows(const odim_model *model, const odim_table *table, const int64_t *rows,
                          int64_t count, int64_t threads, const odim_hooks *hooks, double *scores,
                          odim_error *err);
/* The same of all rows of a new table, where extreme values are no error: to find them is what scores are
 * for. */
odim_status od_score_new_rows(const odim_model *model, const odim_table *table, int64_t threads,
                              const odim_hooks *hooks, double *scores, odim_error *err);
/* The same of each member, of rows as above: each (members, count). */
odim_status od_score_members(const odim_model *model, const odim_table *table, const int64_t *rows,
                             int64_t count, int64_t threads, const odim_hooks *hooks, double *each,
                             odim_error *err);
/*
 * All that the verdict on rows rests on: rows as above, lenient as for new rows. Each array is (count); loss,
 * witness and axes (count, q) may be NULL.
 */
typedef struct od_evidence_set {
    double *raw, *loss, *confirm, *checks;
    float *axes;
    int64_t q;
} od_evidence_set;
odim_status od_score_evidence(const odim_model *model, const odim_table *table, const int64_t *rows,
                              int64_t count, int64_t threads, const odim_hooks *hooks,
                              const od_evidence_set *out, odim_error *err);
/* The verdict's scores, which people see. */
odim_status od_score_final(const odim_model *model, const odim_table *table, int64_t threads, bool lenient,
                           const odim_hooks *hooks, double *scores, odim_error *err);
/* Says of a row of the table that it has no score. */
odim_status od_score_fail(const odim_table *table, int64_t row, odim_error *err);

#endif
