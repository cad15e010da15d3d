/* Which rows are outliers, and the rows that are written for programs. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

#include "explain_rows.h"
#include "log.h"

int64_t cli_results_row(const cli_results *r, int64_t i)
{
    return (r->own_numbers ? r->first + i : odim_table_row_number(r->table, i)) + 1;
}

bool cli_results_is_outlier(const cli_results *r, int64_t i)
{
    if (odim_table_bad_row(r->table, i)) return true;
    return r->set->top ? r->rank[i] <= r->set->top : r->scores[i] > r->threshold;
}

int64_t cli_results_flagged(const cli_results *r)
{
    int64_t flagged = 0;
    for (int64_t i = 0; i < odim_table_rows(r->table); i++) flagged += cli_results_is_outlier(r, i);
    return flagged;
}

void cli_results_summary(const cli_run *run, int64_t flagged, int64_t rows)
{
    double percent = 100.0 * (double)flagged / (double)rows;
    if (run->quiet) return;
    cli_progress_clear();
    /* Two digits, and all of those before the point. */
    fprintf(stderr, percent < 9.95 ? "%lld of %lld rows %s (%.2g %%)\n" : "%lld of %lld rows %s (%.0f %%)\n",
            (long long)flagged, (long long)rows, flagged == 1 ? "is an outlier" : "are outliers", percent);
}

bool cli_results_is_unusual(const cli_results *r, int64_t i)
{
    return r->scores[i] > odim_model_unusual(r->model) && !cli_results_is_outlier(r, i);
}

int64_t cli_results_unusual(const cli_results *r)
{
    int64_t unusual = 0;
    for (int64_t i = 0; i < odim_table_rows(r->table); i++) unusual += cli_results_is_unusual(r, i);
    return unusual;
}

bool cli_results_is_explained(const cli_results *r, int64_t i)
{
    return r->rank ? r->rank[i] <= r->explained : cli_results_is_outlier(r, i);
}

