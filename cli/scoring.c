/* The work of detect and score. */
#include "scoring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "input.h"
#include "held.h"
#include "judge.h"
#include "dp_notice.h"
#include "reporting.h"
#include "log.h"
#include "stream.h"

/* One row in so many may be unreadable before detect stops. */
#define BAD_SHARE 10

/* All rows of a table, scored. */
typedef struct whole {
    odim_table *table;
    double *scores, *raw;
    int64_t *rank, *order;
    odim_reason *reasons;
} whole;

/* ---- a model -------------------------------------------------------------------------------------- */

static int load_model(cli_score_job *s)
{
    odim_error err;
    return odim_model_load(&s->model, s->load, &err) ? cli_run_fail(&err, NULL) : CLI_EXIT_OK;
}

static int save_model(cli_score_job *s)
{
    if (s->save) cli_held_say(s->run, s->model);
    return s->save ? cli_run_save(s->model, &s->saved, NULL) : CLI_EXIT_OK;
}

/* ---- in one go ------------------------------------------------------------------------------------ */

static bool allocate(whole *w, const cli_output *set)
{
    int64_t explain = set->explain;
    bool raw = set->raw_scores || set->json;
    size_t n = (size_t)odim_table_rows(w->table);
    w->scores = malloc(n * sizeof *w->scores);
    w->rank = malloc(n * sizeof *w->rank);
    w->order = malloc(n * sizeof *w->order);
    if (raw) w->raw = malloc(n * sizeof *w->raw);
    if (explain) w->reasons = calloc(n * (size_t)explain, sizeof *w->reasons);
    return w->scores && w->rank && w->order && (!raw || w->raw) && (!explain || w->reasons);
}

static void free_whole(whole *w)
{
    free(w->scores);
    free(w->raw);
    free(w->rank);
    free(w->order);
    free(w->reasons);
    odim_table_free(w->table);
}

/* Scores of all rows; the model is fitted with them unless there is one. */
static int score_all(cli_score_job *s, whole *w)
{
    odim_error err;
    odim_hooks hooks = cli_run_hooks(s->run);
    cli_run_begin();
    odim_status status = s->model ? odim_score(s->model, w->table, s->run->params, &hooks, w->scores, &err)
                                  : odim_detect(w->table, s->run->params, &hooks, &s->model, w->scores, &err);
    if (!status && w->raw) status = odim_score_raw(s->model, w->table, s->run->params, &hooks, w->raw, &err);
    return cli_run_end(status, &err, cli_input_name(s->run->path));
}

/* If there are labels: AUC and average precision, one line to stderr. */
static odim_status judge(const cli_score_job *s, cli_results *r, odim_error *err)
{
    cli_judgement found;
    odim_status status = cli_judge(r->table, r->scores, &found, err);
    const char *which = found.known ? " that were not known" : "";
    r->outliers = found.outliers;
    r->judged = found.judged;
    r->auc = found.auc;
    r->ap = found.ap;
    if (status || s->run->quiet || !found.labeled) return status;
    if (found.judged)
        fprintf(stderr, "AUC %.4f, average precision %.4f (%lld outlier%s of %lld rows%s)\n",
                cli_log_measure(r->auc), cli_log_measure(r->ap), (long long)r->outliers,
                r->outliers > 1 ? "s" : "", (long long)found.rows, which);
    else if (found.rows)
        fprintf(stderr, "no AUC: all %lld rows%s are labeled %s\n", (long long)found.rows, which,
                r->outliers ? "outliers" : "inliers");
    else
        fprintf(stderr, "no AUC: all rows were known\n");
    return ODIM_OK;
}

