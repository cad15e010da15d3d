/* Fits the upper tail of the scores: inliers alone, or inliers and outliers. */
#include "score/score_tails.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#define WIDTH          6.0 /* k */
#define MAX_ITERATIONS 100
#define TOLERANCE      1e-3 /* of the log-likelihood */
#define PRIOR_WEIGHT   2.0  /* of the logarithm of b, about */
#define PRIOR_SHAPE    1.4
#define LEAST_SCALE    0.05 /* s; rows with equal scores are no infinite density */
#define LEAST_SPREAD   0.07 /* of the logarithms of outliers' distances, for the same reason */
#define FARTHEST       1e30 /* y; farther is as good as this far */

static const double shapes[] = {0.5, 0.7, 1.0, 1.4, 2.0, 2.8};

/* ---- densities -------------------------------------------------------------------------------------- */

double od_score_tails_log_top(double shape)
{
    return log(shape / tgamma(1.0 / shape));
}

double od_score_tails_log_outlier(double log_y, double log_reach)
{
    double lv = WIDTH * (log_y - log_reach);
    double softplus = lv > 0.0 ? lv + log1p(exp(-lv)) : log1p(exp(lv));
    return log(WIDTH) - log_y + lv - 2.0 * softplus;
}

/*
 * The slope of log(f1/f0) over log y is b (y/s)^b - g(v), where g(v) = 2k v/(1+v) - (k-1); and y/s is
 * (r/s) v^(1/k). So it is never negative when b (r/s)^b >= g(v) v^(-b/k) for all v. The search for the
 * largest has steps: hence a little more.
 */
double od_score_tails_least_reach(double shape)
{
    double most = 0.0;
    for (int i = 0; i < 150; i++) {
        double v = 0.5 * pow(1.1, i); /* to about a million */
        double slope = 2.0 * WIDTH * v / (1.0 + v) - (WIDTH - 1.0);
        most = fmax(most, slope * pow(v, -shape / WIDTH));
    }
    return pow(1.01 * most / shape, 1.0 / shape);
}

/* ---- points ----------------------------------------------------------------------------------------- */

/* The distance that 60 % of the rows do not exceed, or the next that is not 0. */
static double typical_distance(const double *x, int64_t n, int64_t step, double centre)
{
    for (int64_t i = n * 3 / 5; i < n; i++) {
        double distance = fabs(x[i * step] - centre);
        if (distance > 0.0) return fmin(distance, DBL_MAX);
    }
    return fmax(1e-6 * fabs(centre), DBL_MIN); /* all equal: a difference that would be noticed */
}

static void add_point(od_score_tail *t, double distance, int64_t rows)
{
    t->y[t->count] = fmin(distance / t->unit, FARTHEST);
    t->log_y[t->count] = log(fmax(t->y[t->count], 1.0 / FARTHEST));
    t->weight[t->count++] = (double)rows;
    t->rows += (double)rows;
}

/* The middle row stands for a group: a mean could lie between inliers and outliers, where no row is. */
void od_score_tails_gather(od_score_tail *t, const double *x, int64_t n, int64_t step, double centre)
{
    int64_t singles = n <= OD_SCORE_TAIL_POINTS ? n : OD_TAIL_SINGLES, rest = n - singles;
    t->unit = typical_distance(x, n, step, centre);
    t->count = 0;
    t->rows = 0.0;
    for (int64_t g = 0; rest && g < OD_TAIL_GROUPS; g++) {
        int64_t from = rest * g / OD_TAIL_GROUPS, to = rest * (g + 1) / OD_TAIL_GROUPS;
        add_point(t, fabs(x[(from + to) / 2 * step] - centre), to - from);
    }
    for (int64_t i = rest; i < n; i++) add_point(t, fabs(x[i * step] - centre), 1);
}

/* ---- fitting ---------------------------------------------------------------------------------------- */

static void use_shape(od_score_tail *t, double shape)
{
    for (int i = 0; i < t->count; i++) {
        t->power[i] = pow(t->y[i], shape);
        t->resp[i] = 0.0;
    }
}

/* The scale that maximises the likelihood of the inliers, given resp. */
static double best_scale(const od_score_tail *t, double shape)
{
    double rows = DBL_MIN, sum = 0.0;
    for (int i = 0; i < t->count; i++) {
        rows += t->weight[i] * (1.0 - t->resp[i]);
        sum += t->weight[i] * (1.0 - t->resp[i]) * t->power[i];
    }
    return fmax(pow(shape * sum / rows, 1.0 / shape), LEAST_SCALE);
}

