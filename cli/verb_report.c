/* odim report: an HTML page about existing scores. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "input.h"
#include "report.h"
#include "log.h"
#include "run.h"

typedef struct settings {
    cli_input input;
    const char *model, *data, *score, *output, *threshold, *plot, *picture;
    int quiet;
} settings;

static const cli_option options[] = {
    {"model", 'm', "MODEL", "Input", "the model that made the scores", CLI_OPTION_TEXT, 0,
     offsetof(settings, model)},
    {"data", 0, "FILE", "Input",
     "the rows that were scored, for values and reasons; not needed if SCORES has them (--keep)",
     CLI_OPTION_TEXT, 0, offsetof(settings, data)},
    {"score", 0, "COL", "Input", "column of the scores [score]", CLI_OPTION_TEXT, 0,
     offsetof(settings, score)},
    CLI_INPUT_OPTIONS(settings, ": the page shows how well the scores agree with them"),
    {"output", 'o', "HTML", "Output", "write the report to this file", CLI_OPTION_TEXT, 0,
     offsetof(settings, output)},
    {"plot", 0, "SVG", "Output", "write one of its plots to this file", CLI_OPTION_TEXT, 0,
     offsetof(settings, plot)},
    {"plot-kind", 0, CLI_PLOT_KINDS, "Output", "which plot [scores]", CLI_OPTION_TEXT, 0,
     offsetof(settings, picture)},
    {"threshold", 0, "S", "Output", "treat scores above S as outliers [the model's threshold]",
     CLI_OPTION_TEXT, 0, offsetof(settings, threshold)},
    {"quiet", 'q', NULL, "Output", "print only errors to stderr", CLI_OPTION_SWITCH, 1,
     offsetof(settings, quiet)},
};

typedef struct run {
    settings set;
    cli_run *work;
    cli_buffer file;
    cli_score_file found;
    odim_model *model;
    odim_table *data; /* the rows, or NULL */
    double *scores;   /* (n), as the rows come */
    int64_t *rank, *order, *number;
    int64_t n;
    double threshold;
    cli_out page, drawing;
} run;

static int fail(const odim_error *err)
{
    cli_log("%s", err->msg);
    return CLI_EXIT_FAILED;
}

static int read_scores(run *r, const char *path)
{
    odim_error err;
    if (!cli_buffer_load(&r->file, path)) return CLI_EXIT_FAILED;
    if (cli_buffer_scores(&r->found, &r->file, r->set.score ? r->set.score : "score", &err))
        return fail(&err);
    r->n = odim_table_rows(r->found.table);
    size_t n = (size_t)r->n;
    r->scores = malloc(n * sizeof *r->scores);
    r->rank = malloc(n * sizeof *r->rank);
    r->order = malloc(n * sizeof *r->order);
    r->number = malloc(n * sizeof *r->number);
    if (!r->scores || !r->rank || !r->order || !r->number) return cli_run_nomem();
    for (int64_t i = 0; i < r->n; i++) {
        r->scores[i] = odim_table_value(r->found.table, i, r->found.score);
        r->number[i] = r->found.row < 0 ? i + 1 : (int64_t)odim_table_value(r->found.table, i, r->found.row);
        if (isfinite(r->scores[i])) continue;
        cli_log("%s: row %lld: its score is not a number", r->file.name, (long long)i + 1);
        return CLI_EXIT_FAILED;
    }
    return CLI_EXIT_OK;
}

