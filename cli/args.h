/*
 * The command line of a verb: `--name value`, `--name=value`, `-o value`, `-ovalue`, `--` before operands
 * that look like options. An on|off parameter may stand alone (`--batch-norm`) or be denied
 * (`--no-batch-norm`).
 */
#ifndef OD_ARGS_H
#define OD_ARGS_H

#include "odim.h"
#include "verb.h"

/*
 * Parses what follows the verb into `settings`, `params` (may be NULL when the verb takes none) and the one
 * operand, NULL when there is none. Returns -1 to go on, otherwise the exit code: what is wrong with the
 * command line has been said, or --help has been answered.
 */
int od_args_parse(const od_verb *verb, int argc, char **argv, void *settings, odim_params *params,
                  const char **operand);

#endif
