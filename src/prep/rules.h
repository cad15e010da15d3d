/*
 * Rules of arithmetic that nearly all rows of a table obey: total = quantity x price x (1 - discount), total
 * = quantity x price + fee, gross = net + tax, end = start + duration, shipped after ordered. rules_fit.c
 * finds them.
 */
#ifndef OD_RULES_H
#define OD_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OD_RULE_TERMS 4
#define OD_RULES_MOST 24

typedef enum od_rule_kind {
    OD_RULE_SUM,     /* the sum of weight[i] x[i] is `constant` */
    OD_RULE_PRODUCT, /* x[0] is `constant` times the others, each to the power weight[i], 1 or -1; if share[i]
                        is not 0, the factor is 1 + share[i] x[i] */
    OD_RULE_ORDER,   /* x[1] - x[0] is at least -constant */
    OD_RULE_ADDED,   /* x[0] is x[1] x[2] + weight[3] x[3]: a total with a fee, or less a rebate */
    OD_RULE_KINDS
} od_rule_kind;

typedef struct od_rule {
    od_rule_kind kind;
    int terms;
    int64_t col[OD_RULE_TERMS]; /* columns of the schema */
    double weight[OD_RULE_TERMS], share[OD_RULE_TERMS];
    double step[OD_RULE_TERMS];     /* values of the column are multiples of this; 0: of nothing */
    double rounding[OD_RULE_TERMS]; /* how far rounding moves a value of the column; 0: it is exact */
    double constant;
} od_rule;

typedef struct od_rules {
    int count;
    od_rule rule[OD_RULES_MOST];
} od_rules;

/* Whether a column of the schema has a part in the rule. */
bool od_rule_has(const od_rule *r, int64_t col);

/* How well the values x (terms) of a rule's columns obey it. */
typedef enum od_obedience {
    OD_RULE_SILENT, /* a value is missing, or 0 makes the rule trivial */
    OD_RULE_OBEYED, /* but for rounding */
    OD_RULE_BENT,   /* hardly more than rounding would explain */
    OD_RULE_BROKEN
} od_obedience;
od_obedience od_rule_check(const od_rule *r, const double *x);

/* Of the rows that a rule speaks of: how many there are, and how many obey or break it. */
typedef struct od_rule_tally {
    int64_t all, obeyed, broken;
} od_rule_tally;
/* Adds `count` rows, whose values of term k are x[k]: what od_rule_check says of each. Not for orders. */
#define OD_RULE_BLOCK 64
void od_rule_count(const od_rule *r, double x[OD_RULE_TERMS][OD_RULE_BLOCK], int64_t count, od_rule_tally *t);

/* The value of term k that the other terms imply; NAN if they imply none. *error: how far rounding of the
 * others may have moved it. */
double od_rule_solve(const od_rule *r, const double *x, int k, double *error);
/* Whether a value is a multiple of the step of term k, within `error`. */
bool od_rule_on_grid(const od_rule *r, int k, double value, double error);

#endif
