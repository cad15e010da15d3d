/*
 * Parses single cells of text, and infers the type of a column from all of its cells.
 *
 * A column is numeric if all present cells are numbers, boolean if all are true or false, or yes or no, and
 * a time if all are ISO 8601 dates or times; otherwise it is categorical. If nine in ten cells are numbers
 * (or times), the rest are taken for mistakes: an error that shows the first of them is better than numbers
 * treated as words.
 */
#ifndef OD_TYPE_INFER_H
#define OD_TYPE_INFER_H

#include "base/strlist.h"
#include "prep/table.h"

/* The first cell of a kind, to show in a message. */
typedef struct od_odd_cell {
    int64_t row, line; /* 0: there is none */
    int64_t file;      /* of several, which the row is of */
    char text[40];
} od_odd_cell;

/* How many cells of a column are what. */
typedef struct od_type_votes {
    int64_t present, numbers, booleans, times;
    od_odd_cell not_number, not_time;
} od_type_votes;

/* Additional markers for missing cells: an array that ends with NULL, or NULL. */
odim_status od_cell_na(od_strlist *na, const char *const *texts, odim_error *err);
bool od_cell_is_missing(const char *text, size_t len, const od_strlist *na);

void od_type_votes_add(od_type_votes *t, const char *text, size_t len, const od_strlist *na, int64_t row,
                       int64_t line);
/* Adds what was counted in rows that come later: `rows` and `lines` are before them in their file. */
void od_type_votes_merge(od_type_votes *t, const od_type_votes *later, int64_t file, int64_t rows,
                         int64_t lines);
/* Sets the type. Not NULL: a mistake, the first cell that is not what *type says of nearly all others. */
const od_odd_cell *od_type_votes_decide(const od_type_votes *t, odim_type *type);

/* The value of a cell in a column of that type; NaN when it is missing. False: it is neither. Categories are
 * not for it: their cells go to od_levels_code. */
bool od_cell_parse(odim_type type, const char *text, size_t len, const od_strlist *na, double *out);

#endif
