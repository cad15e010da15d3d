/*
 * Finds rows of a table that are exact copies of an earlier one. A score depends only on the row, so copies
 * need not be scored again. In some tables most rows are copies.
 */
#ifndef OD_DISTINCT_H
#define OD_DISTINCT_H

#include "prep/table.h"

typedef struct od_distinct {
    int64_t count;  /* distinct rows */
    int64_t *rows;  /* (count) the first of each kind, ascending */
    uint32_t *kind; /* (n) which of them each row of the table is; NULL: every row is its own kind */
} od_distinct;

typedef struct od_distinct_options {
    int64_t threads;
    double worth; /* smallest share of copies that is worth a search; 0: copies are always found. Where
                     samples show fewer, every row is taken as distinct. */
} od_distinct_options;

/* How far the search takes the progress of the poll of this thread. */
#define OD_DISTINCT_SHARE 0.05

/* By the columns with source[j] >= 0, (cols) numbers of columns. Tables of more than 2^32 - 1 rows are taken
 * as if all their rows were distinct. Few rows start no thread. */
odim_status od_distinct_find(od_distinct *out, const odim_table *t, const int64_t *source, int64_t cols,
                             const od_distinct_options *options, odim_error *err);
void od_distinct_free(od_distinct *x);

#endif
