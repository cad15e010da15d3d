#include "base/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

#define MOST_STEPS 60 /* of QL for one value; two or three are usual */

/*
 * a becomes H a H for reflections H = I - v v' (v'v = 2) that clear row after row beside the three diagonals.
 * value (n) is the diagonal, side (n) what stands beside it, and rows of z (n, n) their product.
 */
static void tridiagonal(double *a, int64_t n, double *value, double *side, double *z, double *v, double *p)
{
    memset(z, 0, (size_t)(n * n) * sizeof *z);
    for (int64_t i = 0; i < n; i++) z[i * n + i] = 1.0;
    for (int64_t k = 0; k < n; k++) {
        double norm = 0.0, dot = 0.0;
        value[k] = a[k * n + k];
        side[k] = k + 1 < n ? a[k * n + k + 1] : 0.0;
        for (int64_t j = k + 2; j < n; j++) norm += a[k * n + j] * a[k * n + j];
        if (norm == 0.0) continue; /* nothing to clear */
        double length = -copysign(sqrt(norm + side[k] * side[k]), side[k]);
        memcpy(v + k + 1, a + k * n + k + 1, (size_t)(n - k - 1) * sizeof *v);
        v[k + 1] -= length;
        double scale = 1.0 / sqrt((norm + v[k + 1] * v[k + 1]) / 2.0);
        side[k] = length;
        for (int64_t j = k + 1; j < n; j++) v[j] *= scale;
        memset(p, 0, (size_t)n * sizeof *p);
        for (int64_t i = k + 1; i < n; i++)
            for (int64_t j = k + 1; j < n; j++) p[j] += v[i] * a[i * n + j];
        for (int64_t j = k + 1; j < n; j++) dot += v[j] * p[j];
        for (int64_t j = k + 1; j < n; j++) p[j] -= dot / 2.0 * v[j];
        for (int64_t i = k + 1; i < n; i++)
            for (int64_t j = k + 1; j < n; j++) a[i * n + j] -= v[i] * p[j] + p[i] * v[j];
        memset(p, 0, (size_t)n * sizeof *p);
        for (int64_t i = k + 1; i < n; i++)
            for (int64_t j = 0; j < n; j++) p[j] += v[i] * z[i * n + j];
        for (int64_t i = k + 1; i < n; i++)
            for (int64_t j = 0; j < n; j++) z[i * n + j] -= v[i] * p[j];
    }
}

static void rotate(double *low, double *high, int64_t n, double c, double s)
{
    for (int64_t j = 0; j < n; j++) {
        double x = low[j], y = high[j];
        low[j] = c * x - s * y;
        high[j] = s * x + c * y;
    }
}

/* One step on rows first..last, which are not yet apart: the shift is the value nearer to the first of the
 * upper two by two corner, and rotations from the bottom up chase what it leaves. */
static void step(double *value, double *side, double *z, int64_t n, int64_t first, int64_t last)
{
    double half = (value[first + 1] - value[first]) / (2.0 * side[first]);
    double g = value[last] - value[first] + side[first] / (half + copysign(hypot(half, 1.0), half));
    double s = 1.0, c = 1.0, moved = 0.0;
    for (int64_t i = last - 1; i >= first; i--) {
        double f = s * side[i], b = c * side[i], r = hypot(f, g);
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
        rotate(z + i * n, z + (i + 1) * n, n, c, s);
    }
    value[first] -= moved;
    side[first] = g;
    side[last] = 0.0;
}

static void diagonal(double *value, double *side, double *z, int64_t n)
{
    for (int64_t first = 0; first < n; first++)
        for (int steps = 0; steps < MOST_STEPS; steps++) {
            int64_t last = first;
            while (last + 1 < n &&
                   fabs(side[last]) > DBL_EPSILON * (fabs(value[last]) + fabs(value[last + 1])))
                last++;
            if (last == first) break;
            step(value, side, z, n, first, last);
        }
}

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

odim_status od_eigen(double *a, int64_t n, double *value, double *vector, odim_error *err)
{
    double *work = od_alloc((size_t)n, 3 * sizeof *work);
    if (!work) return od_fail_nomem(err);
    tridiagonal(a, n, value, work, vector, work + n, work + 2 * n);
    diagonal(value, work, vector, n);
    sort(value, vector, n);
    od_free(work);
    return ODIM_OK;
}
