/*
 * Bounds from a noised histogram.
 *
 * The bins are the same for every column and every table: by sign and by powers of two, 2^-20 to 2^40, what
 * is nearer to zero in one bin in the middle, what is farther in the last ones. A row is in one bin of each
 * column (a gap is in none), so that one row more or less changes the counts of all columns together by at
 * most sqrt(columns) in the Euclidean norm: normal noise of `noise` times that on every count is one Gaussian
 * mechanism. All that follows uses the noised counts only. Where rows are many for the noise, the bins are
 * finer, several to a power of two: how many is decided by the number of rows, which is public.
 *
 * Most bins are empty, and noise must not be taken for values there: one bin too many at 2^40 and the column
 * is gone. But noise is all the same in all columns while tables are not: what columns have in common, and
 * how much they differ, is known far better than any one of them. So the count of a bin is pulled to its mean
 * over the columns, by as much as the columns differ less there than the noise alone would make them (the
 * estimator of James and Stein). Bins that no column uses come out as nothing, and bins that are used keep
 * their counts. A column reaches from the first to the last bin whose count stands out: either by itself,
 * among all bins of all columns, or weakly in a bin that the columns together use beyond doubt (find_used).
 *
 * What a column shows is believed when it is nearly all of the rows. Else, with few rows and many columns,
 * there are more somewhere: the column is given the bounds that the columns have together besides. Nothing
 * but zeros is no extent either.
 *
 * Bounds that are too wide cost the model some resolution, and values outside are no error. Whoever knows the
 * bounds should give them.
 */
#include "fit/dp_bounds.h"

#include <math.h>

#include "common/mem.h"

#define LOWEST       (-20) /* powers of two */
#define HIGHEST      40
#define FINEST       4    /* most bins to a power of two, */
#define FINE_AT      48   /* when rows are at least so many times the noise for each */
#define WEAK         3.0  /* standard deviations that a count must stand out, in a bin that is in use, */
#define LEAST        0.01 /* and share of the rows */
#define CERTAIN      5.0  /* standard deviations that the columns together must stand out, */
#define SIDE_BY_SIDE 8    /* in at most so many powers of two */
#define COMPLETE     0.8  /* share of the rows that is nearly all */

typedef struct extent {
    int64_t cols, rows;
    int parts, bins; /* bins to a power of two; of a column */
    double sd;       /* of the noise on a count */
    double *count;   /* (cols, bins) */
    bool *used;      /* (bins) by the columns together */
    double *mean,
        *trusted_fraction; /* (bins) over the columns; how much of a difference from it is no noise */
} extent;

static bool needs(const od_column_stats *s, const odim_table *t, int64_t j)
{
    return t->col[j].type != ODIM_CATEGORICAL && s->col[j].low > s->col[j].high;
}

bool od_dp_bounds_needed(const od_column_stats *s, const odim_table *t)
{
    for (int64_t j = 0; j < s->cols; j++)
        if (needs(s, t, j)) return true;
    return false;
}

/* ---- bins ----------------------------------------------------------------------------------------- */

static int side(const extent *e)
{
    return (HIGHEST - LOWEST) * e->parts;
}

/* The lower end of bin b, which is the upper end of the one before. */
static double edge(const extent *e, int b)
{
    int n = side(e), k = b <= n ? n - b : b - n - 1;
    double size = exp2(LOWEST + (double)k / e->parts);
    return b <= n ? -size : size;
}

static int bin_of(const extent *e, double v)
{
    int n = side(e);
    double size = fabs(v);
    if (size < exp2(LOWEST)) return n;
    double place = (log2(size) - LOWEST) * e->parts;
    int k = place >= n ? n - 1 : (int)place;
    return v < 0 ? n - 1 - k : n + 1 + k;
}

static void count_cells(extent *e, const odim_table *t, int64_t col, double *count)
{
    for (int64_t i = 0; i < t->n; i++) {
        double v = od_table_cell(t, i, col);
        if (!isnan(v)) count[bin_of(e, v)] += 1.0;
    }
}

/* ---- from noised counts --------------------------------------------------------------------------- */

static void pool(extent *e)
{
    double n = (double)e->cols, noise = e->sd * e->sd;
    for (int b = 0; b < e->bins; b++) {
        double sum = 0, squares = 0;
        for (int64_t j = 0; j < e->cols; j++) sum += e->count[j * e->bins + b];
        double mean = e->mean[b] = sum / n;
        for (int64_t j = 0; j < e->cols; j++) {
            double d = e->count[j * e->bins + b] - mean;
            squares += d * d;
        }
        double between = e->cols > 1 ? fmax(squares / (n - 1) - noise, 0) : 0;
        e->trusted_fraction[b] = between / (between + noise);
    }
}

/*
 * The bins that the columns together use: those that stand out beyond doubt, alone or, where values are
 * spread thinly, as a few side by side; and their neighbours, if these stand out a little. A single bin by
 * mistake can spoil every column, so doubt is not enough.
 */
