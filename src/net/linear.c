/* The invertible linear layer of a flow, in blocks of triangular matrices. */
#include "net/linear.h"

#include <string.h>

#include "common/mem.h"

#define BLOCK 16 /* rows of a triangle per product; a larger block multiplies more zeros */

odim_status od_linear_new(od_linear *m, int64_t d, int64_t n, odim_error *err)
{
    *m = (od_linear){.d = d};
    size_t size = (size_t)d;
    m->lower = od_calloc(size * size, sizeof(float));
    m->upper = od_calloc(size * size, sizeof(float));
    m->diagonal = od_alloc(size, sizeof(float));
    m->mid = od_alloc(size * (size_t)n, sizeof(float));
    if (m->lower && m->upper && m->diagonal && m->mid) return ODIM_OK;
    od_linear_free(m);
    return od_fail_nomem(err);
}

void od_linear_free(od_linear *m)
{
    od_free(m->lower);
    od_free(m->upper);
    od_free(m->diagonal);
    od_free(m->mid);
    *m = (od_linear){0};
}

double od_linear_ready(od_linear *m, const od_kern *k, const float *lu)
{
    int64_t d = m->d;
    double sum = 0.0;
    for (int64_t i = 0; i < d; i++) m->diagonal[i] = lu[i * d + i];
    for (int64_t i = 0; i < d; i++) sum += (double)m->diagonal[i];
    k->exp(m->diagonal, m->diagonal, d);
    for (int64_t i = 0; i < d; i++) {
        const float *row = lu + i * d;
        float *lower = m->lower + i * d, *upper = m->upper + i * d;
        memcpy(lower, row, (size_t)i * sizeof(float));
        lower[i] = 1.0f;
        upper[i] = m->diagonal[i];
        memcpy(upper + i + 1, row + i + 1, (size_t)(d - i - 1) * sizeof(float));
    }
    return sum;
}

static int64_t block_end(int64_t at, int64_t d)
{
    return at + BLOCK < d ? at + BLOCK : d;
}

void od_linear_fwd(const od_linear *m, const od_kern *k, const float *x, int64_t n, float *y)
{
    int64_t d = m->d;
    float *mid = m->mid;
    for (int64_t at = 0; at < d; at += BLOCK)
        k->mul(&(od_mul_args){block_end(at, d) - at, n, d - at, m->upper + at * d + at, d, 1, x + at * n, n,
                              NULL, false, mid + at * n, n});
    for (int64_t at = 0; at < d; at += BLOCK) {
        int64_t end = block_end(at, d);
        k->mul(&(od_mul_args){end - at, n, end, m->lower + at * d, d, 1, mid, n, NULL, false, y + at * n, n});
    }
}

/* The gradient of the square block on the diagonal: dL below the diagonal, dU on and above it. */
static void diagonal_bwd(const od_linear *m, const od_flow_batch *b, const float *x, const float *dy,
                         const float *dmid, int64_t at, float *dlu)
{
    int64_t d = m->d, n = b->n, size = block_end(at, d) - at;
    float lower[BLOCK * BLOCK] = {0}, upper[BLOCK * BLOCK] = {0};
    b->kern->dot(&(od_dot_args){size, size, n, dy + at * n, n, m->mid + at * n, n, lower, BLOCK});
    b->kern->dot(&(od_dot_args){size, size, n, dmid + at * n, n, x + at * n, n, upper, BLOCK});
    for (int64_t i = 0; i < size; i++) {
        float *to = dlu + (at + i) * d + at, diagonal = m->upper[(at + i) * d + at + i];
        for (int64_t j = 0; j < i; j++) to[j] += lower[i * BLOCK + j];
        to[i] += (float)((double)upper[i * BLOCK + i] * (double)diagonal - b->sum_g);
        for (int64_t j = i + 1; j < size; j++) to[j] += upper[i * BLOCK + j];
    }
}

void od_linear_bwd(const od_linear *m, const od_flow_batch *b, const float *x, const float *dy, float *dmid,
                   float *dx, float *dlu)
{
    const od_kern *k = b->kern;
    int64_t d = m->d, n = b->n;
    for (int64_t at = 0; at < d; at += BLOCK)
        k->mul(&(od_mul_args){block_end(at, d) - at, n, d - at, m->lower + at * d + at, 1, d, dy + at * n, n,
                              NULL, false, dmid + at * n, n});
    for (int64_t at = 0; dlu && at < d; at += BLOCK) {
        int64_t end = block_end(at, d), size = end - at;
        if (at) k->dot(&(od_dot_args){size, at, n, dy + at * n, n, m->mid, n, dlu + at * d, d});
        if (end < d)
            k->dot(&(od_dot_args){size, d - end, n, dmid + at * n, n, x + end * n, n, dlu + at * d + end, d});
        diagonal_bwd(m, b, x, dy, dmid, at, dlu);
    }
    for (int64_t at = 0; at < d; at += BLOCK) {
        int64_t end = block_end(at, d);
        k->mul(&(od_mul_args){end - at, n, end, m->upper + at, 1, d, dmid, n, NULL, false, dx + at * n, n});
    }
}

static void subtract(float *y, float a, const float *x, int64_t n)
{
    for (int64_t l = 0; l < n; l++) y[l] -= a * x[l];
}

void od_linear_inverse(const od_linear *m, const float *y, int64_t n, float *x)
{
    int64_t d = m->d;
    if (x != y) memcpy(x, y, (size_t)(d * n) * sizeof(float));
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < i; j++) subtract(x + i * n, m->lower[i * d + j], x + j * n, n);
    for (int64_t i = d - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < d; j++) subtract(x + i * n, m->upper[i * d + j], x + j * n, n);
        for (int64_t l = 0; l < n; l++) x[i * n + l] /= m->upper[i * d + i];
    }
}
