/* odim score: the score rows with a fitted model. */
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "input.h"
#include "log.h"
#include "parts.h"
#include "scoring.h"

typedef struct settings {
    cli_operands files;
    cli_input input;
    cli_output output;
    const char *model, *contamination, *threads, *part, *scan, *scanned;
} settings;

static const cli_option options[] = {
    {"model", 'm', "MODEL", "Input", "the model, written by 'odim fit'", CLI_OPTION_TEXT, 0,
     offsetof(settings, model)},
    CLI_INPUT_OPTIONS(settings, CLI_INPUT_JUDGED),
    CLI_OUTPUT_OPTIONS(settings),
    {"contamination", 0, "R", "Output", "treat this fraction of the rows as outliers, such as 0.01",
     CLI_OPTION_TEXT, 0, offsetof(settings, contamination)},
    {"threads", 0, "N", "Running", "threads to use [all cores]", CLI_OPTION_TEXT, 0,
     offsetof(settings, threads)},
    {"part", 0, "I/N", "Running",
     "score only part I of N of the rows; the outputs of all parts, one after the other, are that of "
     "--stream",
     CLI_OPTION_TEXT, 0, offsetof(settings, part)},
    {"scan", 0, "I/N", "Running",
     "find only where part I of N begins and how many rows it has, and write that; 'odim fit --merge' merges "
     "the scans of all parts",
     CLI_OPTION_TEXT, 0, offsetof(settings, scan)},
    {"scanned", 0, "FILE", "Running",
     "with --part: the merged scans of all parts, so that only the bytes of the part are read",
     CLI_OPTION_TEXT, 0, offsetof(settings, scanned)},
};

/* By the library's own rules for parameters of these names. */
static bool set_param(odim_params *params, const char *name, const char *value)
{
    odim_error err;
    if (!value || odim_params_set(params, name, value, &err) == ODIM_OK) return true;
    cli_log("--%s", err.msg);
    return false;
}

/* Finds --part or --scan. */
static bool take_part(const cli_run *run, settings *set, cli_score_job *s, cli_part *part)
{
    const char *option = set->scan ? "scan" : "part", *text = set->scan ? set->scan : set->part;
    const char *wrong = NULL;
    if (!cli_part_take(part, option, text)) return false;
    if (set->scan && set->part)
        wrong = "is a step of its own: give it without --part";
    else if (set->scanned && !set->part) {
        cli_log("--scanned is for --part: --part I/N --scanned FILE");
        return false;
    } else if (text && cli_input_is_pipe(run->path))
        wrong = "needs a file, which is read twice";
    else if (set->part && cli_writer_format(set->output.output_format, set->output.output) == CLI_ROWS_NPY)
        wrong = "cannot write NPY, which begins with the number of all rows; use csv, tsv or jsonl";
    if (wrong) cli_log("--%s %s %s", option, text, wrong);
    if (wrong || !set->part) return !wrong;
    s->part = part->part;
    s->parts = part->parts;
    s->scanned = set->scanned;
    set->output.stream = 1; /* no ranks, which only all rows have */
    return true;
}

/* The first pass over a part: where it begins, and how many rows it has. */
static int scan(cli_run *run, const settings *set, odim_read_options *reading, const cli_part *part)
{
    odim_error err;
    odim_model *model;
    cli_out out;
    if (odim_model_load(&model, set->model, &err)) return cli_run_fail(&err, NULL);
    reading->like = model;
    int code = cli_out_open(&out, set->output.output) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
    if (!code) code = cli_parts_scan(run, reading, part, &out);
    cli_out_discard(&out);
    odim_model_free(model);
    return code;
}

static int score(cli_run *run, void *settings_of)
{
    settings *set = settings_of;
    cli_score_job s = {.run = run, .set = &set->output, .load = set->model};
    const cli_target target = {"--output", set->output.output, true};
    double threshold;
    cli_part part;
    if (!take_part(run, set, &s, &part) || !set_param(run->params, "contamination", set->contamination) ||
        !set_param(run->params, "threads", set->threads) ||
        !cli_input_options(&set->input, &run->lists, &s.reading) ||
        !cli_output_check(&set->output, run->params, run->path) ||
        !cli_output_threshold(&set->output, NULL, &threshold) ||
        !cli_files_take(run, &set->files, &target, 1, &s.reading) ||
        !cli_input_check_targets((const char *const[CLI_INPUTS]){set->model, set->scanned}, &target, 1))
        return CLI_EXIT_USAGE;
    if (set->scan) return scan(run, set, &s.reading, &part);
    /* A pipe that is watched must not end with its first bad line. */
    if (!set->input.bad_rows && cli_input_is_pipe(run->path)) s.reading.bad_rows = ODIM_BAD_ROWS_SKIP;
    const char *share = odim_params_get(run->params, "contamination");
    if (set->contamination && strcmp(share, "auto") != 0) s.contamination = strtod(share, NULL);
    if (s.contamination > 0 && set->output.stream) {
        cli_log("--contamination needs all scores at once, which --stream does not have; use --threshold");
        return CLI_EXIT_USAGE;
    }
    return cli_scoring_run(&s);
}

static int run_score(int argc, char **argv)
{
    settings set = {0};
    return cli_run_verb(&cli_score_verb, argc, argv, &set, score);
}

static const cli_need needs[] = {
    {"model", CLI_MODEL_NEEDED}, {"", "a FILE, '-' for standard input"}, {NULL, NULL}};

static const char *const common[] = {"model",   "id",    "label",     "output",        "keep",
                                     "explain", "top",   "threshold", "contamination", "report",
                                     "json",    "quiet", NULL};

const cli_verb cli_score_verb = {
    .name = "score",
    .summary = "score rows with a fitted model",
    .usage = "FILE... -m MODEL [options]",
    .examples = "  odim score -m model.odim new.csv -o scores.csv\n"
                "  odim score -m model.odim new.csv --explain 3 --keep\n"
                "  tail -f log.csv | odim score -m model.odim -    line by line\n",
    .more = "Columns are matched by name, in any order. Additional columns are ignored with a\n"
            "note; missing ones are an error. The output is that of 'odim detect': a summary\n"
            "on a terminal, otherwise CSV. Rows from standard input are scored as they come,\n"
            "without ranks. For the file that the model was fitted on, the scores are those\n"
            "of 'odim detect'.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .many = true,
    .operands = offsetof(settings, files),
    .common = common,
    .needs = needs,
    .run = run_score,
};
