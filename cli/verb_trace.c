/* odim trace: how a model learns the inliers first and the outliers later. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "histogram.h"
#include "text_table.h"
#include "input.h"
#include "json.h"
#include "log.h"
#include "sparkline.h"
#include "trace_figure.h"
#include "run.h"

enum { MOST_CHOSEN = 100, LENGTH = 500 };

/* What it learns is no model to call outliers with, and none that is private; --length is its only end. */
static const char *const without[] = {"Privacy", "contamination", "max-updates", "share-safe", NULL};

typedef struct settings {
    cli_input input;
    char *updates;
    int64_t length, rows;
    const char *plot;
    int json, quiet;
} settings;

static const cli_option options[] = {
    CLI_INPUT_OPTIONS(settings, ": AUC, and the losses of inliers and outliers apart"),
    CLI_INPUT_COLUMNS(settings),
    {"length", 0, "N", "Trace", "updates of each member, whatever the stop rule says [500]", CLI_OPTION_COUNT,
     0, offsetof(settings, length)},
    {"updates", 0, "N,...", "Trace",
     "after which to look at the losses of the rows, and always after the last [10,20,30,40]",
     CLI_OPTION_LIST, 0, offsetof(settings, updates)},
    {"rows", 0, "N", "Trace", "look at so many rows at most, evenly spread [5000]", CLI_OPTION_COUNT, 0,
     offsetof(settings, rows)},
    {"plot", 0, "SVG", "Output", "draw it into this file", CLI_OPTION_TEXT, 0, offsetof(settings, plot)},
    {"json", 0, NULL, "Output", "JSON instead of a table", CLI_OPTION_SWITCH, 1, offsetof(settings, json)},
    {"quiet", 'q', NULL, "Output", "nothing on stderr but errors", CLI_OPTION_SWITCH, 1,
     offsetof(settings, quiet)},
};

/* ---- for people ----------------------------------------------------------------------------------- */

/* A line of the table: a check, a moment, or both. */
typedef struct line {
    int64_t check, moment; /* -1: none */
} line;

typedef struct lines {
    const cli_trace_data *v;
    line *line;
    int64_t count;
} lines;

enum { UPDATE, DISTANCE, FIRST_QUANTILE };
static const double quantiles[] = {0.25, 0.5, 0.75};

/* Both are in order of their updates. */
static bool merge_lines(lines *l, const cli_trace_data *v)
{
    int64_t i = 0, k = 0;
    l->v = v;
    l->line = malloc((size_t)(v->checks + v->moments + 1) * sizeof *l->line);
    if (!l->line) return false;
    while (i < v->checks || k < v->moments) {
        double check = i < v->checks ? v->update[i] : INFINITY;
        double moment = k < v->moments ? (double)v->moment[k].update : INFINITY;
        l->line[l->count++] = (line){check <= moment ? i : -1, moment <= check ? k : -1};
        i += check <= moment;
        k += moment <= check;
    }
    return true;
}

static const char *loss_text(double loss, char buf[CLI_TEXT_TABLE_TEXT])
{
    if (fabs(loss) < 0.005) loss = 0; /* no -0.00 */
    if (isfinite(loss))
        snprintf(buf, CLI_TEXT_TABLE_TEXT, fabs(loss) < 1e6 ? "%.2f" : "%.4g", loss);
    else
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "-");
    return buf;
}

static const char *cell(const void *ctx, int64_t row, int col, char buf[CLI_TEXT_TABLE_TEXT])
{
    static const char *const headings[2][6] = {{"losses: 25 %", "50 %", "75 %"},
                                               {"in: 25 %", "50 %", "75 %", "out: 25 %", "50 %", "75 %"}};
    const lines *l = ctx;
    const cli_trace_data *v = l->v;
    const line *at = row < 0 ? NULL : &l->line[row];
    const cli_moment *m = at && at->moment >= 0 ? &v->moment[at->moment] : NULL;
    snprintf(buf, CLI_TEXT_TABLE_TEXT, "-");
    if (col == UPDATE) {
        if (!at) return "update";
        snprintf(buf, CLI_TEXT_TABLE_TEXT, "%.0f", m ? (double)m->update : v->update[at->check]);
        return buf;
    }
    if (col == DISTANCE) {
        if (!at) return "distance";
        if (at->check >= 0 && isfinite(v->distance[at->check]))
            snprintf(buf, CLI_TEXT_TABLE_TEXT, "%.4f", v->distance[at->check]);
        return buf;
    }
    int number = col - FIRST_QUANTILE - v->labelled;
    if (number < 0) {
        if (!at) return "AUC";
        if (m && isfinite(m->auc)) snprintf(buf, CLI_TEXT_TABLE_TEXT, "%.4f", cli_log_measure(m->auc));
        return buf;
    }
    if (!at) return headings[v->labelled][number];
    int kind = number / 3;
    return m ? loss_text(cli_histogram_quantile(m->loss[kind], m->count[kind], quantiles[number % 3]), buf)
             : buf;
}

