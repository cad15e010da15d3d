/*
 * Decides whether the scores contain a second, higher group.
 *
 * Two components are fitted to the scores above their median (score_tails.h): inliers, and outliers far above
 * them. The probability of a score is the outliers' part of the density there. But the outliers must pass two
 * tests.
 *
 * The fit with them must be better than the fit without: by more than the Bayesian information criterion asks
 * for two more parameters, and by enough for each row that they claim. Without this second rule any small
 * misfit of the inliers' tail becomes significant when there are many rows.
 *
 * And they must be few and thinly spread. A hump that is nearly as dense as the main one is another ordinary
 * kind of row, such as a cluster or a category.
 */
#include "score/calibrate.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/sort.h"
#include "common/mem.h"
#include "score/score_tails.h"

#define EVIDENCE_PER_ROW 0.25  /* least gain of log-likelihood for each outlier */
#define MAX_SHARE        0.2   /* of outliers among all rows */
#define MAX_HUMP         0.125 /* density of the outliers as part of the inliers' */

static odim_status check_scores(const double *scores, int64_t n, odim_error *err)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(scores[i]))
            return od_fail_at(err, ODIM_ERR_DATA, i + 1, 0, "row %lld: its score is not a finite number",
                              (long long)(i + 1));
    return ODIM_OK;
}

/* Returns a sorted copy, or NULL if memory is out. */
static double *sort_scores(const double *scores, int64_t n)
{
    double *x = od_alloc((size_t)n, sizeof *x);
    if (!x) return NULL;
    for (int64_t i = 0; i < n; i++) x[i] = scores[i] + 0.0; /* -0 becomes 0: equal scores are equal bits */
    od_sort_double(x, n);
    return x;
}

static bool has_outliers(od_score_tail *t, const od_score_tail_fit *both, const od_score_tail_fit *inliers,
                         int64_t n)
{
    double gain = both->merit - inliers->merit, outliers = both->share * t->rows;
    return gain > log((double)n) && gain > EVIDENCE_PER_ROW * outliers && outliers < MAX_SHARE * (double)n &&
           od_score_tails_hump(t, both) < MAX_HUMP;
}

/* If there are no outliers, the next row may still be one: it has half a row's share and is as far away as
 * the farthest row so far. Among a few rows half of one would be too much, hence the 10. */
static od_score_tail_fit fit_upper(od_score_tail *t, int64_t n)
{
    od_score_tail_fit inliers = od_score_tails_fit_inliers(t), both = od_score_tails_fit_both(t);
    if (has_outliers(t, &both, &inliers, n)) return both;
    inliers.share = 0.5 / (t->rows + 10.0);
    inliers.reach = fmax(t->y[t->count - 1], od_score_tails_least_reach(inliers.shape) * inliers.scale);
    return inliers;
}

/* A distance in the unit of the scores. */
static double to_distance(double value, double unit)
{
    return fmin(fmax(value * unit, DBL_TRUE_MIN), DBL_MAX);
}

/* How far a score is above the centre, in units of the upper scale; 0 for those below. */
static double height(const od_calibration *c, double score)
{
    return fmin(fmax((score - c->centre) / c->upper_scale, 0.0), 1e100);
}

/* Logarithm of the densities' ratio, outliers to inliers. */
static double log_odds(const od_calibration *c, double score)
{
    double z = height(c, score);
    if (z == 0.0) return -INFINITY;
    return log(c->share / (0.5 - c->share)) +
           od_score_tails_log_outlier(log(z), log(c->reach / c->upper_scale)) -
           od_score_tails_log_top(c->upper_shape) + pow(z, c->upper_shape);
}

/* The largest score that is no outlier, found by strides that double and then by bisection. */
static double find_threshold(const od_calibration *c)
{
    double low = c->centre, high = low, stride = c->upper_scale;
    while (log_odds(c, high) <= 0.0) {
        if (high == DBL_MAX) return high;
        low = high;
        high = fmin(c->centre + stride, DBL_MAX);
        stride *= 2.0;
    }
    for (;;) {
        double middle = 0.5 * low + 0.5 * high;
        if (middle <= low || middle >= high) return low;
        *(log_odds(c, middle) <= 0.0 ? &low : &high) = middle;
    }
}

odim_status od_calibrate_fit(od_calibration *out, const double *scores, int64_t n, odim_error *err)
{
    if (n < 2) return od_fail(err, ODIM_ERR_DATA, "a calibration needs the scores of at least 2 rows");
    odim_status status = check_scores(scores, n, err);
    if (status) return status;
    double *x = sort_scores(scores, n);
    if (!x) return od_fail_nomem(err);
    int64_t middle = (n - 1) / 2;
    od_calibration c = {.centre = x[middle]};
    od_score_tail t;

    od_score_tails_gather(&t, x + middle, middle + 1, -1, c.centre);
    od_score_tail_fit lower = od_score_tails_fit_inliers(&t);
    c.lower_shape = lower.shape;
    c.lower_scale = to_distance(lower.scale, t.unit);

    od_score_tails_gather(&t, x + middle + 1, n - 1 - middle, 1, c.centre);
    od_score_tail_fit upper = fit_upper(&t, n);
    c.upper_shape = upper.shape;
    c.upper_scale = to_distance(upper.scale, t.unit);
    c.share = 0.5 * upper.share;
    c.reach = to_distance(upper.reach, t.unit);
    c.threshold = find_threshold(&c);
    *out = c;
    od_free(x);
    return ODIM_OK;
}

double od_calibrate_probability(const od_calibration *c, double score)
{
    double p = 1.0 / (1.0 + exp(-log_odds(c, score)));
    /* Rounding must not separate the probability from the threshold. */
    return score > c->threshold ? fmax(p, 0.5 + DBL_EPSILON) : fmin(p, 0.5);
}

odim_status od_calibrate_quantile(double *out, const double *scores, int64_t n, double share, odim_error *err)
{
    if (n < 1) return od_fail(err, ODIM_ERR_DATA, "no scores");
    odim_status status = check_scores(scores, n, err);
    if (status) return status;
    double *x = sort_scores(scores, n);
    if (!x) return od_fail_nomem(err);
    int64_t marked = (int64_t)round(share * (double)n);
    *out = marked < n ? x[n - 1 - marked] : nextafter(x[0], -INFINITY);
    od_free(x);
    return ODIM_OK;
}
