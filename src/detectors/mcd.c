/*
 * Robust covariance: the squared Mahalanobis distance by the minimum covariance determinant (FAST-MCD, see
 * detectors/fastmcd.h), made consistent for normal rows by the median of the distances and reweighted once,
 * both as scikit-learn's MinCovDet does.
 *
 * Columns are first brought to one scale by medians. Tables of more than WIDE columns, or of few rows,
 * are turned onto their leading principal axes (detectors/pca_space.h), and what is left over of a row counts
 * beside its distance there. Directions in which the rows that count have no variance are measured by that of
 * all rows; where these have none either, by OD_NO_VARIANCE: a row that leaves the hyperplane of all others
 * is far away. (scikit-learn ignores such directions.)
 */
#include <math.h>
#include <string.h>

#include "base/eigen.h"
#include "common/mem.h"
#include "base/parallel.h"
#include "detectors/pca_space.h"
#include "detectors/chisquare.h"
#include "detectors/covariance.h"
#include "detectors/fastmcd.h"

enum { MIDDLE = OD_PCA_SPACE_ARRAYS, WHITEN }; /* (q); (q, q): a row's distance is |(p - middle) whiten| */

#define WIDE       300
#define MOST_CELLS ((int64_t)1 << 23) /* of rows that are searched; more are represented by some of them */
#define MOST_INPUT ((int64_t)5 << 22) /* cells of rows that are learnt from */
#define KEPT       0.975              /* share of normal rows that count in the end */

/* ---- fitting ------------------------------------------------------------------------------------------- */

typedef struct work {
    int64_t n, q;             /* rows that are searched */
    double *z;                /* (n, q) */
    int32_t *which;           /* (n) */
    double *cov, *u, *factor; /* (q, q) */
    double *value;            /* (q) */
    double *distance, *order; /* (n) */
    double *room;             /* (2 OD_SCATTER_ROWS, q) */
} work;

static bool work_make(work *w)
{
    size_t n = (size_t)w->n, q = (size_t)w->q;
    w->z = od_alloc(n, q * sizeof(double));
    w->which = od_alloc(n, sizeof(int32_t));
    w->cov = od_alloc(3 * q, q * sizeof(double));
    w->distance = od_alloc(2 * n, sizeof(double));
    w->room = od_alloc((2 * OD_SCATTER_ROWS + 1) * q, sizeof(double));
    if (!w->z || !w->which || !w->cov || !w->distance || !w->room) return false;
    w->u = w->cov + q * q;
    w->factor = w->u + q * q;
    w->order = w->distance + n;
    w->value = w->room + (2 * OD_SCATTER_ROWS) * q;
    return true;
}

static void work_free(work *w)
{
    od_free(w->z);
    od_free(w->which);
    od_free(w->cov);
    od_free(w->distance);
    od_free(w->room);
}

/* From the h rows of the best subset to those that count: all that are not far by its covariance, once that
 * is as large as for normal rows. Returns how many. */
static int64_t reweight(work *w, int64_t h, double *mean)
{
    od_mean_covariance(w->z, w->q, w->which, h, mean, w->cov, w->room);
    od_whiten(w->cov, w->q, OD_NO_VARIANCE, w->u, w->factor);
    od_mahalanobis(w->z, w->q, NULL, w->n, mean, w->u, true, w->room, w->distance);
    memcpy(w->order, w->distance, (size_t)w->n * sizeof *w->order);
    double middle = od_median(w->order, w->n);
    double limit = od_chisquare_quantile(KEPT, w->q) * middle / od_chisquare_quantile(0.5, w->q);
    int64_t count = 0;
    for (int64_t i = 0; i < w->n; i++)
        if (w->distance[i] < limit) w->which[count++] = (int32_t)i;
    for (int64_t i = 0; limit <= 0.0 && i < w->n; i++) /* more than half are equal */
        if (w->distance[i] <= 0.0) w->which[count++] = (int32_t)i;
    return count;
}

/* The mean square of all rows along a direction. */
static double variance_along(const work *w, const double *mean, const double *axis)
{
    double sum = 0.0;
    for (int64_t i = 0; i < w->n; i++) {
        double along = 0.0;
        for (int64_t j = 0; j < w->q; j++) along += (w->z[i * w->q + j] - mean[j]) * axis[j];
        sum += along * along;
    }
    return sum / (double)w->n;
}

/* whiten (q, q) of the covariance: an axis a column, over its length. */
static odim_status invert(work *w, const double *mean, double *whiten, int64_t threads, odim_error *err)
{
    int64_t q = w->q;
    od_eigen_run run = {.threads = threads > 1 ? (int)threads : 1};
    odim_status status = od_eigen(w->cov, q, w->value, w->u, &run, err);
    for (int64_t k = 0; !status && k < q; k++) {
        const double *axis = w->u + k * q;
        double variance = w->value[k];
        if (variance < OD_NO_VARIANCE) variance = variance_along(w, mean, axis);
        if (variance < OD_NO_VARIANCE) variance = OD_NO_VARIANCE;
        for (int64_t j = 0; j < q; j++) whiten[j * q + k] = axis[j] / sqrt(variance);
    }
    return status;
}

typedef struct placing {
    const od_detector *c;
    const od_detector_task *task;
    const work *w;
    double *room; /* (workers, OD_SCATTER_ROWS, d) */
} placing;

/* Places of some rows on the axes: together if they lie side by side. */
static void place(void *ctx, int worker, int64_t first, int64_t end)
{
    const placing *p = ctx;
    const work *w = p->w;
    int64_t n = p->task->n, d = p->task->d, step = w->n == n ? end - first : 1;
    double rest[OD_SCATTER_ROWS], *room = p->room + worker * OD_SCATTER_ROWS * d;
    for (int64_t i = first; i < end; i += step)
        od_pca_space_rows(p->c, p->task->x + i * n / w->n * d, step, room, w->z + i * w->q, rest);
}

