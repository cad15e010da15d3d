/* Scales columns, finds their principal axes, and projects rows onto them. */
#include "detectors/pca_space.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/poll.h"
#include "detectors/covariance.h"
#include "kern/leading.h"

#define SAMPLE       4096 /* rows for medians: the scale is to be right, not exact */
#define WIDE         2048 /* columns; of more the axes are those of so many rows */
#define BAND         32   /* columns of a covariance that are one job */
#define TILE         16   /* rows of a Gram matrix that are one job */
#define CHUNK        256  /* of their columns are multiplied at a time: both sides fit into the first cache */
#define STRIP        32   /* columns whose axes are one job */
#define POLL_ROWS    64
#define FLOPS        2.5e9 /* that a thread does in a second, about */
#define NOTE_SECONDS 60.0  /* of work that is announced */

/* ---- scale --------------------------------------------------------------------------------------------- */

/* Means, standard deviations and largest magnitudes (d) of the columns. Row by row, as the values lie. */
static odim_status moments(const od_detector_task *task, double *mean, double *spread, double *largest,
                           odim_error *err)
{
    int64_t d = task->d;
    odim_status status = ODIM_OK;
    for (int64_t j = 0; j < d; j++) mean[j] = spread[j] = largest[j] = 0.0;
    for (int64_t i = 0; !status && i < task->n; i++) {
        const float *x = task->x + i * d;
        for (int64_t j = 0; j < d; j++) {
            double v = (double)x[j];
            mean[j] += v;
            largest[j] = fabs(v) > largest[j] ? fabs(v) : largest[j];
        }
        if (i % POLL_ROWS == 0) status = od_poll_check(err);
    }
    for (int64_t j = 0; j < d; j++) mean[j] /= (double)task->n;
    for (int64_t i = 0; !status && i < task->n; i++) {
        const float *x = task->x + i * d;
        for (int64_t j = 0; j < d; j++) {
            double apart = (double)x[j] - mean[j];
            spread[j] += apart * apart;
        }
        if (i % POLL_ROWS == 0) status = od_poll_check(err);
    }
    for (int64_t j = 0; j < d; j++) spread[j] = sqrt(spread[j] / (double)task->n);
    return status;
}

odim_status od_pca_space_scale(od_detector *c, const od_detector_task *task, bool robust, odim_error *err)
{
    int64_t used = task->n < SAMPLE ? task->n : SAMPLE;
    odim_status status = od_detector_array_new(c, OD_PCA_SPACE_CENTRE, OD_ARRAY_DOUBLE, 2 * task->d, err);
    if (status) return status;
    double *sample = od_alloc((size_t)used, sizeof *sample), *centre = c->part[OD_PCA_SPACE_CENTRE].at.d;
    double *largest = od_alloc((size_t)task->d, sizeof *largest), *scale = centre + task->d;
    status = sample && largest ? moments(task, centre, scale, largest, err) : od_fail_nomem(err);
    for (int64_t j = 0; !status && j < task->d; j++) {
        bool constant = scale[j] <= largest[j] * (double)FLT_EPSILON;
        if (robust) {
            for (int64_t i = 0; i < used; i++) sample[i] = (double)task->x[i * task->n / used * task->d + j];
            centre[j] = od_median(sample, used);
            for (int64_t i = 0; i < used; i++) sample[i] = fabs(sample[i] - centre[j]);
            double typical = 1.482602218505602 * od_median(sample, used);
            if (typical > largest[j] * (double)FLT_EPSILON) scale[j] = typical;
            status = od_poll_check(err);
        }
        if (constant || task->one_unit) scale[j] = 1.0;
    }
    od_free(sample);
    od_free(largest);
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
    int64_t size;         /* of cross */
    double *z;            /* (workers, OD_SCATTER_ROWS, d) */
    double *cross;        /* (size, size), size d or used, whichever is less */
    double *all;          /* (used, d) scaled rows, or NULL: size is d */
    const double *vector; /* (q, size) */
    const double *length; /* (q) */
    double *axes;         /* (d, q) */
    int64_t q;
    int64_t jobs; /* of the stage at work */
    _Atomic int64_t done;
    double from, to; /* of the whole, that the stage is */
} plan;

static int64_t parts_of(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}

static const float *used_row(const plan *p, int64_t i)
{
    return p->task->x + i * p->task->n / p->used * p->task->d;
}

