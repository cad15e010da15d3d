/* Fits a mixture of two Gaussians to numbers by expectation-maximization. */
#include "fit/gmm1d.h"

#include "common/sort.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define TOLERANCE      1e-3
#define MAX_ITERATIONS 100
#define REG_VAR        1e-6
#define LOG_2PI        1.8378770664093453

/* How many of the sorted x belong to the lower cluster when the sum of squares within both is least. */
static int64_t best_split(const double *x, int64_t n)
{
    double total = 0.0, left = 0.0, best = -1.0;
    int64_t at = 1;
    for (int64_t i = 0; i < n; i++) total += x[i];
    for (int64_t i = 1; i < n; i++) {
        left += x[i - 1];
        /* Least within is most between: n1 m1^2 + n2 m2^2, up to a constant. */
        double right = total - left;
        double between = left * left / (double)i + right * right / (double)(n - i);
        if (between > best) {
            best = between;
            at = i;
        }
    }
    return at;
}

/* resp[i]: how much of x[i] belongs to component 1. */
static void maximise(od_gmm1d *g, const double *x, int64_t n, const double *resp)
{
    double count[2] = {10.0 * DBL_EPSILON, 10.0 * DBL_EPSILON}, sum[2] = {0.0, 0.0}, dev[2] = {0.0, 0.0};
    for (int64_t i = 0; i < n; i++) {
        count[0] += 1.0 - resp[i];
        count[1] += resp[i];
        sum[0] += (1.0 - resp[i]) * x[i];
        sum[1] += resp[i] * x[i];
    }
    for (int c = 0; c < 2; c++) g->mean[c] = sum[c] / count[c];
    for (int64_t i = 0; i < n; i++) {
        double d0 = x[i] - g->mean[0], d1 = x[i] - g->mean[1];
        dev[0] += (1.0 - resp[i]) * d0 * d0;
        dev[1] += resp[i] * d1 * d1;
    }
    for (int c = 0; c < 2; c++) {
        g->var[c] = dev[c] / count[c] + REG_VAR;
        g->weight[c] = count[c] / (count[0] + count[1]);
    }
}

/* Fills resp and returns the mean log-likelihood. */
static double expect(const od_gmm1d *g, const double *x, int64_t n, double *resp)
{
    double base[2], total = 0.0;
    for (int c = 0; c < 2; c++) base[c] = log(g->weight[c]) - 0.5 * (LOG_2PI + log(g->var[c]));
    for (int64_t i = 0; i < n; i++) {
        double d0 = x[i] - g->mean[0], d1 = x[i] - g->mean[1];
        double l0 = base[0] - 0.5 * d0 * d0 / g->var[0], l1 = base[1] - 0.5 * d1 * d1 / g->var[1];
        double top = l0 > l1 ? l0 : l1, sum = exp(l0 - top) + exp(l1 - top);
        resp[i] = exp(l1 - top) / sum;
        total += top + log(sum);
    }
    return total / (double)n;
}

od_gmm1d od_gmm1d_fit(double *x, int64_t n, double *resp)
{
    od_gmm1d g = {.iterations = 0};
    od_sort_double(x, n);
    int64_t lower = n > 1 ? best_split(x, n) : n;
    for (int64_t i = 0; i < n; i++) resp[i] = i < lower ? 0.0 : 1.0;
    maximise(&g, x, n, resp);
    double before = -INFINITY;
    while (g.iterations < MAX_ITERATIONS) {
        g.iterations++;
        double now = expect(&g, x, n, resp);
        maximise(&g, x, n, resp);
        if (fabs(now - before) < TOLERANCE) break;
        before = now;
    }
    return g;
}
