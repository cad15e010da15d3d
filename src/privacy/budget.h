/* The privacy budget: how much updates spend together, and how many it allows. */
#ifndef OD_BUDGET_H
#define OD_BUDGET_H

#include <stdint.h>

#include "base/status.h"

/*
 * The Renyi orders over which a guarantee is minimized: fine steps for epsilons from 1 to 20, some lower
 * orders for larger epsilons, and up to 4096 for epsilons of a few thousandths.
 */
enum { OD_BUDGET_ORDERS = 186 };
double od_budget_order(int index);

/* What one update costs, at every order. Costs of different mechanisms on the same rows may be added. */
typedef struct od_budget {
    double cost[OD_BUDGET_ORDERS];
} od_budget;

void od_budget_begin(od_budget *b, double rate, double noise);

/* Adds the cost of another mechanism on the same rows, `times` over. */
void od_budget_add(od_budget *to, const od_budget *what, int64_t times);

/*
 * The epsilon of `steps` updates, at least 0, and the order that proves it (may be NULL). Both are INFINITY
 * if no order proves any; without updates epsilon is 0. Epsilon never falls as `steps` grows.
 */
double od_budget_epsilon(const od_budget *b, int64_t steps, double delta, double *order);

/* The same together with other costs, which may be NULL. */
double od_budget_with(const od_budget *others, const od_budget *b, int64_t steps, double delta);

/* How many updates stay within epsilon together with other costs (may be NULL), at most 2^53. */
int64_t od_budget_steps(const od_budget *others, const od_budget *b, double epsilon, double delta);

/* The least noise with which `steps` updates stay within epsilon together with other costs (may be NULL). */
odim_status od_budget_noise(const od_budget *others, double rate, int64_t steps, double epsilon, double delta,
                            double *noise, odim_error *err);

#endif
