/*
 * The networks, and each detector beside them, score some training rows. The scores of each are brought to a
 * common unit, distance from the median over the interquartile range, with long tails drawn in by a
 * logarithm, so that no member of the jury shouts the others down. Rows are trusted from the lowest sum on,
 * until there are as many as `trust` says.
 */
#include "score/trusted_rows.h"

#include <math.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/mem.h"
#include "base/poll.h"
#include "base/parallel.h"
#include "base/signed_log.h"
#include "detectors/pca_space.h"
#include "prep/encode.h"
#include "score/aux_detectors.h"

/* Near rows, and of wide rows: the distances of these are all alike, and only the nearest few say something.
 */
#define NEAREST      20
#define NEAREST_WIDE 5
#define WIDE         100

/* Adds the verdict that scores (n) are. room (n). */
static void add_verdict(const double *scores, int64_t n, double *room, double *sum)
{
    double mean = 0.0, square = 0.0;
    for (int64_t i = 0; i < n; i++) mean += (room[i] = scores[i]) / (double)n;
    for (int64_t i = 0; i < n; i++) square += (scores[i] - mean) * (scores[i] - mean) / (double)n;
    qsort(room, (size_t)n, sizeof *room, od_compare_double);
    double middle = room[n / 2], unit = room[3 * n / 4] - room[n / 4] + 1e-3 * sqrt(square);
    if (!(unit > 0.0)) return; /* all are alike */
    for (int64_t i = 0; i < n; i++) {
        double z = (scores[i] - middle) / unit;
        sum[i] += od_signed_log(z);
    }
}

/* trusted (n), by the verdicts (n), which fall out of order into room (n). How many there are. */
static int64_t choose(const odim_model *m, const odim_table *table, const int64_t *rows, int64_t n,
                      const double *verdict, double *room, bool *trusted)
{
    int64_t count = (int64_t)(m->config.trusted_fraction * (double)n), found = 0;
    for (int64_t i = 0; i < n; i++) room[i] = verdict[i];
    qsort(room, (size_t)n, sizeof *room, od_compare_double);
    double most = room[count > 2 ? count - 1 : 1];
    for (int64_t i = 0; i < n; i++) {
        int known = table->known ? table->known[rows[i]] : -1;
        found += trusted[i] = known != 1 && (verdict[i] <= most || known == 0);
    }
    return found;
}

static odim_status fit_trusted(odim_model *m, const odim_table *table, const int64_t *rows, int64_t n,
                               const bool *trusted, int64_t threads, const odim_hooks *hooks, odim_error *err)
{
    int64_t d = m->schema.features;
    od_encoder encoder;
    odim_status status = od_encoder_new(&encoder, &m->schema, table, err);
    if (status) return status;
    float *x = od_alloc((size_t)n, (size_t)d * sizeof *x);
    if (!x) status = od_fail_nomem(err);
    for (int64_t i = 0; !status && i < n; i++) {
        status = od_encode_rows(&encoder, rows + i, 0, 1, x + i * d, err);
        if (!status) status = od_poll_check(err);
    }
    od_encoder_free(&encoder);
    const od_detector_task task = {.x = x,
                                   .n = n,
                                   .d = d,
                                   .trusted = trusted,
                                   .neighbors = m->config.neighbors ? m->config.neighbors
                                                : d > WIDE          ? NEAREST_WIDE
                                                                    : NEAREST,
                                   .threads = threads ? threads : od_parallel_cores(),
                                   .tick = od_poll_tick};
    if (!status) od_pca_space_note(OD_METHOD_TRUSTED_KNN, &task, hooks);
    od_detector fitted;
    if (!status) status = od_detector_fit(&fitted, OD_METHOD_TRUSTED_KNN, &task, err);
    od_free(x);
    if (!status) od_model_set_trusted(m, &fitted);
    return status;
}

odim_status od_trusted_rows_fit(odim_model *m, const odim_table *table, const int64_t *rows, int64_t count,
                                int64_t threads, const odim_hooks *hooks, odim_error *err)
{
    double *verdict = od_calloc((size_t)count, 3 * sizeof *verdict),
           *scores = verdict ? verdict + count : NULL, *room = verdict ? scores + count : NULL;
    bool *trusted = od_calloc((size_t)count, sizeof *trusted);
    odim_status status = verdict && trusted ? ODIM_OK : od_fail_nomem(err);
    for (int k = m->losses ? -1 : 0; !status && k < m->aux_count; k++) {
        status = od_aux_alone(m, k, table, rows, count, threads, hooks, scores, err);
        if (!status) add_verdict(scores, count, room, verdict);
    }
    if (!status && choose(m, table, rows, count, verdict, room, trusted) < 2)
        status = od_fail(err, ODIM_ERR_DATA, "known outliers: at least 2 rows are needed that are not");
    if (!status) status = fit_trusted(m, table, rows, count, trusted, threads, hooks, err);
    od_free(verdict);
    od_free(trusted);
    return status;
}
