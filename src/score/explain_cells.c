/*
 * Combines reasons with the checks of single cells (prep/checks_fit.c).
 *
 * If a row is called an outlier because of a cell, that cell's column must be the first reason, even if the
 * networks or detectors blame another one: they know which columns cost most, which need not be where the
 * error is. So the evidence of cells comes first. Columns with evidence share most of the blame in proportion
 * to it, and the rest is divided as before. The stronger the evidence is and the more columns have some, the
 * smaller is the rest, so that no other column can come before the strongest of them.
 *
 * In a row that is mostly empty the gaps together are the evidence, and each has an equal part in it.
 */
#include <math.h>

#include "prep/checks_row.h"
#include "prep/checks_rules.h"
#include "score/explain.h"

#define REST                                                                                                 \
    0.5            /* share of the account where the evidence is next to nothing; less than that of a column \
                    */
#define FLOOR 0.05 /* added to a share of the account, which may be 0 */
#define LEAST 0.1  /* of the most suspicious column, below which a column is not suspected */

static double cell(const od_encoder *e, int64_t row, int64_t col)
{
    return e->source[col] < 0 ? 0.0 : od_table_cell(e->table, row, e->source[col]);
}

/* The evidence that no column has by itself is that of all gaps together. */
static void divide_gaps(const od_encoder *e, int64_t row, double rest, double *each)
{
    int64_t cols = e->schema->cols, gaps = 0;
    for (int64_t j = 0; j < cols; j++) gaps += isnan(cell(e, row, j));
    for (int64_t j = 0; j < cols; j++)
        if (isnan(cell(e, row, j))) each[j] += rest / (double)gaps;
}

/* Whether the evidence is that related columns contradict each other, and not that a cell is wrong by itself.
 */
static bool is_contradiction(const od_encoder *e, int64_t row, const double *each)
{
    const od_checks *checks = &e->schema->checks;
    for (int64_t j = 0; j < checks->cols; j++) {
        if (!(each[j] > 0.0)) continue;
        double v = cell(e, row, j);
        const od_column_check *c = &checks->col[j];
        if (od_checks_is_stuck(c, e, row, v)) return false;
        return (c->related || od_checks_rules(checks, e, row, NULL) > 0.0) && !isnan(v) &&
               !(od_limits_evidence(&checks->col[j].limits, v) > 0.0);
    }
    return false;
}

/*
 * Contradicting columns do not say which of them is wrong: it may be a total that is too high, or a price
 * that is too low. A column is suspected if the value that the others expect of it is an ordinary one. It
 * gets the more of the evidence, the more that value would mend the row and the larger its share of the
 * account is. room (columns, and what the checks need).
 */
static void divide_contradiction(const od_encoder *e, int64_t row, const double *share, double sum,
                                 double *each, double *room)
{
    const od_checks *checks = &e->schema->checks;
    double *gain = room, total = 0.0, most = 0.0;
    if (!od_checks_suspects(checks, e, row, gain, room + checks->cols)) return;
    for (int64_t j = 0; j < checks->cols; j++) most = fmax(most, gain[j] *= FLOOR + share[j]);
    for (int64_t j = 0; j < checks->cols; j++) total += gain[j] = gain[j] < LEAST * most ? 0.0 : gain[j];
    for (int64_t j = 0; j < checks->cols; j++) each[j] = sum * gain[j] / total;
}

double od_explain_check(const odim_model *model, const od_encoder *encoder, int64_t row, const double *share,
                        double *each, double *room)
{
    const od_checks *checks = &model->schema.checks;
    double sum = 0.0, all = od_checks_row(checks, encoder, row, each, room);
    for (int64_t j = 0; j < checks->cols; j++) sum += each[j];
    if (all > sum)
        divide_gaps(encoder, row, all - sum, each);
    else if (is_contradiction(encoder, row, each))
        divide_contradiction(encoder, row, share, sum, each, room);
    return all;
}

void od_explain_combine(const double *each, double sum, int64_t cols, double *share)
{
    double total = 0.0;
    int64_t found = 0;
    if (!(sum > 0.0)) return;
    for (int64_t j = 0; j < cols; j++) {
        total += share[j];
        found += each[j] > 0.0;
    }
    double rest = total > 0.0 ? REST / ((1.0 + sum) * (double)found) : 0.0;
    for (int64_t j = 0; j < cols; j++) share[j] = rest * share[j] + (1.0 - rest) * each[j] / sum;
}
