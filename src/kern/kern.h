/*
 * The numeric kernels: one table of functions per CPU level.
 *
 * The reference table is plain C and defines every result; every other level must give the same bits.
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
 *   - a sum over features or samples is one chain per lane, ascending;
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
    float one_minus_beta1, one_minus_beta2; /* 1 - beta, rounded once */
    float corr1;                            /* 1 - beta1^t */
    float corr2;                            /* sqrt(1 - beta2^t) */
} od_adam_step;

/*
 * The active lanes among n: those of the samples that take part in the backward pass.
 *
 * `lane` lists them in ascending order and is padded with 0 to a multiple of 8. `expand` works on groups of 8
 * lanes: rank[i] is the index of lane i among the active lanes of its group, or -1 if it is inactive;
 * active[v] is the number of active lanes of group v.
 */
typedef struct od_active_samples {
    int64_t n, count; /* number of lanes, number of active lanes */
    int32_t *lane;    /* (n) */
    int32_t *rank;    /* (n) */
    uint8_t *active;  /* (n / 8) */
} od_active_samples;

/* Arguments of od_kern.mul: c (m, n) = bias (m) + a (m, k) b (k, n), then leaky(.) on request. */
typedef struct od_mul_args {
    int64_t m, n, k;
    const float *a; /* element (i, p) is a[i * ars + p * acs] */
    int64_t ars, acs;
    const float *b;
    int64_t ldb;
    const float *bias; /* NULL: none */
    bool leaky;
    float *c;
    int64_t ldc;
} od_mul_args;

/* Arguments of od_kern.dot: c (m, n) += a (m, lanes) b (n, lanes)^T. */
typedef struct od_dot_args {
    int64_t m, n, lanes;
    const float *a;
    int64_t lda;
    const float *b;
    int64_t ldb;
    float *c;
    int64_t ldc;
} od_dot_args;

/*
 * Arguments of od_kern.norms, which adds to norm (rows), for each of `rows` rows, the squared Frobenius norm
 * of a (m, k) b (n, k)^T. Each row of that product is one chain; the sums of the chains are added in
 * ascending order.
 */
typedef struct od_norms_args {
    float *norm;
    int64_t m, n, k;
    int64_t rows;   /* a multiple of OD_LANES; sample s of row i is lane s * rows + i */
    const float *a; /* lda and ldb are the distances between two features */
    int64_t lda;
    const float *b;
    int64_t ldb;
} od_norms_args;

/* Terms of od_kern.norm_bwd, one of each per feature. */
typedef struct od_norm_bwd_terms {
    const float *m1, *m2, *rstd;
} od_norm_bwd_terms;

/*
 * Arguments of od_kern.sample, which draws k latent samples for each of `rows` rows (a multiple of OD_LANES);
 * sample s of row i is lane s * rows + i.
 */
typedef struct od_sample_args {
    float *z;                /* (latent, k rows) = mu + scale * eps */
    float *square_gap;       /* (k rows) the sum over the latent dimensions of eps^2 - z^2 */
    const float *mu, *scale; /* (latent, rows), with ldm between two features */
    int64_t ldm;
    const float *eps; /* (latent, k rows) or, if shared, (k, latent) for every row */
    bool shared;
    int64_t k, rows, latent;
} od_sample_args;

/* Arguments of od_kern.sample_bwd. With d = dz - g z: */
typedef struct od_sample_bwd_args {
    float *dmu;         /* (latent, rows) the sum of d over the samples, with ldm between two features */
    float *dlv;         /* (latent, rows) the sum of d * eps * scale + g */
    const float *scale; /* (latent, rows) */
    int64_t ldm;
    const float *dz, *z, *eps; /* (latent, k rows) */
    const float *g;            /* (k rows) */
    int64_t k, rows, latent;
} od_sample_bwd_args;

/*
 * Arguments of od_kern.lik, which adds to logp (k rows) the log-likelihood, without constants, of features
 * 0..d-1 of x under the decoder outputs.
 */
