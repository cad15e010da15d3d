/* Words of a command line, as one would type them into a shell. */
#ifndef CLI_SHELL_WORD_H
#define CLI_SHELL_WORD_H

#include <stdio.h>

/* Writes a word, quoted if a shell would interpret it. */
void cli_shell_word(FILE *f, const char *word);

#endif