static void print_stops(const cli_trace_data *v, cli_out *out)
{
    int members = odim_trace_members(v->trace), stopped = 0;
    for (int b = 0; b < members; b++) stopped += odim_trace_member(v->trace, b)->updates > 0;
    cli_out_printf(out, "\nstop rule: %d of %d member%s would have stopped", stopped, members,
                   members == 1 ? "" : "s");
    if (stopped) cli_out_printf(out, ", in the middle after %.0f updates", v->stop);
    if (isfinite(v->kept)) cli_out_printf(out, "; kept: those after %.0f", v->kept);
    cli_out_text(out, "\n");
}

/* The same as a picture, of as many columns as fit. */
static void print_picture(const cli_trace_data *v, int width, cli_out *out)
{
    enum { LABEL = 22, BARS = 60 };
    static const char *const names[2][2] = {{"", ""}, {"inliers", "outliers"}};
    bool utf8 = cli_log_utf8(), first = true;
    int bars = width - LABEL - 1 < BARS ? width - LABEL - 1 : BARS;
    if (bars < 10) return;
    cli_out_text(out, "\n");
    for (int64_t k = 0; k < v->moments; k++) {
        const cli_moment *m = &v->moment[k];
        if (!m->chosen) continue;
        cli_range range = cli_histogram_range(m->loss[0], m->count[0], m->loss[1], m->count[1]);
        for (int kind = 0; kind < 1 + v->labelled; kind++) {
            double count[BARS], most = 0;
            char label[40] = "";
            cli_histogram_count(m->loss[kind], m->count[kind], range, bars, count);
            for (int i = 0; i < bars; i++) most = fmax(most, count[i]);
            if (kind == 0) {
                snprintf(label, sizeof label, "%s%lld", first ? "after " : "", (long long)m->update);
                first = false;
            }
            cli_out_printf(out, "%12s %8s ", label, names[v->labelled][kind]);
            cli_sparkline(count, bars, most, utf8, out);
            cli_out_text(out, "\n");
        }
    }
}

static bool print_text(const cli_trace_data *v, cli_out *out)
{
    lines l = {0};
    int width = cli_log_width(STDOUT_FILENO), cols = FIRST_QUANTILE + (v->labelled ? 7 : 3);
    if (!merge_lines(&l, v)) return false;
    cli_text_table g = {.rows = l.count, .cols = cols, .fixed = 3, .cell = cell, .ctx = &l};
    cli_text_table_print(&g, width, out);
    if (v->checks) print_stops(v, out);
    if (width) print_picture(v, width, out);
    free(l.line);
    return true;
}

/* ---- for programs --------------------------------------------------------------------------------- */

static void put_members(const cli_trace_data *v, cli_json *j)
{
    cli_json_begin(j, "members", '[');
    for (int b = 0; b < odim_trace_members(v->trace); b++) {
        const odim_member_info *info = odim_trace_member(v->trace, b);
        cli_json_begin(j, NULL, '{');
        if (info->updates)
            cli_json_int(j, "stop", info->updates);
        else
            cli_json_raw(j, "stop", "null");
        cli_json_int(j, "best_update", info->best_update);
        cli_json_number(j, "distance", info->distance);
        cli_json_begin(j, "distances", '[');
        for (int64_t i = 0; i < v->checks; i++)
            cli_json_number(j, NULL, odim_trace_check(v->trace, b, i)->distance);
        cli_json_end(j);
        cli_json_end(j);
    }
    cli_json_end(j);
}

