/* Finds the rules of arithmetic that nearly all rows obey. */
#ifndef OD_RULES_FIT_H
#define OD_RULES_FIT_H

#include "base/status.h"
#include "prep/rules.h"

/* Columns that are looked at. */
#define OD_RULE_COLUMNS 20

/*
 * Of x (q, n), column by column, with NaN for missing cells; rows in no particular order. col (q): which
 * columns of the schema they are. is_time (q). low and high (q): the limits of ordinary values.
 */
typedef struct od_rules_input {
    const double *x;
    int64_t n, rows; /* rows of x, and of the whole table */
    int64_t threads; /* 0 and 1 alike */
    int q;
    int64_t col[OD_RULE_COLUMNS];
    bool is_time[OD_RULE_COLUMNS];
    double low[OD_RULE_COLUMNS], high[OD_RULE_COLUMNS];
} od_rules_input;

odim_status od_rules_find(od_rules *rules, const od_rules_input *in, odim_error *err);

#endif
