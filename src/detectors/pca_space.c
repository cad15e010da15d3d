/* Scales columns, finds their principal axes, and projects rows onto them. */
#include "detectors/pca_space.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/poll.h"
#include "detectors/covariance.h"
#include "kern/cross.h"
#include "kern/leading.h"

#define SAMPLE       4096 /* rows for medians: the scale is to be right, not exact */
#define WIDE         OD_PCA_SPACE_WIDE
#define COLUMNS      16    /* whose scales are one job */
#define STRIP        32    /* columns whose axes are one job */
#define FLOPS        2.5e9 /* that a thread does in a second, about */
#define NOTE_SECONDS 60.0  /* of work that is announced */

/* ---- scale --------------------------------------------------------------------------------------------- */

typedef struct scaling {
    const od_detector_task *task;
    double *centre, *scale, *largest; /* (d) */
    int64_t used;                     /* rows that medians are taken from */
    double *sample;                   /* (workers, used); NULL: not robust */
} scaling;

/* Means, standard deviations and largest magnitudes of some columns. Row by row, as the values lie. */
static void find_moments(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const scaling *s = ctx;
    int64_t n = s->task->n, d = s->task->d;
    double *mean = s->centre, *spread = s->scale, *largest = s->largest;
    for (int64_t j = first; j < end; j++) mean[j] = spread[j] = largest[j] = 0.0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = first; j < end; j++) {
            double v = (double)s->task->x[i * d + j];
            mean[j] += v;
            largest[j] = fabs(v) > largest[j] ? fabs(v) : largest[j];
        }
    for (int64_t j = first; j < end; j++) mean[j] /= (double)n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = first; j < end; j++) {
            double apart = (double)s->task->x[i * d + j] - mean[j];
            spread[j] += apart * apart;
        }
    for (int64_t j = first; j < end; j++) spread[j] = sqrt(spread[j] / (double)n);
}

/* Medians, and scales of some columns. */
static void find_scales(void *ctx, int worker, int64_t first, int64_t end)
{
    const scaling *s = ctx;
    int64_t n = s->task->n, d = s->task->d;
    double *sample = s->sample ? s->sample + worker * s->used : NULL;
    for (int64_t j = first; j < end; j++) {
        double least = s->largest[j] * (double)FLT_EPSILON;
        bool constant = s->scale[j] <= least;
        if (sample) {
            for (int64_t i = 0; i < s->used; i++) sample[i] = (double)s->task->x[i * n / s->used * d + j];
            s->centre[j] = od_median(sample, s->used);
            for (int64_t i = 0; i < s->used; i++) sample[i] = fabs(sample[i] - s->centre[j]);
            double typical = 1.482602218505602 * od_median(sample, s->used);
            if (typical > least) s->scale[j] = typical;
        }
        if (constant || s->task->one_unit) s->scale[j] = 1.0;
    }
}

odim_status od_pca_space_scale(od_detector *c, const od_detector_task *task, bool robust, odim_error *err)
{
    int64_t d = task->d, threads = task->threads > 1 ? task->threads : 1;
    odim_status status = od_detector_array_new(c, OD_PCA_SPACE_CENTRE, OD_ARRAY_DOUBLE, 2 * d, err);
    if (status) return status;
    scaling s = {.task = task, .used = task->n < SAMPLE ? task->n : SAMPLE};
    s.centre = c->part[OD_PCA_SPACE_CENTRE].at.d;
    s.scale = s.centre + d;
    s.largest = od_alloc((size_t)d, sizeof *s.largest);
    if (robust) s.sample = od_alloc((size_t)threads, (size_t)s.used * sizeof *s.sample);
    if (!s.largest || (robust && !s.sample)) status = od_fail_nomem(err);
    if (!status) status = od_parallel_ranges(threads, d, COLUMNS, find_moments, &s, err);
    if (!status) status = od_parallel_ranges(threads, d, COLUMNS, find_scales, &s, err);
    od_free(s.sample);
    od_free(s.largest);
    return status;
}

static void scale_rows(const od_detector *c, const float *x, int64_t rows, double *z)
{
    const double *centre = c->part[OD_PCA_SPACE_CENTRE].at.d, *scale = centre + c->d;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < c->d; j++) z[i * c->d + j] = ((double)x[i * c->d + j] - centre[j]) / scale[j];
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

