/*
 * A table: n rows of d typed, named feature columns, with optional labels, ids and known outliers. A cell is
 * one number, whatever the type of its column:
 *
 *     numeric       the value
 *     boolean       0 or 1
 *     categorical   the code of its level in the column's levels
 *     time          seconds since 1970
 *
 * and NaN if it is missing. Cells are row-major; they are floats if that is exact for the input, else
 * doubles.
 */
#ifndef OD_TABLE_H
#define OD_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/local_number.h"
#include "base/status.h"
#include "base/strlist.h"
#include "prep/levels.h"
#include "prep/text_features.h"

/* A model of more columns would need hours per update: see odim_fit. */
#define OD_MAX_COLS 16384

/* How the cells of a text column are written: see prep/cell_format.h. All zero: plain numbers, ISO 8601
 * dates. */
typedef struct od_cell_format {
    uint8_t notations;       /* of numbers: a set of od_notation, all with the same decimal mark */
    uint8_t order;           /* of times: an od_date_order */
    uint8_t feature;         /* an od_text_feature: the number describes a text */
    uint16_t text;           /* which of the profiles of the table that is for */
    char unit[OD_UNIT_ROOM]; /* of numbers */
} od_cell_format;

typedef struct od_column {
    char *name;
    odim_type type;
    od_cell_format format;
    bool doubt;       /* nearly all cells have that type, but not all: for a message */
    bool forced;      /* the caller chose the type, so that it is never ignored as a text */
    od_levels levels; /* of a categorical column */
    int64_t known;    /* number of levels, the first ones, that come from the model it was read for */
    bool bounded;     /* its type, its first `known` levels and its bounds are public */
    double low, high; /* the bounds of numbers or times */
} od_column;

/* What a column of a file is for. Numbers are stored in model files. */
typedef enum od_role {
    OD_ROLE_IGNORED,
    OD_ROLE_FEATURE,
    OD_ROLE_ID,
    OD_ROLE_LABEL,
    OD_ROLE_KNOWN,
    OD_ROLES
} od_role;

/* The columns of a text file, in its order. A model remembers them, so that it can read files like it. */
typedef struct od_file_columns {
    od_strlist names;
    uint8_t *role; /* (names.count) of od_role */
} od_file_columns;

/* Rows of a text file that do not fit, where they are to be called outliers: see odim_bad_rows. */
typedef struct od_bad_rows {
    int64_t *row; /* (why.count) ascending, of the table */
    size_t cap;
    od_strlist why; /* one message each */
} od_bad_rows;

struct odim_table {
    int64_t n, d;
    int64_t first;    /* rows of the file before this block of it, for messages */
    int64_t *number;  /* (n) or NULL: of rows picked from a file, which row each is */
    od_strlist paths; /* of several files, else empty */
    int32_t *path;    /* (n) which of them a row is from, if there are several */
    int64_t stride;   /* elements from row to row */
    bool is_f64;
    bool borrowed;     /* cells belong to the caller */
    const void *cells; /* (n, d) float or double */
    od_column *col;    /* (d) */
    int8_t *labels;    /* (n) 0 or 1, or NULL */
    char *label_name;
    int8_t *known;  /* (n) 1 known outlier, 0 known inlier, -1 unknown; or NULL */
    od_strlist ids; /* (n), if there is an id_name */
    char *id_name;
    int64_t kept_cols; /* number of columns whose cells are kept as text; 0: none */
    char **kept_name;  /* (kept_cols) */
    od_strlist kept;   /* (n, kept_cols) */
    od_strlist notes;  /* remarks from reading */
    od_file_columns file;
    od_text_profiles texts; /* of the columns that describe texts */
    od_bad_rows bad;
    int64_t skipped; /* bad rows that were left out */
};

void od_file_columns_free(od_file_columns *f);
odim_status od_file_columns_copy(od_file_columns *to, const od_file_columns *from, odim_error *err);
/* Notes that a row is bad; rows come in ascending order. */
odim_status od_table_add_bad(odim_table *t, int64_t row, const char *why, odim_error *err);

/* An empty table to be filled in; odim_table_free also takes a half-filled one. NULL: out of memory. */
odim_table *od_table_new(void);
/* d numeric columns, still without names. */
odim_status od_table_set_cols(odim_table *t, int64_t d, odim_error *err);
/* Removes a column from a table without rows. */
void od_table_drop_col(odim_table *t, int64_t col);

/* The same rows with other knowledge of them, known (n) as in odim_table_set_known, which is copied. The
 * table itself is shared, and must outlive it. NULL: out of memory. */
odim_table *od_table_with_known(const odim_table *t, const int8_t *known);
void od_table_with_known_free(odim_table *view);

/* Whether all of rows[0..count-1] are rows of the table; rows may be NULL. */
odim_status od_table_check_rows(const odim_table *t, const int64_t *rows, int64_t count, odim_error *err);

/* The name of a column, fit for a message. */
const char *od_table_show(const odim_table *t, int64_t col, char *buf, size_t size);
/* The first column of that name from `start` on, else before it; or -1. */
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