odim_status cli_results_explain(const cli_results *r, odim_reason *reasons, const odim_params *params,
                                const odim_hooks *hooks, odim_error *err)
{
    int64_t n = odim_table_rows(r->table), top = r->set->explain, count = 0;
    for (int64_t i = 0; i < n; i++) count += cli_results_is_explained(r, i);
    int64_t *rows = malloc((size_t)count * sizeof *rows + 1);
    odim_reason *some = malloc((size_t)(count * top) * sizeof *some + 1);
    odim_status status = rows && some ? ODIM_OK : ODIM_ERR_NOMEM;
    if (status) *err = (odim_error){.status = status, .msg = "out of memory"};
    count = 0;
    for (int64_t i = 0; !status && i < n; i++)
        if (cli_results_is_explained(r, i)) rows[count++] = i;
    const odim_explain_options which = {.size = sizeof which, .rows = rows, .count = count, .top = (int)top};
    if (!status) status = cli_explain_rows(r->model, r->table, &which, params, hooks, some, err);
    for (int64_t i = 0; !status && i < n * top; i++) reasons[i].col = -1;
    for (int64_t k = 0; !status && k < count; k++)
        for (int64_t j = 0; j < top; j++) reasons[rows[k] * top + j] = some[k * top + j];
    free(rows);
    free(some);
    return status;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static bool is_ours(const char *name)
{
    static const char *const ours[] = {"file", "row",       "score",     "raw_score",
                                       "rank", "p_outlier", "is_outlier"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(name, ours[i]) == 0) return true;
    return false;
}

const char *cli_results_id_name(const odim_table *table)
{
    const char *name = odim_table_id_name(table);
    return name && is_ours(name) ? "id" : name;
}

/* Whether it is reason1 ... reason<explain>. */
static bool is_reason(const char *name, int64_t explain)
{
    char own[32];
    for (int64_t k = 1; k <= explain; k++) {
        snprintf(own, sizeof own, "reason%lld", (long long)k);
        if (strcmp(name, own) == 0) return true;
    }
    return false;
}

/* A table may have kept cells that are not asked for. */
static int64_t kept_cols(const cli_results *r)
{
    return r->set->keep ? odim_table_kept_cols(r->table) : 0;
}

/* A kept column keeps its name unless a column of ours has it. */
static const char *kept_name(cli_rows *rows, const cli_results *r, int64_t j)
{
    const char *name = odim_table_kept_name(r->table, j);
    if (!is_ours(name) && !is_reason(name, r->set->explain)) return name;
    snprintf(rows->kept[j], sizeof rows->kept[j], "input_%s", name);
    return rows->kept[j];
}

/* What made the file, on its first line: a remark in CSV and TSV, an object in JSON lines. */
static void write_provenance(const cli_results *r, cli_row_format format, cli_out *out)
{
    cli_json j = {.out = out, .line = true};
    if (format != CLI_ROWS_JSONL) cli_out_text(out, "# odim ");
    cli_json_begin(&j, NULL, '{');
    if (format == CLI_ROWS_JSONL) cli_json_begin(&j, "odim", '{');
    cli_results_provenance(r->model, r->path, &j);
    if (format == CLI_ROWS_JSONL) cli_json_end(&j);
    cli_json_end(&j);
}

bool cli_rows_begin(cli_rows *rows, const cli_results *r, cli_out *out, int64_t count)
{
    const char *id = r->set->keep ? NULL : cli_results_id_name(r->table);
    int64_t kept = kept_cols(r), explain = r->set->explain;
    cli_row_format format = cli_writer_format(r->set->output_format, r->set->output);
    *rows = (cli_rows){.ranked = r->rank != NULL};
    rows->columns = malloc((size_t)(kept + explain + 8) * sizeof *rows->columns);
    rows->reason = malloc((size_t)explain * sizeof *rows->reason + 1);
    rows->kept = malloc((size_t)kept * sizeof *rows->kept + 1);
    if (!rows->columns || !rows->reason || !rows->kept) {
        cli_log("out of memory");
        return false;
    }
    int n = 0;
    if (odim_table_file(r->table, 0)) rows->columns[n++] = (cli_out_column){"file", CLI_CELL_TEXT};
    rows->columns[n++] = (cli_out_column){"row", CLI_CELL_INT};
    if (id) rows->columns[n++] = (cli_out_column){id, CLI_CELL_TEXT};
    for (int64_t j = 0; j < kept; j++)
        rows->columns[n++] = (cli_out_column){kept_name(rows, r, j), CLI_CELL_TEXT};
    rows->columns[n++] = (cli_out_column){"score", CLI_CELL_NUMBER};
    if (r->set->raw_scores) rows->columns[n++] = (cli_out_column){"raw_score", CLI_CELL_NUMBER};
    if (rows->ranked) rows->columns[n++] = (cli_out_column){"rank", CLI_CELL_INT};
    rows->columns[n++] = (cli_out_column){"p_outlier", CLI_CELL_NUMBER};
    rows->columns[n++] = (cli_out_column){"is_outlier", CLI_CELL_FLAG};
    for (int64_t k = 0; k < explain; k++) {
        snprintf(rows->reason[k], sizeof rows->reason[k], "reason%lld", (long long)k + 1);
        rows->columns[n++] = (cli_out_column){rows->reason[k], CLI_CELL_TEXT};
    }
    if (r->continued) {
        cli_writer_continue(&rows->writer, out, format, rows->columns, n, count,
                            r->set->keep == CLI_KEEP_SAFE);
        return true;
    }
    if (r->set->provenance && format != CLI_ROWS_NPY) write_provenance(r, format, out);
    return cli_writer_begin(&rows->writer, out, format, rows->columns, n, count,
                            r->set->keep == CLI_KEEP_SAFE);
}

static void add_reasons(cli_rows *rows, const cli_results *r, int64_t i)
{
    for (int64_t k = 0; k < r->set->explain; k++) {
        const odim_reason *reason = &r->reasons[i * r->set->explain + k];
        char text[256];
        cli_writer_text(&rows->writer,
                        reason->col < 0 ? ""
                                        : odim_reason_text(r->model, r->table, i, reason, text, sizeof text));
    }
}

void cli_rows_add(cli_rows *rows, const cli_results *r)
{
    cli_writer *w = &rows->writer;
    const odim_table *t = r->table;
    bool id = !r->set->keep && odim_table_id_name(t);
    int64_t kept = kept_cols(r);
    for (int64_t i = 0; i < odim_table_rows(t); i++) {
        if (odim_table_file(t, i)) cli_writer_text(w, odim_table_file(t, i));
        cli_writer_int(w, cli_results_row(r, i));
        if (id) cli_writer_text(w, odim_table_id(t, i));
        for (int64_t j = 0; j < kept; j++) cli_writer_copy(w, odim_table_kept(t, i, j));
        cli_writer_number(w, r->scores[i]);
        if (r->set->raw_scores) cli_writer_number(w, r->raw[i]);
        if (rows->ranked) cli_writer_int(w, r->rank[i]);
        cli_writer_number(w, odim_model_probability(r->model, r->scores[i]));
        cli_writer_flag(w, cli_results_is_outlier(r, i));
        add_reasons(rows, r, i);
    }
}

bool cli_rows_end(cli_rows *rows)
{
    return cli_writer_end(&rows->writer);
}

void cli_rows_free(cli_rows *rows)
{
    free(rows->columns);
    free(rows->reason);
    free(rows->kept);
}