typedef struct plan {
    const od_detector *c;
    const od_detector_task *task;
    int64_t used;         /* rows */
    bool by_rows;         /* there are fewer of them than columns */
    int64_t size;         /* d or used, whichever is less */
    double *cross;        /* (size, size) */
    double *turned;       /* (size, q): the vectors, a column each */
    double *z;            /* (workers, STRIP, size) */
    const double *vector; /* (q, size) */
    const double *length; /* (q) */
    double *axes;         /* (d, q) */
    int64_t q;
} plan;

static const float *used_row(const plan *p, int64_t i)
{
    int64_t row = i * p->task->n / p->used;
    return p->task->x + (p->task->which ? p->task->which[row] : row) * p->task->d;
}

static void scaled_rows(void *ctx, int64_t first, int64_t end, double *z)
{
    const plan *p = ctx;
    for (int64_t i = first; i < end; i++) scale_rows(p->c, used_row(p, i), 1, z + (i - first) * p->c->d);
}

/* The same rows on their sides: z (end - first, used) has a row for each column. */
static void scaled_columns(void *ctx, int64_t first, int64_t end, double *z)
{
    const plan *p = ctx;
    const double *centre = p->c->part[OD_PCA_SPACE_CENTRE].at.d, *scale = centre + p->c->d;
    for (int64_t i = 0; i < p->used; i++) {
        const float *x = used_row(p, i);
        for (int64_t j = first; j < end; j++)
            z[(j - first) * p->used + i] = ((double)x[j] - centre[j]) / scale[j];
    }
}

/* cross (d, d) = z'z / used or, of fewer rows than columns, (used, used) = z z' / used. For an eigenvector u
 * of that, z'u is one of z'z, with the same value. */
static odim_status multiply(plan *p, odim_error *err)
{
    odim_status status =
        od_cross(p->by_rows ? p->task->d : p->used, p->size, p->by_rows ? scaled_columns : scaled_rows, p,
                 p->task->threads, p->cross, err);
    for (int64_t i = 0; !status && i < p->size * p->size; i++) p->cross[i] /= (double)p->used;
    return status;
}

/* How many of the values, which fall, are axes. */
static int64_t count_axes(const double *value, int64_t n, int64_t most, double least)
{
    int64_t q = 1;
    while (q < n && q < most && (least == 0.0 || value[q] > least)) q++;
    return q;
}

/* Some columns of all axes. */
static void turn_some(void *ctx, int worker, int64_t first, int64_t end)
{
    const plan *p = ctx;
    int64_t q = p->q;
    double *axes = p->axes + first * q;
    if (!p->by_rows) {
        for (int64_t j = first; j < end; j++)
            for (int64_t k = 0; k < q; k++) p->axes[j * q + k] = p->vector[k * p->size + j];
        return;
    }
    double *z = p->z + worker * STRIP * p->size;
    scaled_columns(ctx, first, end, z);
    od_product(z, p->turned, end - first, p->size, q, false, axes);
    for (int64_t j = 0; j < end - first; j++)
        for (int64_t k = 0; k < q; k++) axes[j * q + k] /= sqrt(p->length[k] * (double)p->used);
}

static odim_status keep_axes(od_detector *c, plan *p, const double *value, const double *vector, int64_t q,
                             double trace, odim_error *err)
{
    int64_t d = c->d;
    odim_status status = od_detector_array_new(c, OD_PCA_SPACE_AXES, OD_ARRAY_DOUBLE, d * q, err);
    if (!status) status = od_detector_array_new(c, OD_PCA_SPACE_LENGTH, OD_ARRAY_DOUBLE, q + 1, err);
    if (status) return status;
    double *length = c->part[OD_PCA_SPACE_LENGTH].at.d;
    c->count[OD_PCA_SPACE_Q] = q;
    c->count[OD_PCA_SPACE_TURNED] = 1;
    for (int64_t k = 0; k < q; k++) {
        length[k] = value[k] > OD_NO_VARIANCE ? value[k] : OD_NO_VARIANCE;
        trace -= value[k];
    }
    double left = q < d ? trace / (double)(d - q) : 0.0;
    length[q] = left > OD_NO_VARIANCE ? left : OD_NO_VARIANCE;
    p->q = q;
    p->vector = vector;
    p->length = length;
    p->axes = c->part[OD_PCA_SPACE_AXES].at.d;
    for (int64_t i = 0; p->by_rows && i < p->size; i++)
        for (int64_t k = 0; k < q; k++) p->turned[i * q + k] = vector[k * p->size + i];
    return od_parallel_ranges(p->task->threads, d, STRIP, turn_some, p, err);
}

