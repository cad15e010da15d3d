/*
 * Delimited text, one record at a time, from a source of any length.
 *
 * A record ends at LF, CRLF or CR; blank lines are skipped, unless od_csv_keep_blanks; and so are a UTF-8
 * byte order mark and a first line that begins with "# odim {": what --provenance writes. A field that begins
 * with a quote ends at the next single one: between them, delimiters and line ends are text and "" is a
 * quote. Blanks before the opening and after the closing quote are dropped. A quote elsewhere is an ordinary
 * character. If the delimiter is a blank, several blanks or tabs are one, and those at the ends of a line are
 * dropped. Zero bytes are refused. A table that a database prints for people may have rules between its lines
 * and bars around them: see od_csv_set_rules.
 *
 * Fields are UTF-8. One that is not is taken as Windows-1252 and converted, unless the encoding of the source
 * is known; each field for itself, so that a file read in parts or from a pipe gives the same as a whole.
 */
#ifndef OD_CSV_H
#define OD_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/fields.h"
#include "io/source.h"

typedef struct od_csv od_csv;

/* No record is longer: a quote that is never closed must not pull the whole file into memory. */
#define OD_CSV_RECORD_MOST ((size_t)64 << 20)

/* The source is borrowed. Until it is set otherwise the delimiter is a comma and there is no header. */
odim_status od_csv_open(od_csv **out, od_source *src, odim_error *err);
void od_csv_close(od_csv *csv);
/* What is to be read next, at least `lines` lines of it or `most` bytes if there is so much; with `live` one
 * line is enough when no more has come. */
odim_status od_csv_peek(od_csv *csv, size_t lines, size_t most, bool active, const char **text, size_t *len,
                        bool *whole, odim_error *err);
/* Before the first record is read. The header, if there is one, is the first record. */
void od_csv_set(od_csv *csv, char delimiter, bool header);
/* The same: lines that are rules, such as ----+---- or |:--|--:|, are no records, and neither is what counts
 * the rows behind them. With `bars`, each line begins and ends with a delimiter. */
void od_csv_set_rules(od_csv *csv, bool bars);
odim_status od_csv_next(od_csv *csv, od_record *out, odim_error *err);
/*
 * For a file that is read in parts. Goes to where a record begins, `row` and `line` being the numbers of that
 * record; a record that begins at `end` or later is not read any more. Only where the source can do it.
 */
odim_status od_csv_seek(od_csv *csv, int64_t at, int64_t end, int64_t row, int64_t line, odim_error *err);
/* Behind the last record that was read: its bytes, counted from the beginning, and lines. */
int64_t od_csv_at(const od_csv *csv);
int64_t od_csv_line(const od_csv *csv);
/* The number of the next row. */
int64_t od_csv_row(const od_csv *csv);
/* From now on a blank line is a record of one empty field where another record follows: in a table of one
 * column that is a missing cell. */
void od_csv_keep_blanks(od_csv *csv);
/* What was read was a header: rows are counted from the next record on. */
void od_csv_begin(od_csv *csv);
/* The first record, which was read as a header, is row 1 after all. */
void od_csv_begin_at_first(od_csv *csv);
/* Leaves out the line at which od_csv_next has failed with ODIM_ERR_FORMAT. It counts as a row. */
odim_status od_csv_skip_line(od_csv *csv, odim_error *err);
/* How many fields were not UTF-8 and have been converted so far, and the line of the record with the first.
 */
int64_t od_csv_recoded(const od_csv *csv, int64_t *line);
/* Leaves out what is above the table: so many bytes and lines. Before the first record is read. */
odim_status od_csv_skip(od_csv *csv, int64_t bytes, int64_t lines, odim_error *err);
/* Whether the next record can be read without waiting for it. One with line ends between quotes may have come
 * in part only. */
bool od_csv_ready(od_csv *csv);

#endif
