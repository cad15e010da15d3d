/*
 * Normally distributed random numbers for NEON: Philox and the Box-Muller transform. tests: kern
 *
 * A vector has one word of four Philox blocks. Eight blocks make 32 numbers, as in kern/ref.c, so they are
 * two sets of vectors.
 */
#include "kern/kern.h"

#if defined(__aarch64__)

#include "kern/neon.h"

INLINE vf vunit(vu word)
{
    return vmulq_f32(vaddq_f32(vcvtq_f32_u32(vshrq_n_u32(word, 9)), set1(0.5f)), set1(0x1p-23f));
}

INLINE void vbox_muller(vu w0, vu w1, float *n0, float *n1)
{
    const vu top = vdupq_n_u32(0x80000000u);
    vf radius = vsqrtq_f32(vmulq_f32(set1(-2.0f), vlog(vunit(w0))));
    vf a = vmulq_f32(vcvtq_f32_s32(vreinterpretq_s32_u32(vshlq_n_u32(w1, 2))), set1(OD_QUADRANT));
    vf z = vmulq_f32(a, a);
    vf s = fma4(set1(OD_SIN_C7), z, set1(OD_SIN_C5));
    s = fma4(s, z, set1(OD_SIN_C3));
    s = fma4(vmulq_f32(s, z), a, a);
    vf c = fma4(set1(OD_COS_C8), z, set1(OD_COS_C6));
    c = fma4(c, z, set1(OD_COS_C4));
    c = fma4(c, vmulq_f32(z, z), fma4(z, set1(-0.5f), set1(1.0f)));
    vu odd = vshlq_n_u32(w1, 1), swap = vtstq_u32(odd, top);
    vf sine = vbslq_f32(swap, c, s), cosine = vbslq_f32(swap, s, c);
    vu flip_c = vandq_u32(veorq_u32(w1, odd), top), flip_s = vandq_u32(w1, top);
    store(n0, vmulq_f32(radius, bits_as_float(veorq_u32(float_as_bits(cosine), flip_c))));
    store(n1, vmulq_f32(radius, bits_as_float(veorq_u32(float_as_bits(sine), flip_s))));
}

/* The four words of four Philox blocks. */
typedef struct words {
    vu c0, c1, c2, c3;
} words;

/* The low and high halves of the products of four words with one. */
INLINE void multiply(vu x, uint32_t factor, vu *low, vu *high)
{
    vu first = vreinterpretq_u32_u64(vmull_n_u32(vget_low_u32(x), factor));
    vu second = vreinterpretq_u32_u64(vmull_n_u32(vget_high_u32(x), factor));
    *low = vuzp1q_u32(first, second);
    *high = vuzp2q_u32(first, second);
}

INLINE void philox_round(words *w, uint32_t k0, uint32_t k1)
{
    vu low0, high0, low1, high1;
    multiply(w->c0, OD_PHILOX_M0, &low0, &high0);
    multiply(w->c2, OD_PHILOX_M1, &low1, &high1);
    w->c0 = veorq_u32(veorq_u32(high1, w->c1), vdupq_n_u32(k0));
    w->c2 = veorq_u32(veorq_u32(high0, w->c3), vdupq_n_u32(k1));
    w->c1 = low1;
    w->c3 = low0;
}

void od_neon_normal(float *y, int64_t n, const od_rng *s)
{
    static const uint32_t lane[4] = {0, 1, 2, 3};
    for (int64_t start = 0; start < n; start += 32) {
        uint64_t first = (uint64_t)start / 4; /* a multiple of 8: adding the lane does not carry */
        vu c0 = vaddq_u32(vdupq_n_u32((uint32_t)first), vld1q_u32(lane));
        vu c1 = vdupq_n_u32((uint32_t)(first >> 32)), c2 = vdupq_n_u32(s->hi[0]), c3 = vdupq_n_u32(s->hi[1]);
        words part[2] = {{c0, c1, c2, c3}, {vaddq_u32(c0, vdupq_n_u32(4)), c1, c2, c3}};
#pragma GCC unroll 10
        for (uint32_t r = 0; r < OD_PHILOX_ROUNDS; r++) {
            uint32_t k0 = s->key[0] + r * OD_PHILOX_W0, k1 = s->key[1] + r * OD_PHILOX_W1;
            philox_round(&part[0], k0, k1);
            philox_round(&part[1], k0, k1);
        }
        float group[32] = {0};
        bool whole = start + 32 <= n;
        float *to = whole ? y + start : group;
#pragma GCC unroll 2
        for (int h = 0; h < 2; h++) {
            vbox_muller(part[h].c0, part[h].c1, to + 4 * h, to + 8 + 4 * h);
            vbox_muller(part[h].c2, part[h].c3, to + 16 + 4 * h, to + 24 + 4 * h);
        }
        for (int64_t i = 0; !whole && start + i < n; i++) y[start + i] = group[i];
    }
}

#endif
