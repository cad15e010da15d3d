/* odim report: a page about scores that are there already. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
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
    {"model", 'm', "MODEL", "Input", "the model that gave the scores", CLI_OPTION_TEXT, 0,
     offsetof(settings, model)},
    {"data", 0, "FILE", "Input",
     "the rows that were scored, for values and reasons; not needed where SCORES has them (--keep)",
     CLI_OPTION_TEXT, 0, offsetof(settings, data)},
    {"score", 0, "COL", "Input", "column of the scores [score]", CLI_OPTION_TEXT, 0,
     offsetof(settings, score)},
    CLI_INPUT_OPTIONS(settings, ": how well the scores agree with them"),
    {"output", 'o', "HTML", "Output", "write the report into this file", CLI_OPTION_TEXT, 0,
     offsetof(settings, output)},
    {"plot", 0, "SVG", "Output", "draw one of its pictures into this file", CLI_OPTION_TEXT, 0,
     offsetof(settings, plot)},
    {"plot-kind", 0, CLI_PLOT_KINDS, "Output", "which one [scores]", CLI_OPTION_TEXT, 0,
     offsetof(settings, picture)},
    {"threshold", 0, "S", "Output", "call scores above S outliers [the model's]", CLI_OPTION_TEXT, 0,
     offsetof(settings, threshold)},
    {"quiet", 'q', NULL, "Output", "nothing on stderr but errors", CLI_OPTION_SWITCH, 1,
     offsetof(settings, quiet)},
};

typedef struct run {
    settings set;
    cli_run work;
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
    if (!cli_input_options(&r->set.input, &reading)) return CLI_EXIT_USAGE;
    reading.like = r->model;
    if (r->set.data) {
        if (odim_table_read(&r->data, r->set.data, &reading, &err)) return fail(&err);
        cli_run_notes(&r->work, r->data);
        return match_rows(r);
    }
    odim_status status =
        odim_table_read_memory(&r->data, r->file.bytes, r->file.size, r->file.name, &reading, &err);
    if (status && err.row >= 0) return fail(&err);
    if (status && (reading.label || reading.id)) return fail_named(r, &reading, &err);
    if (status)
        cli_run_note(&r->work, "the scores come without the rows: --data FILE adds values and reasons");
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

static int report(run *r, const char *path, const char *command)
{
    odim_error err;
    cli_findings f;
    if (odim_rank(r->scores, r->n, r->rank, &err)) return fail(&err);
    for (int64_t i = 0; i < r->n; i++) r->order[r->rank[i] - 1] = i;
    odim_hooks hooks = cli_run_hooks(&r->work);
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
                              .notes = (const char *const *)r->work.notes,
                              .note_count = r->work.note_count,
                              .hooks = &hooks};
    cli_run_begin();
    odim_status status = cli_findings_make(&f, &about, &err);
    int code = cli_run_end(status, &err, cli_input_name(path));
    if (!code && !cli_report_write(&f, r->set.output ? &r->page : NULL, r->set.plot ? &r->drawing : NULL,
                                   r->set.picture))
        code = CLI_EXIT_FAILED;
    cli_findings_free(&f);
    return code;
}

/* False: they cannot be used like that, which has been said. */
static bool check_files(const settings *set, const char *path)
{
    const char *const outputs[] = {set->output, set->plot}, *const inputs[] = {path, set->data, set->model};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            if (!outputs[i] || !inputs[k] || !cli_input_is(inputs[k], outputs[i])) continue;
            cli_log("%s: is the input; write to another file", outputs[i]);
            return false;
        }
        if (outputs[i] && strcmp(outputs[i], "-") == 0) {
            cli_log("%s needs the name of a file", i ? "--plot" : "--output");
            return false;
        }
    }
    if (!set->output || !set->plot || strcmp(set->output, set->plot) != 0) return true;
    cli_log("%s: two things cannot both go there", set->plot);
    return false;
}

static int run_all(run *r, const char *path, const char *command)
{
    odim_error err;
    if (!check_files(&r->set, path)) return CLI_EXIT_USAGE;
    cli_run_init(&r->work, r->set.quiet);
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
    return code ? code : report(r, path, command);
}

static int run_report(int argc, char **argv)
{
    run r = {.page = {0}};
    const char *path, *wrong = NULL;
    char *command = cli_run_command("report", argc, argv);
    int code = cli_args_parse(&cli_report_verb, argc, argv, &r.set, NULL, &path);
    if (code < 0) {
        wrong = !r.set.model ? "a model: --model MODEL, as 'odim fit' writes it"
                : !path      ? "a SCORES file, '-' for standard input"
                : !r.set.output && !r.set.plot
                    ? "a file for the report: --output HTML, or for one of its pictures: --plot SVG"
                : r.set.picture && !r.set.plot ? "a file for the picture: --plot SVG"
                                               : NULL;
        if (wrong) cli_log("report needs %s", wrong);
        code = wrong ? CLI_EXIT_USAGE : run_all(&r, path, command);
    }
    cli_out_discard(&r.page);
    cli_out_discard(&r.drawing);
    cli_run_free(&r.work);
    cli_buffer_free(&r.file);
    odim_table_free(r.found.table);
    odim_table_free(r.data);
    odim_model_free(r.model);
    free(r.scores);
    free(r.rank);
    free(r.order);
    free(r.number);
    free(command);
    cli_input_free(&r.set.input);
    return code;
}

const cli_verb cli_report_verb = {
    .name = "report",
    .summary = "write a page about scores: what was found, and why",
    .usage = "SCORES -m MODEL -o HTML [options]",
    .examples = "  odim detect data.csv --report report.html             the same at once\n"
                "  odim report scores.csv -m model.odim --data data.csv -o report.html\n"
                "  odim report kept.csv -m model.odim --plot scores.svg\n",
    .more = "The report is one HTML file that needs nothing else: no network, no other file.\n"
            "It shows outliers and unusual rows with their reasons, the scores with a\n"
            "threshold that can be moved, the columns, how the model was trained, and what\n"
            "was run.\n",
    .manual =
        "SCORES is what detect or score wrote, as CSV or TSV. With --keep it has the rows too;\n"
        "else --data names the file of them. Without the rows there are no reasons and no columns in the\n"
        "report. How the model was trained is shown if the model file contains it, which those of older\n"
        "versions do not; the losses of the rows are shown if these are the rows it was fitted on.\n"
        "\n"
        "Of large tables the report holds the rows with the highest scores, up to 2,000 and fewer if their\n"
        "cells are long, and histograms of all rows. It stays below 2 MB.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_report,
};
