/*
 * Matrix multiplication for AVX2 with FMA. tests: kern
 *
 * `mul` computes tiles of c in twelve registers: 4 features by 24 lanes. Vectors of b are loaded directly and
 * the elements of a are broadcast one by one, so nothing is packed. Tiles run down a panel of 24 lanes, whose
 * part of b stays in the L1 cache; a is taken in blocks that fit into the L2 cache.
 *
 * `dot` sums over the lanes: a tile is 4 x 3 product sums of eight chains each. `norms` uses the same tile to
 * sum over samples, for eight rows at a time, and keeps only the squares of the products.
 */
#include "kern/kern.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "kern/avx2.h"

#define K_BLOCK     256
#define M_BLOCK     128
#define DOT_COLUMNS 12 /* rows of b that stay in the L1 cache */

typedef struct operands {
    const float *a, *b, *bias;
    float *c;
    int64_t ars, acs, ldb, ldc;
} operands;

/* A tile of mr features by nv vectors of lanes. Callers pass constants for mr, nv, add and is_leaky. */
INLINE void tile(int mr, int nv, int64_t k, const operands *o, int64_t i0, int64_t j0, bool add,
                 bool is_leaky)
{
    const float *a = o->a + i0 * o->ars, *b = o->b + j0;
    const int64_t ars = o->ars, acs = o->acs, ldb = o->ldb;
    float *c = o->c + i0 * o->ldc + j0;
    vf acc[12];
#pragma GCC unroll 12
    for (int i = 0; i < mr; i++) {
        vf start = o->bias ? _mm256_broadcast_ss(o->bias + i0 + i) : _mm256_setzero_ps();
#pragma GCC unroll 3
        for (int v = 0; v < nv; v++) acc[i * nv + v] = add ? load(c + i * o->ldc + 8 * v) : start;
    }
    for (int64_t p = 0; p < k; p++) {
        vf bv[3];
#pragma GCC unroll 3
        for (int v = 0; v < nv; v++) bv[v] = load(b + p * ldb + 8 * v);
#pragma GCC unroll 12
        for (int i = 0; i < mr; i++) {
            vf ai = _mm256_broadcast_ss(a + i * ars + p * acs);
#pragma GCC unroll 3
            for (int v = 0; v < nv; v++) acc[i * nv + v] = _mm256_fmadd_ps(ai, bv[v], acc[i * nv + v]);
        }
    }
#pragma GCC unroll 12
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 3
        for (int v = 0; v < nv; v++)
            store(c + i * o->ldc + 8 * v, is_leaky ? leaky(acc[i * nv + v]) : acc[i * nv + v]);
}

/*
 * Features i..end-1 of a panel of nv vectors, mr features at a time. The remainder is split evenly, e.g. into
 * three and three instead of four and two, because a small tile has too few sums in flight.
 */
INLINE void panel(int mr, int nv, int64_t k, const operands *o, int64_t i, int64_t end, int64_t j, bool add,
                  bool is_leaky)
{
    for (; end - i == mr || end - i >= mr + 3; i += mr) tile(mr, nv, k, o, i, j, add, is_leaky);
    for (; end - i >= 3; i += 3) tile(3, nv, k, o, i, j, add, is_leaky);
    if (end - i == 2) tile(2, nv, k, o, i, j, add, is_leaky);
    if (end - i == 1) tile(1, nv, k, o, i, j, add, is_leaky);
}

static void block(int64_t n, int64_t k, const operands *o, int64_t i, int64_t end, bool add, bool is_leaky)
{
    int64_t j = 0;
    for (; j + 24 <= n; j += 24) panel(4, 3, k, o, i, end, j, add, is_leaky);
    for (; j + 16 <= n; j += 16) panel(6, 2, k, o, i, end, j, add, is_leaky);
    for (; j < n; j += 8) panel(8, 1, k, o, i, end, j, add, is_leaky);
}

void od_avx2_mul(int64_t m, int64_t n, int64_t k, const float *a, int64_t ars, int64_t acs, const float *b,
                 int64_t ldb, const float *bias, bool is_leaky, float *c, int64_t ldc)
{
    for (int64_t p = 0; p < k; p += K_BLOCK) {
        int64_t kb = k - p < K_BLOCK ? k - p : K_BLOCK;
        operands o = {a + p * acs, b + p * ldb, bias, c, ars, acs, ldb, ldc};
        for (int64_t i = 0; i < m; i += M_BLOCK)
            block(n, kb, &o, i, m - i < M_BLOCK ? m : i + M_BLOCK, p > 0, is_leaky && p + kb == k);
    }
}

/* acc (mr, nr): sums of the products of rows of a and b over the vectors at lanes 0, step, 2 step, ... < end.
 */
