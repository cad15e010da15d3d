/* tests: limits limits_codes. Limits of columns whose tail is known, of odd columns, and of numbers at the
 * ends of what a double holds.
 */
#include "prep/limits.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "common/compare.h"

enum { MOST = 4096 };
static double value[MOST], room[MOST];

/* The limits of the first n values, in whatever order they are, as in a table of one column. */
static od_limits limits_of(int64_t n, bool may_log)
{
    qsort(value, (size_t)n, sizeof *value, od_compare_double);
    return od_limits_find(value, n, (double)n, may_log, room);
}

static bool is_beyond(const od_limits *l, double v)
{
    return od_limits_evidence(l, v) > 0.0;
}

static bool has_none(const od_limits *l)
{
    return l->low == -INFINITY && l->high == INFINITY;
}

/* What holds of every column: nothing is NaN, limits and outermost values are in order, and the evidence is 0
 * exactly within the limits. */
static void check_sound(const od_limits *l, int64_t n)
{
    CHECK(l->low <= l->high && l->least <= l->most);
    CHECK(isfinite(l->least) && isfinite(l->most) && isfinite(l->centre));
    CHECK(l->resolution >= 0.0 && isfinite(l->resolution));
    CHECK(l->low_far >= 0.0 && l->high_far >= 0.0);
    CHECK(has_none(l) || (l->least >= l->low && l->most <= l->high));
    for (int64_t i = 0; i < n; i++) {
        double e = od_limits_evidence(l, value[i]);
        bool inside = value[i] >= l->low && value[i] <= l->high;
        CHECK(inside ? e == 0.0 : e >= OD_LIMITS_EVIDENCE && e < 100.0);
    }
}

/* Quantiles of the exponential distribution with mean 1 to both sides of 0: the tail with shape 0. */
static void fill_laplace(int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double p = ((double)i + 0.5) / (double)n;
        value[i] = p < 0.5 ? log(2.0 * p) : -log(2.0 * (1.0 - p));
    }
}

/*
 * Of n values 0.1 are expected beyond the limits, so that each side has the point that a share 0.1 / n is
 * beyond: of this distribution -log(2 * 0.1 / n). The shape is drawn to slightly heavy ones, so it may be a
 * little further out, and an infinite sample is not at hand.
 */
TEST(exponential_tail)
{
    enum { N = 4000 };
    fill_laplace(N);
    od_limits l = limits_of(N, false);
    double want = -log(2.0 * OD_LIMITS_ALARMS / N);
    CHECK(l.high > want && l.high < 1.25 * want);
    CHECK_NEAR(l.low, -l.high, 1e-9);
    check_sound(&l, N);
    CHECK_NEAR(l.centre, 0, 1e-12);
    CHECK(l.least == value[0] && l.most == value[N - 1]);
}

/* The more cells are judged, the further out are the limits. */
TEST(more_tests_wider_limits)
{
    fill_laplace(1000);
    double last = 0;
    for (double tests = 1000; tests < 1e9; tests *= 10) {
        od_limits l = od_limits_find(value, 1000, tests, false, room);
        CHECK(l.high > last);
        last = l.high;
    }
}

/* Ages of people, two to each year of age from 18 to 65. */
static int64_t fill_ages(void)
{
    int64_t n = 0;
    for (int age = 18; age <= 65; age++) value[n++] = age, value[n++] = age;
    return n;
}

TEST(an_age_of_412)
{
    int64_t n = fill_ages();
    value[n++] = 412;
    od_limits l = limits_of(n, true);
    check_sound(&l, n);
    CHECK(is_beyond(&l, 412) && is_beyond(&l, 4120) && is_beyond(&l, 1e300));
    CHECK(!is_beyond(&l, 66) && !is_beyond(&l, 17) && !is_beyond(&l, 41));
    CHECK(l.most == 65 && l.least == 18); /* the outermost value that is not wrong */
    CHECK(is_beyond(&l, -400));
    /* Farther out is stronger, but not without end. */
    CHECK(od_limits_evidence(&l, 4120) > od_limits_evidence(&l, 412));
    CHECK(od_limits_evidence(&l, 1e300) <= 12.0);
    CHECK(od_limits_evidence(&l, DBL_MAX) <= 12.0 && od_limits_evidence(&l, -DBL_MAX) <= 12.0);
}

