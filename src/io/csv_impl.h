/* The inside of the CSV parser. For csv*.c only. */
#ifndef OD_CSV_IMPL_H
#define OD_CSV_IMPL_H

#include "base/read_ahead.h"
#include "io/csv.h"

struct od_csv {
    od_source *src;       /* NULL: a piece, which has all of its bytes in the buffer */
    od_read_ahead *ahead; /* reads it; or NULL */
    bool alone;           /* no thread could be started for that */
    odim_error late;      /* a failure behind the bytes in the buffer, met while a window was filled */
    char *buf;            /* cap + 1 bytes: the last is for the line end after the data */
    size_t cap, len, at;
    bool end; /* the source has no more */
    char delimiter;
    bool runs;               /* several blanks are one delimiter */
    bool rules, bars;        /* see od_csv_set_rules */
    unsigned char kind[256]; /* of each character: see below */
    od_field *fields;
    size_t field_cap;
    int64_t row, line; /* of the record at `at` */
    int64_t dropped;   /* bytes that were before the buffer's first */
    int64_t stop;      /* a record that begins here or later is for another */
    bool keep_blanks;
    char *recoded; /* fields of the record that were not UTF-8, converted */
    size_t recoded_cap;
    int64_t recoded_count, recoded_line; /* how many were, and where the first was */
    int64_t blanks;                      /* blank lines that are records and come before `after` */
    od_record after;                     /* the record behind them, read already; count 0: none */
};

/* Drops what was used and takes what the source has, at least a byte unless it is the end. */
odim_status od_csv_load(od_csv *c, odim_error *err);

#endif
