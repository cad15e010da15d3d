/*
 * Two components are fitted to the scores: inliers, and outliers far above them if there is evidence of any.
 *
 * Scores of inliers have all sorts of shapes: skewed, flat, with long or short tails, in lumps. Only their
 * upper tail has to be described well, since that is what outliers must be told from. So the fit looks at the
 * scores above the median only, as distances y from it. For inliers
 *
 *     f0(y) = b / (s Gamma(1/b)) exp(-(y/s)^b)
 *
 * which is half a normal for b = 2, exponential for b = 1, flat with a steep end for larger b and
 * heavy-tailed for smaller ones. For outliers a log-logistic hump of a fixed width (a factor of about 1.35 up
 * or down from its median r holds half of it), which falls so slowly on both sides that outliers need not
 * look like it:
 *
 *     f1(y) = (k/y) v / (1 + v)^2,  v = (y/r)^k
 *
 * For each b of a small grid, s alone, and s, r and the share of outliers together (by EM), are fitted by
 * maximum likelihood. The best fit with outliers is believed only if
 *   - it beats the best one without by more than the Bayesian information criterion asks for two parameters
 *     more, and by enough for each row it calls an outlier: without this second rule any small misfit of f0
 * becomes significant when there are many rows;
 *   - the outliers are few and thinly spread. A hump nearly as dense as the main one is another ordinary kind
 * of rows (a cluster, a category).
 *
 * The probability is the outliers' part of the density. r is kept so large that f1/f0 never falls, so neither
 * does the probability.
 */
#include "score/calibrate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define OUTLIER_WIDTH  6.0 /* k */
#define MAX_ITERATIONS 100
#define TOLERANCE      1e-3 /* of the log-likelihood */
#define EVIDENCE_A_ROW 0.3  /* least gain of log-likelihood for each outlier */
#define MAX_SHARE      0.2  /* of outliers among all rows */
#define MAX_DENSITY    0.2  /* of the outliers' hump, as part of the inliers' */
#define LEAST_SPREAD   0.07 /* of the logarithms of outliers' distances; equal scores are no infinite density \
                             */
#define LEAST_SCALE 0.05    /* of inliers, in units of the typical distance from the median */
#define FARTHEST    1e30    /* in the same units; farther is as good as this far */
#define SINGLES     128     /* the highest scores are taken one by one, */
#define GROUPS      256     /* the others in so many groups of equal size */

static const double shapes[] = {0.5, 0.7, 1.0, 1.4, 2.0, 2.8};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* Distances from the median on one side of it, in units of a typical one, ascending. */
typedef struct points {
    int count;
    double rows; /* sum of the weights */
    double y[SINGLES + GROUPS], log_y[SINGLES + GROUPS];
    double weight[SINGLES + GROUPS]; /* rows that the point stands for */
    double power[SINGLES + GROUPS];  /* y^b for the b that is being tried */
    double resp[SINGLES + GROUPS];   /* how much of the point the outliers claim */
} points;

typedef struct mixture {
    double shape, scale; /* b, s */
    double share, reach; /* of the outliers among the rows of the points; r */
    double loglik;
} mixture;

/* ---- the two densities ------------------------------------------------------------------------------ */

/* log f0 at y = 0 for scale 1 */
static double log_top(double shape)
{
    return log(shape / tgamma(1.0 / shape));
}

/* log f1 from the logarithms of y and r */
static double log_outlier(double log_y, double log_reach)
{
    double lv = OUTLIER_WIDTH * (log_y - log_reach);
    double softplus = lv > 0.0 ? lv + log1p(exp(-lv)) : log1p(exp(lv));
    return log(OUTLIER_WIDTH) - log_y + lv - 2.0 * softplus;
}

/*
 * The least r, for s = 1, with which f1/f0 never falls: its logarithm's slope over log y is
 * b (y/s)^b - (2k v/(1+v) - (k-1)), where y/s = (r/s) v^(1/k); so b (r/s)^b must exceed the largest value
 * over v of (2k v/(1+v) - (k-1)) v^(-b/k). The 1 % more is for the steps of the search.
 */
