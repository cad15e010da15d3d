/* The help texts: made from the verbs' descriptions and, live, from the library's parameters; 80 columns. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "verb.h"

/*
 * Prints text, broken at blanks, and ends the line. The cursor stands behind `indent`, with which every
 * further line begins.
 */
void cli_help_wrap(const char *text, const char *indent, FILE *to);

/* A screen about a verb, or with `all` every option; the overview when verb is NULL. */
void cli_help_print(const cli_verb *verb, bool all, FILE *to);

#endif