static void find_used(extent *e)
{
    double sd = e->sd / sqrt((double)e->cols); /* of the mean count of a bin */
    for (int len = 1; len <= SIDE_BY_SIDE * e->parts; len++) {
        for (int b = 0; b + len <= e->bins; b++) {
            double sum = 0;
            bool taken = false;
            for (int k = b; k < b + len; k++) {
                sum += e->mean[k];
                taken |= e->used[k];
            }
            if (taken || sum <= CERTAIN * sd * sqrt(len)) continue;
            for (int k = b; k < b + len; k++) e->used[k] = len == 1 || e->mean[k] > sd;
        }
    }
    for (bool more = true; more;) {
        more = false;
        for (int b = 0; b < e->bins; b++) {
            bool with = (b > 0 && e->used[b - 1]) || (b + 1 < e->bins && e->used[b + 1]);
            if (e->used[b] || !with || e->mean[b] <= WEAK * sd) continue;
            e->used[b] = more = true;
        }
    }
}

typedef struct reach {
    int first, last; /* bins; first > last: none */
    double rows;     /* in the bins that stand out, as far as one knows */
} reach;

static void widen(reach *r, int b)
{
    if (b < r->first) r->first = b;
    if (b > r->last) r->last = b;
}

static reach find_common(const extent *e)
{
    reach r = {e->bins, -1, 0};
    for (int b = 0; b < e->bins; b++)
        if (e->used[b]) widen(&r, b);
    return r;
}

static reach find_own(const extent *e, const double *count)
{
    reach r = {e->bins, -1, 0};
    double cells = (double)e->bins * (double)e->cols, rows = (double)e->rows;
    double strong = (sqrt(2 * log(cells)) + 2) * e->sd; /* no noise among so many is above it */
    for (int b = 0; b < e->bins; b++) {
        double better = e->mean[b] + e->trusted_fraction[b] * (count[b] - e->mean[b]);
        double sd = e->sd * sqrt(e->trusted_fraction[b] * e->trusted_fraction[b] + 1 / (double)e->cols);
        if (count[b] <= strong && !(e->used[b] && better > fmax(WEAK * sd, LEAST * rows))) continue;
        widen(&r, b);
        r.rows += better;
    }
    return r;
}

static void set_bounds(const extent *e, const double *count, const reach *common, od_column_stats_col *c)
{
    reach r = find_own(e, count);
    bool zeros = r.first == r.last && r.first == side(e);
    if (zeros || r.rows < COMPLETE * (double)e->rows) {
        if (common->first < r.first) r.first = common->first;
        if (common->last > r.last) r.last = common->last;
    }
    zeros = r.first == r.last && r.first == side(e);
    c->low = r.first > r.last || zeros ? -1 : edge(e, r.first);
    c->high = r.first > r.last || zeros ? 1 : edge(e, r.last + 1);
    /* The bin of zeros is at the end of a column that has no other sign: then zero is its bound. */
    if (!zeros && r.first == side(e)) c->low = 0;
    if (!zeros && r.last == side(e)) c->high = 0;
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static odim_status measure(extent *e, const od_column_stats *s, const odim_table *t, od_csprng *dice,
                           odim_error *err)
{
    double *noise = od_alloc((size_t)e->bins, sizeof *noise), *count = e->count;
    if (!noise) return od_fail_nomem(err);
    for (int64_t j = 0; j < s->cols; j++) {
        if (!needs(s, t, j)) continue;
        count_cells(e, t, j, count);
        od_csprng_normal(dice, noise, e->bins);
        for (int b = 0; b < e->bins; b++) count[b] += e->sd * noise[b];
        count += e->bins;
    }
    od_free(noise);
    return od_csprng_check(dice, err);
}

odim_status od_dp_bounds_find(od_column_stats *s, const odim_table *t, double noise, od_csprng *dice,
                              odim_error *err)
{
    extent e = {.rows = t->n};
    for (int64_t j = 0; j < s->cols; j++) e.cols += needs(s, t, j);
    if (e.cols == 0) return ODIM_OK;
    e.sd = noise * sqrt((double)e.cols);
    double parts = (double)e.rows / e.sd / FINE_AT;
    e.parts = parts < 1 ? 1 : parts > FINEST ? FINEST : (int)parts;
    e.bins = 2 * side(&e) + 1;
    e.count = od_calloc((size_t)e.cols * (size_t)e.bins, sizeof *e.count);
    e.mean = od_alloc((size_t)e.bins, sizeof *e.mean);
    e.trusted_fraction = od_alloc((size_t)e.bins, sizeof *e.trusted_fraction);
    e.used = od_calloc((size_t)e.bins, sizeof *e.used);
    odim_status status =
        e.count && e.mean && e.trusted_fraction && e.used ? measure(&e, s, t, dice, err) : od_fail_nomem(err);
    if (!status) {
        pool(&e);
        find_used(&e);
        reach common = find_common(&e);
        const double *count = e.count;
        for (int64_t j = 0; j < s->cols; j++) {
            if (!needs(s, t, j)) continue;
            set_bounds(&e, count, &common, &s->col[j]);
            count += e.bins;
        }
    }
    od_free(e.count);
    od_free(e.mean);
    od_free(e.trusted_fraction);
    od_free(e.used);
    return status;
}
