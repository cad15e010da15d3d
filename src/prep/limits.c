/*
 * A value is wrong if its column cannot explain it. Two things must come together.
 *
 * The tail of the column must rule it out. On each side of the median, the distances beyond their 80 %
 * quantile are described by a generalised Pareto tail, which is what the far end of nearly every distribution
 * looks like. Its two numbers come from the median and the upper quartile of these exceedances (Pickands), so
 * that wrong values, which are few and far out, have no part in them. The shape is held between a bounded and
 * a heavy tail, and drawn to a slightly heavy one where the exceedances are few. The limit is where fewer
 * than OD_LIMITS_ALARMS cells of an ordinary table would be expected.
 *
 * And there must be a gap. Heavy tails thin out gradually; an error stands apart. From the limit outwards,
 * values still count as ordinary as long as each is within a quarter of the way from the median of the one
 * before it.
 *
 * Columns of amounts are skewed, and often a logarithm makes them symmetric. They are judged on that scale:
 * values below the smallest step of the column, zero and negative ones, continue it downwards. The few
 * highest amounts are also wrong if they are ten times the next one.
 *
 * In a column of a few distinct values quantiles fall together. The scale of a tail is therefore at least
 * half a step of the column or, where even that is nothing, half of the widest gap between ordinary
 * neighbours.
 *
 * A few values do not show the shape of a tail, and whether an amount is skewed. So limits are wider there.
 *
 * Where many values are exactly zero and hardly any is below, nothing ought to be: a count, an amount.
 */
#include "prep/limits.h"

#include <math.h>

#define TAIL            0.8  /* quantile of the distances where the tail begins */
#define TAIL_LEAST      8    /* exceedances; of fewer all distances of the side are taken */
#define SHAPE_LOW       -0.3 /* bounded */
#define SHAPE_HIGH      0.5  /* heavy: no variance */
#define SHAPE_PRIOR     0.05
#define SHAPE_PRIOR_LOG -0.1 /* a logarithm has drawn the tail in already */
#define SHAPE_ERROR     2.0  /* standard error of the shape that one exceedance gives */
#define SHAPE_FREE      2.0  /* standard errors that are ignored: as many as the worst of eight columns has */
#define PRIOR_ROWS      40.0 /* exceedances that the prior is worth */
#define GAP             0.25
#define SIDE_LEAST      4  /* values on a side; fewer say nothing about it */
#define ATOM_ROWS       50 /* a column of one value, with a few exceptions, needs so many rows to call them */
#define LOG_LEAST       20 /* values */
#define SMALL_ROWS      20 /* with fewer values, limits are wider: */
#define SMALL_WIDER     12.0 /* by this over their number */
#define JUMP            10.0 /* a factor that amounts do not jump by, */
#define JUMP_ROWS       30   /* in columns of so many values, */
#define JUMP_SHARE      200  /* among the highest one in so many */
#define LOG_SKEW        0.25
#define LOG_SHARE       0.1   /* of positive values */
#define ZERO_SHARE      0.02  /* of values that are zero, for it to be a bound */
#define BELOW_SHARE     0.005 /* and of those that are below all the same, at most */
#define MOST            1e300
#define EVIDENCE_MOST   12.0
/* How fast evidence grows with the logarithm of the distance: beyond a light tail a value that is fourteen
 * times as far out as the limit is wrong with a probability of 0.9; a heavy tail may well have produced it.
 */
#define SLOPE_LIGHT 0.9
#define SLOPE_HEAVY 0.3
#define SHAPE_LIGHT 0.1

od_limits od_limits_none(void)
{
    return (od_limits){.low = -INFINITY, .high = INFINITY, .low_far = INFINITY, .high_far = INFINITY};
}

double od_limits_scale(const od_limits *l, double value)
{
    double step = 0.5 * l->resolution;
    if (!(step > 0.0)) return value;
    return value > step ? log(value) : log(step) - log1p((step - value) / step);
}

