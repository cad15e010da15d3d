/* tests: renyi. Published values, closed forms, and three independent ways to the same number. */
#include "test.h"

#include "privacy/renyi.h"

static const double rates[] = {1e-3, 0.01, 0.04, 0.2, 0.5, 0.8, 0.999};
static const double noises[] = {0.3, 0.7, 1, 1.5, 2.5, 10};

#define COUNT(x) (int)(sizeof(x) / sizeof *(x))

static int near(double got, double want, double relative)
{
    int fine = fabs(got - want) <= relative * fabs(want);
    if (!fine) printf("got %.17g, expected %.17g\n", got, want);
    return fine;
}

/* The tests of TensorFlow Privacy: rate 0.01, noise 2.5, 50 steps. The first two are published in few digits.
 */
TEST(published_costs)
{
    CHECK_NEAR(50 * od_renyi_cost(0.01, 2.5, 1.5), 6.5007e-4, 5e-9);
    CHECK_NEAR(50 * od_renyi_cost(0.01, 2.5, 2.5), 1.0854e-3, 5e-8);
    CHECK(near(50 * od_renyi_cost(0.01, 2.5, 5), 2.18075656e-3, 1e-8));
    CHECK(near(50 * od_renyi_cost(0.01, 2.5, 50), 2.38460375e-2, 1e-8));
    CHECK(near(50 * od_renyi_cost(0.01, 2.5, 100), 167.416308, 1e-8));
}

/* The test of Opacus: rate 0.04, noise 1.5, 2250 steps, delta 1e-5; 1.1 to 10.9 by 0.1, and 12 to 63. */
TEST(published_epsilon)
{
    double best = INFINITY;
    for (int i = 0; i < 99 + 52; i++) {
        double order = i < 99 ? 1 + (i + 1) / 10.0 : 12 + i - 99;
        double epsilon = od_renyi_epsilon(order, 2250 * od_renyi_cost(0.04, 1.5, order), 1e-5);
        if (epsilon < best) best = epsilon;
    }
    CHECK_NEAR(best, 7.32911117143, 1e-10);
    CHECK_NEAR(best, 7.329111171484174, 1e-13); /* in 40 digits */
}

TEST(without_sampling)
{
    static const double orders[] = {1.001, 1.5, 2, 7.3, 64, 1000};
    for (int i = 0; i < COUNT(noises); i++)
        for (int j = 0; j < COUNT(orders); j++) {
            double want = orders[j] / (2 * noises[i] * noises[i]);
            CHECK(near(od_renyi_cost(1, noises[i], orders[j]), want, 1e-15));
            /* and nearly without */
            CHECK(near(od_renyi_cost(1 - 1e-13, noises[i], orders[j]), want, 1e-9));
        }
}

/* A at order 2 is 1 + q^2 (exp(1/s^2) - 1). */
TEST(order_two_by_hand)
{
    for (int i = 0; i < COUNT(rates); i++)
        for (int j = 0; j < COUNT(noises); j++) {
            double want = log1p(rates[i] * rates[i] * expm1(1 / (noises[j] * noises[j])));
            CHECK(near(od_renyi_cost(rates[i], noises[j], 2), want, 1e-13));
        }
}

/* ---- independent ways ------------------------------------------------------------------------------- */

/* The definition as it stands: the mean of a power of the ratio of densities, by Simpson's rule. */
static double cost_by_simpson(double q, double s, double order)
{
    enum { CELLS = 10000 };
    double from = -40 * s, to = order + 40 * s, h = (to - from) / CELLS, top = -INFINITY, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= CELLS; i++) {
            double z = from + i * h;
            double ratio = log(1 - q + q * exp(fmin((2 * z - 1) / (2 * s * s), 700)));
            if ((2 * z - 1) / (2 * s * s) > 700) ratio = log(q) + (2 * z - 1) / (2 * s * s);
            double term = order * ratio - z * z / (2 * s * s) - log(s * sqrt(2 * acos(-1)));
            if (pass == 0)
                top = fmax(top, term);
            else
                sum += exp(term - top) * (i == 0 || i == CELLS ? 1 : i % 2 ? 4 : 2);
        }
    return (top + log(sum * h / 3)) / (order - 1);
}

TEST(the_defining_integral)
{
    static const double orders[] = {1.1, 1.5, 2, 2.5, 3, 6.75, 12.5, 32};
    for (int i = 0; i < COUNT(rates); i++)
        for (int j = 0; j < COUNT(noises); j++)
            for (int k = 0; k < COUNT(orders); k++) {
                double want = cost_by_simpson(rates[i], noises[j], orders[k]);
                CHECK_NEAR(od_renyi_cost(rates[i], noises[j], orders[k]), want, 1e-12 + 1e-12 * want);
            }
}

