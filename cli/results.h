/*
 * What detect and score found, and the forms it is written in: rows for files, JSON for programs, a table for
 * people.
 */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "odim.h"
#include "out.h"
#include "report.h"
#include "verb.h"
#include "run.h"
#include "writer.h"

enum { CLI_KEEP_NONE, CLI_KEEP_AS_IS, CLI_KEEP_SAFE }; /* --keep */

/* The options of both verbs. */
typedef struct cli_output {
    const char *output, *output_format, *threshold, *memory, *report, *plot, *picture;
    int64_t top, explain;
    int keep, json, quiet, provenance, stream, raw_scores;
} cli_output;

/* `S` is the verb's settings, which have an cli_output named `output`. */
#define CLI_OUTPUT_OPTIONS(S)                                                                                \
    {"output",                                                                                               \
     'o',                                                                                                    \
     "FILE",                                                                                                 \
     "Output",                                                                                               \
     "write to FILE, which appears only when complete [stdout]",                                             \
     CLI_OPTION_TEXT,                                                                                        \
     0,                                                                                                      \
     offsetof(S, output.output)},                                                                            \
        {"output-format",                                                                                    \
         0,                                                                                                  \
         CLI_ROWS_CHOICES,                                                                                   \
         "Output",                                                                                           \
         "format of the scores [by the ending of the output's name, else csv]",                              \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.output_format)},                                                                 \
        {"keep",                                                                                             \
         0,                                                                                                  \
         "safe",                                                                                             \
         "Output",                                                                                           \
         "pass the columns of FILE through to the output; safe: with an apostrophe before formulas",         \
         CLI_OPTION_SWITCH,                                                                                  \
         CLI_KEEP_AS_IS,                                                                                     \
         offsetof(S, output.keep)},                                                                          \
        {"explain",                                                                                          \
         0,                                                                                                  \
         "N",                                                                                                \
         "Output",                                                                                           \
         "add the N foremost reasons of the outliers or, if there are none, of the five highest rows",       \
         CLI_OPTION_COUNT,                                                                                   \
         0,                                                                                                  \
         offsetof(S, output.explain)},                                                                       \
        {"top",                                                                                              \
         0,                                                                                                  \
         "N",                                                                                                \
         "Output",                                                                                           \
         "call the N highest scores outliers, and print their rows as a table",                              \
         CLI_OPTION_COUNT,                                                                                   \
         0,                                                                                                  \
         offsetof(S, output.top)},                                                                           \
        {"threshold",                                                                                        \
         0,                                                                                                  \
         "S",                                                                                                \
         "Output",                                                                                           \
         "call scores above S outliers [4, or as the model has it]",                                         \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.threshold)},                                                                     \
        {"raw-scores",                                                                                       \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Output",                                                                                           \
         "add the column raw_score: the method's own score, a loss or a distance",                           \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.raw_scores)},                                                                    \
        {"json",                                                                                             \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Output",                                                                                           \
         "one JSON object: parameters, members, scores",                                                     \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.json)},                                                                          \
        {"report",                                                                                           \
         0,                                                                                                  \
         "HTML",                                                                                             \
         "Output",                                                                                           \
         "write a report into this file: one page to look at, complete in itself",                           \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.report)},                                                                        \
        {"plot",                                                                                             \
         0,                                                                                                  \
         "SVG",                                                                                              \
         "Output",                                                                                           \
         "draw one picture of the report into this file",                                                    \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.plot)},                                                                          \
        {"plot-kind",                                                                                        \
         0,                                                                                                  \
         CLI_PLOT_KINDS,                                                                                     \
         "Output",                                                                                           \
         "which one [scores]",                                                                               \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.picture)},                                                                       \
        {"provenance",                                                                                       \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Output",                                                                                           \
         "begin the output with a line that says what made it: version, model, parameters",                  \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.provenance)},                                                                    \
        {"quiet",                                                                                            \
         'q',                                                                                                \
         NULL,                                                                                               \
         "Output",                                                                                           \
         "nothing on stderr but errors",                                                                     \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.quiet)},                                                                         \
        {"stream",                                                                                           \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Running",                                                                                          \
         "keep only some rows in memory at a time: for files of any size; no ranks",                         \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.stream)},                                                                        \
    {                                                                                                        \
        "memory", 0, "SIZE", "Running", "stream files that are larger than this, such as 500M or 2G [1G]",   \
            CLI_OPTION_TEXT, 0, offsetof(S, output.memory)                                                   \
    }

enum { CLI_REASONS_MAX = 100 }; /* of a row */
enum { CLI_FEW_ROWS = 5 };      /* shown and explained where no row is an outlier */

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
    int64_t outliers;           /* rows labelled so */
    bool judged;                /* both labels occur: auc and ap are known */
    double auc, ap;
} cli_results;

/* False: options contradict each other, or the parameter `contamination`, which has been said. */
bool cli_output_check(const cli_output *set, odim_params *params, const char *path);
/* The threshold that holds: as asked for, else the model's. False: it is no number, which has been said. */
bool cli_output_threshold(const cli_output *set, const odim_model *model, double *out);

/* Whether row i, 0-based, is called an outlier. */
bool cli_results_is_outlier(const cli_results *r, int64_t i);
/* How many of the rows in hand are. */
int64_t cli_results_flagged(const cli_results *r);
/* Whether row i is no outlier but unusual, and how many are. */
bool cli_results_is_unusual(const cli_results *r, int64_t i);
int64_t cli_results_unusual(const cli_results *r);
/* Whether row i gets reasons. */
bool cli_results_is_explained(const cli_results *r, int64_t i);

/*
 * Rows: row, id, the columns that are kept, score, raw_score, rank, p_outlier, is_outlier, reasons. The
 * columns of a writer are made once, from the first block. All return false when something failed, which has
 * been said.
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

/* An id column keeps its name unless a column of ours has it; NULL: there is none. */
const char *cli_results_id_name(const odim_table *table);

/* What made the output, as members of an open object: version, file, model's fingerprint, parameters. */
void cli_results_provenance(const odim_model *model, const char *path, cli_json *j);
/* An array of the ensemble's members. */
void cli_results_members(const odim_model *model, cli_json *j);

/* One object; top > 0: only that many scores, most outlying first. */
void cli_results_json(const cli_results *r, int64_t top, cli_out *out);
/* The `top` most outlying rows with their reasons, if there are any, else with as many of their values as fit
 * into `width` columns (0: not a terminal). brief: without rank and probability. False: out of memory, which
 * has been said. */
bool cli_results_top(const cli_results *r, int64_t top, bool brief, int width, cli_out *out);

/* How many rows the answer for people lists: the outliers, at most 20, or the few highest rows. */
int64_t cli_results_listed(const cli_results *r);
/* The answer for people on a terminal: the verdict in a sentence, those rows with their reasons, and what to
 * do next. False: out of memory, which has been said. */
bool cli_results_answer(const cli_results *r, int width, cli_out *out);

#endif
