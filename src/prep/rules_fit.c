/*
 * Finds the rules of arithmetic that nearly all rows obey.
 *
 * Every form of a rule is tried on every choice of columns: sums and differences of three and four columns,
 * means of two and three, products of two to four columns with a constant, with factors such as 1 - discount,
 * a product of two plus or minus a third, and a time that is another one plus a duration. Hardly any choice
 * survives its first rows, so that trying is cheap. A rule is kept if
 *
 *     enough rows have all of its values, and nearly all of these obey it to the last decimal;
 *     few break it, for what many rows break is no rule;
 *     it says something about each of its columns: with values of another row it would often be broken.
 *
 * In a table of few rows, all but one must obey, and chance must be unlikely to explain it.
 *
 * A rule of few columns comes before one of more that hold no better. Where a time or an amount is nearly
 * always at least another one, that is a rule too, if a row that breaks it does so by a clear margin.
 */
#include "prep/rules_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sort.h"
#include "common/mem.h"

#define FIRST_ROWS        32 /* that a rule must survive, */
#define FIRST_BREAKS      4  /* with at most so many that break it */
#define SPREAD_ROWS       64
#define SPREAD_SILENT     56
#define LEAST_ROWS        8    /* that a rule says something about */
#define SMALL_ROWS        20   /* fewer rows must agree all but one */
#define OBEYED            0.95 /* share of rows */
#define BROKEN_LEAST      2    /* rows that may break it, */
#define BROKEN_SHARE      50   /* or one in so many */
#define FOREIGN           0.6  /* of rows with a value of another row, that obey it at most; */
#define FOREIGN_FEW       0.3  /* so many where rows are few */
#define MATTERS           0.03 /* share of the rows in which each term must matter */
#define WIDE              12   /* columns, above which rules of four are not looked for */
#define ORDER_ROWS        50
#define ORDER_SHARE       200  /* one row in so many may be in the wrong order */
#define ORDER_MARGIN      0.1  /* quantile of the differences that a break must exceed, */
#define ORDER_MANY        5000 /* and in tables of more rows: */
#define ORDER_MARGIN_MANY 0.5
#define ORDER_ZEROS       50    /* one in so many differences is 0: then any break counts */
#define ORDER_TIED        0.7   /* correlation of numbers that may have an order */
#define FINE              0.005 /* of most values: rounding of a factor */
#define GRID_OFF          50    /* one value in so many may be off the grid */

typedef struct finder {
    const od_rules_input *in;
    od_rules *rules;
    double step[OD_RULE_COLUMNS];
    bool fine[OD_RULE_COLUMNS];   /* whether rounding hardly moves most values */
    double obeyed[OD_RULES_MOST]; /* share of rows that obey each rule */
    double *room;                 /* (n) */
} finder;

static double at(const finder *f, int64_t row, int col)
{
    return f->in->x[row * f->in->q + col];
}

/* ---- the grid of a column ---------------------------------------------------------------------------- */

static bool fits_grid(const finder *f, int col, double step)
{
    int64_t off = 0, n = f->in->n;
    for (int64_t i = 0; i < n; i++) {
        double v = at(f, i, col) / step;
        off += fabs(v - round(v)) > 1e-6 + 1e-12 * fabs(v);
        if (off * GRID_OFF > n) return false;
    }
    return true;
}

/* The step of a column: 0.01 for cents, 5 for multiples of five; 0: measurements with many decimals. */
static double find_step(const finder *f, int col)
{
    static const double wider[] = {100.0, 50.0, 25.0, 20.0, 10.0, 5.0, 2.0};
    if (f->in->is_time[col])
        return fits_grid(f, col, 86400.0) ? 86400.0 : fits_grid(f, col, 60.0) ? 60.0 : 1.0;
    for (double scale = 1.0; scale <= 1e4; scale *= 10.0) {
        if (!fits_grid(f, col, 1.0 / scale)) continue;
        for (size_t k = 0; k < sizeof wider / sizeof *wider; k++)
            if (fits_grid(f, col, wider[k] / scale)) return wider[k] / scale;
        return 1.0 / scale;
    }
    return 0.0;
}

