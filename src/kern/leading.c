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
#include "base/poll.h"
#include "base/rng.h"
#include "common/mem.h"
#include "kern/doubles.h"

#define EXTRA 16 /* further vectors, which bring the last ones closer */
#define STEPS 6
#define BAND  32 /* rows of a product that are one job */
#define SMALL 192
#define RIDGE 1e-13 /* of the mean square, so that directions without any variance do no harm */
/* A multiplication takes less time here than in od_eigen, whose loops wait for memory. */
#define SPEED 4.0

typedef struct leading {
    const od_dense *dense;
    const double *a; /* (n, n) */
    int64_t n, m;
    double *q, *y;        /* (n, m) */
    double *gram, *u, *r; /* (m, m) */
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

static odim_status multiply_band(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    (void)par, (void)worker, (void)err;
    const leading *l = ctx;
    int64_t first = job * BAND, rows = l->n - first < BAND ? l->n - first : BAND;
    l->dense->product(l->a + first * l->n, l->q, rows, l->n, l->m, false, l->y + first * l->m);
    return ODIM_OK;
}

/* y = a q. */
static odim_status multiply(leading *l, int threads, odim_error *err)
{
    return od_parallel_run(threads, (l->n + BAND - 1) / BAND, multiply_band, NULL, l, err);
}

/* q = y, made orthonormal. */
static void make_orthonormal(leading *l)
{
    int64_t n = l->n, m = l->m;
    double square = 0.0;
    memset(l->gram, 0, (size_t)(m * m) * sizeof *l->gram);
    l->dense->scatter(l->y, n, m, 0, m, l->gram);
    for (int64_t i = 0; i < m; i++) {
        square += l->gram[i * m + i] / (double)m;
        for (int64_t j = i; j < m; j++) l->gram[j * m + i] = l->gram[i * m + j];
    }
    l->dense->whiten(l->gram, m, fmax(RIDGE * square, 1e-300), l->u, l->r);
    l->dense->product(l->y, l->u, n, m, m, true, l->q);
}

static void begin(leading *l)
{
    od_rng s = od_rng_make(0, 0, OD_RNG_AXES, 0);
    for (int64_t i = 0; i < l->n * l->m; i++) {
        uint32_t w[4];
        od_rng_block(&s, (uint64_t)i, w);
        l->y[i] = (double)w[0] / 4294967296.0 - 0.5;
    }
    make_orthonormal(l);
}

/* gram = q' y, which is symmetric but for roundings. */
static void project(leading *l)
{
    int64_t n = l->n, m = l->m;
    memset(l->gram, 0, (size_t)(m * m) * sizeof *l->gram);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++)
            for (int64_t k = 0; k < m; k++) l->gram[j * m + k] += l->q[i * m + j] * l->y[i * m + k];
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = 0; k < j; k++) {
            double mean = 0.5 * (l->gram[j * m + k] + l->gram[k * m + j]);
            l->gram[j * m + k] = l->gram[k * m + j] = mean;
        }
}

/* Row k of vector: w[k] of the q, with its largest entry, the first of equals, positive. */
static void turn(const leading *l, const double *w, int64_t count, double *vector)
{
    int64_t n = l->n, m = l->m;
    for (int64_t k = 0; k < count; k++) {
        double *to = vector + k * n, largest = 0.0;
        for (int64_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (int64_t j = 0; j < m; j++) sum += w[k * m + j] * l->q[i * m + j];
            to[i] = sum;
            if (fabs(sum) > fabs(largest)) largest = sum;
        }
        for (int64_t i = 0; largest < 0.0 && i < n; i++) to[i] = -to[i];
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static odim_status iterate(leading *l, int threads, odim_error *err)
{
    odim_status status = ODIM_OK;
    begin(l);
    for (int step = 0; !status && step < STEPS; step++) {
        status = multiply(l, threads, err);
        if (!status) make_orthonormal(l);
        if (!status) status = od_poll_check(err);
    }
    if (status) return status;
    memcpy(l->y, l->q, (size_t)(l->n * l->m) * sizeof *l->y);
    make_orthonormal(l); /* once more: the vectors of y were far from orthogonal */
    status = multiply(l, threads, err);
    if (!status) project(l);
    return status;
}

odim_status od_leading(double *a, int64_t n, int64_t q, double *value, double *vector,
                       const od_eigen_run *run, odim_error *err)
{
    if (!is_worth_it(n, q)) return od_eigen(a, n, value, vector, run, err);
    int64_t m = q + EXTRA;
    leading l = {.dense = od_dense_get(), .a = a, .n = n, .m = m};
    l.q = od_alloc((size_t)n, 2 * (size_t)m * sizeof *l.q);
    l.gram = od_alloc((size_t)m, (3 * (size_t)m + 1) * sizeof *l.gram);
    odim_status status = l.q && l.gram ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        l.y = l.q + n * m;
        l.u = l.gram + m * m;
        l.r = l.u + m * m;
        double *found = l.r + m * m;
        status = iterate(&l, run && run->threads > 1 ? run->threads : 1, err);
        od_eigen_run small = {.threads = run ? run->threads : 1};
        if (!status) status = od_eigen(l.gram, m, found, l.u, &small, err);
        if (!status) {
            memcpy(value, found, (size_t)q * sizeof *value);
            turn(&l, l.u, q, vector);
        }
    }
    od_free(l.q);
    od_free(l.gram);
    return status;
}
