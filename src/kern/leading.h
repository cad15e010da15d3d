/* The leading eigenvectors of a symmetric matrix, by subspace iteration. */
#ifndef OD_LEADING_H
#define OD_LEADING_H

#include "base/eigen.h"

/*
 * As od_eigen (base/eigen.h), of a positive semidefinite a (n, n), but only the first q values and vectors
 * are set. They are good enough for principal axes: where values are nearly equal, the vectors may be turned
 * among each other. If q is a large part of n, it is od_eigen that finds them.
 */
odim_status od_leading(double *a, int64_t n, int64_t q, double *value, double *vector,
                       const od_eigen_run *run, odim_error *err);

/* Floating point operations that it takes, about, in units of od_eigen_work. */
double od_leading_work(int64_t n, int64_t q);

#endif
