/*
 * Fits the checks of single cells to training rows.
 *
 * A network looks at a row as a whole, and one absurd cell among many ordinary ones can go unnoticed. So each
 * cell is checked by itself as well, against its own column:
 *
 *     numbers, times   limits that the column's own tail predicts (limits.c)
 *     categories       a level that is not kept, where all levels that are kept are frequent
 *     codes            a cell that is written unlike the others: 0213 among 02139 and 02140 (pattern.c)
 *     gaps             a missing cell where cells are hardly ever missing
 *     runs             a number that stays the same for longer than chance allows, like that of a stuck
 *                      sensor; a column that only rises, such as a time, tells which rows belong to a run,
 *                      or else the numbers of the rows
 *     rules            arithmetic that nearly all rows obey: total = net + tax (rules_fit.c)
 *
 * Numbers are also checked against the other columns. Errors often hide in a relation: a total that is not
 * price times quantity, a height in inches. Each column is predicted from all others by the linear regression
 * that a robust covariance contains: with the precision matrix P and deviations z, (P z)_j / P_jj is the part
 * of column j that the others leave unexplained. These residuals have limits like any column. Amounts are
 * taken on their logarithmic scale, where products are sums. Frequent levels of categories count as 0 and 1,
 * so that an apple at the price of a plum is found. Only columns that the others explain well are checked
 * this way, and numbers that describe a text are not: they are related only by how they are computed.
 *
 * The covariance is robust by trimming: twice, the tenth of the rows that is farthest out by the current one
 * is left out. Cells beyond the limits of their own column count as if they lay on them.
 */
#include "prep/checks_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/compare.h"
#include "base/poll.h"
#include "common/mem.h"
#include "prep/checks_row.h"
#include "prep/rules_fit.h"

#define POLL_ROWS       64
#define VALUE_CELLS     ((int64_t)1 << 24) /* of the training rows, at most, for the limits */
#define RELATED_ROWS    8192               /* for the relations */
#define ROWS_A_COLUMN   8                  /* that relations need */
#define RULE_ROWS       2048               /* for the rules of arithmetic */
#define RESOLUTION_ROWS 512                /* that the last decimal of a column is taken from */
#define TRIM            0.9
#define TRIMS           2
#define RIDGE           1e-9
#define EXPLAINED       0.5 /* share of a column's variance that the others must explain */

#define COARSE         6   /* distinct values at most */
#define LEVEL_ROWS     20  /* rows that a category needs before a new level is evidence */
#define LEVEL_SHARE    200 /* of rows with new levels: one in so many at most */
#define LEVEL_LEAST    10  /* rows of each kept level */
#define LEVEL_EVIDENCE 1.2
#define GAP_ROWS       30
#define GAP_SHARE      500
#define GAP_MANY_ROWS  200
#define GAP_EVIDENCE   0.8
#define KEY_FALLS      100   /* one row in so many may break the order of a key */
#define RUN_ROWS       50    /* rows that runs are looked for in, at least */
#define RUN_LEAST      4     /* rows of a run */
#define RUN_RATE       0.15  /* of equal neighbours elsewhere, at most */
#define RUN_ALARMS     0.001 /* such runs that would be expected by chance */

/* ---- columns ----------------------------------------------------------------------------------------- */

typedef struct fitter {
    od_checks *c;
    const od_schema *schema;
    const odim_table *t;
    const od_row_set *rows; /* the training rows */
    int64_t take;           /* number of them that are looked at */
    double *value, *room;   /* (take) */
    const od_encoder *encoder;
} fitter;

static double cell(const fitter *f, int64_t i, int64_t n, int64_t col)
{
    return od_table_cell(f->t, od_row_set_even(f->rows, i, n), col);
}

static bool is_number(const od_schema_col *c)
{
    return !c->ignored && (c->type == ODIM_NUMERIC || c->type == ODIM_TIME);
}

/* A share of the characters of a text. It is not an amount: there is no long way from a little to nothing. */
static bool is_share(const od_schema_col *c)
{
    return c->format.feature >= OD_TEXT_DIGITS && c->format.feature <= OD_TEXT_NON_ASCII;
}

