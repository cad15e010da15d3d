/*
 * Reads the rows of a CSV or TSV file, at once or block by block. The types of the columns are known before
 * the first row is taken: from the caller, from a model, or from a pass over all cells. io/csv.h parses the
 * format.
 */
#ifndef OD_TEXT_ROWS_H
#define OD_TEXT_ROWS_H

#include "base/strlist.h"
#include "io/csv.h"
#include "io/records.h"
#include "io/sniff.h"
#include "prep/type_infer.h"
#include "prep/columns.h"
#include "prep/table_input.h"
#include "prep/text_types.h"

typedef struct od_text_pieces od_text_pieces;

typedef struct od_text_rows {
    od_source *src;
    od_csv *csv;         /* or, of a file that is not CSV, */
    od_records *records; /* which are closed with it */
    od_columns cols;
    od_strlist na;
    int delimiter; /* 0: to be found out */
    bool header, header_guessed;
    od_sniffed found; /* how the text is laid out */
    bool keep;
    bool active;    /* a model says what the columns are, and a pipe may bring them one by one */
    od_record next; /* the first row, while it is not taken */
    bool pending;
    odim_error why;             /* what is wrong with it, if bad rows are tolerated */
    size_t rows_cap;            /* of the table in hand */
    bool whole;                 /* all rows go into it */
    bool parts;                 /* it is read in parts, and the types are found over all of them */
    int64_t data_at, data_line; /* of the first row */
    int64_t bad_first_at;       /* the same, if that row cannot be parsed */
    od_type_hints hints;
    od_id_search ids;
    bool *id_like; /* (features) it is called like an id */
    odim_bad_rows bad_rows;
    int64_t told; /* bad rows that notes have named */
    bool noted_encoding, noted_end, noted_total;
    bool unnamed_last; /* the header ends with a delimiter */
    int64_t footer;    /* lines below the table */
    int64_t last_row;  /* the number of the last row so far, 0: none; of which file; */
    int32_t last_file; /* and the word by which it looks like totals, "": none */
    char last_total[64];
    odim_error failed;      /* a mistake behind the rows of a pipe that were read last */
    int64_t threads;        /* that parse: as odim_read_options has it */
    od_text_pieces *pieces; /* rows that several threads have parsed; NULL: none so far */
} od_text_rows;

/*
 * Reads up to the first row; to infer types it reads all rows, and then returns to the first. A file that is
 * read in parts keeps its open types until od_text_rows_decide_types. t becomes an empty table with columns,
 * names, types and notes.
 */
odim_status od_text_rows_open(od_text_rows *r, odim_table *t, const od_table_input *in, odim_error *err);
/* The same for a file that is not CSV; it takes over the records, whatever comes of it. */
odim_status od_text_rows_open_records(od_text_rows *r, odim_table *t, const od_table_input *in,
                                      od_records *records, odim_error *err);
/* Adds up to `most` rows to the table; with `ready` only those that have arrived, but at least one. No new
 * row means the end. */
odim_status od_text_rows_read(od_text_rows *r, odim_table *t, int64_t most, bool ready, odim_error *err);
/* All rows. */
odim_status od_text_rows_all(od_text_rows *r, odim_table *t, odim_error *err);

/* The next record of a file that is read raw; count 0 is the end. A record that is bad in itself fails with
 * ODIM_ERR_FORMAT and is left out. */
odim_status od_text_rows_next(od_text_rows *r, od_record *out, odim_error *err);

/* The part of the rows to be read next. */
odim_status od_text_rows_part(od_text_rows *r, odim_table *t, const od_span *part, odim_error *err);
/* Adds the cells of the next rows, at most `most`, to the votes of columns with open types. *rows 0: the end.
 */
odim_status od_text_rows_count_types(od_text_rows *r, od_type_votes *votes, int64_t most, int64_t *rows,
                                     odim_error *err);
/* Decides open types and formats from the votes (features) of all rows. */
odim_status od_text_rows_decide_types(od_text_rows *r, odim_table *t, const od_type_votes *votes,
                                      odim_error *err);
/* Guesses where the first record at or after `at` (not 0) begins. The guess is most likely right; only
 * reading everything before it can tell. */
odim_status od_text_rows_guess(od_text_rows *r, int64_t at, int64_t *start, odim_error *err);

void od_text_rows_close(od_text_rows *r);

/* Steps that opening and reading share. */

/* Counts the cells of one record, which has the right width. */
odim_status od_text_rows_count_row(const od_text_rows *r, const od_record *rec, od_type_votes *votes,
                                   odim_error *err);
/* Adds a record to the table. why: what is wrong with it, if that is known already. */
odim_status od_text_rows_add(od_text_rows *r, odim_table *t, const od_record *rec, odim_error *why,
                             odim_error *err);
/* Makes room for at least one row more. */
odim_status od_text_rows_make_room(od_text_rows *r, odim_table *t, odim_error *err);
/* Notes that row t->n has this number, not the next one. */
odim_status od_text_rows_number(od_text_rows *r, odim_table *t, int64_t number, odim_error *err);

/* Ends the threads that parse, and frees what they have parsed: see prep/text_pieces.h. */
void od_text_pieces_free(od_text_pieces *s);
/* Reads the next record into r->next. */
odim_status od_text_rows_advance(od_text_rows *r, odim_error *err);
/* The same, but a line that cannot be parsed is left out if bad rows are tolerated, and *why is set. */
odim_status od_text_rows_advance_tolerant(od_text_rows *r, odim_error *why, odim_error *err);
/* Whether the record has as many fields as there are columns. */
odim_status od_text_rows_check_width(const od_text_rows *r, const od_record *rec, odim_error *err);
/* Whether the features are all that is needed of a row, and the reader of the records has them as numbers. */
bool od_text_rows_is_numbers(const od_text_rows *r);
/* The text of a field without the blanks around it, unless those were quoted. */
const char *od_text_rows_trim(const od_field *f, size_t *len);
odim_status od_text_rows_note(odim_table *t, const char *text, odim_error *err);

#endif
