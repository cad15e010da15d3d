/* odim explain: why a row is, or is not, an outlier. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "grid.h"
#include "input.h"
#include "json.h"
#include "wording.h"
#include "say.h"
#include "work.h"

typedef struct settings {
    od_input input;
    const char *model;
    int64_t row, reasons;
    int json;
} settings;

static const od_option options[] = {
    {"model", 'm', "MODEL", "Input", "the model, as 'odim fit' wrote it", OD_OPTION_TEXT, 0,
     offsetof(settings, model)},
    OD_INPUT_OPTIONS(settings, ""),
    {"row", 0, "N", "Output", "which row of FILE, from 1; a header is not counted", OD_OPTION_COUNT, 0,
     offsetof(settings, row)},
    {"reasons", 0, "N", "Output", "how many reasons [5]", OD_OPTION_COUNT, 0, offsetof(settings, reasons)},
    {"json", 0, NULL, "Output", "JSON instead of text", OD_OPTION_SWITCH, 1, offsetof(settings, json)},
};

enum { BLOCK_ROWS = 16384 };

/* The account of one row. */
typedef struct account {
    const settings *set;
    const odim_model *model;
    const odim_table *block; /* the row */
    double score, raw;
    odim_reason *reason;
    int count;
} account;

/* ---- for people ----------------------------------------------------------------------------------- */

enum { SHARE, NAME, VALUE, EXPECTED, USUAL, COLUMNS };

static const char *cell(const void *ctx, int64_t row, int col, char buf[OD_GRID_TEXT])
{
    static const char *const heading[] = {"share", "column", "value", "expected", "usual"};
    const account *a = ctx;
    if (row < 0) return heading[col];
    const odim_reason *r = &a->reason[row];
    switch (col) {
    case SHARE:
        snprintf(buf, OD_GRID_TEXT, r->share < 0.01 ? "%.1g %%" : "%.0f %%", 100 * r->share);
        return buf;
    case NAME: return od_wording_name(a->model, r->col, buf, OD_GRID_TEXT);
    case VALUE: return od_wording_value(a->model, a->block, 0, r, buf, OD_GRID_TEXT);
    case EXPECTED: return od_wording_expected(a->model, r, buf, OD_GRID_TEXT);
    default: return od_wording_usual(a->model, a->block, 0, r, buf, OD_GRID_TEXT);
    }
}

static bool is_outlier(const account *a)
{
    return a->score > odim_model_threshold(a->model);
}

static bool is_unusual(const account *a)
{
    return !is_outlier(a) && a->score > odim_model_unusual(a->model);
}

/* The rest of a line that begins with the name of the row. */
static void print_verdict(const account *a, od_out *out)
{
    double threshold = odim_model_threshold(a->model), unusual = odim_model_unusual(a->model);
    od_out_printf(out, ": score %.2f", a->score);
    if (is_outlier(a))
        od_out_printf(out, ", an outlier (above %.4g)", threshold);
    else if (is_unusual(a))
        od_out_printf(out, ", unusual (above %.4g), but not an outlier (above %.4g)", unusual, threshold);
    else if (unusual < threshold)
        od_out_printf(out, ", neither unusual (above %.4g) nor an outlier (above %.4g)", unusual, threshold);
    else
        od_out_printf(out, ", not an outlier (above %.4g)", threshold);
    od_out_printf(out, "; probability of an outlier %.3f\n", odim_model_probability(a->model, a->score));
}

static void print_text(const account *a, od_out *out)
{
    const char *id = odim_table_id(a->block, 0);
    od_out_printf(out, "row %lld", (long long)a->set->row);
    char shown[OD_GRID_TEXT];
    if (id) od_out_printf(out, " (%s)", odim_printable(id, shown, sizeof shown));
    print_verdict(a, out);
    if (a->count == 0) {
        od_out_text(out, "no column is unusual\n");
        return;
    }
    od_out_text(out, "\n");
    od_grid g = {.rows = a->count, .cols = COLUMNS, .fixed = COLUMNS, .cell = cell, .ctx = a};
    g.left = 1u << NAME | 1u << USUAL;
    g.open = true;
    od_grid_print(&g, od_say_width(STDOUT_FILENO), out);
}

