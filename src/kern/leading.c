/*
 * Leading eigenvectors by subspace iteration.
 *
 * A random block of q + EXTRA vectors is multiplied by the matrix and made orthonormal, STEPS times. What it
 * spans is then close to the leading eigenvectors, which are found in it by a small eigenproblem.
 */
#include "kern/leading.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "common/mem.h"
#include "kern/doubles.h"

#define EXTRA 16 /* further vectors, which bring the last ones closer */
#define STEPS 3
#define BAND  32 /* rows of a product that are one job */
#define TAKEN 8  /* vectors that are one job */
#define SMALL 192
#define RIDGE 1e-13 /* of the mean square, so that directions without any variance do no harm */
/* A multiplication takes less time here than in od_eigen, whose loops wait for memory. */
#define SPEED 4.0

typedef struct leading {
    const od_dense *dense;
    const double *a; /* (n, n) */
    int64_t n, m, count, threads;
    double *q, *y;        /* (n, m) */
    double *turned;       /* (m, n): q on its side */
    double *gram, *u, *r; /* (m, m) */
    double *vector;       /* (count, n) */
} leading;

static bool is_worth_it(int64_t n, int64_t q)
{
    return n > SMALL && 2 * (q + EXTRA) < n;
}

double od_leading_work(int64_t n, int64_t q)
{
    double m = (double)(q + EXTRA), rows = (double)n;
    if (!is_worth_it(n, q)) return od_eigen_work(n);
    return ((STEPS + 1) * 2.0 * rows * rows * m + (STEPS + 3) * 4.0 * rows * m * m) / SPEED +
           od_eigen_work(q + EXTRA);
}

/* ---- steps -------------------------------------------------------------------------------------------- */

static void multiply_band(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const leading *l = ctx;
    l->dense->product(l->a + first * l->n, l->q, end - first, l->n, l->m, false, l->y + first * l->m);
}

/* y = a q. */
static odim_status multiply(leading *l, odim_error *err)
{
    return od_parallel_ranges(l->threads, l->n, BAND, multiply_band, l, err);
}

static void gram_band(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const leading *l = ctx;
    memset(l->gram + first * l->m, 0, (size_t)((end - first) * l->m) * sizeof *l->gram);
    for (int64_t i = 0; i < l->n; i += BAND)
        l->dense->scatter(l->y + i * l->m, l->n - i < BAND ? l->n - i : BAND, l->m, first, end, l->gram);
}

static void whiten_band(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const leading *l = ctx;
    l->dense->product(l->y + first * l->m, l->u, end - first, l->m, l->m, true, l->q + first * l->m);
}

/* q = y, made orthonormal. */
static odim_status make_orthonormal(leading *l, odim_error *err)
{
    int64_t m = l->m;
    double square = 0.0;
    odim_status status = od_parallel_ranges(l->threads, m, BAND, gram_band, l, err);
    if (status) return status;
    for (int64_t i = 0; i < m; i++) {
        square += l->gram[i * m + i] / (double)m;
        for (int64_t j = i; j < m; j++) l->gram[j * m + i] = l->gram[i * m + j];
    }
    l->dense->whiten(l->gram, m, fmax(RIDGE * square, 1e-300), l->u, l->r);
    return od_parallel_ranges(l->threads, l->n, BAND, whiten_band, l, err);
}

static odim_status begin(leading *l, odim_error *err)
{
    od_rng s = od_rng_make(0, 0, OD_RNG_AXES, 0);
    for (int64_t i = 0; i < l->n * l->m; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        l->y[i] = (double)w[0] / 4294967296.0 - 0.5;
    }
    return make_orthonormal(l, err);
}

static void project_band(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const leading *l = ctx;
    int64_t m = l->m;
    for (int64_t i = 0; i < l->n; i++)
        for (int64_t j = first; j < end; j++) l->turned[j * l->n + i] = l->q[i * m + j];
    l->dense->product(l->turned + first * l->n, l->y, end - first, l->n, m, false, l->gram + first * m);
}

/* gram = q' y, which is symmetric but for roundings. */
static odim_status project(leading *l, odim_error *err)
{
    int64_t m = l->m;
    odim_status status = od_parallel_ranges(l->threads, m, BAND, project_band, l, err);
    for (int64_t j = 0; !status && j < m; j++)
        for (int64_t k = 0; k < j; k++) {
            double mean = 0.5 * (l->gram[j * m + k] + l->gram[k * m + j]);
            l->gram[j * m + k] = l->gram[k * m + j] = mean;
        }
    return status;
}

/* y (n, count) = q times the vectors in r (m, count). */
static void turn_band(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const leading *l = ctx;
    l->dense->product(l->q + first * l->m, l->r, end - first, l->m, l->count, false, l->y + first * l->count);
}

/* Row k of the vectors is column k of y, with its largest entry, the first of equals, positive. */
static void take_vectors(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const leading *l = ctx;
    int64_t n = l->n;
    for (int64_t k = first; k < end; k++) {
        double *to = l->vector + k * n, largest = 0.0;
        for (int64_t i = 0; i < n; i++) {
            to[i] = l->y[i * l->count + k];
            if (fabs(to[i]) > fabs(largest)) largest = to[i];
        }
        for (int64_t i = 0; largest < 0.0 && i < n; i++) to[i] = -to[i];
    }
}

/* The vectors: those of the small problem, in rows of u, in terms of the q. */
static odim_status turn(leading *l, odim_error *err)
{
    for (int64_t j = 0; j < l->m; j++)
        for (int64_t k = 0; k < l->count; k++) l->r[j * l->count + k] = l->u[k * l->m + j];
    odim_status status = od_parallel_ranges(l->threads, l->n, BAND, turn_band, l, err);
    return status ? status : od_parallel_ranges(l->threads, l->count, TAKEN, take_vectors, l, err);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static odim_status iterate(leading *l, odim_error *err)
{
    odim_status status = begin(l, err);
    for (int step = 0; !status && step < STEPS; step++) {
        status = multiply(l, err);
        if (!status) status = make_orthonormal(l, err);
    }
    if (status) return status;
    memcpy(l->y, l->q, (size_t)(l->n * l->m) * sizeof *l->y);
    status = make_orthonormal(l, err); /* once more: the vectors of y were far from orthogonal */
    if (!status) status = multiply(l, err);
    return status ? status : project(l, err);
}

odim_status od_leading(double *a, int64_t n, int64_t q, double *value, double *vector,
                       const od_eigen_run *run, odim_error *err)
{
    if (!is_worth_it(n, q)) return od_eigen(a, n, value, vector, run, err);
    int64_t m = q + EXTRA;
    leading l = {.dense = od_dense_get(), .a = a, .n = n, .m = m, .count = q, .vector = vector};
    l.threads = run && run->threads > 1 ? run->threads : 1;
    l.q = od_alloc((size_t)n, 3 * (size_t)m * sizeof *l.q);
    l.gram = od_alloc((size_t)m, (3 * (size_t)m + 1) * sizeof *l.gram);
    odim_status status = l.q && l.gram ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        l.y = l.q + n * m;
        l.turned = l.y + n * m;
        l.u = l.gram + m * m;
        l.r = l.u + m * m;
        double *found = l.r + m * m;
        status = iterate(&l, err);
        od_eigen_run small = {.threads = (int)l.threads};
        if (!status) status = od_eigen(l.gram, m, found, l.u, &small, err);
        if (!status) {
            memcpy(value, found, (size_t)q * sizeof *value);
            status = turn(&l, err);
        }
    }
    od_free(l.q);
    od_free(l.gram);
    return status;
}
