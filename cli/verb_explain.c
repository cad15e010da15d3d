/* odim explain: why a row is, or is not, an outlier. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text_table.h"
#include "explain_rows.h"
#include "input.h"
#include "json.h"
#include "reason_words.h"
#include "log.h"
#include "run.h"

typedef struct settings {
    cli_input input;
    const char *model, *row;
    int64_t reasons;
    int json;
} settings;

static const cli_option options[] = {
    {"model", 'm', "MODEL", "Input", "the model, written by 'odim fit'", CLI_OPTION_TEXT, 0,
     offsetof(settings, model)},
    CLI_INPUT_OPTIONS(settings, ""),
    {"row", 0, "ROW", "Output",
     "number of the row, from 1 and without the header, or with --id the id of the row", CLI_OPTION_TEXT, 0,
     offsetof(settings, row)},
    {"reasons", 0, "N", "Output", "number of reasons [5]", CLI_OPTION_COUNT, 0, offsetof(settings, reasons)},
    {"json", 0, NULL, "Output", "print JSON instead of text", CLI_OPTION_SWITCH, 1, offsetof(settings, json)},
};

enum { BLOCK_ROWS = 16384 };

/* A row with its score and reasons. */
typedef struct attribute {
    const settings *set;
    const odim_model *model;
    const odim_table *block; /* the row */
    int64_t row;             /* its number, from 1 */
    double score, raw;
    odim_reason *reason;
    int count;
} attribute;

/* ---- for people ----------------------------------------------------------------------------------- */

enum { SHARE, NAME, VALUE, EXPECTED, USUAL, COLUMNS };

static const char *cell(const void *ctx, int64_t row, int col, char buf[CLI_TEXT_TABLE_TEXT])
{
    static const char *const heading[] = {"share", "column", "value", "expected", "usual"};
    const attribute *a = ctx;
    bool is_picture = odim_model_place(a->model, 0);
    if (row < 0 && is_picture && col == NAME) return "part";
    if (row < 0 && is_picture && col == USUAL) return "difference";
    if (row < 0) return heading[col];
    const odim_reason *r = &a->reason[row];
    switch (col) {
    case SHARE:
        snprintf(buf, CLI_TEXT_TABLE_TEXT, r->share < 0.01 ? "%.1g %%" : "%.0f %%", 100 * r->share);
        return buf;
    case NAME: return cli_reason_name(a->model, r->col, buf, CLI_TEXT_TABLE_TEXT);
    case VALUE: return cli_reason_value(a->model, a->block, 0, r, buf, CLI_TEXT_TABLE_TEXT);
    case EXPECTED: return cli_reason_expected(a->model, r, buf, CLI_TEXT_TABLE_TEXT);
    default: return odim_reason_usual(a->model, a->block, 0, r, buf, CLI_TEXT_TABLE_TEXT);
    }
}

static bool is_outlier(const attribute *a)
{
    return a->score > odim_model_threshold(a->model);
}

static bool is_unusual(const attribute *a)
{
    return !is_outlier(a) && a->score > odim_model_unusual(a->model);
}

/* The rest of a line that begins with the name of the row. */
static void print_verdict(const attribute *a, cli_out *out)
{
    double threshold = odim_model_threshold(a->model), unusual = odim_model_unusual(a->model);
    cli_out_printf(out, ": score %.2f", a->score);
    if (is_outlier(a))
        cli_out_printf(out, ", an outlier (above %.4g)", threshold);
    else if (is_unusual(a))
        cli_out_printf(out, ", unusual (above %.4g), but not an outlier (above %.4g)", unusual, threshold);
    else if (unusual < threshold)
        cli_out_printf(out, ", neither unusual (above %.4g) nor an outlier (above %.4g)", unusual, threshold);
    else
        cli_out_printf(out, ", not an outlier (above %.4g)", threshold);
    cli_out_printf(out, "; probability of an outlier %.3f\n", odim_model_probability(a->model, a->score));
}

static void print_text(const attribute *a, cli_out *out)
{
    const char *id = odim_table_id(a->block, 0);
    cli_out_printf(out, "row %lld", (long long)a->row);
    char shown[CLI_TEXT_TABLE_TEXT];
    if (id) cli_out_printf(out, " (%s)", odim_printable(id, shown, sizeof shown));
    print_verdict(a, out);
    if (a->count == 0) {
        cli_out_text(out, odim_model_place(a->model, 0) ? "no part of the picture is unusual\n"
                                                        : "no column is unusual\n");
        return;
    }
    cli_out_text(out, "\n");
    cli_text_table g = {.rows = a->count, .cols = COLUMNS, .fixed = COLUMNS, .cell = cell, .ctx = a};
    g.left = 1u << NAME | 1u << USUAL;
    g.open = true;
    cli_text_table_print(&g, cli_log_width(STDOUT_FILENO), out);
}

