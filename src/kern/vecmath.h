/*
 * exp, log, sine and cosine for all levels: the constants, and the reference functions of one number. Each is
 * a range reduction and a polynomial in fused multiply-adds; kern/avx2.c does the same operations in the same
 * order on eight numbers. Errors are measured in tests/unit/test_kern.c: exp and log 1.5 ulp, the normals
 * 2e-6.
 */
#ifndef OD_VECMATH_H
#define OD_VECMATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/rng.h"

#define OD_ROUND_MAGIC 12582912.0f /* 1.5 * 2^23: adding and taking it away rounds to the nearest integer */

#define OD_EXP_LO (-87.0f)
#define OD_EXP_HI 88.0f
#define OD_LOG2E  1.44269504f
#define OD_LN2_HI 0.693359375f
#define OD_LN2_LO (-2.12194440e-4f)
#define OD_EXP_C2 5.0000001201e-1f /* exp(r) = 1 + r + r^2 * P(r) on [-ln2/2, ln2/2] (Cephes) */
#define OD_EXP_C3 1.6666665459e-1f
#define OD_EXP_C4 4.1665795894e-2f
#define OD_EXP_C5 8.3334519073e-3f
#define OD_EXP_C6 1.3981999507e-3f
#define OD_EXP_C7 1.9875691500e-4f

/* log(1 + f) = f - f^2/2 + f^3 * P(f) on [sqrt(1/2) - 1, sqrt(2) - 1] (Cephes) */
#define OD_SQRT_HALF 0.707106781f
#define OD_LOG_P0    7.0376836292e-2f
#define OD_LOG_P1    (-1.1514610310e-1f)
#define OD_LOG_P2    1.1676998740e-1f
#define OD_LOG_P3    (-1.2420140846e-1f)
#define OD_LOG_P4    1.4249322787e-1f
#define OD_LOG_P5    (-1.6668057665e-1f)
#define OD_LOG_P6    2.0000714765e-1f
#define OD_LOG_P7    (-2.4999993993e-1f)
#define OD_LOG_P8    3.3333331174e-1f

/* sine and cosine of (pi/2) r for r in [-1/2, 1/2], as polynomials in r^2 */
#define OD_HALF_PI 1.57079633f
#define OD_SIN_C3  (-1.6666654611e-1f)
#define OD_SIN_C5  8.3321608736e-3f
#define OD_SIN_C7  (-1.9515295891e-4f)
#define OD_COS_C4  4.166664568298827e-2f
#define OD_COS_C6  (-1.388731625493765e-3f)
#define OD_COS_C8  2.443315711809948e-5f

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

static inline float od_expf(float x)
{
    x = x > OD_EXP_LO ? x : OD_EXP_LO; /* also for NaN: the conversion below needs a number */
    x = x < OD_EXP_HI ? x : OD_EXP_HI;
    float t = fmaf(x, OD_LOG2E, OD_ROUND_MAGIC);
    float n = t - OD_ROUND_MAGIC;
    float r = fmaf(n, -OD_LN2_HI, x);
    r = fmaf(n, -OD_LN2_LO, r);
    float p = fmaf(OD_EXP_C7, r, OD_EXP_C6);
    p = fmaf(p, r, OD_EXP_C5);
    p = fmaf(p, r, OD_EXP_C4);
    p = fmaf(p, r, OD_EXP_C3);
    p = fmaf(p, r, OD_EXP_C2);
    p = fmaf(p, r * r, r) + 1.0f;
    return p * od_from_bits((uint32_t)((int32_t)n + 127) << 23);
}

static inline float od_logf(float x)
{
    uint32_t bits = od_to_bits(x);
    float e = (float)((int32_t)(bits >> 23) - 126);
    float m = od_from_bits((bits & 0x007FFFFFu) | 0x3F000000u); /* in [1/2, 1) */
    float low = m < OD_SQRT_HALF ? 1.0f : 0.0f;
    e = e - low;
    float f = (m - 1.0f) + (m < OD_SQRT_HALF ? m : 0.0f);
    float z = f * f;
    float p = fmaf(OD_LOG_P0, f, OD_LOG_P1);
    p = fmaf(p, f, OD_LOG_P2);
    p = fmaf(p, f, OD_LOG_P3);
    p = fmaf(p, f, OD_LOG_P4);
    p = fmaf(p, f, OD_LOG_P5);
    p = fmaf(p, f, OD_LOG_P6);
    p = fmaf(p, f, OD_LOG_P7);
    p = fmaf(p, f, OD_LOG_P8);
    p = (p * f) * z;
    p = fmaf(e, OD_LN2_LO, p);
    p = fmaf(z, -0.5f, p);
    return fmaf(e, OD_LN2_HI, f + p);
}

/* Two standard normals from two words. */
static inline void od_box_muller(uint32_t w0, uint32_t w1, float *n0, float *n1)
{
    float radius = sqrtf(-2.0f * od_logf(od_unit(w0)));
    float turn = od_unit(w1) * 4.0f; /* quarter turns */
    float t = turn + OD_ROUND_MAGIC;
    float q = t - OD_ROUND_MAGIC; /* 0..4 */
    float a = (turn - q) * OD_HALF_PI;
    float z = a * a;
    float s = fmaf(OD_SIN_C7, z, OD_SIN_C5);
    s = fmaf(s, z, OD_SIN_C3);
    s = fmaf(s * z, a, a);
    float c = fmaf(OD_COS_C8, z, OD_COS_C6);
    c = fmaf(c, z, OD_COS_C4);
    c = fmaf(c, z * z, fmaf(z, -0.5f, 1.0f));
    uint32_t quarter = od_to_bits(t); /* its low two bits are q mod 4 */
    float sine = quarter & 1 ? c : s, cosine = quarter & 1 ? s : c;
    uint32_t flip_s = (quarter & 2) << 30, flip_c = ((quarter + 1) & 2) << 30;
    *n0 = radius * od_from_bits(od_to_bits(cosine) ^ flip_c);
    *n1 = radius * od_from_bits(od_to_bits(sine) ^ flip_s);
}

#endif
