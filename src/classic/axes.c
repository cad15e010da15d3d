#include "classic/axes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/eigen.h"
#include "base/mem.h"
#include "base/par.h"
#include "classic/covariance.h"

#define SAMPLE 4096 /* rows for medians: the scale is to be right, not exact */
#define WIDE   2048 /* columns; of more the axes are those of so many rows */
#define BAND   32   /* columns of a covariance that are one job */

/* ---- scale --------------------------------------------------------------------------------------------- */

static void moments(const od_classic_task *task, int64_t j, double *mean, double *spread, double *largest)
{
    double sum = 0.0, square = 0.0;
    *largest = 0.0;
    for (int64_t i = 0; i < task->n; i++) {
        double x = (double)task->x[i * task->d + j];
        sum += x;
        *largest = fabs(x) > *largest ? fabs(x) : *largest;
    }
    *mean = sum / (double)task->n;
    for (int64_t i = 0; i < task->n; i++) {
        double apart = (double)task->x[i * task->d + j] - *mean;
        square += apart * apart;
    }
    *spread = sqrt(square / (double)task->n);
}

odim_status od_axes_scale(od_classic *c, const od_classic_task *task, bool robust, odim_error *err)
{
    int64_t used = task->n < SAMPLE ? task->n : SAMPLE;
    odim_status status = od_classic_part(c, OD_AXES_CENTRE, OD_PART_DOUBLE, 2 * task->d, err);
    if (status) return status;
    double *sample = od_alloc((size_t)used, sizeof *sample), *centre = c->part[OD_AXES_CENTRE].at.d;
    if (!sample) return od_fail_nomem(err);
    for (int64_t j = 0; j < task->d; j++) {
        double middle, spread, largest;
        moments(task, j, &middle, &spread, &largest);
        bool constant = spread <= largest * (double)FLT_EPSILON;
        if (robust) {
            for (int64_t i = 0; i < used; i++) sample[i] = (double)task->x[i * task->n / used * task->d + j];
            middle = od_median(sample, used);
            for (int64_t i = 0; i < used; i++) sample[i] = fabs(sample[i] - middle);
            double typical = 1.482602218505602 * od_median(sample, used);
            if (typical > largest * (double)FLT_EPSILON) spread = typical;
        }
        centre[j] = middle;
        centre[task->d + j] = constant ? 1.0 : spread;
    }
    od_free(sample);
    return ODIM_OK;
}

static void scale_rows(const od_classic *c, const float *x, int64_t rows, double *z)
{
    const double *centre = c->part[OD_AXES_CENTRE].at.d, *scale = centre + c->d;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < c->d; j++) z[i * c->d + j] = ((double)x[i * c->d + j] - centre[j]) / scale[j];
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

typedef struct plan {
    const od_classic *c;
    const od_classic_task *task;
    int64_t used;  /* rows */
    double *z;     /* (workers, OD_SCATTER_ROWS, d) */
    double *cross; /* (d, d), or (used, used) where that is less */
} plan;

static const float *used_row(const plan *p, int64_t i)
{
    return p->task->x + i * p->task->n / p->used * p->task->d;
}

/* Columns number * BAND and on, of all rows. */
static odim_status band(void *ctx, od_par *par, int worker, int64_t number, odim_error *err)
{
    (void)err;
    const plan *p = ctx;
    int64_t d = p->task->d, first = number * BAND, end = first + BAND < d ? first + BAND : d;
    double *z = p->z + worker * OD_SCATTER_ROWS * d;
    for (int64_t i = 0; i < p->used && !od_par_stopped(par); i += OD_SCATTER_ROWS) {
        int64_t rows = p->used - i < OD_SCATTER_ROWS ? p->used - i : OD_SCATTER_ROWS;
        for (int64_t r = 0; r < rows; r++) scale_rows(p->c, used_row(p, i + r), 1, z + r * d);
        od_scatter(z, rows, d, first, end, p->cross);
    }
    return ODIM_OK;
}

static int tick(void *ctx)
{
    const plan *p = ctx;
    return od_classic_tick(p->task);
}

