/*
 * Checks values against a rule.
 *
 * Values are rounded, so that a rule holds only up to the rounding errors of its terms. More than that breaks
 * it, but not at once: totals are also rounded in the middle of a calculation, and a few cents are no error
 * that anybody looks for.
 */
#include "prep/rules.h"

#include <float.h>
#include <math.h>

#define EXACT     1e-9  /* relative error of a calculation */
#define BROKEN    3.0   /* rounding errors that break a rule, */
#define BROKEN_BY 0.004 /* together with this share of its largest term */

bool od_rule_has(const od_rule *r, int64_t col)
{
    for (int k = 0; k < r->terms; k++)
        if (r->col[k] == col) return true;
    return false;
}

static double factor(const od_rule *r, const double *x, int i)
{
    double f = r->share[i] != 0.0 ? 1.0 + r->share[i] * x[i] : x[i];
    return r->weight[i] < 0.0 ? 1.0 / f : f;
}

/* How far rounding of term i moves its factor, relative to it. */
static double factor_error(const od_rule *r, const double *x, int i)
{
    double slope = r->share[i] != 0.0 ? r->share[i] : 1.0;
    double f = r->share[i] != 0.0 ? 1.0 + r->share[i] * x[i] : x[i];
    return fabs(r->rounding[i] * slope / f);
}

/* The product that x[0] should be, and its rounding error. */
static double product(const od_rule *r, const double *x, double *error)
{
    double value = r->constant, relative = EXACT;
    for (int i = 1; i < r->terms; i++) {
        value *= factor(r, x, i);
        relative += factor_error(r, x, i);
    }
    *error = r->rounding[0] + relative * fabs(value);
    return value;
}

static od_obedience judge(double rest, double error, double size)
{
    if (!isfinite(rest) || !isfinite(error)) return OD_RULE_SILENT;
    rest = fabs(rest);
    return rest <= error                               ? OD_RULE_OBEYED
           : rest <= BROKEN * error + BROKEN_BY * size ? OD_RULE_BENT
                                                       : OD_RULE_BROKEN;
}

static od_obedience check_sum(const od_rule *r, const double *x)
{
    double rest = -r->constant, error = 0.0, size = 0.0;
    int present = 0;
    for (int i = 0; i < r->terms; i++) {
        rest += r->weight[i] * x[i];
        error += fabs(r->weight[i]) * r->rounding[i] + EXACT * fabs(r->weight[i] * x[i]);
        present += x[i] != 0.0;
        /* A time is far from its zero. */
        double term = fabs(r->weight[i] * x[i]);
        if (r->share[i] == 0.0 && term > size) size = term;
    }
    return present < 2 ? OD_RULE_SILENT : judge(rest, error, size);
}

/* x[1] x[2] + weight[3] x[3], and its rounding error. */
static double added(const od_rule *r, const double *x, double *error)
{
    double value = x[1] * x[2] + r->weight[3] * x[3];
    *error = r->rounding[1] * fabs(x[2]) + r->rounding[2] * fabs(x[1]) + r->rounding[3] +
             EXACT * (fabs(x[1] * x[2]) + fabs(x[3]));
    return value;
}

/* The value of term k that the others imply. */
static double solve_added(const od_rule *r, const double *x, int k, double *error)
{
    double value = added(r, x, error);
    if (k == 0) return value;
    double rest = x[0] - r->weight[3] * x[3], by = k == 1 ? x[2] : x[1];
    double slack = r->rounding[0] + r->rounding[3] + EXACT * (fabs(x[0]) + fabs(x[3]));
    if (k == 3) {
        *error = r->rounding[0] + *error - r->rounding[3];
        return (x[0] - x[1] * x[2]) / r->weight[3];
    }
    *error = (slack + r->rounding[3 - k] * fabs(rest / by)) / fabs(by);
    return isfinite(rest / by) ? rest / by : NAN;
}

od_obedience od_rule_check(const od_rule *r, const double *x)
{
    for (int i = 0; i < r->terms; i++)
        if (!isfinite(x[i])) return OD_RULE_SILENT;
    if (r->kind == OD_RULE_ORDER)
        return x[1] - x[0] >= 0.0            ? OD_RULE_OBEYED
               : x[1] - x[0] >= -r->constant ? OD_RULE_BENT
                                             : OD_RULE_BROKEN;
    if (r->kind == OD_RULE_SUM) return check_sum(r, x);
    if (r->kind == OD_RULE_ADDED) {
        double slack, value = added(r, x, &slack);
        return judge(x[0] - value, slack + r->rounding[0], fmax(fabs(value), fabs(x[0])));
    }
    double error, value = product(r, x, &error);
    if (x[0] == 0.0 && value == 0.0) return OD_RULE_SILENT;
    return judge(x[0] - value, error, fmax(fabs(value), fabs(x[0])));
}

/* ---- many rows --------------------------------------------------------------------------------------- */

/* What is judged of each row, by the same operations as above; NaN makes a rule silent. */
typedef struct block {
    double rest[OD_RULE_BLOCK], error[OD_RULE_BLOCK], size[OD_RULE_BLOCK];
} block;