static od_limits find_limits(const fitter *f, int64_t j, double tests)
{
    int64_t n = 0;
    for (int64_t i = 0; i < f->take; i++) {
        double v = cell(f, i, f->take, j);
        if (!isnan(v)) f->value[n++] = v;
    }
    qsort(f->value, (size_t)n, sizeof *f->value, od_compare_double);
    int64_t distinct = n > 0;
    for (int64_t i = 1; i < n; i++) distinct += f->value[i] > f->value[i - 1];
    f->c->col[j].coarse = distinct <= COARSE && distinct * COARSE < n;
    const od_schema_col *s = &f->schema->col[j];
    od_limits l = od_limits_find(f->value, n, tests, s->type == ODIM_NUMERIC && !is_share(s), f->room);
    /* A text cannot be too common. */
    if (s->format.feature >= OD_TEXT_RARE_CHARACTERS) l.low = -INFINITY;
    return l;
}

/* New levels are rare, and no kept level is. */
static double judge_levels(const od_schema_col *c, int64_t rows)
{
    int64_t present = rows - c->missing;
    if (present < LEVEL_ROWS || c->dropped > (present > 2 * LEVEL_SHARE ? present / LEVEL_SHARE : 2))
        return 0.0;
    for (int64_t i = 0; i < od_levels_count(&c->levels); i++)
        if (c->level_count[i] < LEVEL_LEAST && c->level_count[i] * 10 < present) return 0.0;
    return LEVEL_EVIDENCE;
}

static double judge_gaps(const od_schema_col *c, int64_t rows)
{
    if (rows < GAP_ROWS || c->missing > (rows > GAP_SHARE ? rows / GAP_SHARE : 1)) return 0.0;
    return GAP_EVIDENCE;
}

static void check_columns(const fitter *f)
{
    int64_t rows = f->schema->rows, cells = 0, gaps = 0, used = 0, gappy = 0, sources = 0;
    for (int64_t j = 0; j < f->schema->cols; j++) used += !f->schema->col[j].ignored;
    for (int64_t j = 0; j < f->schema->cols; j++) {
        const od_schema_col *s = &f->schema->col[j];
        od_column_check *c = &f->c->col[j];
        if (od_poll_stopped()) return;
        c->limits = c->given = od_limits_none();
        if (s->ignored) continue;
        if (!od_schema_is_further(s)) {
            cells += rows;
            gaps += s->missing;
            c->missing = judge_gaps(s, rows);
            gappy += c->missing == 0.0;
            sources++;
        }
        if (s->type == ODIM_CATEGORICAL) c->new_level = judge_levels(s, rows);
        if (is_number(s)) c->limits = find_limits(f, j, (double)rows * (double)used);
    }
    /* Gaps all over the table are no evidence, even in a column that has few. In a table with enough rows, a
     * column that may be empty says nothing about the others. */
    bool everywhere = rows < GAP_MANY_ROWS ? gaps * 200 > cells : gappy * 2 > sources;
    for (int64_t j = 0; gaps > 1 && everywhere && j < f->schema->cols; j++) f->c->col[j].missing = 0.0;
    if (used > 2 && rows >= GAP_ROWS && gaps * 10 < cells) f->c->empty = OD_CHECKS_EMPTY_EVIDENCE;
}

/* ---- codes ------------------------------------------------------------------------------------------- */

static odim_status find_patterns(const fitter *f, odim_error *err)
{
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < f->schema->cols; j++) {
        if (f->schema->col[j].ignored || f->schema->col[j].type != ODIM_CATEGORICAL) continue;
        const od_levels *levels = &f->t->col[j].levels;
        int64_t *rows = od_calloc(levels->texts.count + 1, sizeof *rows);
        for (int64_t i = 0; rows && i < f->take; i++) {
            double v = cell(f, i, f->take, j);
            if (!isnan(v)) rows[(int64_t)v]++;
        }
        status =
            rows ? od_patterns_find(&f->c->col[j].patterns, &levels->texts, rows, err) : od_fail_nomem(err);
        od_free(rows);
    }
    return status;
}

/* ---- runs of equal values ---------------------------------------------------------------------------- */

