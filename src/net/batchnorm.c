#include "net/batchnorm.h"

#include <math.h>

void od_batchnorm_fwd(const od_kern *k, float *x, int64_t rows, int64_t cols, float *run_mean, float *run_var,
                      float *rstd, double *sums)
{
    double *sum = sums;
    float *mean = (float *)(sums + cols);
    k->col_sum(sum, x, cols, rows, cols);
    for (int64_t j = 0; j < cols; j++) {
        double m = sum[j] / (double)rows;
        mean[j] = (float)m;
        run_mean[j] = (float)((1.0 - OD_BN_MOMENTUM) * (double)run_mean[j] + OD_BN_MOMENTUM * m);
    }
    k->col_sqdev(sum, x, mean, rows, cols);
    for (int64_t j = 0; j < cols; j++) {
        double var = sum[j] / (double)rows;
        /* The running variance is the unbiased one; a single row has none to give. */
        double unbiased = rows > 1 ? sum[j] / (double)(rows - 1) : var;
        rstd[j] = (float)(1.0 / sqrt(var + OD_BN_EPS));
        run_var[j] = (float)((1.0 - OD_BN_MOMENTUM) * (double)run_var[j] + OD_BN_MOMENTUM * unbiased);
    }
    k->norm_leaky(x, mean, rstd, rows, cols);
}

/* With g = dL/dxhat:  dx = rstd * (g - mean(g) - xhat * mean(g xhat)). */
void od_batchnorm_bwd(const od_kern *k, float *dy, const float *y, int64_t rows, int64_t cols,
                      const float *rstd, double *sums)
{
    double *sum = sums, *dot = sums + cols;
    float *m1 = (float *)(sums + 2 * cols), *m2 = m1 + cols;
    k->leaky_bwd(dy, y, rows, cols, sum, dot);
    for (int64_t j = 0; j < cols; j++) {
        m1[j] = (float)(sum[j] / (double)rows);
        m2[j] = (float)(dot[j] / (double)rows);
    }
    k->norm_bwd(dy, y, m1, m2, rstd, rows, cols);
}

void od_batchnorm_eval(const od_kern *k, float *x, int64_t rows, int64_t cols, const float *run_mean,
                       const float *run_var, double *scratch)
{
    float *rstd = (float *)scratch;
    for (int64_t j = 0; j < cols; j++) rstd[j] = (float)(1.0 / sqrt((double)run_var[j] + OD_BN_EPS));
    k->norm_leaky(x, run_mean, rstd, rows, cols);
}