/* ---- work ---------------------------------------------------------------------------------------------- */

/* Operations of the three stages: products, eigenvectors, axes. */
typedef struct effort {
    double products, eigen, axes;
} effort;

static int64_t used_rows(int64_t n, int64_t d)
{
    return d > WIDE && n > WIDE ? WIDE : n;
}

static int64_t most_axes(int64_t n, int64_t d, int64_t most)
{
    int64_t affordable = n / OD_PCA_SPACE_ROWS > 1 ? n / OD_PCA_SPACE_ROWS : 1;
    if (d <= affordable) affordable = d;
    return most < affordable ? most : affordable;
}

static effort expect(int64_t n, int64_t d, int64_t most)
{
    int64_t used = used_rows(n, d), size = used < d ? used : d;
    double rows = (double)used, columns = (double)d;
    effort e = {.products = rows * columns * (double)size,
                .eigen = od_leading_work(size, most_axes(used, d, most))};
    if (used < d) e.axes = 2.0 * rows * columns * (double)most_axes(used, d, most);
    return e;
}

double od_pca_space_seconds(int64_t n, int64_t d, int64_t most, int64_t threads)
{
    effort e = expect(n, d, most);
    return (e.products + e.eigen + e.axes) / (FLOPS * (double)(threads > 1 ? threads : 1));
}

/* All other work of the fit reports progress, or is done within seconds. */
void od_pca_space_note(od_method method, const od_detector_task *task, const odim_hooks *hooks)
{
    if (!hooks || !hooks->note) return;
    if (method != OD_METHOD_PCA && method != OD_METHOD_MCD && method != OD_METHOD_TRUSTED_KNN) return;
    double seconds = od_pca_space_seconds(task->n, task->d, task->d, task->threads);
    if (seconds < NOTE_SECONDS) return;
    char text[200];
    snprintf(text, sizeof text,
             "%lld features: finding their principal axes takes about %.0f minutes; fewer columns take less, "
             "and method iforest needs no axes",
             (long long)task->d, ceil(seconds / 60.0));
    hooks->note(text, hooks->user);
}

static odim_status turn(od_detector *c, plan *p, int64_t most, double least, double *value, double *vector,
                        odim_error *err)
{
    effort e = expect(p->used, p->task->d, most);
    double all = e.products + e.eigen + e.axes, first = e.products / all, second = first + e.eigen / all;
    odim_status status = multiply(p, err);
    if (status) return status;
    double trace = 0.0;
    for (int64_t i = 0; i < p->size; i++) trace += p->cross[i * p->size + i];
    od_eigen_run run = {.threads = p->task->threads > 1 ? (int)p->task->threads : 1, first, second};
    int64_t axes = most_axes(p->used, p->task->d, most);
    status = od_leading(p->cross, p->size, axes < p->size ? axes : p->size, value, vector, &run, err);
    if (status) return status;
    od_poll_show(second);
    int64_t q = count_axes(value, p->size, axes, p->by_rows ? OD_NO_VARIANCE : least);
    p->turned = p->cross; /* no longer needed */
    return keep_axes(c, p, value, vector, q, trace, err);
}

odim_status od_pca_space_turn(od_detector *c, const od_detector_task *task, int64_t most, double least,
                              odim_error *err)
{
    int64_t d = task->d, threads = task->threads > 1 ? task->threads : 1;
    plan p = {.c = c, .task = task, .used = used_rows(task->n, d)};
    p.by_rows = p.used < d;
    p.size = p.by_rows ? p.used : d;
    size_t cells = (size_t)(p.size * p.size);
    double *value = od_alloc((size_t)p.size, sizeof *value), *vector = od_alloc(cells, sizeof *vector);
    if (p.by_rows) p.z = od_alloc((size_t)threads, STRIP * (size_t)p.size * sizeof *p.z);
    p.cross = od_alloc(cells, sizeof *p.cross);
    odim_status status = ODIM_OK;
    if (!value || !vector || (p.by_rows && !p.z) || !p.cross) status = od_fail_nomem(err);
    if (!status) status = turn(c, &p, most, least, value, vector, err);
    od_poll_show(0.0);
    od_free(value);
    od_free(vector);
    od_free(p.z);
    od_free(p.cross);
    return status;
}

