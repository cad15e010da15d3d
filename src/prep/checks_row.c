/* Checks the cells of a row; checks_fit.c says against what. */
#include "prep/checks_row.h"

#include <math.h>

#include "prep/checks_rules.h"

#define LINKED        0.01 /* squared partial correlation of columns that depend on each other */
#define RUN_EVIDENCE  0.8
#define CODE_EVIDENCE 1.2
#define FURTHER       0.25  /* of the evidence of further cells */
#define GAIN_MOST     1e100 /* of values that are beyond all scaling */

/* In deviations, and not beyond the limits; a missing cell is in the middle. */
static double deviation(const od_column_check *c, double value)
{
    if (isnan(value)) return 0.0;
    value = fmin(fmax(value, c->limits.low), c->limits.high);
    return (od_limits_scale(&c->limits, value) - c->centre) / c->unit;
}

bool od_checks_has_level(const od_encoder *e, int64_t row, int64_t col, int64_t level)
{
    double v = od_table_cell(e->table, row, e->source[col]);
    if (isnan(v)) return false;
    return e->schema->col[col].type == ODIM_CATEGORICAL ? e->level[col][(int64_t)v] == level
                                                        : v == (double)level;
}

bool od_checks_is_excused(const od_checks *c, const od_encoder *e, int64_t row)
{
    for (int i = 0; i < c->excuses; i++)
        if (e->source[c->excuse[i].col] >= 0 &&
            od_checks_has_level(e, row, c->excuse[i].col, c->excuse[i].level))
            return true;
    return od_checks_is_all_ruled(c, e, row);
}

bool od_checks_deviations(const od_checks *c, const od_encoder *e, int64_t row, double *z)
{
    for (int64_t k = 0; k < c->relations; k++) {
        int64_t j = c->relation[k];
        if (e->source[j] < 0) return false;
        const od_related_level *l = &c->level[k];
        double v = od_table_cell(e->table, row, e->source[j]);
        if (l->level < 0)
            z[k] = deviation(&c->col[j], v);
        else
            z[k] = isnan(v) ? 0.0 : ((double)od_checks_has_level(e, row, j, l->level) - l->centre) / l->unit;
    }
    return c->relations > 0;
}

bool od_checks_is_stuck(const od_column_check *c, const od_encoder *e, int64_t row, double value)
{
    if (c->run_key == OD_RUN_ROWS) return od_checks_in_run(c, value, (double)od_table_row(e->table, row));
    if (c->run_key < 0 || e->source[c->run_key] < 0) return false;
    return od_checks_in_run(c, value, od_table_cell(e->table, row, e->source[c->run_key]));
}

bool od_checks_is_odd_code(const od_checks *c, const od_encoder *e, int64_t row, int64_t col)
{
    if (!c->col[col].patterns.count || e->source[col] < 0) return false;
    const od_levels *levels = &e->table->col[e->source[col]].levels;
    double v = od_table_cell(e->table, row, e->source[col]);
    return !isnan(v) && v < (double)levels->texts.count &&
           !od_patterns_fit(&c->col[col].patterns, od_strlist_at(&levels->texts, (size_t)v));
}

static double check_cell(const od_checks *c, const od_encoder *e, int64_t row, int64_t j, bool *missing)
{
    const od_column_check *check = &c->col[j];
    double v = od_table_cell(e->table, row, e->source[j]);
    *missing = isnan(v);
    if (*missing) return check->missing;
    if (e->schema->col[j].type != ODIM_CATEGORICAL) {
        double found = od_limits_evidence(&check->limits, v);
        return found > 0.0 || !od_checks_is_stuck(check, e, row, v) ? found : RUN_EVIDENCE;
    }
    if (od_checks_is_odd_code(c, e, row, j)) return CODE_EVIDENCE;
    return e->level[j][(int64_t)v] < 0 ? check->new_level : 0.0;
}

/* Whether number k of the related columns has a value, and so have those that it depends on. */
static bool is_complete(const od_checks *c, const od_encoder *e, int64_t row, int64_t k)
{
    int64_t q = c->relations;
    for (int64_t i = 0; i < q; i++) {
        double link = c->precision[k * q + i];
        bool linked = link * link > LINKED * c->precision[k * q + k] * c->precision[i * q + i];
        if (linked && isnan(od_table_cell(e->table, row, e->source[c->relation[i]]))) return false;
    }
    return true;
}

/* What the other columns leave of number k of the related ones. */
static double residual(const od_checks *c, const double *z, int64_t k)
{
    int64_t q = c->relations;
    double rest = 0.0;
    for (int64_t i = 0; i < q; i++) rest += c->precision[k * q + i] * z[i];
    return rest / c->precision[k * q + k];
}

