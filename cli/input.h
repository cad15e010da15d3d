/* The options that say how a file is read, for every verb that reads one. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "lists.h"
#include "odim.h"
#include "verb.h"

typedef struct cli_input {
    const char *label, *id, *known, *known_rows, *bounds, *format, *delimiter, *unpacked;
    const char *encoding, *decimal, *bad_rows, *entry, *sheet;
    const char *table, *sql, *pixels;
    char *ignore, *only, *numeric, *categorical, *types, *na;
    int header;
} cli_input;

/* What a verb asks for that needs one. */
#define CLI_MODEL_NEEDED "a model: --model MODEL, written by 'odim fit'"

/* For any file: `S` is the verb's settings, which have a cli_input named `input`; LABELS: what becomes of
 * labels, a text that begins with ": ", or "". */
#define CLI_INPUT_JUDGED ": AUC and average precision go to stderr"
#define CLI_INPUT_OPTIONS(S, LABELS)                                                                         \
    CLI_OPTION(TEXT, S, input.label, "label", 0, "COL", "Input",                                             \
               "column of known labels (1 = outlier, 0 = inlier); never a feature" LABELS),                  \
        CLI_OPTION(TEXT, S, input.id, "id", 0, "COL", "Input",                                               \
                   "column that identifies the rows; never a feature; none: no column [found]"),             \
        CLI_OPTION(LIST, S, input.na, "na", 0, "TEXT,...", "Input",                                          \
                   "additional markers for missing values, besides empty cells, NA, NaN, null and ?"),       \
        CLI_OPTION(TEXT, S, input.format, "format", 0,                                                       \
                   "csv|tsv|npy|npz|idx|json|jsonl|xlsx|ods|sqlite|parquet|arrow|duckdb", "Input",           \
                   "format of FILE [auto]"),                                                                 \
        CLI_OPTION(TEXT, S, input.entry, "entry", 0, "NAME", "Input",                                        \
                   "file to read in a zip archive [the only table in it]"),                                  \
        CLI_OPTION(TEXT, S, input.delimiter, "delimiter", 0, "CHAR", "Input",                                \
                   "delimiter of a CSV file; 'tab' for a tab [auto]"),                                       \
        CLI_OPTION(TEXT, S, input.encoding, "encoding", 0, "NAME", "Input",                                  \
                   "encoding of a CSV file, such as latin1 or utf-16le [auto]"),                             \
        CLI_OPTION(TEXT, S, input.sheet, "sheet", 0, "SHEET", "Input",                                       \
                   "sheet of a workbook, by name or number [first visible one with cells]"),                 \
        CLI_OPTION(                                                                                          \
            TEXT, S, input.bad_rows, "bad-rows", 0, "stop|skip|call", "Input",                               \
            "rows that cannot be read: stop, skip them, or call them outliers [detect: call, up to a "       \
            "tenth of the rows; others: stop, or skip for a pipe that is scored]"),                          \
        CLI_OPTION(TEXT, S, input.table, "table", 0, "NAME", "Input",                                        \
                   "table or view of a database file [its only one]"),                                       \
        CLI_OPTION(TEXT, S, input.sql, "sql", 0, "QUERY", "Input",                                           \
                   "read what a query selects, in the database FILE or, without FILE, in the files that it " \
                   "names"),                                                                                 \
        CLI_OPTION(TEXT, S, input.pixels, "pixels", 0, "SIZE", "Input",                                      \
                   "of a folder of pictures: scale each to this many pixels, such as 32x32 or 32x32:color "  \
                   "[16x16, or as the model]"),                                                              \
        CLI_SWITCH(S, input.header, 1, "header", 0, NULL, "Input",                                           \
                   "the first line of the CSV file contains column names [auto]"),                           \
        CLI_OPTION(                                                                                          \
            TEXT, S, input.unpacked, "unpacked", 0, "SIZE", "Input",                                         \
            "memory limit for a compressed array, such as 500M or 8G [half of the machine's memory]"),       \
        CLI_SWITCH(S, input.header, -1, "no-header", 0, NULL, "Input",                                       \
                   "the first line of the CSV file contains data")

/* For a file that a model is fitted on: the roles and types of its columns. */
#define CLI_INPUT_COLUMNS(S)                                                                                 \
    CLI_OPTION(LIST, S, input.ignore, "ignore", 0, "COL,...", "Columns", "columns to leave out"),            \
        CLI_OPTION(LIST, S, input.only, "only", 0, "COL,...", "Columns", "use only these columns"),          \
        CLI_OPTION(LIST, S, input.numeric, "numeric", 0, "COL,...", "Columns",                               \
                   "columns of numbers; any other cell is an error"),                                        \
        CLI_OPTION(LIST, S, input.categorical, "categorical", 0, "COL,...", "Columns",                       \
                   "columns of categories, even if all cells are numbers"),                                  \
        CLI_OPTION(                                                                                          \
            TEXT, S, input.known, "known-outliers", 0, "COL", "Columns",                                     \
            "column of what is already known; never a feature: 1 = outlier, 0 = inlier, empty = unknown"),   \
        CLI_OPTION(TEXT, S, input.known_rows, "known-rows", 0, "FILE", "Columns",                            \
                   "file of known outliers, one per line: row numbers from 1 or, with --id, ids; a tab and " \
                   "\"fine\" after one make it an inlier"),                                                  \
        CLI_OPTION(LIST, S, input.types, "types", 0, "COL=TYPE,...", "Columns",                              \
                   "column types: number, boolean, category or date; with a format: number:comma, "          \
                   "number:point, date:dmy, mdy, ymd, iso, named, unix, unix-ms [inferred]"),                \
        CLI_OPTION(TEXT, S, input.decimal, "decimal", 0, "comma|point", "Columns",                           \
                   "decimal mark of all numbers [found for each column]")

/* For a verb that may fit privately. */
#define CLI_INPUT_BOUNDS(S)                                                                                  \
    CLI_OPTION(TEXT, S, input.bounds, "dp-bounds", 0, "FILE", "Columns",                                     \
               "public facts about the columns, for --dp-epsilon: CSV with column,low,high,levels")

/* "500M", "2G" or a number of bytes; 0: not a size. */
double cli_input_size(const char *text);
/* The options for the library, valid as long as the lists. False: an option is wrong, which has been
 * reported. */
bool cli_input_options(const cli_input *input, cli_lists *lists, odim_read_options *out);
/* Whether the fit is to be differentially private. */
bool cli_input_is_private(odim_params *params);
/* False: there are bounds that nothing would use, which has been reported. */
bool cli_input_check_bounds(const cli_input *input, odim_params *params);
/* What a file is called in messages. */
const char *cli_input_name(const char *path);
/* Whether writing to `output` (may be NULL) would destroy the input. */
bool cli_input_is(const char *path, const char *output);
/* A file to write: the option that names it, and whether it may be "-", standard output. path NULL: none. */
typedef struct cli_target {
    const char *option, *path;
    bool may_be_stdout;
} cli_target;
enum { CLI_INPUTS = 3 }; /* that a verb has at most */
/* False: a file to write is one of the inputs, some of which may be NULL, or there are two of it, which has
 * been reported. */
bool cli_input_check_targets(const char *const inputs[CLI_INPUTS], const cli_target *targets, int count);
/* Whether it can be read only once. */
bool cli_input_is_pipe(const char *path);

#endif
