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
    CLI_OPTION(TEXT, S, output.output, "output", 'o', "FILE", "Output",                                      \
               "write to FILE (atomically) [stdout]"),                                                       \
        CLI_OPTION(TEXT, S, output.output_format, "output-format", 0, CLI_ROWS_CHOICES, "Output",            \
                   "format of the scores [by the extension of the output file, else csv]"),                  \
        CLI_SWITCH(S, output.keep, CLI_KEEP_AS_IS, "keep", 0, "safe", "Output",                              \
                   "copy the columns of FILE to the output; safe: with an apostrophe before formulas"),      \
        CLI_OPTION(                                                                                          \
            COUNT, S, output.explain, "explain", 0, "N", "Output",                                           \
            "add the N main reasons for each outlier or, if there are none, for the five highest rows"),     \
        CLI_OPTION(COUNT, S, output.top, "top", 0, "N", "Output",                                            \
                   "treat the N highest-scoring rows as outliers and print them as a table"),                \
        CLI_OPTION(TEXT, S, output.threshold, "threshold", 0, "S", "Output",                                 \
                   "treat scores above S as outliers [4, or the model's threshold]"),                        \
        CLI_SWITCH(S, output.raw_scores, 1, "raw-scores", 0, NULL, "Output",                                 \
                   "add the column raw_score: the method's own score, such as a loss or a distance"),        \
        CLI_SWITCH(S, output.json, 1, "json", 0, NULL, "Output",                                             \
                   "write one JSON object: parameters, members, scores"),                                    \
        CLI_OPTION(TEXT, S, output.report, "report", 0, "HTML", "Output",                                    \
                   "write a report to this file: a self-contained HTML page"),                               \
        CLI_OPTION(TEXT, S, output.plot, "plot", 0, "SVG", "Output",                                         \
                   "write one plot of the report to this file"),                                             \
        CLI_OPTION(TEXT, S, output.picture, "plot-kind", 0, CLI_PLOT_KINDS, "Output",                        \
                   "which plot [scores]"),                                                                   \
        CLI_SWITCH(S, output.provenance, 1, "provenance", 0, NULL, "Output",                                 \
                   "begin the output with a line about its origin: version, model, parameters"),             \
        CLI_SWITCH(S, output.quiet, 1, "quiet", 'q', NULL, "Output", "print only errors to stderr"),         \
        CLI_SWITCH(S, output.stream, 1, "stream", 0, NULL, "Running",                                        \
                   "hold only some rows in memory at a time, for files of any size; no ranks"),              \
        CLI_OPTION(TEXT, S, output.memory, "memory", 0, "SIZE", "Running",                                   \
                   "stream files larger than this, such as 500M or 2G; of Parquet the size of the cells "    \
                   "counts [1G]")

enum { CLI_REASONS_MAX = 100 }; /* of a row */

/* False: options contradict each other, or the parameter `contamination`, which has been reported. */
bool cli_output_check(const cli_output *set, odim_params *params, const char *path);
/* The threshold: as asked for, otherwise the model's. False: not a number, which has been reported.
 */
bool cli_output_threshold(const cli_output *set, const odim_model *model, double *out);

#endif
