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
#include "kern/mul_parts.h"

#define DOT_COLUMNS 12 /* rows of b that stay in the L1 cache */

/* A tile of mr features by nv vectors of lanes. Callers pass constants for mr and nv. */
INLINE void tile(int mr, int nv, const od_mul_part *part, int64_t i0, int64_t j0)
{
    const od_mul_args *o = &part->of;
    const bool add = part->add, is_leaky = o->leaky;
    const float *a = o->a + i0 * o->ars, *b = o->b + j0;
    const int64_t k = o->k, ars = o->ars, acs = o->acs, ldb = o->ldb;
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
INLINE void panel(int mr, int nv, const od_mul_part *o, int64_t i, int64_t end, int64_t j)
{
    for (; end - i == mr || end - i >= mr + 3; i += mr) tile(mr, nv, o, i, j);
    for (; end - i >= 3; i += 3) tile(3, nv, o, i, j);
    if (end - i == 2) tile(2, nv, o, i, j);
    if (end - i == 1) tile(1, nv, o, i, j);
}

static void block(const od_mul_part *o, int64_t i, int64_t end)
{
    int64_t j = 0, n = o->of.n;
    for (; j + 24 <= n; j += 24) panel(4, 3, o, i, end, j);
    for (; j + 16 <= n; j += 16) panel(6, 2, o, i, end, j);
    for (; j < n; j += 8) panel(8, 1, o, i, end, j);
}

void od_avx2_mul(const od_mul_args *args)
{
    od_mul_in_parts(args, block);
}

/* Rows of two matrices, to be multiplied over the vectors at lanes 0, step, 2 step, ... < end. */
typedef struct row_pair {
    const float *a, *b;
    int64_t lda, ldb, end, step;
} row_pair;

/* The same matrices, from rows i of a and j of b on. */
INLINE row_pair advance(row_pair p, int64_t i, int64_t j)
{
    p.a += i * p.lda;
    p.b += j * p.ldb;
    return p;
}

/* acc (mr, nr): sums of the products of rows of a and b. */
INLINE void product_sums(int mr, int nr, row_pair p, vf *acc)
{
#pragma GCC unroll 12
    for (int i = 0; i < mr * nr; i++) acc[i] = _mm256_setzero_ps();
    for (int64_t l = 0; l < p.end; l += p.step) {
        vf bv[3];
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++) bv[v] = load(p.b + v * p.ldb + l);
#pragma GCC unroll 4
        for (int i = 0; i < mr; i++) {
            vf ai = load(p.a + i * p.lda + l);
#pragma GCC unroll 3
            for (int v = 0; v < nr; v++) acc[i * nr + v] = _mm256_fmadd_ps(ai, bv[v], acc[i * nr + v]);
        }
    }
}

INLINE void dot_tile(int mr, int nr, row_pair p, float *c, int64_t ldc)
{
    vf acc[12];
    product_sums(mr, nr, p, acc);
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++) c[i * ldc + v] += fold(acc[i * nr + v]);
}

/* mr rows of a times n rows of b, three at a time; four are split into two and two. */
INLINE void dot_rows(int mr, int64_t n, row_pair p, float *c, int64_t ldc)
{
    int64_t j = 0;
    for (; n - j == 3 || n - j > 4; j += 3) dot_tile(mr, 3, advance(p, 0, j), c + j, ldc);
    for (; n - j >= 2; j += 2) dot_tile(mr, 2, advance(p, 0, j), c + j, ldc);
    if (j < n) dot_tile(mr, 1, advance(p, 0, j), c + j, ldc);
}

void od_avx2_dot(const od_dot_args *args)
{
    const od_dot_args o = *args;
    const row_pair all = {.a = o.a, .b = o.b, .lda = o.lda, .ldb = o.ldb, .end = o.lanes, .step = 8};
    for (int64_t j = 0; j < o.n; j += DOT_COLUMNS) {
        int64_t nb = o.n - j < DOT_COLUMNS ? o.n - j : DOT_COLUMNS, i = 0;
        for (; i + 4 <= o.m; i += 4) dot_rows(4, nb, advance(all, i, j), o.c + i * o.ldc + j, o.ldc);
        for (; i + 2 <= o.m; i += 2) dot_rows(2, nb, advance(all, i, j), o.c + i * o.ldc + j, o.ldc);
        if (i < o.m) dot_rows(1, nb, advance(all, i, j), o.c + i * o.ldc + j, o.ldc);
    }
}

/* A tile of mr rows by nr columns of the product, for eight rows of data. */
INLINE void norms_tile(int mr, int nr, row_pair p, vf *row)
{
    vf acc[12];
    product_sums(mr, nr, p, acc);
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++) row[i] = _mm256_fmadd_ps(acc[i * nr + v], acc[i * nr + v], row[i]);
}

INLINE vf norms_rows(int mr, vf norm, int64_t n, row_pair p)
{
    vf row[4];
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++) row[i] = _mm256_setzero_ps();
    int64_t j = 0;
    for (; n - j == 3 || n - j > 4; j += 3) norms_tile(mr, 3, advance(p, 0, j), row);
    for (; n - j >= 2; j += 2) norms_tile(mr, 2, advance(p, 0, j), row);
    if (j < n) norms_tile(mr, 1, advance(p, 0, j), row);
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++) norm = _mm256_add_ps(norm, row[i]);
    return norm;
}

void od_avx2_norms(const od_norms_args *args)
{
    const od_norms_args o = *args;
    for (int64_t r = 0; r < o.rows; r += 8) {
        const row_pair all = {
            .a = o.a + r, .b = o.b + r, .lda = o.lda, .ldb = o.ldb, .end = o.k * o.rows, .step = o.rows};
        vf sum = load(o.norm + r);
        int64_t i = 0;
        for (; i + 4 <= o.m; i += 4) sum = norms_rows(4, sum, o.n, advance(all, i, 0));
        for (; i + 2 <= o.m; i += 2) sum = norms_rows(2, sum, o.n, advance(all, i, 0));
        if (i < o.m) sum = norms_rows(1, sum, o.n, advance(all, i, 0));
        store(o.norm + r, sum);
    }
}

#endif
