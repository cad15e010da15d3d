/* Vector helpers shared by the NEON kernels; included by neon*.c only. */
#ifndef OD_NEON_H
#define OD_NEON_H

#if defined(__aarch64__)

#include <arm_neon.h>
#include <stdint.h>

#include "kern/kern.h"
#include "kern/vecmath.h"

typedef float32x4_t vf;
typedef uint32x4_t vu;

#define INLINE static inline __attribute__((always_inline))

INLINE vf set1(float x)
{
    return vdupq_n_f32(x);
}

INLINE vf load(const float *p)
{
    return vld1q_f32(p);
}

INLINE void store(float *p, vf x)
{
    vst1q_f32(p, x);
}

INLINE vf bits_as_float(vu x)
{
    return vreinterpretq_f32_u32(x);
}

INLINE vu float_as_bits(vf x)
{
    return vreinterpretq_u32_f32(x);
}

/* a * b + c with one rounding; the intrinsic takes the sum first. */
INLINE vf fma4(vf a, vf b, vf c)
{
    return vfmaq_f32(c, a, b);
}

/* x > y ? x : y, which is y if either is NaN, as in kern/ref.c; the instruction for a maximum gives NaN. */
INLINE vf greater(vf x, vf y)
{
    return vbslq_f32(vcgtq_f32(x, y), x, y);
}

INLINE vf lesser(vf x, vf y)
{
    return vbslq_f32(vcltq_f32(x, y), x, y);
}

INLINE vf leaky(vf x)
{
    return vmaxq_f32(x, vmulq_f32(x, set1(OD_LEAKY)));
}

/* The sum of eight lanes in two vectors in the order 8 -> 4 -> 2 -> 1. */
INLINE float fold(vf low, vf high)
{
    vf s4 = vaddq_f32(low, high);
    float32x2_t s2 = vadd_f32(vget_low_f32(s4), vget_high_f32(s4));
    return vget_lane_f32(s2, 0) + vget_lane_f32(s2, 1);
}

/* The functions of kern/vecmath.h on four numbers. vexp_in_range requires OD_EXP_LO <= x <= OD_EXP_HI. */
INLINE vf vexp_in_range(vf x)
{
    const vf magic = set1(OD_ROUND_MAGIC), log2e = set1(OD_LOG2E);
    vf t = fma4(x, log2e, magic);
    vf f = fma4(x, log2e, vnegq_f32(vsubq_f32(t, magic)));
    vf p = fma4(set1(OD_EXP_C5), f, set1(OD_EXP_C4));
    p = fma4(p, f, set1(OD_EXP_C3));
    p = fma4(p, f, set1(OD_EXP_C2));
    p = fma4(p, f, set1(OD_EXP_C1));
    p = fma4(p, f, set1(1.0f));
    return bits_as_float(vaddq_u32(float_as_bits(p), vshlq_n_u32(float_as_bits(t), 23)));
}

INLINE vf vexp(vf x)
{
    return vexp_in_range(lesser(greater(x, set1(OD_EXP_LO)), set1(OD_EXP_HI)));
}

INLINE vf vlog(vf x)
{
    vu bits = float_as_bits(x), offset = vsubq_u32(bits, vdupq_n_u32(OD_SQRT_HALF_BITS));
    int32x4_t e = vshrq_n_s32(vreinterpretq_s32_u32(offset), 23);
    vu shift = vandq_u32(offset, vdupq_n_u32(0xFF800000u));
    vf f = vsubq_f32(bits_as_float(vsubq_u32(bits, shift)), set1(1.0f));
    vf p = fma4(set1(OD_LOG_C8), f, set1(OD_LOG_C7));
    p = fma4(p, f, set1(OD_LOG_C6));
    p = fma4(p, f, set1(OD_LOG_C5));
    p = fma4(p, f, set1(OD_LOG_C4));
    p = fma4(p, f, set1(OD_LOG_C3));
    p = fma4(p, f, set1(OD_LOG_C2));
    p = fma4(p, f, set1(OD_LOG_C1));
    p = fma4(p, f, set1(1.0f));
    return fma4(vcvtq_f32_s32(e), set1(OD_LN2), vmulq_f32(p, f));
}

void od_neon_mul(const od_mul_args *args);
void od_neon_dot(const od_dot_args *args);
void od_neon_norms(const od_norms_args *args);
void od_neon_normal(float *y, int64_t n, const od_rng *s);

#endif

#endif
