/*
 * Why does a row have a high score?
 *
 * The loss of a row is a sum over its features (net/attribution.c), so a first answer is the feature whose
 * part is largest. Two things are wrong with it.
 *
 * Some features cost more than others in every row: noisy ones, and ones that the model has not learnt. So a
 * part is held against what the same feature usually costs, and only the excess counts. Usual is the median
 * over training rows: they contain the outliers, and a mean would follow them.
 *
 * And the encoder sees the faulty value. It may move the code so that the fault is half explained and other
 * columns, which are right, no longer fit. For values outside the range of their column that is no matter.
 * For values that are only wrong beside the others it is: in one of ten such rows the largest excess is not
 * where the fault is (docs/REASONS.md). So the model is asked another question: which column would have to be
 * different? The columns with the largest excess are suspects. In the place of each we try a few values that
 * the column has in training rows, its ladder, and score the row again. The column whose change makes the
 * score fall most is the first reason, and the change it took makes a mended row, of which the account is
 * taken once more. Now the fault is gone from the encoder's sight, and
 *
 *     blame of that column    the fall of the score
 *     blame of the others     the excess that is left in the mended row, not quite as much
 *     expected values         those of the mended row
 *
 * The shares are the blames divided by their sum. When several columns are wrong, mending the worst leaves
 * the excess of the others.
 *
 * A change is of a whole column: all features that come from it, taken together from a training row, so that
 * categories stay categories.
 *
 * A model without networks has no account: see explain_detector.c. Errors that single cells show by
 * themselves come before all of this: see explain_cells.c.
 *
 * Mending costs some twenty scorings of the row. It is done only where it matters: when the score is above
 * what nine of ten training rows have. For the others the plain excess has to do; they need no reason.
 */
#include "score/explain.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "common/mem.h"
#include "prep/encode.h"
#include "score/score.h"
#include "score/counterfactual.h"
#include "score/explain_detector.h"

#define TIE 1e-9 /* what blames differ by that would be equal */

/* The excess as blame: less than `most`, and yet of two columns the one with more excess has more blame. */
static double bounded(double excess, double most)
{
    if (excess < 0.5 * most) return fmax(excess, 0.0);
    return fmin(excess, most * (1.0 - TIE * (most / excess)));
}

/* The blame of each column by its excess in row i of e->parts, less than `most`; and the expected values. */
static void blame_excess(const od_explainer *e, int64_t i, double most, double *blame, float *expected)
{
    const odim_model *m = e->model;
    int64_t d = m->schema.features;
    const double *part = e->parts.part + i * d, *mean = e->parts.mean + i * d;
    for (int64_t c = 0; c < m->schema.cols; c++) {
        const od_schema_col *col = &m->schema.col[c];
        double excess = 0.0;
        for (int64_t j = col->first; j < col->first + col->features; j++)
            excess += part[j] - (double)m->usual[j];
        blame[c] = bounded(excess, most);
    }
    for (int64_t j = 0; j < d; j++) expected[j] = (float)mean[j];
}

/* The columns with most blame, the first of equals first. */
static void find_suspects(const double *blame, int64_t cols, int64_t *suspect, int64_t count)
{
    int64_t found = 0;
    for (int64_t c = 0; c < cols; c++) {
        int64_t at = found < count ? found++ : count;
        for (; at > 0 && blame[suspect[at - 1]] < blame[c]; at--)
            if (at < count) suspect[at] = suspect[at - 1];
        if (at < count) suspect[at] = c;
    }
}

/* Of each doubtful row the change that helps most: the mended rows, and blames and expected values by them. A
 * row that no change helps keeps what it has. */
static odim_status mend(od_explainer *e, const od_doubtful *w, double *share, float *expected,
                        od_parallel *par, odim_error *err)
{
    const odim_model *m = e->model;
    int64_t d = m->schema.features, tries = od_explainer_suspects(m) * OD_QUANTILES;
    int64_t worst[OD_EXPLAIN_ROWS];
    double fall[OD_EXPLAIN_ROWS];
    odim_status status = od_counterfactual_run(e, w->row, w->count, par, err);
    if (status) return status;
    for (int64_t i = 0; i < w->count; i++) {
        const double *score = e->score + i * tries;
        int64_t best = 0;
        for (int64_t k = 1; k < tries; k++)
            if (score[k] < score[best]) best = k;
        worst[i] = e->column[(i * tries + best) / OD_QUANTILES];
        fall[i] = w->score[i] - score[best];
        od_counterfactual_change(m, e->x + w->row[i] * d, worst[i], best % OD_QUANTILES, e->changed + i * d);
    }
    od_explainer_attribute(e, e->changed, w->count);
    for (int64_t i = 0; i < w->count; i++) {
        if (!(fall[i] > 0.0)) continue;
        double *blame = share + w->row[i] * m->schema.cols;
        blame_excess(e, i, fall[i], blame, expected + w->row[i] * d);
        blame[worst[i]] = fall[i];
    }
    return ODIM_OK;
}

static void blames_to_shares(double *x, int64_t cols)
{
    double sum = 0.0;
    for (int64_t c = 0; c < cols; c++) sum += x[c];
    for (int64_t c = 0; c < cols && sum > 0.0; c++) x[c] /= sum;
}

/* Rows of e->x whose values are too extreme for an account: brought to where there is one, which names the
 * same columns. Whether there were any. */
