/* odim help and odim version. */
#include <stdio.h>

#include "help.h"
#include "odim.h"
#include "run.h"

typedef struct settings {
    int all;
} settings;

static const cli_option options[] = {
    {"all", 0, NULL, "Options", "every option, by group", CLI_OPTION_SWITCH, 1, offsetof(settings, all)},
};

static int help(cli_run *run, void *settings_of)
{
    const settings *set = settings_of;
    const cli_verb *verb = run->path ? cli_verb_find(run->path) : NULL;
    if (run->path && !verb) return CLI_EXIT_USAGE;
    cli_help_print(verb, set->all, stdout);
    return CLI_EXIT_OK;
}

static int run_help(int argc, char **argv)
{
    settings set = {0};
    return cli_run_verb(&cli_help_verb, argc, argv, &set, help);
}

static int version(cli_run *run, void *none)
{
    (void)run;
    (void)none;
    printf("odim %s (kernels: %s)\n", odim_version(), odim_kernels());
    return CLI_EXIT_OK;
}

static int run_version(int argc, char **argv)
{
    return cli_run_verb(&cli_version_verb, argc, argv, NULL, version);
}

const cli_verb cli_help_verb = {
    .name = "help",
    .summary = "show this overview or the options of a command",
    .usage = "[COMMAND] [--all]",
    .examples = "  odim help                 the commands\n"
                "  odim help detect          the common options of one\n"
                "  odim help detect --all    all of its options, with their defaults\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_help,
};

const cli_verb cli_version_verb = {
    .name = "version",
    .summary = "show the version and the numeric kernels in use",
    .usage = "[options]",
    .examples = "  odim version\n",
    .run = run_version,
};
