/* Counts of values in equal bins, and quantiles. */
#include "histogram.h"

#include <math.h>
#include <stdlib.h>

#include "common/compare.h"

int64_t cli_histogram_sort(double *values, int64_t n)
{
    int64_t finite = 0;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(values[i])) values[finite++] = values[i];
    if (finite > 1) qsort(values, (size_t)finite, sizeof *values, od_compare_double);
    return finite;
}

double cli_histogram_quantile(const double *sorted, int64_t n, double p)
{
    if (n < 1) return NAN;
    double at = p * (double)(n - 1);
    int64_t below = (int64_t)floor(at), above = below + 1 < n ? below + 1 : below;
    double part = at - (double)below, between = sorted[above] - sorted[below];
    return isfinite(between) ? sorted[below] + part * between
                             : (1 - part) * sorted[below] + part * sorted[above];
}

cli_range cli_histogram_bound(cli_range range)
{
    const double most = 1e300; /* room for margins, and for the pixels that such a width is multiplied by */
    return (cli_range){fmax(-most, fmin(most, range.low)), fmax(-most, fmin(most, range.high))};
}

cli_range cli_histogram_range(const double *a, int64_t na, const double *b, int64_t nb)
{
    cli_range r = {cli_histogram_quantile(a, na, 0.005), cli_histogram_quantile(a, na, 0.995)};
    r.low = fmin(r.low, cli_histogram_quantile(b, nb, 0.05));
    r.high = fmax(r.high, cli_histogram_quantile(b, nb, 0.95));
    if (isnan(r.low)) r = (cli_range){0, 1};
    r = cli_histogram_bound(r);
    double margin = r.high > r.low ? 0.02 * (r.high - r.low) : fmax(fabs(r.low), 1) / 2;
    return (cli_range){r.low - margin, r.high + margin};
}

void cli_histogram_edges(cli_range range, int bins, double *edges)
{
    for (int i = 0; i <= bins; i++) edges[i] = range.low + (range.high - range.low) * i / bins;
}

void cli_histogram_add(double value, cli_range range, int bins, double *count)
{
    if (!isfinite(value)) return;
    double at = (value - range.low) / (range.high - range.low) * bins;
    count[!(at >= 0) ? 0 : at >= bins ? bins - 1 : (int)at]++;
}

void cli_histogram_count(const double *values, int64_t n, cli_range range, int bins, double *count)
{
    for (int i = 0; i < bins; i++) count[i] = 0;
    for (int64_t i = 0; i < n; i++) cli_histogram_add(values[i], range, bins, count);
}

void cli_histogram_share(double *count, int bins)
{
    double sum = 0;
    for (int i = 0; i < bins; i++) sum += count[i];
    for (int i = 0; sum > 0 && i < bins; i++) count[i] /= sum;
}
