/* The plots of the report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "plot_figure.h"

enum { CURVE = 300, DOTS = 900, FOUND_DOTS = 300, TAG = 64 };

#define LEAST_SHOWN 0.5 /* rows of a bar: the lower end of the scale, which is logarithmic */

/* ---- scores ----------------------------------------------------------------------------------------- */

bool cli_plot_scores(const cli_plot_kind *p)
{
    const cli_findings *f = p->of;
    static const char *const names[CLI_LEVELS] = {"ordinary rows", "unusual rows", "outliers"};
    static const int colors[CLI_LEVELS] = {PLOT_BLUE, PLOT_GOLD, PLOT_ORANGE};
    const int64_t rows[CLI_LEVELS] = {f->about->rows - f->noted - f->flagged, f->noted, f->flagged};
    plot_series series[CLI_LEVELS];
    double most = 1, threshold = f->about->threshold;
    int count = 0;
    for (int level = 0; level < CLI_LEVELS; level++) {
        for (int i = 0; i < CLI_REPORT_BARS; i++) most = fmax(most, f->bar[level][i]);
        if (!rows[level] && level != CLI_ORDINARY) continue;
        series[count++] = (plot_series){.name = names[level],
                                        .kind = PLOT_BARS,
                                        .color = colors[level],
                                        .x = f->edge,
                                        .y = f->bar[level],
                                        .count = CLI_REPORT_BARS};
    }
    double shown = fmax(f->range.low, fmin(f->range.high, threshold));
    char text[2][64];
    snprintf(text[0], sizeof text[0], shown != threshold ? "threshold %.5g (out of range)" : "threshold %.5g",
             threshold);
    snprintf(text[1], sizeof text[1], "unusual above %.3g", f->unusual);
    plot_mark marks[2] = {{shown, text[0], PLOT_RED, p->embedded ? "threshold-mark" : NULL, 1}};
    bool two = f->unusual < threshold && f->unusual > f->range.low && f->unusual < f->range.high;
    if (two) marks[1] = (plot_mark){f->unusual, text[1], PLOT_GOLD, NULL, -1};
    const plot_panel panel = {.x_label = "score",
                              .y_label = "rows",
                              .y_log = 1,
                              .y_low = LEAST_SHOWN,
                              .y_high = 2 * most,
                              .series = series,
                              .count = count,
                              .marks = marks,
                              .mark_count = two ? 2 : 1};
    char about[128];
    snprintf(about, sizeof about, "%lld rows: %lld outlier%s, %lld unusual row%s", (long long)f->about->rows,
             (long long)f->flagged, f->flagged == 1 ? "" : "s", (long long)f->noted,
             f->noted == 1 ? "" : "s");
    plot_figure_write(p->to,
                      &(plot_figure){.page = {.title = "Scores", .subtitle = about, .embedded = p->embedded},
                                     .columns = 1,
                                     .column_width = 860,
                                     .panel_height = 260,
                                     .panels = &panel,
                                     .count = 1});
    return true;
}

/* ---- the pair --------------------------------------------------------------------------------------- */

/* Points of two columns, each place once. */
typedef struct dots {
    double x[DOTS], y[DOTS];
    int times[DOTS], count;
    char text[DOTS][TAG];
    const char *tags[DOTS];
} dots;

typedef struct dot {
    double at[2];
} dot;

static int by_place(const void *a, const void *b)
{
    const dot *p = a, *q = b;
    int axis = p->at[0] == q->at[0];
    return (p->at[axis] > q->at[axis]) - (p->at[axis] < q->at[axis]);
}

/* Where most of the dots lie on an axis, and some room around: what is farther away would squeeze them. */
static cli_range choose_reach(const dot *taken, int n, int axis)
{
    static _Thread_local double value[DOTS];
    for (int i = 0; i < n; i++) value[i] = taken[i].at[axis];
    int64_t finite = cli_histogram_sort(value, n);
    cli_range bulk = cli_histogram_bound((cli_range){cli_histogram_quantile(value, finite, 0.005),
                                                     cli_histogram_quantile(value, finite, 0.995)});
    double width = bulk.high - bulk.low;
    if (!(width > 0)) return (cli_range){-INFINITY, INFINITY};
    return (cli_range){bulk.low - 2 * width, bulk.high + 2 * width};
}

