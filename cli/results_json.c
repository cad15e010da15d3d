#include "results.h"

#include <string.h>

#include "json.h"
#include "pledge.h"

static void put_parameters(const odim_model *m, od_json *j)
{
    od_json_begin(j, "parameters", '{');
    for (int i = 0; i < odim_param_count(); i++) {
        const odim_param_info *param = odim_param_at(i);
        char text[160];
        const char *value = odim_model_get(m, param->name, text, sizeof text);
        if (!value) continue; /* of no use in it */
        if (strcmp(param->arg, "on|off") == 0)
            od_json_raw(j, param->name, strcmp(value, "on") == 0 ? "true" : "false");
        else if (od_json_is_number(value))
            od_json_raw(j, param->name, value);
        else
            od_json_string(j, param->name, value);
    }
    od_json_end(j);
}

void od_results_members(const odim_model *m, od_json *j)
{
    od_json_begin(j, "members", '[');
    for (int i = 0; i < odim_model_members(m); i++) {
        odim_member_info member = {0};
        odim_model_member(m, i, &member, NULL);
        od_json_begin(j, NULL, '{');
        od_json_int(j, "updates", member.updates);
        od_json_int(j, "best_update", member.best_update);
        od_json_number(j, "distance", member.distance);
        od_json_end(j);
    }
    od_json_end(j);
}

void od_results_provenance(const odim_model *m, const char *path, od_json *j)
{
    char fingerprint[17];
    od_json_string(j, "version", odim_version());
    od_json_string(j, "file", path);
    odim_model_fingerprint(m, fingerprint);
    od_json_string(j, "model", fingerprint);
    put_parameters(m, j);
}

static void put_reasons(const od_results *r, int64_t i, od_json *j)
{
    od_json_begin(j, "reasons", '[');
    for (int64_t k = 0; k < r->set->explain; k++) {
        const odim_reason *reason = &r->reasons[i * r->set->explain + k];
        odim_column_info column;
        char text[256];
        if (reason->col < 0 || odim_model_column(r->model, reason->col, &column, NULL)) break;
        od_json_begin(j, NULL, '{');
        od_json_string(j, "column", column.name);
        od_json_int(j, "number", reason->col + 1);
        od_json_string(j, "kind", odim_reason_kind_text(reason->kind));
        od_json_number(j, "share", reason->share);
        od_json_string(j, "text", odim_reason_text(r->model, r->table, i, reason, text, sizeof text));
        od_json_end(j);
    }
    od_json_end(j);
}

void od_results_json(const od_results *r, int64_t top, od_out *out)
{
    od_json j = {.out = out};
    int64_t rows = odim_table_rows(r->table);
    od_json_begin(&j, NULL, '{');
    od_results_provenance(r->model, r->path, &j);
    od_json_int(&j, "rows", rows);
    od_json_int(&j, "columns", odim_table_cols(r->table));
    od_pledge_json(r->model, &j);
    od_results_members(r->model, &j);
    if (!r->set->top) od_json_number(&j, "threshold", r->threshold);
    od_json_number(&j, "unusual_threshold", odim_model_unusual(r->model));
    od_json_int(&j, "flagged", od_results_flagged(r));
    od_json_int(&j, "unusual", od_results_unusual(r));
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
        od_json_number(&j, "raw_score", r->raw[i]);
        od_json_int(&j, "rank", r->rank[i]);
        od_json_number(&j, "p_outlier", odim_model_probability(r->model, r->scores[i]));
        od_json_raw(&j, "is_outlier", od_results_is_outlier(r, i) ? "true" : "false");
        od_json_raw(&j, "unusual", od_results_is_unusual(r, i) ? "true" : "false");
        if (r->reasons) put_reasons(r, i, &j);
        od_json_end(&j);
    }
    od_json_end(&j);
    od_json_end(&j);
}