/* Columns may share a name, so each also has its number. */
static void put_reason(const account *a, const odim_reason *r, od_json *j)
{
    char text[OD_GRID_TEXT];
    odim_column_info c;
    odim_model_column(a->model, r->col, &c, NULL);
    od_json_begin(j, NULL, '{');
    od_json_string(j, "column", c.name);
    od_json_int(j, "number", r->col + 1);
    od_json_string(j, "kind", odim_reason_kind_text(r->kind));
    od_json_number(j, "share", r->share);
    od_json_string(j, "value", od_wording_value(a->model, a->block, 0, r, text, OD_GRID_TEXT));
    od_wording_expected(a->model, r, text, OD_GRID_TEXT);
    od_json_string(j, "expected", *text ? text : NULL);
    od_json_string(j, "usual", od_wording_usual(a->model, a->block, 0, r, text, OD_GRID_TEXT));
    od_json_string(j, "text", odim_reason_text(a->model, a->block, 0, r, text, OD_GRID_TEXT));
    od_json_end(j);
}

static void print_json(const account *a, od_out *out)
{
    od_json j = {.out = out};
    od_json_begin(&j, NULL, '{');
    od_json_int(&j, "row", a->set->row);
    if (odim_table_id_name(a->block)) od_json_string(&j, "id", odim_table_id(a->block, 0));
    od_json_number(&j, "score", a->score);
    od_json_number(&j, "raw_score", a->raw);
    od_json_number(&j, "p_outlier", odim_model_probability(a->model, a->score));
    od_json_raw(&j, "is_outlier", is_outlier(a) ? "true" : "false");
    od_json_raw(&j, "unusual", is_unusual(a) ? "true" : "false");
    od_json_number(&j, "threshold", odim_model_threshold(a->model));
    od_json_number(&j, "unusual_threshold", odim_model_unusual(a->model));
    od_json_begin(&j, "reasons", '[');
    for (int k = 0; k < a->count; k++) put_reason(a, &a->reason[k], &j);
    od_json_end(&j);
    od_json_end(&j);
}

/* ---- the row -------------------------------------------------------------------------------------- */

/* A block of that row alone. */
static int find_row(account *a, odim_reader *reader, const char *path)
{
    odim_error err;
    for (int64_t before = 0;; before += odim_table_rows(a->block)) {
        int64_t skip = a->set->row - 1 - before;
        int64_t most = skip == 0 ? 1 : skip < BLOCK_ROWS ? skip : BLOCK_ROWS;
        if (odim_reader_next(reader, most, &a->block, &err)) return od_work_fail(&err, NULL);
        if (odim_table_rows(a->block) == 0) {
            od_say("%s: has %lld rows; there is no row %lld", od_input_name(path), (long long)before,
                   (long long)a->set->row);
            return OD_EXIT_FAILED;
        }
        if (skip == 0) return OD_EXIT_OK;
    }
}

static int explain_row(account *a, const char *path)
{
    odim_error err;
    /* There are no more reasons than columns. */
    int64_t cols = odim_model_cols(a->model), wanted = a->set->reasons < cols ? a->set->reasons : cols;
    int64_t first = 0;
    a->reason = malloc((size_t)wanted * sizeof *a->reason);
    if (!a->reason) return od_work_nomem();
    if (odim_score(a->model, a->block, NULL, NULL, &a->score, &err) ||
        odim_score_raw(a->model, a->block, NULL, NULL, &a->raw, &err) ||
        odim_explain(a->model, a->block, &first, 1, (int)wanted, NULL, NULL, a->reason, &err))
        return od_work_fail(&err, od_input_name(path));
    while (a->count < wanted && a->reason[a->count].col >= 0) a->count++;
    return OD_EXIT_OK;
}

static int explain(account *a, const char *path)
{
    odim_error err;
    odim_read_options reading;
    odim_reader *reader;
    od_out out;
    if (!od_input_options(&a->set->input, &reading)) return OD_EXIT_USAGE;
    reading.like = a->model;
    if (odim_reader_open(&reader, path, &reading, &err)) return od_work_fail(&err, NULL);
    int code = find_row(a, reader, path);
    if (!code) code = explain_row(a, path);
    if (!code && !od_out_open(&out, NULL)) code = OD_EXIT_FAILED;
    if (!code) {
        a->set->json ? print_json(a, &out) : print_text(a, &out);
        code = od_out_commit(&out) ? OD_EXIT_OK : OD_EXIT_FAILED;
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
    int code = od_args_parse(&od_explain_verb, argc, argv, &set, NULL, &path);
    if (code < 0 && (!set.model || !path || !set.row)) {
        od_say("explain needs %s", !set.model ? "a model: --model MODEL, as 'odim fit' writes it"
                                   : !path    ? "a FILE, '-' for standard input"
                                              : "the number of a row: --row N");
        code = OD_EXIT_USAGE;
    }
    if (code < 0 && odim_model_load(&model, set.model, &err)) code = od_work_fail(&err, NULL);
    if (code < 0) code = explain(&(account){.set = &set, .model = model}, path);
    od_input_free(&set.input);
    odim_model_free(model);
    return code;
}

const od_verb od_explain_verb = {
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