/* The integral in 50 digits, by another program: where the other ways have lost theirs. */
TEST(many_digits)
{
    static const struct {
        double q, s, order, cost;
    } c[] = {{0.04, 1.5, 3.9, 0.00183320219958385857},  {1e-6, 0.5, 1.3, 3.48151230604836044e-11},
             {1e-9, 0.08, 1.1, 6.78444743607044587e-6}, {0.5, 1000, 2.5, 3.12500156250047201e-7},
             {1e-8, 3, 6.75, 3.96626859304553062e-17},  {0.01, 0.2, 1.01, 0.0761344570838652475},
             {0.3, 0.05, 1.5, 296.388081587022192},     {1e-30, 0.1, 1.25, 4.36306299071653688e-31}};
    for (int i = 0; i < COUNT(c); i++)
        CHECK(near(od_renyi_cost(c[i].q, c[i].s, c[i].order), c[i].cost, 2e-14));
}

/* log of the upper tail of the standard normal distribution */
static double log_tail(double x)
{
    if (x < 30) return log(0.5 * erfc(x / sqrt(2)));
    return -0.5 * x * x - log(x * sqrt(2 * acos(-1))) + log1p(-1 / (x * x) + 3 / (x * x * x * x));
}

/* The series of Mironov, Talwar and Zhang: the integral is cut where both parts of the mixture are equal, and
 * the power is expanded on either side. */
static double cost_by_series(double q, double s, double order)
{
    double cut = s * s * log(1 / q - 1) + 0.5, sum = 0, choose = 1, last = 1;
    for (int k = 0; k < 100000 && fabs(last) > 1e-18; k++) {
        double m = order - k;
        double left =
            k * log(q) + m * log1p(-q) + (double)k * (k - 1) / (2 * s * s) + log_tail((k - cut) / s);
        double right = m * log(q) + k * log1p(-q) + m * (m - 1) / (2 * s * s) + log_tail((cut - m) / s);
        last = choose * (exp(left) + exp(right));
        sum += last;
        choose *= (order - k) / (k + 1);
    }
    return log(sum) / (order - 1);
}

TEST(the_series)
{
    static const double orders[] = {1.1, 1.7, 2.5, 6.75, 10.9};
    for (int i = 0; i < COUNT(rates); i++)
        for (int j = 1; j < COUNT(noises); j++)
            for (int k = 0; k < COUNT(orders); k++) {
                double want = cost_by_series(rates[i], noises[j], orders[k]);
                CHECK_NEAR(od_renyi_cost(rates[i], noises[j], orders[k]), want, 1e-12 + 1e-12 * want);
            }
}

/* The sum of the whole orders and the integral of the others meet. */
TEST(orders_between_meet_whole_ones)
{
    static const double orders[] = {2, 3, 5, 11, 40};
    for (int i = 0; i < COUNT(rates); i++)
        for (int j = 0; j < COUNT(noises); j++)
            for (int k = 0; k < COUNT(orders); k++) {
                double whole = od_renyi_cost(rates[i], noises[j], orders[k]);
                for (int side = -1; side <= 1; side += 2)
                    CHECK(near(od_renyi_cost(rates[i], noises[j], orders[k] * (1 + side * 1e-13)), whole,
                               1e-10));
            }
}

/* Where A - 1 is so small that A is 1 in a double, or almost: a (a - 1) / 2 q^2 (exp(1/s^2) - 1), and the
 * cost is that over a - 1. Digits are not lost. */
TEST(small_rates_and_large_noise)
{
    static const double orders[] = {1.001, 1.5, 2, 2.5, 7, 10.9};
    for (int k = 0; k < COUNT(orders); k++) {
        double a = orders[k];
        CHECK(near(od_renyi_cost(1e-12, 1, a), a / 2 * 1e-24 * expm1(1), 1e-8));
        CHECK(near(od_renyi_cost(1e-9, 2, a), a / 2 * 1e-18 * expm1(0.25), 1e-6));
        CHECK(near(od_renyi_cost(0.3, 1e9, a), a / 2 * 0.09 * 1e-18, 1e-7));
        CHECK(near(od_renyi_cost(0.5, 1e9, a), a / 2 * 0.25 * 1e-18, 1e-7));
        CHECK(near(od_renyi_cost(0.999, 1e6, a), a / 2 * 0.998001 * 1e-12, 1e-5));
    }
    /* The integrand is largest far beyond a / s. */
    CHECK(near(od_renyi_cost(1e-150, 0.08, 1.1), 1.1 / 2 * 1e-300 * expm1(1 / 0.0064), 1e-8));
}

/* For order 1 the divergence is that of Kullback and Leibler, which is approached from above. */
TEST(orders_near_one)
{
    double before = od_renyi_cost(0.1, 1, 1.1);
    for (double e = 0.01; e > 1e-14; e /= 10) {
        double cost = od_renyi_cost(0.1, 1, 1 + e);
        CHECK(cost > 0 && cost < before * (1 + 1e-12));
        before = cost;
    }
    CHECK(near(od_renyi_cost(0.1, 1, 1 + 1e-14), od_renyi_cost(0.1, 1, 1 + 1e-7), 1e-6));
}

/* ---- order and extremes ----------------------------------------------------------------------------- */

