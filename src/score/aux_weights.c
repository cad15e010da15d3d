#include "score/aux_weights.h"

#include <math.h>

#include "common/mem.h"
#include "score/score.h"

/* The standard deviation of n numbers. */
static double deviation(const double *x, int64_t n)
{
    double sum = 0.0, square = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    for (int64_t i = 0; i < n; i++) square += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
    return sqrt(square / (double)n);
}

odim_status od_aux_weights_fit(odim_model *m, const od_table_rows *rows, const od_run *run, odim_error *err)
{
    if (!m->losses || !m->aux_count) return ODIM_OK;
    double *scores = od_alloc((size_t)rows->count, sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    odim_status status = od_score_component(m, OD_COMPONENT_NETWORKS, rows, run, scores, err);
    double of_losses = status ? 0.0 : deviation(scores, rows->count);
    for (int k = 0; !status && k < m->aux_count; k++) {
        status = od_score_component(m, k, rows, run, scores, err);
        double unit = status ? 0.0 : deviation(scores, rows->count);
        m->aux[k].weight = unit > 0.0 ? m->config.with.item[k].weight * of_losses / unit : 0.0;
    }
    od_free(scores);
    return status;
}