/* A column that rises from row to row, apart from a few errors: a time, a number. Where there is none, the
 * numbers of the rows. */
static int64_t find_key(const fitter *f)
{
    for (int64_t j = 0; j < f->schema->cols; j++) {
        if (od_poll_stopped() || !is_number(&f->schema->col[j])) continue;
        int64_t falls = 0, most = f->rows->count / KEY_FALLS > 2 ? f->rows->count / KEY_FALLS : 2;
        for (int64_t i = 1; falls <= most && i < f->rows->count; i++)
            falls += !(cell(f, i, f->rows->count, j) > cell(f, i - 1, f->rows->count, j));
        if (falls <= most) return j;
    }
    return OD_RUN_ROWS;
}

static double key_of(const fitter *f, int64_t i, int64_t key)
{
    if (key == OD_RUN_ROWS) return (double)od_table_row(f->t, od_row_set_even(f->rows, i, f->rows->count));
    return cell(f, i, f->rows->count, key);
}

/*
 * The longest run of a column. How often neighbours are equal elsewhere says how likely it is. Where they
 * often are, the column is coarse or rests at times, and runs say nothing.
 */
static void find_run(const fitter *f, int64_t j, int64_t key)
{
    int64_t equal = 0, longest = 1, end = 0, run = 1;
    for (int64_t i = 1; i < f->rows->count; i++) {
        bool same =
            cell(f, i, f->rows->count, j) == cell(f, i - 1, f->rows->count, j); /* false if one is missing */
        equal += same;
        run = same ? run + 1 : 1;
        if (run > longest) {
            longest = run;
            end = i;
        }
    }
    double rest = (double)(equal - longest + 1), pairs = (double)(f->rows->count - longest);
    double rate = fmax(rest, 1.0) / fmax(pairs, 1.0);
    double alarms = (double)f->rows->count * (double)f->schema->cols * pow(rate, (double)(longest - 1));
    if (longest < RUN_LEAST || rate > RUN_RATE || alarms > RUN_ALARMS) return;
    od_column_check *c = &f->c->col[j];
    c->run_key = key;
    c->run_value = cell(f, end, f->rows->count, j);
    c->run_low = key_of(f, end - longest + 1, key);
    c->run_high = key_of(f, end, key);
    if (!(c->run_low <= c->run_high)) c->run_key = -1; /* an error in the key, of all places */
}

/* Only where the training rows are all rows, in their order. */
static void find_runs(const fitter *f)
{
    int64_t key =
        f->rows->rows || f->rows->count != f->schema->rows || f->rows->count < RUN_ROWS ? -1 : find_key(f);
    for (int64_t j = 0; j < f->schema->cols; j++) {
        f->c->col[j].run_key = -1;
        if (od_poll_stopped()) return;
        if (key != -1 && j != key && f->schema->col[j].type == ODIM_NUMERIC && !f->schema->col[j].ignored)
            find_run(f, j, key);
    }
}

/* ---- rules of arithmetic ----------------------------------------------------------------------------- */

static odim_status find_rules(const fitter *f, odim_error *err)
{
    od_rules_input in = {.n = f->take < RULE_ROWS ? f->take : RULE_ROWS, .rows = f->schema->rows};
    for (int64_t j = 0; j < f->schema->cols && in.q < OD_RULE_COLUMNS; j++) {
        const od_schema_col *s = &f->schema->col[j];
        if (!is_number(s) || s->format.feature) continue;
        in.is_time[in.q] = s->type == ODIM_TIME;
        in.low[in.q] = f->c->col[j].limits.low;
        in.high[in.q] = f->c->col[j].limits.high;
        in.col[in.q++] = j;
    }
    double *x = od_alloc((size_t)in.n, (size_t)(in.q + 1) * sizeof *x);
    if (!x) return od_fail_nomem(err);
    for (int64_t i = 0; i < in.n; i++)
        for (int k = 0; k < in.q; k++) x[i * in.q + k] = cell(f, i, in.n, in.col[k]);
    in.x = x;
    odim_status status = od_rules_find(&f->c->rules, &in, err);
    od_free(x);
    return status;
}

