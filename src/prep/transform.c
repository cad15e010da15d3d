/* Fits and applies the transform log-pca, and its inverse. */
#include "prep/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sort.h"
#include "common/mem.h"
#include "base/poll.h"
#include "base/signed_log.h"
#include "kern/doubles.h"
#include "kern/leading.h"

/*
 * Two things hide outliers from a network that sees columns brought to [0, 1] by their bounds.
 *
 * A few extreme values take most of the range, and all other rows are crowded in a corner of it. So values
 * are measured from the median in units of the interquartile range, and large ones are drawn in by a
 * logarithm that keeps the sign: the soft values.
 *
 * And rows that only break the relation between columns, each value being ordinary, differ from the others in
 * directions in which there is hardly any variance. So besides the soft values there are the same rows seen
 * along their principal axes, each in units of the deviation along it, which makes all directions count
 * alike. These are drawn in as well.
 *
 * Side by side, d + axes values are scaled to [0, 1] by their bounds. docs/experiments/beyond.md has the
 * gain, and what else was tried.
 *
 * Axes along which nothing varies would only amplify noise, so a share of the mean variance is added to each.
 * A table of few rows does not know many axes: one for five rows, at most 128. Very wide ones have none:
 * finding them would take longer than the networks.
 */
#define LEAST_AXES 4
#define AXIS_ROWS  5
#define MOST_D     1024
#define FLOOR      1e-3
#define WIDE       128 /* features; of more, rows are multiplied some at a time: */
#define BLOCK      32

int64_t od_transform_axes(int64_t n, int64_t d)
{
    if (d < 2 || d > MOST_D) return 0;
    int64_t axes = n / AXIS_ROWS < OD_TRANSFORM_AXES ? n / AXIS_ROWS : OD_TRANSFORM_AXES;
    if (axes < LEAST_AXES) axes = LEAST_AXES;
    return axes < d ? axes : d;
}

size_t od_transform_count(int64_t d, int64_t axes)
{
    return (size_t)(2 * d + d * axes + axes + 2 * (d + axes));
}

odim_status od_transform_new(od_transform *v, int64_t d, int64_t axes, odim_error *err)
{
    float *at = od_calloc(od_transform_count(d, axes), sizeof *at);
    *v = (od_transform){.d = d, .axes = axes, .numbers = at};
    if (!at) {
        *v = (od_transform){0};
        return od_fail_nomem(err);
    }
    v->centre = at;
    v->spread = v->centre + d;
    v->axis = v->spread + d;
    v->origin = v->axis + d * axes;
    v->low = v->origin + axes;
    v->width = v->low + d + axes;
    return ODIM_OK;
}

void od_transform_free(od_transform *v)
{
    od_free(v->numbers);
    *v = (od_transform){0};
}

/* ---- forward --------------------------------------------------------------------------------------- */

static double soft(const od_transform *v, int64_t j, double x)
{
    return od_signed_log((x - (double)v->centre[j]) / (double)v->spread[j]);
}

/* Before the bounds are taken: to (d + axes). */
static void look(const od_transform *v, const float *x, float *to)
{
    float *on = to + v->d;
    for (int64_t k = 0; k < v->axes; k++) on[k] = -v->origin[k];
    for (int64_t j = 0; j < v->d; j++) {
        const float *axis = v->axis + j * v->axes;
        float s = to[j] = (float)soft(v, j, (double)x[j]);
        for (int64_t k = 0; k < v->axes; k++) on[k] += s * axis[k];
    }
    for (int64_t k = 0; k < v->axes; k++) on[k] = (float)od_signed_log((double)on[k]);
}

void od_transform_apply(const od_transform *v, const float *from, int64_t rows, int64_t d, float *to)
{
    if (!v->d) {
        memcpy(to, from, (size_t)(rows * d) * sizeof *to);
        return;
    }
    int64_t all = v->d + v->axes;
    for (int64_t i = 0; i < rows; i++, from += d, to += all) {
        look(v, from, to);
        for (int64_t j = 0; j < all; j++) to[j] = (to[j] - v->low[j]) / v->width[j];
    }
}

/* ---- the way back ---------------------------------------------------------------------------------- */

/* How far a value, soft and not yet brought to [0, 1], takes a row along an axis in the direction where it
 * is. */
static double pull(float axis, double value, double place)
{
    double moved = value * (double)axis * (place < 0.0 ? -1.0 : 1.0);
    return moved > 0.0 ? moved : 0.0;
}

