/*
 * Rows of named and typed values, written in one of four formats. The columns are declared first; then the
 * values come one by one, row after row, and a row ends by itself with the value of its last column.
 *
 *     CSV         quoted where needed; a missing text or a number that is none is an empty cell
 *     TSV         tab, line feed, carriage return and backslash inside a text as \t \n \r \\; else as CSV
 *     JSON lines  one object a line; flags are true and false; what JSON cannot say is null
 *     NPY         version 1.0; one numeric column: a plain array; several: a structured one with their names,
 *                 '<i8', '<f8' and '|u1' side by side. Texts are left out: the caller may want to say so.
 */
#ifndef OD_WRITER_H
#define OD_WRITER_H

#include <stdint.h>

#include "json.h"
#include "out.h"

typedef enum od_row_format { OD_ROWS_CSV, OD_ROWS_TSV, OD_ROWS_JSONL, OD_ROWS_NPY } od_row_format;

/* What an option that names one looks like in a usage line. */
#define OD_ROWS_CHOICES "csv|tsv|jsonl|npy"

/* The format that was asked for by name, NULL: by the ending of the output's name (which may be NULL), else
 * CSV. */
od_row_format od_writer_format(const char *asked, const char *output);

typedef enum od_cell {
    OD_CELL_INT,
    OD_CELL_NUMBER, /* nine significant digits, or all of it in NPY */
    OD_CELL_TEXT,
    OD_CELL_FLAG /* 0 or 1 */
} od_cell;

typedef struct od_out_column {
    const char *name;
    od_cell kind;
} od_out_column;

typedef struct od_writer {
    od_out *out;
    od_row_format format;
    const od_out_column *columns;
    int count;
    int at;       /* the column of the next value */
    int64_t rows; /* as announced, -1: unknown */
    int64_t rows_done;
    bool safe; /* texts that a spreadsheet would take for a formula begin with an apostrophe */
    od_json json;
} od_writer;

/*
 * Writes what comes before the rows. The columns are borrowed until od_writer_end. rows -1: not known yet,
 * which NPY allows only in a file (od_out_is_file). safe, for CSV and TSV: a text or a name that a
 * spreadsheet would take for a formula gets an apostrophe in front. False: the reason has been said.
 */
bool od_writer_begin(od_writer *w, od_out *out, od_row_format format, const od_out_column *columns, int count,
                     int64_t rows, bool safe);

/* The next value, by the kind of its column. */
void od_writer_int(od_writer *w, int64_t value);
void od_writer_number(od_writer *w, double value);
void od_writer_text(od_writer *w, const char *text); /* NULL: missing */
void od_writer_copy(od_writer *w, const char *text); /* a text as it was found; a number is one in JSON */
void od_writer_flag(od_writer *w, bool value);

/* False: there are not as many rows as announced, which has been said. */
bool od_writer_end(od_writer *w);

#endif