/* ---- relations --------------------------------------------------------------------------------------- */

/* Middle and deviation of a column, from its quartiles if they differ; false: it hardly varies. */
static bool find_unit(const fitter *f, int64_t j)
{
    od_column_check *c = &f->c->col[j];
    int64_t n = 0;
    for (int64_t i = 0; i < f->take; i++) {
        double v = cell(f, i, f->take, j);
        if (!isnan(v)) f->value[n++] = od_limits_scale(&c->limits, v);
    }
    if (n * 2 < f->take) return false;
    qsort(f->value, (size_t)n, sizeof *f->value, od_compare_double);
    c->centre = f->value[n / 2];
    c->unit = (f->value[n * 3 / 4] - f->value[n / 4]) / 1.349;
    if (!(c->unit > 0.0)) { /* most values are the same */
        double square = 0.0;
        for (int64_t i = 0; i < n; i++) {
            double v = fmin(fmax(f->value[i], f->value[n / 50]), f->value[n - 1 - n / 50]) - c->centre;
            square += v * v;
        }
        c->unit = sqrt(square / (double)n);
    }
    return c->unit > 0.0 && isfinite(c->unit);
}

/* Adds a level to the q columns of the matrix, unless hardly any row has it or lacks it. */
static int64_t add_level(const fitter *f, int64_t q, int64_t col, int64_t level)
{
    int64_t have = 0;
    if (od_poll_stopped()) return q;
    for (int64_t i = 0; i < f->take; i++)
        have += od_checks_has_level(f->encoder, od_row_set_even(f->rows, i, f->take), col, level);
    double share = (double)have / (double)f->take;
    if (q >= OD_CHECKS_RELATED || have < LEVEL_LEAST || f->take - have < LEVEL_LEAST) return q;
    f->c->relation[q] = col;
    f->c->level[q] = (od_related_level){level, share, sqrt(share * (1.0 - share))};
    return q + 1;
}

/* All frequent levels but the most frequent one, which is what the others are compared with. */
static int64_t add_levels(const fitter *f, int64_t q)
{
    for (int64_t j = 0; j < f->schema->cols; j++) {
        const od_schema_col *s = &f->schema->col[j];
        if (s->ignored) continue;
        if (s->type == ODIM_BOOLEAN) q = add_level(f, q, j, 1);
        if (s->type != ODIM_CATEGORICAL || q + s->own_levels > OD_CHECKS_RELATED) continue;
        for (int64_t k = 0; k < od_levels_count(&s->levels); k++)
            if (s->level_feature[k] >= 0 && k != (int64_t)s->fill) q = add_level(f, q, j, k);
    }
    return q;
}

static int64_t choose_related(const fitter *f)
{
    int64_t q = 0;
    for (int64_t k = 0; k < OD_CHECKS_RELATED; k++) f->c->level[k].level = -1;
    for (int64_t j = 0; j < f->schema->cols && q <= OD_CHECKS_RELATED; j++) {
        const od_schema_col *s = &f->schema->col[j];
        if (od_poll_stopped() || !is_number(s) || s->format.feature || !find_unit(f, j)) continue;
        if (q < OD_CHECKS_RELATED) f->c->relation[q] = j;
        q++;
    }
    if (q < 1 || q > OD_CHECKS_RELATED) return 0;
    int64_t all = add_levels(f, q);
    if (f->take >= ROWS_A_COLUMN * all) q = all;
    return q < 2 || f->take < ROWS_A_COLUMN * q ? 0 : q;
}

/* The inverse of a symmetric positive matrix a (q, q) in place, by Gauss and Jordan without pivots. */
static void invert(double *a, int64_t q)
{
    for (int64_t k = 0; k < q; k++) {
        double pivot = 1.0 / fmax(a[k * q + k], RIDGE);
        a[k * q + k] = 1.0;
        for (int64_t j = 0; j < q; j++) a[k * q + j] *= pivot;
        for (int64_t i = 0; i < q; i++) {
            double factor = a[i * q + k];
            if (i == k) continue;
            a[i * q + k] = 0.0;
            for (int64_t j = 0; j < q; j++) a[i * q + j] -= factor * a[k * q + j];
        }
    }
}

