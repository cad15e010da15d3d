/* The most outlying rows as a table for people. */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text_table.h"
#include "log.h"

/* The answer for people leaves out reasons with a smaller share. */
#define LEAST_SHARE 0.05

typedef enum column { RANK, FILE_NAME, ROW, ID, SCORE, RAW, PROBABILITY, LABEL, COLUMNS } column;

typedef struct reason_line {
    int64_t row, reason; /* among the top ones */
} reason_line;

typedef struct top_table {
    const cli_results *r;
    column lead[COLUMNS]; /* which columns come before the values */
    int leads;
    reason_line *line; /* with reasons: the contents of each line */
} top_table;

static const char *lead_cell(const cli_results *r, column what, int64_t row, char buf[CLI_TEXT_TABLE_TEXT])
{
    bool heading = row < 0;
    int64_t i = heading ? 0 : r->order[row];
    switch (what) {
    case RANK:
        if (heading) return "rank";
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "%lld", (long long)r->rank[i]);
        return buf;
    case FILE_NAME: return heading ? "file" : odim_table_file(r->table, i);
    case ROW:
        if (heading) return "row";
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "%lld", (long long)cli_results_row(r, i));
        return buf;
    case ID: return heading ? cli_results_id_name(r->table) : odim_table_id(r->table, i);
    case SCORE:
        if (heading) return "score";
        snprintf(buf, CLI_TEXT_TABLE_TEXT, fabs(r->scores[i]) < 1e6 ? "%.2f" : "%.6g", r->scores[i]);
        return buf;
    case RAW:
        if (heading) return "raw_score";
        /* Aligned at the point, unless that would be a parade of digits. */
        snprintf(buf, CLI_TEXT_TABLE_TEXT, fabs(r->raw[i]) < 1e6 ? "%.4f" : "%.6g", r->raw[i]);
        return buf;
    case PROBABILITY:
        if (heading) return "p_outlier";
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "%.3f", odim_model_probability(r->model, r->scores[i]));
        return buf;
    default:
        if (heading) return "label";
        return odim_table_labels(r->table)[i] ? "1" : "0";
    }
}

/* Whole numbers whole, so that ids and times can be told apart; others to six digits, three of them behind
 * the point where the number is large. */
static void write_value(char buf[CLI_TEXT_TABLE_TEXT], double v)
{
    if (v == floor(v) && fabs(v) < 1e15) {
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "%.0f", v);
        return;
    }
    int whole = fabs(v) >= 1 ? (int)floor(log10(fabs(v))) + 1 : 0;
    int digits = whole + 3 < 6 ? 6 : whole + 3 > 17 ? 17 : whole + 3;
    snprintf(buf, CLI_TEXT_TABLE_TEXT, "%.*g", digits, v);
}

static const char *top_cell(const void *ctx, int64_t row, int col, char buf[CLI_TEXT_TABLE_TEXT])
{
    const top_table *t = ctx;
    if (col < t->leads) return lead_cell(t->r, t->lead[col], row, buf);
    int64_t feature = col - t->leads;
    if (row < 0) return odim_table_name(t->r->table, feature);
    int64_t i = t->r->order[row];
    double value = odim_table_value(t->r->table, i, feature);
    if (odim_table_type(t->r->table, feature) != ODIM_NUMERIC || isnan(value))
        return odim_table_text(t->r->table, i, feature, buf, CLI_TEXT_TABLE_TEXT);
    write_value(buf, value);
    return buf;
}

/* Reasons instead of values: one per line, the row's own columns on the first. */
static const char *reason_cell(const void *ctx, int64_t line, int col, char buf[CLI_TEXT_TABLE_TEXT])
{
    const top_table *t = ctx;
    const cli_results *r = t->r;
    const reason_line *at = line < 0 ? NULL : &t->line[line];
    if (col < t->leads) return at && at->reason > 0 ? "" : lead_cell(r, t->lead[col], at ? at->row : -1, buf);
    if (!at) return "reasons";
    int64_t i = r->order[at->row];
    return odim_reason_text(r->model, r->table, i, &r->reasons[i * r->set->explain + at->reason], buf,
                            CLI_TEXT_TABLE_TEXT);
}

/* A line for each reason, at least one for each row. */
static bool list_lines(top_table *t, int64_t top, bool brief, int64_t *count)
{
    const cli_results *r = t->r;
    t->line = malloc((size_t)(top * r->set->explain) * sizeof *t->line);
    *count = 0;
    for (int64_t row = 0; t->line && row < top; row++) {
        const odim_reason *reason = &r->reasons[r->order[row] * r->set->explain];
        for (int64_t k = 0; k < r->set->explain && (k == 0 || reason[k].col >= 0); k++)
            if (k == 0 || !brief || reason[k].share >= LEAST_SHARE)
                t->line[(*count)++] = (reason_line){row, k};
    }
    return t->line != NULL;
}

bool cli_results_top(const cli_results *r, int64_t top, bool brief, int width, cli_out *out)
{
    top_table t = {.r = r};
    bool has_id = odim_table_id_name(r->table) != NULL;
    if (!brief) t.lead[t.leads++] = RANK;
    unsigned left = 0; /* columns of text */
    if (odim_table_file(r->table, 0)) {
        left |= 1u << t.leads;
        t.lead[t.leads++] = FILE_NAME;
    }
    t.lead[t.leads++] = ROW;
    if (has_id) {
        left |= 1u << t.leads;
        t.lead[t.leads++] = ID;
    }
    t.lead[t.leads++] = SCORE;
    if (r->set->raw_scores) t.lead[t.leads++] = RAW;
    if (!brief) t.lead[t.leads++] = PROBABILITY;
    if (odim_table_labels(r->table)) t.lead[t.leads++] = LABEL;

    int64_t features = odim_table_cols(r->table);
    cli_text_table g = {.rows = top, .fixed = t.leads, .left = left, .cell = top_cell, .ctx = &t};
    if (r->reasons) {
        if (!list_lines(&t, top, brief, &g.rows)) {
            cli_log("out of memory");
            return false;
        }
        g.cell = reason_cell;
        g.cols = g.fixed = t.leads + 1;
        g.left |= 1u << t.leads;
        g.open = true;
        if (brief) g.cut = ", usually ";
        cli_text_table_print(&g, width, out);
        free(t.line);
        return true;
    }
    g.cols = t.leads + (int)(features < CLI_TEXT_TABLE_COLS ? features : CLI_TEXT_TABLE_COLS);
    int64_t hidden = features - (cli_text_table_print(&g, width, out) - t.leads);
    if (hidden > 0) cli_out_printf(out, "(%lld more column%s)\n", (long long)hidden, hidden > 1 ? "s" : "");
    return true;
}