static void put_quantiles(const cli_moment *m, int kind, const char *name, cli_json *j)
{
    static const double wanted[] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
    cli_json_begin(j, name, '[');
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        cli_json_number(j, NULL, cli_histogram_quantile(m->loss[kind], m->count[kind], wanted[i]));
    cli_json_end(j);
}

static void print_json(const cli_trace_data *v, odim_params *params, cli_out *out)
{
    cli_json j = {.out = out};
    cli_json_begin(&j, NULL, '{');
    cli_json_string(&j, "version", odim_version());
    cli_json_string(&j, "file", v->name);
    cli_json_begin(&j, "parameters", '{');
    for (int i = 0; i < odim_param_count(); i++) {
        const char *name = odim_param_at(i)->name;
        if (strcmp(name, "threads") != 0) cli_json_string(&j, name, odim_params_get(params, name));
    }
    cli_json_end(&j);
    cli_json_int(&j, "rows", v->rows);
    cli_json_int(&j, "rows_looked_at", odim_trace_rows(v->trace));
    cli_json_begin(&j, "updates", '[');
    for (int64_t i = 0; i < v->checks; i++) cli_json_int(&j, NULL, (int64_t)v->update[i]);
    cli_json_end(&j);
    put_members(v, &j);
    cli_json_begin(&j, "moments", '[');
    for (int64_t k = 0; k < v->moments; k++) {
        const cli_moment *m = &v->moment[k];
        cli_json_begin(&j, NULL, '{');
        cli_json_int(&j, "update", m->update);
        if (v->labelled) cli_json_number(&j, "auc", m->auc);
        put_quantiles(m, 0, v->labelled ? "inliers" : "losses", &j);
        if (v->labelled) put_quantiles(m, 1, "outliers", &j);
        cli_json_end(&j);
    }
    cli_json_end(&j);
    cli_json_end(&j);
}

/* ---- the work ------------------------------------------------------------------------------------- */

/* "10,20,500": how many there are; -1: it is no such list, which has been said. */
static int parse_updates(const char *text, int64_t *chosen)
{
    int count = 0;
    for (const char *at = text; at; count++) {
        char *end;
        errno = 0;
        if (count == MOST_CHOSEN) {
            cli_log("--updates: at most %d", MOST_CHOSEN);
            return -1;
        }
        chosen[count] = strtoll(at, &end, 10);
        if (end == at || errno || (*end && *end != ',') || chosen[count] < 1) {
            cli_log("--updates must be whole numbers of at least 1 with commas between, not '%s'", text);
            return -1;
        }
        at = *end ? end + 1 : NULL;
    }
    return count;
}

/* The updates after which to look, the last one among them; returns how many, -1: it has been said what is
 * wrong. */
static int choose_updates(const settings *set, int64_t chosen[MOST_CHOSEN + 1], int64_t *length)
{
    static const int64_t usual[] = {10, 20, 30, 40};
    bool has_last = false;
    int count = set->updates ? parse_updates(set->updates, chosen) : 0;
    if (count < 0) return -1;
    *length = set->length ? set->length : LENGTH;
    for (int i = 0; i < count && !set->length; i++)
        if (chosen[i] > *length) *length = chosen[i];
    for (size_t i = 0; !set->updates && i < sizeof usual / sizeof *usual; i++)
        if (usual[i] <= *length) chosen[count++] = usual[i];
    for (int i = 0; i < count; i++) has_last |= chosen[i] >= *length;
    if (!has_last) chosen[count++] = *length;
    return count;
}