/* P of the rows of z (n, q) that `keep` has; mean (q) is their middle, variance (q) their variances. */
static void find_precision(const double *z, const bool *keep, int64_t n, int64_t q, double *mean,
                           double *variance, double *p)
{
    int64_t count = 0;
    memset(mean, 0, (size_t)q * sizeof *mean);
    memset(p, 0, (size_t)(q * q) * sizeof *p);
    for (int64_t i = 0; i < n; i++) {
        if (!keep[i]) continue;
        count++;
        for (int64_t j = 0; j < q; j++) mean[j] += z[i * q + j];
    }
    for (int64_t j = 0; j < q; j++) mean[j] /= (double)count;
    for (int64_t i = 0; i < n; i++) {
        if (!keep[i]) continue;
        for (int64_t j = 0; j < q; j++)
            for (int64_t k = 0; k <= j; k++)
                p[j * q + k] += (z[i * q + j] - mean[j]) * (z[i * q + k] - mean[k]);
    }
    for (int64_t j = 0; j < q; j++) {
        for (int64_t k = 0; k <= j; k++) p[k * q + j] = p[j * q + k] = p[j * q + k] / (double)count;
        variance[j] = p[j * q + j];
        p[j * q + j] += RIDGE;
    }
    invert(p, q);
}

static double square_distance(const double *z, const double *mean, const double *p, int64_t q)
{
    double sum = 0.0;
    for (int64_t j = 0; j < q; j++)
        for (int64_t k = 0; k < q; k++) sum += (z[j] - mean[j]) * p[j * q + k] * (z[k] - mean[k]);
    return sum;
}

/* The last decimal of a column: 0.01 for amounts in cents; 0 if there are many. */
static double find_resolution(const fitter *f, int64_t j)
{
    int64_t n = f->take < RESOLUTION_ROWS ? f->take : RESOLUTION_ROWS;
    for (double scale = 1.0; scale <= 1e4; scale *= 10.0) {
        bool whole = true;
        for (int64_t i = 0; i < n && whole; i++) {
            double v = cell(f, i, n, j) * scale;
            whole = isnan(v) || fabs(v - round(v)) <= 1e-9 * fmax(fabs(v), 1.0);
        }
        if (whole) return 1.0 / scale;
    }
    return 0.0;
}

/* How far rounding to the last decimal moves a small value of a related column, in its deviations. */
static double find_rounding(const fitter *f, int64_t j)
{
    const od_column_check *c = &f->c->col[j];
    double value = f->schema->col[j].usual_low, step = find_resolution(f, j);
    if (!(step > 0.0) || f->schema->col[j].type != ODIM_NUMERIC) return 0.0;
    return fabs(od_limits_scale(&c->limits, value + step) - od_limits_scale(&c->limits, value)) / c->unit;
}

/* What rounding alone can leave of a column is not a contradiction: a total may differ by a cent. */
static void allow_rounding(od_limits *l, double margin)
{
    l->low -= margin;
    l->high += margin;
    l->low_far += margin;
    l->high_far += margin;
}

/* The limits of what the others leave of each column. */
static void limit_residuals(const fitter *f, const double *z, int64_t n, const double *mean,
                            const double *variance, double tests)
{
    int64_t q = f->c->relations;
    const double *p = f->c->precision;
    double rounding[OD_CHECKS_RELATED];
    for (int64_t j = 0; j < q; j++)
        rounding[j] = f->c->level[j].level < 0 ? find_rounding(f, f->c->relation[j]) : 0.0;
    for (int64_t j = 0; j < q; j++) {
        od_column_check *c = &f->c->col[f->c->relation[j]];
        od_related_level *l = &f->c->level[j];
        /* Deviations are counted from the middle of the trimmed rows from here on. */
        *(l->level < 0 ? &c->centre : &l->centre) += mean[j] * (l->level < 0 ? c->unit : l->unit);
        if (od_poll_stopped()) return;
        if (l->level >= 0) continue;
        if (c->coarse || !(1.0 / p[j * q + j] < (1.0 - EXPLAINED) * variance[j])) continue;
        for (int64_t i = 0; i < n; i++) {
            double rest = 0.0;
            for (int64_t k = 0; k < q; k++) rest += p[j * q + k] * (z[i * q + k] - mean[k]);
            f->value[i] = rest / p[j * q + j];
        }
        qsort(f->value, (size_t)n, sizeof *f->value, od_compare_double);
        c->given = od_limits_find(f->value, n, tests, false, f->room);
        double margin = 0.0;
        for (int64_t k = 0; k < q; k++) margin += fabs(p[j * q + k]) / p[j * q + j] * rounding[k];
        allow_rounding(&c->given, margin);
        c->related = true;
    }
}

