/* The options that say what detect and score write, and the checks of them. */
#ifndef CLI_OUTPUT_OPTIONS_H
#define CLI_OUTPUT_OPTIONS_H

#include "odim.h"
#include "report.h"
#include "verb.h"
#include "writer.h"

enum { CLI_KEEP_NONE, CLI_KEEP_AS_IS, CLI_KEEP_SAFE }; /* --keep */

/* The options of both verbs. */
typedef struct cli_output {
    const char *output, *output_format, *threshold, *memory, *report, *plot, *picture;
    int64_t top, explain;
    int keep, json, quiet, provenance, stream, raw_scores;
} cli_output;

/* `S` is the verb's settings, which have a cli_output named `output`. */
#define CLI_OUTPUT_OPTIONS(S)                                                                                \
    {"output",                                                                                               \
     'o',                                                                                                    \
     "FILE",                                                                                                 \
     "Output",                                                                                               \
     "write to FILE (atomically) [stdout]",                                                                  \
     CLI_OPTION_TEXT,                                                                                        \
     0,                                                                                                      \
     offsetof(S, output.output)},                                                                            \
        {"output-format",                                                                                    \
         0,                                                                                                  \
         CLI_ROWS_CHOICES,                                                                                   \
         "Output",                                                                                           \
         "format of the scores [by the extension of the output file, else csv]",                             \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.output_format)},                                                                 \
        {"keep",                                                                                             \
         0,                                                                                                  \
         "safe",                                                                                             \
         "Output",                                                                                           \
         "copy the columns of FILE to the output; safe: with an apostrophe before formulas",                 \
         CLI_OPTION_SWITCH,                                                                                  \
         CLI_KEEP_AS_IS,                                                                                     \
         offsetof(S, output.keep)},                                                                          \
        {"explain",                                                                                          \
         0,                                                                                                  \
         "N",                                                                                                \
         "Output",                                                                                           \
         "add the N main reasons for each outlier or, if there are none, for the five highest rows",         \
         CLI_OPTION_COUNT,                                                                                   \
         0,                                                                                                  \
         offsetof(S, output.explain)},                                                                       \
        {"top",                                                                                              \
         0,                                                                                                  \
         "N",                                                                                                \
         "Output",                                                                                           \
         "treat the N highest-scoring rows as outliers and print them as a table",                           \
         CLI_OPTION_COUNT,                                                                                   \
         0,                                                                                                  \
         offsetof(S, output.top)},                                                                           \
        {"threshold",                                                                                        \
         0,                                                                                                  \
         "S",                                                                                                \
         "Output",                                                                                           \
         "treat scores above S as outliers [4, or the model's threshold]",                                   \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.threshold)},                                                                     \
        {"raw-scores",                                                                                       \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Output",                                                                                           \
         "add the column raw_score: the method's own score, such as a loss or a distance",                   \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.raw_scores)},                                                                    \
        {"json",                                                                                             \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Output",                                                                                           \
         "write one JSON object: parameters, members, scores",                                               \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.json)},                                                                          \
        {"report",                                                                                           \
         0,                                                                                                  \
         "HTML",                                                                                             \
         "Output",                                                                                           \
         "write a report to this file: a self-contained HTML page",                                          \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.report)},                                                                        \
        {"plot",                                                                                             \
         0,                                                                                                  \
         "SVG",                                                                                              \
         "Output",                                                                                           \
         "write one plot of the report to this file",                                                        \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.plot)},                                                                          \
        {"plot-kind",                                                                                        \
         0,                                                                                                  \
         CLI_PLOT_KINDS,                                                                                     \
         "Output",                                                                                           \
         "which plot [scores]",                                                                              \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, output.picture)},                                                                       \
        {"provenance",                                                                                       \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Output",                                                                                           \
         "begin the output with a line about its origin: version, model, parameters",                        \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.provenance)},                                                                    \
        {"quiet",                                                                                            \
         'q',                                                                                                \
         NULL,                                                                                               \
         "Output",                                                                                           \
         "print only errors to stderr",                                                                      \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.quiet)},                                                                         \
        {"stream",                                                                                           \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Running",                                                                                          \
         "hold only some rows in memory at a time, for files of any size; no ranks",                         \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, output.stream)},                                                                        \
    {                                                                                                        \
        "memory", 0, "SIZE", "Running", "stream files larger than this, such as 500M or 2G [1G]",            \
            CLI_OPTION_TEXT, 0, offsetof(S, output.memory)                                                   \
    }

enum { CLI_REASONS_MAX = 100 }; /* of a row */

/* False: options contradict each other, or the parameter `contamination`, which has been said. */
bool cli_output_check(const cli_output *set, odim_params *params, const char *path);
/* The threshold that holds: as asked for, else the model's. False: it is no number, which has been said. */
bool cli_output_threshold(const cli_output *set, const odim_model *model, double *out);

#endif
