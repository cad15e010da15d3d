/*
 * The bounds of columns, from their cells but privately: for tables whose bounds nobody has given. The essay
 * is in dp_bounds.c.
 */
#ifndef OD_DP_BOUNDS_H
#define OD_DP_BOUNDS_H

#include "base/csprng.h"
#include "prep/column_stats.h"

/*
 * Fills in the bounds of the columns of numbers or times that the survey, which is public, has none for; low
 * is below high then. The cost is that of one Gaussian mechanism with this noise. Does nothing where no
 * column needs it.
 */
odim_status od_dp_bounds_find(od_column_stats *stats, const odim_table *t, double noise, od_csprng *dice,
                              odim_error *err);

/* Whether there is such a column. */
bool od_dp_bounds_needed(const od_column_stats *stats, const odim_table *t);

#endif
