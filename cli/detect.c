/* odim detect: reads a table, fits the ensemble on its rows, scores the same rows and reports. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "progress.h"
#include "report.h"
#include "say.h"
#include "signals.h"

typedef struct settings {
    const char *label, *id, *format, *delimiter, *output, *output_format;
    char *ignore, *only;
    int header, json, quiet;
    int64_t top;
} settings;

/* What a run holds; run_detect gives it back whatever happened. */
typedef struct run {
    settings set;
    odim_params *params;
    odim_table *table;
    odim_model *model;
    double *scores;
    int64_t *rank, *order;
    od_out out;
    od_progress bar;
} run;

static const od_option options[] = {
    {"label", 0, "COL", "Input",
     "column of known labels (1 = outlier, 0 = inlier), never a feature: AUC and average precision go to "
     "stderr",
     OD_OPTION_TEXT, 0, offsetof(settings, label)},
    {"id", 0, "COL", "Input", "column that names the rows, never a feature", OD_OPTION_TEXT, 0,
     offsetof(settings, id)},
    {"ignore", 0, "COL,...", "Input", "columns to leave out", OD_OPTION_LIST, 0, offsetof(settings, ignore)},
    {"only", 0, "COL,...", "Input", "columns to use, and no others", OD_OPTION_LIST, 0,
     offsetof(settings, only)},
    {"format", 0, "auto|csv|tsv|npy|npz|idx", "Input", "format of FILE [auto]", OD_OPTION_TEXT, 0,
     offsetof(settings, format)},
    {"delimiter", 0, "CHAR", "Input", "between the cells of a CSV file; 'tab' is a tab [auto]",
     OD_OPTION_TEXT, 0, offsetof(settings, delimiter)},
    {"header", 0, NULL, "Input", "the first line of the CSV file holds names [auto]", OD_OPTION_SWITCH, 1,
     offsetof(settings, header)},
    {"no-header", 0, NULL, "Input", "the first line of the CSV file holds data", OD_OPTION_SWITCH, -1,
     offsetof(settings, header)},
    {"output", 'o', "FILE", "Output", "write to FILE, which appears only when complete [stdout]",
     OD_OPTION_TEXT, 0, offsetof(settings, output)},
    {"output-format", 0, OD_FORMAT_CHOICES, "Output",
     "format of the scores [by the ending of the output's name, else csv]", OD_OPTION_TEXT, 0,
     offsetof(settings, output_format)},
    {"top", 0, "N", "Output", "print the N most outlying rows with their values", OD_OPTION_COUNT, 0,
     offsetof(settings, top)},
    {"json", 0, NULL, "Output", "JSON instead of CSV: parameters, members, scores", OD_OPTION_SWITCH, 1,
     offsetof(settings, json)},
    {"quiet", 'q', NULL, "Output", "nothing on stderr but errors", OD_OPTION_SWITCH, 1,
     offsetof(settings, quiet)},
};

/* The delimiter as a character, 0: find out, -1: not one. */
static int parse_delimiter(const char *text)
{
    if (!text) return 0;
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) return '\t';
    return strlen(text) == 1 ? (unsigned char)*text : -1;
}

static bool writes_file(const settings *set)
{
    return set->output && strcmp(set->output, "-") != 0;
}

/* Whether writing to `output` would destroy the input. */
static bool is_same_file(const char *input, const char *output)
{
    struct stat a, b;
    if (!output || stat(output, &b) != 0 || !S_ISREG(b.st_mode)) return false;
    int unknown = strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &a) : stat(input, &a);
    return !unknown && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int on_progress(const odim_progress *now, void *user)
{
    run *r = user;
    od_progress_draw(&r->bar, now);
    return od_signals_caught();
}

static void on_note(const char *text, void *user)
{
    run *r = user;
    od_progress_clear();
    if (!r->set.quiet) od_say("note: %s", text);
}

