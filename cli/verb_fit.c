/* odim fit: a model from a table, kept in a file. */
#include <math.h>
#include <stdio.h>

#include "files.h"
#include "held.h"
#include "input.h"
#include "dp_notice.h"
#include "log.h"
#include "parts.h"
#include "run.h"

typedef struct settings {
    cli_operands files;
    cli_input input;
    const char *output;
    int quiet;
    const char *scan, *part, *scanned;
    int merge;
} settings;

static const cli_option options[] = {
    CLI_INPUT_OPTIONS(settings, ""),
    CLI_INPUT_COLUMNS(settings),
    CLI_INPUT_BOUNDS(settings),
    {"output", 'o', "MODEL", "Output", "write the model to this file (atomically)", CLI_OPTION_TEXT, 0,
     offsetof(settings, output)},
    {"quiet", 'q', NULL, "Output", "print only errors to stderr", CLI_OPTION_SWITCH, 1,
     offsetof(settings, quiet)},
    CLI_OPTION(TEXT, settings, part, "part", 0, "I/N", "Parts",
               "collect what the fit takes from part I of N of the rows, and write that instead of a model"),
    CLI_OPTION(TEXT, settings, scan, "scan", 0, "I/N", "Parts",
               "find only what decides the types of the columns in part I of N, and write that"),
    CLI_OPTION(TEXT, settings, scanned, "scanned", 0, "FILE", "Parts",
               "with --part: the merged scans of all parts, so that only the bytes of the part are read"),
    CLI_SWITCH(settings, merge, 1, "merge", 0, NULL, "Parts",
               "FILEs are parts, which become the model, or scans, which become one scan"),
};

/* A private fit needs all rows at once. */
static int fit_table(cli_run *run, const odim_read_options *reading, odim_model **model)
{
    odim_error err;
    odim_table *table = NULL;
    odim_hooks hooks = cli_run_hooks(run);
    int code = cli_run_read(run, &table, run->path, reading);
    if (code) return code;
    cli_run_begin();
    odim_status status = odim_fit(table, run->params, &hooks, model, &err);
    odim_table_free(table);
    return cli_run_end(status, &err, cli_input_name(run->path));
}

static int fit_file(cli_run *run, const odim_read_options *reading, odim_model **model)
{
    odim_error err;
    odim_hooks hooks = cli_run_hooks(run);
    cli_run_begin();
    odim_status status = odim_fit_file(run->path, reading, run->params, &hooks, model, &err);
    return cli_run_end(status, &err, NULL);
}

/* What was written, and what to do with it. */
static void say_written(const cli_run *run, const odim_model *model, const char *path, size_t size)
{
    char members[40] = "";
    int count = odim_model_members(model);
    if (run->quiet) return;
    if (count) snprintf(members, sizeof members, "%d member%s, ", count, count == 1 ? "" : "s");
    cli_log("wrote %s (%s%lld columns, %.0f kB); score new rows with: odim score -m %s new.csv", path,
            members, (long long)odim_model_cols(model), ceil((double)size / 1000), path);
}

/* What is wrong with the options for parts, or NULL. */
static const char *find_wrong(const cli_run *run, const settings *set)
{
    if ((set->scan != NULL) + (set->part != NULL) + (set->merge != 0) > 1)
        return "--scan, --part and --merge are three steps: give one of them";
    if (set->scanned && !set->part) return "--scanned is for --part: --part I/N --scanned FILE";
    if ((set->scan || set->part || set->merge) && cli_input_is_private(run->params))
        return "--dp-epsilon needs all rows at once: it has no --scan, --part and --merge";
    return NULL;
}

/* A step of a fit in parts that writes no model; -1: there is none. Returns the exit code. */
static int run_step(cli_run *run, const settings *set, const odim_read_options *reading, const cli_part *part,
                    cli_out *out)
{
    const char *text = "merge all parts with: odim fit --merge FILE... -o MODEL";
    int code;
    bool is_file = cli_out_is_file(out);
    if (set->scan) {
        code = cli_parts_scan(run, reading, part, out);
        text = "merge the scans of all parts with: odim fit --merge FILE... -o SCAN";
    } else if (set->part) {
        code = cli_parts_collect(run, reading, part, set->scanned, out);
    } else {
        return -1;
    }
    if (!code && is_file && !run->quiet) cli_log("wrote %s; %s", set->output, text);
    return code;
}

