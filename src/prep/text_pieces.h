/*
 * CSV on several threads. A window of the bytes that come next is cut into pieces at line ends, and threads
 * parse them. The reader goes through its file as one thread would, from record to record; wherever it is at
 * a row that a piece has, it takes that and all that follow it. A line end may be inside quotes, so a piece
 * may begin in the middle of a record: then what it has parsed begins nowhere where the reader comes by.
 */
#ifndef OD_TEXT_PIECES_H
#define OD_TEXT_PIECES_H

#include "prep/text_rows.h"

/* A new block of rows begins. */
void od_text_pieces_begin(od_text_pieces *s);
/* Adds at most `most` rows, the next ones; none if the next row must be read by itself. With `ready` bytes
 * that have not come are not waited for. */
odim_status od_text_pieces_take(od_text_rows *r, odim_table *t, int64_t most, bool ready, odim_error *err);
/* Counts the cells of the next rows, and adds their number to *rows; the same. */
odim_status od_text_pieces_count(od_text_rows *r, od_type_votes *votes, int64_t *rows, odim_error *err);

/* For tests: the least size of a piece in bytes; 0: the usual one. */
void od_text_pieces_set_least(size_t bytes);

#endif
