/*
 * What a fit takes from rows, in a form that can be collected in parts and merged: the columns, their
 * statistics, and the sample of rows to train on.
 *
 * The result must not depend on how the rows were divided, nor on the order of merging. Statistics and sample
 * do not (prep/column_stats.h, prep/sample.h). The codes of levels do: they are in the order of first
 * appearance, and that is the order of merging here. So the row where each level appears first is kept with
 * it, and the fit sorts the levels by that row, which gives the codes that one pass over all rows would have
 * given.
 */
#ifndef OD_PARTIAL_H
#define OD_PARTIAL_H

#include "fit/fit.h"
#include "model/byte_stream.h"
#include "prep/column_stats.h"
#include "prep/row_sample.h"

/* Rows first..end-1. */
typedef struct od_row_range {
    int64_t first, end;
} od_row_range;

struct odim_partial {
    uint64_t seed;
    odim_table
        *head;  /* the columns, with the levels of all rows so far; it has no rows. NULL: nothing was added */
    bool known; /* the rows have known outliers */
    od_column_stats stats;
    od_row_sample sample;
    int64_t **seen;      /* (cols) of a category: the first row with each level */
    int64_t *seen_cap;   /* (cols) */
    od_row_range *range; /* (ranges) the rows so far: ascending, with gaps between them */
    size_t ranges, range_cap;
};

/* An empty one, in *p; od_partial_clear also after a failure of the calls below. */
void od_partial_init(odim_partial *p, uint64_t seed);
void od_partial_clear(odim_partial *p);

/* Adds the rows of a table, the first of which is number `first` of all rows. After a failure p is of no
 * further use. */
odim_status od_partial_add(odim_partial *p, const odim_table *block, int64_t first, odim_error *err);
odim_status od_partial_merge(odim_partial *p, const odim_partial *other, odim_error *err);
/* Fails unless p has all rows from number 0 on. Puts its levels into the order of one pass. */
odim_status od_partial_complete(odim_partial *p, odim_error *err);

/* The same, and gives the rows to a fit, before od_fit_begin. p then has the columns only, and must outlive
 * the fit. */
odim_status od_partial_give(odim_partial *p, od_fit *fit, odim_error *err);

/* For reading it from bytes: begins with the columns of a table, which has no rows yet; and adds rows that
 * were seen. */
odim_status od_partial_begin(odim_partial *p, const odim_table *columns, bool known, odim_error *err);
odim_status od_partial_add_range(odim_partial *p, int64_t first, int64_t end, odim_error *err);
/* The first row of level `code`; codes come in ascending order, or again. */
odim_status od_partial_see(odim_partial *p, int64_t col, int64_t code, int64_t row, odim_error *err);

/* As bytes, and back: see partial_file.c. */
void od_partial_write(od_byte_writer *out, const odim_partial *p);
odim_status od_partial_read(odim_partial *p, const void *bytes, size_t size, odim_error *err);

#endif