/* ---- one rule ---------------------------------------------------------------------------------------- */

/* A rule whose columns are places in the input. */
typedef struct attempt {
    od_rule rule;
    int place[OD_RULE_TERMS];
} attempt;

/* The values of row i; those of term `foreign` come from another row. */
static od_obedience check_row(const finder *f, const attempt *a, int64_t i, int foreign)
{
    double x[OD_RULE_TERMS];
    for (int k = 0; k < a->rule.terms; k++)
        x[k] = at(f, k == foreign ? (i + f->in->n / 3 + 1) % f->in->n : i, a->place[k]);
    return od_rule_check(&a->rule, x);
}

/* Of the rows that a rule speaks of: how many there are, and how many obey or break it. */
typedef struct tally {
    int64_t all, obeyed, broken;
} tally;

static void count_row(const finder *f, const attempt *a, int64_t i, int foreign, tally *t)
{
    od_obedience o = check_row(f, a, i, foreign);
    t->all += o != OD_RULE_SILENT;
    t->obeyed += o == OD_RULE_OBEYED;
    t->broken += o == OD_RULE_BROKEN;
}

static double share_obeyed(const tally *t)
{
    return t->all ? (double)t->obeyed / (double)t->all : 0.0;
}

/* Whether the rows that are left, which are so many, cannot make it a rule any more. */
static bool is_hopeless(const finder *f, const tally *t, int64_t left)
{
    int64_t n = f->in->n, disobeyed = t->all - t->obeyed;
    return (t->all + left) * 2 < n ||
           (n >= 2 * SMALL_ROWS && (double)disobeyed > (1.0 - OBEYED) * (double)n + 1.0);
}

/* Whether a rule says nothing about most of some rows, evenly spread: nearly all of their values are 0. A
 * rule that does not speak of half of the rows is none, and this finds out sooner. */
static bool is_silent(const finder *f, const attempt *a)
{
    int silent = 0;
    if (f->in->n < 4 * SPREAD_ROWS) return false;
    for (int64_t i = 0; i < SPREAD_ROWS; i++)
        silent += check_row(f, a, i * f->in->n / SPREAD_ROWS, -1) == OD_RULE_SILENT;
    return silent > SPREAD_SILENT;
}

static bool survives(const finder *f, const attempt *a)
{
    int breaks = 0;
    for (int64_t i = 0; i < f->in->n && i < FIRST_ROWS; i++) {
        od_obedience o = check_row(f, a, i, -1);
        breaks += o == OD_RULE_BROKEN || o == OD_RULE_BENT;
        if (breaks > FIRST_BREAKS) return false;
    }
    return !is_silent(f, a);
}

static bool is_rule(const finder *f, const attempt *a, double *obeyed)
{
    tally t = {0};
    for (int64_t i = 0; i < f->in->n; i++) {
        count_row(f, a, i, -1, &t);
        if (is_hopeless(f, &t, f->in->n - 1 - i)) return false;
    }
    int64_t most = t.all / BROKEN_SHARE > BROKEN_LEAST ? t.all / BROKEN_SHARE : BROKEN_LEAST;
    bool small = t.all < SMALL_ROWS;
    double least = small ? 1.0 - 1.01 / (double)t.all : OBEYED;
    *obeyed = share_obeyed(&t);
    if (t.all < LEAST_ROWS || t.all * 2 < f->in->n || *obeyed < least || t.broken > (small ? 1 : most))
        return false;
    for (int k = 0; k < a->rule.terms; k++) {
        tally foreign = {0};
        for (int64_t i = 0; i < f->in->n; i++) count_row(f, a, i, k, &foreign);
        if (share_obeyed(&foreign) > (small ? FOREIGN_FEW : k == 0 ? FOREIGN : *obeyed - MATTERS))
            return false;
    }
    return true;
}

