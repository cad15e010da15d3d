/* Many numbers as a few: quantiles and histograms. */
#ifndef CLI_HISTOGRAM_H
#define CLI_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* In ascending order; what is not finite goes to the end. Returns how many are finite. */
int64_t cli_histogram_sort(double *values, int64_t n);
/* Of values that are sorted, between neighbours where it falls between; NaN when there are none. */
double cli_histogram_quantile(const double *sorted, int64_t n, double p);

/* Where a histogram of two groups begins and ends: their bulk, without the few values that would squeeze the
 * others into one bar. Both are sorted; the second may be empty. */
typedef struct cli_range {
    double low, high;
} cli_range;
/* A range as narrow as it has to be for its width to be a number. What lies beyond is in the outermost bins.
 */
cli_range cli_histogram_bound(cli_range range);
cli_range cli_histogram_range(const double *a, int64_t na, const double *b, int64_t nb);

/* edges (bins + 1) at equal distances; count (bins): values that are finite, those beyond the range in the
 * outermost bins. */
void cli_histogram_edges(cli_range range, int bins, double *edges);
void cli_histogram_count(const double *values, int64_t n, cli_range range, int bins, double *count);
/* Counts one value more. */
void cli_histogram_add(double value, cli_range range, int bins, double *count);
/* Counts as shares of their sum. */
void cli_histogram_share(double *count, int bins);

#endif