/* Columns number * BAND and on, of all rows. */
static odim_status band(void *ctx, od_parallel *par, int worker, int64_t number, odim_error *err)
{
    (void)err;
    plan *p = ctx;
    int64_t d = p->task->d, first = number * BAND, end = first + BAND < d ? first + BAND : d;
    double *z = p->z + worker * OD_SCATTER_ROWS * d;
    for (int64_t i = 0; i < p->used && !od_parallel_stopped(par); i += OD_SCATTER_ROWS) {
        int64_t rows = p->used - i < OD_SCATTER_ROWS ? p->used - i : OD_SCATTER_ROWS;
        for (int64_t r = 0; r < rows; r++) scale_rows(p->c, used_row(p, i + r), 1, z + r * d);
        od_scatter(z, rows, d, first, end, p->cross);
    }
    atomic_fetch_add(&p->done, 1);
    return ODIM_OK;
}

static int tick(void *ctx)
{
    plan *p = ctx;
    double share = (double)atomic_load(&p->done) / (double)p->jobs;
    od_poll_show(p->from + (p->to - p->from) * share);
    return od_detector_tick(p->task);
}

/* A stage of so many jobs, up to the share `to` of the whole. */
static odim_status run(plan *p, int64_t jobs, od_parallel_job job, double to, odim_error *err)
{
    int threads = p->task->threads > 1 ? (int)p->task->threads : 1;
    p->from = p->to;
    p->to = to;
    p->jobs = jobs;
    p->done = 0;
    return od_parallel_run(threads, jobs, job, tick, p, err);
}

/* cross (d, d) = z'z / used. */
static odim_status covariance(plan *p, double to, odim_error *err)
{
    int64_t d = p->task->d;
    odim_status status = run(p, parts_of(d, BAND), band, to, err);
    for (int64_t i = 0; !status && i < d; i++)
        for (int64_t j = i; j < d; j++)
            p->cross[j * d + i] = p->cross[i * d + j] = p->cross[i * d + j] / (double)p->used;
    return status;
}

static odim_status scale_some(void *ctx, od_parallel *par, int worker, int64_t number, odim_error *err)
{
    (void)par, (void)worker, (void)err;
    plan *p = ctx;
    int64_t d = p->task->d, end = (number + 1) * TILE < p->used ? (number + 1) * TILE : p->used;
    for (int64_t i = number * TILE; i < end; i++) scale_rows(p->c, used_row(p, i), 1, p->all + i * d);
    atomic_fetch_add(&p->done, 1);
    return ODIM_OK;
}

/* Adds the products of two rows, columns 0..count-1, to four chains: column k to chain k mod 4. */
static void add_products(const double *restrict a, const double *restrict b, int64_t count,
                         double chain[restrict 4])
{
    double c0 = chain[0], c1 = chain[1], c2 = chain[2], c3 = chain[3];
    int64_t k = 0;
    for (; k + 4 <= count; k += 4) {
        c0 += a[k] * b[k];
        c1 += a[k + 1] * b[k + 1];
        c2 += a[k + 2] * b[k + 2];
        c3 += a[k + 3] * b[k + 3];
    }
    chain[0] = c0, chain[1] = c1, chain[2] = c2, chain[3] = c3;
    for (int l = 0; k < count; k++, l++) chain[l] += a[k] * b[k];
}

/* Rows i.. times rows j.. of a Gram matrix, at most TILE of each, as far as they are below the diagonal. */
static void multiply_tile(const plan *p, int64_t i0, int64_t j0)
{
    int64_t d = p->task->d, n = p->used;
    int64_t i1 = i0 + TILE < n ? i0 + TILE : n, j1 = j0 + TILE < n ? j0 + TILE : n;
    double chain[TILE][TILE][4] = {0};
    for (int64_t k = 0; k < d; k += CHUNK)
        for (int64_t i = i0; i < i1; i++)
            for (int64_t j = j0; j < j1 && j <= i; j++)
                add_products(p->all + i * d + k, p->all + j * d + k, d - k < CHUNK ? d - k : CHUNK,
                             chain[i - i0][j - j0]);
    for (int64_t i = i0; i < i1; i++)
        for (int64_t j = j0; j < j1 && j <= i; j++) {
            const double *c = chain[i - i0][j - j0];
            p->cross[i * n + j] = p->cross[j * n + i] = ((c[0] + c[1]) + (c[2] + c[3])) / (double)n;
        }
}

/* The last rows have most to do and come first, so that no thread is left with them at the end. */
static odim_status gram_rows(void *ctx, od_parallel *par, int worker, int64_t number, odim_error *err)
{
    (void)worker, (void)err;
    plan *p = ctx;
    int64_t first = (parts_of(p->used, TILE) - 1 - number) * TILE;
    for (int64_t j = 0; j <= first && !od_parallel_stopped(par); j += TILE) multiply_tile(p, first, j);
    atomic_fetch_add(&p->done, 1);
    return ODIM_OK;
}

