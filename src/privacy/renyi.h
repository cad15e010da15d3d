/*
 * The Renyi cost of one private update: the subsampled Gaussian mechanism.
 *
 * Every row is taken with probability `rate`, independently of the others. The rows taken contribute vectors
 * of norm at most 1 to a sum, and normal noise of standard deviation `noise` is added to it. Two tables are
 * to look alike if one has a row more than the other.
 *
 * Costs of updates at the same order add up. docs/PRIVACY.md has the formulas in plain notation.
 */
#ifndef OD_RENYI_H
#define OD_RENYI_H

/* Above this order the cost of an update is bounded by what it would be without sampling. */
#define OD_RENYI_LARGEST 65536.0

/*
 * The cost of one update at an order, which need not be whole: the Renyi divergence, exact up to rounding, or
 * an upper bound at extremes. It is INFINITY if there is no guarantee: without noise, at an order that is not
 * above 1 or not finite, and for arguments that make no sense. Never NaN.
 */
double od_renyi_cost(double rate, double noise, double order);

/*
 * The epsilon that a total cost at an order amounts to, for a delta in (0, 1). The guarantee is the least of
 * these over all orders. Never below 0. The order is above 1 and finite.
 */
double od_renyi_epsilon(double order, double cost, double delta);

#endif
