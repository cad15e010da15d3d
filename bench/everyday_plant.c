/* Plants errors in everyday tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "everyday.h"

enum { TRIES = 20000 };

const char *ed_kind_name(ed_kind kind)
{
    static const char *const names[ED_KINDS] = {"none",
                                                "factor 10",
                                                "factor 100",
                                                "factor 1000",
                                                "sign",
                                                "unit",
                                                "digits swapped",
                                                "extra digit",
                                                "columns swapped",
                                                "combination",
                                                "relation",
                                                "rare category",
                                                "misspelt",
                                                "wrong year",
                                                "day and month",
                                                "wrong order",
                                                "stuck",
                                                "placeholder",
                                                "gap"};
    return names[kind];
}

/* ---- what is far outside ---------------------------------------------------------------------------- */

static double quantile(const ed_table *t, int col, double q)
{
    return t->sorted[col][(int64_t)(q * (double)(t->present[col] - 1))];
}

int ed_is_gross(const ed_table *t, int col, double v)
{
    if (t->spec->columns[col].type == ED_CATEGORY || isnan(v) || !t->present[col]) return 0;
    double low = quantile(t, col, 0), high = quantile(t, col, 1), middle = quantile(t, col, 0.5);
    double margin = (high - low) / 4;
    if (t->spec->columns[col].type == ED_NUMBER && low >= 0 && high > 10 * middle)
        return v < low - margin || v > 3 * high;
    if (t->spec->columns[col].type == ED_NUMBER && high <= 0 && low < 10 * middle)
        return v < 3 * low || v > high + margin;
    return v < low - margin || v > high + margin;
}

/* ---- digits ----------------------------------------------------------------------------------------- */

/* Digits of the whole part; returns how many. */
static int split(double v, char digits[32])
{
    snprintf(digits, 32, "%.0f", floor(fabs(v)));
    return (int)strlen(digits);
}

static double join(const char *digits, double v)
{
    double whole = floor(fabs(v)), sum = atof(digits) + (fabs(v) - whole);
    return v < 0 ? -sum : sum;
}

static double swap_digits(ed_random *r, double v)
{
    char d[32];
    int len = split(v, d);
    if (len < 2) return v;
    int at = ed_pick(r, len - 1);
    char kept = d[at];
    if (at == 0 && d[1] == '0') return v;
    d[at] = d[at + 1];
    d[at + 1] = kept;
    return join(d, v);
}

static double double_digit(ed_random *r, double v)
{
    char d[33];
    int len = split(v, d), at = ed_pick(r, len);
    memmove(d + at + 1, d + at, (size_t)(len - at) + 1);
    return join(d, v);
}

/* ---- dates ------------------------------------------------------------------------------------------ */

static double with_year(const ed_column *column, double v, double year)
{
    double unit = column->type == ED_TIME ? 86400.0 : 1.0, day = floor(v / unit);
    int y, m, d;
    ed_civil(day, &y, &m, &d);
    return ed_day((int)year, m, d > 28 ? 28 : d) * unit + (v - day * unit);
}

static double swap_day_month(double v)
{
    int y, m, d;
    ed_civil(v, &y, &m, &d);
    return d <= 12 ? ed_day(y, d, m) : v;
}

/* ---- combinations ----------------------------------------------------------------------------------- */

static int is_category(const ed_table *t, int col)
{
    return t->spec->columns[col].type == ED_CATEGORY;
}

static double new_value(const ed_table *t, ed_random *r, int col, double wanted)
{
    if (is_category(t, col)) return wanted;
    return quantile(t, col, ed_clamp(wanted + ed_between(r, -0.02, 0.02), 0, 1));
}

/* The row has in column `other` what makes the new value impossible. */
static int fits(const ed_table *t, const ed_plant *p, int other, double v)
{
    if (is_category(t, other)) return v == p->a;
    return p->a < 0.5 ? v <= quantile(t, other, p->a) : v >= quantile(t, other, p->a);
}

/* No clean row like this one in `other` has such a value in `col`. */
static int is_impossible(const ed_table *t, int col, int other, double v, double like)
{
    double low = INFINITY, high = -INFINITY, near = 0;
    if (!is_category(t, other)) { /* as near as a twentieth of the rows, or so */
        near = fmax(quantile(t, other, 1) - quantile(t, other, 0.95),
                    quantile(t, other, 0.05) - quantile(t, other, 0));
        near = fmin(near, (quantile(t, other, 1) - quantile(t, other, 0)) / 6);
    }
    for (int64_t i = 0; i < t->rows; i++) {
        const double *row = t->clean + i * t->cols;
        if (isnan(row[other]) || isnan(row[col]) || fabs(row[other] - like) > near) continue;
        if (is_category(t, col) && row[col] == v) return 0;
        low = fmin(low, row[col]);
        high = fmax(high, row[col]);
    }
    return is_category(t, col) || v < low || v > high;
}