/* The way back. */
double od_limits_unscale(const od_limits *l, double at)
{
    double step = 0.5 * l->resolution;
    if (!(step > 0.0)) return at;
    return at > log(step) ? exp(fmin(at, 690.0)) : step - step * expm1(fmin(log(step) - at, 690.0));
}

/* ---- which scale ----------------------------------------------------------------------------------- */

static double quantile(const double *v, int64_t n, double share)
{
    double at = share * (double)(n - 1);
    int64_t i = (int64_t)at;
    double part = at - (double)i, step = i + 1 < n ? v[i + 1] - v[i] : 0.0;
    return isfinite(step) ? v[i] + part * step : v[i];
}

static double skew(double low, double middle, double high)
{
    return high > low ? (high + low - 2.0 * middle) / (high - low) : 0.0;
}

/* The smallest difference between values, leaving out what rounding makes of equal ones. */
static double resolution(const double *v, int64_t n)
{
    double least = INFINITY;
    for (int64_t i = 1; i < n; i++) {
        double a = fabs(v[i]), b = fabs(v[i - 1]), step = v[i] - v[i - 1];
        double far = a > b ? a : b; /* of these two: another may be wrong, and huge */
        if (step < least && step > 1e-12 * far) least = step;
    }
    return least;
}

/* Amounts: hardly any is negative, and a logarithm makes those that are positive more symmetric. */
static double choose_resolution(const double *v, int64_t n)
{
    int64_t below = 0, zero;
    while (below < n && v[below] < 0.0) below++;
    for (zero = below; zero < n && v[zero] == 0.0; zero++) continue;
    const double *up = v + zero;
    int64_t count = n - zero;
    if (below * 100 > n || count < LOG_LEAST || (double)count < LOG_SHARE * (double)n) return 0.0;
    double low = quantile(up, count, 0.1), middle = quantile(up, count, 0.5), high = quantile(up, count, 0.9);
    double plain = skew(low, middle, high), logs = skew(log(low), log(middle), log(high));
    if (plain < LOG_SKEW || fabs(logs) > plain) return 0.0;
    double step = resolution(v, n);
    /* Measurements have steps as fine as the type that holds them; a thousandth of a small value is enough.
     */
    return fmin(fmax(step, 1e-3 * low), low);
}

/* ---- one side ---------------------------------------------------------------------------------------- */

typedef struct side {
    const double *y; /* (m) distances from the median, rising, all positive */
    int64_t m;
    int64_t n;     /* values of the column */
    double margin; /* of the shape, in standard errors */
    double prior;  /* of the shape */
    double step;   /* between values: half of it is the least scale */
    double floor;  /* the scale where the quantiles fall together */
} side;

/* Where the tail rules values out: the distance that a share p of all values would exceed. */
static double tail_limit(const side *s, double p, double *slope)
{
    int64_t first = (int64_t)(TAIL * (double)s->m);
    double from = first > 0 ? s->y[first - 1] : 0.0;
    /* Many equal values: the tail begins further in. */
    while (first > 0 && s->m - first < TAIL_LEAST) first--;
    if (s->m - first < TAIL_LEAST || s->m < 5 * TAIL_LEAST) first = 0;
    from = first > 0 ? fmin(from, s->y[first - 1]) : 0.0;
    while (first < s->m && s->y[first] <= from) first++;
    if (s->m - first < TAIL_LEAST) {
        first = 0;
        from = 0.0;
    }
    int64_t k = s->m - first;
    const double *tail = s->y + first;
    double half = quantile(tail, k, 0.5) - from, quarter = quantile(tail, k, 0.75) - from;
    double ratio = half > 0.0 ? quarter / half : 2.0;
    double shape = ratio > 1.0 ? log2(ratio - 1.0) : SHAPE_LOW;
    shape = fmin(fmax(shape, SHAPE_LOW), SHAPE_HIGH);
    shape = ((double)k * shape + PRIOR_ROWS * s->prior) / ((double)k + PRIOR_ROWS);
    shape = fmin(shape + s->margin * SHAPE_ERROR * sqrt((double)k) / ((double)k + PRIOR_ROWS), SHAPE_HIGH);
    if (fabs(shape) < 1e-3) shape = 1e-3;
    *slope = shape < SHAPE_LIGHT && s->prior == SHAPE_PRIOR ? SLOPE_LIGHT : SLOPE_HEAVY;
    double scale = half > 0.0 ? half * shape / expm1(shape * log(2.0)) : s->floor;
    scale = fmax(scale, 0.5 * s->step);
    double share = p * (double)s->n / (double)k;
    return from + (share < 1.0 ? scale * expm1(-shape * log(share)) / shape : 0.0);
}