static int fit_model(cli_run *run, const settings *set, const odim_read_options *reading, odim_model **model,
                     cli_out *out)
{
    size_t size = 0;
    bool is_file = cli_out_is_file(out);
    int code = set->merge                          ? cli_parts_merge(run, model, out)
               : cli_input_is_private(run->params) ? fit_table(run, reading, model)
                                                   : fit_file(run, reading, model);
    if (!code && !*model) {
        if (is_file && !run->quiet)
            cli_log("wrote %s; fit each part with: odim fit FILE --part I/N --scanned %s", set->output,
                    set->output);
        return code;
    }
    if (!code) cli_dp_notice_say(run, *model, false);
    if (!code) cli_held_say(run, *model);
    if (!code) code = cli_run_save(*model, out, &size);
    if (!code && is_file) say_written(run, *model, set->output, size);
    return code;
}

static int fit(cli_run *run, void *settings_of)
{
    const settings *set = settings_of;
    const cli_target target = {"--output", set->output, true};
    odim_model *model = NULL;
    odim_read_options reading;
    cli_part part;
    cli_out out;
    const char *wrong = find_wrong(run, set);
    if (wrong) cli_log("%s", wrong);
    if (wrong || !cli_part_take(&part, set->scan ? "scan" : "part", set->scan ? set->scan : set->part) ||
        !cli_input_options(&set->input, &run->lists, &reading) ||
        !cli_input_check_bounds(&set->input, run->params) ||
        !cli_files_take(run, &set->files, &target, 1, &reading) ||
        !cli_input_check_targets((const char *const[CLI_INPUTS]){set->scanned}, &target, 1))
        return CLI_EXIT_USAGE;
    /* Before the work, so that a place where nothing can be written is known early. */
    if (!cli_out_open(&out, set->output)) return CLI_EXIT_FAILED;
    int code = run_step(run, set, &reading, &part, &out);
    if (code < 0) code = fit_model(run, set, &reading, &model, &out);
    cli_out_discard(&out);
    odim_model_free(model);
    return code;
}

static int run_fit(int argc, char **argv)
{
    settings set = {0};
    return cli_run_verb(&cli_fit_verb, argc, argv, &set, fit);
}

static const cli_need needs[] = {
    {"", "a FILE, '-' for standard input"}, {"output", "a file for the model: --output MODEL"}, {NULL, NULL}};

static const char *const common[] = {"id",         "label",      "ignore", "categorical", "na",
                                     "output",     "preset",     "method", "members",     "contamination",
                                     "share-safe", "dp-epsilon", "seed",   "quiet",       NULL};

const cli_verb cli_fit_verb = {
    .name = "fit",
    .summary = "fit a model to a table and save it",
    .usage = "FILE... -o MODEL [options]",
    .examples = "  odim fit data.csv -o model.odim\n"
                "  odim fit data.csv -o model.odim --ignore comment --categorical zip\n"
                "  odim fit data.csv -o model.odim --share-safe\n"
                "  odim fit data.csv -o model.odim --dp-epsilon 5 --dp-bounds public.csv\n"
                "  odim inspect model.odim             what the model contains\n"
                "  odim score -m model.odim new.csv    score new rows\n"
                "  odim fit data.csv --part 3/8 -o part.3\n"
                "  odim fit --merge part.* -o model.odim\n",
    .more = "FILE may be of any size: only some of its rows are in memory at a time, except\n"
            "with --dp-epsilon, which makes the fit private (docs/PRIVACY.md).\n"
            "\n"
            "Parts of a file can be fitted by separate commands, on any machine: first --part\n"
            "1/N to --part N/N, then --merge. The model is the same, to the byte, as without\n"
            "parts. Each part reads the whole file to find the types of the columns, unless\n"
            "--scan 1/N to --scan N/N and --merge have done that before (docs/CLUSTER.md).\n"
            "\n"
            "A model cannot run code, but anyone who has the file can read what it contains:\n"
            "names, types, bounds and some values of the columns, the levels (texts) of\n"
            "categories that at least --min-level-count rows have, the networks, and the\n"
            "threshold. It also contains training rows: all that it was fitted on with\n"
            "--method knn or lof (up to 131,072), cof, sod or bagging (up to 50,000), many of\n"
            "them with ocsvm (up to 4,096), up to 2,048 with --preset auto or\n"
            "--trusted-fraction, up to 8,192 with any of these in --with, 1,024 with\n"
            "subsample-knn, and one with any other method; clusters of cblof may be single\n"
            "rows, and ecod and copod keep many values of each column. 'odim inspect' counts\n"
            "all this. With --share-safe the model has no training rows; that is a weaker\n"
            "guarantee than differential privacy.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .many = true,
    .operands = offsetof(settings, files),
    .params = true,
    .common = common,
    .needs = needs,
    .run = run_fit,
};