static odim_status place_rows(const od_detector *c, const od_detector_task *task, work *w, odim_error *err)
{
    placing p = {c, task, w, NULL};
    int64_t threads = task->threads > 1 ? task->threads : 1;
    p.room = od_alloc((size_t)threads, OD_SCATTER_ROWS * (size_t)task->d * sizeof *p.room);
    if (!p.room) return od_fail_nomem(err);
    odim_status status = od_parallel_ranges(threads, w->n, OD_SCATTER_ROWS, place, &p, err);
    od_free(p.room);
    return status;
}

static odim_status search(od_detector *c, const od_detector_task *task, odim_error *err)
{
    int64_t q = c->count[OD_PCA_SPACE_Q], most = MOST_CELLS / q;
    work w = {.n = task->n < most ? task->n : most, .q = q};
    odim_status status = od_detector_array_new(c, MIDDLE, OD_ARRAY_DOUBLE, q, err);
    if (!status) status = od_detector_array_new(c, WHITEN, OD_ARRAY_DOUBLE, q * q, err);
    if (!status && !work_make(&w)) status = od_fail_nomem(err);
    double *mean = c->part[MIDDLE].at.d;
    if (!status) status = place_rows(c, task, &w, err);
    od_mcd_task t = {.z = w.z,
                     .n = w.n,
                     .q = q,
                     .seed = task->seed,
                     .threads = task->threads,
                     .tick = task->tick,
                     .ctx = task->ctx};
    if (!status) status = od_mcd_search(&t, w.which, err);
    if (!status) {
        int64_t count = reweight(&w, od_mcd_support(w.n, q), mean);
        od_mean_covariance(w.z, q, w.which, count, mean, w.cov, w.room);
        status = invert(&w, mean, c->part[WHITEN].at.d, task->threads, err);
    }
    work_free(&w);
    return status;
}

static odim_status fit(od_detector *c, const od_detector_task *task, odim_error *err)
{
    bool plain = task->d <= WIDE && task->n >= OD_PCA_SPACE_ROWS * task->d;
    odim_status status = od_pca_space_scale(c, task, true, err);
    if (!status)
        status = plain ? od_pca_space_none(c, err) : od_pca_space_turn(c, task, WIDE, OD_NO_VARIANCE, err);
    return status ? status : search(c, task, err);
}

/* ---- scoring ------------------------------------------------------------------------------------------- */

static size_t scratch_bytes(const od_detector *c)
{
    size_t q = (size_t)c->count[OD_PCA_SPACE_Q];
    return (OD_DETECTOR_ROWS * ((size_t)c->d + q) + 2 * OD_SCATTER_ROWS * q) * sizeof(double);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *scratch, double *scores)
{
    int64_t q = c->count[OD_PCA_SPACE_Q];
    double *z = scratch, *p = z + OD_DETECTOR_ROWS * c->d, rest[OD_DETECTOR_ROWS];
    od_pca_space_rows(c, x, rows, z, p, rest);
    od_mahalanobis(p, q, NULL, rows, c->part[MIDDLE].at.d, c->part[WHITEN].at.d, false,
                   p + OD_DETECTOR_ROWS * q, scores);
    for (int64_t i = 0; i < rows; i++) scores[i] += od_pca_space_rest(c, rest[i]);
}

/* With y = (p - middle) whiten the distance is |y|^2 = (p - middle) (whiten y). */
static double attribute(const od_detector *c, const float *x, void *scratch, double times, double *part)
{
    int64_t q = c->count[OD_PCA_SPACE_Q];
    double *z = scratch, *p = z + c->d, *y = p + q, *g = y + q, rest;
    const double *middle = c->part[MIDDLE].at.d, *whiten = c->part[WHITEN].at.d;
    od_pca_space_rows(c, x, 1, z, p, &rest);
    if (!c->count[OD_PCA_SPACE_TURNED]) memcpy(z, p, (size_t)q * sizeof *z);
    double sum = od_pca_space_rest(c, rest);
    for (int64_t k = 0; k < q; k++) g[k] = p[k] - middle[k];
    od_product(g, whiten, 1, q, q, false, y);
    for (int64_t k = 0; k < q; k++) {
        g[k] = 0.0;
        for (int64_t l = 0; l < q; l++) g[k] += whiten[k * q + l] * y[l];
        sum += y[k] * y[k];
    }
    od_pca_space_attribute(c, z, p, middle, g, times, part);
    return sum;
}

static odim_status check(const od_detector *c, odim_error *err)
{
    odim_status status = od_pca_space_check(c, err);
    if (status) return status;
    int64_t q = c->count[OD_PCA_SPACE_Q];
    if (c->part[MIDDLE].kind != OD_ARRAY_DOUBLE || c->part[MIDDLE].count != q ||
        c->part[WHITEN].kind != OD_ARRAY_DOUBLE || c->part[WHITEN].count != q * q)
        return od_fail(err, ODIM_ERR_FORMAT, "not a covariance of %lld axes", (long long)q);
    for (int p = MIDDLE; p <= WHITEN; p++)
        for (int64_t i = 0; i < c->part[p].count; i++)
            if (!isfinite(c->part[p].at.d[i]))
                return od_fail(err, ODIM_ERR_FORMAT, "a covariance is not finite");
    return ODIM_OK;
}

const od_detector_kind od_mcd = {
    .method = OD_METHOD_MCD,
    .name = "mcd",
    .fit = fit,
    .scratch = scratch_bytes,
    .score = score,
    .attribute = attribute,
    .check = check,
    .most_cells = MOST_INPUT,
};
