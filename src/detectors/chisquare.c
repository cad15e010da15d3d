/* Computes chi-square quantiles from the incomplete gamma function. */
#include "detectors/chisquare.h"

#include <math.h>

#define MOST_TERMS 100000
#define HALVINGS   200

/* log Gamma(a) for a = freedom / 2: from Gamma(1) or Gamma(1/2) by Gamma(a + 1) = a Gamma(a). lgamma itself
 * may write a global variable. */
static double log_gamma(int64_t freedom)
{
    double sum = freedom % 2 ? 0.5 * log(acos(-1.0)) : 0.0;
    for (int64_t f = freedom % 2 ? 1 : 2; f < freedom; f += 2) sum += log((double)f / 2.0);
    return sum;
}

/* The share below x: the incomplete gamma function P(a, x / 2), by its series. */
static double share_below(double x, int64_t freedom, double log_gamma_a)
{
    double a = (double)freedom / 2.0, half = x / 2.0, term = 1.0 / a, sum = term;
    for (int i = 1; i < MOST_TERMS && term > sum * 1e-17; i++) {
        term *= half / (a + (double)i);
        sum += term;
    }
    return sum * exp(a * log(half) - half - log_gamma_a);
}

double od_chisquare_quantile(double p, int64_t freedom)
{
    double constant = log_gamma(freedom), low = 0.0, high = 1.0;
    while (share_below(high, freedom, constant) < p) high *= 2.0;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2.0;
        if (middle <= low || middle >= high) break;
        if (share_below(middle, freedom, constant) < p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
