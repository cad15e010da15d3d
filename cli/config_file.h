/*
 * A file of settings for a verb (--config FILE), one per line:
 *
 *     # a comment
 *     members = 20            # the name of an option or a parameter, without its dashes
 *     quiet = yes             # a switch: yes or no, on or off
 *     id = " # of machine"    # quotes keep blanks and '#'; "" inside them is a quote
 *     label =                 # nothing: the default
 */
#ifndef CLI_CONFIG_FILE_H
#define CLI_CONFIG_FILE_H

#include <stdio.h>

#include "verb.h"

typedef struct cli_config_file {
    const char *path;
    int line;
    char *name, *value; /* of the setting in that line; name NULL: there are no more */
    char *rest;         /* what has not been looked at */
} cli_config_file;

/*
 * Reads the file; there is room for one. Names and values stay to the end of the program, as those of a
 * command line do. Both return -1 when all is well, otherwise the exit code: what is wrong has been reported.
 */
int cli_config_file_open(cli_config_file *c, const char *path);
int cli_config_file_next(cli_config_file *c);

/* A file with every setting of the verb and its default, all of them commented out. */
void cli_config_file_print(const cli_verb *verb, FILE *to);

#endif
