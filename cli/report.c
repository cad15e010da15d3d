#include "report.h"

#include <math.h>
#include <string.h>

#include "grid.h"
#include "json.h"

/* An id column keeps its name unless a column of ours has it. */
static const char *id_heading(const odim_table *table)
{
    const char *name = odim_table_id_name(table);
    bool taken = name && (!strcmp(name, "row") || !strcmp(name, "score") || !strcmp(name, "rank"));
    return taken ? "id" : name;
}

bool od_report_rows(const od_report *r, od_format format, od_out *out)
{
    const char *id = id_heading(r->table);
    od_column columns[4];
    int count = 0;
    columns[count++] = (od_column){"row", OD_CELL_INT};
    if (id) columns[count++] = (od_column){id, OD_CELL_TEXT};
    columns[count++] = (od_column){"score", OD_CELL_NUMBER};
    columns[count++] = (od_column){"rank", OD_CELL_INT};

    od_writer w;
    int64_t rows = odim_table_rows(r->table);
    if (!od_writer_begin(&w, out, format, columns, count, rows)) return false;
    for (int64_t i = 0; i < rows; i++) {
        od_writer_int(&w, i + 1);
        if (id) od_writer_text(&w, odim_table_id(r->table, i));
        od_writer_number(&w, r->scores[i]);
        od_writer_int(&w, r->rank[i]);
    }
    return od_writer_end(&w);
}

/* ---- JSON ----------------------------------------------------------------------------------------- */

static void put_parameters(const od_report *r, od_json *j)
{
    od_json_begin(j, "parameters", '{');
    for (int i = 0; i < odim_param_count(); i++) {
        const odim_param_info *param = odim_param_at(i);
        const char *value = odim_params_get(r->params, param->name);
        if (strcmp(param->arg, "on|off") == 0)
            od_json_raw(j, param->name, strcmp(value, "on") == 0 ? "true" : "false");
        else if (od_json_is_number(value))
            od_json_raw(j, param->name, value);
        else
            od_json_string(j, param->name, value);
    }
    od_json_end(j);
}

static void put_members(const od_report *r, od_json *j)
{
    od_json_begin(j, "members", '[');
    for (int i = 0; i < odim_model_members(r->model); i++) {
        odim_member_info member = {0};
        odim_model_member(r->model, i, &member, NULL);
        od_json_begin(j, NULL, '{');
        od_json_int(j, "updates", member.updates);
        od_json_int(j, "best_update", member.best_update);
        od_json_number(j, "distance", member.distance);
        od_json_end(j);
    }
    od_json_end(j);
}

void od_report_json(const od_report *r, int64_t top, od_out *out)
{
    od_json j = {.out = out};
    int64_t rows = odim_table_rows(r->table);
    od_json_begin(&j, NULL, '{');
    od_json_string(&j, "version", odim_version());
    od_json_string(&j, "file", r->path);
    od_json_int(&j, "rows", rows);
    od_json_int(&j, "columns", odim_table_cols(r->table));
    put_parameters(r, &j);
    put_members(r, &j);
    if (odim_table_labels(r->table)) od_json_int(&j, "outliers", r->outliers);
    if (r->judged) {
        od_json_number(&j, "auc", r->auc);
        od_json_number(&j, "average_precision", r->ap);
    }
    od_json_begin(&j, "scores", '[');
    for (int64_t k = 0; k < (top ? top : rows); k++) {
        int64_t i = top ? r->order[k] : k;
        od_json_begin(&j, NULL, '{');
        od_json_int(&j, "row", i + 1);
        if (odim_table_id_name(r->table)) od_json_string(&j, "id", odim_table_id(r->table, i));
        od_json_number(&j, "score", r->scores[i]);
        od_json_int(&j, "rank", r->rank[i]);
        od_json_end(&j);
    }
    od_json_end(&j);
    od_json_end(&j);
}

/* ---- the readable table --------------------------------------------------------------------------- */

typedef enum column { RANK, ROW, ID, SCORE, LABEL, COLUMNS } column;

typedef struct top_table {
    const od_report *r;
    column lead[COLUMNS]; /* which columns come before the values */
    int leads;
} top_table;

static const char *lead_cell(const od_report *r, column what, int64_t row, char buf[OD_GRID_TEXT])
{
    bool heading = row < 0;
    int64_t i = heading ? 0 : r->order[row];
    switch (what) {
    case RANK:
        if (heading) return "rank";
        snprintf(buf, OD_GRID_TEXT, "%lld", (long long)r->rank[i]);
        return buf;
    case ROW:
        if (heading) return "row";
        snprintf(buf, OD_GRID_TEXT, "%lld", (long long)i + 1);
        return buf;
    case ID: return heading ? id_heading(r->table) : odim_table_id(r->table, i);
    case SCORE:
        if (heading) return "score";
        /* Aligned at the point, unless that would be a parade of digits. */
        snprintf(buf, OD_GRID_TEXT, fabs(r->scores[i]) < 1e6 ? "%.4f" : "%.6g", r->scores[i]);
        return buf;
    default:
        if (heading) return "label";
        return odim_table_labels(r->table)[i] ? "1" : "0";
    }
}

/* Whole numbers whole, so that ids and times can be told apart; others to six digits, three of them behind
 * the point where the number is large. */
static void write_value(char buf[OD_GRID_TEXT], double v)
{
    if (v == floor(v) && fabs(v) < 1e15) {
        snprintf(buf, OD_GRID_TEXT, "%.0f", v);
        return;
    }
    int whole = fabs(v) >= 1 ? (int)floor(log10(fabs(v))) + 1 : 0;
    int digits = whole + 3 < 6 ? 6 : whole + 3 > 17 ? 17 : whole + 3;
    snprintf(buf, OD_GRID_TEXT, "%.*g", digits, v);
}

static const char *top_cell(const void *ctx, int64_t row, int col, char buf[OD_GRID_TEXT])
{
    const top_table *t = ctx;
    if (col < t->leads) return lead_cell(t->r, t->lead[col], row, buf);
    int64_t feature = col - t->leads;
    if (row < 0) return odim_table_name(t->r->table, feature);
    write_value(buf, odim_table_value(t->r->table, t->r->order[row], feature));
    return buf;
}

void od_report_top(const od_report *r, int64_t top, int width, od_out *out)
{
    top_table t = {.r = r};
    bool has_id = odim_table_id_name(r->table) != NULL;
    t.lead[t.leads++] = RANK;
    t.lead[t.leads++] = ROW;
    if (has_id) t.lead[t.leads++] = ID;
    t.lead[t.leads++] = SCORE;
    if (odim_table_labels(r->table)) t.lead[t.leads++] = LABEL;

    int64_t features = odim_table_cols(r->table);
    od_grid g = {.rows = top, .fixed = t.leads, .left = has_id ? 2 : -1, .cell = top_cell, .ctx = &t};
    g.cols = t.leads + (int)(features < OD_GRID_MAX_COLS ? features : OD_GRID_MAX_COLS);
    int64_t hidden = features - (od_grid_print(&g, width, out) - t.leads);
    if (hidden > 0) od_out_printf(out, "(%lld more column%s)\n", (long long)hidden, hidden > 1 ? "s" : "");
}
