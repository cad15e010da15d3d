#include "score/aux_detectors.h"

#include <math.h>

#include "common/mem.h"
#include "prep/encode.h"
#include "score/score.h"

size_t od_aux_scratch(const odim_model *m)
{
    size_t most = 0;
    for (int i = 0; i < m->aux_count; i++) {
        const od_detector *c = &m->aux[i].detector;
        size_t size = od_detector_kind_of(c->method)->scratch(c);
        if (size > most) most = size;
    }
    return most;
}

void od_aux_add(const odim_model *m, const float *plain, const float *seen, int64_t rows, void *scratch,
                double *score)
{
    double own[OD_DETECTOR_ROWS];
    for (int k = 0; k < m->aux_count; k++) {
        const od_aux_detector *c = &m->aux[k];
        const od_detector_kind *kind = od_detector_kind_of(c->detector.method);
        const float *x = c->transformed ? seen : plain;
        if (c->weight == 0.0) continue;
        for (int64_t at = 0; at < rows; at += OD_DETECTOR_ROWS) {
            int64_t count = rows - at < OD_DETECTOR_ROWS ? rows - at : OD_DETECTOR_ROWS;
            kind->score(&c->detector, x + at * c->detector.d, count, scratch, own);
            for (int64_t i = 0; i < count; i++) score[at + i] += c->weight * own[i];
        }
    }
}

void od_aux_confirm(const odim_model *m, const float *plain, const float *seen, int64_t rows, void *scratch,
                    double *score)
{
    for (int k = 0; k < m->aux_count; k++) {
        const od_aux_detector *c = &m->aux[k];
        const float *x = c->transformed ? seen : plain;
        for (int64_t at = 0; c->confirm && at < rows; at += OD_DETECTOR_ROWS) {
            int64_t count = rows - at < OD_DETECTOR_ROWS ? rows - at : OD_DETECTOR_ROWS;
            od_detector_kind_of(c->detector.method)
                ->score(&c->detector, x + at * c->detector.d, count, scratch, score + at);
        }
    }
}

double od_aux_attribute(const odim_model *m, const float *plain, const float *seen, void *scratch,
                        double *part_plain, double *part_seen)
{
    double sum = 0.0;
    for (int k = 0; k < m->aux_count; k++) {
        const od_aux_detector *c = &m->aux[k];
        const od_detector_kind *kind = od_detector_kind_of(c->detector.method);
        const float *x = c->transformed ? seen : plain;
        double own;
        if (c->weight == 0.0) continue;
        if (kind->attribute)
            own =
                kind->attribute(&c->detector, x, scratch, c->weight, c->transformed ? part_seen : part_plain);
        else
            kind->score(&c->detector, x, 1, scratch, &own);
        sum += c->weight * own;
    }
    return sum;
}

/* ---- units ---------------------------------------------------------------------------------------- */

/* The standard deviation of n numbers. */
static double deviation(const double *x, int64_t n)
{
    double sum = 0.0, square = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    for (int64_t i = 0; i < n; i++) square += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
    return sqrt(square / (double)n);
}

odim_status od_aux_alone(odim_model *m, int which, const odim_table *table, const int64_t *rows,
                         int64_t count, int64_t threads, const odim_hooks *hooks, double *scores,
                         odim_error *err)
{
    int64_t losses = m->losses;
    for (int k = 0; k < m->aux_count; k++) m->aux[k].weight = k == which;
    if (which >= 0) m->losses = 0;
    odim_status status = od_score_rows(m, table, rows, count, threads, hooks, scores, err);
    m->losses = losses;
    return status;
}

odim_status od_aux_balance(odim_model *m, const odim_table *table, const int64_t *rows, int64_t count,
                           int64_t threads, const odim_hooks *hooks, odim_error *err)
{
    if (!m->losses || !m->aux_count) return ODIM_OK;
    double weight[OD_MAX_AUX], *scores = od_alloc((size_t)count, sizeof *scores);
    if (!scores) return od_fail_nomem(err);
    odim_status status = od_aux_alone(m, -1, table, rows, count, threads, hooks, scores, err);
    double of_losses = status ? 0.0 : deviation(scores, count);
    for (int k = 0; !status && k < m->aux_count; k++) {
        status = od_aux_alone(m, k, table, rows, count, threads, hooks, scores, err);
        double unit = status ? 0.0 : deviation(scores, count);
        weight[k] = unit > 0.0 ? m->config.with.item[k].weight * of_losses / unit : 0.0;
    }
    for (int k = 0; !status && k < m->aux_count; k++) m->aux[k].weight = weight[k];
    od_free(scores);
    return status;
}
