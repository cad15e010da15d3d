/* Computes eigenvectors of symmetric matrices on several threads. */
#include "base/eigen.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "base/poll.h"
#include "base/forkjoin.h"

/*
 * What takes the time are passes over n columns that know nothing of each other: they are cut into blocks,
 * which threads share. Within a column every sum and every rotation comes in the same order, so the cut
 * leaves no trace in the bits.
 *
 * Reflections and rotations are applied to the vectors some at a time, so that a block of columns stays in
 * cache meanwhile.
 */
#define MOST_STEPS  60  /* of QL for one value; two or three are usual */
#define COLUMNS     128 /* of the matrix that are one piece of work */
#define BLOCK       64  /* columns of the vectors that are one */
#define REFLECTIONS 32  /* that are applied at a time */
#define ROTATIONS   16  /* the same, in multiples of n */
#define SMALL       96  /* of less, a thread would take longer to start */

typedef struct rotation {
    int64_t row; /* it turns this one and the next */
    double c, s;
} rotation;

typedef struct solver {
    double *a; /* (n, n); row k keeps reflection k, behind column k */
    int64_t n;
    double *value, *side; /* (n) */
    double *z;            /* (n, n) */
    bool *reflects;       /* (n) false: there is no reflection k */
    double *p, *next;     /* (n) the product of reflection k with the matrix, and of reflection k + 1 */
    rotation *rotation;   /* (most) */
    int64_t rotations, most;
    int64_t k, end; /* of the reflections at work */
    od_forkjoin *team;
    od_parallel *par; /* NULL: the caller works */
    _Atomic int64_t share;
    const od_eigen_run *run;
} solver;

static bool stopped(const solver *s)
{
    return s->par && od_parallel_stopped(s->par);
}

/* In millionths. */
static void show(solver *s, double share)
{
    atomic_store_explicit(&s->share, (int64_t)(1e6 * share), memory_order_relaxed);
}

static int64_t blocks_of(int64_t columns, int64_t size)
{
    return (columns + size - 1) / size;
}

/* ---- the tridiagonal form ------------------------------------------------------------------------------ */

/* Row k, columns k.. of the matrix becomes v with v'v = 2, so that I - v v' clears it beside three diagonals.
 */
static void reflect(solver *s, int64_t k)
{
    int64_t n = s->n;
    double *v = s->a + k * n, norm = 0.0;
    s->value[k] = v[k];
    s->side[k] = k + 1 < n ? v[k + 1] : 0.0;
    for (int64_t j = k + 2; j < n; j++) norm += v[j] * v[j];
    s->reflects[k] = norm != 0.0;
    if (norm == 0.0) return; /* nothing to clear */
    double length = -copysign(sqrt(norm + s->side[k] * s->side[k]), s->side[k]);
    v[k + 1] -= length;
    double scale = 1.0 / sqrt((norm + v[k + 1] * v[k + 1]) / 2.0);
    s->side[k] = length;
    for (int64_t j = k + 1; j < n; j++) v[j] *= scale;
}

static void subtract(double *restrict row, const double *restrict v, const double *restrict p, double vi,
                     double pi, int64_t from, int64_t to)
{
    for (int64_t j = from; j < to; j++) row[j] -= vi * p[j] + pi * v[j];
}

static void subtract_multiply(double *restrict row, const double *restrict v, const double *restrict p,
                              double *restrict next, double vi, double pi, double wi, int64_t from,
                              int64_t to)
{
    for (int64_t j = from; j < to; j++) {
        double t = row[j] - (vi * p[j] + pi * v[j]);
        row[j] = t;
        next[j] += wi * t;
    }
}

static void multiply(const double *restrict row, double *restrict next, double wi, int64_t from, int64_t to)
{
    for (int64_t j = from; j < to; j++) next[j] += wi * row[j];
}

/* Some columns of the rows below row k + 1: reflection k is applied, and `next` becomes their product with
 * reflection k + 1. Both in one pass, which is half as much memory to go through. */
static void pass(void *ctx, int worker, int64_t index)
{
    (void)worker;
    solver *s = ctx;
    int64_t n = s->n, k = s->k, from = k + 2 + index * COLUMNS, to = from + COLUMNS < n ? from + COLUMNS : n;
    bool applied = s->reflects[k], ahead = s->reflects[k + 1];
    const double *v = s->a + k * n, *w = v + n;
    memset(s->next + from, 0, (size_t)(to - from) * sizeof *s->next);
    for (int64_t i = k + 2; i < n; i++) {
        double *row = s->a + i * n;
        if (applied && ahead)
            subtract_multiply(row, v, s->p, s->next, v[i], s->p[i], w[i], from, to);
        else if (applied)
            subtract(row, v, s->p, v[i], s->p[i], from, to);
        else if (ahead)
            multiply(row, s->next, w[i], from, to);
    }
}

