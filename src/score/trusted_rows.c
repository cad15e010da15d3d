/*
 * Chooses the training rows to trust, and fits the distance to them.
 *
 * The networks and each auxiliary detector score some training rows. The scores of each are brought to a
 * common unit, the distance from the median over the interquartile range. A logarithm draws in long tails, so
 * that none of them outvotes the others. Rows are trusted in the order of the sums, lowest first, up to the
 * share that `trusted-fraction` names.
 */
#include "score/trusted_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sort.h"
#include "common/mem.h"
#include "base/poll.h"
#include "base/signed_log.h"
#include "detectors/known_near.h"
#include "detectors/pca_space.h"
#include "prep/encode.h"
#include "score/score.h"
#include "score/threshold.h"

/* Neighbors. The distances between wide rows are all alike, and only the nearest few say something. */
#define NEAREST      20
#define NEAREST_WIDE 5
#define WIDE         100
/* In one unit the jury knows less than the distances do: it may doubt fewer rows, and fewer neighbors are
 * enough (docs/experiments/wide.md). */
#define NEAREST_UNIT 3
#define UNIT_DOUBT   0.4
#define BLOCK        64 /* rows that are encoded at a time */

/* Adds the scores (n), in the common unit, to sum (n). room (n). */
static void add_in_unit(const double *scores, int64_t n, double *room, double *sum)
{
    double mean = 0.0, square = 0.0;
    for (int64_t i = 0; i < n; i++) mean += (room[i] = scores[i]) / (double)n;
    for (int64_t i = 0; i < n; i++) square += (scores[i] - mean) * (scores[i] - mean) / (double)n;
    od_sort_double(room, n);
    double middle = room[n / 2], unit = room[3 * n / 4] - room[n / 4] + 1e-3 * sqrt(square);
    if (!(unit > 0.0)) return; /* all are alike */
    for (int64_t i = 0; i < n; i++) {
        double z = (scores[i] - middle) / unit;
        sum[i] += od_signed_log(z);
    }
}

/* Fills in trusted (count) by the sums (count) and returns how many rows are trusted. room (count). */
static int64_t choose(const odim_model *m, const od_table_rows *rows, const double *sum, double *room,
                      bool *trusted)
{
    const int8_t *marks = rows->table->known;
    double share = m->config.trusted_fraction;
    if (m->schema.one_unit) share = 1.0 - UNIT_DOUBT * (1.0 - share);
    int64_t n = rows->count, count = (int64_t)(share * (double)n), found = 0;
    for (int64_t i = 0; i < n; i++) room[i] = sum[i];
    od_sort_double(room, n);
    double most = room[count > 2 ? count - 1 : 1];
    for (int64_t i = 0; i < n; i++) {
        int known = marks ? marks[rows->rows[i]] : -1;
        found += trusted[i] = known != 1 && (sum[i] <= most || known == 0);
    }
    return found;
}

static odim_status fit_trusted(odim_model *m, const od_table_rows *rows, const bool *trusted,
                               const od_run *run, odim_error *err)
{
    int64_t d = m->schema.features, n = rows->count;
    od_encoder encoder;
    odim_status status = od_encoder_new(&encoder, &m->schema, rows->table, err);
    if (status) return status;
    float *x = od_alloc((size_t)n, (size_t)d * sizeof *x);
    if (!x) status = od_fail_nomem(err);
    for (int64_t i = 0; !status && i < n; i += BLOCK) {
        status = od_encode_rows(&encoder, rows->rows + i, 0, n - i < BLOCK ? n - i : BLOCK, x + i * d, err);
        if (!status) status = od_poll_check(err);
    }
    od_encoder_free(&encoder);
    const od_detector_task task = {.x = x,
                                   .owned = &x,
                                   .n = n,
                                   .d = d,
                                   .trusted = trusted,
                                   .one_unit = m->schema.one_unit,
                                   .neighbors = m->config.neighbors  ? m->config.neighbors
                                                : m->schema.one_unit ? NEAREST_UNIT
                                                : d > WIDE           ? NEAREST_WIDE
                                                                     : NEAREST,
                                   .threads = od_run_threads(run),
                                   .tick = od_poll_tick};
    if (!status) od_pca_space_note(OD_METHOD_TRUSTED_KNN, &task, run->hooks);
    od_detector fitted;
    if (!status) status = od_detector_fit(&fitted, OD_METHOD_TRUSTED_KNN, &task, err);
    od_free(x);
    if (!status) od_model_set_trusted(m, &fitted);
    return status;
}

/* ---- rows whose verdict is known ---------------------------------------------------------------------- */

/* Puts at most `most` of n rows into a list, evenly spread, and returns how many. */
static int64_t add_evenly(const int64_t *rows, int64_t n, int64_t most, int64_t *list)
{
    int64_t count = n < most ? n : most;
    for (int64_t i = 0; i < count; i++) list[i] = rows[i * n / count];
    return count;
}