typedef struct od_lik_args {
    od_lik lik;
    float *logp;
    float *mean;       /* (d, k rows) raw means; with grad, overwritten by the derivatives of logp */
    float *lv;         /* (d, k rows) log-variances, if the likelihood has them; likewise */
    const float *bias; /* (d) to be added to lv */
    const float *x;    /* (d, rows), with ldx between two features */
    int64_t ldx;
    int64_t k, rows, d;
    bool grad;
} od_lik_args;

typedef struct od_kern {
    const char *name;

    void (*mul)(const od_mul_args *args);
    void (*dot)(const od_dot_args *args);
    void (*norms)(const od_norms_args *args);

    void (*exp)(float *y, const float *x, int64_t n); /* arguments are clamped to [-87, 88] */
    /* Standard normal numbers 0..n-1 of the stream, by the Box-Muller transform. */
    void (*normal)(float *y, int64_t n, const od_rng *s);

    /* The sum over the lanes of each feature of x (features, n). */
    void (*sum)(double *sum, const float *x, int64_t features, int64_t n);
    /* The mean of each feature and the sum of the squared deviations from it, over the `count` lanes where
       on (n) is 1; the other elements of on are 0. NULL stands for all lanes. */
    void (*moments)(double *mean, double *dev, const float *x, const float *on, int64_t features, int64_t n,
                    int64_t count);
    /* x (features, n) = leaky(x * scale + shift), in place. */
    void (*norm_leaky)(float *x, const float *scale, const float *shift, int64_t features, int64_t n);
    /* dy (features, n) *= leaky'(.) in place, where y is the activation. sum (features) is the sum of the
       result over the lanes. Unless dot (features) is NULL, it becomes the sum of the result times xhat,
       which is recovered from y = leaky(xhat). */
    void (*leaky_bwd)(float *dy, const float *y, int64_t features, int64_t n, double *sum, double *dot);
    /* dy = (dy - m1 - xhat * m2) * rstd, in place: the last step of batch normalization backward. The result
       is multiplied by on (n) unless that is NULL. */
    void (*norm_bwd)(float *dy, const float *y, const od_norm_bwd_terms *terms, const float *on,
                     int64_t features, int64_t n);

    void (*sample)(const od_sample_args *args);
    void (*sample_bwd)(const od_sample_bwd_args *args);
    void (*lik)(const od_lik_args *args);

    /* For each of `rows` rows over its k samples x (k, rows): max (rows) and sum (rows) of exp(x - max);
       unless v (k, rows) is NULL, also v = exp(x - max) / sum. */
    void (*softmax)(const float *x, int64_t k, int64_t rows, float *v, float *max, float *sum);

    /* y (features, od_lanes(count)) = the active lanes of x (features, n), times w (od_lanes(count)) unless w
       is NULL, and 0 beyond the count. y may be x. */
    void (*compress)(float *y, const float *x, const float *w, const od_active_samples *active,
                     int64_t features);
    /* The inverse: y (features, n) with 0 in the inactive lanes. x must be readable for OD_LANES floats
       beyond its end. */
    void (*expand)(float *y, const float *x, const od_active_samples *active, int64_t features);

    void (*adam)(float *w, float *m, float *v, const float *g, int64_t n, const od_adam_step *step);
} od_kern;

const od_kern *od_kern_ref(void);
const od_kern *od_kern_avx2(void);   /* NULL if the compiler or this machine does not support AVX2 */
const od_kern *od_kern_avx512(void); /* the same of AVX-512 */
/* The table even if this machine cannot run it: only for dispatch.c, which checks the CPU first. */
const od_kern *od_kern_avx2_table(void);
/* Makes a copy of that the table of AVX-512, if the compiler supports it. */
void od_kern_avx512_fill(od_kern *table);

const od_kern *od_kern_neon(void); /* NULL unless this is a 64-bit ARM machine */

/* The best level that this machine supports; ODIM_KERN=ref selects the reference. A level that this machine
 * does not have may be named, too: it stands for the best one here. */
const od_kern *od_kern_get(void);
/* Fails if ODIM_KERN is set to anything else. */
odim_status od_kern_check(odim_error *err);

#endif
