/*
 * How near a row is to rows whose verdict is known.
 *
 * A person who marks a few rows as outliers means more rows of that kind, and one who marks rows as fine
 * means that such rows are not outliers. Which rows are of the kind of a marked one? Those that are nearer to
 * it than to ordinary rows. Let t be the mean distance to the nearest ordinary rows, and o that to the
 * nearest marked row. Both are measured on features that are divided by their standard deviations. log(t / o)
 * is above 0 for rows of the kind, whatever the unit of the distances, and however dense the rows are there.
 * A small distance is added to both, so that rows with many copies do not divide by zero.
 *
 * It keeps the counts and parts of neighbors.h for the ordinary rows, then the number of marked rows; then
 * (d) the factor of each feature, (marked, d) the marked rows, (marked) 1 for outliers and 0 for inliers, and
 * the small distance.
 */
#include "detectors/known_near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/poll.h"
#include "common/sort.h"
#include "common/mem.h"
#include "detectors/neighbors.h"

#define SMALL       0.05 /* of the median of t: the distance that is added */
#define MOST        3.0  /* the logarithm of a ratio is kept between these */
#define LEAST       (-3.0)
#define SHIFT_LEAST (-2.0) /* of rows that are far from known outliers */
#define COUNT_KNOWN OD_NEIGHBORS_COUNTS
enum { PART_TIMES = OD_NEIGHBORS_ARRAYS, PART_KNOWN, PART_KIND, PART_SMALL, PARTS };
_Static_assert(COUNT_KNOWN < OD_DETECTOR_COUNTS && PARTS <= OD_DETECTOR_ARRAYS, "");

/* ---- distances ---------------------------------------------------------------------------------------- */

static size_t scaled_bytes(const od_detector *c)
{
    return (OD_DETECTOR_ROWS * (size_t)c->d * sizeof(float) + 63) / 64 * 64;
}

static size_t scratch_size(const od_detector *c)
{
    return scaled_bytes(c) + od_neighbors_scratch(c);
}

static void scale(const od_detector *c, const float *x, int64_t rows, float *to)
{
    const double *times = c->part[PART_TIMES].at.d;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < c->d; j++) to[i * c->d + j] = (float)((double)x[i * c->d + j] * times[j]);
}

/* t (rows) of scaled rows. */
static void ordinary_distances(const od_detector *c, const float *scaled, int64_t rows, void *search,
                               double *t)
{
    int64_t found[OD_DETECTOR_ROWS], k = c->count[OD_NEIGHBORS_K];
    const od_neighbor *list = od_neighbors_find(c, scaled, rows, search, found);
    for (int64_t i = 0; i < rows; i++) t[i] = od_neighbors_mean(list + i * (k + 1), found[i], k);
}

/* The distances of a scaled row to the nearest known inlier and outlier; infinite if there is none. */
static void known_distances(const od_detector *c, const float *scaled, double nearest[2])
{
    const float *known = c->part[PART_KNOWN].at.f;
    nearest[0] = nearest[1] = INFINITY;
    for (int64_t i = 0; i < c->count[COUNT_KNOWN]; i++) {
        double sum = 0.0, *best = &nearest[c->part[PART_KIND].at.i[i]];
        for (int64_t j = 0; j < c->d; j++) {
            double away = (double)scaled[j] - (double)known[i * c->d + j];
            sum += away * away;
        }
        *best = fmin(*best, sqrt(sum));
    }
}

/* A row that equals a known one is of its kind, however many ordinary rows are near. */
static double log_ratio(double t, double nearest, double small)
{
    if (nearest == 0.0) return MOST;
    return isinf(nearest) ? LEAST : fmax(LEAST, fmin(MOST, log((t + small) / (nearest + small))));
}

/* Rows near known outliers go up and all others down, if outliers are known; rows near known inliers go down.
 */
static double find_shift(const od_known_near *near, bool has_outliers)
{
    double shift = has_outliers ? fmax(near->outlier, SHIFT_LEAST) : 0.0;
    return near->inlier > fmax(near->outlier, 0.0) ? fmin(shift, 0.0) - near->inlier : shift;
}

void od_known_rows_near(const od_detector *c, const float *x, int64_t rows, void *scratch,
                        od_known_near *near)
{
    float *scaled = scratch;
    double t[OD_DETECTOR_ROWS], small = c->part[PART_SMALL].at.d[0];
    scale(c, x, rows, scaled);
    ordinary_distances(c, scaled, rows, (char *)scratch + scaled_bytes(c), t);
    for (int64_t i = 0; i < rows; i++) {
        double nearest[2];
        known_distances(c, scaled + i * c->d, nearest);
        near[i] = (od_known_near){.outlier = log_ratio(t[i], nearest[1], small),
                                  .inlier = log_ratio(t[i], nearest[0], small)};
        near[i].shift = find_shift(&near[i], !isinf(nearest[1]));
    }
}

/* ---- fit ---------------------------------------------------------------------------------------------- */

