/*
 * Arrays of numbers with a type and a shape: the content of NPY and IDX files. The first axis is the row.
 * All others are flattened into columns, the last one running fastest, so that an image becomes a row of
 * pixels.
 */
#ifndef OD_DENSE_H
#define OD_DENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"

typedef enum od_type {
    OD_TYPE_BOOL,
    OD_TYPE_I8,
    OD_TYPE_U8,
    OD_TYPE_I16,
    OD_TYPE_U16,
    OD_TYPE_I32,
    OD_TYPE_U32,
    OD_TYPE_I64,
    OD_TYPE_U64,
    OD_TYPE_F16,
    OD_TYPE_F32,
    OD_TYPE_F64
} od_type;

#define OD_DENSE_AXES 64

/* What a header says. */
typedef struct od_dense {
    od_type type;
    bool big_endian;
    bool fortran; /* the first axis runs fastest */
    int axes;
    int64_t shape[OD_DENSE_AXES];
    int64_t rows, cols; /* set by od_dense_measure */
} od_dense;

/* What is read: row-major, float where that holds every value of the type exactly, double otherwise. */
typedef struct od_array {
    int64_t rows, cols;
    bool is_f64;
    void *cells; /* (rows, cols) */
} od_array;

/* Fills in rows and cols; fails when there is no axis, an axis is empty, or the cells cannot be counted. */
odim_status od_dense_measure(od_dense *d, odim_error *err);
/* Reads the cells, up to the end of the source: fewer or more bytes than the shape needs is an error. */
odim_status od_dense_read(const od_dense *d, od_source *src, od_array *out, odim_error *err);
/* The next `rows` of them, `first` having been read; not for an array that is stored by columns. */
odim_status od_dense_next(const od_dense *d, od_source *src, int64_t first, int64_t rows, od_array *out,
                          odim_error *err);
/* Bytes of memory that so many rows take while they are read. */
double od_dense_memory(const od_dense *d, int64_t rows);
/* Bytes of a row of an array that is stored by rows. */
size_t od_dense_row_size(const od_dense *d);
bool od_dense_host_is_big_endian(void);
void od_array_free(od_array *a);

static inline double od_array_cell(const od_array *a, int64_t row, int64_t col)
{
    int64_t i = row * a->cols + col;
    return a->is_f64 ? ((const double *)a->cells)[i] : (double)((const float *)a->cells)[i];
}

#endif