/*
 * What an axis costs is the columns' that took the row to where it is on that axis: each by how far its soft
 * value, which is 0 at the median, has moved it there. What was expected of a feature is the network's word
 * about its soft value.
 */
void od_transform_back(const od_transform *v, const float *seen, double *part, double *mean)
{
    int64_t d = v->d, axes = v->axes;
    double place[OD_TRANSFORM_AXES], sum[OD_TRANSFORM_AXES] = {0};
    for (int64_t k = 0; k < axes; k++)
        place[k] = (double)v->low[d + k] + (double)v->width[d + k] * (double)seen[d + k];
    for (int pass = 0; pass < 2; pass++)
        for (int64_t j = 0; j < d; j++) {
            double value = (double)v->low[j] + (double)v->width[j] * (double)seen[j];
            for (int64_t k = 0; k < axes; k++) {
                double p = pull(v->axis[j * axes + k], value, place[k]);
                if (pass == 0)
                    sum[k] += p;
                else if (sum[k] > 0.0)
                    part[j] += part[d + k] * p / sum[k];
            }
        }
    for (int64_t j = 0; j < d; j++) {
        double s = (double)v->low[j] + (double)v->width[j] * mean[j];
        mean[j] = (double)v->centre[j] + (double)v->spread[j] * od_signed_log_back(s);
    }
}

/* ---- fitting --------------------------------------------------------------------------------------- */

/* Between the neighbours, of n sorted numbers. */
static double quantile(const float *sorted, int64_t n, double p)
{
    double at = p * (double)(n - 1);
    int64_t i = (int64_t)at;
    double next = (double)sorted[i + 1 < n ? i + 1 : i];
    return (double)sorted[i] + (at - (double)i) * (next - (double)sorted[i]);
}

static void moments(const float *x, int64_t n, int64_t stride, double *mean, double *deviation)
{
    double sum = 0.0, square = 0.0;
    for (int64_t i = 0; i < n; i++) sum += (double)x[i * stride];
    *mean = sum / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += ((double)x[i * stride] - *mean) * ((double)x[i * stride] - *mean);
    *deviation = sqrt(square / (double)n);
}

/* Median and interquartile range of a column; where half of it is one value, the deviation. */
static void measure(const float *x, int64_t n, int64_t stride, float *sorted, double *centre, double *spread)
{
    double mean, deviation;
    for (int64_t i = 0; i < n; i++) sorted[i] = x[i * stride];
    od_sort_float(sorted, n);
    *centre = quantile(sorted, n, 0.5);
    *spread = quantile(sorted, n, 0.75) - quantile(sorted, n, 0.25);
    if (*spread > 0.0) return;
    moments(x, n, stride, &mean, &deviation);
    *spread = deviation > 0.0 ? deviation : 1.0;
}

/* Correlations of the columns of s (n, d); a column that is constant has none, not even with itself. row
 * (BLOCK, d). */
static odim_status correlate(const float *s, int64_t n, int64_t d, const double *mean,
                             const double *deviation, double *row, double *c, odim_error *err)
{
    odim_status status = ODIM_OK;
    int64_t block = d > WIDE ? BLOCK : 1; /* one by one, sums are those of older versions */
    memset(c, 0, (size_t)(d * d) * sizeof *c);
    for (int64_t i = 0; !status && i < n; i += block) {
        int64_t rows = n - i < block ? n - i : block;
        for (int64_t r = 0; r < rows; r++)
            for (int64_t j = 0; j < d; j++)
                row[r * d + j] =
                    deviation[j] > 0.0 ? ((double)s[(i + r) * d + j] - mean[j]) / deviation[j] : 0.0;
        od_dense_get()->scatter(row, rows, d, 0, d, c);
        status = od_poll_check(err);
    }
    for (int64_t j = 0; j < d; j++)
        for (int64_t k = j; k < d; k++) c[k * d + j] = c[j * d + k] /= (double)n;
    return status;
}

