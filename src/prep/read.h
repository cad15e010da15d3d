/*
 * Reads a file into a table: as a whole, in blocks of rows, or in parts. The format is detected by content,
 * then by name.
 */
#ifndef OD_READ_H
#define OD_READ_H

#include "prep/table_input.h"
#include "prep/type_infer.h"

/* Refuses options that contradict each other or are out of range; *format is the one that they name. */
odim_status od_read_check_options(const odim_read_options *o, od_format *format, odim_error *err);

/* Reads the file `path` or, if bytes is not NULL, these bytes, which path names; they must outlive the
 * reader. `like` NULL: types are inferred. */
odim_status od_reader_open(odim_reader **out, const char *path, const void *bytes, size_t size,
                           const odim_read_options *options, const od_schema *like, odim_error *err);

/* Types to be inferred stay open until od_reader_decide_types. */
odim_status od_reader_open_parts(odim_reader **out, const char *path, const odim_read_options *options,
                                 const od_schema *like, odim_error *err);
/* The length for parts: bytes of text, or rows of an array. 0: it can be read only as one part. */
int64_t od_reader_length(const odim_reader *r);
bool od_reader_is_text(const odim_reader *r);
/* Where part `part` of `parts` begins: text at a byte that may be within a record, an array at a row. The
 * first row of text is always in the first part. */
int64_t od_reader_cut(const odim_reader *r, int64_t part, int64_t parts);
/* The part to be read next. */
odim_status od_reader_part(odim_reader *r, const od_span *part, odim_error *err);
/* For text only: see prep/text_rows.h. od_reader_end: the place after the last record that was read. */
odim_status od_reader_guess(odim_reader *r, int64_t at, int64_t *start, odim_error *err);
odim_status od_reader_count_types(odim_reader *r, od_type_votes *votes, int64_t most, int64_t *rows,
                                  odim_error *err);
odim_status od_reader_decide_types(odim_reader *r, const od_type_votes *votes, odim_error *err);
void od_reader_end(const odim_reader *r, int64_t *at, int64_t *line);
/* No rows are to be read. */
void od_reader_leave_out(odim_reader *r);
/* The number of rows of an array. */
int64_t od_reader_rows(const odim_reader *r);
/* The table that blocks are read into. */
odim_table *od_reader_table(odim_reader *r);

/* The file's name, fit for a message. */
const char *od_reader_name(const odim_reader *r);

/* The table that blocks are read into, with the rows of the last one. The caller owns it from now on. */
odim_table *od_reader_take(odim_reader *r);

/* Reads all rows into a new table, which the caller owns. */
odim_status od_read_table(odim_table **out, const char *path, const void *bytes, size_t size,
                          const odim_read_options *options, const od_schema *like, odim_error *err);

#endif
