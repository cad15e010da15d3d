/* Results as one JSON object. */
#include "results.h"

#include <string.h>

#include "json.h"
#include "dp_notice.h"

static void put_parameters(const odim_model *m, cli_json *j)
{
    cli_json_begin(j, "parameters", '{');
    for (int i = 0; i < odim_param_count(); i++) {
        const odim_param_info *param = odim_param_at(i);
        char text[160];
        const char *value = odim_model_get(m, param->name, text, sizeof text);
        if (!value) continue; /* of no use in it */
        if (strcmp(param->arg, "on|off") == 0)
            cli_json_raw(j, param->name, strcmp(value, "on") == 0 ? "true" : "false");
        else if (cli_json_is_number(value))
            cli_json_raw(j, param->name, value);
        else
            cli_json_string(j, param->name, value);
    }
    cli_json_end(j);
}

void cli_results_members(const odim_model *m, cli_json *j)
{
    cli_json_begin(j, "members", '[');
    for (int i = 0; i < odim_model_members(m); i++) {
        const odim_member_info *member = odim_model_member(m, i);
        cli_json_begin(j, NULL, '{');
        cli_json_int(j, "updates", member->updates);
        cli_json_int(j, "best_update", member->best_update);
        cli_json_number(j, "distance", member->distance);
        cli_json_end(j);
    }
    cli_json_end(j);
}

void cli_results_provenance(const odim_model *m, const char *path, cli_json *j)
{
    char fingerprint[17];
    cli_json_string(j, "version", odim_version());
    cli_json_string(j, "file", path);
    odim_model_fingerprint(m, fingerprint);
    cli_json_string(j, "model", fingerprint);
    put_parameters(m, j);
}

static void put_reasons(const cli_results *r, int64_t i, cli_json *j)
{
    cli_json_begin(j, "reasons", '[');
    for (int64_t k = 0; k < r->set->explain; k++) {
        const odim_reason *reason = &r->reasons[i * r->set->explain + k];
        odim_column_info column = ODIM_COLUMN_INFO_INIT;
        char text[256];
        if (reason->col < 0 || odim_model_column(r->model, reason->col, &column, NULL)) break;
        cli_json_begin(j, NULL, '{');
        cli_json_string(j, "column", column.name);
        const char *part = odim_model_place(r->model, reason->col);
        cli_json_int(j, "number", reason->col + 1);
        if (part) cli_json_string(j, "part", part);
        cli_json_string(j, "kind", odim_reason_kind_text(reason->kind));
        cli_json_number(j, "share", reason->share);
        cli_json_string(j, "text", odim_reason_text(r->model, r->table, i, reason, text, sizeof text));
        cli_json_end(j);
    }
    cli_json_end(j);
}

void cli_results_json(const cli_results *r, int64_t top, cli_out *out)
{
    cli_json j = {.out = out};
    int64_t rows = odim_table_rows(r->table);
    cli_json_begin(&j, NULL, '{');
    cli_results_provenance(r->model, r->path, &j);
    cli_json_int(&j, "rows", rows);
    cli_json_int(&j, "columns", odim_table_cols(r->table));
    cli_dp_notice_json(r->model, &j);
    cli_results_members(r->model, &j);
    if (!r->set->top) cli_json_number(&j, "threshold", r->threshold);
    cli_json_number(&j, "unusual_threshold", odim_model_unusual(r->model));
    cli_json_int(&j, "flagged", cli_results_flagged(r));
    cli_json_int(&j, "unusual", cli_results_unusual(r));
    if (odim_table_labels(r->table)) cli_json_int(&j, "outliers", r->outliers);
    if (r->judged) {
        cli_json_number(&j, "auc", r->auc);
        cli_json_number(&j, "average_precision", r->ap);
    }
    cli_json_begin(&j, "scores", '[');
    for (int64_t k = 0; k < (top ? top : rows); k++) {
        int64_t i = top ? r->order[k] : k;
        cli_json_begin(&j, NULL, '{');
        if (odim_table_file(r->table, i)) cli_json_string(&j, "file", odim_table_file(r->table, i));
        cli_json_int(&j, "row", cli_results_row(r, i));
        if (odim_table_id_name(r->table)) cli_json_string(&j, "id", odim_table_id(r->table, i));
        cli_json_number(&j, "score", r->scores[i]);
        cli_json_number(&j, "raw_score", r->raw[i]);
        cli_json_int(&j, "rank", r->rank[i]);
        cli_json_number(&j, "p_outlier", odim_model_probability(r->model, r->scores[i]));
        cli_json_raw(&j, "is_outlier", cli_results_is_outlier(r, i) ? "true" : "false");
        cli_json_raw(&j, "unusual", cli_results_is_unusual(r, i) ? "true" : "false");
        if (r->reasons) put_reasons(r, i, &j);
        cli_json_end(&j);
    }
    cli_json_end(&j);
    cli_json_end(&j);
}
