/* The summary of a result, its figures, and the small things that its other parts share. */
#include "result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "job_state.h"
#include "prep/table.h"
#include "reason_words.h"

int64_t serve_result_room(int64_t rows, int64_t cols)
{
    /* Scores, rank, order, kinds, spots; a selection and its copy, raw scores; findings of the report. */
    return rows * (8 * 6 + 3) + cols * 200 + (4 << 20);
}

void serve_result_free(serve_result *r)
{
    if (!r) return;
    if (r->has_findings) cli_findings_free(&r->findings);
    if (r->selection) {
        od_free(r->selection->key);
        od_free(r->selection->row);
        od_free(r->selection);
    }
    free(r->command);
    od_strlist_free(&r->notes);
    od_free(r->note_list);
    od_free(r->raw);
    od_free(r->moved);
    od_free(r->scores);
    od_free(r->rank);
    od_free(r->order);
    odim_model_free(r->model);
    od_table_with_known_free(r->view);
    if (r->parsed) pthread_mutex_destroy(&r->lock);
    serve_parsed_unref(r->parsed);
    od_free(r);
}

/* Numbers ascend: rows that were left out are missing among them. */
int64_t serve_result_find(const serve_result *r, int64_t number)
{
    int64_t low = 0, high = r->rows - 1;
    while (low <= high) {
        int64_t middle = low + (high - low) / 2, at = odim_table_row_number(r->table, middle) + 1;
        if (at == number) return middle;
        if (at < number)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

cli_log_level serve_result_level(const serve_result *r, int64_t row, double threshold)
{
    if (r->scores[row] > threshold || odim_table_bad_row(r->table, row)) return CLI_OUTLIER;
    return r->scores[row] > r->findings.unusual ? CLI_UNUSUAL : CLI_ORDINARY;
}

const char *serve_result_mark(const serve_result *r, int64_t row)
{
    const int8_t *known = odim_table_known(r->table);
    return !known || known[row] < 0 ? NULL : known[row] ? "outlier" : "fine";
}

serve_job *serve_result_take(serve_jobs *j, const char *id, serve_problem *why)
{
    serve_job *job = serve_job_take(j, id, why);
    if (!job) return NULL;
    pthread_mutex_lock(&job->lock);
    serve_state state = job->state;
    serve_problem error = job->error;
    pthread_mutex_unlock(&job->lock);
    if (state == SERVE_DONE) return job;
    if (state == SERVE_FAILED)
        serve_fail(why, 409, "the job has failed: %s", error.detail);
    else if (state == SERVE_CANCELLED)
        serve_fail(why, 409, "the job was cancelled");
    else
        serve_fail(why, 409, "the job is not done yet (%s)", serve_state_text(state));
    serve_job_release(job);
    return NULL;
}

/* ---- columns ---------------------------------------------------------------------------------------- */

/* The column of the model that a column of the file has become, or the first of several; -1: none. */
static int64_t model_column(const serve_result *r, int64_t col)
{
    int64_t feature = r->parsed->feature[col];
    if (feature < 0) return -1;
    for (int64_t j = 0; j < odim_model_cols(r->model); j++) {
        int64_t at = (feature + j) % odim_model_cols(r->model);
        if (r->findings.column[at].place == feature) return at;
    }
    return -1;
}

static bool is_drawn(const serve_result *r, int64_t column)
{
    for (int64_t k = 0; k < r->findings.charts; k++)
        if (r->findings.ranked[k] == column) return true;
    return false;
}

static void put_value(const serve_result *r, int64_t column, const char *key, double value, cli_json *j)
{
    char text[64];
    if (isnan(value))
        cli_json_raw(j, key, "null");
    else
        cli_json_string(j, key, odim_model_text(r->model, column, value, text, sizeof text));
}

static void put_used(const serve_result *r, int64_t column, double total, cli_json *j)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    char name[32];
    bool known = !odim_model_column(r->model, column, &c, NULL);
    if (known && c.ignored)
        cli_json_string(j, "ignored", c.ignored);
    else
        cli_json_raw(j, "ignored", "null");
    put_value(r, column, "low", c.low, j);
    put_value(r, column, "high", c.high, j);
    put_value(r, column, "usual_low", c.usual_low, j);
    put_value(r, column, "usual_high", c.usual_high, j);
    /* A free text is several columns of the model. */
    int64_t blame = 0;
    double share = 0;
    for (int64_t k = column; k < odim_model_cols(r->model); k++) {
        const od_column *own =
            &r->table->col[r->findings.column[k].place < 0 ? 0 : r->findings.column[k].place];
        if (k > column && own->format.feature <= OD_TEXT_LENGTH) break;
        blame += r->findings.column[k].blame;
        share += r->findings.column[k].share;
    }
    cli_json_int(j, "blame", blame);
    cli_json_number(j, "share", total > 0 ? floor(1e4 * share / total + 0.5) / 1e4 : 0);
    snprintf(name, sizeof name, "column-%lld", (long long)column + 1);
    if (is_drawn(r, column) && known && !c.ignored)
        cli_json_string(j, "figure", name);
    else
        cli_json_raw(j, "figure", "null");
}

static void put_unused(cli_json *j)
{
    static const char *const keys[] = {"ignored", "low", "high", "usual_low", "usual_high"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) cli_json_raw(j, keys[i], "null");
    cli_json_int(j, "blame", 0);
    cli_json_int(j, "share", 0);
    cli_json_raw(j, "figure", "null");
}

static void put_columns(const serve_result *r, cli_json *j)
{
    const serve_parsed *p = r->parsed;
    double total = 0;
    for (int64_t k = 0; k < odim_model_cols(r->model); k++) total += r->findings.column[k].share;
    cli_json_begin(j, "columns", '[');
    for (int64_t col = 0; col < p->cols; col++) {
        int64_t column = model_column(r, col);
        cli_json_begin(j, NULL, '{');
        serve_parsed_put_column(p, col, j);
        if (column >= 0)
            put_used(r, column, total, j);
        else
            put_unused(j);
        cli_json_end(j);
    }
    cli_json_end(j);
}

/* ---- scores ----------------------------------------------------------------------------------------- */

static void put_bars(const char *key, const double *bar, int count, bool whole, cli_json *j)
{
    cli_json_begin(j, key, '[');
    for (int i = 0; i < count; i++) {
        if (whole)
            cli_json_int(j, NULL, (int64_t)bar[i]);
        else
            cli_json_number(j, NULL, bar[i]);
    }
    cli_json_end(j);
}

static void put_counts(const char *key, const int64_t *count, cli_json *j)
{
    cli_json_begin(j, key, '[');
    for (int i = 0; i <= CLI_REPORT_STEPS; i++) cli_json_int(j, NULL, count[i]);
    cli_json_end(j);
}

static void put_scores(const serve_result *r, cli_json *j)
{
    const cli_findings *f = &r->findings;
    char name[64];
    cli_json_number(j, "threshold", r->threshold);
    cli_json_string(j, "threshold_name", cli_report_threshold(&r->report, name, sizeof name));
    cli_json_number(j, "unusual", f->unusual);
    cli_json_int(j, "outliers", f->flagged);
    cli_json_int(j, "unusual_rows", f->noted);
    cli_json_begin(j, "histogram", '{');
    cli_json_number(j, "low", f->range.low);
    cli_json_number(j, "high", f->range.high);
    cli_json_int(j, "beyond", f->beyond);
    put_bars("edges", f->edge, CLI_REPORT_BARS + 1, false, j);
    put_bars("ordinary", f->bar[CLI_ORDINARY], CLI_REPORT_BARS, true, j);
    put_bars("unusual", f->bar[CLI_UNUSUAL], CLI_REPORT_BARS, true, j);
    put_bars("outliers", f->bar[CLI_OUTLIER], CLI_REPORT_BARS, true, j);
    cli_json_end(j);
    put_counts("above", f->above, j);
    if (!r->judgement.judged) {
        cli_json_raw(j, "labels", "null");
        return;
    }
    cli_json_begin(j, "labels", '{');
    cli_json_number(j, "auc", r->judgement.auc);
    cli_json_number(j, "ap", r->judgement.ap);
    cli_json_int(j, "outliers", r->judgement.outliers);
    cli_json_int(j, "rows", r->judgement.rows);
    put_counts("hits", f->hits, j);
    int64_t hits = 0;
    for (int64_t i = 0; i < f->flagged; i++) hits += r->report.labels[r->report.order[i]] == 1;
    cli_json_int(j, "flagged_hits", hits);
    cli_json_end(j);
}

/* ---- the run ---------------------------------------------------------------------------------------- */

static void put_run(const serve_job *job, const serve_result *r, cli_json *j)
{
    char preset[64], fingerprint[17];
    const char *value = odim_model_get(r->model, "preset", preset, sizeof preset);
    cli_json_begin(j, "notes", '[');
    for (size_t i = 0; i < r->notes.count; i++) cli_json_string(j, NULL, r->note_list[i]);
    cli_json_end(j);
    cli_json_begin(j, "seconds", '{');
    cli_json_number(j, "reading", r->parsed->seconds);
    cli_json_number(j, "working", r->work_seconds);
    cli_json_number(j, "explaining", r->explain_seconds);
    cli_json_end(j);
    cli_json_string(j, "command", r->command);
    cli_json_string(j, "preset", value ? value : odim_params_get(job->fit, "preset"));
    cli_json_begin(j, "params", '{');
    for (size_t i = 0; i + 1 < job->params.count; i += 2)
        cli_json_string(j, od_strlist_at(&job->params, i), od_strlist_at(&job->params, i + 1));
    cli_json_end(j);
    cli_json_int(j, "duplicates", r->findings.duplicates);
    cli_json_int(j, "skipped", odim_table_skipped(r->table));
    cli_results_members(r->model, j);
    odim_model_fingerprint(r->model, fingerprint);
    cli_json_string(j, "model", fingerprint);
    cli_json_int(j, "model_bytes", (int64_t)r->model_bytes);
}

static void put_marked(const serve_result *r, const char *key, int kind, cli_json *j)
{
    enum { MOST = 10000 };
    const int8_t *known = odim_table_known(r->table);
    int64_t count = 0;
    cli_json_begin(j, key, '[');
    for (int64_t i = 0; known && i < r->rows && count < MOST; i++) {
        if (known[i] != kind) continue;
        cli_json_int(j, NULL, odim_table_row_number(r->table, i) + 1);
        count++;
    }
    cli_json_end(j);
}

static bool can_draw(const serve_result *r, const char *name)
{
    const cli_findings *f = &r->findings;
    if (strcmp(name, "pair") == 0) return f->pair[0] >= 0;
    if (strcmp(name, "learning") == 0)
        return odim_model_members(r->model) > 0 && odim_model_checks(r->model, 0);
    if (strcmp(name, "losses") == 0) return f->trace != NULL;
    if (strcmp(name, "labels") == 0) return f->judged;
    return true;
}

static const char *const figures[] = {"scores", "pair", "learning", "losses", "labels"};
enum { FIGURES = sizeof figures / sizeof *figures };

static void put_figures(const serve_result *r, cli_json *j)
{
    cli_json_begin(j, "figures", '[');
    for (int i = 0; i < FIGURES; i++)
        if (can_draw(r, figures[i])) cli_json_string(j, NULL, figures[i]);
    for (int64_t k = 0; k < r->findings.charts; k++) {
        odim_column_info c = ODIM_COLUMN_INFO_INIT;
        char name[32];
        if (odim_model_column(r->model, r->findings.ranked[k], &c, NULL) || c.ignored) continue;
        snprintf(name, sizeof name, "column-%lld", (long long)r->findings.ranked[k] + 1);
        cli_json_string(j, NULL, name);
    }
    cli_json_end(j);
}

odim_status serve_jobs_result(serve_jobs *jobs, const char *id, serve_text *out, serve_problem *why)
{
    serve_text_out to;
    *out = (serve_text){0};
    serve_job *job = serve_result_take(jobs, id, why);
    if (!job) return ODIM_ERR_PARAM;
    const serve_result *r = job->result;
    odim_status status = serve_text_begin(&to, why);
    if (!status) {
        cli_json j = {.out = &to.out, .line = true};
        cli_json_begin(&j, NULL, '{');
        cli_json_string(&j, "job", job->id);
        cli_json_string(&j, "name", job->name);
        cli_json_int(&j, "rows", r->rows);
        put_columns(r, &j);
        put_scores(r, &j);
        put_run(job, r, &j);
        cli_json_begin(&j, "marks", '{');
        put_marked(r, "outliers", 1, &j);
        put_marked(r, "inliers", 0, &j);
        cli_json_end(&j);
        serve_moved_json(r, &j);
        put_figures(r, &j);
        cli_json_end(&j);
        status = serve_text_end(&to, out, why);
    }
    serve_job_release(job);
    return status;
}

/* ---- figures ---------------------------------------------------------------------------------------- */

static bool draw(const serve_result *r, const char *name, FILE *to)
{
    cli_plot_kind plot = {&r->findings, true, to};
    char *end;
    if (strncmp(name, "column-", 7) == 0) {
        long long col = strtoll(name + 7, &end, 10);
        return !*end && col >= 1 && is_drawn(r, col - 1) && cli_plot_column(&plot, col - 1);
    }
    for (int i = 0; i < FIGURES; i++) {
        if (strcmp(name, figures[i]) != 0 || !can_draw(r, name)) continue;
        return strcmp(name, "losses") == 0 ? cli_trace_histograms(&r->findings.learning, to)
                                           : cli_plot_named(&plot, name);
    }
    return false;
}

odim_status serve_jobs_figure(serve_jobs *j, const char *id, const char *name, serve_text *out,
                              serve_problem *why)
{
    serve_text_out to;
    *out = (serve_text){0};
    serve_job *job = serve_result_take(j, id, why);
    if (!job) return ODIM_ERR_PARAM;
    odim_status status = serve_text_begin(&to, why);
    if (!status && !draw(job->result, name, to.out.file)) {
        status = serve_fail(why, 404, "there is no figure '%s'", name);
        serve_text_discard(&to);
    }
    if (!status) status = serve_text_end(&to, out, why);
    serve_job_release(job);
    return status;
}