/* At most so many of the rows, evenly spread. Returns how many have both values. */
static int take_pairs(const cli_findings *f, const int64_t *rows, int64_t count, int most, dot *taken)
{
    int n = 0;
    for (int64_t i = 0; i < count && n < most; i++) {
        if ((i + 1) * most / count == i * most / count && count > most) continue;
        for (int axis = 0; axis < 2; axis++)
            taken[n].at[axis] = odim_table_value(f->about->table, rows[i], f->column[f->pair[axis]].place);
        n += isfinite(taken[n].at[0]) && isfinite(taken[n].at[1]);
    }
    return n;
}

/* A dot within reach, and what its values are where it is not. */
static dot draw_within(const cli_findings *f, dot from, const cli_range *reach, char text[TAG])
{
    size_t used = 0;
    *text = '\0';
    for (int axis = 0; axis < 2; axis++) {
        double at = fmax(reach[axis].low, fmin(reach[axis].high, from.at[axis]));
        char value[TAG / 2];
        if (at == from.at[axis]) continue;
        odim_model_text(f->about->model, f->pair[axis], from.at[axis], value, sizeof value);
        used += (size_t)snprintf(text + used, TAG - used, "%s%s %s", used ? ", " : "",
                                 axis                 ? at < from.at[axis] ? "\xE2\x86\x91" : "\xE2\x86\x93"
                                 : at < from.at[axis] ? "\xE2\x86\x92"
                                                      : "\xE2\x86\x90",
                                 value);
        if (used >= TAG) used = TAG - 1;
        from.at[axis] = at;
    }
    return from;
}

/* Those on the same place become one dot. */
static void merge_dots(const cli_findings *f, dot *taken, int n, const cli_range *reach, dots *d)
{
    qsort(taken, (size_t)n, sizeof *taken, by_place);
    d->count = 0;
    for (int i = 0; i < n; i++) {
        if (i && by_place(&taken[i - 1], &taken[i]) == 0) {
            d->times[d->count - 1]++;
            continue;
        }
        dot at = draw_within(f, taken[i], reach, d->text[d->count]);
        d->tags[d->count] = *d->text[d->count] ? d->text[d->count] : NULL;
        d->x[d->count] = at.at[0];
        d->y[d->count] = at.at[1];
        d->times[d->count++] = 1;
    }
}

bool cli_plot_pair(const cli_plot_kind *p)
{
    const cli_findings *f = p->of;
    static _Thread_local dots others, found;
    static _Thread_local dot taken[2][DOTS];
    odim_column_info a = ODIM_COLUMN_INFO_INIT, b = ODIM_COLUMN_INFO_INIT;
    if (f->pair[0] < 0 || odim_model_column(f->about->model, f->pair[0], &a, NULL) ||
        odim_model_column(f->about->model, f->pair[1], &b, NULL))
        return false;
    int n = take_pairs(f, f->others, f->other_count, DOTS, taken[0]);
    int m = take_pairs(f, f->found, f->found_count, FOUND_DOTS, taken[1]);
    cli_range reach[2] = {choose_reach(taken[0], n, 0), choose_reach(taken[0], n, 1)};
    merge_dots(f, taken[0], n, reach, &others);
    merge_dots(f, taken[1], m, reach, &found);
    const plot_series series[] = {{.name = "other rows",
                                   .kind = PLOT_DOTS,
                                   .color = PLOT_BLUE,
                                   .thin = 1,
                                   .x = others.x,
                                   .y = others.y,
                                   .times = others.times,
                                   .count = others.count},
                                  {.name = f->spot_name,
                                   .kind = PLOT_DOTS,
                                   .color = PLOT_ORANGE,
                                   .dashed = 1,
                                   .x = found.x,
                                   .y = found.y,
                                   .times = found.times,
                                   .tags = found.tags,
                                   .count = found.count}};
    char x_name[CLI_HTML_NAME], y_name[CLI_HTML_NAME], about[128];
    snprintf(about, sizeof about, "the two columns that separate the %s best", f->spot_name);
    const plot_panel panel = {.x_label = cli_html_cut(a.name, x_name),
                              .y_label = cli_html_cut(b.name, y_name),
                              .series = series,
                              .count = 2};
    plot_figure_write(
        p->to, &(plot_figure){.page = {.title = "Two columns", .subtitle = about, .embedded = p->embedded},
                              .columns = 1,
                              .column_width = 640,
                              .panel_height = 380,
                              .panels = &panel,
                              .count = 1});
    return true;
}

