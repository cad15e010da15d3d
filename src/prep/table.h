/*
 * A table: n rows and d typed, named feature columns, and beside them what is known of each row: a label, an
 * id. A cell is one number, whatever the type of its column:
 *
 *     numeric       the value
 *     boolean       0 or 1
 *     categorical   the code of its level in the column's levels
 *     time          seconds since 1970
 *
 * and NaN where it is missing. Cells are row-major, float when that is exact for what was read and double
 * otherwise.
 */
#ifndef OD_TABLE_H
#define OD_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/local_number.h"
#include "base/status.h"
#include "base/strlist.h"
#include "prep/levels.h"

/* A model of more columns would need hours an update: see odim_fit. */
#define OD_MAX_COLS 16384

/* How the cells of a text column are written: see prep/cell_format.h. All zero: plain numbers, ISO 8601
 * dates. */
typedef struct od_cell_format {
    uint8_t notations;       /* of numbers: a set of od_notation, all with the same decimal mark */
    uint8_t order;           /* of times: an od_date_order */
    char unit[OD_UNIT_ROOM]; /* of numbers */
} od_cell_format;

typedef struct od_column {
    char *name;
    odim_type type;
    od_cell_format format;
    bool forced;      /* the caller said so: it is not for us to find it useless as a category */
    od_levels levels; /* of a categorical column */
    int64_t known;    /* the first so many are those of a model that the table was read for */
    bool bounded;     /* what the column holds is public: its type, its first `known` levels, and */
    double low, high; /* its bounds, if it has numbers or times */
} od_column;

struct odim_table {
    int64_t n, d;
    int64_t first;   /* rows of the file before this block of it, for messages */
    int64_t *number; /* (n) or NULL: of rows picked from a file, which row each is */
    int64_t stride;  /* elements from row to row */
    bool is_f64;
    bool borrowed;     /* cells belong to the caller */
    const void *cells; /* (n, d) float or double */
    od_column *col;    /* (d) */
    int8_t *labels;    /* (n) 0 or 1, or NULL */
    char *label_name;
    int8_t *known;  /* (n) what is known beforehand: 1 outlier, 0 inlier, -1 nothing; or NULL */
    od_strlist ids; /* (n), if there is an id_name */
    char *id_name;
    int64_t kept_cols; /* of the cells that are passed through as they came; 0: none are */
    char **kept_name;  /* (kept_cols) */
    od_strlist kept;   /* (n, kept_cols) */
    od_strlist notes;  /* remarks from reading */
};

/* An empty table; fill it in, od_table_check it, or odim_table_free it half-filled. NULL: out of memory. */
odim_table *od_table_new(void);
/* d numeric columns, still without names. */
odim_status od_table_set_cols(odim_table *t, int64_t d, odim_error *err);
/* What every table must be: at least one row and one column, no cell infinite. */
odim_status od_table_check(const odim_table *t, odim_error *err);

/* Whether all of rows[0..count-1] are rows of the table; rows may be NULL. */
odim_status od_table_check_rows(const odim_table *t, const int64_t *rows, int64_t count, odim_error *err);

/* The name of a column, fit for a message. */
const char *od_table_show(const odim_table *t, int64_t col, char *buf, size_t size);
/* The first column of that name from `start` on and, if there is none, before it; or -1. */
int64_t od_table_find(const odim_table *t, const char *name, int64_t start);
/* A value of a column as text: a number, a level, a time. */
const char *od_table_text(const od_column *col, bool single, double value, char *buf, size_t size);

/* The number of a row in its file, from 1. */
static inline int64_t od_table_row(const odim_table *t, int64_t row)
{
    return t->number ? t->number[row] : t->first + row + 1;
}

static inline double od_table_cell(const odim_table *t, int64_t row, int64_t col)
{
    int64_t i = row * t->stride + col;
    return t->is_f64 ? ((const double *)t->cells)[i] : (double)((const float *)t->cells)[i];
}

/* Rows of a table: rows[0..count-1] or, where rows is NULL, the first `count`. */
typedef struct od_table_rows {
    const odim_table *table;
    const int64_t *rows;
    int64_t count;
} od_table_rows;

#endif
