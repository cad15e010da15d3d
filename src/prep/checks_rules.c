/*
 * Checks a row against the rules of its table, and finds the column to blame.
 *
 * A broken rule does not say which of its values is wrong. A column is suspected the more, the more broken
 * rules a single new value would mend, the fewer others that value would break, and if it is a value that the
 * column could have: within its limits and on its grid. A quantity of 2.6 is not. Of two columns that are
 * equal in this, the total is the likelier one: it is a result, and the others are its reasons.
 */
#include "prep/checks_rules.h"

#include <math.h>

#define EVIDENCE          1.0
#define EVIDENCE_NEXT     0.3  /* of each further rule that is broken */
#define MENDED            32.0 /* how much more a column is suspected that mends one more rule */
#define IMPOSSIBLE        0.02 /* how much less, if the value that mends it is impossible */
#define TOTAL             2.0  /* how much more, if it is a total */
#define ALL_RULED         0.75 /* of the numbers of a row */
#define ALL_RULED_COLUMNS 64

static void load(const od_rule *r, const od_encoder *e, int64_t row, double *x)
{
    for (int k = 0; k < r->terms; k++)
        x[k] = e->source[r->col[k]] < 0 ? NAN : od_table_cell(e->table, row, e->source[r->col[k]]);
}

static bool is_broken(const od_rule *r, const od_encoder *e, int64_t row, double *x)
{
    load(r, e, row, x);
    return od_rule_check(r, x) == OD_RULE_BROKEN;
}

/* By how many rules fewer are broken if a column has another value. */
static int count_mended(const od_checks *c, const od_encoder *e, int64_t row, int64_t col, double value)
{
    int mended = 0;
    for (int i = 0; i < c->rules.count; i++) {
        const od_rule *r = &c->rules.rule[i];
        double x[OD_RULE_TERMS];
        bool before = is_broken(r, e, row, x);
        for (int k = 0; k < r->terms; k++)
            if (r->col[k] == col) x[k] = value;
        mended += before - (od_rule_check(r, x) == OD_RULE_BROKEN);
    }
    return mended;
}

/* Whether term k is what the others make together. */
static bool is_total(const od_rule *r, int k)
{
    if (r->kind != OD_RULE_SUM) return r->kind != OD_RULE_ORDER && k == 0;
    for (int i = 0; i < r->terms; i++)
        if (i != k && r->weight[i] * r->weight[k] > 0.0) return false;
    return true;
}

/* How much speaks for term k of a broken rule; *value becomes what it should be. */
static double suspect(const od_checks *c, const od_encoder *e, int64_t row, const od_rule *r, const double *x,
                      int k, double *value)
{
    double error;
    *value = od_rule_solve(r, x, k, &error);
    if (isnan(*value)) return 1.0;
    const od_limits *l = &c->col[r->col[k]].limits;
    bool possible = *value >= l->low && *value <= l->high && od_rule_on_grid(r, k, *value, error);
    double gain = pow(MENDED, count_mended(c, e, row, r->col[k], *value));
    return gain * (possible ? 1.0 : IMPOSSIBLE) * (is_total(r, k) ? TOTAL : 1.0);
}

double od_checks_rules(const od_checks *c, const od_encoder *e, int64_t row, double *gain)
{
    int broken = 0;
    for (int64_t j = 0; gain && j < c->cols; j++) gain[j] = 0.0;
    for (int i = 0; i < c->rules.count; i++) {
        const od_rule *r = &c->rules.rule[i];
        double x[OD_RULE_TERMS], value;
        if (!is_broken(r, e, row, x)) continue;
        broken++;
        for (int k = 0; gain && k < r->terms; k++)
            gain[r->col[k]] = fmax(gain[r->col[k]], suspect(c, e, row, r, x, k, &value));
    }
    return broken ? EVIDENCE + EVIDENCE_NEXT * (broken - 1) : 0.0;
}

const od_rule *od_checks_broken(const od_checks *c, const od_encoder *e, int64_t row, int64_t col, double *x)
{
    const od_rule *best = NULL;
    double most = 0.0, value;
    for (int i = 0; i < c->rules.count; i++) {
        const od_rule *r = &c->rules.rule[i];
        if (!is_broken(r, e, row, x)) continue;
        for (int k = 0; k < r->terms; k++) {
            double gain = r->col[k] == col ? suspect(c, e, row, r, x, k, &value) : 0.0;
            if (gain > most) best = r;
            most = fmax(most, gain);
        }
    }
    if (best) load(best, e, row, x);
    return best;
}

double od_checks_implied(const od_checks *c, const od_encoder *e, int64_t row, int64_t col)
{
    double x[OD_RULE_TERMS], error;
    const od_rule *r = od_checks_broken(c, e, row, col, x);
    for (int k = 0; r && k < r->terms; k++)
        if (r->col[k] == col) return od_rule_solve(r, x, k, &error);
    return NAN;
}

/* Whether the row obeys a rule of products. */
static bool is_product_obeyed(const od_rule *r, const od_encoder *e, int64_t row)
{
    double x[OD_RULE_TERMS];
    if (r->kind != OD_RULE_PRODUCT && r->kind != OD_RULE_ADDED) return false;
    load(r, e, row, x);
    return od_rule_check(r, x) == OD_RULE_OBEYED;
}

bool od_checks_is_ruled(const od_checks *c, const od_encoder *e, int64_t row, int64_t col)
{
    for (int i = 0; i < c->rules.count; i++)
        if (od_rule_has(&c->rules.rule[i], col) && is_product_obeyed(&c->rules.rule[i], e, row)) return true;
    return false;
}

bool od_checks_is_all_ruled(const od_checks *c, const od_encoder *e, int64_t row)
{
    bool obeyed[OD_RULES_MOST], any = false;
    if (c->cols > ALL_RULED_COLUMNS) return false;
    for (int i = 0; i < c->rules.count; i++) any |= obeyed[i] = is_product_obeyed(&c->rules.rule[i], e, row);
    if (!any) return false;
    int64_t numbers = 0, ruled = 0;
    for (int64_t j = 0; j < c->cols; j++) {
        const od_schema_col *col = &e->schema->col[j];
        if (col->ignored || col->type != ODIM_NUMERIC || od_schema_is_further(col)) continue;
        int i = 0;
        while (i < c->rules.count && !(obeyed[i] && od_rule_has(&c->rules.rule[i], j))) i++;
        numbers++;
        ruled += i < c->rules.count;
    }
    return ruled > 0 && (double)ruled >= ALL_RULED * (double)numbers;
}
