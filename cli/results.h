/*
 * The results of detect and score, and how they are written: rows for files, JSON for programs, a table for
 * people.
 */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "odim.h"
#include "out.h"
#include "output_options.h"
#include "run.h"
#include "writer.h"

enum { CLI_FEW_ROWS = 5 }; /* shown and explained where no row is an outlier */

typedef struct cli_results {
    const char *path;
    const odim_table *table; /* all rows or, from a stream, the block in hand */
    const odim_model *model;
    const cli_output *set;
    double threshold;
    const double *scores;       /* (rows) */
    const double *raw;          /* (rows) the method's own scores, NULL: not wanted */
    const int64_t *rank;        /* (rows) 1 = most outlying; NULL from a stream */
    const int64_t *order;       /* (rows) the rows, 0-based, most outlying first; NULL from a stream */
    const odim_reason *reasons; /* (rows, set->explain), NULL: none are wanted */
    int64_t explained;          /* that many of the highest rows get reasons; from a stream the outliers do */
    int64_t first;              /* rows before the block in hand */
    bool continued;             /* the rows follow those of another output, which has the header */
    bool own_numbers;           /* rows are counted from `first`, not as their file counts them */
    int64_t outliers;           /* rows labeled so */
    bool judged;                /* both labels occur: auc and ap are known */
    double auc, ap;
} cli_results;

/* The number of row i, 0-based, for people: from 1. */
int64_t cli_results_row(const cli_results *r, int64_t i);
/* Whether row i, 0-based, is called an outlier. */
bool cli_results_is_outlier(const cli_results *r, int64_t i);
/* How many of the rows in hand are. */
int64_t cli_results_flagged(const cli_results *r);
/* One line to stderr, unless quiet: how many rows are outliers. */
void cli_results_summary(const cli_run *run, int64_t flagged, int64_t rows);
/* Whether row i is unusual but not an outlier, and how many rows are. */
bool cli_results_is_unusual(const cli_results *r, int64_t i);
int64_t cli_results_unusual(const cli_results *r);
/* Whether row i gets reasons. */
bool cli_results_is_explained(const cli_results *r, int64_t i);
/* The reasons (rows, set->explain) of these rows; the others get none. */
odim_status cli_results_explain(const cli_results *r, odim_reason *reasons, const odim_params *params,
                                const odim_hooks *hooks, odim_error *err);

/*
 * Rows: file, if there are several, row, id, the columns that are kept, score, raw_score, rank, p_outlier,
 * is_outlier, reasons. The columns of a writer are made once, from the first block. All return false when
 * something failed, which has been reported.
 */
typedef struct cli_rows {
    cli_writer writer;
    cli_out_column *columns;
    char (*reason)[32]; /* names of the reason columns */
    char (*kept)[32];   /* new names of kept columns whose own are taken */
    bool ranked;
} cli_rows;

bool cli_rows_begin(cli_rows *rows, const cli_results *r, cli_out *out, int64_t count);
void cli_rows_add(cli_rows *rows, const cli_results *r);
bool cli_rows_end(cli_rows *rows);
void cli_rows_free(cli_rows *rows);

/* The name of the id column in the output: its own, unless an output column has it; NULL: no id column. */
const char *cli_results_id_name(const odim_table *table);

/* What made the output, as members of an open object: version, file, model's fingerprint, parameters. */
void cli_results_provenance(const odim_model *model, const char *path, cli_json *j);
/* An array of the ensemble's members. */
void cli_results_members(const odim_model *model, cli_json *j);

/* One object; top > 0: only that many scores, most outlying first. */
void cli_results_json(const cli_results *r, int64_t top, cli_out *out);
/* The `top` most outlying rows with their reasons, if there are any, else with as many of their values as fit
 * into `width` columns (0: not a terminal). brief: without rank and probability. False: out of memory, which
 * has been reported. */
bool cli_results_top(const cli_results *r, int64_t top, bool brief, int width, cli_out *out);

/* How many rows the answer for people lists: the outliers, at most 20, or the few highest rows. */
int64_t cli_results_listed(const cli_results *r);
/* The answer for people on a terminal: the verdict in a sentence, those rows with their reasons, and what to
 * do next. False: out of memory, which has been reported. */
bool cli_results_answer(const cli_results *r, int width, cli_out *out);

#endif