/* Says what went wrong; `name` is the file where the library could not name it, else NULL. */
static int fail(const odim_error *err, const char *name)
{
    bool usage = err->status == ODIM_ERR_PARAM; /* then it is not the file that is wrong */
    od_progress_clear();
    od_say("%s%s%s", name && !usage ? name : "", name && !usage ? ": " : "", err->msg);
    return usage ? OD_EXIT_USAGE : OD_EXIT_FAILED;
}

static int fit_and_score(run *r, const char *name)
{
    odim_error err;
    odim_hooks hooks = {.progress = on_progress, .note = on_note, .user = r};
    od_signals_defer(true);
    odim_status status = odim_fit(r->table, r->params, &hooks, &r->model, &err);
    if (!status) status = odim_score(r->model, r->table, r->params, &hooks, r->scores, &err);
    od_signals_defer(false);
    od_progress_clear();
    /* Whether the call has ended for it or, by a hair, without it. */
    if (od_signals_caught()) {
        od_say("interrupted");
        return 128 + od_signals_caught();
    }
    return status ? fail(&err, name) : OD_EXIT_OK;
}

/* AUC and average precision where labels are known; one line to stderr. */
static odim_status judge(const run *r, od_report *report, odim_error *err)
{
    const int8_t *labels = odim_table_labels(r->table);
    int64_t n = odim_table_rows(r->table);
    if (!labels) return ODIM_OK;
    for (int64_t i = 0; i < n; i++) report->outliers += labels[i];
    report->judged = report->outliers > 0 && report->outliers < n;

    odim_status status = ODIM_OK;
    if (report->judged) status = odim_auc(r->scores, labels, n, &report->auc, err);
    if (report->judged && !status) status = odim_average_precision(r->scores, labels, n, &report->ap, err);
    if (status || r->set.quiet) return status;
    if (report->judged)
        fprintf(stderr, "AUC %.4f, average precision %.4f (%lld outlier%s of %lld rows)\n",
                od_say_measure(report->auc), od_say_measure(report->ap), (long long)report->outliers,
                report->outliers > 1 ? "s" : "", (long long)n);
    else
        fprintf(stderr, "no AUC: all %lld rows are labelled %s\n", (long long)n,
                report->outliers ? "outliers" : "inliers");
    return ODIM_OK;
}

static bool write_rows(run *r, const od_report *report)
{
    od_format format = od_writer_format(r->set.output_format, r->set.output);
    if (format == OD_FORMAT_NPY && odim_table_id_name(r->table) && !r->set.quiet)
        od_say("note: NPY holds numbers only: the column of --id is left out");
    return od_report_rows(report, format, &r->out);
}

/* The data: to the output, and with both -o and --top the table to stdout besides. */
static int write_report(run *r, const od_report *report)
{
    int64_t rows = odim_table_rows(r->table), top = r->set.top < rows ? r->set.top : rows;
    bool to_file = writes_file(&r->set);
    bool table = top > 0 && !r->set.json;
    if (r->set.json)
        od_report_json(report, top, &r->out);
    else if ((!table || to_file) && !write_rows(r, report))
        return OD_EXIT_FAILED;
    if (table && to_file) {
        if (!od_out_commit(&r->out) || !od_out_open(&r->out, NULL)) return OD_EXIT_FAILED;
    }
    if (table) od_report_top(report, top, od_say_width(STDOUT_FILENO), &r->out);
    return od_out_commit(&r->out) ? OD_EXIT_OK : OD_EXIT_FAILED;
}