static bool write_plot(const cli_trace_data *v, cli_out *out, int *code)
{
    bool fine = cli_trace_figure(v, out->file);
    *code = !fine ? cli_run_nomem() : cli_out_commit(out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
    return *code == CLI_EXIT_OK;
}

static int show(const settings *set, odim_params *params, const cli_trace_data *v, cli_out *plot)
{
    cli_out out;
    int code;
    if (set->plot && !write_plot(v, plot, &code)) return code;
    if (!cli_out_open(&out, NULL)) return CLI_EXIT_FAILED;
    bool fine = true;
    if (set->json)
        print_json(v, params, &out);
    else
        fine = print_text(v, &out);
    if (!fine) return cli_run_nomem();
    return cli_out_commit(&out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

static int trace(settings *set, odim_params *params, const char *path)
{
    int64_t chosen[MOST_CHOSEN + 1], length;
    int count = choose_updates(set, chosen, &length);
    odim_read_options reading;
    odim_table *table = NULL;
    odim_trace *t = NULL;
    odim_error err;
    cli_trace_data v = {0};
    cli_run work;
    cli_out plot = {0};
    if (count < 0 || !cli_input_options(&set->input, &reading)) return CLI_EXIT_USAGE;
    odim_trace_options look = {
        .size = sizeof look, .length = length, .updates = chosen, .count = count, .rows = set->rows};
    if (cli_input_is(path, set->plot) || (set->plot && strcmp(set->plot, "-") == 0)) {
        cli_log(strcmp(set->plot, "-") ? "%s: is the input; draw into another file"
                                       : "--plot needs the name of a file",
                set->plot);
        return CLI_EXIT_USAGE;
    }
    /* Before the work, so that a place where nothing can be written is known early. */
    if (set->plot && !cli_out_open(&plot, set->plot)) return CLI_EXIT_FAILED;
    cli_run_init(&work, set->quiet);
    cli_progress_text(&work.bar, "reading", path);
    int code = odim_table_read(&table, path, &reading, &err) ? cli_run_fail(&err, NULL) : CLI_EXIT_OK;
    if (!code) {
        cli_run_notes(&work, table);
        odim_hooks hooks = cli_run_hooks(&work);
        cli_run_begin();
        odim_status status = odim_trace_fit(table, params, &look, &hooks, &t, &err);
        code = cli_run_end(status, &err, cli_input_name(path));
    }
    if (!code && !cli_trace_data_make(&v, t, odim_table_rows(table), odim_table_labels(table),
                                      cli_input_name(path), chosen, count))
        code = cli_run_nomem();
    if (!code) code = show(set, params, &v, &plot);
    cli_trace_data_free(&v);
    cli_out_discard(&plot);
    odim_trace_free(t);
    odim_table_free(table);
    cli_run_free(&work);
    return code;
}

static int run(int argc, char **argv)
{
    settings set = {0};
    const char *path = NULL;
    odim_params *params = odim_params_new();
    int code = params ? cli_args_parse(&cli_trace_verb, argc, argv, &set, params, &path) : cli_run_nomem();
    if (code < 0 && !path) {
        cli_log("trace needs a FILE, '-' for standard input");
        code = CLI_EXIT_USAGE;
    }
    if (code < 0) code = trace(&set, params, path);
    cli_input_free(&set.input);
    free(set.updates);
    odim_params_free(params);
    return code;
}

const cli_verb cli_trace_verb = {
    .name = "trace",
    .summary = "show how a model learns inliers first and outliers later",
    .usage = "FILE [options]",
    .examples = "  odim trace data.csv --label fault --plot trace.svg\n"
                "  odim trace data.csv --updates 5,50,200 --length 1000\n"
                "  odim trace labelled.npz --json\n",
    .more = "Trains the model that detect would, but past where it would stop, and prints on\n"
            "the way: the distance between the two humps of the losses, which the stop rule\n"
            "looks at, a mean over the members; and the quantiles of the losses of the rows.\n"
            "With labels: AUC, and the losses of inliers and outliers apart.\n",
    .manual =
        "A generative model learns what is frequent first: for a while the losses of the inliers fall and\n"
        "those of the outliers stay high. Later it learns the outliers as well, and their losses fall too.\n"
        "In between is the moment to read the losses as scores; the stop rule finds it without labels, as\n"
        "that of the greatest distance. This command shows that on your own data.\n"
        "\n"
        "With --plot there is a figure: histograms of the losses after the chosen updates, and distance\n"
        "and AUC against the updates, with the stop. The outermost bars of a histogram hold what lies\n"
        "beyond. On a terminal the histograms are drawn below the table.\n"
        "\n"
        "With --json the output is one object with the members version, file, parameters, rows,\n"
        "rows_looked_at, updates (those of the checks), members (stop, best_update and distance as detect\n"
        "would have them, and the distances at all checks) and moments (update, auc, and the losses at 0,\n"
        "5, 25, 50, 75, 95 and 100 %).\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .params = true,
    .without = without,
    .run = run,
};
