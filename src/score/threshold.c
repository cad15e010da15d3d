/*
 * Decides which rows are outliers, and makes one score of all evidence.
 *
 * A row is called an outlier for any of four reasons.
 *
 * One of its cells does not fit its own column, or contradicts the other columns (prep/checks_fit.c).
 *
 * The networks and the robust covariance agree. Both score every row, and they make different mistakes:
 * networks find sparse but regular regions odd, and a covariance finds any second cluster odd. Both scores,
 * the covariance's after a logarithm, are measured from their median in units of the root mean square of the
 * lower half, where no outliers are. A row is called if both are beyond their limits. But a dense group of
 * many rows that both find far away is an ordinary cluster and not an error: groups.c finds such groups, and
 * agreement does not count inside them.
 *
 * Nor does it count for a frequent level of a category most of whose rows are called: see
 * od_threshold_excuse.
 *
 * It is of the kind of known outliers: nearer to one of them than to ordinary rows (detectors/known_near.c).
 *
 * The raw score stands alone (preset paper, a classical method) and is far beyond what the bulk predicts, or
 * belongs to a group of scores that stands apart (score/calibrate.c).
 *
 * People see one number. Rows that are not called have the raw score in units of the spread of the bulk: 0
 * for the median row, 1 for the row that 84 % are below, and drawn in smoothly so that it stays below
 * OD_SCORE_OUTLIER. Rows that are called have OD_SCORE_OUTLIER plus the evidence. So the order of rows agrees
 * with the verdict, gross errors come first with every method, and no score is astronomical.
 *
 * docs/CALIBRATION.md explains how the numbers were chosen and how well they do.
 */
#include "score/threshold.h"

#include <math.h>
#include <stdlib.h>

#include "common/sort.h"
#include "common/mem.h"
#include "base/parallel.h"
#include "score/calibrate.h"
#include "score/groups.h"

#define AGREE_LOSS    2.0 /* units that the networks, */
#define AGREE_CONFIRM 3.0 /* and the robust covariance, must find a row beyond */
#define AGREE_SLOPE   2.0 /* of the evidence: at four and a half times the limits the probability is 0.9 */
#define AGREE_MIXED                                                                                          \
    4.0 /* times as many in tables with categories, gaps, or coarse numbers: see fit_units                   \
         */
#define AGREE_WIDE         1.4 /* times as many of rows with WIDE features or more, where both see the same, */
#define NOT_WIDE           20
#define WIDE               100
#define CROWDED            2.0 /* and so much more for each column per row, */
#define CROWDED_LEAST      3.0 /* down to this many rows per column: with fewer, the covariance sees axes */
#define AGREE_NARROW       1.6 /* and of those with hardly any features */
#define NARROW             2
#define AGREE_SKEWED       1.5  /* times as many of the covariance where most columns are skewed */
#define AGREE_SMALL        10.0 /* over the number of rows: so many times more in small tables */
#define ALONE              8.0  /* distances from the median to the upper quartile, beyond the latter */
#define LOG_OFFSET         0.05 /* of the median, added to distances before the logarithm */
#define LEAST              0.01 /* evidence of a row that is called */
#define EVIDENCE_MOST      12.0
#define STRAIGHT           2.0  /* scores are drawn in from here on, */
#define LOWEST             -4.0 /* and below this by their logarithm */
#define LEAST_ROWS         20
#define EXCUSE_ROWS        10  /* of a level that is excused, */
#define EXCUSE_SHARE       100 /* and one in so many */
#define FAR                1e9
#define CLEAR              1.5 /* times as far as alone, a row is called even if the others call fewer */
#define FEW_SHARE          33
#define FEW_LEAST          6.0 /* units of a row that is among few */
#define LIKE_KNOWN         0.7 /* log(2): a row so much nearer to a known row is of its kind */
#define SAME_AS_KNOWN      2.9 /* it is the known row, or nearly so */
#define KNOWN_SLOPE        2.0
#define GROUP_AXES         10
#define GROUP_ROWS_AN_AXIS 40

/* ---- units ------------------------------------------------------------------------------------------- */

/* NaN comes last. */
static double safe(double spread, double centre)
{
    return spread > 0.0 && isfinite(spread) ? spread : fmax(fabs(centre) * 1e-6, 1e-12);
}

