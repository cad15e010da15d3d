/*
 * Statistics of all rows of a table: bounds, number of missing cells, rows per level. They are collected
 * block by block; order and division of the rows do not matter.
 */
#ifndef OD_COLUMN_STATS_H
#define OD_COLUMN_STATS_H

#include "prep/table.h"

typedef struct od_column_stats_col {
    int64_t missing;
    double low, high;     /* of the values; low > high if there are no values */
    int64_t *level_count; /* (levels) rows of each level, by the table's codes */
    int64_t levels;
    double clock_low, clock_high; /* of a time: the bounds of its time of day */
} od_column_stats_col;

typedef struct od_column_stats {
    int64_t rows, cols;
    int64_t known[2];         /* rows that are known to be inliers, and outliers */
    od_column_stats_col *col; /* (cols) */
    bool is_public;           /* no row was looked at: bounds and levels are given, nothing was counted */
} od_column_stats;

odim_status od_column_stats_new(od_column_stats *s, int64_t cols, odim_error *err);
/* Adds all rows of the table. Blocks of one file share their levels' codes. */
odim_status od_column_stats_add(od_column_stats *s, const odim_table *t, odim_error *err);
/* Adds the statistics of other rows. code (cols): for a categorical column, the code here of each code there;
 * NULL, or NULL for a column: they are the same. */
odim_status od_column_stats_merge(od_column_stats *s, const od_column_stats *other,
                                  const uint32_t *const *code, odim_error *err);
/* Adds the number of rows and the public facts about columns instead of the rows. A column without given
 * bounds has low > high. */
odim_status od_column_stats_add_public(od_column_stats *s, const odim_table *t, odim_error *err);
void od_column_stats_free(od_column_stats *s);

#endif