static double least_reach(double shape)
{
    double most = 0.0;
    for (double v = 0.5; v < 1e6; v *= 1.1) {
        double slope = 2.0 * OUTLIER_WIDTH * v / (1.0 + v) - (OUTLIER_WIDTH - 1.0);
        most = fmax(most, slope * pow(v, -shape / OUTLIER_WIDTH));
    }
    return pow(1.01 * most / shape, 1.0 / shape);
}

/* ---- points ----------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static odim_status sort_scores(double **out, const double *scores, int64_t n, odim_error *err)
{
    double *x = od_alloc((size_t)n, sizeof *x);
    if (!x) return od_fail_nomem(err);
    for (int64_t i = 0; i < n; i++) {
        x[i] = scores[i] + 0.0; /* no -0, so that equal scores are equal bits */
        if (isfinite(x[i])) continue;
        od_free(x);
        return od_fail_at(err, ODIM_ERR_DATA, i + 1, 0, "row %lld: its score is not a finite number",
                          (long long)(i + 1));
    }
    qsort(x, (size_t)n, sizeof *x, ascending);
    *out = x;
    return ODIM_OK;
}

/* The distance that 60 % of the rows on one side do not exceed, or the next that is not 0. `step` leads from
 * the score next to the centre, x[0], outwards. */
static double typical_distance(const double *x, int64_t n, int64_t step, double centre)
{
    for (int64_t i = n * 3 / 5; i < n; i++) {
        double distance = fabs(x[i * step] - centre);
        if (distance > 0.0) return fmin(distance, DBL_MAX);
    }
    return fmax(1e-6 * fabs(centre), DBL_MIN); /* all equal: a difference that would be noticed */
}

static void add_point(points *p, const double *x, int64_t n, int64_t step, double centre, double unit)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += fmin(fabs(x[i * step] - centre) / unit, FARTHEST);
    p->y[p->count] = sum / (double)n;
    p->log_y[p->count] = log(fmax(p->y[p->count], 1.0 / FARTHEST));
    p->weight[p->count++] = (double)n;
    p->rows += (double)n;
}

static void make_points(points *p, const double *x, int64_t n, int64_t step, double centre, double unit)
{
    int64_t singles = n <= SINGLES + GROUPS ? n : SINGLES, rest = n - singles;
    p->count = 0;
    p->rows = 0.0;
    for (int64_t g = 0; rest && g < GROUPS; g++) {
        int64_t from = rest * g / GROUPS, to = rest * (g + 1) / GROUPS;
        add_point(p, x + from * step, to - from, step, centre, unit);
    }
    for (int64_t i = rest; i < n; i++) add_point(p, x + i * step, 1, step, centre, unit);
}

/* ---- fitting ---------------------------------------------------------------------------------------- */

/* The scale that maximises the inliers' likelihood, given resp. */
static double best_scale(const points *p, double shape)
{
    double rows = 0.0, sum = 0.0;
    for (int i = 0; i < p->count; i++) {
        rows += p->weight[i] * (1.0 - p->resp[i]);
        sum += p->weight[i] * (1.0 - p->resp[i]) * p->power[i];
    }
    return rows > 0.0 ? fmax(pow(shape * sum / rows, 1.0 / shape), LEAST_SCALE) : LEAST_SCALE;
}

/* Fills resp and the log-likelihood. */
static void expect(points *p, mixture *m)
{
    double inlier = log1p(-m->share) + log_top(m->shape) - log(m->scale), outlier = log(m->share);
    double over = 1.0 / pow(m->scale, m->shape), log_reach = log(m->reach);
    m->loglik = 0.0;
    for (int i = 0; i < p->count; i++) {
        double l0 = inlier - p->power[i] * over, l1 = outlier + log_outlier(p->log_y[i], log_reach);
        double ratio = exp(-fabs(l0 - l1));
        p->resp[i] = (l1 > l0 ? 1.0 : ratio) / (1.0 + ratio);
        m->loglik += p->weight[i] * (fmax(l0, l1) + log1p(ratio));
    }
}

