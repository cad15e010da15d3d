/* Eigenvectors of a symmetric matrix: Householder's tridiagonal form, then QL steps with implicit shifts. */
#ifndef OD_EIGEN_H
#define OD_EIGEN_H

#include "base/status.h"

/*
 * a (n, n), symmetric, is used up. value (n) falls; row i of vector (n, n) has length 1 and belongs to
 * value[i]. Of a vector and its opposite it is the one whose largest entry, the first of equals, is positive.
 */
odim_status od_eigen(double *a, int64_t n, double *value, double *vector, odim_error *err);

#endif