static int detect(run *r, const char *path)
{
    odim_error err;
    odim_read_options reading = {.format = r->set.format,
                                 .label = r->set.label,
                                 .id = r->set.id,
                                 .ignore = r->set.ignore,
                                 .only = r->set.only,
                                 .delimiter = parse_delimiter(r->set.delimiter),
                                 .header = r->set.header};
    od_progress_text(&r->bar, "reading", path);
    if (odim_table_read(&r->table, path, &reading, &err)) return fail(&err, NULL);

    int64_t n = odim_table_rows(r->table);
    r->scores = malloc((size_t)n * sizeof *r->scores);
    r->rank = malloc((size_t)n * sizeof *r->rank);
    r->order = malloc((size_t)n * sizeof *r->order);
    if (!r->scores || !r->rank || !r->order)
        return fail(&(odim_error){.status = ODIM_ERR_NOMEM, .msg = "out of memory"}, NULL);
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    int code = fit_and_score(r, name);
    if (code) return code;

    od_report report = {.path = path,
                        .table = r->table,
                        .params = r->params,
                        .model = r->model,
                        .scores = r->scores,
                        .rank = r->rank,
                        .order = r->order};
    if (odim_rank(r->scores, n, r->rank, &err) || judge(r, &report, &err)) return fail(&err, name);
    for (int64_t i = 0; i < n; i++) r->order[r->rank[i] - 1] = i;
    return write_report(r, &report);
}

/* Checks what can be checked before the work starts, and does the work. */
static int start(run *r, int argc, char **argv)
{
    const char *path;
    int code = od_args_parse(&od_detect_verb, argc, argv, &r->set, r->params, &path);
    if (code >= 0) return code;
    if (!path) {
        od_say("detect needs a FILE, '-' for standard input");
        return OD_EXIT_USAGE;
    }
    if (parse_delimiter(r->set.delimiter) < 0) {
        od_say("--delimiter must be one character or 'tab', not '%s'", r->set.delimiter);
        return OD_EXIT_USAGE;
    }
    if (r->set.output_format && (r->set.json || (r->set.top && !writes_file(&r->set)))) {
        od_say("--output-format is for rows of scores; %s",
               r->set.json ? "--json is a format of its own" : "with --top they need an --output FILE");
        return OD_EXIT_USAGE;
    }
    if (is_same_file(path, r->set.output)) {
        od_say("%s: is the input; write to another file", r->set.output);
        return OD_EXIT_USAGE;
    }
    if (!od_out_open(&r->out, r->set.output)) return OD_EXIT_FAILED;
    od_progress_init(&r->bar, !r->set.quiet);
    return detect(r, path);
}

static int run_detect(int argc, char **argv)
{
    run r = {.params = odim_params_new()};
    int code = OD_EXIT_FAILED;
    if (r.params)
        code = start(&r, argc, argv);
    else
        od_say("out of memory");
    od_out_discard(&r.out);
    free(r.scores);
    free(r.rank);
    free(r.order);
    free(r.set.ignore);
    free(r.set.only);
    odim_model_free(r.model);
    odim_table_free(r.table);
    odim_params_free(r.params);
    return code;
}

const od_verb od_detect_verb = {
    .name = "detect",
    .summary = "find the outliers of a table",
    .usage = "FILE [options]",
    .examples = "  odim detect data.csv --top 10               the ten most outlying rows\n"
                "  odim detect data.csv -o scores.csv          a score and a rank for every row\n"
                "  odim detect data.csv --id name --ignore 1,comment\n"
                "  odim detect labelled.npz > scores.csv       known labels: AUC on stderr\n"
                "  zcat log.gz | odim detect - --json          from a pipe, for a program\n",
    .more = "FILE is CSV, TSV, NPY, NPZ or IDX, gzip or not, '-' for standard input. COL is\n"
            "the name of a column or its number from 1. The output is CSV: row, id, score,\n"
            "rank; a high score is an outlier, rank 1 the most outlying row. In brackets:\n"
            "the default. The same seed gives the same scores, for any number of threads.\n",
    .manual =
        "With --top there is a table for people instead: the most outlying rows, the worst first, with as\n"
        "many of their values as fit the terminal. With both --top and --output the scores go to the file\n"
        "and the table to standard output.\n"
        "\n"
        "With --json the output is one object with the members version, file, rows, columns, parameters\n"
        "(all, as used), members (updates, best update and distance of each model), outliers, auc and\n"
        "average_precision where labels are known, and scores; with --top these are only the most\n"
        "outlying rows, the worst first.\n"
        "\n"
        "Where labels are known, AUC and average precision go to standard error.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .params = true,
    .run = run_detect,
};
