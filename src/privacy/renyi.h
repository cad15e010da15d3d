/*
 * What one update of differentially private training costs, as Renyi differential privacy: the subsampled
 * Gaussian mechanism. Every row is taken with probability `rate`, independently of the others; of those taken
 * something of norm at most 1 is summed, and normal noise of standard deviation `noise` is added to the sum.
 * Tables that differ by one row, which one has and the other has not, are to look alike.
 *
 * Costs of updates at the same order add up. docs/PRIVACY.md has the formulas in plain notation.
 */
#ifndef OD_RENYI_H
#define OD_RENYI_H

/* Above this order the cost of an update is bounded by what it would be without sampling. */
#define OD_RENYI_LARGEST 65536.0

/*
 * The cost of one update at an order, which need not be whole: the Renyi divergence, exact up to rounding or
 * else, at extremes, an upper bound. INFINITY where there is no guarantee: without noise, at an order that is
 * not above 1 or not finite, for any argument that makes no sense. Never NaN.
 */
double od_renyi_cost(double rate, double noise, double order);

/*
 * The epsilon that a total cost at an order amounts to, together with delta in (0, 1): the least of it over
 * all orders is the guarantee. Never below 0. order: above 1, finite.
 */
double od_renyi_epsilon(double order, double cost, double delta);

#endif
