/*
 * The command line of a verb: `--name value`, `--name=value`, `-o value`, `-ovalue`, `--` before operands
 * that look like options. An on|off parameter may stand alone (`--batch-norm`); it and a switch may be denied
 * (`--no-batch-norm`, `--no-quiet`). A switch may have one value, always with '=' (`--keep=safe`). What the
 * command line does not set may be set in a file (config_file.h).
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include "odim.h"
#include "verb.h"

/*
 * Parses what follows the verb into `settings`, `params` (may be NULL when the verb takes none) and the one
 * operand, or the first, NULL when there is none. Returns -1 to go on, otherwise the exit code: what is wrong
 * with the command line has been reported, or --help or --init-config has been answered. Call cli_args_free
 * in any case.
 */
int cli_args_parse(const cli_verb *verb, int argc, char **argv, void *settings, odim_params *params,
                   const char **operand);
/* Frees the lists and operands in the settings. */
void cli_args_free(const cli_verb *verb, void *settings);
/* Where an option's value is in the settings; NULL: the verb has no option of that name. */
void *cli_args_place(const cli_verb *verb, void *settings, const char *name, cli_option_kind *kind);

#endif
