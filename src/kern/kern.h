/*
 * Numeric kernels: one table of functions a CPU level. The reference table is plain C and is the definition;
 * every other level must give the same bits.
 *
 * Rows of data lie across the lanes: a matrix (features, n) has the n values of one feature side by side, and
 * `ld` is the distance between two features. n is a multiple of OD_LANES; lanes beyond the last row are
 * padding. So every operation is the same for all lanes of a vector, whatever the number of columns, and sums
 * over features or samples need no shuffling.
 *
 * The order of the floating-point operations is fixed:
 *
 *   - a product sum over features is a chain of fused multiply-adds, ascending, that starts from the bias;
 *   - a product sum over lanes (`dot`) runs in 8 chains, lane i in chain i % 8, folded 8 -> 4 -> 2 -> 1;
 *   - a sum over lanes runs in 32 chains, folded 32 -> 16 -> ... -> 1;
 *   - a sum over features or samples is one chain a lane, ascending;
 *   - exp, log, sine and cosine are our own polynomials (kern/vecmath.h).
 *
 * So a result does not depend on the machine's vector width or on threads.
 */
#ifndef OD_KERN_H
#define OD_KERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/status.h"

#define OD_LANES     8
#define OD_SUM_LANES 32
#define OD_LEAKY     0.01f
#define OD_LEAKY_INV 100.0f /* recovers the pre-activation from the activation */
#define OD_LV_MIN    (-6.0f)
#define OD_LV_MAX    2.0f
#define OD_BERN_EPS  1e-5f

static inline int64_t od_lanes(int64_t rows)
{
    return (rows + OD_LANES - 1) / OD_LANES * OD_LANES;
}

/* log p(x|z) of one feature; see docs/ODIM.md. `paper` and `gaussian` have a log-variance head. */
typedef enum od_lik { OD_LIK_PAPER, OD_LIK_GAUSSIAN, OD_LIK_UNIT, OD_LIK_BERNOULLI } od_lik;

typedef struct od_adam_step {
    float lr, beta1, beta2, eps, decay;
    float keep1, keep2; /* 1 - beta, rounded once */
    float corr1;        /* 1 - beta1^t */
    float corr2;        /* sqrt(1 - beta2^t) */
} od_adam_step;

/*
 * Which lanes of n are live: `lane` lists them, ascending, and goes on with 0 to a multiple of 8. The way
 * back works in groups of 8 lanes: rank[i] is the place of lane i among the live ones of its group, or -1,
 * and live[v] how many of group v there are.
 */
typedef struct od_active_samples {
    int64_t n, count; /* lanes, live ones */
    int32_t *lane;    /* (n) */
    int32_t *rank;    /* (n) */
    uint8_t *active;  /* (n / 8) */
} od_active_samples;

