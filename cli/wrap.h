/* Text in lines of a given length. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stdio.h>

/* Characters, not bytes: UTF-8 continuation bytes do not count. */
int cli_wrap_chars(const char *text, int bytes);

/*
 * Prints text in lines of at most `room` characters, broken at blanks; a longer word has a line of its own.
 * The first line goes on where the cursor is, further lines begin with `indent`, which does not count. The
 * last line is not ended.
 */
void cli_wrap(const char *text, int room, const char *indent, FILE *to);

#endif
