/* What a client takes along: scores as the command writes them, the report, the model, and known rows. */
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "job_state.h"

/* ---- scores ----------------------------------------------------------------------------------------- */

/* Raw scores are found when they are needed first. */
static odim_status find_raw(serve_result *r, const double **out, serve_problem *why)
{
    odim_error err;
    pthread_mutex_lock(&r->lock);
    *out = r->raw;
    pthread_mutex_unlock(&r->lock);
    if (*out) return ODIM_OK;
    double *raw = od_alloc((size_t)r->rows, sizeof *raw);
    if (!raw) return serve_fail_nomem(why);
    if (odim_score_raw(r->model, r->table, NULL, NULL, raw, &err)) {
        od_free(raw);
        return serve_fail_error(why, &err);
    }
    pthread_mutex_lock(&r->lock);
    if (r->raw)
        od_free(raw); /* another thread was faster, with the same numbers */
    else
        r->raw = raw;
    *out = r->raw;
    pthread_mutex_unlock(&r->lock);
    return ODIM_OK;
}

static odim_status write_rows(const cli_results *r, cli_out *out, serve_problem *why)
{
    cli_rows rows;
    bool fine = cli_rows_begin(&rows, r, out, odim_table_rows(r->table));
    if (fine) cli_rows_add(&rows, r);
    fine = fine && cli_rows_end(&rows);
    cli_rows_free(&rows);
    return fine ? ODIM_OK : serve_fail_nomem(why);
}

/* The command's options that the query stands for. */
static odim_status choose_output(const serve_scores_query *q, cli_output *set, serve_problem *why)
{
    const char *format = q->format && *q->format ? q->format : "csv";
    bool json = strcmp(format, "json") == 0, lines = strcmp(format, "jsonl") == 0,
         sheet = strcmp(format, "csv") == 0 || strcmp(format, "tsv") == 0;
    *set = (cli_output){.output_format = json ? NULL : format,
                        .json = json,
                        .explain = q->explain,
                        .raw_scores = q->raw_scores,
                        .keep = q->table ? (q->safe ? CLI_KEEP_SAFE : CLI_KEEP_AS_IS) : CLI_KEEP_NONE};
    if (!json && !lines && !sheet)
        return serve_fail(why, 400, "format must be csv, tsv, json or jsonl, not '%s'", format);
    if (q->explain < 0 || q->explain > CLI_REASONS_MAX)
        return serve_fail(why, 400, "at most %d reasons per row", CLI_REASONS_MAX);
    if (q->table && json)
        return serve_fail(why, 400, "the columns of the table are for csv, tsv and jsonl, not for json");
    if (q->safe && !sheet) return serve_fail(why, 400, "safe is for csv and tsv");
    return ODIM_OK;
}

static odim_status explain(cli_results *c, odim_reason **out, serve_problem *why)
{
    odim_error err;
    int64_t flagged = cli_results_flagged(c), n = odim_table_rows(c->table);
    if (!c->set->explain) return ODIM_OK;
    c->explained = flagged ? flagged : CLI_FEW_ROWS;
    if (!(*out = od_calloc((size_t)n, (size_t)c->set->explain * sizeof **out))) return serve_fail_nomem(why);
    c->reasons = *out;
    if (cli_results_explain(c, *out, NULL, NULL, &err)) return serve_fail_error(why, &err);
    return ODIM_OK;
}

static odim_status write_scores(serve_job *job, const serve_scores_query *q, serve_text *out,
                                serve_problem *why)
{
    serve_result *r = job->result;
    serve_text_out to;
    cli_output set;
    odim_reason *reasons = NULL;
    /* Only the columns that are asked for: the table has kept all. */
    cli_results c = {.path = job->name,
                     .table = r->table,
                     .model = r->model,
                     .set = &set,
                     .threshold = r->threshold,
                     .scores = r->scores,
                     .rank = r->rank,
                     .order = r->order,
                     .outliers = r->judgement.outliers,
                     .judged = r->judgement.judged,
                     .auc = r->judgement.auc,
                     .ap = r->judgement.ap};
    odim_status status = choose_output(q, &set, why);
    if (!status && (set.json || set.raw_scores)) status = find_raw(r, &c.raw, why);
    if (!status) status = explain(&c, &reasons, why);
    if (!status) status = serve_text_begin(&to, why);
    if (!status) {
        if (set.json)
            cli_results_json(&c, 0, &to.out);
        else
            status = write_rows(&c, &to.out, why);
        if (status)
            serve_text_discard(&to);
        else
            status = serve_text_end(&to, out, why);
    }
    od_free(reasons);
    return status;
}

odim_status serve_jobs_scores(serve_jobs *j, const char *id, const serve_scores_query *query, serve_text *out,
                              serve_problem *why)
{
    *out = (serve_text){0};
    serve_job *job = serve_result_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    odim_status status = write_scores(job, query, out, why);
    serve_job_release(job);
    return status;
}

/* ---- report and model ------------------------------------------------------------------------------- */

odim_status serve_jobs_report(serve_jobs *j, const char *id, serve_text *out, serve_problem *why)
{
    serve_text_out to;
    *out = (serve_text){0};
    serve_job *job = serve_result_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    odim_status status = serve_text_begin(&to, why);
    if (!status) {
        cli_report_page(&job->result->findings, &to.out);
        status = serve_text_end(&to, out, why);
    }
    serve_job_release(job);
    return status;
}

odim_status serve_jobs_model(serve_jobs *j, const char *id, serve_text *out, serve_problem *why)
{
    *out = (serve_text){0};
    serve_job *job = serve_result_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    odim_status status = serve_text_of_model(job->result->model, out, why);
    serve_job_release(job);
    return status;
}

/* ---- names and known rows --------------------------------------------------------------------------- */

odim_status serve_jobs_name(serve_jobs *j, const char *id, char *buf, size_t size, serve_problem *why)
{
    *buf = '\0';
    serve_job *job = serve_job_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    const char *name = job->name, *dot = strchr(*name == '.' ? name + 1 : name, '.');
    size_t len = dot ? (size_t)(dot - name) : strlen(name), at = 0;
    for (size_t i = 0; i < len && at + 1 < size; i++) {
        char c = name[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        if (plain)
            buf[at++] = c;
        else if (at > 0 && buf[at - 1] != '_')
            buf[at++] = '_';
    }
    while (at > 0 && buf[at - 1] == '_') at--;
    buf[at] = '\0';
    if (!at) snprintf(buf, size, "table");
    serve_job_release(job);
    return ODIM_OK;
}

odim_status serve_jobs_known(serve_jobs *j, const char *id, serve_text *out, serve_problem *why)
{
    serve_text_out to;
    *out = (serve_text){0};
    serve_job *job = serve_result_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    const serve_result *r = job->result;
    const int8_t *known = odim_table_known(r->table);
    const char *by_id = job->options.text[SERVE_OPTION_ID];
    odim_status status = serve_text_begin(&to, why);
    for (int64_t i = 0; !status && known && i < r->rows; i++) {
        if (known[i] < 0) continue;
        if (by_id && *by_id)
            cli_out_printf(&to.out, "%s", odim_table_id(r->table, i));
        else
            cli_out_printf(&to.out, "%lld", (long long)odim_table_row_number(r->table, i) + 1);
        cli_out_printf(&to.out, "%s\n", known[i] == 0 ? "\tfine" : "");
    }
    if (!status) status = serve_text_end(&to, out, why);
    serve_job_release(job);
    return status;
}
