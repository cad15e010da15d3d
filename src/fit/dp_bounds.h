/* Bounds of columns, found with differential privacy. The essay is in dp_bounds.c. */
#ifndef OD_DP_BOUNDS_H
#define OD_DP_BOUNDS_H

#include "base/csprng.h"
#include "prep/column_stats.h"

/*
 * Fills in the bounds of numeric and time columns for which the public statistics have none; low is below
 * high then. Costs as much as one Gaussian mechanism with this noise. Does nothing if no column needs it.
 */
odim_status od_dp_bounds_find(od_column_stats *stats, const odim_table *t, double noise, od_csprng *rng,
                              odim_error *err);

/* Whether a column needs it. */
bool od_dp_bounds_needed(const od_column_stats *stats, const odim_table *t);

#endif
