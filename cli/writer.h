/*
 * Rows of named and typed values, written in one of four formats. The columns are declared first; then the
 * values come one by one, row after row, and a row ends by itself with the value of its last column.
 *
 *     CSV         quoted where needed; a missing text or a NaN is an empty cell
 *     TSV         tab, line feed, carriage return and backslash inside a text as \t \n \r \\; else as CSV
 *     JSON lines  one object per line; flags are true and false; NaN and infinity are null
 *     NPY         version 1.0; one numeric column: a plain array; several: a structured one with their names,
 *                 '<i8', '<f8' and '|u1' side by side. Texts are left out: the caller may want to say so.
 */
#ifndef CLI_WRITER_H
#define CLI_WRITER_H

#include <stdint.h>

#include "json.h"
#include "out.h"
#include "out_column.h"

typedef enum cli_row_format { CLI_ROWS_CSV, CLI_ROWS_TSV, CLI_ROWS_JSONL, CLI_ROWS_NPY } cli_row_format;

/* What an option that names one looks like in a usage line. */
#define CLI_ROWS_CHOICES "csv|tsv|jsonl|npy"

/* The format that was asked for by name, NULL: by the ending of the output's name (which may be NULL), else
 * CSV. */
cli_row_format cli_writer_format(const char *asked, const char *output);

typedef struct cli_writer {
    cli_out *out;
    cli_row_format format;
    const cli_out_column *columns;
    int count;
    int at;       /* the column of the next value */
    int64_t rows; /* as announced, -1: unknown */
    int64_t rows_done;
    bool safe; /* texts that a spreadsheet would take for a formula begin with an apostrophe */
    cli_json json;
    char hold[256]; /* (held) the last short cells of the row */
    size_t held;
} cli_writer;

/*
 * Writes what comes before the rows. The columns are borrowed until cli_writer_end. rows -1: not known yet,
 * which NPY allows only in a file (cli_out_is_file). safe, for CSV and TSV: a text or a name that a
 * spreadsheet would take for a formula gets an apostrophe in front. False: the reason has been reported.
 */
bool cli_writer_begin(cli_writer *w, cli_out *out, cli_row_format format, const cli_out_column *columns,
                      int count, int64_t rows, bool safe);
/* The same for rows that follow those of another output: nothing comes before them. Not for NPY. */
void cli_writer_continue(cli_writer *w, cli_out *out, cli_row_format format, const cli_out_column *columns,
                         int count, int64_t rows, bool safe);

/* The next value, by the kind of its column. */
void cli_writer_int(cli_writer *w, int64_t value);
void cli_writer_number(cli_writer *w, double value);
void cli_writer_text(cli_writer *w, const char *text); /* NULL: missing */
void cli_writer_copy(cli_writer *w, const char *text); /* a text as it was found; a number is one in JSON */
void cli_writer_flag(cli_writer *w, bool value);

/* False: there are not as many rows as announced, which has been reported. */
bool cli_writer_end(cli_writer *w);

#endif