/* Fewer rows than columns: all (used, d) = z, and cross (used, used) = z z' / used. For an eigenvector u of
 * that, z'u is one of z'z, with the same value. */
static odim_status gram(plan *p, double to, odim_error *err)
{
    odim_status status = run(p, parts_of(p->used, TILE), scale_some, p->to, err);
    return status ? status : run(p, parts_of(p->used, TILE), gram_rows, to, err);
}

/* How many of the values, which fall, are axes. */
static int64_t count_axes(const double *value, int64_t n, int64_t most, double least)
{
    int64_t q = 1;
    while (q < n && q < most && (least == 0.0 || value[q] > least)) q++;
    return q;
}

/* sum (STRIP) of two axes at a time: columns first.. of the rows, each times what it is in the axis. */
static void add_rows(const plan *p, int64_t first, int64_t count, const double *u, const double *v,
                     double *restrict to_u, double *restrict to_v)
{
    int64_t d = p->task->d;
    memset(to_u, 0, STRIP * sizeof *to_u);
    memset(to_v, 0, STRIP * sizeof *to_v);
    for (int64_t i = 0; i < p->used; i++) {
        const double *restrict x = p->all + i * d + first;
        double ui = u[i], vi = v[i];
        for (int64_t j = 0; j < count; j++) {
            to_u[j] += x[j] * ui;
            to_v[j] += x[j] * vi;
        }
    }
}

/* Some columns of all axes. */
static odim_status turn_some(void *ctx, od_parallel *par, int worker, int64_t number, odim_error *err)
{
    (void)worker, (void)err;
    plan *p = ctx;
    int64_t d = p->task->d, q = p->q, first = number * STRIP;
    int64_t count = d - first < STRIP ? d - first : STRIP;
    double sum[2][STRIP];
    for (int64_t k = 0; k < q && !od_parallel_stopped(par); k += 2) {
        int64_t both = k + 1 < q ? 2 : 1;
        if (p->all)
            add_rows(p, first, count, p->vector + k * p->size, p->vector + (k + both - 1) * p->size, sum[0],
                     sum[1]);
        for (int64_t t = 0; t < both; t++)
            for (int64_t j = 0; j < count; j++)
                p->axes[(first + j) * q + k + t] = p->all
                                                       ? sum[t][j] / sqrt(p->length[k + t] * (double)p->used)
                                                       : p->vector[(k + t) * p->size + first + j];
    }
    atomic_fetch_add(&p->done, 1);
    return ODIM_OK;
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
    return run(p, parts_of(d, STRIP), turn_some, 1.0, err);
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
    odim_status status = p->all ? gram(p, first, err) : covariance(p, first, err);
    if (status) return status;
    double trace = 0.0;
    for (int64_t i = 0; i < p->size; i++) trace += p->cross[i * p->size + i];
    od_eigen_run run = {.threads = p->task->threads > 1 ? (int)p->task->threads : 1, first, second};
    int64_t axes = most_axes(p->used, p->task->d, most);
    status = od_leading(p->cross, p->size, axes < p->size ? axes : p->size, value, vector, &run, err);
    if (status) return status;
    p->to = second;
    int64_t q = count_axes(value, p->size, axes, p->all ? OD_NO_VARIANCE : least);
    return keep_axes(c, p, value, vector, q, trace, err);
}

odim_status od_pca_space_turn(od_detector *c, const od_detector_task *task, int64_t most, double least,
                              odim_error *err)
{
    int64_t d = task->d, threads = task->threads > 1 ? task->threads : 1;
    plan p = {.c = c, .task = task, .used = used_rows(task->n, d)};
    bool by_rows = p.used < d;
    p.size = by_rows ? p.used : d;
    size_t cells = (size_t)(p.size * p.size);
    double *value = od_alloc((size_t)p.size, sizeof *value), *vector = od_alloc(cells, sizeof *vector);
    p.all = by_rows ? od_alloc((size_t)p.used, (size_t)d * sizeof *p.all) : NULL;
    p.z = od_alloc((size_t)threads, OD_SCATTER_ROWS * (size_t)d * sizeof *p.z);
    p.cross = od_calloc(cells, sizeof *p.cross);
    odim_status status = ODIM_OK;
    if (!value || !vector || (by_rows && !p.all) || !p.z || !p.cross) status = od_fail_nomem(err);
    if (!status) status = turn(c, &p, most, least, value, vector, err);
    od_poll_show(0.0);
    od_free(value);
    od_free(vector);
    od_free(p.all);
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
