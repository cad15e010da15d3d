/*
 * Finds out what the cells of text columns are, from all of them together. The essay is in type_infer.c.
 *
 * Cells are counted one by one, in any division of the rows; the counts of later rows are merged in their
 * order. So a table in memory, a stream and a file that many machines read are all decided alike.
 */
#ifndef OD_TYPE_INFER_H
#define OD_TYPE_INFER_H

#include "prep/cell_format.h"
#include "prep/levels.h"

/* Different units of a column that are counted; a column with more of them has no unit. */
#define OD_UNITS 16
/* Registers of the count of distinct texts: within a few percent, which is enough to know an id. */
#define OD_DISTINCT 1024

/* Lengths of whole numbers that are counted; longer ones count as the last. */
#define OD_DIGITS 20

typedef struct od_unit_votes {
    char unit[OD_UNIT_ROOM];
    int64_t count;
} od_unit_votes;

/* Only the first columns of a file can be free text, so that counting their parts takes little memory. */
#define OD_TEXT_COLUMNS 256

/* How many cells of a column are what. */
typedef struct od_type_votes {
    int64_t present;
    int64_t numbers;                /* plain ones: see od_num_parse */
    int64_t points, thousands;      /* of these, with a decimal point; of those, 1.234 */
    int64_t seconds, milliseconds;  /* of these, whole ones with ten digits, with thirteen */
    int64_t zeros;                  /* of these, whole ones that begin with a zero, such as 02139 */
    int64_t digits[OD_DIGITS];      /* of these, whole ones without a sign, by their length */
    double first, last;             /* of these */
    int64_t rises, steps;           /* of these, larger than the one before; larger by one */
    int64_t times, booleans;        /* ISO 8601 dates; true or false */
    int64_t notation[OD_NOTATIONS]; /* other numbers, by each notation that fits */
    int64_t order[OD_DATE_ORDERS];  /* other dates, by each order that fits */
    od_unit_votes unit[OD_UNITS];   /* of the other numbers; "": without one */
    bool many_units;
    int64_t length, blanks;        /* of all other cells: bytes, and how many have a blank in them */
    int64_t texts, paths;          /* of these, neither number, date nor boolean; of those, a path or URL */
    uint8_t distinct[OD_DISTINCT]; /* of all cells that are counted as distinct */
    od_text_counts *parts;         /* of the texts, or NULL: see od_text_counts_add */
    int64_t dates;                 /* other dates, whatever their order */
    bool in_part;                  /* rows before these are counted elsewhere */
    uint8_t before[OD_DISTINCT];   /* of a part: plain numbers that count as distinct if a number in the rows
                                      before begins with a zero */
    od_levels *levels; /* of a part: those of a column that the caller has made a category; or NULL */
} od_type_votes;

/* Counts a cell; `distinct`: also how many different ones there are, if it is a plain number. Returns whether
 * it is a text. */
bool od_type_votes_add(od_type_votes *t, const char *text, size_t len, const od_strlist *na, bool distinct);
/* Counts a number that the file has as such, not as text; NaN is missing. It is never one with thousands. */
void od_type_votes_add_number(od_type_votes *t, double value);
/* Adds a level, which decides nothing: which levels are kept, if there are too many, only all rows tell. */
odim_status od_type_votes_add_level(od_type_votes *t, const char *text, size_t len, odim_error *err);
/* Adds what was counted in rows that come later, and takes its parts. */
odim_status od_type_votes_merge(od_type_votes *t, od_type_votes *later, odim_error *err);
/* Makes a copy, with parts of its own; `to` has nothing. */
odim_status od_type_votes_copy(od_type_votes *to, const od_type_votes *from, odim_error *err);
/* Sets `count` votes to nothing. */
void od_type_votes_clear(od_type_votes *t, int64_t count);
/* An estimate of the number of different cells. */
double od_type_votes_distinct(const od_type_votes *t);

/* Votes of all rows of a table, of which only some are in hand. */
typedef struct od_voted {
    const od_type_votes *votes; /* (names->count) */
    const od_strlist *names;    /* of the columns that are voted on */
} od_voted;

/* What is known of a file besides its cells. */
typedef struct od_type_hints {
    char decimal;   /* the caller's decimal mark; 0: to be found */
    bool semicolon; /* between the cells: likely a file from where commas are decimal marks */
} od_type_hints;

/* What a column is. */
typedef struct od_cell_kind {
    odim_type type;
    od_cell_format format;
    bool doubt;     /* nearly all cells are that, but not all: reading will find one that is not */
    bool ambiguous; /* another format fits as well */
    bool id;        /* it names the rows */
    bool running;   /* and it does so by counting them */
    bool free;      /* it is free text */
    bool code;      /* its numbers are names: postal codes, numbers of accounts */
} od_cell_kind;

/* Decides for all columns of a file. names (cols). `fixed` (cols), or NULL: a type that the caller wants, or
 * -1. */
void od_type_decide(const od_type_votes *votes, const char *const *names, const signed char *fixed,
                    int64_t cols, const od_type_hints *hints, od_cell_kind *out);

/* Whether a column is called id, number, key, ... */
bool od_type_is_id_name(const char *name);
/* Whether it is called time, date, created, ... */
bool od_type_is_time_name(const char *name);
/* Whether it is called zip, phone, account, ... */
bool od_type_is_code_name(const char *name);

#endif
