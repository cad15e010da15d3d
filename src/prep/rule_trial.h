/* Whether rows obey a rule of arithmetic well enough for it to be one. */
#ifndef OD_RULE_TRIAL_H
#define OD_RULE_TRIAL_H

#include "base/status.h"
#include "prep/rules.h"

/* Rows that a rule must say something about. */
#define OD_RULE_ROWS 8

/* Rows that rules are tried on. */
typedef struct od_rule_trial {
    const double *x; /* (q, n) column by column */
    int64_t n, words;
    uint64_t *zero, *absent; /* (q, words) which rows are 0, and which are missing, bit by bit */
} od_rule_trial;

/* A rule whose columns are places in x. */
typedef struct od_rule_attempt {
    od_rule rule;
    int place[OD_RULE_TERMS];
} od_rule_attempt;

/* x must outlive it. */
odim_status od_rule_trial_new(od_rule_trial *t, const double *x, int64_t n, int q, odim_error *err);
void od_rule_trial_free(od_rule_trial *t);

/* Whether it is a rule if only its result is rounded or, failing that, if all of its terms are; sets the
 * rounding. fine (q): whether rounding hardly moves the values of a column. *obeyed: share of rows that obey.
 */
bool od_rule_holds(const od_rule_trial *t, od_rule_attempt *a, const bool *fine, double *obeyed);

#endif