TEST(monotone)
{
    static const double orders[] = {1.05, 1.5, 2, 3.3, 17, 64};
    for (int k = 0; k < COUNT(orders); k++) {
        double before = 0;
        for (double q = 1e-10; q <= 1; q *= 1.3) {
            double cost = od_renyi_cost(q, 1.2, orders[k]);
            CHECK(cost > before);
            before = cost;
        }
        before = INFINITY;
        for (double s = 0.003; s < 1e6; s *= 1.3) {
            double cost = od_renyi_cost(0.02, s, orders[k]);
            CHECK(cost < before);
            before = cost;
        }
    }
    for (int j = 0; j < COUNT(noises); j++) {
        double before = 0;
        for (double a = 1.01; a < 70; a = floor(a * 100 + 7.5) / 100) {
            double cost = od_renyi_cost(0.02, noises[j], a);
            CHECK(cost > before);
            before = cost;
        }
    }
}

/* Tiny noise makes the integral too long: the bound that stands in for it lies between the whole orders, and
 * little above the truth, which is dominated by one term: q^a exp(a (a - 1) / (2 s^2)). */
TEST(tiny_noise)
{
    for (double s = 0.03; s > 1e-6; s /= 7) {
        double two = od_renyi_cost(0.01, s, 2), three = od_renyi_cost(0.01, s, 3);
        double cost = od_renyi_cost(0.01, s, 2.5);
        double truth = 2.5 / (2 * s * s) + 2.5 / 1.5 * log(0.01);
        CHECK(cost > two && cost < three);
        CHECK(cost >= truth * (1 - 1e-14) && cost <= 2.5 / (2 * s * s) * (1 + 1e-14));
        CHECK(near(two, 1 / (s * s) + 2 * log(0.01), 1e-12));
    }
}

TEST(large_orders)
{
    CHECK(od_renyi_cost(0.01, 1, 65536) < 65536 / 2.0);
    CHECK(od_renyi_cost(0.01, 1, 65537) == 65537 / 2.0);
    CHECK(od_renyi_cost(0.01, 1, 1e300) == 1e300 / 2);
    /* One term dominates: q^a exp(a (a - 1) / (2 s^2)). */
    CHECK(near(od_renyi_cost(0.01, 1, 4096), 2048 + 4096 / 4095.0 * log(0.01), 1e-10));
    CHECK(near(od_renyi_cost(0.01, 1, 4096.5), 2048.25 + 4096.5 / 4095.5 * log(0.01), 1e-10));
}

static void check_sane(double q, double s, double a)
{
    double cost = od_renyi_cost(q, s, a);
    if (!(cost >= 0)) TEST_SAY("rate %g, noise %g, order %.17g: cost %g", q, s, a, cost);
    if (q < 0 || q > 1 || isnan(q) || !(s > 0) || !(a > 1) || a == INFINITY) CHECK(cost == INFINITY);
}

TEST(extremes)
{
    static const double q[] = {-1, 0, 5e-324, 1e-300, 1e-17, 0.5, 1 - 1e-16, 1, 1.0000001, 2, INFINITY, NAN};
    static const double s[] = {-1,  0,    5e-324, 1e-300, 1e-154, 1e-30,    1e-3,
                               0.1, 1e10, 1e154,  1e160,  1e308,  INFINITY, NAN};
    static const double a[] = {-INFINITY, 0,    1,     1 + 2.3e-16, 1.5,   2,        2.0000000001,
                               64,        5000, 77777, 1e17,        1e308, INFINITY, NAN};
    for (int i = 0; i < COUNT(q); i++)
        for (int j = 0; j < COUNT(s); j++)
            for (int k = 0; k < COUNT(a); k++) check_sane(q[i], s[j], a[k]);
    CHECK(od_renyi_cost(0, 1, 5) == 0);
    CHECK(od_renyi_cost(0.5, INFINITY, 5) == 0);
    CHECK(od_renyi_cost(5e-324, 1e10, 1.5) == 0);
    CHECK(od_renyi_cost(0.5, 1e-200, 5) == INFINITY);
}

TEST(conversion)
{
    /* By hand: 1.1 + log(31/32) - (log(1e-5) + log(32)) / 31. */
    CHECK_NEAR(od_renyi_epsilon(32, 1.1, 1e-5), 1.32783806176, 1e-10);
    CHECK(od_renyi_epsilon(100, 0, 0.5) == 0);
    CHECK(od_renyi_epsilon(2, INFINITY, 1e-5) == INFINITY);
    CHECK(isfinite(od_renyi_epsilon(1.0000000001, 1, 5e-324)));
}

int main(void)
{
    RUN(published_costs);
    RUN(published_epsilon);
    RUN(without_sampling);
    RUN(order_two_by_hand);
    RUN(the_defining_integral);
    RUN(many_digits);
    RUN(the_series);
    RUN(orders_between_meet_whole_ones);
    RUN(small_rates_and_large_noise);
    RUN(orders_near_one);
    RUN(monotone);
    RUN(tiny_noise);
    RUN(large_orders);
    RUN(extremes);
    RUN(conversion);
    return test_end();
}