/* Whether a rule that is there is about some of these columns and none besides, and holds about as well. */
static bool is_known(const finder *f, const od_rule *r, double obeyed)
{
    for (int i = 0; i < f->rules->count; i++) {
        const od_rule *other = &f->rules->rule[i];
        bool within = other->kind != OD_RULE_ORDER;
        for (int k = 0; k < other->terms; k++) within &= od_rule_has(r, other->col[k]);
        if (within && (other->terms == r->terms || f->obeyed[i] + 0.001 >= obeyed)) return true;
    }
    return false;
}

/* Whether rounding hardly moves the values of a factor. A count of 1 to 8 is exact, and would otherwise
 * excuse half of any product. */
static bool is_fine(const finder *f, int col)
{
    int64_t coarse = 0, all = 0;
    for (int64_t i = 0; i < f->in->n; i++) {
        double v = fabs(at(f, i, col));
        if (!(v > 0.0)) continue;
        all++;
        coarse += 0.5 * f->step[col] > FINE * v;
    }
    return 2 * coarse < all;
}

/* Whether it is a rule if only its result is rounded or, failing that, if all of its terms are. */
static bool try_roundings(const finder *f, attempt *a, double *obeyed)
{
    int coarsest = 0;
    for (int k = 1; a->rule.kind == OD_RULE_SUM && k < a->rule.terms; k++)
        if (fabs(a->rule.weight[k]) * a->rule.step[k] >
            fabs(a->rule.weight[coarsest]) * a->rule.step[coarsest])
            coarsest = k;
    for (int all = 0; all < 2; all++) {
        for (int k = 0; k < a->rule.terms; k++)
            a->rule.rounding[k] = (all || k == coarsest) && (k == coarsest || a->rule.kind == OD_RULE_SUM ||
                                                             f->fine[a->place[k]])
                                      ? 0.5 * a->rule.step[k]
                                      : 0.0;
        if (survives(f, a) && is_rule(f, a, obeyed)) return true;
    }
    return false;
}

static void try_rule(finder *f, attempt *a)
{
    double obeyed;
    if (f->rules->count == OD_RULES_MOST) return;
    for (int k = 0; k < a->rule.terms; k++) {
        a->rule.col[k] = f->in->col[a->place[k]];
        a->rule.step[k] = f->step[a->place[k]];
    }
    if (!try_roundings(f, a, &obeyed) || is_known(f, &a->rule, obeyed)) return;
    f->obeyed[f->rules->count] = obeyed;
    f->rules->rule[f->rules->count++] = a->rule;
}

/* ---- sums -------------------------------------------------------------------------------------------- */

/* x[0] is the sum of the others, by their signs; then their mean. */
static void try_sums(finder *f, const int *place, int terms)
{
    for (int signs = 0; signs < 1 << (terms - 1); signs++) {
        attempt a = {.rule = {.kind = OD_RULE_SUM, .terms = terms}};
        memcpy(a.place, place, (size_t)terms * sizeof *place);
        a.rule.weight[0] = 1.0;
        for (int k = 1; k < terms; k++) a.rule.weight[k] = signs >> (k - 1) & 1 ? 1.0 : -1.0;
        if (signs + 1 < 1 << (terms - 1)) try_rule(f, &a); /* not all on one side */
    }
    for (int k = 0; k < terms; k++) {
        attempt a = {.rule = {.kind = OD_RULE_SUM, .terms = terms}};
        for (int i = 0; i < terms; i++) {
            a.place[i] = place[(k + i) % terms];
            a.rule.weight[i] = i ? -1.0 : (double)(terms - 1);
        }
        try_rule(f, &a);
    }
}

/* ---- products ---------------------------------------------------------------------------------------- */

