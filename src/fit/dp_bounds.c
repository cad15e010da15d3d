/*
 * Finds the bounds of columns from a noised histogram.
 *
 * The bins are the same for every column and every table: by sign and by powers of two, from 2^-20 to 2^40.
 * Smaller values share one bin in the middle, and larger ones are in the outermost bins. A row is in one bin
 * of each column, or in none if the cell is missing. So one row more or less changes the counts of all
 * columns together by at most sqrt(columns) in the Euclidean norm, and normal noise of `noise` times that on
 * every count is one Gaussian mechanism. All that follows uses only the noised counts. If there are many rows
 * for the noise, a power of two has several bins; their number depends on the number of rows, which is
 * public.
 *
 * Most bins are empty, and noise there must not be taken for values: one wrong bin at 2^40 ruins the column.
 * But the noise is the same in all columns, and what they have in common is known far better than any one of
 * them. So the count of a bin is pulled to its mean over the columns, the more so, the less the columns
 * differ beyond what noise explains (the estimator of James and Stein). Bins that no column uses come out as
 * nothing, and used bins keep their counts. A column reaches from the first to the last bin whose count
 * stands out: either by itself, among all bins of all columns, or weakly in a bin that the columns together
 * certainly use (find_used).
 *
 * The bins of a column are believed if they hold nearly all rows. If not, as happens with few rows and many
 * columns, the rest must be elsewhere, and the bounds of all columns together are added. A column of which
 * only zeros show is treated in the same way.
 *
 * Bounds that are too wide cost the model some resolution, and values outside are no error. Callers who know
 * the bounds should give them.
 */
#include "fit/dp_bounds.h"

#include <math.h>

#include "common/mem.h"

#define LOWEST       (-20) /* powers of two */
#define HIGHEST      40
#define FINEST       4    /* most bins per power of two, */
#define FINE_AT      48   /* if there are this many times the noise in rows for each */
#define WEAK         3.0  /* standard deviations that a count must stand out, in a bin that is in use, */
#define LEAST        0.01 /* and share of the rows */
#define CERTAIN      5.0  /* standard deviations that the columns together must stand out, */
#define SIDE_BY_SIDE 8    /* in at most so many powers of two */
#define COMPLETE     0.8  /* share of the rows that is nearly all */

typedef struct extent {
    int64_t cols, rows;
    int parts, bins;       /* bins per power of two; bins per column */
    double sd;             /* of the noise on a count */
    double *count;         /* (cols, bins) */
    bool *used;            /* (bins) by the columns together */
    double *mean, *signal; /* (bins) over the columns; how much of a difference from it is no noise */
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
    double size = pow(2.0, LOWEST + (double)k / e->parts);
    return b <= n ? -size : size;
}

static int bin_of(const extent *e, double v)
{
    int n = side(e);
    double size = fabs(v);
    if (size < pow(2.0, LOWEST)) return n;
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
        e->signal[b] = between / (between + noise);
    }
}

/*
 * Finds the bins that the columns together use. These certainly stand out, alone or, where values are spread
 * thinly, as a few side by side. Their neighbors count if they stand out a little. A single wrong bin can
 * spoil every column, so certainty is asked for.
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
    double rows;     /* in the bins that stand out, by the noised counts */
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
    double strong = (sqrt(2 * log(cells)) + 2) * e->sd; /* hardly any noise among so many is above it */
    for (int b = 0; b < e->bins; b++) {
        double better = e->mean[b] + e->signal[b] * (count[b] - e->mean[b]);
        double sd = e->sd * sqrt(e->signal[b] * e->signal[b] + 1 / (double)e->cols);
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

static odim_status measure(extent *e, const od_column_stats *s, const odim_table *t, od_csprng *rng,
                           odim_error *err)
{
    double *noise = od_alloc((size_t)e->bins, sizeof *noise), *count = e->count;
    if (!noise) return od_fail_nomem(err);
    for (int64_t j = 0; j < s->cols; j++) {
        if (!needs(s, t, j)) continue;
        count_cells(e, t, j, count);
        od_csprng_normal(rng, noise, e->bins);
        for (int b = 0; b < e->bins; b++) count[b] += e->sd * noise[b];
        count += e->bins;
    }
    od_free(noise);
    return od_csprng_check(rng, err);
}

odim_status od_dp_bounds_find(od_column_stats *s, const odim_table *t, double noise, od_csprng *rng,
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
    e.signal = od_alloc((size_t)e.bins, sizeof *e.signal);
    e.used = od_calloc((size_t)e.bins, sizeof *e.used);
    odim_status status =
        e.count && e.mean && e.signal && e.used ? measure(&e, s, t, rng, err) : od_fail_nomem(err);
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
    od_free(e.signal);
    od_free(e.used);
    return status;
}