/* For reach one step of Fisher's scoring: the information of a log-logistic about log r is k^2 / 3 a row. */
static void maximise(const points *p, mixture *m, double least)
{
    double rows = 0.0, pull = 0.0, log_reach = log(m->reach);
    for (int i = 0; i < p->count; i++) {
        rows += p->weight[i] * p->resp[i];
        pull += p->weight[i] * p->resp[i] * tanh(0.5 * OUTLIER_WIDTH * (p->log_y[i] - log_reach));
    }
    m->share = fmin(fmax(rows / p->rows, DBL_EPSILON), 1.0 - DBL_EPSILON);
    m->scale = best_scale(p, m->shape);
    m->reach = fmax(m->reach * exp(3.0 / OUTLIER_WIDTH * pull / fmax(rows, DBL_MIN)), least * m->scale);
}

static void use_shape(points *p, double shape)
{
    for (int i = 0; i < p->count; i++) {
        p->power[i] = pow(p->y[i], shape);
        p->resp[i] = 0.0;
    }
}

/* Inliers only. */
static mixture fit_one(points *p, double shape)
{
    mixture m = {.shape = shape};
    use_shape(p, shape);
    m.scale = best_scale(p, shape);
    double over = 1.0 / pow(m.scale, shape);
    for (int i = 0; i < p->count; i++) m.loglik -= p->weight[i] * p->power[i] * over;
    m.loglik += p->rows * (log_top(shape) - log(m.scale));
    return m;
}

/* Both. Starts with a tenth of the rows, the highest, as outliers. */
static mixture fit_two(points *p, double shape)
{
    mixture m = {.shape = shape};
    double before = -INFINITY, least = least_reach(shape), claimed = 0.0;
    use_shape(p, shape);
    for (int i = p->count; i-- > 0 && claimed < 0.1 * p->rows; claimed += p->weight[i]) p->resp[i] = 1.0;
    m.reach = 0.6 * p->y[p->count - 1];
    maximise(p, &m, least);
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        expect(p, &m);
        if (m.loglik - before < TOLERANCE) break;
        before = m.loglik;
        maximise(p, &m, least);
    }
    return m;
}

static mixture best_fit(points *p, mixture (*fit)(points *, double))
{
    mixture best = fit(p, shapes[0]);
    for (size_t i = 1; i < SHAPES; i++) {
        mixture m = fit(p, shapes[i]);
        if (m.loglik > best.loglik) best = m;
    }
    return best;
}

/* ---- is there a second group, and is it one of outliers? ----------------------------------------------- */

/* Density at the top of the outliers' hump as part of the inliers'. Here the hump is as narrow as it is. */
static double relative_density(points *p, mixture *m)
{
    double rows = 0.0, mean = 0.0, squares = 0.0;
    use_shape(p, m->shape);
    expect(p, m);
    for (int i = 0; i < p->count; i++) {
        rows += p->weight[i] * p->resp[i];
        mean += p->weight[i] * p->resp[i] * p->log_y[i];
    }
    mean /= rows;
    for (int i = 0; i < p->count; i++) {
        double d = p->log_y[i] - mean;
        squares += p->weight[i] * p->resp[i] * d * d;
    }
    /* A log-logistic with this spread of the logarithms has the width pi / sqrt(3) / spread. */
    double width = 1.8137993642342178 / fmax(sqrt(squares / rows), LEAST_SPREAD);
    double outliers = m->share * width / (4.0 * m->reach);
    double inliers = (1.0 - m->share) * exp(log_top(m->shape)) / m->scale;
    return outliers / inliers;
}

static bool has_outliers(points *p, mixture *two, const mixture *one, int64_t n)
{
    double gain = two->loglik - one->loglik;
    return gain > log((double)n) && gain > EVIDENCE_A_ROW * two->share * p->rows &&
           two->share * p->rows < MAX_SHARE * (double)n && relative_density(p, two) < MAX_DENSITY;
}

/* ---- the result ------------------------------------------------------------------------------------- */

static double positive(double value)
{
    return fmin(fmax(value, DBL_TRUE_MIN), DBL_MAX);
}

/* How far a score is above the centre in units of the upper scale; 0 for those below. */
static double height(const od_calibration *c, double score)
{
    return fmin(fmax((score - c->centre) / c->upper_scale, 0.0), 1e100);
}