/* Values that go on outwards without a gap are the column's own; the same with a gap are not. */
TEST(gaps)
{
    enum { N = 400 };
    fill_laplace(N);
    od_limits plain = limits_of(N, false);
    double at = 0.99 * plain.high;
    for (int i = 0; i < 8; i++) value[N + i] = at *= 1.2;
    od_limits steps = limits_of(N + 8, false);
    CHECK(steps.high > at && steps.most == at);
    fill_laplace(N);
    for (int i = 0; i < 8; i++) value[N + i] = 4.0 * plain.high + i;
    od_limits jump = limits_of(N + 8, false);
    CHECK(jump.high < 4.0 * plain.high && jump.most < plain.high);
    check_sound(&jump, N + 8);
}

/* Amounts from 1 to 1000, evenly on a logarithmic scale, to a hundredth. */
static int64_t fill_amounts(int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        value[i] = round(100.0 * pow(1000.0, (double)i / (double)(n - 1))) / 100.0;
    return n;
}

TEST(amounts_have_logarithms)
{
    int64_t n = fill_amounts(500);
    od_limits l = limits_of(n, true), plain = limits_of(n, false);
    CHECK(l.resolution > 0.0 && plain.resolution == 0.0);
    CHECK_NEAR(l.centre, log(sqrt(1000.0)), 0.01);
    CHECK(!is_beyond(&l, 1500) && is_beyond(&l, 1e8));
    check_sound(&l, n);
    /* Symmetric columns keep their scale, and so do those with negative values. */
    fill_laplace(500);
    CHECK(limits_of(500, true).resolution == 0.0);
    for (int i = 0; i < 500; i++) value[i] += 100.0;
    CHECK(limits_of(500, true).resolution == 0.0);
    fill_amounts(500);
    for (int i = 0; i < 20; i++) value[i] = -5.0 - i;
    CHECK(limits_of(500, true).resolution == 0.0);
}

/* Ten times the next amount is an error of the decimal point, even where the tail would allow it. */
TEST(a_jump_by_ten)
{
    enum { N = 500 };
    for (int k = 0; k < 2; k++) {
        fill_laplace(N);
        for (int i = 0; i < N; i++) value[i] = exp(1.5 * value[i]);
        double most = value[N - 1], next = (k ? 10.5 : 3.0) * most;
        value[N] = next;
        od_limits l = limits_of(N + 1, true);
        CHECK(l.resolution > 0.0);
        CHECK(is_beyond(&l, next) == (k == 1) && l.most == (k ? most : next));
    }
}

TEST(scale_and_back)
{
    od_limits l = od_limits_none();
    CHECK(od_limits_scale(&l, -7.5) == -7.5 && od_limits_unscale(&l, 1e300) == 1e300);
    l.resolution = 0.01;
    static const double at[] = {-1e6, -1, -0.01, 0, 0.001, 0.005, 0.01, 1, 1e6, 1e299};
    double last = -INFINITY;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        double s = od_limits_scale(&l, at[i]);
        CHECK(isfinite(s) && s > last); /* rising, also below zero */
        last = s;
        CHECK_NEAR(od_limits_unscale(&l, s), at[i], 1e-9 * fmax(fabs(at[i]), 0.01));
    }
    CHECK(isfinite(od_limits_unscale(&l, 1e9)) && isfinite(od_limits_unscale(&l, -1e9)));
    l.resolution = 5e-324; /* half of it is 0 */
    CHECK(od_limits_scale(&l, 3.0) == 3.0);
}

