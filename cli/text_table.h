/*
 * A table for people: aligned columns with a heading, cut to a width. The cells are asked for twice, once to
 * measure and once to print, and never kept, so that a table of any length costs no memory.
 */
#ifndef CLI_TEXT_TABLE_H
#define CLI_TEXT_TABLE_H

#include <stdint.h>

#include "out.h"

enum { CLI_TEXT_TABLE_TEXT = 256 };

typedef struct cli_text_table {
    int64_t rows;
    int cols;
    int fixed;       /* that many columns are shown however narrow it gets */
    unsigned left;   /* columns that are aligned left, as text is: bit c for column c */
    unsigned whole;  /* columns that are never cut */
    bool open;       /* the last column is text of any length, in lines that fit the width */
    const char *cut; /* NULL, or where an open text that needs more than one line may end instead */
    /* The text of a cell, row -1 being the heading. It may be written to buf or be any string. */
    const char *(*cell)(const void *ctx, int64_t row, int col, char buf[CLI_TEXT_TABLE_TEXT]);
    const void *ctx;
} cli_text_table;

enum { CLI_TEXT_TABLE_COLS = 32 };

/* Prints as many of the columns as fit into `width` (0: any), at most CLI_TEXT_TABLE_COLS; returns how many.
 */
int cli_text_table_print(const cli_text_table *g, int width, cli_out *out);

#endif
