/*
 * Whether rows obey a rule of arithmetic well enough for it to be one. It is if
 *
 *     enough rows have all of its values, and nearly all of these obey it to the last decimal;
 *     few break it, for what many rows break is no rule;
 *     it says something about each of its columns: with values of another row it would often be broken.
 *
 * In a table of few rows, all but one must obey, and chance must be unlikely to explain it.
 *
 * Nearly all attempts are none, and their first rows tell. In a table of zeros, most say nothing at all,
 * which the bits of its columns tell without looking at a row.
 */
#include "prep/rule_trial.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"

#define FIRST_ROWS    32   /* that a rule must survive, */
#define FIRST_BREAKS  4    /* with at most so many that break it */
#define SPREAD_ROWS   64   /* as many as a word has bits */
#define SPREAD_SILENT 56   /* of them that a rule may say nothing about */
#define SMALL_ROWS    20   /* fewer rows must agree all but one */
#define OBEYED        0.95 /* share of rows */
#define BROKEN_LEAST  2    /* rows that may break it, */
#define BROKEN_SHARE  50   /* or one in so many */
#define FOREIGN       0.6  /* of rows with a value of another row, that obey it at most; */
#define FOREIGN_FEW   0.3  /* so many where rows are few */
#define MATTERS       0.03 /* share of the rows in which each term must matter */

static od_obedience check_row(const od_rule_trial *f, const od_rule_attempt *a, int64_t i)
{
    double x[OD_RULE_TERMS];
    for (int k = 0; k < a->rule.terms; k++) x[k] = f->x[a->place[k] * f->n + i];
    return od_rule_check(&a->rule, x);
}

/* Of `count` rows from row i on; the values of term `foreign` come from another row. */
static void count_rows(const od_rule_trial *f, const od_rule_attempt *a, int64_t i, int64_t count,
                       int foreign, od_rule_tally *t)
{
    double x[OD_RULE_TERMS][OD_RULE_BLOCK];
    for (int k = 0; k < a->rule.terms; k++) {
        const double *col = f->x + a->place[k] * f->n;
        int64_t from = k == foreign ? (i + f->n / 3 + 1) % f->n : i;
        int64_t head = f->n - from < count ? f->n - from : count;
        memcpy(x[k], col + from, (size_t)head * sizeof *col);
        memcpy(x[k] + head, col, (size_t)(count - head) * sizeof *col);
    }
    od_rule_count(&a->rule, x, count, t);
}

static double share_obeyed(const od_rule_tally *t)
{
    return t->all ? (double)t->obeyed / (double)t->all : 0.0;
}

/* Whether the rows that are left, which are so many, cannot make it a rule any more. */
static bool is_hopeless(const od_rule_trial *f, const od_rule_tally *t, int64_t left)
{
    int64_t n = f->n, disobeyed = t->all - t->obeyed;
    return (t->all + left) * 2 < n ||
           (n >= 2 * SMALL_ROWS && (double)disobeyed > (1.0 - OBEYED) * (double)n + 1.0);
}

/* Some rows, evenly spread. */
static int64_t spread_row(const od_rule_trial *f, int64_t i)
{
    return i * f->n / SPREAD_ROWS;
}

/* Bit i % 64 of word i / 64 is row i of a column; the last word has the spread rows. */
static void note_zeros(od_rule_trial *f, int col)
{
    const double *x = f->x + col * f->n;
    for (int64_t i = 0; i < f->words * 64; i++) {
        bool spread = i / 64 == f->words - 1;
        double v = spread ? x[spread_row(f, i % 64)] : i < f->n ? x[i] : NAN;
        f->zero[col * f->words + i / 64] |= (uint64_t)(v == 0.0) << i % 64;
        f->absent[col * f->words + i / 64] |= (uint64_t)!isfinite(v) << i % 64;
    }
}

odim_status od_rule_trial_new(od_rule_trial *t, const double *x, int64_t n, int q, odim_error *err)
{
    *t = (od_rule_trial){.x = x, .n = n, .words = (n + 63) / 64 + 1};
    t->zero = od_calloc((size_t)q * (size_t)t->words, 2 * sizeof *t->zero);
    if (!t->zero) return od_fail_nomem(err);
    t->absent = t->zero + q * t->words;
    for (int k = 0; k < q; k++) note_zeros(t, k);
    return ODIM_OK;
}

void od_rule_trial_free(od_rule_trial *t)
{
    od_free(t->zero);
    *t = (od_rule_trial){0};
}

/* How many rows of words first..end-1 a rule may speak of, judged by which values are 0: a sum needs two
 * terms, and a product with a factor 0 has no relative error. Rounding has no part in it. */
static int64_t count_spoken(const od_rule_trial *f, const od_rule_attempt *a, int64_t first, int64_t end)
{
    int64_t spoken = 0;
    for (int64_t w = first; w < end; w++) {
        uint64_t absent = 0, one = 0, two = 0, factor = 0;
        for (int k = 0; k < a->rule.terms; k++) {
            uint64_t zero = f->zero[a->place[k] * f->words + w];
            absent |= f->absent[a->place[k] * f->words + w];
            two |= one & ~zero;
            one |= ~zero;
            if (k > 0 && a->rule.share[k] == 0.0) factor |= zero;
        }
        uint64_t rows = a->rule.kind == OD_RULE_SUM       ? two
                        : a->rule.kind == OD_RULE_PRODUCT ? ~factor
                                                          : UINT64_MAX;
        for (rows &= ~absent; rows; rows &= rows - 1) spoken++;
    }
    return spoken;
}