/* The axes of soft values s (n, d), each in units of the deviation along it. */
static odim_status find_axes(od_transform *v, const float *s, int64_t n, int64_t threads, odim_error *err)
{
    int64_t d = v->d;
    double *c = od_alloc((size_t)d, 2 * (size_t)d * sizeof *c), *vector = c ? c + d * d : NULL;
    double *mean = od_alloc((size_t)d, (3 + BLOCK) * sizeof *mean);
    odim_status status = c && mean ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        double *deviation = mean + d, *value = mean + 2 * d, trace = 0.0;
        for (int64_t j = 0; j < d; j++) moments(s + j, n, d, &mean[j], &deviation[j]);
        status = correlate(s, n, d, mean, deviation, mean + 3 * d, c, err);
        for (int64_t j = 0; j < d; j++) trace += c[j * d + j];
        od_eigen_run run = {.threads = (int)threads};
        if (!status) status = od_leading(c, d, v->axes, value, vector, &run, err);
        for (int64_t k = 0; !status && k < v->axes; k++) {
            double unit = sqrt(fmax(value[k], 0.0) + FLOOR * trace / (double)d);
            for (int64_t j = 0; unit > 0.0 && j < d; j++)
                v->axis[j * v->axes + k] =
                    deviation[j] > 0.0 ? (float)(vector[k * d + j] / deviation[j] / unit) : 0.0f;
        }
    }
    od_free(c);
    od_free(mean);
    return status;
}

/* on (axes, n): the places of soft values s (n, d) on the axes. */
static odim_status project(const od_transform *v, const float *s, int64_t n, float *on, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < n; i++) {
        double sum[OD_TRANSFORM_AXES] = {0};
        for (int64_t j = 0; j < v->d; j++)
            for (int64_t k = 0; k < v->axes; k++)
                sum[k] += (double)s[i * v->d + j] * (double)v->axis[j * v->axes + k];
        for (int64_t k = 0; k < v->axes; k++) on[k * n + i] = (float)sum[k];
        status = od_poll_check(err);
    }
    return status;
}

/* With median 0 and interquartile range 1, as the columns were brought to. on (n): places on the axis. */
static void set_unit(od_transform *v, int64_t k, const float *on, int64_t n, float *sorted)
{
    double centre, spread;
    measure(on, n, 1, sorted, &centre, &spread);
    for (int64_t j = 0; j < v->d; j++)
        v->axis[j * v->axes + k] = (float)((double)v->axis[j * v->axes + k] / spread);
    v->origin[k] = (float)(centre / spread);
}

static odim_status set_bounds(od_transform *v, const float *x, int64_t n, float *row, odim_error *err)
{
    int64_t all = v->d + v->axes;
    odim_status status = ODIM_OK;
    for (int64_t i = 0; !status && i < n; i++) {
        look(v, x + i * v->d, row);
        for (int64_t j = 0; j < all; j++) {
            v->low[j] = i ? fminf(v->low[j], row[j]) : row[j];
            v->width[j] = i ? fmaxf(v->width[j], row[j]) : row[j];
        }
        status = od_poll_check(err);
    }
    for (int64_t j = 0; j < all; j++) {
        v->width[j] -= v->low[j];
        if (!(v->width[j] > 0.0f)) v->width[j] = 1.0f;
    }
    return status;
}

static odim_status fit(od_transform *v, const float *x, int64_t n, float *s, float *scratch, int64_t threads,
                       odim_error *err)
{
    int64_t d = v->d;
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < d; j++) {
        double centre, spread;
        measure(x + j, n, d, scratch, &centre, &spread);
        v->centre[j] = (float)centre;
        v->spread[j] = (float)spread;
        if (!(v->spread[j] > 0.0f)) v->spread[j] = 1.0f;
        for (int64_t i = 0; i < n; i++) s[i * d + j] = (float)soft(v, j, (double)x[i * d + j]);
        status = od_poll_check(err);
    }
    if (!status && v->axes) status = find_axes(v, s, n, threads, err);
    float *on = NULL;
    if (!status && !(on = od_alloc((size_t)n, (size_t)(v->axes + 1) * sizeof *on)))
        status = od_fail_nomem(err);
    if (!status) status = project(v, s, n, on, err);
    for (int64_t k = 0; !status && k < v->axes; k++) {
        set_unit(v, k, on + k * n, n, scratch);
        status = od_poll_check(err);
    }
    od_free(on);
    return status ? status : set_bounds(v, x, n, scratch, err);
}

odim_status od_transform_fit(od_transform *v, const float *x, int64_t n, int64_t d, int64_t threads,
                             odim_error *err)
{
    odim_status status = od_transform_new(v, d, od_transform_axes(n, d), err);
    if (status) return status;
    float *s = od_alloc((size_t)n, (size_t)d * sizeof *s);
    float *scratch = od_alloc(2 * (size_t)n + 2 * (size_t)d, sizeof *scratch);
    status = s && scratch ? fit(v, x, n, s, scratch, threads, err) : od_fail_nomem(err);
    od_free(s);
    od_free(scratch);
    if (status) od_transform_free(v);
    return status;
}
