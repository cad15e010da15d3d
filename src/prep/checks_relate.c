/*
 * Finds the relations between the columns of a table.
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
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/poll.h"
#include "common/sort.h"
#include "common/mem.h"
#include "prep/checks_fitter.h"
#include "prep/checks_row.h"

#define POLL_ROWS       64
#define ROWS_A_COLUMN   8   /* that relations need */
#define RESOLUTION_ROWS 512 /* that the last decimal of a column is taken from */
#define TRIM            0.9
#define TRIMS           2
#define RIDGE           1e-9
#define EXPLAINED       0.5 /* share of a column's variance that the others must explain */
#define KIND_ROWS       5   /* of a kind of rows that contradict the others as a whole */
#define LEVEL_LEAST     10  /* rows of each kept level */

/* Middle and deviation of a column, from its quartiles if they differ; false: it hardly varies. */
static bool find_unit(const od_checks_fitter *f, int64_t j)
{
    od_column_check *c = &f->c->col[j];
    int64_t n = 0;
    for (int64_t i = 0; i < f->take; i++) {
        double v = od_checks_cell(f, i, f->take, j);
        if (!isnan(v)) f->value[n++] = od_limits_scale(&c->limits, v);
    }
    if (n * 2 < f->take) return false;
    od_sort_double(f->value, n);
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
static int64_t add_level(const od_checks_fitter *f, int64_t q, int64_t col, int64_t level)
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
static int64_t add_levels(const od_checks_fitter *f, int64_t q)
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

static int64_t choose_related(const od_checks_fitter *f)
{
    int64_t q = 0;
    for (int64_t k = 0; k < OD_CHECKS_RELATED; k++) f->c->level[k].level = -1;
    for (int64_t j = 0; j < f->schema->cols && q <= OD_CHECKS_RELATED; j++) {
        const od_schema_col *s = &f->schema->col[j];
        if (od_poll_stopped() || !od_checks_is_number(s) || s->format.feature || !find_unit(f, j)) continue;
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
static double find_resolution(const od_checks_fitter *f, int64_t j)
{
    int64_t n = f->take < RESOLUTION_ROWS ? f->take : RESOLUTION_ROWS;
    for (double scale = 1.0; scale <= 1e4; scale *= 10.0) {
        bool whole = true;
        for (int64_t i = 0; i < n && whole; i++) {
            double v = od_checks_cell(f, i, n, j) * scale;
            whole = isnan(v) || fabs(v - round(v)) <= 1e-9 * fmax(fabs(v), 1.0);
        }
        if (whole) return 1.0 / scale;
    }
    return 0.0;
}

/* How far rounding to the last decimal moves a small value of a related column, in its deviations. */
static double find_rounding(const od_checks_fitter *f, int64_t j)
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

/* Whether at least half of the rows of a frequent level are odd: they are a kind of rows and not errors. odd
 * (n). */
static odim_status find_kind(const od_checks_fitter *f, const bool *odd, int64_t n, bool *kind,
                             odim_error *err)
{
    *kind = false;
    for (int64_t j = 0; j < f->schema->cols && !*kind; j++) {
        const od_schema_col *s = &f->schema->col[j];
        if (s->ignored || s->type != ODIM_CATEGORICAL) continue;
        size_t levels = (size_t)od_levels_count(&s->levels);
        int64_t *have = od_calloc(levels + 1, 2 * sizeof *have);
        if (!have) return od_fail_nomem(err);
        for (int64_t i = 0; i < n; i++) {
            double v = od_checks_cell(f, i, n, j);
            int64_t level = isnan(v) ? -1 : f->encoder->level[j][(int64_t)v];
            if (level < 0) continue;
            have[2 * level]++;
            have[2 * level + 1] += odd[i];
        }
        for (size_t k = 0; k < levels; k++)
            *kind |= have[2 * k] >= KIND_ROWS && have[2 * k + 1] * 2 >= have[2 * k];
        od_free(have);
    }
    return ODIM_OK;
}

/* Columns whose residuals are odd in all rows of some kind are not checked: the regression does not know the
 * kind. odd (n): scratch. */
static odim_status drop_kinds(const od_checks_fitter *f, const double *z, int64_t n, const double *mean,
                              bool *odd, odim_error *err)
{
    int64_t q = f->c->relations;
    const double *p = f->c->precision;
    odim_status status = ODIM_OK;
    for (int64_t j = 0; !status && j < q; j++) {
        od_column_check *c = &f->c->col[f->c->relation[j]];
        int64_t count = 0;
        if (f->c->level[j].level >= 0 || !c->related) continue;
        for (int64_t i = 0; i < n; i++) {
            double rest = 0.0;
            for (int64_t k = 0; k < q; k++) rest += p[j * q + k] * (z[i * q + k] - mean[k]);
            count += odd[i] = od_limits_evidence(&c->given, rest / p[j * q + j]) > 0.0;
        }
        bool kind = false;
        if (count >= KIND_ROWS) status = find_kind(f, odd, n, &kind, err);
        if (kind) c->related = false;
    }
    return status;
}

/* The limits of what the others leave of each column. */
static void limit_residuals(const od_checks_fitter *f, const double *z, int64_t n, const double *mean,
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
        od_sort_double(f->value, n);
        c->given = od_limits_find(f->value, n, tests, false, f->room);
        double margin = 0.0;
        for (int64_t k = 0; k < q; k++) margin += fabs(p[j * q + k]) / p[j * q + j] * rounding[k];
        allow_rounding(&c->given, margin);
        c->related = true;
    }
}

odim_status od_checks_relate(const od_checks_fitter *f, int64_t n, odim_error *err)
{
    od_checks *c = f->c;
    int64_t q = c->relations = choose_related(f);
    if (!q) return od_poll_check(err);
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
        od_sort_double(f->value, n);
        double most = f->value[(int64_t)(TRIM * (double)(n - 1))];
        for (int64_t i = 0; i < n; i++) keep[i] = f->room[i] <= most;
    }
    if (!status)
        limit_residuals(f, z, n, mean, mean + q, (double)f->schema->rows * (double)(f->schema->cols + q));
    if (!status) status = od_poll_check(err);
    if (!status) status = drop_kinds(f, z, n, mean, keep, err);
    od_free(z);
    od_free(mean);
    od_free(keep);
    return status;
}
