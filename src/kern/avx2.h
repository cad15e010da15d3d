/* Vector helpers shared by the AVX2 kernels; included by avx2*.c only. */
#ifndef OD_AVX2_H
#define OD_AVX2_H

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>
#include <stdint.h>

#include "kern/kern.h"
#include "kern/vecmath.h"

typedef __m256 vf;
typedef __m256i vi;

#define INLINE static inline __attribute__((always_inline))

INLINE vf set1(float x)
{
    return _mm256_set1_ps(x);
}

INLINE vf load(const float *p)
{
    return _mm256_loadu_ps(p);
}

INLINE void store(float *p, vf x)
{
    _mm256_storeu_ps(p, x);
}

INLINE vf leaky(vf x)
{
    return _mm256_max_ps(x, _mm256_mul_ps(x, set1(OD_LEAKY)));
}

INLINE vf vselect(vf test, vf yes, vf no)
{
    return _mm256_blendv_ps(no, yes, test);
}

/* The sum of eight lanes in the order 8 -> 4 -> 2 -> 1. */
INLINE float fold(vf s8)
{
    __m128 s4 = _mm_add_ps(_mm256_castps256_ps128(s8), _mm256_extractf128_ps(s8, 1));
    __m128 s2 = _mm_add_ps(s4, _mm_movehl_ps(s4, s4));
    return _mm_cvtss_f32(_mm_add_ss(s2, _mm_movehdup_ps(s2)));
}

/* The functions of kern/vecmath.h on eight numbers. vexp_in_range requires OD_EXP_LO <= x <= OD_EXP_HI. */
INLINE vf vexp_in_range(vf x)
{
    const vf magic = set1(OD_ROUND_MAGIC), log2e = set1(OD_LOG2E);
    vf t = _mm256_fmadd_ps(x, log2e, magic);
    vf f = _mm256_fmsub_ps(x, log2e, _mm256_sub_ps(t, magic));
    vf p = _mm256_fmadd_ps(set1(OD_EXP_C5), f, set1(OD_EXP_C4));
    p = _mm256_fmadd_ps(p, f, set1(OD_EXP_C3));
    p = _mm256_fmadd_ps(p, f, set1(OD_EXP_C2));
    p = _mm256_fmadd_ps(p, f, set1(OD_EXP_C1));
    p = _mm256_fmadd_ps(p, f, set1(1.0f));
    vi e = _mm256_slli_epi32(_mm256_castps_si256(t), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), e));
}

INLINE vf vexp(vf x)
{
    return vexp_in_range(_mm256_min_ps(_mm256_max_ps(x, set1(OD_EXP_LO)), set1(OD_EXP_HI)));
}

INLINE vf vlog(vf x)
{
    vi bits = _mm256_castps_si256(x), offset = _mm256_sub_epi32(bits, _mm256_set1_epi32(OD_SQRT_HALF_BITS));
    vi e = _mm256_srai_epi32(offset, 23);
    vf f = _mm256_sub_ps(_mm256_castsi256_ps(_mm256_sub_epi32(bits, _mm256_slli_epi32(e, 23))), set1(1.0f));
    vf p = _mm256_fmadd_ps(set1(OD_LOG_C8), f, set1(OD_LOG_C7));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_C6));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_C5));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_C4));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_C3));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_C2));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_C1));
    p = _mm256_fmadd_ps(p, f, set1(1.0f));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(e), set1(OD_LN2), _mm256_mul_ps(p, f));
}

void od_avx2_mul(const od_mul_args *args);
void od_avx2_dot(const od_dot_args *args);
void od_avx2_norms(const od_norms_args *args);
void od_avx2_normal(float *y, int64_t n, const od_rng *s);

#endif

#endif
