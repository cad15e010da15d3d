/* Plain text as the source of a manual page, in the macros of man(7). */
#ifndef CLI_ROFF_H
#define CLI_ROFF_H

#include <stddef.h>
#include <stdio.h>

/* A piece of text as it is, with what roff would take for commands made harmless; options in bold. */
void cli_roff_put(const char *text, size_t len, FILE *to);

/* Names of options and words that are typed as they are in bold, words to be replaced (FILE, options) in
 * italic. */
void cli_roff_usage(const char *usage, FILE *to);

/*
 * Complete lines: text that is filled, blank lines between paragraphs, and lists:
 *
 *       item    what it is about,
 *               over as many lines as it takes
 *
 * where an item is indented by two blanks and followed by two or more.
 */
void cli_roff_text(const char *text, FILE *to);

#endif