/* Whether a rule cannot speak of enough rows. */
static bool is_mostly_zero(const od_rule_trial *f, const od_rule_attempt *a)
{
    if (f->n < 4 * SPREAD_ROWS) return false;
    return count_spoken(f, a, f->words - 1, f->words) < SPREAD_ROWS - SPREAD_SILENT;
}

/* The same of the spread rows as they are. A rule that does not speak of half of the rows is none, and this
 * finds out sooner. */
static bool is_silent(const od_rule_trial *f, const od_rule_attempt *a)
{
    int silent = 0;
    if (f->n < 4 * SPREAD_ROWS) return false;
    for (int64_t i = 0; i < SPREAD_ROWS; i++) silent += check_row(f, a, spread_row(f, i)) == OD_RULE_SILENT;
    return silent > SPREAD_SILENT;
}

static bool survives(const od_rule_trial *f, const od_rule_attempt *a)
{
    int breaks = 0;
    for (int64_t i = 0; i < f->n && i < FIRST_ROWS; i++) {
        od_obedience o = check_row(f, a, i);
        breaks += o == OD_RULE_BROKEN || o == OD_RULE_BENT;
        if (breaks > FIRST_BREAKS) return false;
    }
    return true;
}

static int64_t block_at(const od_rule_trial *f, int64_t i)
{
    return f->n - i < OD_RULE_BLOCK ? f->n - i : OD_RULE_BLOCK;
}

/* Whether more than this share of the rows obey it with values of term k from another row. */
static bool is_obeyed_by_chance(const od_rule_trial *f, const od_rule_attempt *a, int k, double share)
{
    od_rule_tally t = {0};
    for (int64_t i = 0, count; i < f->n; i += count) {
        count = block_at(f, i);
        count_rows(f, a, i, count, k, &t);
        /* Whatever the others do. */
        if ((double)t.obeyed > share * (double)(t.all + f->n - i - count) + 1.0) return true;
    }
    return share_obeyed(&t) > share;
}

static bool is_rule(const od_rule_trial *f, const od_rule_attempt *a, double *obeyed)
{
    od_rule_tally t = {0};
    if (count_spoken(f, a, 0, f->words - 1) * 2 < f->n) return false;
    for (int64_t i = 0, count; i < f->n; i += count) {
        count = block_at(f, i);
        count_rows(f, a, i, count, -1, &t);
        if (is_hopeless(f, &t, f->n - i - count)) return false;
    }
    int64_t most = t.all / BROKEN_SHARE > BROKEN_LEAST ? t.all / BROKEN_SHARE : BROKEN_LEAST;
    bool small = t.all < SMALL_ROWS;
    double least = small ? 1.0 - 1.01 / (double)t.all : OBEYED;
    *obeyed = share_obeyed(&t);
    if (t.all < OD_RULE_ROWS || t.all * 2 < f->n || *obeyed < least || t.broken > (small ? 1 : most))
        return false;
    for (int k = 0; k < a->rule.terms; k++)
        if (is_obeyed_by_chance(f, a, k, small ? FOREIGN_FEW : k == 0 ? FOREIGN : *obeyed - MATTERS))
            return false;
    return true;
}

/* Only the result is rounded, or all terms are; true: that is a difference. */
static bool set_rounding(od_rule_attempt *a, const bool *fine, int result, bool all)
{
    bool differs = false;
    for (int k = 0; k < a->rule.terms; k++) {
        bool may = k == result || a->rule.kind == OD_RULE_SUM || fine[a->place[k]];
        a->rule.rounding[k] = may && (all || k == result) ? 0.5 * a->rule.step[k] : 0.0;
        differs |= may && k != result && a->rule.step[k] > 0.0;
    }
    return differs;
}

/* Whether it is a rule if only its result is rounded or, failing that, if all of its terms are. What rounding
 * of all terms does not excuse, rounding of one does not either: so that is tried first. */
bool od_rule_holds(const od_rule_trial *f, od_rule_attempt *a, const bool *fine, double *obeyed)
{
    int coarsest = 0;
    for (int k = 1; a->rule.kind == OD_RULE_SUM && k < a->rule.terms; k++)
        if (fabs(a->rule.weight[k]) * a->rule.step[k] >
            fabs(a->rule.weight[coarsest]) * a->rule.step[coarsest])
            coarsest = k;
    bool differs = set_rounding(a, fine, coarsest, true);
    if (is_mostly_zero(f, a) || !survives(f, a)) return false;
    set_rounding(a, fine, coarsest, false);
    if (survives(f, a) && !is_silent(f, a) && is_rule(f, a, obeyed)) return true;
    set_rounding(a, fine, coarsest, true);
    return differs && !is_silent(f, a) && is_rule(f, a, obeyed);
}
