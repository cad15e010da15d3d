/* odim inspect: what a model contains. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "text_table.h"
#include "held.h"
#include "model_json.h"
#include "json.h"
#include "dp_notice.h"
#include "results.h"
#include "log.h"
#include "run.h"

typedef struct settings {
    int json;
} settings;

static const cli_option options[] = {
    {"json", 0, NULL, "Output", "print JSON instead of text", CLI_OPTION_SWITCH, 1, offsetof(settings, json)},
};

/* ---- for people ----------------------------------------------------------------------------------- */

enum { NAME, TYPE, MISSING, FEATURES, RANGE, USUAL, COLUMNS };
enum { LEVEL_WIDTH = 20, LEVELS_WIDTH = 60 }; /* bytes of one, and of all that are shown */

static void write_range(const odim_model *m, int64_t col, double low, double high,
                        char buf[CLI_TEXT_TABLE_TEXT])
{
    char from[64], to[64];
    if (isnan(low))
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "-");
    else
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "%s to %s", odim_model_text(m, col, low, from, sizeof from),
                 odim_model_text(m, col, high, to, sizeof to));
}

/* How many bytes of a text are at most `most` and end with a whole character. */
static int cut_at(const char *text, int most)
{
    int len = (int)strnlen(text, (size_t)most + 1);
    if (len <= most) return len;
    for (len = most; len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80;) len--;
    return len;
}

static void write_levels(const odim_model *m, int64_t col, const odim_column_info *c,
                         char buf[CLI_TEXT_TABLE_TEXT])
{
    int at =
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "%lld level%s", (long long)c->levels, c->levels == 1 ? "" : "s");
    for (int64_t k = 0; k < c->levels && at <= LEVELS_WIDTH; k++) {
        const char *level = odim_model_level(m, col, k, NULL);
        at += snprintf(buf + at, CLI_TEXT_TABLE_TEXT - (size_t)at, "%s%.*s", k ? ", " : ": ",
                       cut_at(level, LEVEL_WIDTH), level);
    }
    if (at > LEVELS_WIDTH) {
        at = cut_at(buf, LEVELS_WIDTH - 3);
        at += snprintf(buf + at, CLI_TEXT_TABLE_TEXT - (size_t)at, "...");
    }
    if (c->dropped)
        snprintf(buf + at, CLI_TEXT_TABLE_TEXT - (size_t)at, "; rarer ones in %lld row%s",
                 (long long)c->dropped, c->dropped == 1 ? "" : "s");
}

/* How the cells are written, where that is not plain. */
static void add_format(const odim_model *m, int64_t col, char buf[CLI_TEXT_TABLE_TEXT])
{
    char format[100];
    size_t len = strlen(buf);
    if (*odim_model_format(m, col, format, sizeof format))
        snprintf(buf + len, CLI_TEXT_TABLE_TEXT - len, "%s(%s)", len ? " " : "", format);
}

static const char *cell(const void *ctx, int64_t row, int col, char buf[CLI_TEXT_TABLE_TEXT])
{
    static const char *const heading[] = {"column", "type", "missing", "features", "range", "usual"};
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    if (row < 0) return heading[col];
    if (odim_model_column(ctx, row, &c, NULL)) return "";
    switch (col) {
    case NAME: return c.name;
    case TYPE: return odim_type_text(c.type);
    case MISSING: snprintf(buf, CLI_TEXT_TABLE_TEXT, "%lld", (long long)c.missing); return buf;
    case FEATURES: snprintf(buf, CLI_TEXT_TABLE_TEXT, "%lld", (long long)c.features); return buf;
    case RANGE: write_range(ctx, row, c.low, c.high, buf); return buf;
    default:
        if (c.ignored)
            snprintf(buf, CLI_TEXT_TABLE_TEXT, "ignored: it %s", c.ignored);
        else if (c.type == ODIM_CATEGORICAL)
            write_levels(ctx, row, &c, buf);
        else
            write_range(ctx, row, c.usual_low, c.usual_high, buf);
        add_format(ctx, row, buf);
        return buf;
    }
}

/* On one line or, on a terminal, on lines that fit. */
static void print_params(const odim_model *m, cli_out *out)
{
    char text[160], shown[CLI_TEXT_TABLE_TEXT];
    int width = cli_log_width(STDOUT_FILENO), used = (int)strlen("parameters:");
    cli_out_text(out, "\nparameters:");
    for (int i = 0; i < odim_param_count(); i++) {
        const char *name = odim_param_at(i)->name;
        if (strcmp(name, "threads") == 0 || !odim_model_get(m, name, text, sizeof text)) continue;
        odim_printable(text, shown, sizeof shown);
        int len = (int)(strlen(name) + strlen(shown)) + 2;
        if (width && used + len > width) {
            cli_out_text(out, "\n ");
            used = 1;
        }
        cli_out_printf(out, " %s=%s", name, shown);
        used += len;
    }
    cli_out_text(out, "\n");
}

static void print_text(const odim_model *m, const char *path, cli_out *out)
{
    char fingerprint[17], shown[CLI_TEXT_TABLE_TEXT];
    odim_model_fingerprint(m, fingerprint);
    cli_out_printf(out, "%s: model %s, fitted on %lld rows of %lld columns, %lld features\n",
                   odim_printable(path, shown, sizeof shown), fingerprint, (long long)odim_model_rows(m),
                   (long long)odim_model_cols(m), (long long)odim_model_features(m));
    double threshold = odim_model_threshold(m), unusual = odim_model_unusual(m);
    cli_out_printf(out, "outliers: score above %.6g", threshold);
    if (unusual < threshold) cli_out_printf(out, "; unusual: above %.6g", unusual);
    cli_out_text(out, "\n");
    cli_held_print(m, out);
    cli_dp_notice_print(m, out);
    cli_out_text(out, "\n");
    cli_text_table g = {
        .rows = odim_model_cols(m), .cols = COLUMNS, .fixed = COLUMNS, .cell = cell, .ctx = m};
    g.left = 1u << NAME | 1u << TYPE | 1u << USUAL;
    g.whole = 1u << RANGE;
    g.open = true;
    cli_text_table_print(&g, cli_log_width(STDOUT_FILENO), out);
    print_params(m, out);
}

static int inspect(cli_run *run, void *settings_of)
{
    const settings *set = settings_of;
    odim_error err;
    odim_model *model;
    cli_out out;
    if (odim_model_load(&model, run->path, &err)) return cli_run_fail(&err, NULL);
    bool fine = cli_out_open(&out, NULL);
    if (fine) {
        set->json ? cli_model_json(model, run->path, &out) : print_text(model, run->path, &out);
        fine = cli_out_commit(&out);
    }
    odim_model_free(model);
    return fine ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

static int run_inspect(int argc, char **argv)
{
    settings set = {0};
    return cli_run_verb(&cli_inspect_verb, argc, argv, &set, inspect);
}

const cli_verb cli_inspect_verb = {
    .name = "inspect",
    .summary = "show what a model contains",
    .usage = "MODEL [options]",
    .examples = "  odim inspect model.odim           columns, types, bounds, parameters\n"
                "  odim inspect model.odim --json    the same for a program\n",
    .more = "The line \"holds\" says which training rows and values anyone who has the file can\n"
            "read (docs/PRIVACY.md). In JSON, times are seconds since 1970.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .needs = (const cli_need[]){{"", "a MODEL"}, {NULL, NULL}},
    .run = run_inspect,
};
