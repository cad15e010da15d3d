/*
 * Finds the rules of arithmetic that nearly all rows obey.
 *
 * Every form of a rule is tried on every choice of columns: sums and differences of three and four columns,
 * means of two and three, products of two to four columns with a constant, with factors such as 1 - discount,
 * a product of two plus or minus a third, and a time that is another one plus a duration. Hardly any choice
 * survives its first rows, so that trying is cheap (rule_trial.c). Choices of two, three and four columns are
 * tried in turn, on several threads: a job has all choices with the same first two columns.
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
#include "base/parallel.h"
#include "prep/rule_trial.h"

#define CONSTANT_ROWS     128  /* that a constant is found from, */
#define CONSTANT_SPREAD   0.05 /* between 3/8 and 5/8 of the ratios, at most */
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
#define HELD              64    /* rules that a job may find: more than are kept */
#define PAIRS             (OD_RULE_COLUMNS * (OD_RULE_COLUMNS - 1) / 2)
#define PAIRS_A_JOB       4
#define PARALLEL          8 /* columns from which on threads are worth it */

/* A rule that most rows obey, before it is compared with others. */
typedef struct held_rule {
    od_rule rule;
    double obeyed; /* share of rows that do */
} held_rule;

typedef struct finder {
    const od_rules_input *in;
    od_rules *rules;
    double step[OD_RULE_COLUMNS];
    bool fine[OD_RULE_COLUMNS]; /* whether rounding hardly moves most values */
    od_rule_trial trial;
    double obeyed[OD_RULES_MOST]; /* of each rule */
    double *room;                 /* (n) */
    int number[OD_RULE_COLUMNS];  /* places of the columns that are not times */
    int numbers, terms;           /* how many there are, and how many are tried together */
    held_rule *held;              /* (PAIRS, HELD): what each job has found, in its order */
    int held_count[PAIRS];
} finder;

/* What one job looks at. */
typedef struct job {
    const finder *f;
    held_rule *held; /* (HELD) */
    int count;
} job;