/* From the limit of the tail outwards to the first gap. */
static double find_gap(const side *s, double limit)
{
    int64_t i = 0;
    double last = 0.0;
    while (i < s->m && s->y[i] <= limit) last = s->y[i++];
    while (i < s->m && s->y[i] <= (1.0 + GAP) * fmax(last, limit / (1.0 + GAP))) last = s->y[i++];
    return fmax(limit, (1.0 + GAP) * last);
}

/* Where amounts jump by a factor of ten, close to the end of the side: between the two. */
static double find_jump(const side *s, double limit)
{
    int64_t most = s->n / JUMP_SHARE > 1 ? s->n / JUMP_SHARE : 1;
    for (int64_t i = s->m - 1; s->n >= JUMP_ROWS && i > 0 && s->m - i <= most; i--)
        if (s->y[i] - s->y[i - 1] >= log(JUMP)) limit = fmin(limit, s->y[i - 1] + 0.9 * log(JUMP));
    return limit;
}

/* Half of the widest gap between neighbours among the inner values. */
static double find_floor(const double *v, int64_t n)
{
    int64_t trim = n / 50 > 1 ? n / 50 : 1;
    double widest = 0.0;
    for (int64_t i = trim + 1; i < n - trim; i++) {
        double gap = v[i] - v[i - 1];
        widest = gap > widest ? gap : widest;
    }
    return 0.5 * widest;
}

/* The limit of two sides that have hardly any values, in a column of few: by the distances of both together.
 */
static double pooled_limit(const side part[2], double p, double *slope)
{
    double y[2 * SIDE_LEAST];
    int64_t m = 0;
    for (int64_t i = 0, j = 0; i < part[0].m || j < part[1].m;) {
        bool lower = j >= part[1].m || (i < part[0].m && part[0].y[i] <= part[1].y[j]);
        y[m++] = lower ? part[0].y[i++] : part[1].y[j++];
    }
    side both = part[0];
    both.y = y;
    both.m = m;
    return m < SIDE_LEAST ? INFINITY : tail_limit(&both, p, slope);
}

/* ---- both sides -------------------------------------------------------------------------------------- */

static bool is_bounded_by_zero(const double *v, int64_t n)
{
    int64_t below = 0, zero;
    while (below < n && v[below] < 0.0) below++;
    for (zero = below; zero < n && v[zero] == 0.0; zero++) continue;
    return zero < n && (double)below <= BELOW_SHARE * (double)n && zero - below >= SIDE_LEAST &&
           (double)(zero - below) >= ZERO_SHARE * (double)n;
}

static bool has_two_values(const double *v, int64_t n)
{
    int64_t i = 0;
    while (i < n && v[i] == v[0]) i++;
    return i == n || v[i] == v[n - 1];
}

/* The outermost values within the limits: exact ones, not what the scale and back would make of them. */
static void find_ordinary(od_limits *l, const double *values, int64_t n)
{
    int64_t first = 0, last = n - 1;
    while (first < n && values[first] < l->low) first++;
    while (last > first && values[last] > l->high) last--;
    l->least = values[first < n ? first : 0];
    l->most = values[last];
}

