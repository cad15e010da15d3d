/*
 * Matrix multiplication for AVX-512; all other kernels of the level are those of AVX2. tests: kern
 *
 * The same sums in the same order as avx2_mul.c, sixteen lanes at a time: a tile is 8 features by 48 lanes,
 * in 24 of the 32 registers. The number of lanes is a multiple of 8, so the last vector may be half full.
 */
#include "kern/kern.h"

#if defined(__AVX512F__) && defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

#include "kern/mul_parts.h"

#define INLINE static inline __attribute__((always_inline))
#define LANES  16

typedef __m512 vf;

INLINE vf leaky(vf x)
{
    return _mm512_max_ps(x, _mm512_mul_ps(x, _mm512_set1_ps(OD_LEAKY)));
}

/* A tile of mr features by nv vectors of lanes, the last of which has only those of `last`. Callers pass
 * constants for mr and nv. */
INLINE void tile(int mr, int nv, __mmask16 last, const od_mul_part *part, int64_t i0, int64_t j0)
{
    const od_mul_args *o = &part->of;
    const bool add = part->add, is_leaky = o->leaky;
    const float *a = o->a + i0 * o->ars, *b = o->b + j0;
    const int64_t k = o->k, ars = o->ars, acs = o->acs, ldb = o->ldb;
    float *c = o->c + i0 * o->ldc + j0;
    vf acc[24];
#pragma GCC unroll 8
    for (int i = 0; i < mr; i++) {
        vf start = o->bias ? _mm512_set1_ps(o->bias[i0 + i]) : _mm512_setzero_ps();
#pragma GCC unroll 3
        for (int v = 0; v < nv; v++) {
            __mmask16 on = v + 1 < nv ? (__mmask16)-1 : last;
            acc[i * nv + v] = add ? _mm512_maskz_loadu_ps(on, c + i * o->ldc + LANES * v) : start;
        }
    }
    for (int64_t p = 0; p < k; p++) {
        vf bv[3];
#pragma GCC unroll 3
        for (int v = 0; v < nv; v++)
            bv[v] = _mm512_maskz_loadu_ps(v + 1 < nv ? (__mmask16)-1 : last, b + p * ldb + LANES * v);
#pragma GCC unroll 8
        for (int i = 0; i < mr; i++) {
            vf ai = _mm512_set1_ps(a[i * ars + p * acs]);
#pragma GCC unroll 3
            for (int v = 0; v < nv; v++) acc[i * nv + v] = _mm512_fmadd_ps(ai, bv[v], acc[i * nv + v]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < mr; i++)
#pragma GCC unroll 3
        for (int v = 0; v < nv; v++)
            _mm512_mask_storeu_ps(c + i * o->ldc + LANES * v, v + 1 < nv ? (__mmask16)-1 : last,
                                  is_leaky ? leaky(acc[i * nv + v]) : acc[i * nv + v]);
}

/* Features i..end-1 of a panel of nv vectors, mr features at a time; the remainder in tiles of 4, 2 and 1. */
INLINE void panel(int mr, int nv, __mmask16 last, const od_mul_part *o, int64_t i, int64_t end, int64_t j)
{
    for (; end - i >= mr; i += mr) tile(mr, nv, last, o, i, j);
    for (; end - i >= 4; i += 4) tile(4, nv, last, o, i, j);
    if (end - i >= 2) {
        tile(2, nv, last, o, i, j);
        i += 2;
    }
    if (end - i == 1) tile(1, nv, last, o, i, j);
}

static void block(const od_mul_part *o, int64_t i, int64_t end)
{
    const __mmask16 all = (__mmask16)-1, half = 0xff;
    int64_t j = 0, n = o->of.n;
    for (; j + 3 * LANES <= n; j += 3 * LANES) panel(8, 3, all, o, i, end, j);
    int64_t left = n - j;
    if (left > 2 * LANES)
        panel(8, 3, half, o, i, end, j);
    else if (left > LANES)
        panel(8, 2, left == 2 * LANES ? all : half, o, i, end, j);
    else if (left)
        panel(8, 1, left == LANES ? all : half, o, i, end, j);
}

static void mul(const od_mul_args *args)
{
    od_mul_in_parts(args, block);
}

void od_kern_avx512_fill(od_kern *table)
{
    table->name = "avx512";
    table->mul = mul;
}

#else

void od_kern_avx512_fill(od_kern *table)
{
    (void)table;
}

#endif
