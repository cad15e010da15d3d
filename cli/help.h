/* The help texts: made from the verbs' descriptions and, live, from the library's parameters; 80 columns. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "verb.h"

/* A screen about a verb, or with `all` every option; the overview when verb is NULL. */
void cli_help_print(const cli_verb *verb, bool all, FILE *to);

#endif
