/* The budget of differentially private training: how much updates spend together, and how many it allows. */
#ifndef OD_BUDGET_H
#define OD_BUDGET_H

#include <stdint.h>

#include "base/status.h"

/*
 * The orders over which a guarantee is minimised: fine steps where epsilon is 1 to 20, some below for larger
 * ones, and up to 4096 for epsilons down to some thousandths.
 */
enum { OD_BUDGET_ORDERS = 186 };
double od_budget_order(int index);

/* What one update costs, at every order. Costs of different mechanisms on the same rows may be added. */
typedef struct od_budget {
    double cost[OD_BUDGET_ORDERS];
} od_budget;

void od_budget_begin(od_budget *b, double rate, double noise);

/* Adds what another mechanism on the same rows costs, so many times. */
void od_budget_add(od_budget *to, const od_budget *what, int64_t times);

/*
 * The epsilon of so many updates, at least 0, and the order that shows it (may be NULL). Both are INFINITY
 * when none does; no updates need none. Epsilon never falls when `steps` grows.
 */
double od_budget_epsilon(const od_budget *b, int64_t steps, double delta, double *order);

/* The same together with what else costs: others, which may be NULL. */
double od_budget_with(const od_budget *others, const od_budget *b, int64_t steps, double delta);

/* How many updates stay within epsilon, others (may be NULL) included: the largest number whose
 * od_budget_with is not above it, 2^53 at most. */
int64_t od_budget_steps(const od_budget *others, const od_budget *b, double epsilon, double delta);

/* The least noise with which so many updates stay within epsilon, others (may be NULL) included. */
odim_status od_budget_noise(const od_budget *others, double rate, int64_t steps, double epsilon, double delta,
                            double *noise, odim_error *err);

#endif
