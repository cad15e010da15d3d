/*
 * Numeric kernels: one table of functions a CPU level. The reference table is plain C and is the definition;
 * every other level must give the same bits. That is possible because each kernel fixes the order of its
 * floating-point operations:
 *
 *   - a product sum is a chain of fused multiply-adds, ascending in the summed index;
 *   - a sum over a row runs in 16 lanes (element j in lane j % 16), folded 16 -> 8 -> 4 -> 2 -> 1;
 *   - a sum over a column runs in float over OD_KERN_CHUNK rows, the chunks are added in double;
 *   - exp, log, sine and cosine are our own polynomials (kern/vecmath.h).
 *
 * So a result does not depend on the machine's vector width, on how rows were split into blocks, or on
 * threads. Matrices are row-major; `ld` is the distance between rows in elements.
 */
#ifndef OD_KERN_H
#define OD_KERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

#define OD_KERN_LANES 16
#define OD_KERN_CHUNK 64
#define OD_LEAKY      0.01f
#define OD_LEAKY_INV  100.0f /* recovers the pre-activation from the activation */
#define OD_LV_MIN     (-6.0f)
#define OD_LV_MAX     2.0f
#define OD_BERN_EPS   1e-5f

/* log p(x|z) of one feature; see docs/METHOD.md. `paper` and `gaussian` have a log-variance head. */
typedef enum od_lik { OD_LIK_PAPER, OD_LIK_GAUSSIAN, OD_LIK_UNIT, OD_LIK_BERNOULLI } od_lik;

typedef struct od_adam_step {
    float lr, beta1, beta2, eps, decay;
    float keep1, keep2; /* 1 - beta, rounded once */
    float corr1;        /* 1 - beta1^t */
    float corr2;        /* sqrt(1 - beta2^t) */
} od_adam_step;

typedef struct od_kern {
    const char *name;

    /* c (m, n) = a (m, k) b (k, n), or += when add. Element (i, p) of a is a[i * ars + p * acs], likewise b.
     */
    void (*gemm)(int64_t m, int64_t n, int64_t k, const float *a, int64_t ars, int64_t acs, const float *b,
                 int64_t brs, int64_t bcs, bool add, float *c, int64_t ldc);

    void (*exp)(float *y, const float *x, int64_t n); /* arguments held to [-87, 88] */
    void (*log)(float *y, const float *x, int64_t n); /* of positive normal numbers */
    /* Standard normals 0..n-1 of the stream, by Box and Muller. */
    void (*normal)(float *y, int64_t n, const od_stream *s);

    /* x (rows, cols) = leaky(x + bias), in place. */
    void (*bias_leaky)(float *x, const float *bias, int64_t rows, int64_t cols);
    /* x = leaky((x - mean) * rstd), in place. */
    void (*norm_leaky)(float *x, const float *mean, const float *rstd, int64_t rows, int64_t cols);
    /* dy (rows, cols) *= leaky'(.) where y is the activation, in place; sum (cols) of the result's columns;
       with dot (cols) also those of its product with xhat, which is recovered from y = leaky(xhat). */
    void (*leaky_bwd)(float *dy, const float *y, int64_t rows, int64_t cols, double *sum, double *dot);
    /* Column sums of x (rows, ld), of its first cols; and of (x - mean)^2. */
    void (*col_sum)(double *sum, const float *x, int64_t ld, int64_t rows, int64_t cols);
    void (*col_sqdev)(double *sum, const float *x, const float *mean, int64_t rows, int64_t cols);
    /* dy = (dy - m1 - xhat * m2) * rstd, in place: the last step of batch normalisation backward. */
    void (*norm_bwd)(float *dy, const float *y, const float *m1, const float *m2, const float *rstd,
                     int64_t rows, int64_t cols);

    /* k samples of the latent (n): z (k, n) = mu + scale * eps, and twice (k): the sum of eps^2 - z^2 of
     * each. */
    void (*sample)(float *z, float *twice, const float *mu, const float *scale, const float *eps, int64_t k,
                   int64_t n);
    /* Back, from dz (k, n) and g (k): with d = dz - g z, dmu (n) is the sum over the samples of d, and dlv
       (n) that of d * eps * scale + g. */
    void (*sample_bwd)(float *dmu, float *dlv, const float *dz, const float *z, const float *eps,
                       const float *g, const float *scale, int64_t k, int64_t n);

    /*
     * Log-likelihood, without constants, of one row x (d) under k decoder outputs head (k, ld): the raw means
     * in the first d and, where the likelihood has log-variances, these without their bias in the next d.
     * logp (k). With grad, head is overwritten by the derivatives of logp with respect to it.
     */
    void (*lik)(od_lik lik, float *logp, float *head, int64_t ld, const float *bias, const float *x,
                int64_t k, int64_t d, bool grad);

    /* max of x (k), sum of exp(x - max); with v also v = exp(x - max) / sum. */
    void (*softmax)(const float *x, int64_t k, float *v, float *max, float *sum);
    /* y (n, cols) = the rows pick[0..n-1] of x, times w[0..n-1] unless w is NULL. y may be x when pick
     * ascends. */
    void (*row_pick)(float *y, const float *x, const int64_t *pick, const float *w, int64_t n, int64_t cols);

    void (*adam)(float *w, float *m, float *v, const float *g, int64_t n, const od_adam_step *step);
} od_kern;

const od_kern *od_kern_ref(void);
const od_kern *od_kern_avx2(void); /* NULL where the compiler or this machine has none */
/* The table whether or not this machine can run it: only for dispatch.c, which asks first. */
const od_kern *od_kern_avx2_table(void);

/* The best level of this machine, held down by ODIM_KERN=ref|avx2. */
const od_kern *od_kern_get(void);

#endif