/* The rows are in another file: each must have its score, by its number. */
static int match_rows(run *r)
{
    int64_t rows = odim_table_rows(r->data);
    double *sorted = malloc((size_t)rows * sizeof *sorted);
    if (!sorted) return cli_run_nomem();
    for (int64_t i = 0; i < rows; i++) sorted[i] = NAN;
    for (int64_t i = 0; i < r->n; i++)
        if (r->number[i] >= 1 && r->number[i] <= rows) sorted[r->number[i] - 1] = r->scores[i];
    int64_t missing = 0;
    for (int64_t i = 0; i < rows; i++) missing += isnan(sorted[i]);
    if (missing || rows != r->n) {
        cli_log("%s: has %lld scores, which are not those of the %lld rows of %s", r->file.name,
                (long long)r->n, (long long)rows, r->set.data);
        free(sorted);
        return CLI_EXIT_FAILED;
    }
    memcpy(r->scores, sorted, (size_t)rows * sizeof *sorted);
    for (int64_t i = 0; i < rows; i++) r->number[i] = i + 1;
    free(sorted);
    return CLI_EXIT_OK;
}

/* Scores in a file have nine digits. One that differs from the threshold beyond them only is that score, and
 * not above itself. */
static void settle_scores(run *r)
{
    for (int64_t i = 0; i < r->n; i++)
        if (fabs(r->scores[i] - r->threshold) <= 5e-9 * fabs(r->threshold)) r->scores[i] = r->threshold;
}

/* What was asked for by name must be there: in the rows, where there are any. */
static int fail_named(run *r, const odim_read_options *asked, const odim_error *why)
{
    odim_error err;
    odim_read_options reading = *asked;
    reading.label = reading.id = NULL;
    if (!odim_table_read_memory(&r->data, r->file.bytes, r->file.size, r->file.name, &reading, &err))
        return fail(why);
    cli_log("%s: has no rows but only their scores: --data FILE names the file with the column of --%s",
            r->file.name, asked->label ? "label" : "id");
    return CLI_EXIT_FAILED;
}

static int read_data(run *r)
{
    odim_error err;
    odim_read_options reading;
    if (!cli_input_options(&r->set.input, &r->work->lists, &reading)) return CLI_EXIT_USAGE;
    reading.like = r->model;
    if (r->set.data) {
        if (odim_table_read(&r->data, r->set.data, &reading, &err)) return fail(&err);
        cli_run_notes(r->work, r->data);
        return match_rows(r);
    }
    odim_status status =
        odim_table_read_memory(&r->data, r->file.bytes, r->file.size, r->file.name, &reading, &err);
    if (status && err.row >= 0) return fail(&err);
    if (status && (reading.label || reading.id)) return fail_named(r, &reading, &err);
    if (status)
        cli_run_note(r->work, "the scores come without the rows: --data FILE adds values and reasons");
    return CLI_EXIT_OK;
}

static bool parse_threshold(run *r)
{
    char *end;
    r->threshold = odim_model_threshold(r->model);
    if (!r->set.threshold) return true;
    errno = 0;
    r->threshold = strtod(r->set.threshold, &end);
    if (end != r->set.threshold && !*end && isfinite(r->threshold)) return true;
    cli_log("--threshold must be a number, not '%s'", r->set.threshold);
    return false;
}

static int report(run *r, const char *path)
{
    odim_error err;
    cli_findings f;
    if (odim_rank(r->scores, r->n, r->rank, &err)) return fail(&err);
    for (int64_t i = 0; i < r->n; i++) r->order[r->rank[i] - 1] = i;
    odim_hooks hooks = cli_run_hooks(r->work);
    char *command = cli_run_command(r->work);
    const cli_report about = {.path = r->set.data ? r->set.data : path,
                              .command = command,
                              .model = r->model,
                              .table = r->data,
                              .rows = r->n,
                              .scores = r->scores,
                              .order = r->order,
                              .number = r->number,
                              .labels = r->data ? odim_table_labels(r->data) : NULL,
                              .threshold = r->threshold,
                              .asked = r->set.threshold ? "--threshold" : NULL,
                              .notes = (const char *const *)r->work->notes,
                              .note_count = r->work->note_count,
                              .hooks = &hooks};
    r->work->bar.doing = "writing the report";
    cli_run_begin();
    odim_status status = cli_findings_make(&f, &about, &err);
    int code = cli_run_end(status, &err, cli_input_name(path));
    if (!code && !cli_report_write(&f, r->set.output ? &r->page : NULL, r->set.plot ? &r->drawing : NULL,
                                   r->set.picture))
        code = CLI_EXIT_FAILED;
    cli_findings_free(&f);
    free(command);
    return code;
}

