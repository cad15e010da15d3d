/*
 * Histogram-based outlier score (Goldstein and Dengel, 2012): the rarity of each feature's value, added up.
 * A feature has ten bins of equal width from its lowest to its highest training value. With h the share of
 * the rows in the bin over that of an even spread, it adds -log2(h + 0.1), as PyOD does for columns scaled
 * to [0, 1]. Values outside are in an empty bin. A constant feature adds nothing while it stays constant.
 *
 * It keeps: part 0 (d) lowest value, part 1 (d) highest, part 2 (d, 10) what each bin adds.
 */
#include <math.h>

#include "base/poll.h"
#include "detectors/detector.h"

#define BINS   10
#define LITTLE 0.1

enum { LOW, HIGH, ADDS };

static double adds(double height)
{
    return -log2(height + LITTLE);
}

/* -1: outside. The highest value belongs to the last bin. */
static int find_bin(float x, float low, float high)
{
    if (!(x >= low && x <= high)) return -1;
    double at = ((double)x - (double)low) / ((double)high - (double)low) * BINS;
    return at < BINS ? (int)at : BINS - 1;
}

static void fit_feature(od_detector *c, const od_detector_task *t, int64_t j)
{
    float low = t->x[j], high = t->x[j];
    double rows[BINS] = {0};
    for (int64_t i = 1; i < t->n; i++) {
        low = fminf(low, t->x[i * t->d + j]);
        high = fmaxf(high, t->x[i * t->d + j]);
    }
    c->part[LOW].at.f[j] = low;
    c->part[HIGH].at.f[j] = high;
    if (!(low < high)) return;
    for (int64_t i = 0; i < t->n; i++) rows[find_bin(t->x[i * t->d + j], low, high)]++;
    for (int b = 0; b < BINS; b++) c->part[ADDS].at.d[j * BINS + b] = adds(rows[b] * BINS / (double)t->n);
}

static odim_status fit(od_detector *c, const od_detector_task *t, odim_error *err)
{
    odim_status status = od_detector_array_new(c, LOW, OD_ARRAY_FLOAT, t->d, err);
    if (!status) status = od_detector_array_new(c, HIGH, OD_ARRAY_FLOAT, t->d, err);
    if (!status) status = od_detector_array_new(c, ADDS, OD_ARRAY_DOUBLE, t->d * BINS, err);
    for (int64_t j = 0; !status && j < t->d; j++) {
        fit_feature(c, t, j);
        status = od_poll_check(err);
    }
    return status;
}

static size_t scratch(const od_detector *c)
{
    (void)c;
    return 0;
}

static double score_feature(const od_detector *c, int64_t j, float x)
{
    float low = c->part[LOW].at.f[j], high = c->part[HIGH].at.f[j];
    if (!(low < high)) return x == low ? 0.0 : adds(0.0);
    int bin = find_bin(x, low, high);
    return bin < 0 ? adds(0.0) : c->part[ADDS].at.d[j * BINS + bin];
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    (void)room;
    for (int64_t i = 0; i < rows; i++, x += c->d) {
        scores[i] = 0.0;
        for (int64_t j = 0; j < c->d; j++) scores[i] += score_feature(c, j, x[j]);
    }
}

static odim_status check(const od_detector *c, odim_error *err)
{
    bool fine = od_detector_has(c, LOW, OD_ARRAY_FLOAT, c->d) &&
                od_detector_has(c, HIGH, OD_ARRAY_FLOAT, c->d) &&
                od_detector_has(c, ADDS, OD_ARRAY_DOUBLE, c->d * BINS);
    return fine ? ODIM_OK : od_fail(err, ODIM_ERR_FORMAT, "not %d bins a feature", BINS);
}

const od_detector_kind od_hbos = {
    .method = OD_METHOD_HBOS,
    .name = "hbos",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .check = check,
    .most_cells = OD_DETECTOR_CELLS,
};
