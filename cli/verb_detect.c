/* odim detect: fits a model on a table, scores the same rows and reports. */
#include "files.h"
#include "input.h"
#include "log.h"
#include "scoring.h"

typedef struct settings {
    cli_operands files;
    cli_input input;
    cli_output output;
    const char *model;
} settings;

static const cli_option options[] = {
    CLI_INPUT_OPTIONS(settings, CLI_INPUT_JUDGED),
    CLI_INPUT_COLUMNS(settings),
    CLI_INPUT_BOUNDS(settings),
    CLI_OUTPUT_OPTIONS(settings),
    {"save-model", 0, "MODEL", "Output", "save the fitted model to this file, for 'odim score'",
     CLI_OPTION_TEXT, 0, offsetof(settings, model)},
};

/* False: they cannot be used like that, which has been reported. */
static bool check_files(const settings *set, cli_run *run, odim_read_options *reading)
{
    const char *output = set->output.output ? set->output.output : "-";
    const cli_target targets[] = {{"--output", output, true}, {"--save-model", set->model, true}};
    if (!cli_files_take(run, &set->files, targets, 2, reading)) return false;
    if (set->output.stream && cli_input_is_pipe(run->path)) {
        cli_log("%s: --stream reads the rows twice, which a pipe does not allow; save it to a file first",
                cli_input_name(run->path));
        return false;
    }
    return true;
}

static int detect(cli_run *run, void *settings_of)
{
    const settings *set = settings_of;
    double threshold;
    cli_score_job s = {.run = run, .set = &set->output, .save = set->model};
    if (!cli_input_options(&set->input, &run->lists, &s.reading) ||
        !cli_input_check_bounds(&set->input, run->params) ||
        !cli_output_check(&set->output, run->params, run->path) ||
        !cli_output_threshold(&set->output, NULL, &threshold) || !check_files(set, run, &s.reading))
        return CLI_EXIT_USAGE;
    s.call_bad_rows = !set->input.bad_rows && !cli_input_is_private(run->params);
    return cli_scoring_run(&s);
}

static int run_detect(int argc, char **argv)
{
    settings set = {0};
    return cli_run_verb(&cli_detect_verb, argc, argv, &set, detect);
}

static const char *const common[] = {"id",     "label",  "ignore",  "categorical", "na",
                                     "output", "top",    "explain", "report",      "save-model",
                                     "preset", "method", "seed",    NULL};

const cli_verb cli_detect_verb = {
    .name = "detect",
    .summary = "find outliers in a table",
    .usage = "FILE... [options]",
    .examples = "  odim detect data.csv                        the outliers and their reasons\n"
                "  odim detect data.csv --top 10               the ten most outlying rows\n"
                "  odim detect data.csv -o scores.csv          score and probability of every row\n"
                "  odim detect data.csv --report report.html   a self-contained HTML page\n"
                "  odim detect data.csv --explain 3 --keep     the table, with reasons\n"
                "  odim detect data.csv --id name --ignore 1,comment\n"
                "  odim detect data.csv --id name --known-rows faulty.txt\n"
                "  odim detect data.csv --method iforest       a classical detector instead\n"
                "  odim detect labeled.npz > scores.csv       known labels: AUC on stderr\n"
                "  zcat log.gz | odim detect - --json          from a pipe, for a program\n",
    .more = "FILE is CSV, TSV, JSON, XLSX, SQLite, Arrow, Parquet, NPY, NPZ or IDX, also\n"
            "packed with gzip, xz, zstd, bzip2 or zip; '-' is standard input.\n"
            "Several files, or a quoted pattern such as 'logs/*.csv', are one table: all have\n"
            "the same columns, and the output begins with a column file.\n"
            "COL is the name of a column or its number from 1. On a terminal the output is a\n"
            "summary with the outliers; in a file or a pipe, or with -o -, it is CSV: row,\n"
            "id, score, rank, p_outlier (the probability of an outlier), is_outlier. The\n"
            "median row has a score of 0, rows above 4 are outliers, and rank 1 is the most\n"
            "outlying row. Defaults are in brackets. The same seed gives the same scores for\n"
            "any number of threads.\n",
    .manual =
        "Columns may contain numbers, categories, true or false, dates and times. Their types are inferred\n"
        "from the cells, and cells may be missing. A column that has a different text in almost every row\n"
        "(it looks like an ID) is left out. Rows with a score above 4 are outliers, unless --contamination,\n"
        "--threshold or --top says otherwise; there may be none. 84 % of the rows have a score below 1. "
        "Rows\n"
        "just below the threshold are unusual and may be worth a look; they begin at a score of 3 to 4.\n"
        "\n"
        "On a terminal, without --output, odim prints a summary: how many rows are outliers, up to 20 of\n"
        "them with their reasons (two each, unless --explain says otherwise), and what to do next. If there\n"
        "are no outliers, it shows the five highest rows. --output -, --output-format, --keep, --provenance\n"
        "and --stream ask for rows of scores, also on a terminal.\n"
        "\n"
        "--raw-scores adds the score in the units of the method: a loss for networks, a distance or the "
        "like\n"
        "for others. It cannot be compared between models. Where single cells make a row an outlier, its\n"
        "order differs from that of the scores.\n"
        "\n"
        "--explain gives reasons for outliers or, if there are none, for the five highest rows; with\n"
        "--stream, for outliers only.\n"
        "\n"
        "--top prints a table instead: the most outlying rows, highest first, with as many of their values\n"
        "as fit the terminal or, with --explain, the reasons. With both --top and --output, the scores go "
        "to\n"
        "the file and the table to standard output.\n"
        "\n"
        "With --keep, a column of FILE that has the name of an output column, such as score, becomes\n"
        "input_score. Cells are copied unchanged. A spreadsheet takes a cell that begins with =, +, -, @, a\n"
        "tab or a line end for a formula, and a file from someone else may contain a harmful one. "
        "--keep=safe\n"
        "puts an apostrophe before such texts, including column names and reasons; numbers such as -5 stay.\n"
        "It is for CSV and TSV.\n"
        "\n"
        "With --json the output is one object with the members version, file, model (its fingerprint),\n"
        "parameters (all, as used), rows, columns, members (updates, best update and distance of each\n"
        "network), threshold, unusual_threshold, flagged (the number of outliers), unusual (the number of\n"
        "unusual rows), outliers, auc and average_precision if labels are known, and scores. Each score has\n"
        "row, id, score, raw_score, rank, p_outlier, is_outlier, unusual and reasons. With --top only the\n"
        "most outlying rows are listed, highest first.\n"
        "\n"
        "--report writes a self-contained HTML page: the scores with a movable threshold, the most outlying\n"
        "rows with their reasons, the columns, how the model was trained, and the command. --plot writes "
        "one\n"
        "of its plots. On a terminal a small histogram of the scores goes to standard error.\n"
        "\n"
        "If labels are known, AUC and average precision go to standard error.\n"
        "\n"
        "If some outliers are already known, name them with --known-outliers or --known-rows. The model\n"
        "learns that these are unlikely, and finds others of their kind better; a few are enough, even one\n"
        "helps. Known rows do not count for AUC and average precision.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .many = true,
    .operands = offsetof(settings, files),
    .params = true,
    .common = common,
    .needs = (const cli_need[]){{"", "a FILE, '-' for standard input"}, {NULL, NULL}},
    .run = run_detect,
};
