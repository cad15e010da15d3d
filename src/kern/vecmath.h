/*
 * Scalar multiply-add, exp, log, Box-Muller and Adam step with their constants, shared by all kernel levels.
 *
 * exp, log, sine and cosine are a range reduction and a polynomial in fused multiply-adds; kern/avx2.h and
 * avx2_normal.c do the same operations in the same order on eight numbers. Errors are measured in
 * tests/unit/test_kern.c: exp 4 ulp where |x| < 8 and 2e-6 elsewhere, log 2 ulp, the normal numbers 2e-6.
 */
#ifndef OD_VECMATH_H
#define OD_VECMATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kern/kern.h"

#define OD_ROUND_MAGIC 12582912.0f /* 1.5 * 2^23: adding and subtracting it rounds to the nearest integer */

#define OD_LEAST_NORMAL_BITS UINT64_C(0x3810000000000000) /* 2^-126, as a double */

#define OD_EXP_LO (-87.0f)
#define OD_EXP_HI 88.0f
#define OD_LOG2E  1.44269504f
/* 2^f = 1 + f P(f) on [-1/2, 1/2], fitted for the least relative error: 9e-8 */
#define OD_EXP_C1 6.9314697760e-1f
#define OD_EXP_C2 2.4022242085e-1f
#define OD_EXP_C3 5.5507337435e-2f
#define OD_EXP_C4 9.6715126448e-3f
#define OD_EXP_C5 1.3264727124e-3f

/* log(1 + f) = f P(f) on [sqrt(1/2) - 1, sqrt(2) - 1], fitted for the least relative error: 3e-8 */
#define OD_LN2            0.693147181f
#define OD_SQRT_HALF_BITS 0x3F3504F3u
#define OD_LOG_C1         (-4.999999161e-1f)
#define OD_LOG_C2         3.333395022e-1f
#define OD_LOG_C3         (-2.500175526e-1f)
#define OD_LOG_C4         1.996207214e-1f
#define OD_LOG_C5         (-1.657050810e-1f)
#define OD_LOG_C6         1.491797347e-1f
#define OD_LOG_C7         (-1.430752216e-1f)
#define OD_LOG_C8         8.734843968e-2f
#define OD_QUADRANT       3.657295198e-10f /* (pi / 2) / 2^32 */
/* sine and cosine on [-pi/4, pi/4] (Cephes) */
#define OD_SIN_C3 (-1.6666654611e-1f)
#define OD_SIN_C5 8.3321608736e-3f
#define OD_SIN_C7 (-1.9515295891e-4f)
#define OD_COS_C4 4.166664568298827e-2f
#define OD_COS_C6 (-1.388731625493765e-3f)
#define OD_COS_C8 2.443315711809948e-5f

static inline float od_from_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline uint32_t od_to_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* a * b + c from the product, which a double holds exactly: the sum is rounded to an odd last bit, so that
 * rounding it again, to a float, gives what rounding once would give. */
