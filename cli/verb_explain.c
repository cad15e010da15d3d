/* odim explain: why a row is, or is not, an outlier. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "text_table.h"
#include "explain_rows.h"
#include "input.h"
#include "json.h"
#include "reason_words.h"
#include "log.h"
#include "run.h"

typedef struct settings {
    cli_input input;
    const char *model;
    int64_t row, reasons;
    int json;
} settings;

static const cli_option options[] = {
    {"model", 'm', "MODEL", "Input", "the model, as 'odim fit' wrote it", CLI_OPTION_TEXT, 0,
     offsetof(settings, model)},
    CLI_INPUT_OPTIONS(settings, ""),
    {"row", 0, "N", "Output", "which row of FILE, from 1; a header is not counted", CLI_OPTION_COUNT, 0,
     offsetof(settings, row)},
    {"reasons", 0, "N", "Output", "how many reasons [5]", CLI_OPTION_COUNT, 0, offsetof(settings, reasons)},
    {"json", 0, NULL, "Output", "JSON instead of text", CLI_OPTION_SWITCH, 1, offsetof(settings, json)},
};

enum { BLOCK_ROWS = 16384 };

/* The account of one row. */
typedef struct attribute {
    settings *set;
    const odim_model *model;
    const odim_table *block; /* the row */
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
    if (row < 0) return heading[col];
    const odim_reason *r = &a->reason[row];
    switch (col) {
    case SHARE:
        snprintf(buf, CLI_TEXT_TABLE_TEXT, r->share < 0.01 ? "%.1g %%" : "%.0f %%", 100 * r->share);
        return buf;
    case NAME: return cli_reason_name(a->model, r->col, buf, CLI_TEXT_TABLE_TEXT);
    case VALUE: return cli_reason_value(a->model, a->block, 0, r, buf, CLI_TEXT_TABLE_TEXT);
    case EXPECTED: return cli_reason_expected(a->model, r, buf, CLI_TEXT_TABLE_TEXT);
    default: return cli_reason_usual(a->model, a->block, 0, r, buf, CLI_TEXT_TABLE_TEXT);
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
    cli_out_printf(out, "row %lld", (long long)a->set->row);
    char shown[CLI_TEXT_TABLE_TEXT];
    if (id) cli_out_printf(out, " (%s)", odim_printable(id, shown, sizeof shown));
    print_verdict(a, out);
    if (a->count == 0) {
        cli_out_text(out, "no column is unusual\n");
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
    cli_json_string(j, "kind", odim_reason_kind_text(r->kind));
    cli_json_number(j, "share", r->share);
    cli_json_string(j, "value", cli_reason_value(a->model, a->block, 0, r, text, CLI_TEXT_TABLE_TEXT));
    cli_reason_expected(a->model, r, text, CLI_TEXT_TABLE_TEXT);
    cli_json_string(j, "expected", *text ? text : NULL);
    cli_json_string(j, "usual", cli_reason_usual(a->model, a->block, 0, r, text, CLI_TEXT_TABLE_TEXT));
    cli_json_string(j, "text", odim_reason_text(a->model, a->block, 0, r, text, CLI_TEXT_TABLE_TEXT));
    cli_json_end(j);
}

static void print_json(const attribute *a, cli_out *out)
{
    cli_json j = {.out = out};
    cli_json_begin(&j, NULL, '{');
    cli_json_int(&j, "row", a->set->row);
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

/* A block of that row alone. */
static int find_row(attribute *a, odim_reader *reader, const char *path)
{
    odim_error err;
    for (int64_t before = 0;; before += odim_table_rows(a->block)) {
        int64_t skip = a->set->row - 1 - before;
        int64_t most = skip == 0 ? 1 : skip < BLOCK_ROWS ? skip : BLOCK_ROWS;
        if (odim_reader_next(reader, most, &a->block, &err)) return cli_run_fail(&err, NULL);
        if (odim_table_rows(a->block) == 0) {
            cli_log("%s: has %lld rows; there is no row %lld", cli_input_name(path), (long long)before,
                    (long long)a->set->row);
            return CLI_EXIT_FAILED;
        }
        if (skip == 0) return CLI_EXIT_OK;
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

static int explain(attribute *a, const char *path)
{
    odim_error err;
    odim_read_options reading;
    odim_reader *reader;
    cli_out out;
    if (!cli_input_options(&a->set->input, &reading)) return CLI_EXIT_USAGE;
    reading.like = a->model;
    if (odim_reader_open(&reader, path, &reading, &err)) return cli_run_fail(&err, NULL);
    int code = find_row(a, reader, path);
    if (!code) code = explain_row(a, path);
    if (!code && !cli_out_open(&out, NULL)) code = CLI_EXIT_FAILED;
    if (!code) {
        a->set->json ? print_json(a, &out) : print_text(a, &out);
        code = cli_out_commit(&out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
    }
    free(a->reason);
    odim_reader_free(reader);
    return code;
}

static int run(int argc, char **argv)
{
    settings set = {.reasons = 5};
    const char *path;
    odim_error err;
    odim_model *model = NULL;
    int code = cli_args_parse(&cli_explain_verb, argc, argv, &set, NULL, &path);
    if (code < 0 && (!set.model || !path || !set.row)) {
        cli_log("explain needs %s", !set.model ? "a model: --model MODEL, as 'odim fit' writes it"
                                    : !path    ? "a FILE, '-' for standard input"
                                               : "the number of a row: --row N");
        code = CLI_EXIT_USAGE;
    }
    if (code < 0 && odim_model_load(&model, set.model, &err)) code = cli_run_fail(&err, NULL);
    if (code < 0) code = explain(&(attribute){.set = &set, .model = model}, path);
    cli_input_free(&set.input);
    odim_model_free(model);
    return code;
}

const cli_verb cli_explain_verb = {
    .name = "explain",
    .summary = "say which columns make a row an outlier",
    .usage = "FILE -m MODEL --row N [options]",
    .examples = "  odim explain -m model.odim data.csv --row 118\n"
                "  odim explain -m model.odim new.csv --row 3 --reasons 10 --json\n",
    .more = "Shares are of all that is unusual about the row. The usual range leaves out one\n"
            "in a hundred training values at either end, and values that are outliers by\n"
            "themselves.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
