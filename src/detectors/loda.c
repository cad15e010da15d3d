/*
 * Lightweight online detector of anomalies (Pevny, 2016): histograms of sparse random projections. Each
 * projection is a sum of about sqrt(d) random features with normal weights. A row counts by the mean, over
 * the projections, of -log of the share of the training rows in its bin. Bins have equal width from the
 * lowest to the highest training value; an empty bin, and what is outside, counts as half a row.
 *
 * PyOD looks up the bin after the one that a value is in, and divides twice by the number of projections.
 *
 * Reasons are the paper's test of features: are the projections that use a feature more surprised than those
 * that do not? The score is divided by the statistics of this test, Welch's t, where they are positive.
 *
 * It keeps: count 0 projections, 1 features of each, 2 bins; part 0 (projections, features) their numbers,
 * part 1 likewise their weights, part 2 (projections, 2) lowest and highest value, part 3 (projections, bins
 * + 1) what each bin adds, and what is outside.
 */
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/shuffle.h"
#include "detectors/detector.h"
#include "kern/kern.h"

#define OUTSIDE          0.5 /* rows */
#define STOP_ROWS        65536
#define MOST_PROJECTIONS 10000
#define MOST_BINS        1000
#define SURE             1e-12 /* least square of the error of a difference */

enum { PROJECTIONS, USED, BINS };
enum { FEATURE, WEIGHT, LIMIT, ADDS };

static double project(const od_detector *c, int64_t p, const float *x)
{
    int64_t used = c->count[USED];
    const int32_t *feature = c->part[FEATURE].at.i + p * used;
    const double *weight = c->part[WEIGHT].at.d + p * used;
    double sum = 0.0;
    for (int64_t i = 0; i < used; i++) sum += weight[i] * (double)x[feature[i]];
    return sum;
}

/* The number of bins: outside. The highest value belongs to the last bin. */
static int64_t find_bin(const od_detector *c, int64_t p, double value)
{
    double low = c->part[LIMIT].at.d[2 * p], high = c->part[LIMIT].at.d[2 * p + 1];
    int64_t bins = c->count[BINS];
    if (!(value >= low && value <= high)) return bins;
    if (!(low < high)) return 0;
    double at = (value - low) / (high - low) * (double)bins;
    return at < (double)bins ? (int64_t)at : bins - 1;
}

static double adds(const od_detector *c, int64_t p, const float *x)
{
    return c->part[ADDS].at.d[p * (c->count[BINS] + 1) + find_bin(c, p, project(c, p, x))];
}

/* ---- fitting ------------------------------------------------------------------------------------------- */

typedef struct job {
    const od_detector_task *task;
    od_detector *c;
    float *normal; /* (workers, used + OD_SUM_LANES) */
} job;

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void draw(const job *j, int64_t p, float *normal)
{
    int64_t used = j->c->count[USED];
    int32_t *feature = j->c->part[FEATURE].at.i + p * used;
    od_shuffle order = od_shuffle_make((uint64_t)j->c->d, j->task->seed, (uint32_t)p, OD_RNG_PROJECTIONS, 0);
    od_rng s = od_rng_make(j->task->seed, (uint32_t)p, OD_RNG_PROJECTIONS, 1);
    od_kern_get()->normal(normal, used, &s);
    for (int64_t i = 0; i < used; i++) {
        feature[i] = (int32_t)od_shuffle_at(&order, (uint64_t)i);
        j->c->part[WEIGHT].at.d[p * used + i] = (double)normal[i];
    }
    qsort(feature, (size_t)used, sizeof *feature, ascending);
}

static odim_status fit_one(void *ctx, od_parallel *par, int worker, int64_t p, odim_error *err)
{
    const job *j = ctx;
    const od_detector_task *t = j->task;
    od_detector *c = j->c;
    double *limit = c->part[LIMIT].at.d + 2 * p, *bin = c->part[ADDS].at.d + p * (c->count[BINS] + 1);
    draw(j, p, j->normal + worker * (c->count[USED] + OD_SUM_LANES));
    limit[0] = limit[1] = project(c, p, t->x);
    for (int64_t i = 1; i < t->n; i++) {
        double value = project(c, p, t->x + i * t->d);
        limit[0] = fmin(limit[0], value);
        limit[1] = fmax(limit[1], value);
        if (i % STOP_ROWS == 0 && od_parallel_stopped(par))
            return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
    }
    for (int64_t i = 0; i < t->n; i++) bin[find_bin(c, p, project(c, p, t->x + i * t->d))]++;
    for (int64_t b = 0; b <= c->count[BINS]; b++) bin[b] = -log(fmax(bin[b], OUTSIDE) / (double)t->n);
    return ODIM_OK;
}

static int tick(void *ctx)
{
    const job *j = ctx;
    return od_detector_tick(j->task);
}