/* Logarithm of outliers / inliers. */
static double log_odds(const od_calibration *c, double score)
{
    double z = height(c, score);
    if (z == 0.0) return -INFINITY;
    return log(c->share / (0.5 - c->share)) + log_outlier(log(z), log(c->reach / c->upper_scale)) -
           log_top(c->upper_shape) + pow(z, c->upper_shape);
}

/* The largest score that is no outlier: up in strides that double, then by halves. */
static double find_threshold(const od_calibration *c)
{
    double low = c->centre, high = low, stride = c->upper_scale;
    for (; log_odds(c, high) <= 0.0; stride *= 2.0) {
        low = high;
        high = fmin(c->centre + stride, DBL_MAX);
        if (high == low && high == DBL_MAX) return DBL_MAX;
    }
    for (;;) {
        double middle = 0.5 * low + 0.5 * high;
        if (middle <= low || middle >= high) return low;
        *(log_odds(c, middle) <= 0.0 ? &low : &high) = middle;
    }
}

odim_status od_calibrate_fit(od_calibration *out, const double *scores, int64_t n, odim_error *err)
{
    if (n < 2) return od_fail(err, ODIM_ERR_DATA, "%lld scores: at least 2 are needed", (long long)n);
    double *x;
    odim_status status = sort_scores(&x, scores, n, err);
    if (status) return status;
    int64_t middle = (n - 1) / 2, above = n - 1 - middle;
    od_calibration c = {.centre = x[middle]};
    points p;

    double unit = typical_distance(x + middle, middle + 1, -1, c.centre);
    make_points(&p, x + middle, middle + 1, -1, c.centre, unit);
    mixture lower = best_fit(&p, fit_one);
    c.lower_shape = lower.shape;
    c.lower_scale = positive(lower.scale * unit);

    unit = typical_distance(x + middle + 1, above, 1, c.centre);
    make_points(&p, x + middle + 1, above, 1, c.centre, unit);
    mixture upper = best_fit(&p, fit_one), two = best_fit(&p, fit_two);
    if (has_outliers(&p, &two, &upper, n)) {
        upper = two;
    } else {
        upper.share = 0.5 / p.rows;
        upper.reach = fmax(p.y[p.count - 1], least_reach(upper.shape) * upper.scale);
    }
    c.upper_shape = upper.shape;
    c.upper_scale = positive(upper.scale * unit);
    c.share = 0.5 * upper.share;
    c.reach = positive(upper.reach * unit);
    c.threshold = find_threshold(&c);
    *out = c;
    od_free(x);
    return ODIM_OK;
}

double od_calibrate_probability(const od_calibration *c, double score)
{
    double p = 1.0 / (1.0 + exp(-log_odds(c, score)));
    /* Rounding must not part the probability from the threshold. */
    return score > c->threshold ? fmax(p, 0.5 + DBL_EPSILON) : fmin(p, 0.5);
}

void od_calibrate_density(const od_calibration *c, double score, double *inliers, double *outliers)
{
    double z = height(c, score);
    *outliers = 0.0;
    if (z == 0.0) {
        double d = (c->centre - score) / c->lower_scale;
        *inliers = 0.5 * exp(log_top(c->lower_shape) - pow(d, c->lower_shape)) / c->lower_scale;
        return;
    }
    *inliers = (0.5 - c->share) * exp(log_top(c->upper_shape) - pow(z, c->upper_shape)) / c->upper_scale;
    *outliers = c->share * exp(log_outlier(log(z), log(c->reach / c->upper_scale))) / c->upper_scale;
}

odim_status od_calibrate_quantile(double *out, const double *scores, int64_t n, double share, odim_error *err)
{
    if (n < 1) return od_fail(err, ODIM_ERR_DATA, "no scores");
    double *x;
    odim_status status = sort_scores(&x, scores, n, err);
    if (status) return status;
    int64_t marked = (int64_t)round(share * (double)n);
    *out = marked < n ? x[n - 1 - marked] : nextafter(x[0], -INFINITY);
    od_free(x);
    return ODIM_OK;
}
