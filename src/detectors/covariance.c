/* Computes means, medians, covariances and Mahalanobis distances of rows. */
#include "detectors/covariance.h"

#include "common/sort.h"
#include "kern/doubles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void od_product(const double *a, const double *b, int64_t m, int64_t k, int64_t n, bool upper, double *c)
{
    od_dense_get()->product(a, b, m, k, n, upper, c);
}

void od_scatter(const double *z, int64_t rows, int64_t d, int64_t first, int64_t end, double *sum)
{
    od_dense_get()->scatter(z, rows, d, first, end, sum);
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

double od_whiten(const double *s, int64_t d, double ridge, double *u, double *room)
{
    return od_dense_get()->whiten(s, d, ridge, u, room);
}

/* Four sums at a time, so that none waits for another. */
double od_dot(const double *a, const double *b, int64_t n)
{
    double sum[4] = {0.0};
    int64_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (int l = 0; l < 4; l++) sum[l] += a[k + l] * b[k + l];
    for (; k < n; k++) sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
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
        for (int64_t r = 0; r < rows; r++) distance[i + r] = od_dot(white + r * d, white + r * d, d);
    }
}

double od_median(double *v, int64_t n)
{
    double middle = od_select_double(v, n, n / 2), below = middle;
    if (n % 2 == 0) /* those before it are not above it */
        for (int64_t i = 0; i < n / 2; i++) below = i == 0 || v[i] > below ? v[i] : below;
    return (below + middle) / 2.0;
}
