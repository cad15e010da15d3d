/* The options that say how a file is read, for every verb that reads one. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "lists.h"
#include "odim.h"
#include "verb.h"

typedef struct cli_input {
    const char *label, *id, *known, *known_rows, *bounds, *format, *delimiter, *unpacked;
    char *ignore, *only, *numeric, *categorical, *types, *na;
    int header;
    /* The lists as arrays, made by cli_input_options. */
    char **ignored, **chosen, **missing, **typed[CLI_TYPES];
} cli_input;

/* For any file: `S` is the verb's settings, which have an cli_input named `input`; LABELS: what becomes of
 * labels, a text that begins with ": ", or "". */
#define CLI_INPUT_JUDGED ": AUC and average precision go to stderr"
#define CLI_INPUT_OPTIONS(S, LABELS)                                                                         \
    {"label",                                                                                                \
     0,                                                                                                      \
     "COL",                                                                                                  \
     "Input",                                                                                                \
     "column of known labels (1 = outlier, 0 = inlier), never a feature" LABELS,                             \
     CLI_OPTION_TEXT,                                                                                        \
     0,                                                                                                      \
     offsetof(S, input.label)},                                                                              \
        {"id",                                                                                               \
         0,                                                                                                  \
         "COL",                                                                                              \
         "Input",                                                                                            \
         "column that names the rows, never a feature",                                                      \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.id)},                                                                             \
        {"na",                                                                                               \
         0,                                                                                                  \
         "TEXT,...",                                                                                         \
         "Input",                                                                                            \
         "further texts that stand for a missing cell, beside an empty one, NA, NaN, null, ?",               \
         CLI_OPTION_LIST,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.na)},                                                                             \
        {"format",        0, "auto|csv|tsv|npy|npz|idx", "Input", "format of FILE [auto]",                   \
         CLI_OPTION_TEXT, 0, offsetof(S, input.format)},                                                     \
        {"delimiter",                                                                                        \
         0,                                                                                                  \
         "CHAR",                                                                                             \
         "Input",                                                                                            \
         "between the cells of a CSV file; 'tab' is a tab [auto]",                                           \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.delimiter)},                                                                      \
        {"header",                                                                                           \
         0,                                                                                                  \
         NULL,                                                                                               \
         "Input",                                                                                            \
         "the first line of the CSV file holds names [auto]",                                                \
         CLI_OPTION_SWITCH,                                                                                  \
         1,                                                                                                  \
         offsetof(S, input.header)},                                                                         \
        {"unpacked",                                                                                         \
         0,                                                                                                  \
         "SIZE",                                                                                             \
         "Input",                                                                                            \
         "memory that a compressed array may take, such as 500M or 8G [half of the machine's]",              \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.unpacked)},                                                                       \
    {                                                                                                        \
        "no-header", 0, NULL, "Input", "the first line of the CSV file holds data", CLI_OPTION_SWITCH, -1,   \
            offsetof(S, input.header)                                                                        \
    }

/* For a file that a model is fitted on: what its columns are. */
#define CLI_INPUT_COLUMNS(S)                                                                                 \
    {"ignore",                                                                                               \
     0,                                                                                                      \
     "COL,...",                                                                                              \
     "Columns",                                                                                              \
     "columns to leave out",                                                                                 \
     CLI_OPTION_LIST,                                                                                        \
     0,                                                                                                      \
     offsetof(S, input.ignore)},                                                                             \
        {"only",                                                                                             \
         0,                                                                                                  \
         "COL,...",                                                                                          \
         "Columns",                                                                                          \
         "columns to use, and no others",                                                                    \
         CLI_OPTION_LIST,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.only)},                                                                           \
        {"numeric",                                                                                          \
         0,                                                                                                  \
         "COL,...",                                                                                          \
         "Columns",                                                                                          \
         "columns that are numbers: any other cell is an error",                                             \
         CLI_OPTION_LIST,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.numeric)},                                                                        \
        {"categorical",                                                                                      \
         0,                                                                                                  \
         "COL,...",                                                                                          \
         "Columns",                                                                                          \
         "columns that are categories, even if all cells are numbers",                                       \
         CLI_OPTION_LIST,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.categorical)},                                                                    \
        {"known-outliers",                                                                                   \
         0,                                                                                                  \
         "COL",                                                                                              \
         "Columns",                                                                                          \
         "column of what is known beforehand, never a feature: 1 for an outlier, 0 for an inlier, else "     \
         "empty",                                                                                            \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.known)},                                                                          \
        {"known-rows",                                                                                       \
         0,                                                                                                  \
         "FILE",                                                                                             \
         "Columns",                                                                                          \
         "file of the outliers that are known, one a line: row numbers from 1 or, with --id, ids",           \
         CLI_OPTION_TEXT,                                                                                    \
         0,                                                                                                  \
         offsetof(S, input.known_rows)},                                                                     \
    {                                                                                                        \
        "types", 0, "COL=TYPE,...", "Columns",                                                               \
            "what columns are: numeric, boolean, categorical or time [found from the cells]",                \
            CLI_OPTION_LIST, 0, offsetof(S, input.types)                                                     \
    }

/* For a verb that may fit privately. */
#define CLI_INPUT_BOUNDS(S)                                                                                  \
    {                                                                                                        \
        "dp-bounds", 0, "FILE", "Columns",                                                                   \
            "what is public about the columns, for --dp-epsilon: CSV with column,low,high,levels",           \
            CLI_OPTION_TEXT, 0, offsetof(S, input.bounds)                                                    \
    }

/* "500M", "2G" or a number of bytes; 0: it is none of these. */
double cli_input_size(const char *text);
/* The options for the library, valid until cli_input_free. False: an option is wrong, which has been said. */
bool cli_input_options(cli_input *input, odim_read_options *out);
/* Whether the fit is to be differentially private. */
bool cli_input_is_private(odim_params *params);
/* False: there are bounds that nothing would use, which has been said. */
bool cli_input_check_bounds(const cli_input *input, odim_params *params);
/* What a file is called in messages. */
const char *cli_input_name(const char *path);
/* Whether writing to `output` (may be NULL) would destroy the input. */
bool cli_input_is(const char *path, const char *output);
/* Whether it can be read only once. */
bool cli_input_is_pipe(const char *path);
void cli_input_free(cli_input *input);

#endif