/* The ratio of x[0] to the product of the others that most rows have, as short a number as possible. */
static double find_constant(const finder *f, const attempt *a)
{
    int64_t n = f->in->n < 4 * FIRST_ROWS ? f->in->n : 4 * FIRST_ROWS, count = 0;
    double x[OD_RULE_TERMS], error;
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < a->rule.terms; k++) x[k] = at(f, i, a->place[k]);
        double value = od_rule_solve(&a->rule, x, 0, &error), ratio = x[0] / value;
        if (isfinite(ratio) && ratio != 0.0) f->room[count++] = ratio;
    }
    if (count < LEAST_ROWS) return NAN;
    od_sort_double(f->room, count);
    double ratio = f->room[count / 2], spread = f->room[count * 5 / 8] - f->room[count * 3 / 8];
    if (spread > 0.05 * fabs(ratio)) return NAN; /* it is not a constant */
    double unit = pow(10.0, floor(log10(fabs(ratio))) + 1.0);
    for (int digits = 1; digits <= 6; digits++) {
        unit /= 10.0;
        double rounded = unit * round(ratio / unit);
        if (fabs(rounded - ratio) <= fmax(0.5 * spread, 1e-9 * fabs(ratio))) return rounded;
    }
    return ratio;
}

static void try_product(finder *f, const int *place, int terms, int first, double share)
{
    attempt a = {.rule = {.kind = OD_RULE_PRODUCT, .terms = terms, .constant = 1.0}};
    a.place[0] = place[first];
    for (int i = 0, k = 1; i < terms; i++)
        if (i != first) a.place[k++] = place[i];
    for (int k = 1; k < terms; k++) a.rule.weight[k] = 1.0;
    for (int k = 1; share != 0.0 && k < terms; k++) {
        a.rule.share[k] = share;
        try_rule(f, &a);
        a.rule.share[k] = 0.0;
    }
    if (share != 0.0) return;
    a.rule.constant = find_constant(f, &a);
    if (isfinite(a.rule.constant) && a.rule.constant != 0.0) try_rule(f, &a);
}

static void try_products(finder *f, const int *place, int terms)
{
    static const double shares[] = {0.0, -1.0, 1.0, -0.01, 0.01};
    for (int first = 0; first < terms; first++)
        for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
            if (shares[s] == 0.0 || terms > 2) try_product(f, place, terms, first, shares[s]);
}

/* x[0] is the product of two of the others, plus or minus the third. */
static void try_added(finder *f, const int *place)
{
    for (int total = 0; total < 4; total++)
        for (int fee = 0; fee < 4; fee++) {
            attempt a = {.rule = {.kind = OD_RULE_ADDED, .terms = 4, .weight = {1.0, 1.0, 1.0, 1.0}}};
            if (fee == total) continue;
            a.place[0] = place[total];
            a.place[3] = place[fee];
            for (int i = 0, k = 1; i < 4; i++)
                if (i != total && i != fee) a.place[k++] = place[i];
            try_rule(f, &a);
            a.rule.weight[3] = -1.0;
            try_rule(f, &a);
        }
}

/* ---- times ------------------------------------------------------------------------------------------- */

/* The time at place[0] is that at place[1] plus a duration, place[2], in some unit, and a constant. */
static void try_duration(finder *f, int end, int start, int length)
{
    static const double units[] = {1.0, 60.0, 3600.0, 86400.0, 604800.0};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        int64_t count = 0, n = f->in->n < 4 * FIRST_ROWS ? f->in->n : 4 * FIRST_ROWS;
        for (int64_t i = 0; i < n; i++) {
            double v = at(f, i, end) - at(f, i, start) - units[u] * at(f, i, length);
            if (isfinite(v)) f->room[count++] = v;
        }
        if (count < LEAST_ROWS) return;
        od_sort_double(f->room, count);
        attempt a = {.rule = {.kind = OD_RULE_SUM,
                              .terms = 3,
                              .weight = {1.0, -1.0, -units[u]},
                              .share = {1.0, 1.0},
                              .constant = f->room[count / 2]},
                     .place = {end, start, length}};
        if (fabs(a.rule.constant) <= units[u] * fmax(f->step[length], 1.0)) try_rule(f, &a);
    }
}

/* ---- order ------------------------------------------------------------------------------------------- */

/* The correlation of two columns within their limits. */
static double correlation(const finder *f, int a, int b)
{
    double n = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (int64_t i = 0; i < f->in->n; i++) {
        double x = at(f, i, a), y = at(f, i, b);
        if (!(x >= f->in->low[a] && x <= f->in->high[a] && y >= f->in->low[b] && y <= f->in->high[b]))
            continue;
        n++;
        sa += x, sb += y;
        saa += x * x, sbb += y * y, sab += x * y;
    }
    double va = saa - sa * sa / n, vb = sbb - sb * sb / n, c = sab - sa * sb / n;
    return va > 0 && vb > 0 ? c / sqrt(va * vb) : 0.0;
}

