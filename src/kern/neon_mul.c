/*
 * Matrix multiplication for NEON. tests: kern
 *
 * As in kern/avx2_mul.c, with 32 registers of four lanes. A tile of `mul` is 5 features by 16 lanes: 20
 * registers for the sums, four for b and up to five for elements of a, which compilers load ahead.
 *
 * `dot` sums over the lanes in eight chains, which are two vectors. `norms` uses the same tile to sum over
 * samples, for eight rows at a time, and keeps only the squares of the products.
 */
#include "kern/kern.h"

#if defined(__aarch64__)

#include "kern/mul_parts.h"
#include "kern/neon.h"

#define DOT_COLUMNS 12 /* rows of b that stay in the L1 cache */

/* A tile of mr features by nv vectors of lanes. Callers pass constants for mr and nv. */
INLINE void tile(int mr, int nv, const od_mul_part *part, int64_t i0, int64_t j0)
{
    const od_mul_args *o = &part->of;
    const bool add = part->add, is_leaky = o->leaky;
    const float *a = o->a + i0 * o->ars, *b = o->b + j0;
    const int64_t k = o->k, ars = o->ars, acs = o->acs, ldb = o->ldb;
    float *c = o->c + i0 * o->ldc + j0;
    vf acc[20];
#pragma GCC unroll 8
    for (int i = 0; i < mr; i++) {
        vf start = set1(o->bias ? o->bias[i0 + i] : 0.0f);
#pragma GCC unroll 4
        for (int v = 0; v < nv; v++) acc[i * nv + v] = add ? load(c + i * o->ldc + 4 * v) : start;
    }
    for (int64_t p = 0; p < k; p++) {
        vf bv[4];
#pragma GCC unroll 4
        for (int v = 0; v < nv; v++) bv[v] = load(b + p * ldb + 4 * v);
#pragma GCC unroll 8
        for (int i = 0; i < mr; i++) {
            vf ai = vld1q_dup_f32(a + i * ars + p * acs);
#pragma GCC unroll 4
            for (int v = 0; v < nv; v++) acc[i * nv + v] = fma4(ai, bv[v], acc[i * nv + v]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 4
        for (int v = 0; v < nv; v++)
            store(c + i * o->ldc + 4 * v, is_leaky ? leaky(acc[i * nv + v]) : acc[i * nv + v]);
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
    for (; j + 16 <= n; j += 16) panel(5, 4, o, i, end, j);
    for (; j < n; j += 8) panel(8, 2, o, i, end, j);
}

void od_neon_mul(const od_mul_args *args)
{
    od_mul_in_parts(args, block);
}

/* Rows of two matrices, to be multiplied over the eight lanes at 0, step, 2 step, ... < end. */
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

/* acc (mr, nr, 2): sums of the products of rows of a and b, in eight lanes. */
INLINE void product_sums(int mr, int nr, row_pair p, vf *acc)
{
#pragma GCC unroll 24
    for (int i = 0; i < 2 * mr * nr; i++) acc[i] = set1(0.0f);
    for (int64_t l = 0; l < p.end; l += p.step) {
        vf bv[6];
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++) {
            bv[2 * v] = load(p.b + v * p.ldb + l);
            bv[2 * v + 1] = load(p.b + v * p.ldb + l + 4);
        }
#pragma GCC unroll 4
        for (int i = 0; i < mr; i++) {
            vf low = load(p.a + i * p.lda + l), high = load(p.a + i * p.lda + l + 4);
#pragma GCC unroll 3
            for (int v = 0; v < nr; v++) {
                vf *sum = acc + 2 * (i * nr + v);
                sum[0] = fma4(low, bv[2 * v], sum[0]);
                sum[1] = fma4(high, bv[2 * v + 1], sum[1]);
            }
        }
    }
}

INLINE void dot_tile(int mr, int nr, row_pair p, float *c, int64_t ldc)
{
    vf acc[24];
    product_sums(mr, nr, p, acc);
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++) c[i * ldc + v] += fold(acc[2 * (i * nr + v)], acc[2 * (i * nr + v) + 1]);
}

/* mr rows of a times n rows of b, three at a time; four are split into two and two. */
INLINE void dot_rows(int mr, int64_t n, row_pair p, float *c, int64_t ldc)
{
    int64_t j = 0;
    for (; n - j == 3 || n - j > 4; j += 3) dot_tile(mr, 3, advance(p, 0, j), c + j, ldc);
    for (; n - j >= 2; j += 2) dot_tile(mr, 2, advance(p, 0, j), c + j, ldc);
    if (j < n) dot_tile(mr, 1, advance(p, 0, j), c + j, ldc);
}

void od_neon_dot(const od_dot_args *args)
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
    vf acc[24];
    product_sums(mr, nr, p, acc);
#pragma GCC unroll 4
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 3
        for (int v = 0; v < nr; v++)
#pragma GCC unroll 2
            for (int h = 0; h < 2; h++) {
                vf element = acc[2 * (i * nr + v) + h];
                row[2 * i + h] = fma4(element, element, row[2 * i + h]);
            }
}

INLINE void norms_rows(int mr, vf norm[2], int64_t n, row_pair p)
{
    vf row[8];
#pragma GCC unroll 8
    for (int i = 0; i < 2 * mr; i++) row[i] = set1(0.0f);
    int64_t j = 0;
    for (; n - j == 3 || n - j > 4; j += 3) norms_tile(mr, 3, advance(p, 0, j), row);
    for (; n - j >= 2; j += 2) norms_tile(mr, 2, advance(p, 0, j), row);
    if (j < n) norms_tile(mr, 1, advance(p, 0, j), row);
#pragma GCC unroll 8
    for (int i = 0; i < 2 * mr; i++) norm[i % 2] = vaddq_f32(norm[i % 2], row[i]);
}

void od_neon_norms(const od_norms_args *args)
{
    const od_norms_args o = *args;
    for (int64_t r = 0; r < o.rows; r += 8) {
        const row_pair all = {
            .a = o.a + r, .b = o.b + r, .lda = o.lda, .ldb = o.ldb, .end = o.k * o.rows, .step = o.rows};
        vf sum[2] = {load(o.norm + r), load(o.norm + r + 4)};
        int64_t i = 0;
        for (; i + 4 <= o.m; i += 4) norms_rows(4, sum, o.n, advance(all, i, 0));
        for (; i + 2 <= o.m; i += 2) norms_rows(2, sum, o.n, advance(all, i, 0));
        if (i < o.m) norms_rows(1, sum, o.n, advance(all, i, 0));
        store(o.norm + r, sum[0]);
        store(o.norm + r + 4, sum[1]);
    }
}

#endif
