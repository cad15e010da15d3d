/* odim fit: a model from a table, kept in a file. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "held.h"
#include "input.h"
#include "dp_notice.h"
#include "log.h"
#include "run.h"

typedef struct settings {
    cli_input input;
    const char *output;
    int quiet;
} settings;

static const cli_option options[] = {
    CLI_INPUT_OPTIONS(settings, ""),
    CLI_INPUT_COLUMNS(settings),
    CLI_INPUT_BOUNDS(settings),
    {"output", 'o', "MODEL", "Output", "write the model to this file, which appears only when complete",
     CLI_OPTION_TEXT, 0, offsetof(settings, output)},
    {"quiet", 'q', NULL, "Output", "nothing on stderr but errors", CLI_OPTION_SWITCH, 1,
     offsetof(settings, quiet)},
};

/* A private fit needs all rows at once. */
static int fit_table(const char *path, const odim_read_options *reading, const odim_params *params,
                     cli_run *work, odim_model **model)
{
    odim_error err;
    odim_table *table;
    odim_hooks hooks = cli_run_hooks(work);
    if (odim_table_read(&table, path, reading, &err)) return cli_run_fail(&err, NULL);
    cli_run_notes(work, table);
    cli_run_begin();
    odim_status status = odim_fit(table, params, &hooks, model, &err);
    odim_table_free(table);
    return cli_run_end(status, &err, cli_input_name(path));
}

static int fit_file(const char *path, const odim_read_options *reading, const odim_params *params,
                    cli_run *work, odim_model **model)
{
    odim_error err;
    odim_hooks hooks = cli_run_hooks(work);
    cli_run_begin();
    odim_status status = odim_fit_file(path, reading, params, &hooks, model, &err);
    return cli_run_end(status, &err, NULL);
}

static int fit(settings *set, odim_params *params, const char *path)
{
    cli_run work;
    odim_model *model = NULL;
    odim_read_options reading;
    cli_out out;
    if (!cli_input_options(&set->input, &reading) || !cli_input_check_bounds(&set->input, params))
        return CLI_EXIT_USAGE;
    if (cli_input_is(path, set->output)) {
        cli_log("%s: is the input; write to another file", set->output);
        return CLI_EXIT_USAGE;
    }
    /* Before the work, so that a place where nothing can be written is known early. */
    if (!cli_out_open(&out, set->output)) return CLI_EXIT_FAILED;
    cli_run_init(&work, set->quiet);
    int code = cli_input_is_private(params) ? fit_table(path, &reading, params, &work, &model)
                                            : fit_file(path, &reading, params, &work, &model);
    if (!code) cli_dp_notice_say(&work, model, false);
    if (!code) cli_held_say(&work, model);
    if (!code) code = cli_run_save(model, &out);
    cli_out_discard(&out);
    odim_model_free(model);
    cli_run_free(&work);
    return code;
}

static int run(int argc, char **argv)
{
    settings set = {0};
    const char *path = NULL;
    odim_params *params = odim_params_new();
    int code = params ? cli_args_parse(&cli_fit_verb, argc, argv, &set, params, &path) : cli_run_nomem();
    if (code < 0 && !path) {
        cli_log("fit needs a FILE, '-' for standard input");
        code = CLI_EXIT_USAGE;
    } else if (code < 0 && !set.output) {
        cli_log("fit needs a file for the model: --output MODEL");
        code = CLI_EXIT_USAGE;
    }
    if (code < 0) code = fit(&set, params, path);
    cli_input_free(&set.input);
    odim_params_free(params);
    return code;
}

const cli_verb cli_fit_verb = {
    .name = "fit",
    .summary = "fit a model on a table and keep it in a file",
    .usage = "FILE -o MODEL [options]",
    .examples = "  odim fit data.csv -o model.odim\n"
                "  odim fit data.csv -o model.odim --ignore comment --categorical zip\n"
                "  odim fit data.csv -o model.odim --share-safe\n"
                "  odim fit data.csv -o model.odim --dp-epsilon 5 --dp-bounds public.csv\n"
                "  odim inspect model.odim             what is in it\n"
                "  odim score -m model.odim new.csv    scores of other rows\n",
    .more = "FILE may be of any size: its rows are never all in memory, unless --dp-epsilon\n"
            "makes the fit a private one (docs/PRIVACY.md).\n"
            "\n"
            "Nothing in a model runs, but anyone who has it can read what it holds: names,\n"
            "types, bounds and some values of the columns, the levels (texts) of categories\n"
            "that at least --min-level-count rows have, the networks, the threshold. And\n"
            "training rows as they are: all that it has learnt from with --method knn or lof\n"
            "(up to 131,072), up to 2,048 with --preset auto or --trusted-fraction, up to\n"
            "8,192 with knn or lof in --with and 1,024 with subsample-knn, one with any other\n"
            "method. Besides, ecod and copod hold many values of each column. odim inspect\n"
            "counts all this. With --share-safe there is no training row in the model; that\n"
            "is less than what differential privacy gives.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .params = true,
    .run = run,
};