/* A count: many zeros, nothing below. */
TEST(zero_is_a_bound)
{
    int64_t n = 0;
    for (int i = 0; i < 200; i++) value[n++] = i % 10;
    od_limits l = limits_of(n, true);
    CHECK(l.low == 0.0 && is_beyond(&l, -1) && is_beyond(&l, -1e-9) && !is_beyond(&l, 0.0));
    CHECK(!is_beyond(&l, 10) && is_beyond(&l, 1000));
    check_sound(&l, n);
    value[n++] = -1; /* the one wrong value does not move the bound */
    l = limits_of(n, true);
    CHECK(l.low == 0.0 && l.least == 0.0 && is_beyond(&l, -1));
    check_sound(&l, n);
    for (int i = 0; i < 10; i++) value[n++] = -1.0 - i; /* ten are no mistakes */
    l = limits_of(n, true);
    CHECK(l.low < 0.0 && !is_beyond(&l, -1));
}

TEST(columns_of_few_values)
{
    for (int i = 0; i < 100; i++) value[i] = 7;
    od_limits l = limits_of(100, true);
    CHECK(has_none(&l) && l.least == 7 && l.most == 7 && l.centre == 7);
    CHECK(!is_beyond(&l, 1e300));
    value[99] = 8; /* a flag: how rare one of its values is says nothing */
    l = limits_of(100, true);
    CHECK(has_none(&l) && l.least == 7 && l.most == 8);
    value[0] = 6;
    value[98] = 7.5;
    l = limits_of(100, true);
    check_sound(&l, 100);
    CHECK(!is_beyond(&l, 7));
    for (int i = 0; i < 100; i++) value[i] = 7;
    value[97] = 6, value[98] = 8, value[99] = 1e6; /* one value, with exceptions */
    l = limits_of(100, true);
    check_sound(&l, 100);
    CHECK(is_beyond(&l, 1e6));
}

/* The status of requests, answers from 1 to 5, and a rate that never changes. */
TEST(codes)
{
    static const double status[] = {200, 200, 200, 302, 304, 404};
    for (int i = 0; i < 198; i++) value[i] = status[i % 6];
    value[198] = 500;
    value[199] = 2000;
    od_limits l = limits_of(200, true);
    CHECK(!is_beyond(&l, 500) && is_beyond(&l, 2000) && is_beyond(&l, 20) && is_beyond(&l, -200));
    check_sound(&l, 200);
    for (int i = 0; i < 200; i++) value[i] = 1 + i % 5;
    value[7] = 7;
    l = limits_of(200, true);
    CHECK(!is_beyond(&l, 5) && !is_beyond(&l, 1) && is_beyond(&l, 7) && is_beyond(&l, 6) && is_beyond(&l, 0));
    check_sound(&l, 200);
    int64_t n = 0; /* a count that gets rarer has no end */
    for (int k = 1; k <= 5; k++)
        for (int i = 0; i < 256 >> 2 * (k - 1); i++) value[n++] = k;
    l = limits_of(n, true);
    CHECK(!is_beyond(&l, 6));
    for (int i = 0; i < 200; i++) value[i] = 0.32;
    value[5] = 32;
    l = limits_of(200, true);
    CHECK(is_beyond(&l, 32) && !is_beyond(&l, 0.32) && l.least == 0.32 && l.most == 0.32);
    value[199] = 0.64; /* another rate */
    l = limits_of(200, true);
    CHECK(!is_beyond(&l, 0.64));
    check_sound(&l, 200);
}

/* In a week, one purchase of 70 next to 10 to 25 is not a mistake; 1425 is. */
TEST(a_few_amounts)
{
    static const double v[] = {19.5, 10.75, 21.26, 25.32, 15.55, 15.21, 14.25, 70.04};
    memcpy(value, v, sizeof v);
    od_limits l = limits_of(8, true);
    CHECK(!is_beyond(&l, 70.04) && is_beyond(&l, 1425));
    check_sound(&l, 8);
}

