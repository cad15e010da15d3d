/* Synthetic everyday tables with planted errors, for bench/everyday. */
#ifndef EVERYDAY_H
#define EVERYDAY_H

#include <stdint.h>
#include <stdio.h>

#include "odim.h"

enum { ED_LEVELS = 12, ED_COLUMNS = 16, ED_PLANTS = 16, ED_TABLES = 28, ED_NEW_LEVEL = 1000 };

/* ---- random numbers --------------------------------------------------------------------------------- */

typedef struct ed_random {
    uint64_t state;
    double memory[8]; /* what one row leaves for the next; all zero at first */
} ed_random;

double ed_uniform(ed_random *r); /* in [0, 1) */
double ed_between(ed_random *r, double low, double high);
double ed_normal(ed_random *r, double mean, double sigma);
double ed_lognormal(ed_random *r, double median, double sigma);
double ed_poisson(ed_random *r, double mean); /* of at most a few hundred */
int ed_pick(ed_random *r, int n);             /* 0 to n-1 */
int ed_chance(ed_random *r, double share);
int ed_choose(ed_random *r, int n, const double *weights);
double ed_clamp(double v, double low, double high);
double ed_round(double v, int decimals);
double ed_day(int year, int month, int day); /* since 1970 */

/* ---- what a table is -------------------------------------------------------------------------------- */

/* All cells are doubles: a category is the number of its level, a date the day and a time the second since
 * 1970; a missing cell is NaN. */
typedef enum ed_type { ED_NUMBER, ED_CATEGORY, ED_DATE, ED_TIME } ed_type;

typedef struct ed_column {
    const char *name;
    ed_type type;
    int decimals;
    double gaps;        /* share of missing cells */
    const char *before; /* text before the number: of an id */
    const char *levels[ED_LEVELS];
    const char *unit; /* in local formats: ED_MONEY, ED_CODE, "%", "kg" */
} ed_column;

#define ED_MONEY "money" /* the currency of the format */
#define ED_CODE                                                                                              \
    "code" /* no unit, and no marks between thousands: years, postal codes, numbers of invoices              \
            */
#define ED_CELSIUS                                                                                           \
    "\xC2\xB0"                                                                                               \
    "C"

typedef enum ed_kind {
    ED_NONE,
    ED_FACTOR10,
    ED_FACTOR100,
    ED_FACTOR1000,
    ED_SIGN,
    ED_UNIT,        /* times `a` plus `b` */
    ED_DIGITS,      /* two neighbouring digits swapped */
    ED_EXTRA_DIGIT, /* one typed twice */
    ED_SWAP,        /* with column `other` */
    ED_COMBINATION, /* `other` has level `a` or lies beyond its quantile `a`; the column gets level or
                       quantile `b` */
    ED_RELATION,    /* times `a`: a total that is not the sum, say */
    ED_RARE,        /* a level that nobody else has: `text` */
    ED_MISSPELT,    /* the same, misspelt */
    ED_WRONG_YEAR,  /* year `a` */
    ED_DAY_MONTH,   /* day and month swapped, and that far away */
    ED_ORDER,       /* `a` days before the date in `other`, which should be the first */
    ED_STUCK,       /* `a` rows in a run repeat the value of the row before them */
    ED_PLACEHOLDER, /* `a` stands for a missing value */
    ED_GAP,         /* missing where nothing else is */
    ED_KINDS
} ed_kind;

const char *ed_kind_name(ed_kind kind);

typedef struct ed_plant {
    ed_kind kind;
    const char *column;
    double a, b;
    const char *other, *text;
    int count; /* 0: one */
    int gross; /* it must be: rows are tried until it is */
} ed_plant;

typedef struct ed_spec {
    const char *name;
    int64_t rows;
    ed_column columns[ED_COLUMNS];
    void (*row)(ed_random *r, int64_t i, double *v);
    ed_plant plants[ED_PLANTS];
} ed_spec;

typedef struct ed_truth {
    ed_kind kind;
    int gross;      /* the value is far outside of its column */
    int col, other; /* that were changed; other -1: only one */
} ed_truth;

typedef struct ed_table {
    const ed_spec *spec;
    int64_t rows;
    int cols, number; /* from 1 */
    double *clean;    /* (rows, cols) */
    double *spoilt;
    double *sorted[ED_COLUMNS];  /* the clean values of a column, ascending */
    int64_t present[ED_COLUMNS]; /* how many of them */
    ed_truth *truth;             /* (rows) ED_NONE: nothing was planted */
    int64_t planted, gross;
} ed_table;

/* Number 1 to ED_TABLES. */
const ed_spec *ed_spec_of(int number);
void ed_make(ed_table *t, int number, uint64_t state);
void ed_free(ed_table *t);
/* The file, in memory of its own. */
char *ed_csv(const ed_table *t, const double *cells, size_t *size);
/* One cell of it; nothing for a missing one. */
void ed_put_cell(FILE *to, const ed_spec *spec, const ed_column *column, double v);
void ed_write_truth(const ed_table *t, FILE *to);
int ed_find_column(const ed_spec *spec, const char *name);

/* Changes what the spec says, in `spoilt`, and says so in `truth`. */
void ed_plant_errors(ed_table *t, uint64_t state);
/* Farther beyond all clean values than a quarter of their range or, on the long side of a skewed column,
 * three times as large as the largest. */
int ed_is_gross(const ed_table *t, int col, double v);

void ed_civil(double day, int *year, int *month, int *of_month);

extern const ed_spec ed_people[], ed_money[], ed_things[], ed_series[];

/* ---- local formats ---------------------------------------------------------------------------------- */

typedef enum ed_format { ED_US, ED_GERMAN, ED_SWISS, ED_FRENCH, ED_INDIAN, ED_FORMATS } ed_format;
typedef enum ed_encoding { ED_UTF8, ED_UTF16, ED_WINDOWS1252, ED_ENCODINGS } ed_encoding;

const char *ed_format_name(ed_format format);
const char *ed_encoding_name(ed_encoding encoding);
/* The file as people write it there, in UTF-8 and in memory of its own. */
char *ed_local_csv(const ed_table *t, const double *cells, ed_format format, size_t *size);
/* The text in another encoding, in memory of its own; UTF-16 gets a byte order mark. NULL: a character of it
 * does not exist there. */
char *ed_encode(const char *text, size_t size, ed_encoding encoding, size_t *out_size);

/* ---- detecting -------------------------------------------------------------------------------------- */

/* What a table was found to hold. */
typedef struct ed_found {
    odim_table *table;
    odim_model *model;
    double *scores;
    int64_t rows;
    double seconds;
} ed_found;

/* Reads the text as `odim detect FILE` does, and detects. formats: as in odim_read_options, or NULL. */
ed_found ed_detect(const ed_table *t, const char *text, size_t size, const char *const *formats,
                   const odim_params *params);
void ed_release(ed_found *f);

/* Compares what local formats (a bit for each) in all encodings give with what the plain CSV gives. Prints
 * one line per format, and on standard error what differs; adds to *same and *other. */
void ed_compare_formats(const ed_table *t, unsigned formats, const odim_params *params, int64_t *same,
                        int64_t *other);
void ed_print_formats_heading(void);

#endif