/* cross (d, d) = z'z / used. */
static odim_status covariance(plan *p, odim_error *err)
{
    int64_t d = p->task->d;
    int threads = p->task->threads > 1 ? (int)p->task->threads : 1;
    odim_status status = od_par_run(threads, (d + BAND - 1) / BAND, band, tick, p, err);
    for (int64_t i = 0; !status && i < d; i++)
        for (int64_t j = i; j < d; j++)
            p->cross[j * d + i] = p->cross[i * d + j] = p->cross[i * d + j] / (double)p->used;
    return status;
}

/* Fewer rows than columns: all (used, d) = z, and cross (used, used) = z z' / used. For an eigenvector u of
 * that, z'u is one of z'z, with the same value. */
static void gram(plan *p, double *all)
{
    int64_t d = p->task->d, n = p->used;
    for (int64_t i = 0; i < n; i++) scale_rows(p->c, used_row(p, i), 1, all + i * d);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double chain[4] = {0};
            for (int64_t k = 0; k < d; k++) chain[k % 4] += all[i * d + k] * all[j * d + k];
            p->cross[i * n + j] = p->cross[j * n + i] =
                ((chain[0] + chain[1]) + (chain[2] + chain[3])) / (double)n;
        }
}

/* How many of the values, which fall, are axes. */
static int64_t count_axes(const double *value, int64_t n, int64_t most, double least)
{
    int64_t q = 1;
    while (q < n && q < most && (least == 0.0 || value[q] > least)) q++;
    return q;
}

static odim_status keep_axes(od_classic *c, const plan *p, const double *value, const double *vector,
                             const double *all, int64_t size, int64_t q, double trace, odim_error *err)
{
    int64_t d = c->d;
    odim_status status = od_classic_part(c, OD_AXES_AXES, OD_PART_DOUBLE, d * q, err);
    if (!status) status = od_classic_part(c, OD_AXES_LENGTH, OD_PART_DOUBLE, q + 1, err);
    if (status) return status;
    double *axes = c->part[OD_AXES_AXES].at.d, *length = c->part[OD_AXES_LENGTH].at.d;
    c->count[OD_AXES_Q] = q;
    c->count[OD_AXES_TURNED] = 1;
    for (int64_t k = 0; k < q; k++) {
        length[k] = value[k] > OD_NO_VARIANCE ? value[k] : OD_NO_VARIANCE;
        trace -= value[k];
        for (int64_t j = 0; j < d; j++) {
            double sum = 0.0;
            if (!all) sum = vector[k * size + j];
            for (int64_t i = 0; all && i < p->used; i++) sum += all[i * d + j] * vector[k * size + i];
            axes[j * q + k] = all ? sum / sqrt(length[k] * (double)p->used) : sum;
        }
    }
    double left = q < d ? trace / (double)(d - q) : 0.0;
    length[q] = left > OD_NO_VARIANCE ? left : OD_NO_VARIANCE;
    return ODIM_OK;
}

odim_status od_axes_turn(od_classic *c, const od_classic_task *task, int64_t most, double least,
                         odim_error *err)
{
    int64_t d = task->d, threads = task->threads > 1 ? task->threads : 1;
    plan p = {.c = c, .task = task, .used = d > WIDE && task->n > WIDE ? WIDE : task->n};
    bool by_rows = p.used < d;
    int64_t size = by_rows ? p.used : d;
    int64_t affordable = p.used / OD_AXES_ROWS > 1 ? p.used / OD_AXES_ROWS : 1;
    if (d <= affordable) affordable = d;
    size_t cells = (size_t)(size * size);
    double *value = od_alloc((size_t)size, sizeof *value), *vector = od_alloc(cells, sizeof *vector);
    double *all = by_rows ? od_alloc((size_t)p.used, (size_t)d * sizeof *all) : NULL;
    p.z = od_alloc((size_t)threads, OD_SCATTER_ROWS * (size_t)d * sizeof *p.z);
    p.cross = od_calloc(cells, sizeof *p.cross);
    odim_status status = ODIM_OK;
    if (!value || !vector || (by_rows && !all) || !p.z || !p.cross) status = od_fail_nomem(err);
    if (!status && by_rows) gram(&p, all);
    if (!status && !by_rows) status = covariance(&p, err);
    double trace = 0.0;
    for (int64_t i = 0; !status && i < size; i++) trace += p.cross[i * size + i];
    if (!status) status = od_eigen(p.cross, size, value, vector, err);
    if (!status) {
        int64_t q =
            count_axes(value, size, most < affordable ? most : affordable, by_rows ? OD_NO_VARIANCE : least);
        status = keep_axes(c, &p, value, vector, all, size, q, trace, err);
    }
    od_free(value);
    od_free(vector);
    od_free(all);
    od_free(p.z);
    od_free(p.cross);
    return status;
}

