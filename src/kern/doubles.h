/*
 * Products of matrices of doubles, for covariances and principal axes, and logarithms of many doubles: one
 * table of functions per CPU level.
 *
 * All levels give the same bits. Sums over the inner dimension take four terms at a time,
 * (x0 y0 + x1 y1) + (x2 y2 + x3 y3), in ascending order, and the last ones singly.
 */
#ifndef OD_DOUBLES_H
#define OD_DOUBLES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct od_dense {
    /* c (m, n) = a (m, k) b (k, n); `upper`: b is upper triangular, with 0 below the diagonal. */
    void (*product)(const double *a, const double *b, int64_t m, int64_t k, int64_t n, bool upper, double *c);
    /* Adds z'z of z (rows, d) to sum (d, d): rows first..end-1, as far as they are on or above the diagonal.
       What is below the diagonal in these rows becomes anything. */
    void (*scatter)(const double *z, int64_t rows, int64_t d, int64_t first, int64_t end, double *sum);
    /* u (d, d), upper triangular, with u u' = the inverse of s (d, d) + ridge; pivots are at least the ridge.
       Returns the logarithm of the determinant. room (d, d). */
    double (*whiten)(const double *s, int64_t d, double ridge, double *u, double *room);
    /* to (n): od_signed_log (base/signed_log.h) of z (n), each multiplied by one of times (n) unless that is
       NULL; to the last bit. */
    void (*signed_log)(const double *z, const double *times, int64_t n, float *to);
} od_dense;

const od_dense *od_dense_ref(void);
const od_dense *od_dense_avx2(void);   /* NULL if the compiler does not support AVX2 */
const od_dense *od_dense_avx512(void); /* NULL if it does not support AVX-512 */

/* The level of od_kern_get. */
const od_dense *od_dense_get(void);

#endif
