/* tests: score_tails. Densities by integration, fits on exact quantiles. */
#include "test.h"

#include "score/score_tails.h"

#define ROOT_PI 1.7724538509055159

enum { MANY = 20000 };

static const double all_shapes[] = {0.5, 0.7, 1.0, 1.4, 2.0, 2.8};
enum { SHAPES = 6 };

static double inlier(double y, double shape)
{
    return exp(od_score_tails_log_top(shape) - pow(y, shape));
}

static double outlier(double y, double reach)
{
    return exp(od_score_tails_log_outlier(log(y), log(reach)));
}

/* The middle of n equal parts of the distribution: half a normal, by Newton's steps from the part before. */
static void half_normal(double *x, int n)
{
    double y = 0.0;
    for (int i = 0; i < n; i++) {
        double want = (i + 0.5) / n;
        for (int step = 0; step < 50; step++) y -= (erf(y) - want) / (2.0 / ROOT_PI * exp(-y * y));
        x[i] = y;
    }
}

static void exponential(double *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = -log1p(-(i + 0.5) / n);
}

TEST(densities_have_mass_one)
{
    double mass[SHAPES] = {0}, below = 0.0, all = 0.0, step = 1e-3;
    for (double log_y = -30.0; log_y < 12.0; log_y += step) {
        double y = exp(log_y);
        for (int i = 0; i < SHAPES; i++) mass[i] += inlier(y, all_shapes[i]) * y * step;
        all += outlier(y, 3.0) * y * step;
        if (y < 3.0) below += outlier(y, 3.0) * y * step;
    }
    for (int i = 0; i < SHAPES; i++) CHECK_NEAR(mass[i], 1.0, 1e-6);
    CHECK_NEAR(all, 1.0, 1e-6);
    CHECK_NEAR(below, 0.5, 1e-2); /* reach is the median */
}

TEST(ratio_never_falls_from_the_least_reach_on)
{
    for (int i = 0; i < SHAPES; i++) {
        double least = od_score_tails_least_reach(all_shapes[i]);
        for (double reach = least; reach < 20.0 * least; reach *= 1.5) {
            double before = -INFINITY;
            for (double log_y = -10.0; log_y < 10.0; log_y += 1e-3) {
                double now = od_score_tails_log_outlier(log_y, log(reach)) + pow(exp(log_y), all_shapes[i]);
                CHECK(now >= before);
                before = now;
            }
        }
    }
    /* And it is not much too large: well below it the ratio does fall somewhere. */
    int falls = 0;
    double reach = 0.9 * od_score_tails_least_reach(1.0), before = -INFINITY;
    for (double log_y = -10.0; log_y < 10.0; log_y += 1e-3) {
        double now = od_score_tails_log_outlier(log_y, log(reach)) + exp(log_y);
        falls += now < before;
        before = now;
    }
    CHECK(falls > 0);
}

TEST(gathers_all_rows)
{
    static double x[MANY];
    static od_score_tail t;
    exponential(x, MANY);
    od_score_tails_gather(&t, x, MANY, 1, 0.0);
    CHECK_INT(t.count, OD_SCORE_TAIL_POINTS);
    CHECK_NEAR(t.rows, MANY, 0);
    CHECK_NEAR(t.unit, x[MANY * 3 / 5], 0);
    CHECK_NEAR(t.y[t.count - 1], x[MANY - 1] / t.unit, 1e-12);
    double sum = 0.0, want = 0.0;
    for (int i = 0; i < t.count; i++) {
        CHECK(i == 0 || t.y[i] > t.y[i - 1]);
        sum += t.weight[i] * t.y[i] * t.unit;
    }
    for (int i = 0; i < MANY; i++) want += x[i];
    CHECK_NEAR(sum, want, 1e-3 * want);
}

TEST(gathers_downwards)
{
    static od_score_tail t;
    double x[] = {-7.0, 1.0, 4.0, 5.0};
    od_score_tails_gather(&t, x + 3, 4, -1, 5.0);
    CHECK_INT(t.count, 4);
    CHECK_NEAR(t.unit, 4.0, 0);
    CHECK_NEAR(t.y[0], 0.0, 0);
    CHECK_NEAR(t.y[1], 0.25, 0);
    CHECK_NEAR(t.y[3], 3.0, 0);
}

TEST(finds_shape_and_scale)
{
    static double x[MANY];
    static od_score_tail t;
    exponential(x, MANY);
    od_score_tails_gather(&t, x, MANY, 1, 0.0);
    od_score_tail_fit f = od_score_tails_fit_inliers(&t);
    CHECK_NEAR(f.shape, 1.0, 0);
    CHECK_NEAR(f.scale * t.unit, 1.0, 1e-3);
    half_normal(x, MANY);
    od_score_tails_gather(&t, x, MANY, 1, 0.0);
    f = od_score_tails_fit_inliers(&t);
    CHECK_NEAR(f.shape, 2.0, 0);
    CHECK_NEAR(f.scale * t.unit, 1.0, 1e-3);
}

/* One row in ten lies so far away that nobody doubts whose it is. */
TEST(finds_both)
{
    static double x[MANY];
    static od_score_tail t;
    int inliers = MANY * 9 / 10;
    half_normal(x, inliers);
    for (int i = inliers; i < MANY; i++) x[i] = 1e6 * (1.0 + (i - inliers + 0.5) / (MANY - inliers));
    od_score_tails_gather(&t, x, MANY, 1, 0.0);
    od_score_tail_fit f = od_score_tails_fit_both(&t), without = od_score_tails_fit_inliers(&t);
    CHECK_NEAR(f.share, 0.1, 1e-3);
    CHECK_NEAR(f.shape, 2.0, 0);
    CHECK_NEAR(f.scale * t.unit, 1.0, 1e-2);
    CHECK_NEAR(f.reach * t.unit, 1.5e6, 5e4);
    CHECK(f.merit - without.merit > 0.1 * MANY);
    /* The logarithm of a number between 1 and 2 spreads by 0.197. */
    double hump = 0.1 * 1.8138 / 0.197 / (4.0 * 1.5e6), top = 0.9 * 2.0 / ROOT_PI;
    CHECK_NEAR(od_score_tails_hump(&t, &f) / (hump / top), 1.0, 0.05);
}

/* Ten rows of twenty thousand. */
TEST(finds_few)
{
    static double x[MANY];
    static od_score_tail t;
    half_normal(x, MANY - 10);
    for (int i = MANY - 10; i < MANY; i++) x[i] = 6.0 + 0.3 * (i - MANY + 10);
    od_score_tails_gather(&t, x, MANY, 1, 0.0);
    od_score_tail_fit f = od_score_tails_fit_both(&t);
    CHECK_NEAR(f.share * MANY, 10.0, 1.0);
    CHECK_NEAR(f.reach * t.unit, 7.3, 0.3);
}

/* Where there is nothing to find the second component gains nothing. */
TEST(nothing_to_find)
{
    static double x[MANY];
    static od_score_tail t;
    half_normal(x, MANY);
    od_score_tails_gather(&t, x, MANY, 1, 0.0);
    od_score_tail_fit f = od_score_tails_fit_both(&t), without = od_score_tails_fit_inliers(&t);
    CHECK(f.merit - without.merit < 1.0);
}

int main(void)
{
    RUN(densities_have_mass_one);
    RUN(ratio_never_falls_from_the_least_reach_on);
    RUN(gathers_all_rows);
    RUN(gathers_downwards);
    RUN(finds_shape_and_scale);
    RUN(finds_both);
    RUN(finds_few);
    RUN(nothing_to_find);
    return test_end();
}