typedef struct od_kern {
    const char *name;

    /* c (m, n) = bias (m) + a (m, k) b (k, n), or without bias when that is NULL; then leaky(.) if wanted.
       Element (i, p) of a is a[i * ars + p * acs]. */
    void (*mul)(int64_t m, int64_t n, int64_t k, const float *a, int64_t ars, int64_t acs, const float *b,
                int64_t ldb, const float *bias, bool leaky, float *c, int64_t ldc);
    /* c (m, n) += a (m, lanes) b (n, lanes)^T. */
    void (*dot)(int64_t m, int64_t n, int64_t lanes, const float *a, int64_t lda, const float *b, int64_t ldb,
                float *c, int64_t ldc);

    /* For each of `rows` rows, a multiple of OD_LANES, whose sample s is lane s * rows + i: adds to norm
       (rows) the sum of the squares of the elements of a (m, k) b (n, k)^T. One chain a row of that product,
       of which the sums are then added in their order. lda and ldb lie between two features. */
    void (*norms)(float *norm, int64_t m, int64_t n, int64_t k, int64_t rows, const float *a, int64_t lda,
                  const float *b, int64_t ldb);

    void (*exp)(float *y, const float *x, int64_t n); /* arguments held to [-87, 88] */
    /* Standard normals 0..n-1 of the stream, by Box and Muller. */
    void (*normal)(float *y, int64_t n, const od_rng *s);

    /* Of each row of x (features, n) over its lanes: the sum. */
    void (*sum)(double *sum, const float *x, int64_t features, int64_t n);
    /* The mean, and the sum of the squared deviations from it, over the `count` lanes where on (n) is 1 and
       not 0; on NULL: all of them. */
    void (*moments)(double *mean, double *dev, const float *x, const float *on, int64_t features, int64_t n,
                    int64_t count);
    /* x (features, n) = leaky(x * scale + shift), in place. */
    void (*norm_leaky)(float *x, const float *scale, const float *shift, int64_t features, int64_t n);
    /* dy (features, n) *= leaky'(.) where y is the activation, in place; sum (features) of the result over
       the lanes; with dot (features) also that of its product with xhat, recovered from y = leaky(xhat). */
    void (*leaky_bwd)(float *dy, const float *y, int64_t features, int64_t n, double *sum, double *dot);
    /* dy = (dy - m1 - xhat * m2) * rstd, in place: the last step of batch normalisation backward; with on
       times on. */
    void (*norm_bwd)(float *dy, const float *y, const float *m1, const float *m2, const float *rstd,
                     const float *on, int64_t features, int64_t n);

    /*
     * k samples of the latent of each of `rows` rows, a multiple of OD_LANES; sample s of row i is lane
     * s * rows + i. z (latent, k rows) = mu + scale * eps, and twice (k rows): the sum of eps^2 - z^2. mu and
     * scale are (latent, rows) with ldm between two of them; eps is (latent, k rows) or, when shared,
     * (k, latent) for all rows alike.
     */
    void (*sample)(float *z, float *twice, const float *mu, const float *scale, int64_t ldm, const float *eps,
                   bool shared, int64_t k, int64_t rows, int64_t latent);
    /* Back, from dz (latent, k rows) and g (k rows): with d = dz - g z, dmu (latent, rows) is the sum over
       the samples of d, and dlv that of d * eps * scale + g. */
    void (*sample_bwd)(float *dmu, float *dlv, const float *scale, int64_t ldm, const float *dz,
                       const float *z, const float *eps, const float *g, int64_t k, int64_t rows,
                       int64_t latent);

    /*
     * Log-likelihood, without constants, of features 0..d-1 of x (d, rows; ldx), added to logp (k rows),
     * under decoder outputs: raw means mean (d, k rows) and, where the likelihood has them, log-variances lv
     * (d, k rows) without their bias (d). With grad, both are overwritten by the derivatives of logp.
     */
    void (*lik)(od_lik lik, float *logp, float *mean, float *lv, const float *bias, const float *x,
                int64_t ldx, int64_t k, int64_t rows, int64_t d, bool grad);

    /* For each of `rows` rows over its k samples x (k, rows): max (rows), sum (rows) of exp(x - max); with v
       (k, rows) also v = exp(x - max) / sum. */
    void (*softmax)(const float *x, int64_t k, int64_t rows, float *v, float *max, float *sum);

    /* y (features, od_lanes(count)) = the live lanes of x (features, n), times w (od_lanes(count)) unless w
       is NULL, and 0 beyond the count. y may be x. */
    void (*compress)(float *y, const float *x, const float *w, const od_active_samples *active,
                     int64_t features);
    /* Back: y (features, n), 0 where a lane is not live. x must be readable OD_LANES floats beyond its end.
     */
    void (*expand)(float *y, const float *x, const od_active_samples *active, int64_t features);

    void (*adam)(float *w, float *m, float *v, const float *g, int64_t n, const od_adam_step *step);
} od_kern;

const od_kern *od_kern_ref(void);
const od_kern *od_kern_avx2(void); /* NULL where the compiler or this machine has none */
/* The table whether or not this machine can run it: only for dispatch.c, which asks first. */
const od_kern *od_kern_avx2_table(void);

/* The best level of this machine, held down by ODIM_KERN=ref|avx2. */
const od_kern *od_kern_get(void);
/* Refuses an ODIM_KERN that is neither. */
odim_status od_kern_check(odim_error *err);

#endif
