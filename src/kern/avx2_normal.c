/*
 * Normally distributed random numbers for AVX2: Philox and the Box-Muller transform. tests: kern
 *
 * Each Philox word occupies the low half of a 64-bit lane, where the multiply instruction reads its operands;
 * the upper halves are ignored. Even blocks run in one register and odd blocks in another; they are
 * interleaved at the end.
 */
#include "kern/kern.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "kern/avx2.h"

INLINE vf vunit(vi word)
{
    vf u = _mm256_add_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(word, 9)), set1(0.5f));
    return _mm256_mul_ps(u, set1(0x1p-23f));
}

INLINE void vbox_muller(vi w0, vi w1, float *n0, float *n1)
{
    const vi top = _mm256_set1_epi32(INT32_MIN);
    vf radius = _mm256_sqrt_ps(_mm256_mul_ps(set1(-2.0f), vlog(vunit(w0))));
    vf a = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_slli_epi32(w1, 2)), set1(OD_QUADRANT));
    vf z = _mm256_mul_ps(a, a);
    vf s = _mm256_fmadd_ps(set1(OD_SIN_C7), z, set1(OD_SIN_C5));
    s = _mm256_fmadd_ps(s, z, set1(OD_SIN_C3));
    s = _mm256_fmadd_ps(_mm256_mul_ps(s, z), a, a);
    vf c = _mm256_fmadd_ps(set1(OD_COS_C8), z, set1(OD_COS_C6));
    c = _mm256_fmadd_ps(c, z, set1(OD_COS_C4));
    c = _mm256_fmadd_ps(c, _mm256_mul_ps(z, z), _mm256_fmadd_ps(z, set1(-0.5f), set1(1.0f)));
    vi odd = _mm256_slli_epi32(w1, 1);
    vf swap = _mm256_castsi256_ps(odd), sine = vselect(swap, c, s), cosine = vselect(swap, s, c);
    vf flip_c = _mm256_castsi256_ps(_mm256_and_si256(_mm256_xor_si256(w1, odd), top));
    vf flip_s = _mm256_castsi256_ps(_mm256_and_si256(w1, top));
    store(n0, _mm256_mul_ps(radius, _mm256_xor_ps(cosine, flip_c)));
    store(n1, _mm256_mul_ps(radius, _mm256_xor_ps(sine, flip_s)));
}

/* The four words of four Philox blocks. */
typedef struct words {
    vi c0, c1, c2, c3;
} words;

INLINE void philox_round(words *w, vi k0, vi k1)
{
    vi p0 = _mm256_mul_epu32(w->c0, _mm256_set1_epi64x(OD_PHILOX_M0));
    vi p1 = _mm256_mul_epu32(w->c2, _mm256_set1_epi64x(OD_PHILOX_M1));
    w->c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), w->c1), k0);
    w->c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), w->c3), k1);
    w->c1 = p1;
    w->c3 = p0;
}

INLINE vi interleave(vi even, vi odd)
{
    return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
}

void od_avx2_normal(float *y, int64_t n, const od_rng *s)
{
    vi key[OD_PHILOX_ROUNDS][2];
    for (uint32_t r = 0; r < OD_PHILOX_ROUNDS; r++) {
        key[r][0] = _mm256_set1_epi64x((int64_t)(s->key[0] + r * OD_PHILOX_W0));
        key[r][1] = _mm256_set1_epi64x((int64_t)(s->key[1] + r * OD_PHILOX_W1));
    }
    for (int64_t start = 0; start < n; start += 32) {
        int64_t first = start / 4; /* a multiple of 8: adding the lane does not carry into the upper word */
        vi c0 = _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_setr_epi64x(0, 2, 4, 6));
        vi c1 = _mm256_set1_epi64x(first >> 32);
        vi c2 = _mm256_set1_epi64x(s->hi[0]), c3 = _mm256_set1_epi64x(s->hi[1]);
        words even = {c0, c1, c2, c3}, odd = {_mm256_add_epi64(c0, _mm256_set1_epi64x(1)), c1, c2, c3};
#pragma GCC unroll 10
        for (int r = 0; r < OD_PHILOX_ROUNDS; r++) {
            philox_round(&even, key[r][0], key[r][1]);
            philox_round(&odd, key[r][0], key[r][1]);
        }
        float group[32] = {0};
        bool whole = start + 32 <= n;
        float *to = whole ? y + start : group;
        vbox_muller(interleave(even.c0, odd.c0), interleave(even.c1, odd.c1), to, to + 8);
        vbox_muller(interleave(even.c2, odd.c2), interleave(even.c3, odd.c3), to + 16, to + 24);
        for (int64_t i = 0; !whole && start + i < n; i++) y[start + i] = group[i];
    }
}

#endif