/* x (known + ordinary, d) of the rows in the list, whose first `known` are known and the others ordinary. */
static odim_status learn(odim_model *m, const float *x, const int8_t *kind, int64_t known, int64_t ordinary,
                         const od_run *run, odim_error *err)
{
    int64_t d = m->schema.features;
    const od_detector_task task = {.x = x + known * d,
                                   .n = ordinary,
                                   .d = d,
                                   .neighbors = d > WIDE ? NEAREST_WIDE : NEAREST,
                                   .threads = od_run_threads(run),
                                   .tick = od_poll_tick};
    return od_known_rows_fit(&m->known, &task, &(od_known_task){x, kind, known}, err);
}

odim_status od_trusted_rows_learn(odim_model *m, const od_table_rows *trusted, const od_known_lists *lists,
                                  const od_run *run, odim_error *err)
{
    int64_t half = OD_KNOWN_ROWS_MOST / 2,
            *list = od_alloc(OD_KNOWN_ROWS_MOST + OD_KNOWN_ROWS_ORDINARY, sizeof *list);
    int8_t *kind = od_calloc(OD_KNOWN_ROWS_MOST, sizeof *kind);
    float *x = NULL;
    odim_status status = list && kind ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        int64_t outliers = add_evenly(lists->outliers, lists->outlier_count, half, list);
        int64_t known = outliers + add_evenly(lists->inliers, lists->inlier_count, half, list + outliers);
        int64_t ordinary = add_evenly(trusted->rows, trusted->count, OD_KNOWN_ROWS_ORDINARY, list + known);
        memset(kind, 1, (size_t)outliers);
        od_encoder encoder;
        x = od_alloc((size_t)(known + ordinary), (size_t)m->schema.features * sizeof *x);
        status = x ? od_encoder_new(&encoder, &m->schema, trusted->table, err) : od_fail_nomem(err);
        if (!status) {
            status = od_encode_rows(&encoder, list, 0, known + ordinary, x, err);
            od_encoder_free(&encoder);
        }
        if (!status && known) status = learn(m, x, kind, known, ordinary, run, err);
    }
    od_free(x);
    od_free(list);
    od_free(kind);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

void od_judged_free(od_judged *j)
{
    od_free(j->loss);
    od_free(j->confirm);
    od_free(j->axes);
    *j = (od_judged){0};
}

/* Keeps what the verdict needs of the parts, whose loss and axes become those of j. */
static odim_status keep(od_judged *j, const odim_model *m, const od_score_parts *parts, int64_t n,
                        odim_error *err)
{
    int k = 0;
    *j = (od_judged){.count = n, .loss = parts->loss, .axes = parts->axes, .q = parts->q};
    while (k < m->aux_count && m->aux[k].detector.method != OD_METHOD_MCD) k++;
    if (k == m->aux_count) return ODIM_OK;
    j->confirm = od_alloc((size_t)n, sizeof *j->confirm);
    if (!j->confirm) return od_fail_nomem(err);
    memcpy(j->confirm, parts->detector + k * n, (size_t)n * sizeof *j->confirm);
    return ODIM_OK;
}

odim_status od_trusted_rows_fit(odim_model *m, const od_table_rows *rows, int64_t *list, int64_t *count,
                                od_judged *judged, const od_run *run, odim_error *err)
{
    int64_t n = rows->count;
    double *sum = od_calloc((size_t)n, 2 * sizeof *sum), *room = sum ? sum + n : NULL;
    bool *trusted = od_calloc((size_t)n, sizeof *trusted);
    od_score_parts parts = {.q = judged && m->losses ? od_threshold_axes(m, n) : 0};
    parts.detector = od_alloc((size_t)n, (size_t)(m->aux_count + 1) * sizeof *parts.detector);
    if (m->losses) parts.loss = od_alloc((size_t)n, sizeof *parts.loss);
    if (parts.q) parts.axes = od_alloc((size_t)n, (size_t)parts.q * sizeof *parts.axes);
    bool all = sum && trusted && parts.detector && (!m->losses || parts.loss) && (!parts.q || parts.axes);
    odim_status status = all ? od_score_parts_of(m, rows, run, &parts, err) : od_fail_nomem(err);
    if (!status && parts.loss) add_in_unit(parts.loss, n, room, sum);
    for (int k = 0; !status && k < m->aux_count; k++) add_in_unit(parts.detector + k * n, n, room, sum);
    if (!status && judged) {
        status = keep(judged, m, &parts, n, err);
        parts.loss = NULL;
        parts.axes = NULL;
    }
    if (!status && choose(m, rows, sum, room, trusted) < 2)
        status = od_fail(err, ODIM_ERR_DATA, "known outliers: at least 2 rows are needed that are not");
    if (!status) status = fit_trusted(m, rows, trusted, run, err);
    *count = 0;
    for (int64_t i = 0; !status && i < n; i++)
        if (trusted[i]) list[(*count)++] = rows->rows[i];
    od_free(parts.detector);
    od_free(parts.loss);
    od_free(parts.axes);
    od_free(sum);
    od_free(trusted);
    return status;
}