static odim_status fit(od_detector *c, const od_detector_task *t, odim_error *err)
{
    int64_t used = (int64_t)sqrt((double)t->d), projections = t->projections;
    size_t threads = t->threads > 1 ? (size_t)t->threads : 1;
    c->count[PROJECTIONS] = projections;
    c->count[USED] = used;
    c->count[BINS] = t->bins;
    job j = {.task = t, .c = c};
    odim_status status = od_detector_array_new(c, FEATURE, OD_ARRAY_INT, projections * used, err);
    if (!status) status = od_detector_array_new(c, WEIGHT, OD_ARRAY_DOUBLE, projections * used, err);
    if (!status) status = od_detector_array_new(c, LIMIT, OD_ARRAY_DOUBLE, projections * 2, err);
    if (!status) status = od_detector_array_new(c, ADDS, OD_ARRAY_DOUBLE, projections * (t->bins + 1), err);
    if (!status && !(j.normal = od_alloc(threads, (size_t)(used + OD_SUM_LANES) * sizeof *j.normal)))
        status = od_fail_nomem(err);
    if (!status) status = od_parallel_run((int)threads, projections, fit_one, tick, &j, err);
    od_free(j.normal);
    return status;
}

/* ---- scoring ------------------------------------------------------------------------------------------- */

/* Of the projections that use a feature: how many, and the sums of what they add and of its square. */
typedef struct uses {
    double count, sum, square;
} uses;

static size_t scratch(const od_detector *c)
{
    return (size_t)c->d * sizeof(uses);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    (void)room;
    for (int64_t i = 0; i < rows; i++) scores[i] = 0.0;
    for (int64_t p = 0; p < c->count[PROJECTIONS]; p++)
        for (int64_t i = 0; i < rows; i++) scores[i] += adds(c, p, x + i * c->d);
    for (int64_t i = 0; i < rows; i++) scores[i] /= (double)c->count[PROJECTIONS];
}

/* The square of the error of a mean. */
static double mean_error(const uses *u)
{
    double mean = u->sum / u->count;
    return fmax(u->square / u->count - mean * mean, 0.0) / (u->count - 1.0);
}

/* How much more the projections with a feature add than those without it, in units of the error; 0 where it
 * is not more, or cannot be told. */
static double statistic(const uses *with, const uses *all)
{
    uses without = {all->count - with->count, all->sum - with->sum, all->square - with->square};
    if (with->count < 2.0 || without.count < 2.0) return 0.0;
    double more = with->sum / with->count - without.sum / without.count;
    return fmax(more, 0.0) / sqrt(mean_error(with) + mean_error(&without) + SURE);
}

static double attribute(const od_detector *c, const float *x, void *room, double times, double *part)
{
    uses *u = room, all = {0};
    double sum = 0.0, score_all;
    for (int64_t j = 0; j < c->d; j++) u[j] = (uses){0};
    for (int64_t p = 0; p < c->count[PROJECTIONS]; p++) {
        double added = adds(c, p, x);
        const int32_t *feature = c->part[FEATURE].at.i + p * c->count[USED];
        all = (uses){all.count + 1.0, all.sum + added, all.square + added * added};
        for (int64_t i = 0; i < c->count[USED]; i++) {
            uses *at = &u[feature[i]];
            *at = (uses){at->count + 1.0, at->sum + added, at->square + added * added};
        }
    }
    score_all = all.sum / all.count;
    for (int64_t j = 0; j < c->d; j++) sum += statistic(&u[j], &all);
    for (int64_t j = 0; j < c->d; j++)
        part[j] += times * score_all * (sum > 0.0 ? statistic(&u[j], &all) / sum : 1.0 / (double)c->d);
    return score_all;
}

static odim_status check(const od_detector *c, odim_error *err)
{
    int64_t p = c->count[PROJECTIONS], used = c->count[USED], bins = c->count[BINS];
    bool fine = p >= 1 && p <= MOST_PROJECTIONS && used >= 1 && used <= c->d && c->d <= INT32_MAX &&
                used == (int64_t)sqrt((double)c->d) && bins >= 1 && bins <= MOST_BINS &&
                od_detector_has(c, FEATURE, OD_ARRAY_INT, p * used) &&
                od_detector_has(c, WEIGHT, OD_ARRAY_DOUBLE, p * used) &&
                od_detector_has(c, LIMIT, OD_ARRAY_DOUBLE, 2 * p) &&
                od_detector_has(c, ADDS, OD_ARRAY_DOUBLE, p * (bins + 1));
    if (!fine) return od_fail(err, ODIM_ERR_FORMAT, "not the arrays of projections");
    for (int64_t i = 0; i < p * used; i++)
        if (c->part[FEATURE].at.i[i] < 0 || c->part[FEATURE].at.i[i] >= c->d)
            return od_fail(err, ODIM_ERR_FORMAT, "a projection uses a feature that is not there");
    for (int part = WEIGHT; part <= ADDS; part++)
        for (int64_t i = 0; i < c->part[part].count; i++)
            if (!isfinite(c->part[part].at.d[i]))
                return od_fail(err, ODIM_ERR_FORMAT, "a projection is not finite");
    return ODIM_OK;
}

const od_detector_kind od_loda = {
    .method = OD_METHOD_LODA,
    .name = "loda",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .attribute = attribute,
    .check = check,
    .most_cells = OD_DETECTOR_CELLS,
};