TEST(a_handful_of_rows)
{
    static const double v[] = {1, 2, 3, 4, 1e9, 1e10};
    CHECK(has_none(&(od_limits){.low = -INFINITY, .high = INFINITY}));
    for (int64_t n = 0; n <= 6; n++) {
        memcpy(value, v, sizeof v);
        od_limits l = od_limits_find(value, n, fmax((double)n, 1.0), true, room);
        if (n < OD_LIMITS_LEAST) CHECK(has_none(&l));
        if (n) check_sound(&l, n);
        if (n == 5) CHECK(l.least == 1 && l.most == 1e9 && l.centre == 3);
    }
}

/* 20 ordinary values, then one at each end of what a double holds: no NaN, no wrong side. */
TEST(huge_and_tiny_values)
{
    static const double odd[] = {1e300,  -1e300,  DBL_MAX, -DBL_MAX, 1e299,
                                 5e-324, -5e-324, DBL_MIN, 0.0,      -0.0};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int logs = 0; logs < 2; logs++) {
            for (int i = 0; i < 40; i++) value[i] = 10 + i;
            value[40] = odd[k];
            od_limits l = limits_of(41, logs);
            check_sound(&l, 41);
            CHECK(!is_beyond(&l, 20));
            /* A single one must not make the others look alike. */
            if (fabs(odd[k]) == 1e300 || fabs(odd[k]) == 1e299) CHECK(is_beyond(&l, odd[k]));
        }
    for (int i = 0; i < 5; i++) value[i] = i < 2 ? -DBL_MAX : DBL_MAX;
    od_limits both = limits_of(5, true);
    check_sound(&both, 5);
    for (int i = 0; i < 40; i++) value[i] = i % 3 ? 1e300 : -1e300;
    value[39] = 1;
    both = limits_of(40, true);
    check_sound(&both, 40);
    static const double units[] = {5e-324, 1e-310, 1e-300, 1e-30, 1e30, 1e290, 1e303};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        for (int skewed = 0; skewed < 2; skewed++) {
            for (int i = 0; i < 40; i++) value[i] = units[k] * (skewed ? 1 << i / 4 : 10 + i);
            od_limits l = limits_of(40, true);
            check_sound(&l, 40);
            CHECK(!is_beyond(&l, value[20]));
        }
}

/* The unit of a column does not matter. */
TEST(units_do_not_matter)
{
    int64_t n = fill_ages();
    od_limits a = limits_of(n, true);
    for (int64_t i = 0; i < n; i++) value[i] *= 0.125;
    od_limits b = limits_of(n, true);
    CHECK_NEAR(8.0 * b.high, a.high, 1e-9 * a.high);
    CHECK_NEAR(8.0 * b.low, a.low, 1e-9 * a.high);
}

/* A value that is not a number is neither inside nor beyond. */
TEST(not_a_number)
{
    int64_t n = fill_ages();
    od_limits l = limits_of(n, true), none = od_limits_none();
    CHECK(od_limits_evidence(&none, NAN) >= 0.0 && od_limits_evidence(&none, NAN) < 100.0);
    CHECK(od_limits_evidence(&l, NAN) >= 0.0 && od_limits_evidence(&l, NAN) < 100.0);
    CHECK(od_limits_evidence(&l, INFINITY) <= 12.0 && od_limits_evidence(&l, -INFINITY) <= 12.0);
}

int main(void)
{
    RUN(exponential_tail);
    RUN(more_tests_wider_limits);
    RUN(an_age_of_412);
    RUN(gaps);
    RUN(amounts_have_logarithms);
    RUN(a_jump_by_ten);
    RUN(scale_and_back);
    RUN(zero_is_a_bound);
    RUN(columns_of_few_values);
    RUN(codes);
    RUN(a_few_amounts);
    RUN(a_handful_of_rows);
    RUN(huge_and_tiny_values);
    RUN(units_do_not_matter);
    RUN(not_a_number);
    return test_end();
}
