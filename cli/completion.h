/* Completion of a command line in a shell. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

/*
 * odim __complete WORD...: prints what may stand in place of the last of the words that follow "odim", one
 * candidate per line, with a tab and a description where there is one. The line ":files" asks the shell for
 * names of files. Returns the exit code.
 */
int cli_completion_candidates(int count, char **words);

#endif