INLINE void product_sums(int mr, int nr, int64_t end, int64_t step, const float *a, int64_t lda,
                         const float *b, int64_t ldb, vf *acc)
{
#pragma GCC unroll 12
    for (int i = 0; i < mr * nr; i++) acc[i] = _mm256_setzero_ps();
    for (int64_t l = 0; l < end; l += step) {
        vf bv[3];
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++) bv[v] = load(b + v * ldb + l);
#pragma GCC unroll 4
        for (int i = 0; i < mr; i++) {
            vf ai = load(a + i * lda + l);
#pragma GCC unroll 3
            for (int v = 0; v < nr; v++) acc[i * nr + v] = _mm256_fmadd_ps(ai, bv[v], acc[i * nr + v]);
        }
    }
}

INLINE void dot_tile(int mr, int nr, int64_t lanes, const float *a, int64_t lda, const float *b, int64_t ldb,
                     float *c, int64_t ldc)
{
    vf acc[12];
    product_sums(mr, nr, lanes, 8, a, lda, b, ldb, acc);
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++) c[i * ldc + v] += fold(acc[i * nr + v]);
}

/* mr rows of a times n rows of b, three at a time; four are split into two and two. */
INLINE void dot_rows(int mr, int64_t n, int64_t lanes, const float *a, int64_t lda, const float *b,
                     int64_t ldb, float *c, int64_t ldc)
{
    int64_t j = 0;
    for (; n - j == 3 || n - j > 4; j += 3) dot_tile(mr, 3, lanes, a, lda, b + j * ldb, ldb, c + j, ldc);
    for (; n - j >= 2; j += 2) dot_tile(mr, 2, lanes, a, lda, b + j * ldb, ldb, c + j, ldc);
    if (j < n) dot_tile(mr, 1, lanes, a, lda, b + j * ldb, ldb, c + j, ldc);
}

void od_avx2_dot(int64_t m, int64_t n, int64_t lanes, const float *a, int64_t lda, const float *b,
                 int64_t ldb, float *c, int64_t ldc)
{
    for (int64_t j = 0; j < n; j += DOT_COLUMNS) {
        int64_t nb = n - j < DOT_COLUMNS ? n - j : DOT_COLUMNS, i = 0;
        const float *bj = b + j * ldb;
        for (; i + 4 <= m; i += 4) dot_rows(4, nb, lanes, a + i * lda, lda, bj, ldb, c + i * ldc + j, ldc);
        for (; i + 2 <= m; i += 2) dot_rows(2, nb, lanes, a + i * lda, lda, bj, ldb, c + i * ldc + j, ldc);
        if (i < m) dot_rows(1, nb, lanes, a + i * lda, lda, bj, ldb, c + i * ldc + j, ldc);
    }
}

/* A tile of mr rows by nr columns of the product, for eight rows of data. */
INLINE void norms_tile(int mr, int nr, int64_t k, int64_t step, const float *a, int64_t lda, const float *b,
                       int64_t ldb, vf *row)
{
    vf acc[12];
    product_sums(mr, nr, k * step, step, a, lda, b, ldb, acc);
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++) row[i] = _mm256_fmadd_ps(acc[i * nr + v], acc[i * nr + v], row[i]);
}

INLINE vf norms_rows(int mr, vf norm, int64_t n, int64_t k, int64_t step, const float *a, int64_t lda,
                     const float *b, int64_t ldb)
{
    vf row[4];
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++) row[i] = _mm256_setzero_ps();
    int64_t j = 0;
    for (; n - j == 3 || n - j > 4; j += 3) norms_tile(mr, 3, k, step, a, lda, b + j * ldb, ldb, row);
    for (; n - j >= 2; j += 2) norms_tile(mr, 2, k, step, a, lda, b + j * ldb, ldb, row);
    if (j < n) norms_tile(mr, 1, k, step, a, lda, b + j * ldb, ldb, row);
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++) norm = _mm256_add_ps(norm, row[i]);
    return norm;
}

void od_avx2_norms(float *norm, int64_t m, int64_t n, int64_t k, int64_t rows, const float *a, int64_t lda,
                   const float *b, int64_t ldb)
{
    for (int64_t r = 0; r < rows; r += 8) {
        vf sum = load(norm + r);
        int64_t i = 0;
        for (; i + 4 <= m; i += 4) sum = norms_rows(4, sum, n, k, rows, a + i * lda + r, lda, b + r, ldb);
        for (; i + 2 <= m; i += 2) sum = norms_rows(2, sum, n, k, rows, a + i * lda + r, lda, b + r, ldb);
        if (i < m) sum = norms_rows(1, sum, n, k, rows, a + i * lda + r, lda, b + r, ldb);
        store(norm + r, sum);
    }
}

#endif
