/* Reasons in terms of a table: columns, values, words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "kern/kern.h"
#include "model/params.h"
#include "prep/encode.h"
#include "score/explain.h"

#define LEAST_SHARE 0.01 /* what is less is no reason, unless there are many columns: see least_share */
#define CHUNK_ROWS  4096 /* explained at a time: shares of all columns are kept for so many */

/* A network that has learnt for a moment only is vague about columns with extreme values among them; what is
 * expected is within what is usual in any case. */
static double clamp(const od_schema_col *c, double v)
{
    if (c->type != ODIM_NUMERIC && c->type != ODIM_TIME) return v;
    return fmin(fmax(v, c->usual_low), c->usual_high);
}

/* Of a table with many columns even the foremost may have less than a hundredth: equal shares would all be
 * less. Half an equal share is less than the largest share is, so that a row with anything unusual has a
 * reason. */
static double least_share(int64_t cols)
{
    return fmin(LEAST_SHARE, 0.5 / (double)cols);
}

/* The columns with the largest shares, most important first. */
static void pick(const odim_model *m, const od_encoder *e, int64_t row, const double *share,
                 const float *expected, int top, odim_reason *out)
{
    double least = least_share(m->schema.cols);
    for (int k = 0; k < top; k++) {
        int64_t best = -1;
        for (int64_t j = 0; j < m->schema.cols; j++) {
            bool taken = false;
            for (int i = 0; i < k; i++) taken |= out[i].col == j;
            if (!taken && share[j] >= least && (best < 0 || share[j] > share[best])) best = j;
        }
        out[k] = (odim_reason){.col = best};
        if (best < 0) continue;
        out[k].share = share[best];
        out[k].value = od_table_cell(e->table, row, e->source[best]);
        out[k].expected = clamp(&m->schema.col[best], od_encode_back(&m->schema, best, expected));
    }
}

static odim_status explain_chunk(const odim_model *m, const od_encoder *e, const int64_t *rows, int64_t count,
                                 int top, int64_t threads, const odim_hooks *hooks, const od_reasons *room,
                                 odim_reason *out, odim_error *err)
{
    odim_status status = od_explain_rows(m, e->table, rows, count, threads, hooks, room, err);
    for (int64_t i = 0; !status && i < count; i++)
        pick(m, e, rows[i], room->share + i * m->schema.cols, room->expected + i * m->schema.features, top,
             out + i * top);
    return status;
}

odim_status odim_explain(const odim_model *model, const odim_table *table, const int64_t *rows, int64_t count,
                         int top, const odim_params *params, const odim_hooks *hooks, odim_reason *reasons,
                         odim_error *err)
{
    for (int64_t i = 0; i < count; i++)
        if (rows[i] < 0 || rows[i] >= table->n)
            return od_fail(err, ODIM_ERR_PARAM, "row %lld of %lld", (long long)rows[i], (long long)table->n);
    od_encoder e;
    odim_status status = od_kern_check(err);
    if (!status) status = od_encoder_new(&e, &model->schema, table, err);
    if (status) return status;
    size_t most = (size_t)(count < CHUNK_ROWS ? count : CHUNK_ROWS);
    od_reasons room = {.share = od_alloc(most * (size_t)model->schema.cols, sizeof *room.share),
                       .expected = od_alloc(most * (size_t)model->schema.features, sizeof *room.expected)};
    if (!room.share || !room.expected) status = od_fail_nomem(err);
    for (int64_t at = 0; !status && at < count; at += CHUNK_ROWS) {
        int64_t n = count - at < CHUNK_ROWS ? count - at : CHUNK_ROWS;
        status = explain_chunk(model, &e, rows + at, n, top, params ? params->config.threads : 0, hooks,
                               &room, reasons + at * top, err);
    }
    od_free(room.share);
    od_free(room.expected);
    od_encoder_free(&e);
    return status;
}

/* ---- words ---------------------------------------------------------------------------------------- */

/* What was expected, and what is usual there. */
static void write_expected(const odim_model *m, int64_t col, double expected, char *buf, size_t size)
{
    const od_schema_col *c = &m->schema.col[col];
    bool is_public = m->config.dp_epsilon > 0; /* what is usual is not known */
    char value[48], low[48], high[48];
    odim_model_text(m, col, expected, value, sizeof value);
    odim_model_text(m, col, c->usual_low, low, sizeof low);
    odim_model_text(m, col, c->usual_high, high, sizeof high);
    if (c->type == ODIM_BOOLEAN || c->type == ODIM_CATEGORICAL)
        snprintf(buf, size, "expected %s", value);
    else
        snprintf(buf, size, "expected about %s, %s %s to %s", value, is_public ? "bounds" : "usually", low,
                 high);
}

/* "62 %"; or "0.8 %, one of many": of what is so thinly spread no column is the reason. */
static void write_share(double share, char *buf, size_t size)
{
    if (share < LEAST_SHARE)
        snprintf(buf, size, "%.1g %%, one of many", 100 * share);
    else
        snprintf(buf, size, "%.0f %%", 100 * share);
}

/* Of a level that the model does not know. */
static void write_remark(const odim_model *m, const od_schema_col *c, char *buf, size_t size)
{
    if (m->config.dp_epsilon > 0)
        snprintf(buf, size, "not among its levels, ");
    else if (!c->dropped)
        snprintf(buf, size, "never seen in training, ");
    else if (m->schema.least == 2)
        snprintf(buf, size, "seen at most once in training, ");
    else
        snprintf(buf, size, "in fewer than %lld training rows, ", (long long)m->schema.least);
}

const char *odim_reason_text(const odim_model *model, const odim_table *table, int64_t row,
                             const odim_reason *reason, char *buf, size_t size)
{
    if (size) *buf = '\0';
    if (reason->col < 0 || reason->col >= model->schema.cols) return buf;
    const od_schema_col *c = &model->schema.col[reason->col];
    char name[64], value[80], share[48], expected[280];
    int64_t source = od_table_find(table, c->name, reason->col);
    od_schema_show(c, name, sizeof name);
    write_expected(model, reason->col, reason->expected, expected, sizeof expected);
    char remark[64] = "";
    bool usual = false; /* by itself */
    if (isnan(reason->value)) {
        snprintf(value, sizeof value, "missing");
    } else if (c->type == ODIM_CATEGORICAL && source >= 0) {
        char level[48], text[160];
        odim_table_text(table, row, source, text, sizeof text);
        snprintf(value, sizeof value, "'%s'", od_printable(level, sizeof level, text, strlen(text)));
        int64_t known = od_levels_find(&c->levels, text, strlen(text));
        if (known < 0) write_remark(model, c, remark, sizeof remark);
        usual = known >= 0 && (double)known == reason->expected;
    } else {
        odim_model_text(model, reason->col, reason->value, value, sizeof value);
        usual = c->type == ODIM_BOOLEAN && reason->value == reason->expected;
    }
    if (usual) snprintf(expected, sizeof expected, "unusual beside the others");
    write_share(reason->share, share, sizeof share);
    snprintf(buf, size, "%s %s (%s): %s%s", name, value, share, remark, expected);
    return buf;
}
