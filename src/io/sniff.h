/*
 * What a text table does not say: its delimiter, what is above it, and whether the first record is a header.
 *
 * The delimiter is one of ; tab | and the comma. Each is tried on the first records; the number of fields
 * that most of them have is its width, and only a width above one counts. The one that most records agree on
 * wins; equal ones by how often fields are numbers ("12,5" and "1.234,50 EUR" are numbers here, so that
 * 1,5;2,5 splits at the semicolon), then by the width, then in the order above. None of them: runs of blanks,
 * if most of what is between them are numbers and records agree on how many. Else there is one column. A
 * first line such as sep=; says it.
 *
 * A second line that is a rule (----+----) makes | the delimiter, or blanks (---- ----); so does one above
 * and below the header.
 *
 * Above the table there may be comments, which begin with #, and titles: records with fewer fields than most
 * have, or with one field that is not empty in a table of three columns or more.
 *
 * The first record is a header when one of its fields is a name and the first field below it that is not
 * missing is a number; or when all its fields that are not empty are names. A name is text that is not a
 * number, does not begin like one (so that a mistyped 12.5x is not taken for a name) and does not stand for a
 * missing value. The record below it has units, or further names, if it has no number, all records below have
 * some, and it has texts in two of their columns at least.
 */
#ifndef OD_SNIFF_H
#define OD_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "io/csv.h"

typedef struct od_sniffed {
    char delimiter; /* ' ': runs of blanks */
    bool header;
    int64_t bytes, lines; /* above the table, counted from where od_csv_open begins */
    int64_t titles;       /* those of the lines that hold titles and what is between them: worth a note */
    bool rules, bars;     /* see od_csv_set_rules */
    bool second;          /* the record below the header belongs to it: it has units, or further names */
    size_t width;         /* fields of most records of the table; 0: none was seen */
    bool alone;           /* at most one record was seen: more of the pipe had not come */
} od_sniffed;

typedef struct od_sniff_options {
    int delimiter; /* 0: find out */
    int header;    /* 0: find out, 1: yes, -1: no */
    bool active; /* of a pipe that is still being written, make do with the lines that have come, one at least
                  */
    bool tolerant; /* pass over lines that cannot be parsed, instead of looking only at those before */
} od_sniff_options;

/* Finds the delimiter, whether there is a header and where the table begins, and sets the parser so. */
odim_status od_sniff(od_csv *csv, const od_sniff_options *options, od_sniffed *out, odim_error *err);
/* Sets another parser, at the beginning of the same text, to what was found before. */
odim_status od_sniff_apply(od_csv *csv, const od_sniffed *found, odim_error *err);

/* NA, null, ? and the like, in any case; not the empty text. */
bool od_sniff_is_missing(const char *text, size_t len);
/* 12,5: a number written with a decimal comma. */
bool od_sniff_is_comma_number(const char *text, size_t len);

#endif
