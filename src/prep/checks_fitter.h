/* What the parts of a fit of the checks share. */
#ifndef OD_CHECKS_FITTER_H
#define OD_CHECKS_FITTER_H

#include "base/parallel.h"
#include "prep/encode.h"
#include "prep/sample.h"

/* Rows that relations are found from. */
#define OD_RELATED_ROWS 8192

/* Of one thread. */
typedef struct od_checks_scratch {
    double *value, *room; /* (take) */
} od_checks_scratch;

/* Middle and deviation of a number, on the scale of its limits. */
typedef struct od_checks_unit {
    bool known;  /* enough cells have a value */
    bool varies; /* the deviation can be used */
    double centre, unit;
} od_checks_unit;

typedef struct od_checks_fitter {
    od_checks *c;
    const od_schema *schema;
    const odim_table *t;
    const od_row_set *rows; /* the training rows */
    int64_t take;           /* number of them that are looked at */
    double tests;           /* cells that are checked against limits, in all rows */
    int64_t threads;
    od_checks_scratch *scratch; /* (threads) */
    od_checks_unit *unit;       /* (cols) of the numbers */
    const od_encoder *encoder;
} od_checks_fitter;

static inline double od_checks_cell(const od_checks_fitter *f, int64_t i, int64_t n, int64_t col)
{
    return od_table_cell(f->t, od_row_set_even(f->rows, i, n), col);
}

static inline bool od_checks_is_number(const od_schema_col *c)
{
    return !c->ignored && (c->type == ODIM_NUMERIC || c->type == ODIM_TIME);
}

/* Finds relations between columns, from n of the training rows. Sets c->relations, 0 where there are none. */
odim_status od_checks_relate(const od_checks_fitter *f, int64_t n, odim_error *err);

#endif
