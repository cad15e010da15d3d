/*
 * Finds reasons for the scores of classical detectors, by counterfactuals alone.
 *
 * A model without networks has no account of what is usual. So every column is a suspect. In a wide table the
 * suspects are the columns with the largest parts of the score, if the detector knows these, or else the
 * columns with the strangest values: farthest from all values of the quantile grid, in units of its length.
 * Each suspect is replaced by the values of its quantile grid. Its blame is the fall of the score with the
 * best of them, which is then the expected value.
 *
 * But if several columns are wrong together, mending one may not help: a row that is half right is as far
 * from the others as before. So, if no fall takes away half of the excess of the score, the opposite is tried
 * too: by how much does the score of the most ordinary training row rise when it gets the value of this one?
 * Blames are then the sums of fall and rise.
 */
#include "score/explain_detector.h"

#include <math.h>
#include <string.h>

#include "score/aux_detectors.h"

_Static_assert(OD_EXPLAIN_SUSPECTS < OD_EXPLAIN_ROWS, "blame_rises scores them at once");

/* How strange the value of a column is by itself, in a row with features x: the distance from the nearest
 * value of the quantile grid, in units of its length. */
static double strangeness(const odim_model *m, const od_schema_col *c, const float *x)
{
    int64_t d = m->schema.features;
    double neighbors = INFINITY, length = 0.0;
    for (int64_t g = 0; g < OD_QUANTILES; g++) {
        double apart = 0.0;
        for (int64_t j = c->first; j < c->first + c->features; j++) {
            const float *quantile = m->quantile_grid + g * d + j;
            apart += fabs((double)x[j] - (double)*quantile);
            if (g) length += fabs((double)*quantile - (double)quantile[-d]);
        }
        neighbors = fmin(neighbors, apart);
    }
    return length > 0.0 ? neighbors / length : neighbors;
}

void od_explain_detector_suspect(const od_explainer *e, int64_t i, double *doubt)
{
    const odim_model *m = e->model;
    int64_t d = m->schema.features;
    const bool known = od_detector_kind_of(m->aux[0].detector.method)->attribute;
    for (int64_t c = 0; c < m->schema.cols; c++) {
        const od_schema_col *col = &m->schema.col[c];
        doubt[c] = known ? 0.0 : strangeness(m, col, e->x + i * d);
        for (int64_t j = col->first; known && j < col->first + col->features; j++)
            doubt[c] += e->parts.part[i * d + j];
    }
}

/* The blame of each column and its expected value, by the effect of each change on the score. */
static odim_status blame_falls(od_explainer *e, const od_doubtful *w, double *share, float *expected,
                               od_parallel *par, odim_error *err)
{
    const odim_model *m = e->model;
    int64_t cols = m->schema.cols, d = m->schema.features, suspects = od_explainer_suspects(m);
    odim_status status = od_counterfactual_run(e, w->row, w->count, par, err);
    for (int64_t i = 0; !status && i < w->count; i++) {
        double *blame = share + w->row[i] * cols;
        float *values = expected + w->row[i] * d;
        memset(blame, 0, (size_t)cols * sizeof *blame);
        memcpy(values, m->usual, (size_t)d * sizeof *values);
        for (int64_t k = 0; k < suspects; k++) {
            const double *score = e->score + (i * suspects + k) * OD_QUANTILES;
            int64_t best = 0, column = e->column[i * suspects + k];
            for (int64_t g = 1; g < OD_QUANTILES; g++)
                if (score[g] < score[best]) best = g;
            if (!(score[best] < w->score[i])) continue;
            blame[column] = w->score[i] - score[best];
            od_counterfactual_step(m, column, best, values);
        }
    }
    return status;
}

/* Whether mending one column takes away half of the excess of the score. */
static bool is_one_enough(const odim_model *m, double score, const double *blame)
{
    double most = 0.0;
    for (int64_t c = 0; c < m->schema.cols; c++) most = fmax(most, blame[c]);
    return most >= 0.5 * (score - m->score_p90);
}

/* Adds to the blames of a doubtful row how much the most ordinary row rises with each of its values. */
static void blame_rises(od_explainer *e, const float *x, const int64_t *column, double *blame,
                        float *expected)
{
    const odim_model *m = e->model;
    int64_t d = m->schema.features, suspects = od_explainer_suspects(m);
    double score[OD_EXPLAIN_SUSPECTS + 1] = {0};
    /* The ordinary row itself comes last, unchanged. */
    for (int64_t k = 0; k <= suspects; k++) {
        float *to = e->changed + k * d;
        memcpy(to, m->usual, (size_t)d * sizeof *to);
        if (k == suspects) continue;
        const od_schema_col *c = &m->schema.col[column[k]];
        memcpy(to + c->first, x + c->first, (size_t)c->features * sizeof *to);
    }
    od_explainer_see(e, e->changed, suspects + 1);
    od_aux_add(m, &(od_aux_rows){e->changed, e->seen, suspects + 1, e->room}, score);
    for (int64_t k = 0; k < suspects; k++) {
        const od_schema_col *c = &m->schema.col[column[k]];
        double rise = fmax(score[k] - score[suspects], 0.0);
        if (rise > blame[column[k]])
            memcpy(expected + c->first, m->usual + c->first, (size_t)c->features * sizeof *expected);
        blame[column[k]] += rise;
    }
}

odim_status od_explain_detector_blame(od_explainer *e, const od_doubtful *w, double *share, float *expected,
                                      od_parallel *par, odim_error *err)
{
    const odim_model *m = e->model;
    odim_status status = blame_falls(e, w, share, expected, par, err);
    for (int64_t i = 0; !status && i < w->count; i++) {
        double *blame = share + w->row[i] * m->schema.cols;
        if (is_one_enough(m, w->score[i], blame)) continue;
        blame_rises(e, e->x + w->row[i] * m->schema.features, e->column + i * od_explainer_suspects(m), blame,
                    expected + w->row[i] * m->schema.features);
    }
    return status;
}