/* Fills resp and returns the log-likelihood. */
static double expect(od_score_tail *t, const od_score_tail_fit *f)
{
    double inlier = log1p(-f->share) + od_score_tails_log_top(f->shape) - log(f->scale),
           outlier = log(f->share);
    double over = 1.0 / pow(f->scale, f->shape), log_reach = log(f->reach), total = 0.0;
    for (int i = 0; i < t->count; i++) {
        double l0 = inlier - t->power[i] * over;
        double l1 = outlier + od_score_tails_log_outlier(t->log_y[i], log_reach);
        double ratio = exp(-fabs(l0 - l1));
        t->resp[i] = (l1 > l0 ? 1.0 : ratio) / (1.0 + ratio);
        total += t->weight[i] * (fmax(l0, l1) + log1p(ratio));
    }
    return total;
}

/* For r one step of Fisher's scoring: the information of a log-logistic about log r is k^2 / 3 per row. */
static void maximise(const od_score_tail *t, od_score_tail_fit *f, double least_reach)
{
    double rows = 0.0, pull = 0.0, log_reach = log(f->reach);
    for (int i = 0; i < t->count; i++) {
        rows += t->weight[i] * t->resp[i];
        pull += t->weight[i] * t->resp[i] * tanh(0.5 * WIDTH * (t->log_y[i] - log_reach));
    }
    f->share = fmin(fmax(rows / t->rows, DBL_EPSILON), 1.0 - DBL_EPSILON);
    f->scale = best_scale(t, f->shape);
    f->reach = fmax(f->reach * exp(3.0 / WIDTH * pull / fmax(rows, DBL_MIN)), least_reach * f->scale);
}

static od_score_tail_fit fit_inliers(od_score_tail *t, double shape)
{
    od_score_tail_fit f = {.shape = shape};
    use_shape(t, shape);
    f.scale = best_scale(t, shape);
    double over = 1.0 / pow(f.scale, shape);
    for (int i = 0; i < t->count; i++) f.merit -= t->weight[i] * t->power[i] * over;
    f.merit += t->rows * (od_score_tails_log_top(shape) - log(f.scale));
    return f;
}

/* Takes this part of the rows, the farthest, for outliers, and their median for r. */
static void guess_outliers(od_score_tail *t, od_score_tail_fit *f, double part)
{
    double claimed = 0.0, most = fmax(part * t->rows, 1.0);
    for (int i = t->count - 1; i >= 0 && claimed < most; i--) {
        t->resp[i] = 1.0;
        if (claimed <= 0.5 * most) f->reach = fmax(t->y[i], LEAST_SCALE);
        claimed += t->weight[i];
    }
}

static od_score_tail_fit fit_from(od_score_tail *t, double shape, double part)
{
    od_score_tail_fit f = {.shape = shape};
    double before = -INFINITY, least_reach = od_score_tails_least_reach(shape);
    use_shape(t, shape);
    guess_outliers(t, &f, part);
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        maximise(t, &f, least_reach);
        f.merit = expect(t, &f);
        if (f.merit - before < TOLERANCE) break;
        before = f.merit;
    }
    return f;
}

/* EM finds the maximum nearest to its start: one for many outliers, one for few. */
static od_score_tail_fit fit_both(od_score_tail *t, double shape)
{
    od_score_tail_fit many = fit_from(t, shape, 0.1), few = fit_from(t, shape, 0.01);
    return many.merit >= few.merit ? many : few;
}

static od_score_tail_fit best_fit(od_score_tail *t, od_score_tail_fit (*fit)(od_score_tail *, double))
{
    od_score_tail_fit best = {.merit = -INFINITY};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        od_score_tail_fit f = fit(t, shapes[i]);
        double away = log(shapes[i] / PRIOR_SHAPE);
        f.merit -= PRIOR_WEIGHT * away * away;
        if (f.merit > best.merit) best = f;
    }
    return best;
}

od_score_tail_fit od_score_tails_fit_inliers(od_score_tail *t)
{
    return best_fit(t, fit_inliers);
}

od_score_tail_fit od_score_tails_fit_both(od_score_tail *t)
{
    return best_fit(t, fit_both);
}

double od_score_tails_hump(od_score_tail *t, const od_score_tail_fit *fit)
{
    double rows = DBL_MIN, mean = 0.0, squares = 0.0;
    use_shape(t, fit->shape);
    expect(t, fit);
    for (int i = 0; i < t->count; i++) {
        rows += t->weight[i] * t->resp[i];
        mean += t->weight[i] * t->resp[i] * t->log_y[i];
    }
    mean /= rows;
    for (int i = 0; i < t->count; i++) {
        double d = t->log_y[i] - mean;
        squares += t->weight[i] * t->resp[i] * d * d;
    }
    /* A log-logistic with this spread of the logarithms has k = pi / sqrt(3) / spread. */
    double width = 1.8137993642342178 / fmax(sqrt(squares / rows), LEAST_SPREAD);
    double outliers = fit->share * width / (4.0 * fit->reach);
    return outliers / ((1.0 - fit->share) * exp(od_score_tails_log_top(fit->shape)) / fit->scale);
}
