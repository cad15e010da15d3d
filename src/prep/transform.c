/* Fits and applies the transform log-pca, and its inverse. */
#include "prep/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sort.h"
#include "common/mem.h"
#include "base/parallel.h"
#include "base/signed_log.h"
#include "kern/cross.h"
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
#define BLOCK      64 /* rows that are one job */
#define COLUMNS    8  /* columns or axes that are one job */
#define BOUND_ROWS 256
#define LOOK_ROWS  16  /* of these, that are looked at at a time */
#define STRIP      256 /* values whose logarithms are taken at a time */
#define SUMS       16  /* axes that are summed up at a time */

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

/* The soft values of a row: to (d). */
static void soften(const od_transform *v, const float *x, float *to)
{
    const od_dense *dense = od_dense_get();
    double z[STRIP];
    for (int64_t first = 0; first < v->d; first += STRIP) {
        int64_t count = v->d - first < STRIP ? v->d - first : STRIP;
        for (int64_t i = 0, j = first; i < count; i++, j++)
            z[i] = ((double)x[j] - (double)v->centre[j]) / (double)v->spread[j];
        dense->signed_log(z, NULL, count, to + first);
    }
}

/* The places of soft values on the axes, drawn in: on (axes). Some axes at a time, whose sums stay in
 * registers. The order of the sums is that of older versions: detectors that keep rows must know them again.
 */
static void place(const od_transform *v, const float *soft, float *on)
{
    double z[OD_TRANSFORM_AXES];
    for (int64_t first = 0; first < v->axes; first += SUMS) {
        int64_t count = v->axes - first < SUMS ? v->axes - first : SUMS;
        float sum[SUMS] = {0};
        for (int64_t k = 0; k < count; k++) sum[k] = -v->origin[first + k];
        const float *axis = v->axis + first;
        if (count == SUMS)
            for (int64_t j = 0; j < v->d; j++, axis += v->axes)
                for (int k = 0; k < SUMS; k++) sum[k] += soft[j] * axis[k];
        else
            for (int64_t j = 0; j < v->d; j++, axis += v->axes)
                for (int64_t k = 0; k < count; k++) sum[k] += soft[j] * axis[k];
        for (int64_t k = 0; k < count; k++) z[first + k] = (double)sum[k];
    }
    od_dense_get()->signed_log(z, NULL, v->axes, on);
}

/* Before the bounds are taken: to (rows, d + axes) of x (rows, d). */
static void look(const od_transform *v, const float *x, int64_t rows, float *to)
{
    for (int64_t i = 0; i < rows; i++, x += v->d, to += v->d + v->axes) {
        soften(v, x, to);
        place(v, to, to + v->d);
    }
}

void od_transform_apply(const od_transform *v, const float *from, int64_t rows, int64_t d, float *to)
{
    if (!v->d) {
        memcpy(to, from, (size_t)(rows * d) * sizeof *to);
        return;
    }
    int64_t all = v->d + v->axes;
    look(v, from, rows, to);
    for (int64_t i = 0; i < rows; i++, to += all)
        for (int64_t j = 0; j < all; j++) to[j] = (to[j] - v->low[j]) / v->width[j];
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

/* A fit at work. */
typedef struct fitting {
    od_transform *v;
    const float *x; /* (n, d) */
    int64_t n, threads;
    float *s;                 /* (n, d): soft values */
    float *on;                /* (axes, n): their places on the axes */
    double *mean, *deviation; /* (d) of the soft values */
    float *sorted;            /* (threads, n) */
    float *low, *high;        /* (blocks, d + axes): bounds of BOUND_ROWS rows each */
    float *rows;              /* (threads, LOOK_ROWS, d + axes) */
} fitting;

static void soften_column(const fitting *f, int64_t j)
{
    const od_transform *v = f->v;
    double z[STRIP];
    float s[STRIP];
    for (int64_t first = 0; first < f->n; first += STRIP) {
        int64_t count = f->n - first < STRIP ? f->n - first : STRIP;
        for (int64_t i = 0; i < count; i++)
            z[i] = ((double)f->x[(first + i) * v->d + j] - (double)v->centre[j]) / (double)v->spread[j];
        od_dense_get()->signed_log(z, NULL, count, s);
        for (int64_t i = 0; i < count; i++) f->s[(first + i) * v->d + j] = s[i];
    }
}

/* Middle and spread of some columns, and their soft values. */
static void measure_columns(void *ctx, int worker, int64_t first, int64_t end)
{
    const fitting *f = ctx;
    od_transform *v = f->v;
    for (int64_t j = first; j < end; j++) {
        double centre, spread;
        measure(f->x + j, f->n, v->d, f->sorted + worker * f->n, &centre, &spread);
        v->centre[j] = (float)centre;
        v->spread[j] = (float)spread;
        if (!(v->spread[j] > 0.0f)) v->spread[j] = 1.0f;
        soften_column(f, j);
        moments(f->s + j, f->n, v->d, &f->mean[j], &f->deviation[j]);
    }
}

/* Soft values in units of their deviations; a column that is constant is 0. */
static void standard_rows(void *ctx, int64_t first, int64_t end, double *z)
{
    const fitting *f = ctx;
    int64_t d = f->v->d;
    for (int64_t i = first; i < end; i++)
        for (int64_t j = 0; j < d; j++)
            *z++ = f->deviation[j] > 0.0 ? ((double)f->s[i * d + j] - f->mean[j]) / f->deviation[j] : 0.0;
}

/* The axes of the soft values, each in units of the deviation along it. */
static odim_status find_axes(fitting *f, odim_error *err)
{
    od_transform *v = f->v;
    int64_t d = v->d;
    double *c = od_alloc((size_t)d, 2 * (size_t)d * sizeof *c), *vector = c ? c + d * d : NULL;
    double *value = od_alloc((size_t)d, sizeof *value), trace = 0.0;
    odim_status status = c && value ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_cross(f->n, d, standard_rows, f, f->threads, c, err);
    for (int64_t i = 0; !status && i < d * d; i++) c[i] /= (double)f->n;
    for (int64_t j = 0; !status && j < d; j++) trace += c[j * d + j];
    od_eigen_run run = {.threads = (int)f->threads};
    if (!status) status = od_leading(c, d, v->axes, value, vector, &run, err);
    for (int64_t k = 0; !status && k < v->axes; k++) {
        double unit = sqrt(fmax(value[k], 0.0) + FLOOR * trace / (double)d);
        for (int64_t j = 0; unit > 0.0 && j < d; j++)
            v->axis[j * v->axes + k] =
                f->deviation[j] > 0.0 ? (float)(vector[k * d + j] / f->deviation[j] / unit) : 0.0f;
    }
    od_free(c);
    od_free(value);
    return status;
}

static void project_rows(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const fitting *f = ctx;
    const od_transform *v = f->v;
    for (int64_t i = first; i < end; i++) {
        double sum[OD_TRANSFORM_AXES] = {0};
        for (int64_t j = 0; j < v->d; j++)
            for (int64_t k = 0; k < v->axes; k++)
                sum[k] += (double)f->s[i * v->d + j] * (double)v->axis[j * v->axes + k];
        for (int64_t k = 0; k < v->axes; k++) f->on[k * f->n + i] = (float)sum[k];
    }
}

/* With median 0 and interquartile range 1, as the columns were brought to. */
static void set_units(void *ctx, int worker, int64_t first, int64_t end)
{
    const fitting *f = ctx;
    od_transform *v = f->v;
    for (int64_t k = first; k < end; k++) {
        double centre, spread;
        measure(f->on + k * f->n, f->n, 1, f->sorted + worker * f->n, &centre, &spread);
        for (int64_t j = 0; j < v->d; j++)
            v->axis[j * v->axes + k] = (float)((double)v->axis[j * v->axes + k] / spread);
        v->origin[k] = (float)(centre / spread);
    }
}

static void bound_rows(void *ctx, int worker, int64_t first, int64_t end)
{
    const fitting *f = ctx;
    int64_t all = f->v->d + f->v->axes;
    float *low = f->low + first / BOUND_ROWS * all, *high = f->high + first / BOUND_ROWS * all,
          *rows = f->rows + worker * LOOK_ROWS * all;
    for (int64_t at = first; at < end; at += LOOK_ROWS) {
        int64_t count = end - at < LOOK_ROWS ? end - at : LOOK_ROWS;
        look(f->v, f->x + at * f->v->d, count, rows);
        if (at == first) {
            memcpy(low, rows, (size_t)all * sizeof *low);
            memcpy(high, rows, (size_t)all * sizeof *high);
        }
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < all; j++) {
                float value = rows[i * all + j];
                low[j] = value < low[j] ? value : low[j];
                high[j] = value > high[j] ? value : high[j];
            }
    }
}

