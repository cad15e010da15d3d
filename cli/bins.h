/* Many numbers as a few: quantiles and histograms. */
#ifndef OD_BINS_H
#define OD_BINS_H

#include <stdbool.h>
#include <stdint.h>

/* In ascending order; what is not finite goes to the end. Returns how many are finite. */
int64_t od_bins_sort(double *values, int64_t n);
/* Of values that are sorted, between neighbours where it falls between; NaN when there are none. */
double od_bins_quantile(const double *sorted, int64_t n, double p);

/* Where a histogram of two groups begins and ends: their bulk, without the few values that would squeeze the
 * others into one bar. Both are sorted; the second may be empty. */
typedef struct od_range {
    double low, high;
} od_range;
/* A range as narrow as it has to be for its width to be a number. What lies beyond is in the outermost bins.
 */
od_range od_bins_bound(od_range range);
od_range od_bins_range(const double *a, int64_t na, const double *b, int64_t nb);

/* edges (bins + 1) at equal distances; count (bins): values that are finite, those beyond the range in the
 * outermost bins. */
void od_bins_edges(od_range range, int bins, double *edges);
void od_bins_count(const double *values, int64_t n, od_range range, int bins, double *count);
/* Counts one value more. */
void od_bins_add(double value, od_range range, int bins, double *count);
/* Counts as shares of their sum. */
void od_bins_share(double *count, int bins);

#endif
