/*
 * Computes the Renyi divergence of the subsampled Gaussian mechanism.
 *
 * Let mu be the normal distribution with mean 0 and standard deviation s, the noise, and r(z) the density of
 * the same around 1 over that of mu: r(z) = exp((2z - 1) / (2 s^2)). Without the row in question the outcome
 * is distributed as mu; with it, which is taken with probability q, as the mixture whose density over that of
 * mu is 1 + q (r - 1). The cost at order a is log(A) / (a - 1) with
 *
 *     A = E (1 + q (r(z) - 1))^a,    z from mu
 *
 * (Mironov, Talwar and Zhang 2019, who show that the divergence the other way round is never larger). q is
 * small, so A is near 1, and to sum up A only to take its logarithm would lose most digits. Both ways below
 * compute A - 1 instead, as a sum of terms that are all positive, so that nothing cancels.
 *
 * Whole a: the binomial formula and E r^k = exp((k^2 - k) / (2 s^2)) give A as a mean over the binomial
 * distribution of k; its probabilities sum to 1, and so
 *
 *     A - 1 = sum over k from 2 to a of  C(a, k) q^k (1 - q)^(a - k) (exp((k^2 - k) / (2 s^2)) - 1).
 *
 * Other a: E (r - 1) = 0, so a q (r - 1) can be taken off inside the mean:
 *
 *     A - 1 = E f,    f = (1 + x)^a - 1 - a x,    x = q (r - 1),
 *
 * where f >= 0 since a power above 1 is convex. With y = z / s the mean is an integral over the normal
 * density, and the trapezoidal rule does it: its error falls as exp(-2 pi d / h) with the step h, where d is
 * how far from the real line the integrand is analytic. Here that is pi s, where 1 + x = 0, and the step
 * below makes the error less than rounding. The usual series of Mironov, Talwar and Zhang is exact too, but
 * its terms are as large as A, of either sign, and for a near 1 there are thousands; the test compares with
 * it.
 *
 * All terms are kept as logarithms: A itself may be beyond any double.
 */
#include "privacy/renyi.h"

#include <math.h>
#include <stdint.h>
#include <stdbool.h>

#define LOG_SQRT_2PI 0.91893853320467274178
#define LARGE        700.0   /* exp of more is too near to infinity */
#define REACH        12.0    /* standard deviations; what is beyond is less than 1e-30 of the whole */
#define MOST_POINTS  32768.0 /* of an integral */

/* The logarithm of a sum of terms, given by their logarithms. Begins as {-INFINITY, 0}. */
typedef struct logsum {
    double top, rest; /* the largest so far; the sum divided by it */
} logsum;

static void add(logsum *s, double x)
{
    if (x == -INFINITY) return;
    if (x <= s->top) {
        s->rest += exp(x - s->top);
    } else {
        s->rest = s->rest * exp(s->top - x) + 1;
        s->top = x;
    }
}

/* log A, given log(A - 1) as a sum. */
static double log_one_plus(const logsum *s)
{
    double x = s->rest > 0 ? s->top + log(s->rest) : -INFINITY;
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* log(exp(x) - 1), x >= 0 */
static double log_expm1(double x)
{
    return x > LARGE ? x : log(expm1(x));
}

/* ---- whole orders ----------------------------------------------------------------------------------- */

static double log_moment_whole(double rate, double noise, double order)
{
    double gain = 0.5 / noise / noise, log_in = log(rate), log_out = log1p(-rate);
    double log_choose = log(order);
    logsum s = {-INFINITY, 0};
    for (int64_t i = 2; i <= (int64_t)order; i++) {
        double k = (double)i;
        log_choose += log((order - k + 1) / k);
        add(&s, log_choose + k * log_in + (order - k) * log_out + log_expm1(k * (k - 1) * gain));
    }
    return log_one_plus(&s);
}

/* ---- orders between --------------------------------------------------------------------------------- */

/* log(1 + q (e^t - 1)) */
static double log_ratio(double rate, double t)
{
    if (t < LARGE) return log1p(rate * expm1(t));
    double x = log(rate) + t;
    return x + log1p((1 - rate) * exp(-x));
}

/*
 * log f, given l = log(1 + x) and b = a - 1, from f = e^l (expm1(b l) + b expm1(-l)). Near l = 0 both are
 * about b l, up to the sign: there the sum of their Taylor series is taken, without these.
 */
static double log_excess(double b, double l)
{
    if (b * l > LARGE) return l + b * l;
    if (fabs((b + 1) * l) > 0.5) return l + log(expm1(b * l) + b * expm1(-l));
    double up = b / 2, down = 0.5, sum = 0; /* b^(j-1) l^(j-2) / j! and (-1)^j l^(j-2) / j! */
    for (int j = 2; j < 16; j++) {
        sum += up + down;
        up *= b * l / (j + 1);
        down *= -l / (j + 1);
    }
    return l + log(b * sum) + 2 * log(fabs(l));
}

static double log_moment_integral(double rate, double noise, double order, double step, double points)
{
    double shift = 0.5 / noise / noise, constant = log(step) - LOG_SQRT_2PI;
    logsum s = {-INFINITY, 0};
    for (int64_t i = 0; i <= (int64_t)points; i++) {
        double y = (double)i * step - REACH;
        double l = log_ratio(rate, y / noise - shift);
        add(&s, constant - 0.5 * y * y + log_excess(order - 1, l));
    }
    return log_one_plus(&s);
}

/* Between whole orders: log A is convex in the order and 0 at 1, so it lies below its chords. */
static double log_moment_chord(double rate, double noise, double order)
{
    double below = floor(order), part = order - below;
    return (1 - part) * log_moment_whole(rate, noise, below) +
           part * log_moment_whole(rate, noise, below + 1);
}

/* As f grows no faster than r^a or, where x is small, r^2, the integrand falls beyond a / s and 2 / s. */
static double log_moment(double rate, double noise, double order)
{
    if (order == floor(order)) return log_moment_whole(rate, noise, order);
    double step = 0.4 * fmin(noise, 1), points = ceil((fmax(order, 2) / noise + 2 * REACH) / step);
    if (points > MOST_POINTS) return log_moment_chord(rate, noise, order);
    return log_moment_integral(rate, noise, order, step, points);
}

double od_renyi_cost(double rate, double noise, double order)
{
    bool sensible = rate >= 0 && rate <= 1 && noise > 0 && order > 1 && order < INFINITY;
    if (!sensible) return INFINITY;
    if (rate == 0) return 0;
    double unsampled = 0.5 * order / noise / noise;
    if (rate == 1 || order > OD_RENYI_LARGEST || unsampled == 0) return unsampled;
    if (!(order * unsampled < INFINITY)) return INFINITY;
    return fmin(log_moment(rate, noise, order) / (order - 1), unsampled);
}

/* Canonne, Kamath and Steinke 2020, Proposition 12; also Balle et al. 2020, Theorem 21. */
double od_renyi_epsilon(double order, double cost, double delta)
{
    double epsilon = cost + log1p(-1 / order) - (log(delta) + log(order)) / (order - 1);
    return epsilon <= 0 ? 0 : epsilon;
}