static void sum_block(const od_rule *r, double x[OD_RULE_TERMS][OD_RULE_BLOCK], block *b)
{
    double present[OD_RULE_BLOCK] = {0};
    for (int i = 0; i < OD_RULE_BLOCK; i++) {
        b->rest[i] = -r->constant;
        b->error[i] = b->size[i] = 0.0;
    }
    for (int k = 0; k < r->terms; k++) {
        double weight = r->weight[k], rounding = fabs(weight) * r->rounding[k],
               sized = r->share[k] == 0.0 ? 1.0 : 0.0;
        for (int i = 0; i < OD_RULE_BLOCK; i++) {
            double v = weight * x[k][i], far = fabs(v) * sized;
            b->rest[i] += v;
            b->error[i] += rounding + EXACT * fabs(v);
            b->size[i] = far > b->size[i] ? far : b->size[i];
            present[i] += x[k][i] != 0.0 ? 1.0 : 0.0;
        }
    }
    for (int i = 0; i < OD_RULE_BLOCK; i++) b->rest[i] = present[i] < 2.0 ? NAN : b->rest[i];
}

static void product_block(const od_rule *r, double x[OD_RULE_TERMS][OD_RULE_BLOCK], block *b)
{
    double value[OD_RULE_BLOCK], relative[OD_RULE_BLOCK];
    for (int i = 0; i < OD_RULE_BLOCK; i++) {
        value[i] = r->constant;
        relative[i] = EXACT;
    }
    for (int k = 1; k < r->terms; k++) {
        double share = r->share[k], moved = r->rounding[k] * (share != 0.0 ? share : 1.0);
        double f[OD_RULE_BLOCK];
        for (int i = 0; i < OD_RULE_BLOCK; i++) f[i] = share != 0.0 ? 1.0 + share * x[k][i] : x[k][i];
        for (int i = 0; i < OD_RULE_BLOCK; i++) relative[i] += fabs(moved / f[i]);
        if (r->weight[k] < 0.0)
            for (int i = 0; i < OD_RULE_BLOCK; i++) f[i] = 1.0 / f[i];
        for (int i = 0; i < OD_RULE_BLOCK; i++) value[i] *= f[i];
    }
    for (int i = 0; i < OD_RULE_BLOCK; i++) {
        double v = fabs(value[i]), first = fabs(x[0][i]);
        b->error[i] = r->rounding[0] + relative[i] * v;
        b->size[i] = v > first ? v : first;
        b->rest[i] = v + first > 0.0 ? x[0][i] - value[i] : NAN;
    }
}

static void added_block(const od_rule *r, double x[OD_RULE_TERMS][OD_RULE_BLOCK], block *b)
{
    for (int i = 0; i < OD_RULE_BLOCK; i++) {
        const double row[OD_RULE_TERMS] = {x[0][i], x[1][i], x[2][i], x[3][i]};
        double slack, value = added(r, row, &slack);
        b->rest[i] = row[0] - value;
        b->error[i] = slack + r->rounding[0];
        b->size[i] = fabs(value) > fabs(row[0]) ? fabs(value) : fabs(row[0]);
    }
}

void od_rule_count(const od_rule *r, double x[OD_RULE_TERMS][OD_RULE_BLOCK], int64_t count, od_rule_tally *t)
{
    block b;
    int64_t all = 0, obeyed = 0, broken = 0;
    for (int k = 0; k < r->terms; k++)
        for (int64_t i = count; i < OD_RULE_BLOCK; i++) x[k][i] = NAN;
    if (r->kind == OD_RULE_SUM)
        sum_block(r, x, &b);
    else if (r->kind == OD_RULE_PRODUCT)
        product_block(r, x, &b);
    else
        added_block(r, x, &b);
    for (int k = 0; k < r->terms; k++)
        for (int i = 0; i < OD_RULE_BLOCK; i++) b.rest[i] = fabs(x[k][i]) <= DBL_MAX ? b.rest[i] : NAN;
    for (int i = 0; i < OD_RULE_BLOCK; i++) {
        double rest = fabs(b.rest[i]), error = b.error[i];
        int64_t speaks = (rest <= DBL_MAX) & (fabs(error) <= DBL_MAX), obeys = rest <= error;
        all += speaks;
        obeyed += speaks & obeys;
        broken += speaks & (1 - obeys) & (1 - (rest <= BROKEN * error + BROKEN_BY * b.size[i]));
    }
    t->all += all;
    t->obeyed += obeyed;
    t->broken += broken;
}

double od_rule_solve(const od_rule *r, const double *x, int k, double *error)
{
    *error = 0.0;
    if (r->kind == OD_RULE_ORDER) return NAN;
    if (r->kind == OD_RULE_ADDED) return solve_added(r, x, k, error);
    if (r->kind == OD_RULE_SUM) {
        double rest = r->constant;
        for (int i = 0; i < r->terms; i++) {
            if (i == k) continue;
            rest -= r->weight[i] * x[i];
            *error += fabs(r->weight[i] / r->weight[k]) * (r->rounding[i] + EXACT * fabs(x[i]));
        }
        return rest / r->weight[k];
    }
    if (k == 0) {
        double value = product(r, x, error);
        return isfinite(value) ? value : NAN;
    }
    double f = x[0] / r->constant, relative = EXACT + fabs(r->rounding[0] / x[0]);
    for (int i = 1; i < r->terms; i++) {
        if (i == k) continue;
        f /= factor(r, x, i);
        relative += factor_error(r, x, i);
    }
    if (r->weight[k] < 0.0) f = 1.0 / f;
    *error = relative * fabs(f);
    if (r->share[k] != 0.0) {
        f = (f - 1.0) / r->share[k];
        *error /= fabs(r->share[k]);
    }
    return isfinite(f) && isfinite(*error) ? f : NAN;
}

bool od_rule_on_grid(const od_rule *r, int k, double value, double error)
{
    double step = r->step[k];
    if (!(step > 0.0)) return true;
    return fabs(value - step * round(value / step)) <= error + EXACT * fabs(value);
}