/* Columns may share a name, so each also has its number. */
static void put_reason(const attribute *a, const odim_reason *r, cli_json *j)
{
    char text[CLI_TEXT_TABLE_TEXT];
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    odim_model_column(a->model, r->col, &c, NULL);
    cli_json_begin(j, NULL, '{');
    cli_json_string(j, "column", c.name);
    cli_json_int(j, "number", r->col + 1);
    if (odim_model_place(a->model, r->col)) cli_json_string(j, "part", odim_model_place(a->model, r->col));
    cli_json_string(j, "kind", odim_reason_kind_text(r->kind));
    cli_json_number(j, "share", r->share);
    cli_json_string(j, "value", cli_reason_value(a->model, a->block, 0, r, text, CLI_TEXT_TABLE_TEXT));
    cli_reason_expected(a->model, r, text, CLI_TEXT_TABLE_TEXT);
    cli_json_string(j, "expected", *text ? text : NULL);
    cli_json_string(j, "usual", odim_reason_usual(a->model, a->block, 0, r, text, CLI_TEXT_TABLE_TEXT));
    cli_json_string(j, "text", odim_reason_text(a->model, a->block, 0, r, text, CLI_TEXT_TABLE_TEXT));
    cli_json_end(j);
}

static void print_json(const attribute *a, cli_out *out)
{
    cli_json j = {.out = out};
    cli_json_begin(&j, NULL, '{');
    cli_json_int(&j, "row", a->row);
    if (odim_table_id_name(a->block)) cli_json_string(&j, "id", odim_table_id(a->block, 0));
    cli_json_number(&j, "score", a->score);
    cli_json_number(&j, "raw_score", a->raw);
    cli_json_number(&j, "p_outlier", odim_model_probability(a->model, a->score));
    cli_json_raw(&j, "is_outlier", is_outlier(a) ? "true" : "false");
    cli_json_raw(&j, "unusual", is_unusual(a) ? "true" : "false");
    cli_json_number(&j, "threshold", odim_model_threshold(a->model));
    cli_json_number(&j, "unusual_threshold", odim_model_unusual(a->model));
    cli_json_begin(&j, "reasons", '[');
    for (int k = 0; k < a->count; k++) put_reason(a, &a->reason[k], &j);
    cli_json_end(&j);
    cli_json_end(&j);
}

/* ---- the row -------------------------------------------------------------------------------------- */

/* The number in --row; 0: not a number. */
static int64_t row_number(const char *text)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    return end == text || *end || errno || number < 1 ? 0 : number;
}

static int fail_row(const attribute *a, const char *path, int64_t rows)
{
    if (!row_number(a->set->row))
        cli_log("%s: none of its %lld rows has the id '%s' in column '%s'", cli_input_name(path),
                (long long)rows, a->set->row, odim_table_id_name(a->block));
    else
        cli_log("%s: has %lld rows; there is no row %s", cli_input_name(path), (long long)rows, a->set->row);
    return CLI_EXIT_FAILED;
}

/* A block of row a->row alone. */
static int find_row(attribute *a, odim_reader *reader, const char *path)
{
    odim_error err;
    for (int64_t before = 0;; before += odim_table_rows(a->block)) {
        int64_t skip = a->row - 1 - before;
        int64_t most = skip == 0 ? 1 : skip < BLOCK_ROWS ? skip : BLOCK_ROWS;
        if (odim_reader_next(reader, most, &a->block, &err)) return cli_run_fail(&err, NULL);
        if (odim_table_rows(a->block) == 0) return fail_row(a, path, before);
        if (skip == 0) return CLI_EXIT_OK;
    }
}

/* A block of the first row with that id alone; *found: whether there is one. */
static int find_id(attribute *a, odim_reader *reader, bool *found)
{
    odim_error err;
    *found = false;
    for (a->row = 1;; a->row++) {
        if (odim_reader_next(reader, 1, &a->block, &err)) return cli_run_fail(&err, NULL);
        if (!odim_table_id_name(a->block)) {
            cli_log("--row must be the number of a row, from 1, or with --id COL an id, not '%s'",
                    a->set->row);
            return CLI_EXIT_USAGE;
        }
        if (odim_table_rows(a->block) == 0) return CLI_EXIT_OK;
        const char *id = odim_table_id(a->block, 0);
        *found = id && strcmp(id, a->set->row) == 0;
        if (*found) return CLI_EXIT_OK;
    }
}

