/* A mixture of two Gaussians fitted to numbers by expectation-maximization. */
#ifndef OD_GMM1D_H
#define OD_GMM1D_H

#include <stdint.h>

typedef struct od_gmm1d {
    double weight[2], mean[2], var[2]; /* component 0 began as the lower half */
    int iterations;
} od_gmm1d;

/*
 * Starts from the best split into two clusters (k-means, exact in one dimension), then EM until the mean
 * log-likelihood gains less than 1e-3, 100 iterations at most; 1e-6 is added to each variance. x (n) is
 * sorted in place; n >= 1; resp (n) is scratch.
 */
od_gmm1d od_gmm1d_fit(double *x, int64_t n, double *resp);

#endif