/* Writes the scores to the output and, with both -o and --top, the table to stdout. */
static int write_results(cli_score_job *s, const cli_results *r)
{
    int64_t rows = odim_table_rows(r->table), top = s->set->top < rows ? s->set->top : rows;
    bool to_file = s->set->output && strcmp(s->set->output, "-") != 0;
    bool table = top > 0 && !s->set->json;
    if (s->answer) {
        if (!cli_results_answer(r, cli_log_width(STDOUT_FILENO), &s->out)) return CLI_EXIT_FAILED;
    } else if (s->set->json) {
        cli_results_json(r, top, &s->out);
    } else if (!table || to_file) {
        cli_rows out;
        bool fine = cli_rows_begin(&out, r, &s->out, rows);
        if (fine) cli_rows_add(&out, r);
        fine = fine && cli_rows_end(&out);
        cli_rows_free(&out);
        if (!fine) return CLI_EXIT_FAILED;
    }
    if (table && to_file) {
        if (!cli_out_commit(&s->out) || !cli_out_open(&s->out, NULL)) return CLI_EXIT_FAILED;
    }
    if (table && !cli_results_top(r, top, false, cli_log_width(STDOUT_FILENO), &s->out))
        return CLI_EXIT_FAILED;
    return cli_out_commit(&s->out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

/* The highest score that is not an outlier, if this fraction of the rows are outliers. */
static double threshold_of(const whole *w, double share)
{
    int64_t n = odim_table_rows(w->table), count = (int64_t)floor(share * (double)n + 0.5);
    return count < n ? w->scores[w->order[count]] : -INFINITY;
}

static int report(cli_score_job *s, whole *w)
{
    odim_error err;
    int64_t n = odim_table_rows(w->table);
    cli_results r = {.path = s->run->path,
                     .table = w->table,
                     .model = s->model,
                     .set = s->set,
                     .scores = w->scores,
                     .raw = w->raw,
                     .rank = w->rank,
                     .order = w->order,
                     .reasons = w->reasons};
    if (odim_rank(w->scores, n, w->rank, &err)) return cli_run_fail(&err, cli_input_name(s->run->path));
    for (int64_t i = 0; i < n; i++) w->order[w->rank[i] - 1] = i;
    cli_output_threshold(s->set, s->model, &r.threshold);
    if (s->contamination > 0) r.threshold = threshold_of(w, s->contamination);
    if (judge(s, &r, &err)) return cli_run_fail(&err, cli_input_name(s->run->path));
    int64_t flagged = cli_results_flagged(&r);
    r.explained = s->answer ? cli_results_listed(&r) : flagged ? flagged : CLI_FEW_ROWS;
    int code = w->reasons ? cli_stream_explain(s->run, &r, w->reasons, s->run->params) : CLI_EXIT_OK;
    if (!code) code = write_results(s, &r);
    if (!code) code = cli_reporting_write(s, &r);
    /* With --top the caller has said how many there are, and the answer says it too. */
    if (!code && !s->set->top && !s->answer) {
        cli_reporting_terminal(s, &r);
        cli_results_summary(s->run, flagged, n);
    }
    return code;
}

/* Says which rows could not be read. Where that is more than a few, the file is not what it was taken for. */
static int judge_bad_rows(const cli_score_job *s, const odim_table *table)
{
    const char *why = NULL, *file = NULL;
    char first[400];
    int64_t bad = 0, n = odim_table_rows(table);
    for (int64_t i = n - 1; i >= 0; i--) {
        const char *reason = odim_table_bad_row(table, i);
        bad += reason != NULL;
        if (!reason) continue;
        why = reason;
        file = odim_table_file(table, i);
    }
    if (!bad) return CLI_EXIT_OK;
    cli_progress_clear();
    odim_printable(why, first, sizeof first);
    if (bad * BAD_SHARE > n) {
        char more[96] = "";
        if (bad > 1)
            snprintf(more, sizeof more, "; %lld of %lld rows cannot be read", (long long)bad, (long long)n);
        cli_log("%s: %s%s", file ? file : cli_input_name(s->run->path), first, more);
        return CLI_EXIT_FAILED;
    }
    if (!s->run->quiet)
        cli_log("note: %s%s%s%s; %s", file ? file : "", file ? ": " : "", first,
                bad > 1 ? ", and others" : "",
                bad > 1 ? "such rows are called outliers" : "the row is called an outlier");
    return CLI_EXIT_OK;
}

static int run_whole(cli_score_job *s)
{
    whole w = {0};
    double start = cli_run_clock();
    if (s->call_bad_rows) s->reading.bad_rows = ODIM_BAD_ROWS_CALL;
    int code = cli_run_read(s->run, &w.table, s->run->path, &s->reading);
    if (!code && s->call_bad_rows) code = judge_bad_rows(s, w.table);
    if (!code && !cli_reporting_can_draw(s, w.table)) code = CLI_EXIT_USAGE;
    if (!code && !allocate(&w, s->set)) code = cli_run_nomem();
    bool fitted = !s->model;
    double ready = cli_run_clock();
    if (!code) code = score_all(s, &w);
    s->read_seconds = ready - start;
    s->work_seconds = cli_run_clock() - ready;
    if (!code && fitted) cli_dp_notice_say(s->run, s->model, true);
    if (!code) code = save_model(s);
    if (!code) code = report(s, &w);
    free_whole(&w);
    return code;
}

/* ---- as a stream ---------------------------------------------------------------------------------- */

static int run_stream(cli_score_job *s)
{
    odim_error err;
    int code = CLI_EXIT_OK;
    if (!s->model) {
        odim_hooks hooks = cli_run_hooks(s->run);
        odim_read_options fitting = s->reading;
        fitting.keep = 0;
        cli_run_begin();
        odim_status status = odim_fit_file(s->run->path, &fitting, s->run->params, &hooks, &s->model, &err);
        code = cli_run_end(status, &err, NULL);
        if (!code) code = save_model(s);
        s->reading.like = s->model;
    }
    return code ? code : cli_stream_score(s);
}

/* ---- both ----------------------------------------------------------------------------------------- */

/* With a model one pass is enough, so standard input need not be in memory. */
static bool wants_stream(const cli_score_job *s, double memory)
{
    if (s->set->stream) return true;
    if (s->set->top || s->set->json || s->contamination > 0 || s->set->report || s->set->plot) return false;
    if (!s->load && cli_input_is_private(s->run->params)) return false;
    if (strcmp(s->run->path, "-") == 0) return s->load != NULL;
    return cli_files_size(s->run->path, &s->reading) > memory;
}

/* On a terminal the scores of all rows are printed only on request, such as by -o -. */
static bool wants_answer(const cli_score_job *s)
{
    const cli_output *set = s->set;
    return !set->output && !set->output_format && !set->json && !set->top && !set->keep && !set->provenance &&
           isatty(STDOUT_FILENO);
}

static int run(cli_score_job *s, double memory)
{
    if (wants_stream(s, memory)) return run_stream(s);
    if (wants_answer(s)) {
        enum { REASONS = 2 };
        s->answer = true;
        s->full = *s->set;
        if (!s->full.explain) s->full.explain = REASONS;
        s->set = &s->full;
    }
    return run_whole(s);
}

int cli_scoring_run(cli_score_job *s)
{
    double memory = cli_input_size(s->set->memory ? s->set->memory : "1G");
    if (!(memory > 0)) {
        cli_log("--memory must be a size such as 500M or 2G, not '%s'", s->set->memory);
        return CLI_EXIT_USAGE;
    }
    bool texts =
        s->reading.id || s->reading.more_files || s->set->keep || s->set->explain || s->set->provenance;
    if (texts && !s->set->json && cli_writer_format(s->set->output_format, s->set->output) == CLI_ROWS_NPY)
        cli_run_note(s->run, "NPY contains only numbers: texts are left out");
    /* Before the work, so that a place where nothing can be written is known early. */
    int code = cli_out_open(&s->out, s->set->output) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
    if (!code && s->save && !cli_out_open(&s->saved, s->save)) code = CLI_EXIT_FAILED;
    if (!code && !cli_reporting_open(s)) code = CLI_EXIT_FAILED;
    if (!code && s->load) code = load_model(s);
    s->reading.like = s->model;
    s->reading.keep = s->set->keep;
    s->reading.threads = cli_run_threads(s->run);
    if (!code) code = run(s, memory);
    cli_out_discard(&s->out);
    cli_out_discard(&s->saved);
    cli_out_discard(&s->page);
    cli_out_discard(&s->drawing);
    odim_model_free(s->model);
    return code;
}
