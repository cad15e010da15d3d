/*
 * Checks of single cells: what a model knows about each column that lets it call a cell wrong by itself. The
 * essay is in checks.c.
 */
#ifndef OD_CHECKS_H
#define OD_CHECKS_H

#include "base/status.h"
#include "prep/limits.h"

struct od_encoder;
struct od_schema;

/* Columns whose relations to each other are checked, at most. */
#define OD_CHECKS_RELATED 64

typedef struct od_column_check {
    od_limits limits; /* of numbers and times */
    double new_level; /* evidence of a level that is not among the kept ones; 0: such levels are usual */
    double missing;   /* evidence of a missing cell; 0: gaps are usual */
    bool coarse;      /* it has a few distinct values only; not kept in files */
    double run_value; /* a value that stands in too many rows in a row, as of a sensor that is stuck: */
    int64_t run_key;  /* those between run_low and run_high of this column; -1: there are none */
    double run_low, run_high;
    bool related;        /* it has limits given the other columns: */
    od_limits given;     /* of what the others leave unexplained, in deviations of the column */
    double centre, unit; /* of the column, on the scale of its limits: deviations are counted from there */
} od_column_check;

/* Which level of a category a column of the matrix stands for; level -1: it is a number. */
typedef struct od_related_level {
    int64_t level;
    double centre, unit; /* how many rows have it, and its deviation */
} od_related_level;

typedef struct od_checks {
    int64_t cols;            /* 0: nothing is checked */
    od_column_check *col;    /* (cols), those of the schema */
    double empty;            /* evidence of a row that is mostly empty; 0: such rows are usual */
    int64_t relations;       /* columns of the matrix, 0: none */
    int64_t *relation;       /* (relations) which columns they are */
    od_related_level *level; /* (relations) and which levels; these are never checked themselves */
    double *precision;       /* (relations, relations) inverse of their covariance */
} od_checks;

/* From training rows: rows[0..count-1] of the table or, where rows is NULL, the first `count`. */
odim_status od_checks_fit(od_checks *c, const struct od_schema *schema, const odim_table *table,
                          const int64_t *rows, int64_t count, odim_error *err);
void od_checks_free(od_checks *c);

/* Room for od_checks_row: numbers. */
int64_t od_checks_room(const od_checks *c);
/*
 * The evidence that cells of a row are wrong: 0 for nearly all rows. each (cols), or NULL: what each column
 * has in it. room (od_checks_room).
 */
double od_checks_row(const od_checks *c, const struct od_encoder *e, int64_t row, double *each, double *room);
/* Whether a value is part of a run that is too long, key being that of the row in column run_key. */
bool od_checks_in_run(const od_column_check *c, double value, double key);
/* What a related column is expected to be, given the other cells of the row; NAN where nothing is. */
double od_checks_expected(const od_checks *c, const struct od_encoder *e, int64_t row, int64_t col,
                          double *room);
/*
 * Which of the related columns may be wrong, where they contradict each other: gain (cols) is by how much the
 * squared distance of the row falls if the column has the value that is expected of it; 0 if that is no
 * ordinary value of the column, or nothing is expected. Returns whether any column has one.
 */
bool od_checks_suspects(const od_checks *c, const struct od_encoder *e, int64_t row, double *gain,
                        double *room);
/* Whether a row of which `used` columns are looked at and `gaps` cells are missing is mostly empty, where
 * that is not usual. */
bool od_checks_is_empty(const od_checks *c, int64_t gaps, int64_t used);

#endif
