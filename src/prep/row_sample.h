/*
 * A sample of rows with their cells, and the known outliers, kept for the fit while blocks of a table pass
 * by. A known outlier may be in both. Samples from several machines can be merged.
 */
#ifndef OD_ROW_SAMPLE_H
#define OD_ROW_SAMPLE_H

#include "prep/sample.h"
#include "prep/table.h"

/* Rows chosen from those that passed by. */
typedef struct od_kept_rows {
    od_sample sample;
    double *cells; /* (cap, d) by slot */
    int8_t *known; /* (cap) what is known of each, by slot */
    int64_t cap;
} od_kept_rows;

typedef struct od_row_sample {
    int64_t d;
    od_kept_rows all;
    od_kept_rows outliers; /* sample.size 0: no row is known */
} od_row_sample;

/* Begin with {0}; od_row_sample_free also when it fails. known: the table has known outliers. */
odim_status od_row_sample_new(od_row_sample *s, int64_t d, bool known, uint64_t seed, odim_error *err);
/* The rows of a block, the first of which is number `first`, counted from 0. */
odim_status od_row_sample_add(od_row_sample *s, const odim_table *block, int64_t first, odim_error *err);
/* Adds a row from another sample. Rows may come in any order, but not twice. */
odim_status od_kept_rows_put(od_kept_rows *r, int64_t d, int64_t row, const double *cells, int8_t known,
                             odim_error *err);
/* Moves the chosen rows into the table, in place of its rows; the columns must be the same. `chosen` lists
 * them as rows of the table. */
odim_status od_row_sample_take(od_row_sample *s, odim_table *t, od_row_set *chosen, odim_error *err);
void od_row_sample_free(od_row_sample *s);

/* The cells of a column in n rows that are chosen evenly among those of a set. */
void od_row_set_gather(const od_row_set *rows, const odim_table *t, int64_t n, int64_t col, double *out);

#endif