static bool tame(od_explainer *e, int64_t rows)
{
    int64_t d = e->model->schema.features;
    bool any = false;
    for (int64_t i = 0; i < rows; i++) {
        double sum = e->parts.loss[i];
        for (int64_t j = 0; j < d; j++) sum += e->parts.part[i * d + j];
        if (isfinite(sum)) continue;
        od_encode_clamp(e->x + i * d, d, OD_SCHEMA_FAR);
        any = true;
    }
    return any;
}

/* The reasons for e->x (rows, d); *bad is the first row whose score is no number, or -1. */
static odim_status explain_block(od_explainer *e, int64_t rows, double *share, float *expected, int64_t *bad,
                                 od_parallel *par, odim_error *err)
{
    const odim_model *m = e->model;
    int64_t cols = m->schema.cols, suspects = od_explainer_suspects(m);
    od_doubtful w = {.count = 0};
    *bad = -1;
    od_explainer_attribute(e, e->x, rows);
    if (tame(e, rows)) od_explainer_attribute(e, e->x, rows);
    for (int64_t i = 0; i < rows; i++) {
        double score = e->parts.loss[i], *blame = share + i * cols;
        if (!isfinite(score)) {
            *bad = i;
            return ODIM_OK;
        }
        if (m->losses) {
            blame_excess(e, i, INFINITY, blame, expected + i * m->schema.features);
            if (score <= m->score_p90) continue;
        } else {
            od_explain_detector_suspect(e, i, blame);
        }
        find_suspects(blame, cols, e->column + w.count * suspects, suspects);
        w.row[w.count] = i;
        w.score[w.count++] = score;
    }
    odim_status status = !w.count    ? ODIM_OK
                         : m->losses ? mend(e, &w, share, expected, par, err)
                                     : od_explain_detector_blame(e, &w, share, expected, par, err);
    for (int64_t i = 0; i < rows; i++) blames_to_shares(share + i * cols, cols);
    return status;
}

/* ---- on threads ---- */

typedef struct explaining {
    const odim_model *model;
    od_table_rows rows;
    od_encoder encoder;
    const od_reasons *out;
    od_explainer_pool pool;
    _Atomic int64_t rows_done;
} explaining;

/* The row of the table that is number i of those asked for. */
static int64_t row_of(const explaining *x, int64_t i)
{
    return x->rows.rows ? x->rows.rows[i] : i;
}

/* The reasons of rows start, start + 1, ... of those asked for, with what the checks of their cells say. */
static void add_evidence(const explaining *x, od_explainer *e, int64_t start, int64_t rows)
{
    const odim_model *m = x->model;
    int64_t cols = m->schema.cols;
    for (int64_t i = start; m->schema.checks.cols && i < start + rows; i++) {
        double *share = x->out->share + i * cols;
        double sum = od_explain_check(m, &x->encoder, row_of(x, i), share, e->each, e->cells);
        od_explain_combine(e->each, sum, cols, share);
        if (x->out->evidence) memcpy(x->out->evidence + i * cols, e->each, (size_t)cols * sizeof *e->each);
    }
}

static odim_status explain_job(void *ctx, od_parallel *par, int worker, int64_t job, odim_error *err)
{
    explaining *x = ctx;
    od_explainer *e = &x->pool.each[worker];
    const odim_model *m = x->model;
    int64_t start = job * OD_EXPLAIN_ROWS, left = x->rows.count - start, bad;
    const int64_t *list = x->rows.rows ? x->rows.rows + start : NULL;
    int64_t rows = left < OD_EXPLAIN_ROWS ? left : OD_EXPLAIN_ROWS;
    odim_status status = od_encode_rows(&x->encoder, list, start, rows, e->x, err);
    if (!status)
        status = explain_block(e, rows, x->out->share + start * m->schema.cols,
                               x->out->expected + start * m->schema.features, &bad, par, err);
    if (status) return status;
    if (bad >= 0) return od_score_fail(x->encoder.table, row_of(x, start + bad), err);
    add_evidence(x, e, start, rows);
    atomic_fetch_add(&x->rows_done, rows);
    return ODIM_OK;
}

static int report(void *ctx)
{
    explaining *x = ctx;
    const odim_hooks *hooks = x->pool.run.hooks;
    if (!hooks || !hooks->progress) return 0;
    int64_t done = atomic_load(&x->rows_done);
    odim_progress now = {
        .stage = ODIM_STAGE_EXPLAINING,
        .members = (int)x->model->members,
        .members_done = (int)x->model->members,
        .rows = x->rows.count,
        .rows_done = done,
        .fraction = (double)done / (double)x->rows.count,
    };
    return hooks->progress(&now, hooks->user);
}

odim_status od_explain_rows(const odim_model *model, const od_table_rows *rows, const od_run *run,
                            const od_reasons *out, odim_error *err)
{
    explaining x = {.model = model,
                    .rows = *rows,
                    .out = out,
                    .pool = {.model = model, .count = rows->count, .run = *run}};
    odim_status status = od_encoder_new(&x.encoder, &model->schema, rows->table, err);
    if (status) return status;
    x.encoder.lenient = true;
    status = od_explainer_run(&x.pool, explain_job, report, &x, err);
    od_encoder_free(&x.encoder);
    return status;
}
