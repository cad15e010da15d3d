/* Computes means, medians, covariances and Mahalanobis distances of rows. */
#include "detectors/covariance.h"

#include "common/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void od_product(const double *a, const double *b, int64_t m, int64_t k, int64_t n, bool upper, double *c)
{
    memset(c, 0, (size_t)(m * n) * sizeof *c);
    int64_t p = 0;
    for (; p + 4 <= k; p += 4) {
        const double *b0 = b + p * n, *b1 = b0 + n, *b2 = b1 + n, *b3 = b2 + n;
        for (int64_t i = 0; i < m; i++) {
            const double *x = a + i * k + p;
            double *restrict row = c + i * n;
            for (int64_t j = upper ? p : 0; j < n; j++)
                row[j] += (x[0] * b0[j] + x[1] * b1[j]) + (x[2] * b2[j] + x[3] * b3[j]);
        }
    }
    for (; p < k; p++)
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = upper ? p : 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
}

void od_scatter(const double *z, int64_t rows, int64_t d, int64_t first, int64_t end, double *sum)
{
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        const double *z0 = z + r * d, *z1 = z0 + d, *z2 = z1 + d, *z3 = z2 + d;
        for (int64_t i = first; i < end; i++) {
            double *restrict row = sum + i * d;
            for (int64_t j = i; j < d; j++)
                row[j] += (z0[i] * z0[j] + z1[i] * z1[j]) + (z2[i] * z2[j] + z3[i] * z3[j]);
        }
    }
    for (; r < rows; r++)
        for (int64_t i = first; i < end; i++)
            for (int64_t j = i; j < d; j++) sum[i * d + j] += z[r * d + i] * z[r * d + j];
}

void od_mean_covariance(const double *z, int64_t d, const int32_t *which, int64_t h, double *mean,
                        double *covariance, double *room)
{
    memset(mean, 0, (size_t)d * sizeof *mean);
    memset(covariance, 0, (size_t)(d * d) * sizeof *covariance);
    for (int64_t i = 0; i < h; i++)
        for (int64_t j = 0; j < d; j++) mean[j] += z[which[i] * d + j];
    for (int64_t j = 0; j < d; j++) mean[j] /= (double)h;
    for (int64_t i = 0; i < h; i += OD_SCATTER_ROWS) {
        int64_t rows = h - i < OD_SCATTER_ROWS ? h - i : OD_SCATTER_ROWS;
        for (int64_t r = 0; r < rows; r++)
            for (int64_t j = 0; j < d; j++) room[r * d + j] = z[which[i + r] * d + j] - mean[j];
        od_scatter(room, rows, d, 0, d, covariance);
    }
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i; j < d; j++)
            covariance[j * d + i] = covariance[i * d + j] = covariance[i * d + j] / (double)h;
}

/* s = r' r with r upper triangular, row after row; then u is its inverse. */
double od_whiten(const double *s, int64_t d, double ridge, double *u, double *room)
{
    double *r = room, log_det = 0.0;
    for (int64_t i = 0; i < d; i++) {
        memcpy(r + i * d, s + i * d, (size_t)d * sizeof *r);
        r[i * d + i] += ridge;
    }
    for (int64_t i = 0; i < d; i++) {
        double *row = r + i * d;
        for (int64_t k = 0; k < i; k++) {
            const double *above = r + k * d;
            double factor = above[i];
            for (int64_t j = i; j < d; j++) row[j] -= factor * above[j];
        }
        double pivot = row[i] > ridge ? row[i] : ridge, scale = 1.0 / sqrt(pivot);
        log_det += log(pivot);
        row[i] = pivot;
        for (int64_t j = i; j < d; j++) row[j] *= scale;
    }
    /* Row i of u: u r = 1, so u_ij = -(sum over i <= k < j of u_ik r_kj) / r_jj. */
    memset(u, 0, (size_t)(d * d) * sizeof *u);
    for (int64_t i = 0; i < d; i++) {
        double *row = u + i * d;
        row[i] = 1.0;
        for (int64_t k = i; k < d; k++) {
            row[k] /= r[k * d + k];
            for (int64_t j = k + 1; j < d; j++) row[j] -= row[k] * r[k * d + j];
        }
    }
    return log_det;
}

void od_mahalanobis(const double *z, int64_t d, const int32_t *which, int64_t n, const double *mean,
                    const double *u, bool upper, double *room, double *distance)
{
    double *apart = room, *white = room + OD_SCATTER_ROWS * d;
    for (int64_t i = 0; i < n; i += OD_SCATTER_ROWS) {
        int64_t rows = n - i < OD_SCATTER_ROWS ? n - i : OD_SCATTER_ROWS;
        for (int64_t r = 0; r < rows; r++) {
            const double *x = z + (which ? which[i + r] : i + r) * d;
            for (int64_t j = 0; j < d; j++) apart[r * d + j] = x[j] - mean[j];
        }
        od_product(apart, u, rows, d, d, upper, white);
        for (int64_t r = 0; r < rows; r++) {
            double sum = 0.0;
            for (int64_t j = 0; j < d; j++) sum += white[r * d + j] * white[r * d + j];
            distance[i + r] = sum;
        }
    }
}

double od_median(double *v, int64_t n)
{
    qsort(v, (size_t)n, sizeof *v, od_compare_double);
    return (v[(n - 1) / 2] + v[n / 2]) / 2.0;
}