static double at(const finder *f, int64_t row, int col)
{
    return f->in->x[col * f->in->n + row];
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

/* ---- one rule ---------------------------------------------------------------------------------------- */

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

static void try_rule(job *j, od_rule_attempt *a)
{
    const finder *f = j->f;
    double obeyed;
    if (j->count == HELD) return;
    for (int k = 0; k < a->rule.terms; k++) {
        a->rule.col[k] = f->in->col[a->place[k]];
        a->rule.step[k] = f->step[a->place[k]];
    }
    if (od_rule_holds(&f->trial, a, f->fine, &obeyed)) j->held[j->count++] = (held_rule){a->rule, obeyed};
}

/* Keeps what a job has found and is not known. */
static void keep_rules(finder *f, const held_rule *held, int count)
{
    for (int i = 0; i < count && f->rules->count < OD_RULES_MOST; i++) {
        if (is_known(f, &held[i].rule, held[i].obeyed)) continue;
        f->obeyed[f->rules->count] = held[i].obeyed;
        f->rules->rule[f->rules->count++] = held[i].rule;
    }
}

/* ---- sums -------------------------------------------------------------------------------------------- */

/* x[0] is the sum of the others, by their signs; then their mean. */
static void try_sums(job *t, const int *place, int terms)
{
    for (int signs = 0; signs < 1 << (terms - 1); signs++) {
        od_rule_attempt a = {.rule = {.kind = OD_RULE_SUM, .terms = terms}};
        memcpy(a.place, place, (size_t)terms * sizeof *place);
        a.rule.weight[0] = 1.0;
        for (int k = 1; k < terms; k++) a.rule.weight[k] = signs >> (k - 1) & 1 ? 1.0 : -1.0;
        if (signs + 1 < 1 << (terms - 1)) try_rule(t, &a); /* not all on one side */
    }
    for (int k = 0; k < terms; k++) {
        od_rule_attempt a = {.rule = {.kind = OD_RULE_SUM, .terms = terms}};
        for (int i = 0; i < terms; i++) {
            a.place[i] = place[(k + i) % terms];
            a.rule.weight[i] = i ? -1.0 : (double)(terms - 1);
        }
        try_rule(t, &a);
    }
}

/* ---- products ---------------------------------------------------------------------------------------- */

/* The ratio of x[0] to the product of the others that most rows have, as short a number as possible. */
static double find_constant(const finder *f, const od_rule_attempt *a)
{
    int64_t n = f->in->n < CONSTANT_ROWS ? f->in->n : CONSTANT_ROWS, count = 0;
    double v[CONSTANT_ROWS];
    const double *x = f->in->x;
    memcpy(v, x + a->place[1] * f->in->n, (size_t)n * sizeof *v);
    for (int k = 2; k < a->rule.terms; k++)
        for (int64_t i = 0; i < n; i++) v[i] *= x[a->place[k] * f->in->n + i];
    for (int64_t i = 0; i < n; i++) v[i] = x[a->place[0] * f->in->n + i] / v[i];
    for (int64_t i = 0; i < n; i++)
        if (isfinite(v[i]) && v[i] != 0.0) v[count++] = v[i];
    if (count < OD_RULE_ROWS) return NAN;
    int64_t middle = count / 2, high = count * 5 / 8, low = count * 3 / 8, near = 0;
    od_select_double(v, count, middle);
    /* Few are close to the median: it is not a constant, whatever the quantiles. */
    double reach = 1.001 * CONSTANT_SPREAD * fabs(v[middle]);
    for (int64_t i = 0; i < count; i++) near += fabs(v[i] - v[middle]) <= reach;
    if (near <= high - low) return NAN;
    od_select_double(v, middle, low);
    od_select_double(v + middle + 1, count - middle - 1, high - middle - 1);
    double ratio = v[middle], spread = v[high] - v[low];
    if (spread > CONSTANT_SPREAD * fabs(ratio)) return NAN;
    double unit = pow(10.0, floor(log10(fabs(ratio))) + 1.0);
    for (int digits = 1; digits <= 6; digits++) {
        unit /= 10.0;
        double rounded = unit * round(ratio / unit);
        if (fabs(rounded - ratio) <= fmax(0.5 * spread, 1e-9 * fabs(ratio))) return rounded;
    }
    return ratio;
}

static void try_product(job *t, const int *place, int terms, int first, double share)
{
    od_rule_attempt a = {.rule = {.kind = OD_RULE_PRODUCT, .terms = terms, .constant = 1.0}};
    a.place[0] = place[first];
    for (int i = 0, k = 1; i < terms; i++)
        if (i != first) a.place[k++] = place[i];
    for (int k = 1; k < terms; k++) a.rule.weight[k] = 1.0;
    for (int k = 1; share != 0.0 && k < terms; k++) {
        a.rule.share[k] = share;
        try_rule(t, &a);
        a.rule.share[k] = 0.0;
    }
    if (share != 0.0) return;
    a.rule.constant = find_constant(t->f, &a);
    if (isfinite(a.rule.constant) && a.rule.constant != 0.0) try_rule(t, &a);
}

static void try_products(job *t, const int *place, int terms)
{
    static const double shares[] = {0.0, -1.0, 1.0, -0.01, 0.01};
    for (int first = 0; first < terms; first++)
        for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
            if (shares[s] == 0.0 || terms > 2) try_product(t, place, terms, first, shares[s]);
}

/* x[0] is the product of two of the others, plus or minus the third. */
static void try_added(job *t, const int *place)
{
    for (int total = 0; total < 4; total++)
        for (int fee = 0; fee < 4; fee++) {
            od_rule_attempt a = {.rule = {.kind = OD_RULE_ADDED, .terms = 4, .weight = {1.0, 1.0, 1.0, 1.0}}};
            if (fee == total) continue;
            a.place[0] = place[total];
            a.place[3] = place[fee];
            for (int i = 0, k = 1; i < 4; i++)
                if (i != total && i != fee) a.place[k++] = place[i];
            try_rule(t, &a);
            a.rule.weight[3] = -1.0;
            try_rule(t, &a);
        }
}

/* ---- times ------------------------------------------------------------------------------------------- */

/* The time at place[0] is that at place[1] plus a duration, place[2], in some unit, and a constant. */
static void try_duration(job *t, int end, int start, int length)
{
    static const double units[] = {1.0, 60.0, 3600.0, 86400.0, 604800.0};
    const finder *f = t->f;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        int64_t count = 0, n = f->in->n < CONSTANT_ROWS ? f->in->n : CONSTANT_ROWS;
        for (int64_t i = 0; i < n; i++) {
            double v = at(f, i, end) - at(f, i, start) - units[u] * at(f, i, length);
            if (isfinite(v)) f->room[count++] = v;
        }
        if (count < OD_RULE_ROWS) return;
        od_sort_double(f->room, count);
        od_rule_attempt a = {.rule = {.kind = OD_RULE_SUM,
                                      .terms = 3,
                                      .weight = {1.0, -1.0, -units[u]},
                                      .share = {1.0, 1.0},
                                      .constant = f->room[count / 2]},
                             .place = {end, start, length}};
        if (fabs(a.rule.constant) <= units[u] * fmax(f->step[length], 1.0)) try_rule(t, &a);
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
    int64_t above = 0, below = 0, zero = 0, n = f->in->n;
    for (int64_t i = 0; i < n; i++) {
        double v = at(f, i, b) - at(f, i, a);
        if (below > 1 && below > n / ORDER_SHARE) return;
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
    od_rule_attempt r = {.rule = {.kind = OD_RULE_ORDER, .terms = 2}, .place = {a, b}};
    double margin = f->in->rows > ORDER_MANY ? ORDER_MARGIN_MANY : ORDER_MARGIN;
    r.rule.constant = touches ? 0.0 : f->room[(int64_t)(margin * (double)above)];
    for (int k = 0; k < 2; k++) r.rule.col[k] = f->in->col[r.place[k]];
    f->rules->rule[f->rules->count++] = r.rule;
}

/* ---- all choices ------------------------------------------------------------------------------------- */

/* All choices of f->terms columns that begin with columns i and j. */
static void try_pair(job *t, int i, int j)
{
    const finder *f = t->f;
    const int *place = f->number, q = f->numbers;
    if (f->terms == 2) try_products(t, (int[]){place[i], place[j]}, 2);
    for (int k = j + 1; f->terms > 2 && k < q; k++) {
        if (f->terms == 3) {
            try_sums(t, (int[]){place[i], place[j], place[k]}, 3);
            try_products(t, (int[]){place[i], place[j], place[k]}, 3);
        }
        for (int l = k + 1; f->terms == 4 && l < q; l++) {
            const int four[] = {place[i], place[j], place[k], place[l]};
            try_sums(t, four, 4);
            try_added(t, four);
            try_products(t, four, 4);
        }
    }
}

/* Pairs are numbered by their first column, then by their second. */
static void try_pairs(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    finder *f = ctx;
    int64_t pair = 0;
    for (int i = 0; i < f->numbers; i++)
        for (int j = i + 1; j < f->numbers; j++, pair++) {
            if (pair < first || pair >= end) continue;
            job t = {f, f->held + pair * HELD, 0};
            try_pair(&t, i, j);
            f->held_count[pair] = t.count;
        }
}

static odim_status try_numbers(finder *f, odim_error *err)
{
    int most = f->numbers <= WIDE ? 4 : 3, pairs = f->numbers * (f->numbers - 1) / 2;
    int64_t threads = f->numbers < PARALLEL ? 1 : f->in->threads;
    for (f->terms = 2; f->terms <= most && f->rules->count < OD_RULES_MOST; f->terms++) {
        odim_status status = od_parallel_ranges(threads, pairs, PAIRS_A_JOB, try_pairs, f, err);
        if (status) return status;
        for (int i = 0; i < pairs; i++) keep_rules(f, f->held + i * HELD, f->held_count[i]);
    }
    return ODIM_OK;
}

/* Rules about times, and orders. */
static void try_times(finder *f, const int *time, int times)
{
    job t = {f, f->held, 0};
    for (int i = 0; i < times; i++)
        for (int j = 0; j < times; j++)
            for (int k = 0; i != j && k < f->numbers; k++) try_duration(&t, time[i], time[j], f->number[k]);
    keep_rules(f, t.held, t.count);
    for (int i = 0; i < f->in->q; i++)
        for (int j = 0; j < f->in->q; j++)
            if (i != j && f->in->is_time[i] == f->in->is_time[j]) try_order(f, i, j);
}

odim_status od_rules_find(od_rules *rules, const od_rules_input *in, odim_error *err)
{
    finder f = {.in = in, .rules = rules};
    int time[OD_RULE_COLUMNS], times = 0;
    rules->count = 0;
    if (in->n < OD_RULE_ROWS || in->q < 2) return ODIM_OK;
    odim_status status = od_rule_trial_new(&f.trial, in->x, in->n, in->q, err);
    if (status) return status;
    f.room = od_alloc((size_t)in->n, sizeof *f.room);
    f.held = od_alloc((size_t)(PAIRS * HELD), sizeof *f.held);
    if (!f.room || !f.held) status = od_fail_nomem(err);
    for (int k = 0; !status && k < in->q; k++) {
        f.step[k] = find_step(&f, k);
        f.fine[k] = is_fine(&f, k);
        if (in->is_time[k])
            time[times++] = k;
        else
            f.number[f.numbers++] = k;
    }
    if (!status) status = try_numbers(&f, err);
    if (!status) try_times(&f, time, times);
    od_free(f.room);
    od_free(f.held);
    od_rule_trial_free(&f.trial);
    return status;
}