static inline float od_fmaf_odd(double product, double c)
{
    double sum = product + c, part = sum - product, rest = (product - (sum - part)) + (c - part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if ((rest > 0.0 || rest < 0.0) && !(bits & 1)) bits += (rest > 0.0) == (sum > 0.0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof bits);
    return (float)sum;
}

/*
 * fmaf, fast also where the compiler may not use the instruction. That of the C library is a call for each
 * number, and takes 20 ns on processors without the instruction.
 *
 * The sum in double precision, rounded to a float, is already right unless it lies halfway between two floats
 * or is too small for a normal float.
 */
static inline float od_fmaf(float a, float b, float c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return fmaf(a, b, c);
#else
    double product = (double)a * (double)b, sum = product + (double)c;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    bool halfway = (bits & 0x1FFFFFFF) == 0x10000000;
    bool tiny = (bits << 1) - 1 < (OD_LEAST_NORMAL_BITS << 1) - 1; /* without the sign; not 0 */
    return halfway || tiny ? od_fmaf_odd(product, (double)c) : (float)sum;
#endif
}

static inline float od_expf(float x)
{
    x = x > OD_EXP_LO ? x : OD_EXP_LO; /* replaces NaN, too: the conversion below needs a number */
    x = x < OD_EXP_HI ? x : OD_EXP_HI;
    float t = od_fmaf(x, OD_LOG2E, OD_ROUND_MAGIC); /* its low bits are the exponent of the result */
    float f = od_fmaf(x, OD_LOG2E, -(t - OD_ROUND_MAGIC));
    float p = od_fmaf(OD_EXP_C5, f, OD_EXP_C4);
    p = od_fmaf(p, f, OD_EXP_C3);
    p = od_fmaf(p, f, OD_EXP_C2);
    p = od_fmaf(p, f, OD_EXP_C1);
    p = od_fmaf(p, f, 1.0f);
    return od_from_bits(od_to_bits(p) + (od_to_bits(t) << 23));
}

/* x must be a positive normal number. */
static inline float od_logf(float x)
{
    uint32_t bits = od_to_bits(x), offset = bits - OD_SQRT_HALF_BITS;
    int32_t e = (int32_t)(offset & 0xFF800000u) / (1 << 23); /* x = 2^e m, m in [sqrt(1/2), sqrt(2)) */
    float f = od_from_bits(bits - (offset & 0xFF800000u)) - 1.0f;
    float p = od_fmaf(OD_LOG_C8, f, OD_LOG_C7);
    p = od_fmaf(p, f, OD_LOG_C6);
    p = od_fmaf(p, f, OD_LOG_C5);
    p = od_fmaf(p, f, OD_LOG_C4);
    p = od_fmaf(p, f, OD_LOG_C3);
    p = od_fmaf(p, f, OD_LOG_C2);
    p = od_fmaf(p, f, OD_LOG_C1);
    p = od_fmaf(p, f, 1.0f);
    return od_fmaf((float)e, OD_LN2, p * f);
}

/* The Adam step of one parameter; rate is lr / corr1. */
static inline void od_adam_one(float *w, float *m, float *v, float g, float rate, const od_adam_step *s)
{
    float grad = od_fmaf(s->decay, *w, g);
    *m = od_fmaf(s->beta1, *m, s->one_minus_beta1 * grad);
    *v = od_fmaf(s->beta2, *v, (s->one_minus_beta2 * grad) * grad);
    *w = *w - (rate * *m) / (sqrtf(*v) / s->corr2 + s->eps);
}

/*
 * Two standard normal numbers from two random words. The first word gives the radius. The upper two bits of
 * the second select the quadrant; the rest is the angle relative to the center of that quadrant.
 */
static inline void od_box_muller(uint32_t w0, uint32_t w1, float *n0, float *n1)
{
    float radius = sqrtf(-2.0f * od_logf(od_unit(w0)));
    float a = (float)(int32_t)(w1 << 2) * OD_QUADRANT;
    float z = a * a;
    float s = od_fmaf(OD_SIN_C7, z, OD_SIN_C5);
    s = od_fmaf(s, z, OD_SIN_C3);
    s = od_fmaf(s * z, a, a);
    float c = od_fmaf(OD_COS_C8, z, OD_COS_C6);
    c = od_fmaf(c, z, OD_COS_C4);
    c = od_fmaf(c, z * z, od_fmaf(z, -0.5f, 1.0f));
    uint32_t odd = w1 << 1; /* top bit set: the quadrant is odd, and sine and cosine are swapped */
    float sine = odd >> 31 ? c : s, cosine = odd >> 31 ? s : c;
    *n0 = radius * od_from_bits(od_to_bits(cosine) ^ ((w1 ^ odd) & 0x80000000u));
    *n1 = radius * od_from_bits(od_to_bits(sine) ^ (w1 & 0x80000000u));
}

#endif