/* One over the standard deviation of each feature over the ordinary rows. */
static void find_times(od_detector *c, const od_detector_task *t)
{
    double *times = c->part[PART_TIMES].at.d;
    for (int64_t j = 0; j < t->d; j++) {
        double mean = 0.0, square = 0.0;
        for (int64_t i = 0; i < t->n; i++) mean += (double)t->x[i * t->d + j] / (double)t->n;
        for (int64_t i = 0; i < t->n; i++) {
            double away = (double)t->x[i * t->d + j] - mean;
            square += away * away / (double)t->n;
        }
        times[j] = square > 0.0 ? 1.0 / sqrt(square) : 1.0;
    }
}

static odim_status find_small(od_detector *c, const float *scaled, int64_t n, odim_error *err)
{
    double *t = od_alloc((size_t)n, sizeof *t);
    void *search = od_alloc(od_neighbors_scratch(c), 1);
    odim_status status = t && search ? ODIM_OK : od_fail_nomem(err);
    for (int64_t at = 0; !status && at < n; at += OD_DETECTOR_ROWS) {
        int64_t rows = n - at < OD_DETECTOR_ROWS ? n - at : OD_DETECTOR_ROWS;
        ordinary_distances(c, scaled + at * c->d, rows, search, t + at);
        status = od_poll_check(err);
    }
    if (!status) {
        od_sort_double(t, n);
        c->part[PART_SMALL].at.d[0] = fmax(SMALL * t[n / 2], 1e-6);
    }
    od_free(t);
    od_free(search);
    return status;
}

static odim_status keep_known(od_detector *c, const od_known_task *known, odim_error *err)
{
    odim_status status = od_detector_array_new(c, PART_KNOWN, OD_ARRAY_FLOAT, known->count * c->d, err);
    if (!status) status = od_detector_array_new(c, PART_KIND, OD_ARRAY_INT, known->count, err);
    if (status) return status;
    c->count[COUNT_KNOWN] = known->count;
    scale(c, known->x, known->count, c->part[PART_KNOWN].at.f);
    for (int64_t i = 0; i < known->count; i++) c->part[PART_KIND].at.i[i] = known->outlier[i];
    return ODIM_OK;
}

odim_status od_known_rows_fit(od_detector *c, const od_detector_task *ordinary, const od_known_task *known,
                              odim_error *err)
{
    int64_t n = ordinary->n, d = ordinary->d;
    *c = (od_detector){.method = OD_METHOD_KNOWN_ROWS, .d = d};
    float *scaled = od_alloc((size_t)n, (size_t)d * sizeof *scaled);
    odim_status status = scaled ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_detector_array_new(c, PART_TIMES, OD_ARRAY_DOUBLE, d, err);
    if (!status) status = od_detector_array_new(c, PART_SMALL, OD_ARRAY_DOUBLE, 1, err);
    if (!status) {
        od_detector_task own = *ordinary;
        find_times(c, ordinary);
        scale(c, ordinary->x, n, scaled);
        own.x = scaled;
        own.trusted = NULL;
        status = od_neighbors_fit(c, &own, OD_GUIDE_CHOOSE, err);
    }
    if (!status) status = find_small(c, scaled, n, err);
    if (!status) status = keep_known(c, known, err);
    od_free(scaled);
    if (status) od_detector_free(c);
    return status;
}

/* ---- as a detector, for model files ------------------------------------------------------------------- */

static int64_t count_rows(const od_detector *c, const float *x, bool *is_one)
{
    (void)x;
    *is_one = false;
    return c->count[OD_NEIGHBORS_DISTINCT] + c->count[COUNT_KNOWN];
}

static odim_status check(const od_detector *c, odim_error *err)
{
    odim_status status = od_neighbors_check(c, err);
    int64_t known = c->count[COUNT_KNOWN];
    if (status) return status;
    if (known < 1 || known > OD_KNOWN_ROWS_MOST || !od_detector_has(c, PART_TIMES, OD_ARRAY_DOUBLE, c->d) ||
        !od_detector_has(c, PART_KNOWN, OD_ARRAY_FLOAT, known * c->d) ||
        !od_detector_has(c, PART_KIND, OD_ARRAY_INT, known) ||
        !od_detector_has(c, PART_SMALL, OD_ARRAY_DOUBLE, 1) || !(c->part[PART_SMALL].at.d[0] > 0.0))
        return od_fail(err, ODIM_ERR_FORMAT, "not the parts of known rows");
    for (int64_t i = 0; i < known; i++)
        if (c->part[PART_KIND].at.i[i] != 0 && c->part[PART_KIND].at.i[i] != 1)
            return od_fail(err, ODIM_ERR_FORMAT, "a known row is neither an outlier nor an inlier");
    for (int64_t j = 0; j < c->d; j++)
        if (!(c->part[PART_TIMES].at.d[j] > 0.0))
            return od_fail(err, ODIM_ERR_FORMAT, "out of range: a factor");
    return ODIM_OK;
}

const od_detector_kind od_known_rows = {
    .method = OD_METHOD_KNOWN_ROWS,
    .name = "known-rows",
    .scratch = scratch_size,
    .keeps = "the known rows and up to 2048 other training rows",
    .rows = count_rows,
    .check = check,
};