/* ---- planting --------------------------------------------------------------------------------------- */

static double spoil(const ed_table *t, ed_random *r, const ed_plant *p, int col, const double *row)
{
    double v = row[col];
    switch (p->kind) {
    case ED_FACTOR10: return p->a < 0 ? v / 10 : v * 10;
    case ED_FACTOR100: return p->a < 0 ? v / 100 : v * 100;
    case ED_FACTOR1000: return p->a < 0 ? v / 1000 : v * 1000;
    case ED_SIGN: return 0 - v;
    case ED_UNIT: return ed_round(v * p->a + p->b, 2);
    case ED_DIGITS: return swap_digits(r, v);
    case ED_EXTRA_DIGIT: return double_digit(r, v);
    case ED_COMBINATION: return new_value(t, r, col, p->b);
    case ED_RELATION: return ed_round(v * p->a, t->spec->columns[col].decimals);
    case ED_RARE:
    case ED_MISSPELT: return (double)(ED_NEW_LEVEL + (p - t->spec->plants));
    case ED_WRONG_YEAR: return with_year(&t->spec->columns[col], v, p->a);
    case ED_DAY_MONTH: return swap_day_month(v);
    case ED_ORDER: return row[ed_find_column(t->spec, p->other)] - p->a;
    case ED_PLACEHOLDER: return p->a;
    case ED_GAP: return NAN;
    default: return v;
    }
}

static void mark(ed_table *t, int64_t i, const ed_plant *p, int col, int other, int gross)
{
    t->truth[i] = (ed_truth){p->kind, gross, col, other};
    t->planted++;
    t->gross += gross;
}

static int plant_swap(ed_table *t, const ed_plant *p, int64_t i, int col)
{
    int other = ed_find_column(t->spec, p->other);
    double *row = t->spoilt + i * t->cols, kept = row[col];
    if (isnan(row[other]) || row[col] == row[other]) return 0;
    int gross = ed_is_gross(t, col, row[other]) || ed_is_gross(t, other, row[col]);
    if (p->gross && !gross) return 0;
    row[col] = row[other];
    row[other] = kept;
    mark(t, i, p, col, other, gross);
    return 1;
}

/* The run begins after row i, whose value it repeats. */
static int plant_stuck(ed_table *t, const ed_plant *p, int64_t i, int col)
{
    int64_t run = (int64_t)p->a;
    if (i + run >= t->rows) return 0;
    double v = t->clean[i * t->cols + col];
    for (int64_t k = i; k <= i + run; k++) {
        double clean = t->clean[k * t->cols + col];
        if (t->truth[k].kind || isnan(clean) || (k > i && clean == v)) return 0;
    }
    for (int64_t k = i + 1; k <= i + run; k++) {
        t->spoilt[k * t->cols + col] = v;
        mark(t, k, p, col, -1, 0);
    }
    return 1;
}

static int plant_value(ed_table *t, ed_random *r, const ed_plant *p, int64_t i, int col)
{
    double *row = t->spoilt + i * t->cols;
    int other = p->other ? ed_find_column(t->spec, p->other) : -1;
    if (other >= 0 && isnan(row[other])) return 0;
    if (p->kind == ED_COMBINATION && !fits(t, p, other, row[other])) return 0;
    double v = spoil(t, r, p, col, row);
    int gross = ed_is_gross(t, col, v);
    if (v == row[col] || (p->gross && !gross)) return 0;
    if (p->kind == ED_DAY_MONTH && fabs(v - row[col]) < 60) return 0;
    if (p->kind == ED_COMBINATION && (gross || !is_impossible(t, col, other, v, row[other]))) return 0;
    row[col] = v;
    mark(t, i, p, col, -1, gross);
    return 1;
}

static int plant_at(ed_table *t, ed_random *r, const ed_plant *p, int64_t i)
{
    int col = ed_find_column(t->spec, p->column);
    if (t->truth[i].kind || isnan(t->spoilt[i * t->cols + col])) return 0;
    if (p->kind == ED_SWAP) return plant_swap(t, p, i, col);
    if (p->kind == ED_STUCK) return plant_stuck(t, p, i, col);
    return plant_value(t, r, p, i, col);
}

void ed_plant_errors(ed_table *t, uint64_t state)
{
    ed_random r = {.state = state};
    for (const ed_plant *p = t->spec->plants; p < t->spec->plants + ED_PLANTS && p->kind; p++) {
        for (int n = p->count ? p->count : 1; n > 0; n--) {
            int tries = 0;
            while (tries < TRIES && !plant_at(t, &r, p, (int64_t)(ed_uniform(&r) * (double)t->rows))) tries++;
            if (tries == TRIES)
                fprintf(stderr, BENCH_NAME ": %s: no row is fit for '%s' in %s; left out\n", t->spec->name,
                        ed_kind_name(p->kind), p->column);
        }
    }
}