/* a becomes H a H for one reflection H after another. */
static void make_tridiagonal(solver *s)
{
    int64_t n = s->n;
    memset(s->reflects, 0, (size_t)n * sizeof *s->reflects);
    for (s->k = -1; s->k + 1 < n && !stopped(s); s->k++) {
        int64_t k = s->k;
        double *v = s->a + (k + 1) * n;
        /* Row k + 1 by itself, so that its reflection is known before the others are gone through. */
        if (k >= 0 && s->reflects[k]) subtract(v, v - n, s->p, (v - n)[k + 1], s->p[k + 1], k + 1, n);
        reflect(s, k + 1);
        if (k < 0 && s->reflects[0]) {
            memset(s->next, 0, (size_t)n * sizeof *s->next);
            for (int64_t i = 1; i < n; i++) multiply(s->a + i * n, s->next, v[i], 1, n);
        } else if (k >= 0 && k + 2 < n && (s->reflects[k] || s->reflects[k + 1])) {
            od_forkjoin_run(s->team, (int)blocks_of(n - k - 2, COLUMNS), pass, s);
        }
        double dot = 0.0, *swap = s->p;
        s->p = s->next;
        s->next = swap;
        if (!s->reflects[k + 1]) continue;
        for (int64_t j = k + 2; j < n; j++) dot += v[j] * s->p[j];
        for (int64_t j = k + 2; j < n; j++) s->p[j] -= dot / 2.0 * v[j];
        double left = 1.0 - (double)(k + 1) / (double)n;
        show(s, 0.2 * (1.0 - left * left * left));
    }
}

/* Reflections k..end-1 to some columns of z. */
static void apply_reflections(void *ctx, int worker, int64_t index)
{
    (void)worker;
    const solver *s = ctx;
    int64_t n = s->n, first = index * BLOCK, columns = n - first < BLOCK ? n - first : BLOCK;
    for (int64_t k = s->k; k < s->end; k++) {
        const double *v = s->a + k * n;
        double p[BLOCK] = {0};
        for (int64_t i = k + 1; s->reflects[k] && i < n; i++)
            multiply(s->z + i * n + first, p, v[i], 0, columns);
        for (int64_t i = k + 1; s->reflects[k] && i < n; i++) {
            double *restrict row = s->z + i * n + first;
            for (int64_t j = 0; j < columns; j++) row[j] -= v[i] * p[j];
        }
    }
}

/* z: the product of all reflections. */
static void gather(solver *s)
{
    int64_t n = s->n;
    memset(s->z, 0, (size_t)(n * n) * sizeof *s->z);
    for (int64_t i = 0; i < n; i++) s->z[i * n + i] = 1.0;
    for (s->k = 0; s->k < n && !stopped(s); s->k = s->end) {
        s->end = s->k + REFLECTIONS < n ? s->k + REFLECTIONS : n;
        od_forkjoin_run(s->team, (int)blocks_of(n, BLOCK), apply_reflections, s);
        show(s, 0.2 + 0.2 * (double)s->end / (double)n);
    }
}

/* ---- the diagonal form --------------------------------------------------------------------------------- */

static void apply_rotations(void *ctx, int worker, int64_t index)
{
    (void)worker;
    const solver *s = ctx;
    int64_t n = s->n, first = index * BLOCK, columns = n - first < BLOCK ? n - first : BLOCK;
    for (int64_t r = 0; r < s->rotations; r++) {
        double c = s->rotation[r].c, t = s->rotation[r].s;
        double *restrict low = s->z + s->rotation[r].row * n + first, *restrict high = low + n;
        for (int64_t j = 0; j < columns; j++) {
            double x = low[j], y = high[j];
            low[j] = c * x - t * y;
            high[j] = t * x + c * y;
        }
    }
}

static void rotate(solver *s)
{
    if (s->rotations) od_forkjoin_run(s->team, (int)blocks_of(s->n, BLOCK), apply_rotations, s);
    s->rotations = 0;
}

/*
 * sqrt(x^2 + y^2) with Borges' correction (An Improved Algorithm for hypot(a, b), 2019). The hypot of the C
 * library has other last bits where processors have fused multiply-add.
 */
static double hypotenuse(double x, double y)
{
    bool first = fabs(x) > fabs(y);
    double a = fabs(first ? x : y), b = fabs(first ? y : x), unit = 1.0;
    if (!(b > a * 0x1p-54)) return a + b; /* also if one is not a number */
    if (a > 0x1p500) unit = 0x1p-600;
    if (b < 0x1p-450) unit = 0x1p600;
    a *= unit, b *= unit;
    double h = sqrt(a * a + b * b), low, high;
    if (h <= 2.0 * b) {
        double rest = h - b;
        high = a * (2.0 * rest - a);
        low = (rest - 2.0 * (a - b)) * rest;
    } else {
        double rest = h - a;
        high = 2.0 * rest * (a - 2.0 * b);
        low = (4.0 * rest - b) * b + rest * rest;
    }
    return (h - (high + low) / (2.0 * h)) / unit;
}

