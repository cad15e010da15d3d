/*
 * Checks of single cells: facts about each column that show a cell to be wrong by itself. checks_fit.c
 * explains them.
 */
#ifndef OD_CHECKS_H
#define OD_CHECKS_H

#include "base/status.h"
#include "prep/limits.h"
#include "prep/pattern.h"
#include "prep/rules.h"

/* Columns whose relations to each other are checked, at most. */
#define OD_CHECKS_RELATED 64
/* A row is mostly empty if more than this share of its cells is missing, and then has this evidence. */
#define OD_CHECKS_EMPTY_SHARE    0.5
#define OD_CHECKS_EMPTY_EVIDENCE 1.5

/* The rows of a run are known by their numbers in the file. */
#define OD_RUN_ROWS (-2)

typedef struct od_column_check {
    od_limits limits; /* of numbers and times */
    double new_level; /* evidence of a level that is not among the kept ones; 0: such levels are usual */
    double missing;   /* evidence of a missing cell; 0: gaps are usual */
    bool coarse;      /* it has a few distinct values only; not kept in files */
    double run_value; /* a value that stands in too many rows in a row, as of a sensor that is stuck: */
    int64_t
        run_key; /* those between run_low and run_high of this column, or OD_RUN_ROWS; -1: there are none */
    double run_low, run_high;
    bool related;        /* it has limits given the other columns: */
    od_limits given;     /* of what the others leave unexplained, in deviations of the column */
    double centre, unit; /* of the column, on the scale of its limits: deviations are counted from there */
    od_strlist patterns; /* of the codes of a category; empty: it has no codes */
} od_column_check;

/* Which level of a category a column of the matrix stands for; level -1: it is a number. */
typedef struct od_related_level {
    int64_t level;
    double centre, unit; /* how many rows have it, and its deviation */
} od_related_level;

/* Levels that are excused, at most. */
#define OD_CHECKS_EXCUSES 32

/* A frequent level of a category whose rows look odd as a whole: they are a kind of rows and not errors. */
typedef struct od_excuse {
    int64_t col, level;
} od_excuse;

typedef struct od_checks {
    int64_t cols;            /* 0: nothing is checked */
    od_column_check *col;    /* (cols), those of the schema */
    double empty;            /* evidence of a row that is mostly empty; 0: such rows are usual */
    int64_t relations;       /* columns of the matrix, 0: none */
    int64_t *relation;       /* (relations) which columns they are */
    od_related_level *level; /* (relations) and which levels; these are never checked themselves */
    double *precision;       /* (relations, relations) inverse of their covariance */
    od_rules rules;          /* of arithmetic */
    int excuses;
    od_excuse excuse[OD_CHECKS_EXCUSES];
} od_checks;

void od_checks_free(od_checks *c);

/* Length of the scratch array that the functions of checks_row.h need. */
int64_t od_checks_room(const od_checks *c);
/* Whether a value is part of a run that is too long; key is the row's value in column run_key. */
bool od_checks_in_run(const od_column_check *c, double value, double key);
/* Whether a row with `gaps` missing cells in `used` columns is mostly empty, where such rows are unusual. */
bool od_checks_is_empty(const od_checks *c, int64_t gaps, int64_t used);

#endif
