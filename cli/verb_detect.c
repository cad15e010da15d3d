/* odim detect: fits a model on a table, scores the same rows and reports. */
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
    const char *model;
    char *command;
} settings;

static const cli_option options[] = {
    CLI_INPUT_OPTIONS(settings, CLI_INPUT_JUDGED),
    CLI_INPUT_COLUMNS(settings),
    CLI_INPUT_BOUNDS(settings),
    CLI_OUTPUT_OPTIONS(settings),
    {"save-model", 0, "MODEL", "Output", "keep the fitted model in this file, for 'odim score'",
     CLI_OPTION_TEXT, 0, offsetof(settings, model)},
};

/* False: they cannot be used like that, which has been said. */
static bool check_files(const settings *set, const char *path)
{
    const char *output = set->output.output ? set->output.output : "-";
    if (cli_input_is(path, set->model)) {
        cli_log("%s: is the input; save the model in another file", set->model);
        return false;
    }
    if (set->model && (strcmp(set->model, output) == 0 || cli_input_is(set->model, output))) {
        cli_log("the scores and the model cannot both go to %s",
                strcmp(output, "-") == 0 ? "stdout" : output);
        return false;
    }
    if (set->output.stream && cli_input_is_pipe(path)) {
        cli_log("%s: --stream reads the rows twice, which a pipe does not allow: make it a file",
                cli_input_name(path));
        return false;
    }
    return true;
}

static int detect(settings *set, odim_params *params, const char *path)
{
    odim_read_options reading;
    double threshold;
    if (!cli_input_options(&set->input, &reading) || !cli_input_check_bounds(&set->input, params) ||
        !cli_output_check(&set->output, params, path) ||
        !cli_output_threshold(&set->output, NULL, &threshold) || !check_files(set, path))
        return CLI_EXIT_USAGE;
    cli_scoring s = {.path = path, .set = &set->output, .reading = reading, .params = params};
    s.save = set->model;
    s.command = set->command;
    return cli_scoring_run(&s);
}

static int run(int argc, char **argv)
{
    settings set = {.command = cli_run_command("detect", argc, argv)};
    const char *path = NULL;
    odim_params *params = odim_params_new();
    int code = params ? cli_args_parse(&cli_detect_verb, argc, argv, &set, params, &path) : cli_run_nomem();
    if (code < 0 && !path) {
        cli_log("detect needs a FILE, '-' for standard input");
        code = CLI_EXIT_USAGE;
    }
    if (code < 0) code = detect(&set, params, path);
    free(set.command);
    cli_input_free(&set.input);
    odim_params_free(params);
    return code;
}

const cli_verb cli_detect_verb = {
    .name = "detect",
    .summary = "find the outliers of a table",
    .usage = "FILE [options]",
    .examples = "  odim detect data.csv                        the outliers, with reasons\n"
                "  odim detect data.csv --top 10               the ten most outlying rows\n"
                "  odim detect data.csv -o scores.csv          score and probability of each row\n"
                "  odim detect data.csv --report report.html   a page to look at\n"
                "  odim detect data.csv --explain 3 --keep     the table, outliers explained\n"
                "  odim detect data.csv --id name --ignore 1,comment\n"
                "  odim detect data.csv --id name --known-rows faulty.txt\n"
                "  odim detect data.csv --method iforest       a classical detector instead\n"
                "  odim detect labelled.npz > scores.csv       known labels: AUC on stderr\n"
                "  zcat log.gz | odim detect - --json          from a pipe, for a program\n",
    .more = "FILE is CSV, TSV, NPY, NPZ or IDX, gzip or not, '-' for standard input. COL is\n"
            "the name of a column or its number from 1. On a terminal the output is an answer\n"
            "in words; into a file or a pipe, or with -o -, it is CSV: row, id, score, rank,\n"
            "p_outlier (the probability of an outlier), is_outlier. A score of 0 is the\n"
            "median row, rows above 4 are outliers, rank 1 is the most outlying row. In\n"
            "brackets: the default. The same seed gives the same scores, for any number of\n"
            "threads.\n",
    .manual =
        "Columns may be numbers, categories, true or false, dates and times; their types are found from the\n"
        "cells, and cells may be missing. A column that holds another text in nearly every row is left out.\n"
        "Rows with a score above 4 are outliers, unless --contamination, --threshold or --top says "
        "otherwise;\n"
        "there may be none. The row that 84 % of the rows are below has a score of 1. Rows between the "
        "level\n"
        "of unusual rows, which is 3 to 4, and the threshold are unusual and may be worth a look.\n"
        "\n"
        "On a terminal, without --output, there is an answer for people: how many rows are outliers, up to "
        "20\n"
        "of them with the reasons (two each, unless --explain says otherwise) or, where there are none, the\n"
        "five highest rows, and what to do next. --output -, --output-format, --keep, --provenance and\n"
        "--stream ask for rows of scores and get them there too.\n"
        "\n"
        "--raw-scores adds the score in the units of the method: of networks a loss, of others a distance "
        "or\n"
        "the like. It cannot be compared between models, and where single cells make a row an outlier its\n"
        "order is another than that of the scores.\n"
        "\n"
        "--explain gives reasons to outliers or, where there are none, to the five highest rows; with "
        "--stream\n"
        "to outliers only.\n"
        "\n"
        "With --top there is a table for people instead: the most outlying rows, the worst first, with as\n"
        "many of their values as fit the terminal or, with --explain, the reasons. With both --top and\n"
        "--output the scores go to the file and the table to standard output.\n"
        "\n"
        "With --keep a column of FILE whose name is that of a column of the output, such as score, becomes\n"
        "input_score. Cells are passed on as they are: a spreadsheet that opens the output takes a cell "
        "that\n"
        "begins with =, +, -, @, a tab or a line end for a formula, and a file from someone else may hold "
        "one\n"
        "that does harm. --keep=safe puts an apostrophe before such texts, names of columns and reasons\n"
        "included; numbers such as -5 stay. It is for CSV and TSV.\n"
        "\n"
        "With --json the output is one object with the members version, file, model (its fingerprint),\n"
        "parameters (all, as used), rows, columns, members (updates, best update and distance of each\n"
        "model), threshold, unusual_threshold, flagged (rows that are outliers), unusual (rows that are\n"
        "unusual), outliers, auc and average_precision where labels are known, and scores, each with row, "
        "id,\n"
        "score, raw_score, rank, p_outlier, is_outlier, unusual and reasons; with --top these are only the "
        "most\n"
        "outlying rows, the worst first.\n"
        "\n"
        "With --report there is a page to look at besides: one HTML file that needs nothing else, with the\n"
        "scores and a threshold that can be moved, the most outlying rows with their reasons, the columns,\n"
        "how the model was trained, and what was run. --plot draws one of its pictures. On a terminal a "
        "small\n"
        "histogram of the scores goes to standard error.\n"
        "\n"
        "Where labels are known, AUC and average precision go to standard error.\n"
        "\n"
        "If some outliers are known already, --known-outliers or --known-rows says which: the model learns\n"
        "that these are unlikely, and finds others of their kind better. A handful helps, and one will do.\n"
        "Rows that were known do not count for AUC and average precision.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .params = true,
    .run = run,
};
