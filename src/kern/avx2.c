/*
 * The kernels for AVX2 with FMA. Same operations in the same order as kern/ref.c, eight numbers at a time, so
 * the same bits: tests/unit/test_kern.c compares them with memcmp.
 *
 * The multiply works on tiles of c: 6 x 16 (or 12 x 8 for the last columns), twelve accumulators in
 * registers. b is used where it lies when its rows are contiguous, and packed into a panel of 16 columns
 * otherwise; a is never packed, since its elements are broadcast one by one.
 */
#include "kern/kern.h"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

#include "kern/vecmath.h"

typedef __m256 vf;
typedef __m256i vi;

#define INLINE static inline __attribute__((always_inline))

INLINE vf set1(float x)
{
    return _mm256_set1_ps(x);
}

/* Lanes 0..count-1 on. */
INLINE vi lanes(int64_t count)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count > 8 ? 8 : (int)count),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/*
 * Up to 8 of `left` numbers. The masked instructions are slow on some processors, the store above all, so
 * they are for the end of a row only; where `left` is known to be 8 or more the branch disappears.
 */
INLINE vf load(const float *p, int64_t left)
{
    return left >= 8 ? _mm256_loadu_ps(p) : _mm256_maskload_ps(p, lanes(left));
}

INLINE void store(float *p, int64_t left, vf x)
{
    if (left >= 8)
        _mm256_storeu_ps(p, x);
    else
        _mm256_maskstore_ps(p, lanes(left), x);
}

/* Zero beyond `left`. */
INLINE vf keep(vf x, int64_t left)
{
    return left >= 8 ? x : _mm256_and_ps(x, _mm256_castsi256_ps(lanes(left)));
}

INLINE vf leaky(vf x)
{
    return _mm256_max_ps(x, _mm256_mul_ps(x, set1(OD_LEAKY)));
}

INLINE vf choose(vf test, vf yes, vf no)
{
    return _mm256_blendv_ps(no, yes, test);
}

INLINE vf positive(vf x)
{
    return _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GT_OQ);
}

INLINE vf unleaky(vf y)
{
    return choose(positive(y), y, _mm256_mul_ps(y, set1(OD_LEAKY_INV)));
}

/* Lanes 0-7 in a, 8-15 in b: 16 -> 8 -> 4 -> 2 -> 1. */
INLINE float fold(vf a, vf b)
{
    vf s8 = _mm256_add_ps(a, b);
    __m128 s4 = _mm_add_ps(_mm256_castps256_ps128(s8), _mm256_extractf128_ps(s8, 1));
    __m128 s2 = _mm_add_ps(s4, _mm_movehl_ps(s4, s4));
    return _mm_cvtss_f32(_mm_add_ss(s2, _mm_movehdup_ps(s2)));
}

/* ---- elementary functions: kern/vecmath.h, eight at a time ---- */

INLINE vf vexp(vf x)
{
    const vf magic = set1(OD_ROUND_MAGIC);
    x = _mm256_max_ps(x, set1(OD_EXP_LO));
    x = _mm256_min_ps(x, set1(OD_EXP_HI));
    vf n = _mm256_sub_ps(_mm256_fmadd_ps(x, set1(OD_LOG2E), magic), magic);
    vf r = _mm256_fmadd_ps(n, set1(-OD_LN2_HI), x);
    r = _mm256_fmadd_ps(n, set1(-OD_LN2_LO), r);
    vf p = _mm256_fmadd_ps(set1(OD_EXP_C7), r, set1(OD_EXP_C6));
    p = _mm256_fmadd_ps(p, r, set1(OD_EXP_C5));
    p = _mm256_fmadd_ps(p, r, set1(OD_EXP_C4));
    p = _mm256_fmadd_ps(p, r, set1(OD_EXP_C3));
    p = _mm256_fmadd_ps(p, r, set1(OD_EXP_C2));
    p = _mm256_add_ps(_mm256_fmadd_ps(p, _mm256_mul_ps(r, r), r), set1(1.0f));
    vi e = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvttps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(p, _mm256_castsi256_ps(e));
}