/* ---- learning --------------------------------------------------------------------------------------- */

/* What the stop rule saw of each member, and what each has kept. */
bool cli_plot_distance(const cli_plot_kind *p)
{
    const odim_model *m = p->of->about->model;
    int members = odim_model_members(m), lines = 0;
    int64_t total = 0;
    for (int b = 0; b < members; b++) total += odim_model_checks(m, b);
    double *value = malloc(2 * (size_t)(total + members + 1) * sizeof *value), *next = value;
    plot_series *line = calloc((size_t)members + 1, sizeof *line);
    bool fine = value && line && total > 0;
    double *best = fine ? value + 2 * total : NULL;
    for (int b = 0; fine && b < members; b++) {
        const odim_member_info *info = odim_model_member(m, b);
        int64_t n = odim_model_checks(m, b);
        for (int64_t i = 0; i < n; i++) {
            const odim_check *c = odim_model_check(m, b, i);
            next[i] = (double)c->update;
            next[n + i] = c->distance;
        }
        line[lines++] = (plot_series){.name = "a network",
                                      .kind = PLOT_STROKE,
                                      .color = members > PLOT_COLORS ? PLOT_GREY : b,
                                      .thin = members > 3,
                                      .x = next,
                                      .y = next + n,
                                      .count = (int)n};
        next += 2 * n;
        best[b] = (double)info->best_update;
        best[members + b] = info->distance;
    }
    if (fine)
        line[lines++] = (plot_series){.name = "the state it kept",
                                      .kind = PLOT_DOTS,
                                      .color = PLOT_GREEN,
                                      .dashed = 1,
                                      .x = best,
                                      .y = best + members,
                                      .count = members};
    const plot_panel panel = {
        .x_label = "update", .y_label = "distance", .from_zero = 1, .series = line, .count = lines};
    if (fine)
        plot_figure_write(
            p->to,
            &(plot_figure){.page = {.title = "Distance between the two groups of losses",
                                    .subtitle = "of each network over its updates, and the state it kept",
                                    .embedded = p->embedded},
                           .columns = 1,
                           .column_width = 860,
                           .panel_height = 220,
                           .panels = &panel,
                           .count = 1});
    free(value);
    free(line);
    return fine;
}

/* ---- labels ----------------------------------------------------------------------------------------- */