/* sorted (n). */
static od_score_unit upper_unit(const double *sorted, int64_t n, double share)
{
    od_score_unit u = {.used = true, .centre = sorted[(n - 1) / 2]};
    int64_t at = (int64_t)(share * (double)(n - 1));
    while (at + 1 < n && !(sorted[at] > u.centre)) at++;
    u.spread = safe(sorted[at] - u.centre, u.centre);
    return u;
}

/* Median, and root mean square of the distances below it. sorted (n) becomes what the unit makes of it. */
static od_score_unit lower_unit(double *sorted, int64_t n, bool logarithm)
{
    double middle = sorted[(n - 1) / 2], square = 0.0;
    od_score_unit u = {
        .used = true, .logarithm = logarithm, .offset = LOG_OFFSET * fmax(middle, 0.0) + 1e-300};
    for (int64_t i = 0; logarithm && i < n; i++) sorted[i] = log(fmax(sorted[i], 0.0) + u.offset);
    u.centre = sorted[(n - 1) / 2];
    int64_t half = (n + 1) / 2;
    for (int64_t i = 0; i < half; i++) square += (u.centre - sorted[i]) * (u.centre - sorted[i]);
    u.spread = safe(sqrt(square / (double)half), u.centre);
    return u;
}

/* ---- one row ----------------------------------------------------------------------------------------- */

static bool in_group(const od_verdict *v, const float *axes)
{
    for (int g = 0; g < v->groups; g++)
        if (od_group_distance(&v->group[g], v->q, axes) < v->group[g].limit) return true;
    return false;
}

/* The evidence of agreement: how many times the limits both scores exceed. */
static double agreement(const od_verdict *v, const od_evidence *e)
{
    double loss = od_score_unit_of(&v->loss, e->loss) / AGREE_LOSS;
    double confirm = od_score_unit_of(&v->confirm, e->confirm) / AGREE_CONFIRM;
    double times = fmin(loss, confirm) / v->agree_most;
    if (!(times > 1.0) || e->excused || (v->groups && in_group(v, e->axes))) return 0.0;
    return LEAST + AGREE_SLOPE * log(times);
}

/* The evidence of the raw score alone. */
static double beyond_bulk(const odim_model *m, double raw)
{
    const od_verdict *v = &m->verdict;
    double far = od_score_unit_of(&v->alone, raw) / v->alone_most, found = far > 1.0 ? log(far) + LEAST : 0.0;
    if (v->apart && raw > m->calibration.threshold) {
        double p = od_calibrate_probability(&m->calibration, raw);
        found = fmax(found, LEAST + log1p(log(p / fmax(1.0 - p, 1e-12))));
    }
    return found;
}

/* The evidence after what is known: a row of the kind of known outliers is called, and one of the kind of
 * known inliers is not. */
static double judge_known(const od_known_near *near, double checks, double others)
{
    if (near->inlier > near->outlier && near->inlier > LIKE_KNOWN)
        return near->inlier >= SAME_AS_KNOWN ? 0.0 : checks;
    if (near->outlier > LIKE_KNOWN) others += LEAST + KNOWN_SLOPE * (near->outlier - LIKE_KNOWN);
    return checks + others;
}

double od_final_score(const odim_model *m, const od_evidence *e)
{
    const od_verdict *v = &m->verdict;
    if (!v->present) return e->raw;
    double found = v->loss.used && v->confirm.used ? agreement(v, e) : beyond_bulk(m, e->raw);
    found = v->learned.used ? judge_known(&e->known, e->checks, found) : e->checks + found;
    double shown = od_score_unit_of(&v->shown, e->raw);
    if (v->learned.used) shown = od_score_unit_of(&v->learned, shown + e->known.shift);
    if (shown > STRAIGHT) {
        double room = OD_SCORE_OUTLIER - STRAIGHT, over = shown - STRAIGHT;
        shown = STRAIGHT + room * over / (over + room);
    }
    /* Nobody needs to know how very ordinary a row is: in small tables, and in tables of copies, the unit can
     * be tiny. */
    if (shown < LOWEST) shown = LOWEST - log1p(LOWEST - shown);
    if (found <= 0.0) return fmin(shown, OD_SCORE_OUTLIER);
    /* Rows with the same evidence are ordered by their raw scores. */
    return OD_SCORE_OUTLIER + fmax(fmin(found, 2.0 * EVIDENCE_MOST), LEAST) + 1e-3 * fmax(shown, 0.0);
}

/* ---- fit --------------------------------------------------------------------------------------------- */

