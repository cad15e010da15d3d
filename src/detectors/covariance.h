/* Means, medians, covariances and products of rows in double, for mcd and pca (kern/doubles.h). */
#ifndef OD_COVARIANCE_H
#define OD_COVARIANCE_H

#include <stdbool.h>
#include <stdint.h>

/* c (m, n) = a (m, k) b (k, n). `upper`: b is 0 left of its diagonal, and that is not looked at. */
void od_product(const double *a, const double *b, int64_t m, int64_t k, int64_t n, bool upper, double *c);

/* Adds to columns i..d-1 of rows first..end-1 of sum (d, d) the products of the rows of z (rows, d). Columns
 * 0..i-1 become anything. */
void od_scatter(const double *z, int64_t rows, int64_t d, int64_t first, int64_t end, double *sum);

/* Mean (d) and covariance (d, d), over h and not h - 1, of the rows of z (n, d) that `which` (h) lists. room
 * (OD_SCATTER_ROWS, d). */
#define OD_SCATTER_ROWS 32
void od_mean_covariance(const double *z, int64_t d, const int32_t *which, int64_t h, double *mean,
                        double *covariance, double *room);

/*
 * For a covariance s with `ridge` added to its diagonal: u (d, d), 0 left of its diagonal, such that |y u|^2
 * is the squared Mahalanobis distance of y. Returns the logarithm of the determinant. room (d, d). Where
 * roundings have made a pivot less than the ridge, it is the ridge.
 */
double od_whiten(const double *s, int64_t d, double ridge, double *u, double *room);

/*
 * Squared lengths of (z - mean) u for rows of z (., d): those that `which` (n) lists, or the first n where it
 * is NULL. u (d, d), `upper` as above. room (2 OD_SCATTER_ROWS, d).
 */
void od_mahalanobis(const double *z, int64_t d, const int32_t *which, int64_t n, const double *mean,
                    const double *u, bool upper, double *room, double *distance);

/* The sum of a[k] b[k]. */
double od_dot(const double *a, const double *b, int64_t n);

/* Of n values, whose order changes. */
double od_median(double *v, int64_t n);

#endif