static int run_all(run *r, const char *path)
{
    odim_error err;
    const cli_target targets[] = {{"--output", r->set.output, false}, {"--plot", r->set.plot, false}};
    const char *const inputs[CLI_INPUTS] = {path, r->set.data, r->set.model};
    if (!cli_input_check_targets(inputs, targets, 2)) return CLI_EXIT_USAGE;
    /* Before the work, so that a place where nothing can be written is known early. */
    if (r->set.output && !cli_out_open(&r->page, r->set.output)) return CLI_EXIT_FAILED;
    if (r->set.plot && !cli_out_open(&r->drawing, r->set.plot)) return CLI_EXIT_FAILED;
    if (odim_model_load(&r->model, r->set.model, &err)) return cli_run_fail(&err, NULL);
    if (!parse_threshold(r)) return CLI_EXIT_USAGE;
    int code = read_scores(r, path);
    if (!code) settle_scores(r);
    if (!code) code = read_data(r);
    const char *lacks = code ? NULL : cli_plot_lacks(r->set.picture, r->data, r->model);
    if (lacks) {
        cli_log("--plot-kind %s needs %s", r->set.picture, lacks);
        return CLI_EXIT_USAGE;
    }
    return code ? code : report(r, path);
}

static int write_report(cli_run *w, void *settings_of)
{
    run r = {.set = *(const settings *)settings_of, .work = w};
    int code = CLI_EXIT_USAGE;
    if (!r.set.output && !r.set.plot)
        cli_log("report needs a file for the report: --output HTML, or for one of its plots: --plot SVG");
    else if (r.set.picture && !r.set.plot)
        cli_log("report needs a file for the plot: --plot SVG");
    else
        code = run_all(&r, w->path);
    cli_out_discard(&r.page);
    cli_out_discard(&r.drawing);
    cli_buffer_free(&r.file);
    odim_table_free(r.found.table);
    odim_table_free(r.data);
    odim_model_free(r.model);
    free(r.scores);
    free(r.rank);
    free(r.order);
    free(r.number);
    return code;
}

static int run_report(int argc, char **argv)
{
    settings set = {0};
    return cli_run_verb(&cli_report_verb, argc, argv, &set, write_report);
}

static const cli_need needs[] = {
    {"model", CLI_MODEL_NEEDED}, {"", "a SCORES file, '-' for standard input"}, {NULL, NULL}};

static const char *const common[] = {"model",     "data", "id",        "label", "output",
                                     "threshold", "plot", "plot-kind", NULL};

const cli_verb cli_report_verb = {
    .name = "report",
    .summary = "write an HTML page about scores",
    .usage = "SCORES -m MODEL -o HTML [options]",
    .examples = "  odim detect data.csv --report report.html             all in one step\n"
                "  odim report scores.csv -m model.odim --data data.csv -o report.html\n"
                "  odim report kept.csv -m model.odim --plot scores.svg\n",
    .more = "The report is a self-contained HTML page. It shows outliers and unusual rows\n"
            "with their reasons, the scores with a movable threshold, the columns, how the\n"
            "model was trained, and the command.\n",
    .manual =
        "SCORES is the CSV or TSV output of detect or score. With --keep it includes the rows; otherwise\n"
        "--data names their file. Without the rows the report has no reasons and no columns. It shows how "
        "the\n"
        "model was trained if the model file contains that, which files of older versions do not, and the\n"
        "losses of the rows if these are the rows that the model was fitted on.\n"
        "\n"
        "For large tables the report lists the rows with the highest scores, up to 2,000 and fewer if their\n"
        "cells are long, and histograms of all rows. It stays below 2 MB.\n"
        "\n"
        "If the model is of a folder of pictures, --data names the folder, and the report shows the "
        "pictures.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = common,
    .needs = needs,
    .run = run_report,
};