static odim_status set_bounds(fitting *f, odim_error *err)
{
    od_transform *v = f->v;
    int64_t all = v->d + v->axes, blocks = (f->n + BOUND_ROWS - 1) / BOUND_ROWS;
    f->low = od_alloc((size_t)(2 * blocks + LOOK_ROWS * f->threads), (size_t)all * sizeof *f->low);
    odim_status status = f->low ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        f->high = f->low + blocks * all;
        f->rows = f->high + blocks * all;
        status = od_parallel_ranges(f->threads, f->n, BOUND_ROWS, bound_rows, f, err);
    }
    for (int64_t j = 0; !status && j < all; j++) {
        float low = f->low[j], high = f->high[j];
        for (int64_t b = 1; b < blocks; b++) {
            low = fminf(low, f->low[b * all + j]);
            high = fmaxf(high, f->high[b * all + j]);
        }
        v->low[j] = low;
        v->width[j] = high - low;
        if (!(v->width[j] > 0.0f)) v->width[j] = 1.0f;
    }
    od_free(f->low);
    return status;
}

static odim_status fit(fitting *f, odim_error *err)
{
    const od_transform *v = f->v;
    odim_status status = od_parallel_ranges(f->threads, v->d, COLUMNS, measure_columns, f, err);
    if (!status && v->axes) status = find_axes(f, err);
    if (!status && v->axes) status = od_parallel_ranges(f->threads, f->n, BLOCK, project_rows, f, err);
    if (!status && v->axes) status = od_parallel_ranges(f->threads, v->axes, COLUMNS, set_units, f, err);
    return status ? status : set_bounds(f, err);
}

odim_status od_transform_fit(od_transform *v, const float *x, int64_t n, int64_t d, int64_t threads,
                             odim_error *err)
{
    odim_status status = od_transform_new(v, d, od_transform_axes(n, d), err);
    if (status) return status;
    fitting f = {.v = v, .x = x, .n = n, .threads = threads > 1 ? threads : 1};
    f.s = od_alloc((size_t)n, (size_t)d * sizeof *f.s);
    f.on = od_alloc((size_t)n, (size_t)(v->axes + 1) * sizeof *f.on);
    f.sorted = od_alloc((size_t)f.threads, (size_t)n * sizeof *f.sorted);
    f.mean = od_alloc((size_t)d, 2 * sizeof *f.mean);
    if (!f.s || !f.on || !f.sorted || !f.mean) status = od_fail_nomem(err);
    if (!status) {
        f.deviation = f.mean + d;
        status = fit(&f, err);
    }
    od_free(f.s);
    od_free(f.on);
    od_free(f.sorted);
    od_free(f.mean);
    if (status) od_transform_free(v);
    return status;
}
