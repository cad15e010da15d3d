/* odim score: the scores of rows under a model that was fitted before. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "input.h"
#include "results.h"
#include "log.h"
#include "scoring.h"

typedef struct settings {
    cli_input input;
    cli_output output;
    const char *model, *contamination, *threads;
    char *command;
} settings;

static const cli_option options[] = {
    {"model", 'm', "MODEL", "Input", "the model, as 'odim fit' wrote it", CLI_OPTION_TEXT, 0,
     offsetof(settings, model)},
    CLI_INPUT_OPTIONS(settings, CLI_INPUT_JUDGED),
    CLI_OUTPUT_OPTIONS(settings),
    {"contamination", 0, "R", "Output", "call this share of the rows outliers, such as 0.01", CLI_OPTION_TEXT,
     0, offsetof(settings, contamination)},
    {"threads", 0, "N", "Running", "threads to use [all cores]", CLI_OPTION_TEXT, 0,
     offsetof(settings, threads)},
};

/* By the library's own rules for parameters of these names. */
static bool set_param(odim_params *params, const char *name, const char *value)
{
    odim_error err;
    if (!value || odim_params_set(params, name, value, &err) == ODIM_OK) return true;
    cli_log("--%s", err.msg);
    return false;
}

static int score(settings *set, odim_params *params, const char *path)
{
    cli_scoring s = {.path = path, .set = &set->output, .params = params, .load = set->model};
    s.command = set->command;
    double threshold;
    if (!set_param(params, "contamination", set->contamination) ||
        !set_param(params, "threads", set->threads) || !cli_input_options(&set->input, &s.reading) ||
        !cli_output_check(&set->output, params, path) ||
        !cli_output_threshold(&set->output, NULL, &threshold))
        return CLI_EXIT_USAGE;
    if (cli_input_is(set->model, set->output.output)) {
        cli_log("%s: is the model; write to another file", set->output.output);
        return CLI_EXIT_USAGE;
    }
    const char *share = odim_params_get(params, "contamination");
    if (set->contamination && strcmp(share, "auto") != 0) s.contamination = strtod(share, NULL);
    if (s.contamination > 0 && set->output.stream) {
        cli_log("--contamination needs all scores at once, which --stream does not have; --threshold does "
                "without");
        return CLI_EXIT_USAGE;
    }
    return cli_scoring_run(&s);
}

static int run(int argc, char **argv)
{
    settings set = {.command = cli_run_command("score", argc, argv)};
    const char *path;
    odim_params *params = odim_params_new();
    int code = params ? cli_args_parse(&cli_score_verb, argc, argv, &set, NULL, &path) : cli_run_nomem();
    if (code < 0 && !set.model) {
        cli_log("score needs a model: --model MODEL, as 'odim fit' writes it");
        code = CLI_EXIT_USAGE;
    } else if (code < 0 && !path) {
        cli_log("score needs a FILE, '-' for standard input");
        code = CLI_EXIT_USAGE;
    }
    if (code < 0) code = score(&set, params, path);
    free(set.command);
    cli_input_free(&set.input);
    odim_params_free(params);
    return code;
}

const cli_verb cli_score_verb = {
    .name = "score",
    .summary = "score rows with a fitted model",
    .usage = "FILE -m MODEL [options]",
    .examples = "  odim score -m model.odim new.csv -o scores.csv\n"
                "  odim score -m model.odim new.csv --explain 3 --keep\n"
                "  tail -f log.csv | odim score -m model.odim -    as lines come\n",
    .more = "Columns are matched by name: their order is free, others are ignored with a\n"
            "note, missing ones are an error. The output is as that of 'odim detect': an\n"
            "answer in words on a terminal, else CSV. From standard input rows are scored as\n"
            "they come, and there are no ranks. On the file that the model was fitted on,\n"
            "the scores are those that 'odim detect' gives.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