static int explain_row(attribute *a, const char *path)
{
    odim_error err;
    /* There are no more reasons than columns. */
    int64_t cols = odim_model_cols(a->model), wanted = a->set->reasons < cols ? a->set->reasons : cols;
    const odim_explain_options which = {
        .size = sizeof which, .rows = &(int64_t){0}, .count = 1, .top = (int)wanted};
    a->reason = malloc((size_t)wanted * sizeof *a->reason);
    if (!a->reason) return cli_run_nomem();
    if (odim_score(a->model, a->block, NULL, NULL, &a->score, &err) ||
        odim_score_raw(a->model, a->block, NULL, NULL, &a->raw, &err) ||
        cli_explain_rows(a->model, a->block, &which, NULL, NULL, a->reason, &err))
        return cli_run_fail(&err, cli_input_name(path));
    while (a->count < wanted && a->reason[a->count].col >= 0) a->count++;
    return CLI_EXIT_OK;
}

/* With --id, --row is an id or, where no row has it, a number. Otherwise a number is the number of a row. */
static int find(attribute *a, const char *path, const odim_read_options *reading, odim_reader **reader)
{
    odim_error err;
    bool found;
    int64_t number = row_number(a->set->row);
    if (odim_reader_open(reader, path, reading, &err)) return cli_run_fail(&err, NULL);
    /* A pipe cannot be read twice, so a number is a row number there. */
    if (!number || (a->set->input.id && !cli_input_is_pipe(path))) {
        int code = find_id(a, *reader, &found);
        if (code || found) return code;
        if (!number) return fail_row(a, path, a->row - 1);
        odim_reader_free(*reader);
        *reader = NULL;
        if (odim_reader_open(reader, path, reading, &err)) return cli_run_fail(&err, NULL);
    }
    a->row = number;
    return find_row(a, *reader, path);
}

static int explain(cli_run *run, void *settings_of)
{
    const settings *set = settings_of;
    odim_error err;
    odim_read_options reading;
    odim_reader *reader = NULL;
    odim_model *model;
    cli_out out;
    if (!cli_input_options(&set->input, &run->lists, &reading)) return CLI_EXIT_USAGE;
    if (odim_model_load(&model, set->model, &err)) return cli_run_fail(&err, NULL);
    attribute a = {.set = set, .model = model};
    reading.like = model;
    reading.threads = cli_run_threads(run);
    int code = find(&a, run->path, &reading, &reader);
    if (!code) code = explain_row(&a, run->path);
    if (!code && !cli_out_open(&out, NULL)) code = CLI_EXIT_FAILED;
    if (!code) {
        set->json ? print_json(&a, &out) : print_text(&a, &out);
        code = cli_out_commit(&out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
    }
    free(a.reason);
    odim_reader_free(reader);
    odim_model_free(model);
    return code;
}

static int run_explain(int argc, char **argv)
{
    settings set = {.reasons = 5};
    return cli_run_verb(&cli_explain_verb, argc, argv, &set, explain);
}

static const cli_need needs[] = {{"model", CLI_MODEL_NEEDED},
                                 {"", "a FILE, '-' for standard input"},
                                 {"row", "a row: --row N, or with --id COL the id of a row"},
                                 {NULL, NULL}};

static const char *const common[] = {"model", "id", "row", "reasons", "json", NULL};

const cli_verb cli_explain_verb = {
    .name = "explain",
    .summary = "say which columns make a row an outlier",
    .usage = "FILE -m MODEL --row ROW [options]",
    .examples = "  odim explain -m model.odim data.csv --row 118\n"
                "  odim explain -m model.odim data.csv --id name --row pump7\n"
                "  odim explain -m model.odim new.csv --row 3 --reasons 10 --json\n",
    .more = "A share is the part of the row's score that a column is to blame for. The usual\n"
            "range leaves out the lowest and highest 1 % of the training values, and values\n"
            "that are outliers by themselves. With --id COL, ROW is looked for among the ids\n"
            "first; from a pipe a number is always a row number.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = common,
    .needs = needs,
    .run = run_explain,
};
