/*
 * The body of the dense kernels, which every level compiles with its own instructions and vectors of WIDTH
 * doubles.
 *
 * Vectors only run across columns, and there is no fused multiply-add, so that the bits are those of the
 * plain loops that doubles.h describes.
 */
#include <math.h>
#include <string.h>

#include "kern/doubles.h"

enum { STRIP = 2 * WIDTH, TALL = 4 };

typedef double vec __attribute__((vector_size(WIDTH * sizeof(double))));

static inline vec load(const double *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(double *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

/* ---- product ------------------------------------------------------------------------------------------ */

/* `tall` rows times a strip of columns, of which b has `depth` rows that count. */
static inline __attribute__((always_inline)) void product_tile(const double *a, int64_t k, const double *b,
                                                               int64_t n, int64_t depth, int tall, double *c)
{
    vec sum[TALL][2];
    for (int i = 0; i < tall; i++) sum[i][0] = sum[i][1] = (vec){0};
    int64_t p = 0;
    for (; p + 4 <= depth; p += 4) {
        const double *row = b + p * n;
        for (int half = 0; half < 2; half++) {
            vec b0 = load(row + half * WIDTH), b1 = load(row + n + half * WIDTH),
                b2 = load(row + 2 * n + half * WIDTH), b3 = load(row + 3 * n + half * WIDTH);
            for (int i = 0; i < tall; i++) {
                const double *x = a + i * k + p;
                sum[i][half] += (x[0] * b0 + x[1] * b1) + (x[2] * b2 + x[3] * b3);
            }
        }
    }
    for (; p < depth; p++)
        for (int half = 0; half < 2; half++)
            for (int i = 0; i < tall; i++) sum[i][half] += a[i * k + p] * load(b + p * n + half * WIDTH);
    for (int i = 0; i < tall; i++)
        for (int half = 0; half < 2; half++) store(c + i * n + half * WIDTH, sum[i][half]);
}

static double product_one(const double *a, const double *b, int64_t n, int64_t depth)
{
    double sum = 0.0;
    int64_t p = 0;
    for (; p + 4 <= depth; p += 4)
        sum += (a[p] * b[p * n] + a[p + 1] * b[(p + 1) * n]) +
               (a[p + 2] * b[(p + 2) * n] + a[p + 3] * b[(p + 3) * n]);
    for (; p < depth; p++) sum += a[p] * b[p * n];
    return sum;
}

/* Rows of b below the diagonal are 0 if it is upper triangular. */
static int64_t depth_of(int64_t k, int64_t last, bool upper)
{
    return upper && last + 1 < k ? (last + 4) / 4 * 4 < k ? (last + 4) / 4 * 4 : k : k;
}

static void product(const double *a, const double *b, int64_t m, int64_t k, int64_t n, bool upper, double *c)
{
    int64_t j = 0;
    for (; j + STRIP <= n; j += STRIP) {
        int64_t depth = depth_of(k, j + STRIP - 1, upper), i = 0;
        for (; i + TALL <= m; i += TALL) product_tile(a + i * k, k, b + j, n, depth, TALL, c + i * n + j);
        for (; i < m; i++) product_tile(a + i * k, k, b + j, n, depth, 1, c + i * n + j);
    }
    for (; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            c[i * n + j] = product_one(a + i * k, b + j, n, depth_of(k, j, upper));
}

/* ---- scatter ------------------------------------------------------------------------------------------ */

static inline __attribute__((always_inline)) void scatter_tile(const double *z, int64_t rows, int64_t d,
                                                               int64_t i, int64_t j, int tall, double *sum)
{
    vec s[TALL][2];
    for (int t = 0; t < tall; t++)
        for (int half = 0; half < 2; half++) s[t][half] = load(sum + (i + t) * d + j + half * WIDTH);
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        const double *z0 = z + r * d, *z1 = z0 + d, *z2 = z1 + d, *z3 = z2 + d;
        for (int half = 0; half < 2; half++) {
            int64_t at = j + half * WIDTH;
            vec x0 = load(z0 + at), x1 = load(z1 + at), x2 = load(z2 + at), x3 = load(z3 + at);
            for (int t = 0; t < tall; t++)
                s[t][half] += (z0[i + t] * x0 + z1[i + t] * x1) + (z2[i + t] * x2 + z3[i + t] * x3);
        }
    }
    for (; r < rows; r++)
        for (int half = 0; half < 2; half++)
            for (int t = 0; t < tall; t++)
                s[t][half] += z[r * d + i + t] * load(z + r * d + j + half * WIDTH);
    for (int t = 0; t < tall; t++)
        for (int half = 0; half < 2; half++) store(sum + (i + t) * d + j + half * WIDTH, s[t][half]);
}

static double scatter_one(const double *z, int64_t rows, int64_t d, int64_t i, int64_t j, double sum)
{
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        const double *z0 = z + r * d, *z1 = z0 + d, *z2 = z1 + d, *z3 = z2 + d;
        sum += (z0[i] * z0[j] + z1[i] * z1[j]) + (z2[i] * z2[j] + z3[i] * z3[j]);
    }
    for (; r < rows; r++) sum += z[r * d + i] * z[r * d + j];
    return sum;
}

/* Of a tile on the diagonal, what is below it is computed as well: nobody looks there. */
static void scatter(const double *z, int64_t rows, int64_t d, int64_t first, int64_t end, double *sum)
{
    for (int64_t i = first; i < end;) {
        int tall = i + TALL <= end ? TALL : 1;
        int64_t j = i;
        for (; j + STRIP <= d; j += STRIP) {
            if (tall == TALL)
                scatter_tile(z, rows, d, i, j, TALL, sum);
            else
                scatter_tile(z, rows, d, i, j, 1, sum);
        }
        for (; j < d; j++)
            for (int t = 0; t < tall; t++)
                sum[(i + t) * d + j] = scatter_one(z, rows, d, i + t, j, sum[(i + t) * d + j]);
        i += tall;
    }
}

/* ---- whiten ------------------------------------------------------------------------------------------- */

/* row[j..] -= the sum over k < count of factor[k d] above[k d + j], k by k. */
static void subtract_rows(const double *factor, const double *above, int64_t d, int64_t count, int64_t from,
                          double *row)
{
    int64_t j = from;
    for (; j + STRIP <= d; j += STRIP) {
        vec low = load(row + j), high = load(row + j + WIDTH);
        for (int64_t k = 0; k < count; k++) {
            double f = factor[k * d];
            low -= f * load(above + k * d + j);
            high -= f * load(above + k * d + j + WIDTH);
        }
        store(row + j, low);
        store(row + j + WIDTH, high);
    }
    for (; j < d; j++) {
        double sum = row[j];
        for (int64_t k = 0; k < count; k++) sum -= factor[k * d] * above[k * d + j];
        row[j] = sum;
    }
}

/* s = r' r with r upper triangular, row after row; then u is its inverse. */
static double whiten(const double *s, int64_t d, double ridge, double *u, double *r)
{
    double log_det = 0.0;
    for (int64_t i = 0; i < d; i++) {
        memcpy(r + i * d, s + i * d, (size_t)d * sizeof *r);
        r[i * d + i] += ridge;
    }
    for (int64_t i = 0; i < d; i++) {
        double *row = r + i * d;
        subtract_rows(r + i, r, d, i, i, row);
        double pivot = row[i] > ridge ? row[i] : ridge, scale = 1.0 / sqrt(pivot);
        log_det += log(pivot);
        row[i] = pivot;
        for (int64_t j = i; j < d; j++) row[j] *= scale;
    }
    /* Row i of u: u r = 1, so u_ij = -(sum over i <= k < j of u_ik r_kj) / r_jj. */
    memset(u, 0, (size_t)(d * d) * sizeof *u);
    for (int64_t i = 0; i < d; i++) {
        double *row = u + i * d;
        row[i] = 1.0;
        for (int64_t k = i; k < d; k++) {
            row[k] /= r[k * d + k];
            for (int64_t j = k + 1; j < d; j++) row[j] -= row[k] * r[k * d + j];
        }
    }
    return log_det;
}
