/* Eigenvectors of a symmetric matrix: Householder's tridiagonal form, then QL steps with implicit shifts. */
#ifndef OD_EIGEN_H
#define OD_EIGEN_H

#include "base/status.h"

/*
 * a (n, n), symmetric, is used up. value (n) falls; row i of vector (n, n) has length 1 and belongs to
 * value[i]. Of a vector and its opposite it is the one whose largest entry, the first of equals, is positive.
 *
 * The bits do not depend on the number of threads. From the poll of the calling thread (base/poll.h) it
 * learns that it is to end, and shows there how far it is, from `from` to `to` of the whole.
 */
typedef struct od_eigen_run {
    int threads;
    double from, to;
} od_eigen_run;

/* run NULL: one thread, and nothing is shown. */
odim_status od_eigen(double *a, int64_t n, double *value, double *vector, const od_eigen_run *run,
                     odim_error *err);

/* Floating point operations that it takes, about. */
double od_eigen_work(int64_t n);

#endif