INLINE vf vlog(vf x)
{
    vi bits = _mm256_castps_si256(x);
    vf e = _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_srli_epi32(bits, 23), _mm256_set1_epi32(126)));
    vf m = _mm256_castsi256_ps(_mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi32(0x007FFFFF)),
                                               _mm256_set1_epi32(0x3F000000)));
    vf low = _mm256_cmp_ps(m, set1(OD_SQRT_HALF), _CMP_LT_OQ);
    e = _mm256_sub_ps(e, _mm256_and_ps(low, set1(1.0f)));
    vf f = _mm256_add_ps(_mm256_sub_ps(m, set1(1.0f)), _mm256_and_ps(low, m));
    vf z = _mm256_mul_ps(f, f);
    vf p = _mm256_fmadd_ps(set1(OD_LOG_P0), f, set1(OD_LOG_P1));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_P2));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_P3));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_P4));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_P5));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_P6));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_P7));
    p = _mm256_fmadd_ps(p, f, set1(OD_LOG_P8));
    p = _mm256_mul_ps(_mm256_mul_ps(p, f), z);
    p = _mm256_fmadd_ps(e, set1(OD_LN2_LO), p);
    p = _mm256_fmadd_ps(z, set1(-0.5f), p);
    return _mm256_fmadd_ps(e, set1(OD_LN2_HI), _mm256_add_ps(f, p));
}

INLINE vf vunit(vi word)
{
    vf u = _mm256_add_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(word, 9)), set1(0.5f));
    return _mm256_mul_ps(u, set1(0x1p-23f));
}

INLINE void vbox_muller(vi w0, vi w1, float *n0, float *n1)
{
    const vf magic = set1(OD_ROUND_MAGIC);
    vf radius = _mm256_sqrt_ps(_mm256_mul_ps(set1(-2.0f), vlog(vunit(w0))));
    vf turn = _mm256_mul_ps(vunit(w1), set1(4.0f));
    vf t = _mm256_add_ps(turn, magic);
    vf q = _mm256_sub_ps(t, magic);
    vf a = _mm256_mul_ps(_mm256_sub_ps(turn, q), set1(OD_HALF_PI));
    vf z = _mm256_mul_ps(a, a);
    vf s = _mm256_fmadd_ps(set1(OD_SIN_C7), z, set1(OD_SIN_C5));
    s = _mm256_fmadd_ps(s, z, set1(OD_SIN_C3));
    s = _mm256_fmadd_ps(_mm256_mul_ps(s, z), a, a);
    vf c = _mm256_fmadd_ps(set1(OD_COS_C8), z, set1(OD_COS_C6));
    c = _mm256_fmadd_ps(c, z, set1(OD_COS_C4));
    c = _mm256_fmadd_ps(c, _mm256_mul_ps(z, z), _mm256_fmadd_ps(z, set1(-0.5f), set1(1.0f)));
    vi quarter = _mm256_castps_si256(t), one = _mm256_set1_epi32(1), two = _mm256_set1_epi32(2);
    vf odd = _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(quarter, one), one));
    vf sine = choose(odd, c, s), cosine = choose(odd, s, c);
    vi flip_s = _mm256_slli_epi32(_mm256_and_si256(quarter, two), 30);
    vi flip_c = _mm256_slli_epi32(_mm256_and_si256(_mm256_add_epi32(quarter, one), two), 30);
    _mm256_storeu_ps(n0, _mm256_mul_ps(radius, _mm256_xor_ps(cosine, _mm256_castsi256_ps(flip_c))));
    _mm256_storeu_ps(n1, _mm256_mul_ps(radius, _mm256_xor_ps(sine, _mm256_castsi256_ps(flip_s))));
}

/* High and low halves of the eight 32 x 32 products. */
INLINE void mulhilo(vi a, vi m, vi *hi, vi *lo)
{
    vi even = _mm256_mul_epu32(a, m);
    vi odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), m);
    *lo = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
    *hi = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
}

static void avx2_exp(float *y, const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i += 8) store(y + i, n - i, vexp(load(x + i, n - i)));
}

static void avx2_log(float *y, const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i += 8) store(y + i, n - i, vlog(load(x + i, n - i)));
}

