/*
 * The description of the columns that is part of a model, and the features that it makes of them:
 *
 *     numeric, boolean   the value
 *     categorical        a 0/1 feature for each frequent level, and one for all others: 0, 1 for a level that
 *                        was rare in training, 1 or 2 for one that is not kept or was never seen
 *     time               the linear time and, if the training rows span enough of them, sine and cosine of
 * the hour of the day, the day of the week, the day of the year
 *
 * If enough cells are missing, a further 0/1 feature says so. A missing cell has the value of the median or
 * of the most frequent level. Columns without information have no features.
 *
 * Levels in too few rows are not kept, since they could identify people. A row with such a level is treated
 * like one with a level that was never seen.
 *
 * Bounds and levels come from all rows, medians and other quantiles from the training rows (prep/sample.h).
 * If the statistics are public ones, nothing comes from the rows: bounds stand for the usual range, their
 * middle for a missing cell, levels are equally likely, missing cells have no feature, and every column is
 * used.
 */
#ifndef OD_SCHEMA_H
#define OD_SCHEMA_H

#include "prep/checks.h"
#include "prep/column_stats.h"

/* Robust: the bounds are those of the ordinary values, and values beyond the limits count as these. */
typedef enum od_scaling { OD_SCALE_MINMAX, OD_SCALE_STANDARD, OD_SCALE_NONE, OD_SCALE_ROBUST } od_scaling;

/* Why a column has no features. */
typedef enum od_ignored {
    OD_USED,
    OD_IGNORED_CONSTANT,
    OD_IGNORED_EMPTY, /* no cell has a value */
    OD_IGNORED_TEXT,  /* (nearly) every cell is another text: names, ids, remarks */
    OD_IGNORED_RARE   /* a category without a frequent level */
} od_ignored;

/* A column of times has these cycles, if it has them. */
typedef enum od_cycle { OD_CYCLE_DAY = 1, OD_CYCLE_WEEK = 2, OD_CYCLE_YEAR = 4 } od_cycle;

/* At most so many levels of a column get a feature of their own. */
#define OD_SCHEMA_LEVELS 64
/* A level is frequent if one in so many rows has it. */
#define OD_SCHEMA_LEVEL_SHARE 200

/* Whether a private fit succeeds must not depend on the rows. So values that are millions of widths beyond
 * their bounds are not refused. */
#define OD_SCHEMA_FAR 1e6f

typedef struct od_schema_col {
    char *name;
    odim_type type;
    od_cell_format format;
    od_ignored ignored;
    int64_t missing;              /* cells, in training */
    double low, high;             /* of all training values; NaN if there are none */
    double fill;                  /* stands for a missing cell: the median, or the code of a level */
    double usual_low, usual_high; /* 1 % of the training rows are below, 1 % above */
    od_levels levels;             /* of a categorical column, in the order of their bytes */
    int64_t *level_count;         /* (levels) rows of each */
    int64_t *level_feature;       /* (levels) place among the features of the column, -1: rare */
    int64_t own_levels;           /* levels with a feature of their own; the next feature is "another" */
    int64_t dropped;              /* rows of training with a level that is not kept */
    double unlisted;              /* "another" for such a level, and for one never seen: 1 or 2 */
    bool checked;                 /* its cells are checked, but it has no features */
    unsigned cycles;              /* of od_cycle */
    bool indicator;               /* the last feature says that the cell is missing */
    int64_t first, features;      /* which are its features */
} od_schema_col;

typedef struct od_schema {
    od_file_columns file;         /* the columns of the file that the rows came from; empty: not known */
    od_text_profiles texts;       /* of the columns that describe texts */
    od_checks checks;             /* of single cells */
    double *clip_low, *clip_high; /* (features) values are clipped to these; NULL: not clipped */
    int64_t rows;                 /* of training */
    int64_t cols;
    int64_t least;      /* a level in fewer rows is not kept; 1: all are */
    od_schema_col *col; /* (cols) */
    int64_t features;
    double *shift, *width; /* (features) a feature is (value - shift) / width */
    int64_t *owner;        /* (features) the column of each */
    bool plain;            /* every column is one number and nothing else */
    bool clamped;          /* features beyond OD_SCHEMA_FAR count as that, instead of being refused */
    bool one_unit;         /* while it is made: all features have the same width */
} od_schema;

void od_schema_free(od_schema *s);

/* Whether a column describes the same text as the one before it. */
static inline bool od_schema_is_further(const od_schema_col *c)
{
    return c->format.feature > OD_TEXT_LENGTH;
}
/* Number of columns of a file that the columns come from. */
int64_t od_schema_sources(const od_schema *s);

/* Sets clip_low and clip_high from the limits of the columns: where the scaling is robust, also after
 * loading. */
odim_status od_schema_clip(od_schema *s, odim_error *err);

/* How many of `rows` rows must have a level for it to be kept; asked 0: auto. */
int64_t od_schema_least(int64_t asked, int64_t rows);
/* Sets least, dropped and unlisted from the rest: after loading. */
void od_schema_drop(od_schema *s, int64_t least);
/* Whether there is a category whose levels were counted, so that `least` has an effect. */
bool od_schema_counted(const od_schema *s);

/* Sets plain, owner and the place of each column's features from the rest: after loading. Fails when the
 * parts do not fit together. */
odim_status od_schema_finish(od_schema *s, odim_error *err);

/* Fails with the names of the columns for which found (cols) is false, as many as fit into a message. `who`
 * begins it, such as "the model needs". */
odim_status od_schema_fail_missing(const od_schema *s, const char *who, const bool *found, odim_error *err);
/* Why a column is not used, to follow its name; NULL for OD_USED. */
const char *od_schema_why(od_ignored ignored);
/* One line for each column that is not used, to the caller's hook. */
void od_schema_note(const od_schema *s, const odim_hooks *hooks);
/* The range of a column's ordinary values: 1 % of the training rows are below it, 1 % above, and values
 * beyond the column's limits are not in it. */
void od_schema_usual(const od_schema *s, int64_t col, double *low, double *high);
/* The name of a column, fit for a message. */
const char *od_schema_show(const od_schema_col *col, char *buf, size_t size);

#endif