int64_t od_threshold_axes(const odim_model *m, int64_t rows)
{
    int64_t q = rows / GROUP_ROWS_AN_AXIS < GROUP_AXES ? rows / GROUP_ROWS_AN_AXIS : GROUP_AXES;
    if (q > m->transform.axes) q = m->transform.axes;
    return q < 1 ? 0 : q;
}

/* A covariance finds the long side of a skewed column odd. */
static bool is_skewed(const od_schema *s)
{
    int64_t skewed = 0;
    for (int64_t j = 0; j < s->checks.cols; j++) skewed += s->checks.col[j].limits.resolution > 0.0;
    return 2 * skewed > s->cols;
}

/*
 * Features of categories and of coarse numbers take a few values only, and rows with several that are less
 * common look far out without being wrong: there both must be surer.
 */
static void fit_units(od_verdict *v, bool mixed, double *sorted, const double *raw, const double *loss,
                      const double *confirm, int64_t n)
{
    for (int64_t i = 0; i < n; i++) sorted[i] = raw[i];
    od_sort_double(sorted, n);
    v->shown = upper_unit(sorted, n, 0.84);
    v->alone = upper_unit(sorted, n, 0.75);
    v->alone_most = 1.0 + ALONE;
    v->agree_most = (mixed ? AGREE_MIXED : 1.0) + AGREE_SMALL / (double)n;
    if (!loss || !confirm) return;
    for (int64_t i = 0; i < n; i++) sorted[i] = loss[i];
    od_sort_double(sorted, n);
    v->loss = lower_unit(sorted, n, false);
    for (int64_t i = 0; i < n; i++) sorted[i] = confirm[i];
    od_sort_double(sorted, n);
    v->confirm = lower_unit(sorted, n, true);
}

static bool is_mixed(const od_schema *s)
{
    int64_t coarse = 0, numbers = 0;
    for (int64_t j = 0; j < s->cols; j++) {
        const od_schema_col *c = &s->col[j];
        if (c->ignored) continue;
        if (c->type != ODIM_NUMERIC || c->indicator) return true;
        numbers++;
        coarse += s->checks.cols && s->checks.col[j].coarse;
    }
    return 2 * coarse > numbers;
}

/* How many of n rows the networks and the covariance call; called (n) says which, unless it is NULL. */
static int64_t find_called(const od_verdict *v, const double *loss, const double *confirm, const float *axes,
                           int64_t n, bool *called)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        const od_evidence e = {.loss = loss[i], .confirm = confirm[i], .axes = axes ? axes + i * v->q : NULL};
        bool is_called = agreement(v, &e) > 0.0;
        if (called) called[i] = is_called;
        count += is_called;
    }
    return count;
}

static odim_status fit_groups(odim_model *m, const double *loss, const double *confirm, const float *axes,
                              int64_t n, odim_error *err)
{
    od_verdict *v = &m->verdict;
    bool *called = od_alloc((size_t)n, sizeof *called);
    if (!called) return od_fail_nomem(err);
    find_called(v, loss, confirm, axes, n, called);
    odim_status status = od_groups_find(v, axes, called, n, m->config.seed,
                                        od_run_threads(&(od_run){.threads = m->config.threads}), err);
    od_free(called);
    return status;
}

odim_status od_threshold_fit_known(odim_model *m, const double *raw, const od_known_near *known, int64_t n,
                                   odim_error *err)
{
    od_verdict *v = &m->verdict;
    double *sorted = od_alloc((size_t)n, sizeof *sorted);
    if (!sorted) return od_fail_nomem(err);
    for (int64_t i = 0; i < n; i++) sorted[i] = od_score_unit_of(&v->shown, raw[i]) + known[i].shift;
    od_sort_double(sorted, n);
    v->learned = upper_unit(sorted, n, 0.84);
    od_free(sorted);
    return ODIM_OK;
}

/* Levels of one column; called (n) and rows as below. have and odd (levels + 1): scratch. */
static void excuse_column(odim_model *m, const od_encoder *e, const int64_t *rows, const bool *called,
                          int64_t n, int64_t j, int64_t *have, int64_t *odd)
{
    od_checks *c = &m->schema.checks;
    int64_t least = n / EXCUSE_SHARE > EXCUSE_ROWS ? n / EXCUSE_SHARE : EXCUSE_ROWS;
    for (int64_t i = 0; i < n; i++) {
        double v = od_table_cell(e->table, rows[i], e->source[j]);
        int64_t level = isnan(v) ? -1 : e->level[j][(int64_t)v];
        if (level < 0) continue;
        have[level]++;
        odd[level] += called[i];
    }
    for (int64_t k = 0; k < od_levels_count(&m->schema.col[j].levels); k++)
        if (have[k] >= least && 2 * have[k] < n && odd[k] * 2 >= have[k] && c->excuses < OD_CHECKS_EXCUSES)
            c->excuse[c->excuses++] = (od_excuse){j, k};
}

