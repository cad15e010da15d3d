/*
 * The buffer of the CSV parser, for those who parse its records elsewhere: a window of bytes that are to be
 * read next is cut into pieces, other parsers read the pieces, and the parser of the file passes over the
 * records that they have read.
 */
#ifndef OD_CSV_BUFFER_H
#define OD_CSV_BUFFER_H

#include "io/csv.h"

/* Bytes that are to be read next. */
typedef struct od_csv_bytes {
    const char *text;
    size_t len;
    bool whole; /* nothing comes behind them */
} od_csv_bytes;

/*
 * Shows `most` bytes, or fewer at the end; with `ready` also if no more have come. After the first few
 * hundred kB a thread reads the source ahead, unless that is plain memory. A failure of the source counts
 * only once the bytes before it are used up. The bytes stay until the parser is used for something other than
 * od_csv_pass.
 */
odim_status od_csv_window(od_csv *csv, size_t most, bool ready, od_csv_bytes *out, odim_error *err);

/* What was read elsewhere. */
typedef struct od_csv_passed {
    size_t bytes;
    int64_t rows, lines;
    int64_t recoded, recoded_line; /* see od_csv_recoded; the line is counted from 0, where they begin */
} od_csv_passed;
/* Goes on behind these, which begin at the next record. */
void od_csv_pass(od_csv *csv, const od_csv_passed *by);
/* Whether the next record begins at od_csv_at: false while a record behind blank lines waits. */
bool od_csv_can_pass(const od_csv *csv);

/* A parser of pieces of a file that `like` reads. */
odim_status od_csv_piece_new(od_csv **out, const od_csv *like, odim_error *err);
/* The piece to be read next, which is copied. Its rows are counted from 1, its lines from 0. A record that it
 * does not have to the end fails with ODIM_ERR_IO. */
odim_status od_csv_piece_set(od_csv *piece, const od_csv_bytes *bytes, odim_error *err);

#endif