od_limits od_limits_find(const double *values, int64_t n, double tests, bool may_log, double *room)
{
    od_limits l = od_limits_none();
    if (n < 1) return l;
    l.least = values[0];
    l.most = values[n - 1];
    l.centre = quantile(values, n, 0.5);
    if (n < OD_LIMITS_LEAST || fabs(values[0]) > MOST || fabs(values[n - 1]) > MOST) return l;
    if (has_two_values(values, n)) {
        if (may_log) od_limits_codes(&l, values, n);
        find_ordinary(&l, values, n);
        return l;
    }
    if (may_log) l.resolution = choose_resolution(values, n);
    for (int64_t i = 0; i < n; i++) room[i] = od_limits_scale(&l, values[i]);
    l.centre = quantile(room, n, 0.5);
    double floor = find_floor(room, n), p = OD_LIMITS_ALARMS / tests, limit[2];
    double slope[2] = {SLOPE_LIGHT, SLOPE_LIGHT};
    double step = l.resolution > 0.0 ? 0.0 : resolution(values, n);
    double prior = l.resolution > 0.0 ? SHAPE_PRIOR_LOG : SHAPE_PRIOR;
    if (!isfinite(step)) step = 0.0;
    double columns = fmax(tests / (double)n, 1.0), margin = fmax(sqrt(2.0 * log(columns)) - SHAPE_FREE, 0.0);
    int64_t below = 0, above = 0;
    while (room[below] < l.centre) below++;
    while (room[n - 1 - above] > l.centre) above++;
    /* The distances of the lower side, in place and in rising order. */
    for (int64_t i = 0; i < below; i++) room[i] = l.centre - room[i];
    for (int64_t i = 0; i < below / 2; i++) {
        double swap = room[i];
        room[i] = room[below - 1 - i];
        room[below - 1 - i] = swap;
    }
    for (int64_t i = n - above; i < n; i++) room[i] -= l.centre;
    const side part[2] = {{room, below, n, margin, prior, step, floor},
                          {room + n - above, above, n, margin, prior, step, floor}};
    for (int k = 0; k < 2; k++) limit[k] = part[k].m < SIDE_LEAST ? -1.0 : tail_limit(&part[k], p, &slope[k]);
    /* A side of hardly any values is judged by the other, and a column of one value by its exceptions. */
    double both = fmax(limit[0], limit[1]);
    if (both < 0.0) both = n < ATOM_ROWS ? pooled_limit(part, p, &slope[0]) : floor;
    if (n < SMALL_ROWS)
        for (int k = 0; k < 2; k++) limit[k] *= 1.0 + SMALL_WIDER / (double)n;
    if (n < SMALL_ROWS) both *= 1.0 + SMALL_WIDER / (double)n;
    for (int k = 0; k < 2; k++) limit[k] = find_gap(&part[k], limit[k] < 0.0 ? both : limit[k]);
    if (l.resolution > 0.0) limit[1] = find_jump(&part[1], limit[1]);
    if (is_bounded_by_zero(values, n)) {
        limit[0] = fmin(limit[0], l.centre - od_limits_scale(&l, 0.0));
        l.low = 0.0;
    }
    l.low_far = limit[0];
    l.high_far = limit[1];
    l.low_slope = slope[0];
    l.high_slope = slope[1];
    if (l.low != 0.0 && isfinite(limit[0])) l.low = od_limits_unscale(&l, l.centre - limit[0]);
    if (isfinite(limit[1])) l.high = od_limits_unscale(&l, l.centre + limit[1]);
    if (may_log) od_limits_codes(&l, values, n);
    find_ordinary(&l, values, n);
    return l;
}

double od_limits_evidence(const od_limits *l, double value)
{
    if (value >= l->low && value <= l->high) return 0.0;
    double far = fabs(od_limits_scale(l, value) - l->centre),
           limit = value < l->low ? l->low_far : l->high_far;
    double ratio = limit > 0.0 ? far / limit : 2.0;
    double slope = value < l->low ? l->low_slope : l->high_slope;
    return fmin(OD_LIMITS_EVIDENCE + slope * log(fmax(ratio, 1.0)), EVIDENCE_MOST);
}