/* Both curves, at most CURVE points: from the highest score down, between different scores. */
bool cli_plot_labels(const cli_plot_kind *p)
{
    const cli_findings *f = p->of;
    const cli_report *r = f->about;
    static _Thread_local double rate[2][CURVE + 2], recall[CURVE + 2], precision[CURVE + 2];
    double at[4] = {0, 0, 0, 0};
    int n = 0;
    if (!f->judged) return false;
    int64_t hits = 0, step = r->rows / CURVE + 1, last = -1;
    rate[0][n] = rate[1][n] = recall[n] = 0;
    precision[n++] = NAN;
    for (int64_t i = 0; i < r->rows; i++) {
        int64_t row = r->order[i];
        hits += r->labels[row] == 1;
        bool next = i + 1 == r->rows || r->scores[r->order[i + 1]] < r->scores[row];
        /* Closely where the outliers are, at the head, and coarser behind. */
        bool due = i + 1 == r->rows || (i < CURVE / 3 ? 1 : i - last >= (3 * step) / 2);
        if (!next || !due || n >= CURVE + 1) continue;
        last = i;
        rate[0][n] = (double)(i + 1 - hits) / (double)(r->rows - f->outliers);
        rate[1][n] = recall[n] = (double)hits / (double)f->outliers;
        precision[n++] = (double)hits / (double)(i + 1);
    }
    hits = 0;
    for (int64_t i = 0; i < f->flagged; i++) hits += r->labels[r->order[i]] == 1;
    at[0] = (double)(f->flagged - hits) / (double)(r->rows - f->outliers);
    at[1] = (double)hits / (double)f->outliers;
    at[2] = at[1];
    at[3] = f->flagged ? (double)hits / (double)f->flagged : NAN;
    const plot_series roc[] = {
        {.kind = PLOT_STROKE, .color = PLOT_BLUE, .x = rate[0], .y = rate[1], .count = n},
        {.name = "at the threshold",
         .kind = PLOT_DOTS,
         .color = PLOT_RED,
         .x = &at[0],
         .y = &at[1],
         .count = 1}};
    const plot_series pr[] = {
        {.kind = PLOT_STROKE, .color = PLOT_BLUE, .x = recall, .y = precision, .count = n},
        {.name = "at the threshold",
         .kind = PLOT_DOTS,
         .color = PLOT_RED,
         .x = &at[2],
         .y = &at[3],
         .count = 1}};
    const plot_panel panels[] = {{.title = "ROC",
                                  .x_label = "fraction of inliers above",
                                  .y_label = "fraction of outliers above",
                                  .y_low = -0.02,
                                  .y_high = 1.02,
                                  .diagonal = 1,
                                  .series = roc,
                                  .count = 2},
                                 {.title = "Precision and recall",
                                  .x_label = "recall",
                                  .y_label = "precision",
                                  .y_low = -0.02,
                                  .y_high = 1.02,
                                  .series = pr,
                                  .count = 2}};
    char about[128];
    snprintf(about, sizeof about, "AUC %.4f, average precision %.4f", f->auc, f->ap);
    plot_figure_write(
        p->to, &(plot_figure){
                   .page = {.title = "Scores against the labels", .subtitle = about, .embedded = p->embedded},
                   .columns = 2,
                   .column_width = 360,
                   .panel_height = 300,
                   .panels = panels,
                   .count = 2});
    return true;
}

static const char *labels_lack(const odim_table *table)
{
    const int8_t *labels = table ? odim_table_labels(table) : NULL;
    int64_t outliers = 0, rows = table ? odim_table_rows(table) : 0;
    for (int64_t i = 0; labels && i < rows; i++) outliers += labels[i] == 1;
    return !labels                         ? "labels: --label COL"
           : !outliers || outliers == rows ? "labels of both kinds; all rows have the same label"
                                           : NULL;
}

static const char *pair_lacks(const odim_table *table)
{
    int64_t numbers = 0;
    for (int64_t j = 0; table && j < odim_table_cols(table); j++)
        numbers += odim_table_type(table, j) == ODIM_NUMERIC;
    return !table ? "the rows: --data FILE" : numbers < 2 ? "two columns of numbers" : NULL;
}

static const char *learning_lacks(const odim_model *model)
{
    int64_t checks = 0;
    for (int b = 0; model && b < odim_model_members(model); b++) checks += odim_model_checks(model, b);
    return model && !checks
               ? "a model with its training history, which private models, classical methods and "
                 "models of older versions do not have"
               : NULL;
}

const char *cli_plot_lacks(const char *name, const odim_table *table, const odim_model *model)
{
    if (!name) return NULL;
    return strcmp(name, "labels") == 0     ? labels_lack(table)
           : strcmp(name, "pair") == 0     ? pair_lacks(table)
           : strcmp(name, "learning") == 0 ? learning_lacks(model)
                                           : NULL;
}

bool cli_plot_named(const cli_plot_kind *p, const char *name)
{
    if (strcmp(name, "pair") == 0) return cli_plot_pair(p);
    if (strcmp(name, "learning") == 0) return cli_plot_distance(p);
    if (strcmp(name, "labels") == 0) return cli_plot_labels(p);
    return cli_plot_scores(p);
}