static odim_status relate_columns(const fitter *f, int64_t n, odim_error *err)
{
    od_checks *c = f->c;
    int64_t q = c->relations;
    double *z = od_alloc((size_t)n, (size_t)q * sizeof *z), *mean = od_alloc((size_t)q, 2 * sizeof *mean);
    bool *keep = od_alloc((size_t)n, sizeof *keep);
    c->precision = od_alloc((size_t)q, (size_t)q * sizeof *c->precision);
    odim_status status = z && mean && keep && c->precision ? ODIM_OK : od_fail_nomem(err);
    for (int64_t i = 0; !status && i < n; i++) {
        keep[i] = true;
        if (i % POLL_ROWS == 0) status = od_poll_check(err);
        od_checks_deviations(c, f->encoder, od_row_set_even(f->rows, i, n), z + i * q);
    }
    for (int trim = 0; !status && trim <= TRIMS; trim++) {
        find_precision(z, keep, n, q, mean, mean + q, c->precision);
        if (trim == TRIMS) break;
        for (int64_t i = 0; !status && i < n; i++) {
            if (i % POLL_ROWS == 0) status = od_poll_check(err);
            f->value[i] = f->room[i] = square_distance(z + i * q, mean, c->precision, q);
        }
        if (status) break;
        qsort(f->value, (size_t)n, sizeof *f->value, od_compare_double);
        double most = f->value[(int64_t)(TRIM * (double)(n - 1))];
        for (int64_t i = 0; i < n; i++) keep[i] = f->room[i] <= most;
    }
    if (!status)
        limit_residuals(f, z, n, mean, mean + q, (double)f->schema->rows * (double)(f->schema->cols + q));
    if (!status) status = od_poll_check(err);
    od_free(z);
    od_free(mean);
    od_free(keep);
    return status;
}

odim_status od_checks_fit(od_checks *c, const od_schema *schema, const odim_table *table,
                          const od_row_set *rows, odim_error *err)
{
    int64_t most = VALUE_CELLS / schema->cols > RELATED_ROWS ? VALUE_CELLS / schema->cols : RELATED_ROWS;
    od_encoder encoder;
    fitter f = {.c = c, .schema = schema, .t = table, .rows = rows, .encoder = &encoder};
    f.take = rows->count < most ? rows->count : most;
    *c = (od_checks){.cols = schema->cols};
    c->col = od_calloc((size_t)schema->cols, sizeof *c->col);
    c->relation = od_alloc(OD_CHECKS_RELATED, sizeof *c->relation);
    c->level = od_alloc(OD_CHECKS_RELATED, sizeof *c->level);
    f.value = od_alloc((size_t)f.take, sizeof *f.value);
    f.room = od_alloc((size_t)f.take, sizeof *f.room);
    odim_status status =
        c->col && c->relation && c->level && f.value && f.room ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_encoder_new(&encoder, schema, table, err);
    const bool encodes = !status;
    if (!status) {
        check_columns(&f);
        find_runs(&f);
        c->relations = choose_related(&f);
        status = od_poll_check(err); /* these return early once the fit is to end */
        if (!status) status = find_patterns(&f, err);
        if (!status) status = find_rules(&f, err);
    }
    if (!status && c->relations)
        status = relate_columns(&f, f.take < RELATED_ROWS ? f.take : RELATED_ROWS, err);
    if (encodes) od_encoder_free(&encoder);
    od_free(f.value);
    od_free(f.room);
    if (status) od_checks_free(c);
    return status;
}
