/*
 * The first pass over the parts of a table: how many rows each has, and what its cells say about the types of
 * the columns.
 *
 * Types, formats and ids are decided from the votes of all rows together (prep/type_infer.h), as for a file
 * that is read at once. Whether a column counts the rows, 1, 2, 3, shows in the order of the rows only. So
 * votes of parts that are next to each other are merged in that order, and those of others wait until the
 * parts between them have come.
 */
#ifndef OD_PART_SCAN_H
#define OD_PART_SCAN_H

#include "model/byte_stream.h"
#include "prep/read.h"
#include "prep/table_build.h"

/* The most parts, and the most rows of all of them. */
#define OD_SCAN_PARTS (1 << 20)
#define OD_SCAN_ROWS  (INT64_C(1) << 50)

/* One part. Of text that is cut, its records begin at byte `at` (0: the first row) or later and before `end`;
 * of an array these are rows. Both are 0 for rows in memory. */
typedef struct od_scan_part {
    int64_t rows, lines;
    int64_t at, end;
} od_scan_part;

/* Parts that are next to each other. */
typedef struct od_scan_run {
    int64_t first;      /* number of the first part, from 0 */
    od_scan_part *part; /* (parts) */
    size_t parts;
    od_type_votes *votes; /* (cols) of all their rows */
} od_scan_run;

struct odim_scan {
    int64_t cols;     /* whose types are voted on; 0: nothing was added */
    od_strlist names; /* (cols) */
    bool is_file;
    int64_t length;   /* of the file, as od_reader_length has it */
    int64_t all;      /* parts that the file is divided into; 0: as many as come */
    od_scan_run *run; /* (runs) in the order of their parts */
    size_t runs, cap;
};

void od_scan_clear(odim_scan *s);

/* Says what the columns are, which must be those of the parts that are there. */
odim_status od_scan_columns(odim_scan *s, const od_strlist *names, odim_error *err);
/* Takes over the votes (cols) of a part, also when it fails; s is then of no further use. */
odim_status od_scan_add(odim_scan *s, int64_t number, const od_scan_part *part, od_type_votes *votes,
                        odim_error *err);
/* The same for parts that are next to each other; takes over the run. */
odim_status od_scan_add_run(odim_scan *s, od_scan_run *run, odim_error *err);
odim_status od_scan_merge(odim_scan *s, const odim_scan *other, odim_error *err);
/* Fails unless s has all parts. */
odim_status od_scan_complete(const odim_scan *s, odim_error *err);
/* The votes of all rows; after od_scan_complete. */
od_voted od_scan_voted(const odim_scan *s);
/* The rows and the lines before a part; after od_scan_complete. */
void od_scan_before(const odim_scan *s, int64_t part, int64_t *rows, int64_t *lines);

/* Sets votes of parts (cols) to nothing. */
void od_scan_reset_votes(od_type_votes *votes, int64_t cols);
/* Frees them. */
void od_scan_free_votes(od_type_votes *votes, int64_t cols);
/* Votes (cols) of a part, with nothing in them; NULL: no memory. */
od_type_votes *od_scan_new_votes(int64_t cols);

/* As bytes, and back: see part_scan_file.c. */
void od_scan_write(od_byte_writer *out, const odim_scan *s);
odim_status od_scan_read(odim_scan *s, const void *bytes, size_t size, odim_error *err);

#endif
