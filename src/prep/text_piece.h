/*
 * A piece of a CSV file that one of several threads parses. It parses what it can without knowing what comes
 * before: rows that fit, with their cells, each with the place where it begins and ends. Whatever needs the
 * number of a row or a line, such as a row that does not fit, is left out, and the reader of the file parses
 * it once more. So messages and results are those of one thread.
 */
#ifndef OD_TEXT_PIECE_H
#define OD_TEXT_PIECE_H

#include "io/csv_buffer.h"
#include "prep/text_rows.h"

/* Where a row is in its piece. */
typedef struct od_piece_row {
    uint32_t from, end; /* bytes; blank lines before the row belong to it */
    uint32_t lines;     /* line ends between the two */
    uint32_t line;      /* of them, before the row itself */
    uint32_t recoded;   /* fields that were not UTF-8 */
} od_piece_row;

/* Begin with {0}. */
typedef struct od_text_piece {
    od_csv *csv;
    odim_status status; /* of the thread */
    odim_error err;
    size_t start, end; /* in the window: where it begins, and where it stopped */
    /* Of a piece that is parsed: */
    od_text_rows rows; /* a copy of the reader's, for `table`; it owns nothing */
    odim_table table;  /* (place_count) cells, ids, ...; names and formats are those of the reader's table */
    od_piece_row *place;
    size_t place_cap;
    int64_t next;   /* the first row that is not used yet */
    uint32_t *code; /* of each level of each column, in the reader's table; made when it is needed */
    size_t code_cap;
    bool coded;
    /* Of a piece whose cells are counted: */
    od_type_votes *votes; /* (features) */
    int64_t features;
    od_csv_passed counted;
} od_text_piece;

/* Prepares for the columns of the reader, and of its table. */
odim_status od_text_piece_prepare(od_text_piece *p, const od_text_rows *r, const odim_table *t,
                                  odim_error *err);
/* votes (features): of the rows before. */
odim_status od_text_piece_prepare_votes(od_text_piece *p, const od_text_rows *r, const od_type_votes *votes,
                                        odim_error *err);
void od_text_piece_free(od_text_piece *p);

/* By any thread: the bytes of the window from p->start on are parsed, or their cells counted. A piece to be
 * counted may begin later, at the first line that looks like the beginning of a row, with `guess`. */
void od_text_piece_parse(od_text_piece *p, const od_csv_bytes *bytes);
void od_text_piece_count(od_text_piece *p, const od_csv_bytes *bytes, bool guess);

/* Adds what was counted to the votes of the rows before; false: it cannot be used, and nothing has changed.
 */
bool od_text_piece_merge(od_text_piece *p, od_type_votes *votes, odim_status *status, odim_error *err);

/* Adds rows of a parsed piece to the table of the reader, which is where the first of them begins. */
odim_status od_text_piece_give(od_text_piece *p, int64_t count, od_text_rows *r, odim_table *t,
                               odim_error *err);

#endif