odim_status od_threshold_excuse(odim_model *m, const od_encoder *encoder, const int64_t *rows,
                                const double *loss, const double *confirm, const float *axes, int64_t n,
                                odim_error *err)
{
    const od_schema *s = &m->schema;
    const od_verdict *v = &m->verdict;
    bool *called = od_alloc((size_t)n, sizeof *called);
    odim_status status = called ? ODIM_OK : od_fail_nomem(err);
    if (!status) find_called(v, loss, confirm, axes, n, called);
    for (int64_t j = 0; !status && j < s->checks.cols; j++) {
        if (s->col[j].ignored || s->col[j].type != ODIM_CATEGORICAL || encoder->source[j] < 0) continue;
        size_t levels = (size_t)od_levels_count(&s->col[j].levels) + 1;
        int64_t *have = od_calloc(levels, 2 * sizeof *have);
        status = have ? ODIM_OK : od_fail_nomem(err);
        if (!status) excuse_column(m, encoder, rows, called, n, j, have, have + levels);
        od_free(have);
    }
    od_free(called);
    return status;
}

/* How much surer both must be of rows with many features: the more there are, the more both see the same, and
 * the less a covariance of few rows knows about each. */
static double surer_if_wide(int64_t features, int64_t n)
{
    double d = (double)features, wide = (d - NOT_WIDE) / (WIDE - NOT_WIDE);
    if (wide <= 0.0) return 1.0;
    double crowded = features > WIDE ? 0.0 : CROWDED * fmin(d / (double)n, 1.0 / CROWDED_LEAST);
    return 1.0 + (AGREE_WIDE - 1.0) * fmin(wide, 1.0) + crowded;
}

odim_status od_threshold_fit(odim_model *m, const double *raw, const double *loss, const double *confirm,
                             const float *axes, int64_t n, odim_error *err)
{
    od_verdict *v = &m->verdict;
    double *sorted = od_alloc((size_t)n, sizeof *sorted);
    if (!sorted) return od_fail_nomem(err);
    v->present = true;
    v->apart = m->calibration.share * (double)n > 1.0; /* half a row stands for none */
    v->q = axes ? od_threshold_axes(m, n) : 0;
    fit_units(v, is_mixed(&m->schema), sorted, raw, loss, confirm, n);
    if (n < LEAST_ROWS)
        v->alone_most = v->agree_most = FAR; /* too few rows to know what is far: only cells decide */
    if (is_skewed(&m->schema)) v->confirm.spread *= AGREE_SKEWED;
    v->agree_most *= surer_if_wide(m->schema.features, n);
    if (m->schema.features <= NARROW) v->agree_most *= AGREE_NARROW;
    od_free(sorted);
    return v->q && loss && confirm ? fit_groups(m, loss, confirm, axes, n, err) : ODIM_OK;
}

odim_status od_threshold_by_rank(odim_model *m, const double *raw, const double *loss, const double *confirm,
                                 const float *axes, int64_t n, odim_error *err)
{
    od_verdict *v = &m->verdict;
    double *sorted = od_alloc((size_t)n, sizeof *sorted);
    if (!sorted) return od_fail_nomem(err);
    int64_t called = find_called(v, loss, confirm, axes, n, NULL);
    for (int64_t i = 0; i < n; i++) sorted[i] = od_score_unit_of(&v->alone, raw[i]);
    od_sort_double(sorted, n);
    double clear = CLEAR * v->alone_most, most = clear;
    const bool few = called * FEW_SHARE < n; /* so few may be called by chance, unless they are far away */
    if (called && called < n) {
        double below = sorted[n - called - 1], above = sorted[n - called];
        most = few ? below : 0.5 * (below + above);
    }
    if (few) most = fmax(most, FEW_LEAST);
    if (most > 0.0) v->alone_most = fmin(most, clear);
    v->apart = false;
    od_free(sorted);
    v->loss = v->confirm = (od_score_unit){0};
    od_verdict_drop_groups(v);
    return ODIM_OK;
}
