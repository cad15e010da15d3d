/*
 * A table: n rows, d numeric feature columns with names, and beside them what is known of each row: a label,
 * an id. Cells are row-major, float when that is exact for what was read and double otherwise.
 */
#ifndef OD_TABLE_H
#define OD_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* A model of more columns would need hours an update: see odim_fit. */
#define OD_MAX_COLS 16384

struct odim_table {
    int64_t n, d;
    int64_t stride; /* elements from row to row */
    bool is_f64;
    bool borrowed;     /* cells belong to the caller */
    const void *cells; /* (n, d) float or double */
    char **names;      /* (d) */
    int8_t *labels;    /* (n) 0 or 1, or NULL */
    char *label_name;
    char *ids;        /* all ids one after the other, each with its '\0', or NULL */
    size_t *id_start; /* (n) offset of each in ids */
    char *id_name;
};

/* An empty table; fill it in, od_table_check it, or odim_table_free it half-filled. NULL: out of memory. */
odim_table *od_table_new(void);
/* "x1", "x2", ... for the columns of a table that has none. */
odim_status od_table_number_names(odim_table *t, odim_error *err);
/* What every table must be: at least one row and one column, every cell finite. */
odim_status od_table_check(const odim_table *t, odim_error *err);

/* The name of a column, fit for a message. */
const char *od_table_show(const odim_table *t, int64_t col, char *buf, size_t size);

static inline double od_table_cell(const odim_table *t, int64_t row, int64_t col)
{
    int64_t i = row * t->stride + col;
    return t->is_f64 ? ((const double *)t->cells)[i] : (double)((const float *)t->cells)[i];
}

#endif
