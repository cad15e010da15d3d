/* Finds the weights of the auxiliary detectors next to networks. */
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
    double *scores = od_alloc((size_t)rows->count, (size_t)(m->aux_count + 1) * sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    const od_score_parts parts = {.loss = scores, .detector = scores + rows->count};
    odim_status status = od_score_parts_of(m, rows, run, &parts, err);
    double of_losses = status ? 0.0 : deviation(scores, rows->count);
    for (int k = 0; !status && k < m->aux_count; k++) {
        double unit = deviation(parts.detector + k * rows->count, rows->count);
        m->aux[k].weight = unit > 0.0 ? m->config.with.item[k].weight * of_losses / unit : 0.0;
    }
    od_free(scores);
    return status;
}
