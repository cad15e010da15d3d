/* Scores rows again with other values in one column. */
#include "score/counterfactual.h"

#include <string.h>

#include "score/aux_detectors.h"

void od_counterfactual_step(const odim_model *m, int64_t column, int64_t quantile, float *x)
{
    const od_schema_col *c = &m->schema.col[column];
    memcpy(x + c->first, m->quantile_grid + quantile * m->schema.features + c->first,
           (size_t)c->features * sizeof(float));
}

void od_counterfactual_change(const odim_model *m, const float *row, int64_t column, int64_t quantile,
                              float *to)
{
    memcpy(to, row, (size_t)m->schema.features * sizeof(float));
    od_counterfactual_step(m, column, quantile, to);
}

/* Fills e->changed and, after the transform, e->seen with trials at, at + 1, ... A trial is one of the rows
 * of e->x in `row` with a suspect at one of its quantiles. */
static void make_trials(od_explainer *e, const int64_t *row, int64_t at, int64_t count)
{
    const odim_model *m = e->model;
    int64_t d = m->schema.features, suspects = od_explainer_suspects(m);
    for (int64_t i = 0; i < count; i++) {
        int64_t tried = (at + i) / OD_QUANTILES;
        od_counterfactual_change(m, e->x + row[tried / suspects] * d, e->column[tried],
                                 (at + i) % OD_QUANTILES, e->changed + i * d);
    }
    od_explainer_see(e, e->changed, count);
}

odim_status od_counterfactual_run(od_explainer *e, const int64_t *row, int64_t count, od_parallel *par,
                                  odim_error *err)
{
    const odim_model *m = e->model;
    int64_t all = count * od_explainer_suspects(m) * OD_QUANTILES;
    float loss[OD_EXPLAIN_ROWS];
    memset(e->score, 0, (size_t)all * sizeof(double));
    for (int64_t b = 0; b < m->losses; b++) {
        od_net_ready(&e->net, m->member[b].params, m->member[b].stats);
        for (int64_t at = 0; at < all; at += OD_EXPLAIN_ROWS) {
            if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
            int64_t rows = all - at < OD_EXPLAIN_ROWS ? all - at : OD_EXPLAIN_ROWS;
            make_trials(e, row, at, rows);
            const float *x = od_model_inputs(m, b, e->seen, rows, e->inputs);
            od_net_loss(&e->net, x, rows, m->member[b].noise, true, loss);
            for (int64_t i = 0; i < rows; i++) e->score[at + i] += (double)loss[i];
        }
    }
    for (int64_t i = 0; m->losses && i < all; i++) e->score[i] /= (double)m->losses;
    for (int64_t at = 0; m->aux_count && at < all; at += OD_EXPLAIN_ROWS) {
        if (od_parallel_stopped(par)) return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        int64_t rows = all - at < OD_EXPLAIN_ROWS ? all - at : OD_EXPLAIN_ROWS;
        make_trials(e, row, at, rows);
        od_aux_add(m, &(od_aux_rows){e->changed, e->seen, rows, e->room}, e->score + at);
    }
    return ODIM_OK;
}
