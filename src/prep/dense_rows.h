/*
 * Reads the rows of an NPY, NPZ or IDX file, at once or block by block. An array that is stored row by row
 * in a file of its own is read on demand; any other is read as a whole first.
 */
#ifndef OD_DENSE_ROWS_H
#define OD_DENSE_ROWS_H

#include "io/dense.h"
#include "io/npz.h"
#include "prep/columns.h"
#include "prep/table_input.h"

typedef struct od_dense_rows {
    od_source *src; /* of the cells: the file, or a member of it */
    od_dense header;
    od_npz npz; /* of an archive */
    bool is_npz;
    od_columns cols; /* of X, and last y, if there is one */
    od_array whole;  /* what is not read block by block, until it is used up */
    od_array x;      /* of the block in hand */
    od_array y;      /* of all rows */
    double *na;      /* (na_count) numbers that stand for a missing cell */
    size_t na_count;
    bool keep;
    double most;     /* bytes that a compressed array may take */
    bool most_given; /* by the caller */
    int64_t done;    /* rows read */
    int64_t stop;    /* the row to read up to */
    int64_t data_at; /* bytes of the source before the cells; 0: they cannot be read from any place on */
    int64_t y_first; /* the row of the first label in y */
    bool loaded;     /* what is not read block by block is there */
} od_dense_rows;

/* t becomes an empty table with columns, names, types and notes. */
odim_status od_dense_rows_open(od_dense_rows *r, odim_table *t, const od_table_input *in, odim_error *err);
/* Puts the next rows, at most `most`, into the table in place of those that were there; none: the end. */
odim_status od_dense_rows_read(od_dense_rows *r, odim_table *t, int64_t most, odim_error *err);
/* Rows that can be read from any place on, or 0. */
int64_t od_dense_rows_length(const od_dense_rows *r);
/* The part of the rows to be read next. */
odim_status od_dense_rows_part(od_dense_rows *r, odim_table *t, const od_span *part, odim_error *err);
void od_dense_rows_close(od_dense_rows *r);

#endif