odim_status od_axes_none(od_classic *c, odim_error *err)
{
    c->count[OD_AXES_Q] = c->d;
    c->count[OD_AXES_TURNED] = 0;
    odim_status status = od_classic_part(c, OD_AXES_LENGTH, OD_PART_DOUBLE, c->d + 1, err);
    for (int64_t k = 0; !status && k <= c->d; k++) c->part[OD_AXES_LENGTH].at.d[k] = 1.0;
    return status;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

void od_axes_rows(const od_classic *c, const float *x, int64_t rows, double *z, double *p, double *rest)
{
    int64_t d = c->d, q = c->count[OD_AXES_Q];
    bool turned = c->count[OD_AXES_TURNED];
    scale_rows(c, x, rows, turned ? z : p);
    memset(rest, 0, (size_t)rows * sizeof *rest);
    if (!turned) return;
    od_product(z, c->part[OD_AXES_AXES].at.d, rows, d, q, false, p);
    for (int64_t i = 0; q < d && i < rows; i++) {
        for (int64_t j = 0; j < d; j++) rest[i] += z[i * d + j] * z[i * d + j];
        for (int64_t k = 0; k < q; k++) rest[i] -= p[i * q + k] * p[i * q + k];
        if (rest[i] < 0.0) rest[i] = 0.0;
    }
}

/* With a the axes: (p - middle) g = (z - a middle)' a g, and what is left of the row is z - a p. */
void od_axes_account(const od_classic *c, const double *z, const double *p, const double *middle,
                     const double *g, double times, double *part)
{
    int64_t q = c->count[OD_AXES_Q];
    for (int64_t j = 0; j < c->d; j++) {
        double from = z[j], slope = 0.0, left = z[j];
        for (int64_t k = 0; k < q; k++) {
            double a = c->count[OD_AXES_TURNED] ? c->part[OD_AXES_AXES].at.d[j * q + k] : (double)(j == k);
            if (middle) from -= a * middle[k];
            slope += a * g[k];
            left -= a * p[k];
        }
        part[j] += times * (from * slope + (q < c->d ? od_axes_rest(c, left * left) : 0.0));
    }
}

double od_axes_rest(const od_classic *c, double rest)
{
    return rest / c->part[OD_AXES_LENGTH].at.d[c->count[OD_AXES_Q]];
}

odim_status od_axes_check(const od_classic *c, odim_error *err)
{
    int64_t q = c->count[OD_AXES_Q], turned = c->count[OD_AXES_TURNED], d = c->d;
    const od_part *centre = &c->part[OD_AXES_CENTRE], *axes = &c->part[OD_AXES_AXES],
                  *length = &c->part[OD_AXES_LENGTH];
    if (d < 1 || d > INT32_MAX || q < 1 || q > d || turned < 0 || turned > 1 || (!turned && q != d))
        return od_fail(err, ODIM_ERR_FORMAT, "out of range: number of axes");
    if (centre->kind != OD_PART_DOUBLE || centre->count != 2 * d || length->kind != OD_PART_DOUBLE ||
        length->count != q + 1 || (turned && (axes->kind != OD_PART_DOUBLE || axes->count != d * q)))
        return od_fail(err, ODIM_ERR_FORMAT, "not the arrays of %lld axes", (long long)q);
    for (int part = 0; part < OD_AXES_PARTS; part++)
        for (int64_t i = 0; (turned || part != OD_AXES_AXES) && i < c->part[part].count; i++) {
            double v = c->part[part].at.d[i];
            bool divides = part == OD_AXES_LENGTH || (part == OD_AXES_CENTRE && i >= d);
            if (!isfinite(v) || (divides && v <= 0.0))
                return od_fail(err, ODIM_ERR_FORMAT, "out of range: axes or scales");
        }
    return ODIM_OK;
}
