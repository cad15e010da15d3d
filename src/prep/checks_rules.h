/* Checks a row against the rules of its table, and finds the column to blame. */
#ifndef OD_CHECKS_RULES_H
#define OD_CHECKS_RULES_H

#include "prep/encode.h"

/*
 * The evidence that a row breaks rules; 0: it breaks none. gain (cols), or NULL: how much speaks for a column
 * being the wrong one, 0 for columns that have no part in it.
 */
double od_checks_rules(const od_checks *c, const od_encoder *e, int64_t row, double *gain);
/* The value of a column that a broken rule implies; NAN if none does. */
double od_checks_implied(const od_checks *c, const od_encoder *e, int64_t row, int64_t col);
/* A broken rule that a column has a part in, the one that implies its value if there is one; NULL: none. x
 * (terms) becomes the values of the row. */
const od_rule *od_checks_broken(const od_checks *c, const od_encoder *e, int64_t row, int64_t col, double *x);
/* Whether the row obeys a rule of products that a column has a part in. The rule is exact, and what a linear
 * relation expects of the column is not. */
bool od_checks_is_ruled(const od_checks *c, const od_encoder *e, int64_t row, int64_t col);
/* Whether such rules determine nearly all numbers of the row. */
bool od_checks_is_all_ruled(const od_checks *c, const od_encoder *e, int64_t row);

#endif