/* Whether column b is nearly never below column a, and clearly so where it is. */
static void try_order(finder *f, int a, int b)
{
    int64_t above = 0, below = 0, zero = 0;
    for (int64_t i = 0; i < f->in->n; i++) {
        double v = at(f, i, b) - at(f, i, a);
        if (isnan(v)) continue;
        below += v < 0.0;
        zero += v == 0.0;
        if (v > 0.0) f->room[above++] = v;
    }
    int64_t all = above + below + zero, most = all / ORDER_SHARE > 1 ? all / ORDER_SHARE : 1;
    if (all < ORDER_ROWS || below > most || above * 2 < all || f->rules->count == OD_RULES_MOST) return;
    bool touches = zero * ORDER_ZEROS >= all;
    /* Amounts may have an order by chance. It is none where one often reaches the other. */
    if (!f->in->is_time[a] && (!touches || f->step[a] != f->step[b] || correlation(f, a, b) < ORDER_TIED))
        return;
    od_sort_double(f->room, above);
    attempt r = {.rule = {.kind = OD_RULE_ORDER, .terms = 2}, .place = {a, b}};
    double margin = f->in->rows > ORDER_MANY ? ORDER_MARGIN_MANY : ORDER_MARGIN;
    r.rule.constant = touches ? 0.0 : f->room[(int64_t)(margin * (double)above)];
    for (int k = 0; k < 2; k++) r.rule.col[k] = f->in->col[r.place[k]];
    f->rules->rule[f->rules->count++] = r.rule;
}

/* ---- all choices ------------------------------------------------------------------------------------- */

static void try_numbers(finder *f, const int *place, int q)
{
    for (int i = 0; i < q; i++)
        for (int j = i + 1; j < q; j++) {
            try_products(f, (int[]){place[i], place[j]}, 2);
        }
    for (int i = 0; i < q; i++)
        for (int j = i + 1; j < q; j++)
            for (int k = j + 1; k < q; k++) {
                try_sums(f, (int[]){place[i], place[j], place[k]}, 3);
                try_products(f, (int[]){place[i], place[j], place[k]}, 3);
            }
    for (int i = 0; q <= WIDE && i < q; i++)
        for (int j = i + 1; j < q; j++)
            for (int k = j + 1; k < q; k++)
                for (int l = k + 1; l < q; l++) {
                    try_sums(f, (int[]){place[i], place[j], place[k], place[l]}, 4);
                    try_added(f, (int[]){place[i], place[j], place[k], place[l]});
                    try_products(f, (int[]){place[i], place[j], place[k], place[l]}, 4);
                }
}

odim_status od_rules_find(od_rules *rules, const od_rules_input *in, odim_error *err)
{
    finder f = {.in = in, .rules = rules};
    int number[OD_RULE_COLUMNS], time[OD_RULE_COLUMNS], numbers = 0, times = 0;
    rules->count = 0;
    if (in->n < LEAST_ROWS || in->q < 2) return ODIM_OK;
    f.room = od_alloc((size_t)in->n, sizeof *f.room);
    if (!f.room) return od_fail_nomem(err);
    for (int k = 0; k < in->q; k++) {
        f.step[k] = find_step(&f, k);
        f.fine[k] = is_fine(&f, k);
        if (in->is_time[k])
            time[times++] = k;
        else
            number[numbers++] = k;
    }
    try_numbers(&f, number, numbers);
    for (int i = 0; i < times; i++)
        for (int j = 0; j < times; j++)
            for (int k = 0; i != j && k < numbers; k++) try_duration(&f, time[i], time[j], number[k]);
    for (int i = 0; i < in->q; i++)
        for (int j = 0; j < in->q; j++)
            if (i != j && in->is_time[i] == in->is_time[j]) try_order(&f, i, j);
    od_free(f.room);
    return ODIM_OK;
}