static void avx2_normal(float *y, int64_t n, const od_stream *s)
{
    const vi m0 = _mm256_set1_epi32((int)0xD2511F53u), m1 = _mm256_set1_epi32((int)0xCD9E8D57u);
    for (int64_t start = 0; start < n; start += 32) {
        uint64_t block = (uint64_t)(start / 4); /* a multiple of 8: adding the lane never carries */
        vi c0 = _mm256_add_epi32(_mm256_set1_epi32((int)(uint32_t)block),
                                 _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        vi c1 = _mm256_set1_epi32((int)(uint32_t)(block >> 32));
        vi c2 = _mm256_set1_epi32((int)s->hi[0]), c3 = _mm256_set1_epi32((int)s->hi[1]);
        uint32_t k0 = s->key[0], k1 = s->key[1];
        for (int round = 0; round < 10; round++) {
            vi hi0, lo0, hi1, lo1;
            mulhilo(c0, m0, &hi0, &lo0);
            mulhilo(c2, m1, &hi1, &lo1);
            c0 = _mm256_xor_si256(_mm256_xor_si256(hi1, c1), _mm256_set1_epi32((int)k0));
            c2 = _mm256_xor_si256(_mm256_xor_si256(hi0, c3), _mm256_set1_epi32((int)k1));
            c1 = lo1;
            c3 = lo0;
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        float group[32];
        bool whole = start + 32 <= n;
        float *to = whole ? y + start : group;
        vbox_muller(c0, c1, to, to + 8);
        vbox_muller(c2, c3, to + 16, to + 24);
        for (int64_t i = 0; !whole && start + i < n; i++) y[start + i] = group[i];
    }
}

/* ---- multiply ---- */

#define K_BLOCK 256

/*
 * c (mr, n) over k products, n up to 8 nv. mr and nv are constants where it is called, and so is n when the
 * tile is full. b must be readable to 8 nv columns.
 */
INLINE void tile(int mr, int nv, int64_t n, int64_t k, const float *a, int64_t ars, int64_t acs,
                 const float *b, int64_t ldb, bool add, float *c, int64_t ldc)
{
    vf acc[12];
#pragma GCC unroll 12
    for (int i = 0; i < mr; i++) {
        acc[i * nv] = add ? load(c + i * ldc, n) : _mm256_setzero_ps();
        if (nv == 2) acc[i * nv + 1] = add ? load(c + i * ldc + 8, n - 8) : _mm256_setzero_ps();
    }
    for (int64_t p = 0; p < k; p++) {
        vf b0 = _mm256_loadu_ps(b + p * ldb), b1 = nv == 2 ? _mm256_loadu_ps(b + p * ldb + 8) : b0;
#pragma GCC unroll 12
        for (int i = 0; i < mr; i++) {
            vf ai = _mm256_broadcast_ss(a + i * ars + p * acs);
            acc[i * nv] = _mm256_fmadd_ps(ai, b0, acc[i * nv]);
            if (nv == 2) acc[i * nv + 1] = _mm256_fmadd_ps(ai, b1, acc[i * nv + 1]);
        }
    }
#pragma GCC unroll 12
    for (int i = 0; i < mr; i++) {
        store(c + i * ldc, n, acc[i * nv]);
        if (nv == 2) store(c + i * ldc + 8, n - 8, acc[i * nv + 1]);
    }
}

/* A strip of c: all m rows, one panel of n columns; rows are taken `mr` at a time, then 4, then singly. */
INLINE void strip_of(int mr, int nv, int64_t n, int64_t m, int64_t k, const float *a, int64_t ars,
                     int64_t acs, const float *b, int64_t ldb, bool add, float *c, int64_t ldc)
{
    int64_t i = 0;
    for (; i + mr <= m; i += mr) tile(mr, nv, n, k, a + i * ars, ars, acs, b, ldb, add, c + i * ldc, ldc);
    for (; i + 4 <= m; i += 4) tile(4, nv, n, k, a + i * ars, ars, acs, b, ldb, add, c + i * ldc, ldc);
    for (; i < m; i++) tile(1, nv, n, k, a + i * ars, ars, acs, b, ldb, add, c + i * ldc, ldc);
}

static void strip(int64_t n, int64_t m, int64_t k, const float *a, int64_t ars, int64_t acs, const float *b,
                  int64_t ldb, bool add, float *c, int64_t ldc)
{
    if (n == 16)
        strip_of(6, 2, 16, m, k, a, ars, acs, b, ldb, add, c, ldc);
    else if (n > 8)
        strip_of(6, 2, n, m, k, a, ars, acs, b, ldb, add, c, ldc);
    else if (n == 8)
        strip_of(12, 1, 8, m, k, a, ars, acs, b, ldb, add, c, ldc);
    else
        strip_of(12, 1, n, m, k, a, ars, acs, b, ldb, add, c, ldc);
}

static void avx2_gemm(int64_t m, int64_t n, int64_t k, const float *a, int64_t ars, int64_t acs,
                      const float *b, int64_t brs, int64_t bcs, bool add, float *c, int64_t ldc)
{
    float panel[K_BLOCK * 16];
    if (k == 0 && !add)
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++) c[i * ldc + j] = 0.0f;
    for (int64_t p0 = 0; p0 < k; p0 += K_BLOCK) {
        int64_t kb = k - p0 < K_BLOCK ? k - p0 : K_BLOCK;
        for (int64_t j0 = 0; j0 < n; j0 += 16) {
            int64_t nb = n - j0 < 16 ? n - j0 : 16;
            const float *bp = b + p0 * brs + j0 * bcs;
            int64_t ldb = brs;
            if (bcs != 1 || (nb != 16 && nb != 8)) {
                for (int64_t p = 0; p < kb; p++)
                    for (int64_t j = 0; j < 16; j++)
                        panel[p * 16 + j] = j < nb ? bp[p * brs + j * bcs] : 0.0f;
                bp = panel;
                ldb = 16;
            }
            strip(nb, m, kb, a + p0 * acs, ars, acs, bp, ldb, add || p0 > 0, c + j0, ldc);
        }
    }
}

/* ---- activations, normalisation ---- */

static void avx2_bias_leaky(float *x, const float *bias, int64_t rows, int64_t cols)
{
    for (int64_t j = 0; j < cols; j += 8) {
        int64_t left = cols - j;
        vf b = load(bias + j, left);
        for (float *p = x + j, *end = p + rows * cols; p < end; p += cols)
            store(p, left, leaky(_mm256_add_ps(load(p, left), b)));
    }
}

static void avx2_norm_leaky(float *x, const float *mean, const float *rstd, int64_t rows, int64_t cols)
{
    for (int64_t j = 0; j < cols; j += 8) {
        int64_t left = cols - j;
        vf mu = load(mean + j, left), r = load(rstd + j, left);
        for (float *p = x + j, *end = p + rows * cols; p < end; p += cols)
            store(p, left, leaky(_mm256_mul_ps(_mm256_sub_ps(load(p, left), mu), r)));
    }
}

INLINE void add_chunk(double *sum, int64_t left, vf part)
{
    float lane[8];
    _mm256_storeu_ps(lane, part);
    for (int64_t l = 0; l < 8 && l < left; l++) sum[l] += (double)lane[l];
}

static void avx2_leaky_bwd(float *dy, const float *y, int64_t rows, int64_t cols, double *sum, double *dot)
{
    for (int64_t j = 0; j < cols; j++) sum[j] = 0.0;
    for (int64_t j = 0; dot && j < cols; j++) dot[j] = 0.0;
    for (int64_t start = 0; start < rows; start += OD_KERN_CHUNK) {
        int64_t end = start + OD_KERN_CHUNK < rows ? start + OD_KERN_CHUNK : rows;
        for (int64_t j = 0; j < cols; j += 8) {
            int64_t left = cols - j;
            vf part = _mm256_setzero_ps(), part_dot = part;
            for (int64_t i = start; i < end; i++) {
                float *p = dy + i * cols + j;
                vf g = load(p, left), act = load(y + i * cols + j, left), up = positive(act);
                g = choose(up, g, _mm256_mul_ps(g, set1(OD_LEAKY)));
                store(p, left, g);
                part = _mm256_add_ps(part, g);
                part_dot =
                    _mm256_fmadd_ps(g, choose(up, act, _mm256_mul_ps(act, set1(OD_LEAKY_INV))), part_dot);
            }
            add_chunk(sum + j, left, part);
            if (dot) add_chunk(dot + j, left, part_dot);
        }
    }
}

/* Sums of x or, with a mean, of the squared deviations from it. */
INLINE void column_sums(double *sum, const float *x, int64_t ld, const float *mean, int64_t rows,
                        int64_t cols)
{
    for (int64_t j = 0; j < cols; j++) sum[j] = 0.0;
    for (int64_t start = 0; start < rows; start += OD_KERN_CHUNK) {
        int64_t end = start + OD_KERN_CHUNK < rows ? start + OD_KERN_CHUNK : rows;
        for (int64_t j = 0; j < cols; j += 8) {
            int64_t left = cols - j;
            vf m = mean ? load(mean + j, left) : _mm256_setzero_ps(), part = _mm256_setzero_ps();
            for (int64_t i = start; i < end; i++) {
                vf v = load(x + i * ld + j, left), dev = _mm256_sub_ps(v, m);
                part = mean ? _mm256_fmadd_ps(dev, dev, part) : _mm256_add_ps(part, v);
            }
            add_chunk(sum + j, left, part);
        }
    }
}

static void avx2_col_sum(double *sum, const float *x, int64_t ld, int64_t rows, int64_t cols)
{
    column_sums(sum, x, ld, NULL, rows, cols);
}

static void avx2_col_sqdev(double *sum, const float *x, const float *mean, int64_t rows, int64_t cols)
{
    column_sums(sum, x, cols, mean, rows, cols);
}

static void avx2_norm_bwd(float *dy, const float *y, const float *m1, const float *m2, const float *rstd,
                          int64_t rows, int64_t cols)
{
    for (int64_t j = 0; j < cols; j += 8) {
        int64_t left = cols - j;
        vf a = load(m1 + j, left), b = load(m2 + j, left), r = load(rstd + j, left);
        for (int64_t i = 0; i < rows; i++) {
            float *p = dy + i * cols + j;
            vf xhat = unleaky(load(y + i * cols + j, left));
            store(p, left, _mm256_mul_ps(_mm256_fnmadd_ps(xhat, b, _mm256_sub_ps(load(p, left), a)), r));
        }
    }
}

/* ---- the latent ---- */

INLINE vf sample_part(float *z, const float *mu, const float *scale, const float *eps, int64_t left)
{
    vf e = load(eps, left), v = _mm256_fmadd_ps(load(scale, left), e, load(mu, left));
    store(z, left, v);
    return keep(_mm256_fmsub_ps(e, e, _mm256_mul_ps(v, v)), left);
}

static void avx2_sample(float *z, float *twice, const float *mu, const float *scale, const float *eps,
                        int64_t k, int64_t n)
{
    for (int64_t s = 0; s < k; s++, z += n, eps += n) {
        vf even = _mm256_setzero_ps(), odd = even;
        for (int64_t j = 0; j < n; j += 16) {
            even = _mm256_add_ps(even, sample_part(z + j, mu + j, scale + j, eps + j, n - j));
            if (n - j > 8) {
                vf part = sample_part(z + j + 8, mu + j + 8, scale + j + 8, eps + j + 8, n - j - 8);
                odd = _mm256_add_ps(odd, part);
            }
        }
        twice[s] = fold(even, odd);
    }
}

static void avx2_sample_bwd(float *dmu, float *dlv, const float *dz, const float *z, const float *eps,
                            const float *g, const float *scale, int64_t k, int64_t n)
{
    for (int64_t j = 0; j < n; j += 8) {
        int64_t left = n - j;
        vf sum_mu = _mm256_setzero_ps(), sum_lv = sum_mu, sc = load(scale + j, left);
        for (int64_t s = 0; s < k; s++) {
            vf gs = set1(g[s]),
               d = _mm256_fnmadd_ps(gs, load(z + s * n + j, left), load(dz + s * n + j, left));
            sum_mu = _mm256_add_ps(sum_mu, d);
            sum_lv =
                _mm256_fmadd_ps(_mm256_mul_ps(d, load(eps + s * n + j, left)), sc, _mm256_add_ps(sum_lv, gs));
        }
        store(dmu + j, left, sum_mu);
        store(dlv + j, left, sum_lv);
    }
}

/* ---- likelihood ---- */

/* Eight features: ref.c's feature(). lik is a constant where it is called. */
INLINE vf features(od_lik lik, vf x, vf raw_mean, vf raw_lv, vf *dmean, vf *dlv)
{
    const vf one = set1(1.0f);
    vf mean = _mm256_div_ps(one, _mm256_add_ps(one, vexp(_mm256_xor_ps(raw_mean, set1(-0.0f)))));
    vf slope = _mm256_mul_ps(mean, _mm256_sub_ps(one, mean));
    vf r = _mm256_sub_ps(x, mean);
    *dlv = _mm256_setzero_ps();
    if (lik == OD_LIK_PAPER || lik == OD_LIK_GAUSSIAN) {
        const vf c = set1(lik == OD_LIK_PAPER ? 1.0f : 0.5f), min = set1(OD_LV_MIN), max = set1(OD_LV_MAX);
        vf lv = _mm256_min_ps(_mm256_max_ps(raw_lv, min), max);
        vf q = _mm256_mul_ps(r, vexp(_mm256_xor_ps(lv, set1(-0.0f))));
        vf h = _mm256_mul_ps(_mm256_mul_ps(set1(0.5f), q), r);
        vf inside =
            _mm256_and_ps(_mm256_cmp_ps(raw_lv, min, _CMP_GT_OQ), _mm256_cmp_ps(raw_lv, max, _CMP_LT_OQ));
        *dmean = _mm256_mul_ps(q, slope);
        *dlv = _mm256_and_ps(inside, _mm256_sub_ps(h, c));
        return _mm256_fnmsub_ps(c, lv, h);
    }
    if (lik == OD_LIK_UNIT) {
        *dmean = _mm256_mul_ps(r, slope);
        return _mm256_mul_ps(_mm256_mul_ps(set1(-0.5f), r), r);
    }
    vf on = _mm256_add_ps(mean, set1(OD_BERN_EPS));
    vf off = _mm256_add_ps(_mm256_sub_ps(one, mean), set1(OD_BERN_EPS));
    vf rest = _mm256_sub_ps(one, x);
    *dmean = _mm256_mul_ps(_mm256_sub_ps(_mm256_div_ps(x, on), _mm256_div_ps(rest, off)), slope);
    return _mm256_fmadd_ps(x, vlog(on), _mm256_mul_ps(rest, vlog(off)));
}

/* Up to eight features from j on: their sum is added to acc. */
INLINE void lik_part(od_lik lik, bool grad, float *mean, float *lv, const float *bias, const float *x,
                     int64_t left, vf *acc)
{
    const bool has_lv = lik == OD_LIK_PAPER || lik == OD_LIK_GAUSSIAN;
    vf dmean, dlv, raw_lv = _mm256_setzero_ps();
    if (has_lv) raw_lv = _mm256_add_ps(load(lv, left), load(bias, left));
    vf term = features(lik, load(x, left), load(mean, left), raw_lv, &dmean, &dlv);
    *acc = _mm256_add_ps(*acc, keep(term, left));
    if (grad) store(mean, left, dmean);
    if (grad && has_lv) store(lv, left, dlv);
}

INLINE void lik_rows(od_lik lik, bool grad, float *logp, float *head, int64_t ld, const float *bias,
                     const float *x, int64_t k, int64_t d)
{
    for (int64_t i = 0; i < k; i++) {
        float *mean = head + i * ld, *lv = mean + d;
        vf even = _mm256_setzero_ps(), odd = even;
        for (int64_t j = 0; j < d; j += 16) {
            lik_part(lik, grad, mean + j, lv + j, bias + j, x + j, d - j, &even);
            if (d - j > 8)
                lik_part(lik, grad, mean + j + 8, lv + j + 8, bias + j + 8, x + j + 8, d - j - 8, &odd);
        }
        logp[i] = fold(even, odd);
    }
}

static void avx2_lik(od_lik lik, float *logp, float *head, int64_t ld, const float *bias, const float *x,
                     int64_t k, int64_t d, bool grad)
{
    switch (lik) {
    case OD_LIK_PAPER:
        if (grad)
            lik_rows(OD_LIK_PAPER, true, logp, head, ld, bias, x, k, d);
        else
            lik_rows(OD_LIK_PAPER, false, logp, head, ld, bias, x, k, d);
        return;
    case OD_LIK_GAUSSIAN:
        if (grad)
            lik_rows(OD_LIK_GAUSSIAN, true, logp, head, ld, bias, x, k, d);
        else
            lik_rows(OD_LIK_GAUSSIAN, false, logp, head, ld, bias, x, k, d);
        return;
    case OD_LIK_UNIT: lik_rows(OD_LIK_UNIT, grad, logp, head, ld, bias, x, k, d); return;
    case OD_LIK_BERNOULLI: lik_rows(OD_LIK_BERNOULLI, grad, logp, head, ld, bias, x, k, d); return;
    }
}

static void avx2_softmax(const float *x, int64_t k, float *v, float *max, float *sum)
{
    float top = x[0];
    for (int64_t i = 1; i < k; i++) top = x[i] > top ? x[i] : top;
    vf acc[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    for (int64_t i = 0; i < k; i += 8) {
        int64_t left = k - i;
        vf e = vexp(_mm256_sub_ps(load(x + i, left), set1(top)));
        acc[i / 8 % 2] = _mm256_add_ps(acc[i / 8 % 2], keep(e, left));
        if (v) store(v + i, left, e);
    }
    *max = top;
    *sum = fold(acc[0], acc[1]);
    for (int64_t i = 0; v && i < k; i += 8)
        store(v + i, k - i, _mm256_div_ps(load(v + i, k - i), set1(*sum)));
}

static void avx2_row_pick(float *y, const float *x, const int64_t *pick, const float *w, int64_t n,
                          int64_t cols)
{
    for (int64_t i = 0; i < n; i++) {
        const float *from = x + pick[i] * cols;
        vf s = set1(w ? w[i] : 1.0f); /* times 1 is exact */
        for (int64_t j = 0; j < cols; j += 8)
            store(y + i * cols + j, cols - j, _mm256_mul_ps(load(from + j, cols - j), s));
    }
}

static void avx2_adam(float *w, float *m, float *v, const float *g, int64_t n, const od_adam_step *s)
{
    const vf keep1 = set1(s->keep1), keep2 = set1(s->keep2), rate = set1(s->lr / s->corr1);
    for (int64_t i = 0; i < n; i += 8) {
        int64_t left = n - i;
        vf wi = load(w + i, left);
        vf grad = _mm256_fmadd_ps(set1(s->decay), wi, load(g + i, left));
        vf mi = _mm256_fmadd_ps(set1(s->beta1), load(m + i, left), _mm256_mul_ps(keep1, grad));
        vf vv = _mm256_fmadd_ps(set1(s->beta2), load(v + i, left),
                                _mm256_mul_ps(_mm256_mul_ps(keep2, grad), grad));
        vf down = _mm256_add_ps(_mm256_div_ps(_mm256_sqrt_ps(vv), set1(s->corr2)), set1(s->eps));
        store(m + i, left, mi);
        store(v + i, left, vv);
        store(w + i, left, _mm256_sub_ps(wi, _mm256_div_ps(_mm256_mul_ps(rate, mi), down)));
    }
}

const od_kern *od_kern_avx2_table(void)
{
    static const od_kern table = {
        .name = "avx2",
        .gemm = avx2_gemm,
        .exp = avx2_exp,
        .log = avx2_log,
        .normal = avx2_normal,
        .bias_leaky = avx2_bias_leaky,
        .norm_leaky = avx2_norm_leaky,
        .leaky_bwd = avx2_leaky_bwd,
        .col_sum = avx2_col_sum,
        .col_sqdev = avx2_col_sqdev,
        .norm_bwd = avx2_norm_bwd,
        .sample = avx2_sample,
        .sample_bwd = avx2_sample_bwd,
        .lik = avx2_lik,
        .softmax = avx2_softmax,
        .row_pick = avx2_row_pick,
        .adam = avx2_adam,
    };
    return &table;
}

#else

const od_kern *od_kern_avx2_table(void)
{
    return 0;
}

#endif