odim_status od_pca_space_none(od_detector *c, odim_error *err)
{
    c->count[OD_PCA_SPACE_Q] = c->d;
    c->count[OD_PCA_SPACE_TURNED] = 0;
    odim_status status = od_detector_array_new(c, OD_PCA_SPACE_LENGTH, OD_ARRAY_DOUBLE, c->d + 1, err);
    for (int64_t k = 0; !status && k <= c->d; k++) c->part[OD_PCA_SPACE_LENGTH].at.d[k] = 1.0;
    return status;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

void od_pca_space_rows(const od_detector *c, const float *x, int64_t rows, double *z, double *p, double *rest)
{
    int64_t d = c->d, q = c->count[OD_PCA_SPACE_Q];
    bool turned = c->count[OD_PCA_SPACE_TURNED];
    scale_rows(c, x, rows, turned ? z : p);
    memset(rest, 0, (size_t)rows * sizeof *rest);
    if (!turned) return;
    od_product(z, c->part[OD_PCA_SPACE_AXES].at.d, rows, d, q, false, p);
    for (int64_t i = 0; q < d && i < rows; i++) {
        for (int64_t j = 0; j < d; j++) rest[i] += z[i * d + j] * z[i * d + j];
        for (int64_t k = 0; k < q; k++) rest[i] -= p[i * q + k] * p[i * q + k];
        if (rest[i] < 0.0) rest[i] = 0.0;
    }
}

/* With a the axes: (p - middle) g = (z - a middle)' a g, and what is left of the row is z - a p. */
void od_pca_space_attribute(const od_detector *c, const double *z, const double *p, const double *middle,
                            const double *g, double times, double *part)
{
    int64_t q = c->count[OD_PCA_SPACE_Q];
    for (int64_t j = 0; j < c->d; j++) {
        double from = z[j], slope = 0.0, left = z[j];
        for (int64_t k = 0; k < q; k++) {
            double a =
                c->count[OD_PCA_SPACE_TURNED] ? c->part[OD_PCA_SPACE_AXES].at.d[j * q + k] : (double)(j == k);
            if (middle) from -= a * middle[k];
            slope += a * g[k];
            left -= a * p[k];
        }
        part[j] += times * (from * slope + (q < c->d ? od_pca_space_rest(c, left * left) : 0.0));
    }
}

double od_pca_space_rest(const od_detector *c, double rest)
{
    return rest / c->part[OD_PCA_SPACE_LENGTH].at.d[c->count[OD_PCA_SPACE_Q]];
}

odim_status od_pca_space_check(const od_detector *c, odim_error *err)
{
    int64_t q = c->count[OD_PCA_SPACE_Q], turned = c->count[OD_PCA_SPACE_TURNED], d = c->d;
    const od_detector_array *centre = &c->part[OD_PCA_SPACE_CENTRE], *axes = &c->part[OD_PCA_SPACE_AXES],
                            *length = &c->part[OD_PCA_SPACE_LENGTH];
    if (d < 1 || d > INT32_MAX || q < 1 || q > d || turned < 0 || turned > 1 || (!turned && q != d))
        return od_fail(err, ODIM_ERR_FORMAT, "out of range: number of axes");
    if (centre->kind != OD_ARRAY_DOUBLE || centre->count != 2 * d || length->kind != OD_ARRAY_DOUBLE ||
        length->count != q + 1 || (turned && (axes->kind != OD_ARRAY_DOUBLE || axes->count != d * q)))
        return od_fail(err, ODIM_ERR_FORMAT, "not the arrays of %lld axes", (long long)q);
    for (int part = 0; part < OD_PCA_SPACE_ARRAYS; part++)
        for (int64_t i = 0; (turned || part != OD_PCA_SPACE_AXES) && i < c->part[part].count; i++) {
            double v = c->part[part].at.d[i];
            bool divides = part == OD_PCA_SPACE_LENGTH || (part == OD_PCA_SPACE_CENTRE && i >= d);
            if (!isfinite(v) || (divides && v <= 0.0))
                return od_fail(err, ODIM_ERR_FORMAT, "out of range: axes or scales");
        }
    return ODIM_OK;
}
