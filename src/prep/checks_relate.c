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
#define ROWS_AT_ONCE    256
#define COLUMNS_AT_ONCE 8
#define SQUARES         16.0 /* products that take as long as the work on a cell */
#define ROWS_A_COLUMN   8    /* that relations need */
#define RESOLUTION_ROWS 512  /* that the last decimal of a column is taken from */
#define TRIM            0.9
#define TRIMS           2
#define RIDGE           1e-9
#define EXPLAINED       0.5 /* share of a column's variance that the others must explain */
#define KIND_ROWS       5   /* of a kind of rows that contradict the others as a whole */
#define LEVEL_LEAST     10  /* rows of each kept level */

/* Sets middle and deviation of a column; false: it hardly varies. */
static bool set_unit(const od_checks_fitter *f, int64_t j)
{
    const od_checks_unit *u = &f->unit[j];
    if (!u->known) return false;
    f->c->col[j].centre = u->centre;
    f->c->col[j].unit = u->unit;
    return u->varies;
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
        if (od_poll_stopped() || !od_checks_is_number(s) || s->format.feature || !set_unit(f, j)) continue;
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

typedef struct relater {
    const od_checks_fitter *f;
    int64_t n, q;
    double cells, squares;   /* the work of a stage */
    double *z;               /* (n, q) deviations */
    double *mean, *variance; /* (q) of the rows that are kept */
    double *rest;            /* (q, n) what the others leave of each column */
    bool *keep;              /* (n) */
    bool *odd;               /* (threads, n) */
    double rounding[OD_CHECKS_RELATED];
} relater;

/* ---- rows side by side ------------------------------------------------------------------------------- */

/* Sums are taken in the order of rows and columns, as for one row alone, but of LANES rows at a time. */
#define LANES 8

/* The deviations of rows first..first+LANES-1 from the mean, column by column; the last row is repeated. */
static void turn_rows(const relater *r, int64_t first, double d[OD_CHECKS_RELATED][LANES])
{
    for (int l = 0; l < LANES; l++) {
        const double *z = r->z + (first + l < r->n ? first + l : r->n - 1) * r->q;
        for (int64_t k = 0; k < r->q; k++) d[k][l] = z[k] - r->mean[k];
    }
}

/* Squared distances from the mean. */
static void find_distances(const relater *r, double d[OD_CHECKS_RELATED][LANES], double sum[LANES])
{
    double s[LANES] = {0};
    for (int64_t j = 0; j < r->q; j++) {
        const double *p = r->f->c->precision + j * r->q;
        for (int64_t k = 0; k < r->q; k++)
            for (int l = 0; l < LANES; l++) s[l] += d[j][l] * p[k] * d[k][l];
    }
    memcpy(sum, s, sizeof s);
}

/* What the others leave of column j. */
static void find_rest(const relater *r, double d[OD_CHECKS_RELATED][LANES], int64_t j, double rest[LANES])
{
    const double *p = r->f->c->precision + j * r->q;
    double s[LANES] = {0};
    for (int64_t k = 0; k < r->q; k++)
        for (int l = 0; l < LANES; l++) s[l] += p[k] * d[k][l];
    for (int l = 0; l < LANES; l++) rest[l] = s[l] / p[j];
}

static int64_t end_of(int64_t job, int64_t at_once, int64_t all)
{
    return (job + 1) * at_once < all ? (job + 1) * at_once : all;
}

/* Runs jobs of `at_once` of `all` rows or columns, which take as long as `cells` others. */
static odim_status run(relater *r, double cells, int64_t all, int64_t at_once, od_parallel_job job,
                       odim_error *err)
{
    int threads = od_parallel_worth(r->f->threads, cells);
    return od_parallel_run(threads, (all + at_once - 1) / at_once, job, od_poll_tick, r, err);
}

static odim_status deviate(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    const relater *r = ctx;
    (void)par, (void)worker, (void)err;
    for (int64_t i = job * ROWS_AT_ONCE; i < end_of(job, ROWS_AT_ONCE, r->n); i++) {
        r->keep[i] = true;
        od_checks_deviations(r->f->c, r->f->encoder, od_row_set_even(r->f->rows, i, r->n), r->z + i * r->q);
    }
    return ODIM_OK;
}

/* ---- the precision matrix ---------------------------------------------------------------------------- */

/* Adds the products of deviations d (LANES, q) to rows first..end-1 of p, row by row. */
static void add_products(double d[LANES][OD_CHECKS_RELATED], int64_t first, int64_t end, int64_t q, double *p)
{
    for (int64_t j = first; j < end; j++) {
        double *restrict to = p + j * q;
        for (int64_t k = 0; k <= j; k++) {
            double sum = to[k];
            for (int l = 0; l < LANES; l++) sum += d[l][j] * d[l][k];
            to[k] = sum;
        }
    }
}

/* Some rows of the sums of products of the rows that are kept. */
static odim_status sum_products(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    const relater *r = ctx;
    double d[LANES][OD_CHECKS_RELATED], *p = r->f->c->precision;
    int64_t first = job * COLUMNS_AT_ONCE, end = end_of(job, COLUMNS_AT_ONCE, r->q);
    int have = 0;
    (void)worker;
    memset(p + first * r->q, 0, (size_t)((end - first) * r->q) * sizeof *p);
    for (int64_t i = 0; i < r->n; i++) {
        if (i % POLL_ROWS == 0 && od_parallel_stopped(par))
            return od_fail(err, ODIM_ERR_CANCELLED, "cancelled");
        if (!r->keep[i]) continue;
        for (int64_t k = 0; k < end; k++) d[have][k] = r->z[i * r->q + k] - r->mean[k];
        if (++have < LANES) continue;
        add_products(d, first, end, r->q, p);
        have = 0;
    }
    for (int l = 0; l < have; l++)
        for (int64_t j = first; j < end; j++)
            for (int64_t k = 0; k <= j; k++) p[j * r->q + k] += d[l][j] * d[l][k];
    return ODIM_OK;
}

/* P of the rows that are kept. */
static odim_status find_precision(relater *r, odim_error *err)
{
    int64_t count = 0, q = r->q;
    double *p = r->f->c->precision;
    memset(r->mean, 0, (size_t)q * sizeof *r->mean);
    for (int64_t i = 0; i < r->n; i++) {
        if (!r->keep[i]) continue;
        count++;
        for (int64_t j = 0; j < q; j++) r->mean[j] += r->z[i * q + j];
    }
    for (int64_t j = 0; j < q; j++) r->mean[j] /= (double)count;
    odim_status status = run(r, r->squares, q, COLUMNS_AT_ONCE, sum_products, err);
    if (status) return status;
    for (int64_t j = 0; j < q; j++) {
        for (int64_t k = 0; k <= j; k++) p[k * q + j] = p[j * q + k] = p[j * q + k] / (double)count;
        r->variance[j] = p[j * q + j];
        p[j * q + j] += RIDGE;
    }
    invert(p, q);
    return ODIM_OK;
}

static odim_status measure(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    const relater *r = ctx;
    double d[OD_CHECKS_RELATED][LANES], sum[LANES], *distance = r->f->scratch[0].room;
    (void)par, (void)worker, (void)err;
    for (int64_t i = job * ROWS_AT_ONCE; i < end_of(job, ROWS_AT_ONCE, r->n); i += LANES) {
        turn_rows(r, i, d);
        find_distances(r, d, sum);
        memcpy(distance + i, sum, (size_t)(r->n - i < LANES ? r->n - i : LANES) * sizeof *sum);
    }
    return ODIM_OK;
}

/* Leaves out the rows that are farthest out. */
static odim_status trim(relater *r, odim_error *err)
{
    double *distance = r->f->scratch[0].room, *sorted = r->f->scratch[0].value;
    odim_status status = run(r, r->squares, r->n, ROWS_AT_ONCE, measure, err);
    if (status) return status;
    memcpy(sorted, distance, (size_t)r->n * sizeof *sorted);
    od_sort_double_with(sorted, r->n, r->rest);
    double most = sorted[(int64_t)(TRIM * (double)(r->n - 1))];
    for (int64_t i = 0; i < r->n; i++) r->keep[i] = distance[i] <= most;
    return ODIM_OK;
}

/* ---- residuals --------------------------------------------------------------------------------------- */

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

/* Whether the others explain a column well. */
static bool is_explained(const relater *r, int64_t j)
{
    const od_checks *c = r->f->c;
    return c->level[j].level < 0 && !c->col[c->relation[j]].coarse &&
           1.0 / c->precision[j * r->q + j] < (1.0 - EXPLAINED) * r->variance[j];
}

static odim_status leave(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    const relater *r = ctx;
    double d[OD_CHECKS_RELATED][LANES], rest[LANES];
    (void)par, (void)worker, (void)err;
    for (int64_t i = job * ROWS_AT_ONCE; i < end_of(job, ROWS_AT_ONCE, r->n); i += LANES) {
        turn_rows(r, i, d);
        for (int64_t j = 0; j < r->q; j++) {
            if (!is_explained(r, j)) continue;
            find_rest(r, d, j, rest);
            memcpy(r->rest + j * r->n + i, rest,
                   (size_t)(r->n - i < LANES ? r->n - i : LANES) * sizeof *rest);
        }
    }
    return ODIM_OK;
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

/* The limits of what the others leave of a column. A column whose residuals are odd in all rows of some kind
 * is not checked: the regression does not know the kind. */
static odim_status limit_rest(void *ctx, od_parallel *par, int worker, int64_t j, odim_error *err)
{
    const relater *r = ctx;
    const od_checks_fitter *f = r->f;
    od_column_check *c = &f->c->col[f->c->relation[j]];
    const double *p = f->c->precision + j * r->q, *rest = r->rest + j * r->n;
    double tests = (double)f->schema->rows * (double)(f->schema->cols + r->q), margin = 0.0;
    const od_checks_scratch *w = &f->scratch[worker];
    (void)par;
    if (!is_explained(r, j)) return ODIM_OK;
    memcpy(w->value, rest, (size_t)r->n * sizeof *rest);
    od_sort_double_with(w->value, r->n, w->room);
    c->given = od_limits_find(w->value, r->n, tests, false, w->room);
    for (int64_t k = 0; k < r->q; k++) margin += fabs(p[k]) / p[j] * r->rounding[k];
    allow_rounding(&c->given, margin);
    bool *odd = r->odd + worker * r->n, kind = false;
    int64_t count = 0;
    for (int64_t i = 0; i < r->n; i++) count += odd[i] = od_limits_evidence(&c->given, rest[i]) > 0.0;
    odim_status status = count >= KIND_ROWS ? find_kind(f, odd, r->n, &kind, err) : ODIM_OK;
    c->related = !status && !kind;
    return status;
}

static odim_status limit_residuals(relater *r, odim_error *err)
{
    od_checks *c = r->f->c;
    for (int64_t j = 0; j < r->q; j++) {
        od_column_check *col = &c->col[c->relation[j]];
        od_related_level *l = &c->level[j];
        r->rounding[j] = l->level < 0 ? find_rounding(r->f, c->relation[j]) : 0.0;
        /* Deviations are counted from the middle of the trimmed rows from here on. */
        *(l->level < 0 ? &col->centre : &l->centre) += r->mean[j] * (l->level < 0 ? col->unit : l->unit);
    }
    odim_status status = run(r, r->squares, r->n, ROWS_AT_ONCE, leave, err);
    return status ? status : run(r, r->cells, r->q, 1, limit_rest, err);
}

odim_status od_checks_relate(const od_checks_fitter *f, int64_t n, odim_error *err)
{
    od_checks *c = f->c;
    int64_t q = c->relations = choose_related(f);
    if (!q) return od_poll_check(err);
    relater r = {.f = f, .n = n, .q = q, .cells = (double)n * (double)q};
    r.squares = r.cells * (double)q / SQUARES;
    r.z = od_alloc((size_t)n, (size_t)q * sizeof *r.z);
    r.rest = od_alloc((size_t)n, (size_t)q * sizeof *r.rest);
    r.mean = od_alloc((size_t)q, 2 * sizeof *r.mean);
    r.variance = r.mean ? r.mean + q : NULL;
    r.keep = od_alloc((size_t)n, sizeof *r.keep);
    r.odd = od_alloc((size_t)n, (size_t)f->threads * sizeof *r.odd);
    c->precision = od_alloc((size_t)q, (size_t)q * sizeof *c->precision);
    bool has_room = r.z && r.rest && r.mean && r.keep && r.odd && c->precision;
    odim_status status = has_room ? od_poll_check(err) : od_fail_nomem(err);
    if (!status) status = run(&r, r.cells, n, ROWS_AT_ONCE, deviate, err);
    for (int i = 0; !status && i <= TRIMS; i++) {
        status = find_precision(&r, err);
        if (!status && i < TRIMS) status = trim(&r, err);
    }
    if (!status) status = limit_residuals(&r, err);
    od_free(r.z);
    od_free(r.rest);
    od_free(r.mean);
    od_free(r.keep);
    od_free(r.odd);
    return status;
}