/* One step on rows first..last, which are not yet apart: the shift is the value nearer to the first of the
 * upper two by two corner, and rotations from the bottom up chase what it leaves. */
static void step(solver *w, int64_t first, int64_t last)
{
    double *value = w->value, *side = w->side;
    double half = (value[first + 1] - value[first]) / (2.0 * side[first]);
    double g = value[last] - value[first] + side[first] / (half + copysign(hypotenuse(half, 1.0), half));
    double s = 1.0, c = 1.0, moved = 0.0;
    for (int64_t i = last - 1; i >= first; i--) {
        double f = s * side[i], b = c * side[i], r = hypotenuse(f, g);
        side[i + 1] = r;
        if (r == 0.0) { /* apart here already */
            value[i + 1] -= moved;
            side[last] = 0.0;
            return;
        }
        s = f / r;
        c = g / r;
        g = value[i + 1] - moved;
        r = (value[i] - g) * s + 2.0 * c * b;
        moved = s * r;
        value[i + 1] = g + moved;
        g = c * r - b;
        w->rotation[w->rotations++] = (rotation){i, c, s};
    }
    value[first] -= moved;
    side[first] = g;
    side[last] = 0.0;
}

static void make_diagonal(solver *s)
{
    int64_t n = s->n;
    for (int64_t first = 0; first < n && !stopped(s); first++) {
        for (int steps = 0; steps < MOST_STEPS && !stopped(s); steps++) {
            int64_t last = first;
            while (last + 1 < n &&
                   fabs(s->side[last]) > DBL_EPSILON * (fabs(s->value[last]) + fabs(s->value[last + 1])))
                last++;
            if (last == first) break;
            if (s->rotations + n > s->most) rotate(s);
            step(s, first, last);
        }
        double left = 1.0 - (double)first / (double)n;
        show(s, 0.4 + 0.6 * (1.0 - left * left));
    }
    if (!stopped(s)) rotate(s);
}

/* ---- order --------------------------------------------------------------------------------------------- */

static void swap(double *a, double *b, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
}

static void sort(double *value, double *z, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t best = i, top = 0;
        for (int64_t k = i + 1; k < n; k++)
            if (value[k] > value[best]) best = k;
        if (best != i) {
            swap(value + i, value + best, 1);
            swap(z + i * n, z + best * n, n);
        }
        double *row = z + i * n;
        for (int64_t j = 1; j < n; j++)
            if (fabs(row[j]) > fabs(row[top])) top = j;
        for (int64_t j = 0; row[top] < 0.0 && j < n; j++) row[j] = j == top ? row[j] : -row[j];
        row[top] = fabs(row[top]);
    }
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static odim_status solve(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    (void)worker, (void)job;
    solver *s = ctx;
    s->par = par;
    odim_status status = par ? od_forkjoin_new(&s->team, s->run->threads, err) : ODIM_OK;
    if (status) return status;
    make_tridiagonal(s);
    gather(s);
    make_diagonal(s);
    if (!stopped(s)) sort(s->value, s->z, s->n);
    od_forkjoin_free(s->team);
    return stopped(s) ? od_fail(err, ODIM_ERR_CANCELLED, "cancelled") : ODIM_OK;
}

static int tick(void *ctx)
{
    solver *s = ctx;
    double share = 1e-6 * (double)atomic_load_explicit(&s->share, memory_order_relaxed);
    if (s->run->to > 0.0) od_poll_show(s->run->from + (s->run->to - s->run->from) * share);
    return od_poll_tick(NULL);
}

odim_status od_eigen(double *a, int64_t n, double *value, double *vector, const od_eigen_run *run,
                     odim_error *err)
{
    static const od_eigen_run plain = {.threads = 1};
    solver s = {
        .a = a, .n = n, .value = value, .z = vector, .most = ROTATIONS * n, .run = run ? run : &plain};
    double *work = od_alloc((size_t)n, 3 * sizeof *work);
    s.rotation = od_alloc((size_t)s.most, sizeof *s.rotation);
    s.reflects = od_alloc((size_t)n, sizeof *s.reflects);
    odim_status status = work && s.rotation && s.reflects ? ODIM_OK : od_fail_nomem(err);
    if (!status) {
        s.side = work;
        s.p = work + n;
        s.next = work + 2 * n;
        status = n < SMALL ? solve(&s, NULL, 0, 0, err) : od_parallel_run(1, 1, solve, tick, &s, err);
    }
    od_free(work);
    od_free(s.rotation);
    od_free(s.reflects);
    return status;
}

double od_eigen_work(int64_t n)
{
    return 10.0 * (double)n * (double)n * (double)n;
}