/* The evidence of broken rules, which the most suspicious column gets. */
static double check_rules(const od_checks *c, const od_encoder *e, int64_t row, double *each)
{
    double found = od_checks_rules(c, e, row, each);
    int64_t worst = 0;
    if (!each || !(found > 0.0)) return found;
    for (int64_t j = 1; j < c->cols; j++)
        if (each[j] > each[worst]) worst = j;
    for (int64_t j = 0; j < c->cols; j++) each[j] = j == worst ? found : 0.0;
    return found;
}

double od_checks_row(const od_checks *c, const od_encoder *e, int64_t row, double *each, double *room)
{
    double sum = 0.0, largest = 0.0;
    int64_t gaps = 0, used = 0;
    for (int64_t j = 0; j < c->cols; j++) {
        bool missing = false;
        double found = e->source[j] < 0 ? 0.0 : check_cell(c, e, row, j, &missing);
        if (!od_schema_is_further(&e->schema->col[j])) {
            used += e->source[j] >= 0;
            gaps += missing;
        }
        if (each) each[j] = found;
        sum += found;
        largest = fmax(largest, found);
    }
    /* Cells of a row are not independent: further ones count for a part only. */
    double total = largest + FURTHER * (sum - largest);
    for (int64_t j = 0; each && sum > 0.0 && j < c->cols; j++) each[j] *= total / sum;
    sum = total;
    if (used > 1 && gaps == used) return fmax(sum, OD_CHECKS_EMPTY_EVIDENCE);
    if (used && (double)gaps > OD_CHECKS_EMPTY_SHARE * (double)used) return fmax(sum, c->empty);
    if (sum > 0.0) return sum;
    sum = check_rules(c, e, row, each);
    if (sum > 0.0 || !od_checks_deviations(c, e, row, room)) return sum;
    /*
     * One wrong cell makes the residuals of all its relatives odd. To blame is the column without which the
     * squared distance of the row would fall the most: it falls by the square of (P z)_k over P_kk.
     */
    double most = 0.0, heaviest = 0.0;
    int64_t worst = -1;
    for (int64_t k = 0; k < c->relations; k++) {
        const od_column_check *check = &c->col[c->relation[k]];
        if (!check->related) continue;
        double rest = residual(c, room, k), found = od_limits_evidence(&check->given, rest);
        /* Hardly any row gets further, so what takes longer comes last. */
        if (!(found > 0.0) || !is_complete(c, e, row, k) || od_checks_is_ruled(c, e, row, c->relation[k]))
            continue;
        double weight = rest * rest * c->precision[k * c->relations + k];
        most = fmax(most, found);
        if (weight > heaviest) {
            heaviest = weight;
            worst = c->relation[k];
        }
    }
    if (each && worst >= 0) each[worst] = most;
    return most;
}

double od_checks_expected(const od_checks *c, const od_encoder *e, int64_t row, int64_t col, double *room)
{
    if (c->cols == 0) return NAN;
    if (od_checks_rules(c, e, row, NULL) > 0.0) return od_checks_implied(c, e, row, col);
    if (!c->col[col].related || !od_checks_deviations(c, e, row, room)) return NAN;
    const od_column_check *check = &c->col[col];
    for (int64_t k = 0; k < c->relations; k++) {
        if (c->relation[k] != col || !is_complete(c, e, row, k)) continue;
        double at = check->centre + check->unit * (room[k] - residual(c, room, k));
        return od_limits_unscale(&check->limits, at);
    }
    return NAN;
}

bool od_checks_suspects(const od_checks *c, const od_encoder *e, int64_t row, double *gain, double *room)
{
    bool any = false;
    for (int64_t j = 0; j < c->cols; j++) gain[j] = 0.0;
    if (od_checks_rules(c, e, row, gain) > 0.0) return true;
    if (!od_checks_deviations(c, e, row, room)) return false;
    for (int64_t k = 0; k < c->relations; k++) {
        const od_column_check *check = &c->col[c->relation[k]];
        if (c->level[k].level >= 0 || !is_complete(c, e, row, k)) continue;
        double rest = residual(c, room, k);
        double value = od_limits_unscale(&check->limits, check->centre + check->unit * (room[k] - rest));
        if (!(value >= check->limits.least && value <= check->limits.most)) continue;
        gain[c->relation[k]] = fmin(rest * rest * c->precision[k * c->relations + k], GAIN_MOST);
        any |= gain[c->relation[k]] > 0.0;
    }
    return any;
}
