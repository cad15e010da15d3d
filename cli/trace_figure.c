#include "trace_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "plot_figure.h"

enum { BINS = 30, ROW = 5 }; /* bars of a histogram, histograms side by side */

/* ---- the numbers ------------------------------------------------------------------------------------ */

static bool is_chosen(int64_t update, const int64_t *chosen, int count)
{
    for (int i = 0; i < count; i++)
        if (chosen[i] == update) return true;
    return false;
}

static void take_losses(cli_trace_data *v, cli_moment *m, const double *loss, const int8_t *labels,
                        double *room)
{
    int64_t n = odim_trace_rows(v->trace);
    const int64_t *row = odim_trace_row_numbers(v->trace);
    m->loss[0] = m->loss[1] = room;
    for (int kind = 0; kind < CLI_TRACE_KINDS; kind++) {
        int64_t count = 0;
        for (int64_t i = 0; i < n; i++)
            if ((labels && labels[row[i]] == 1) == (kind == 1)) m->loss[kind][count++] = loss[i];
        m->count[kind] = cli_histogram_sort(m->loss[kind], count);
        if (kind == 0) m->loss[1] = m->loss[0] + count;
    }
}

/* The middle one of a number that each member has; those that are 0 have none. */
static double middle(const odim_trace *t, bool stop)
{
    int members = odim_trace_members(t), count = 0;
    double *values = malloc((size_t)members * sizeof *values), result = NAN;
    for (int b = 0; values && b < members; b++) {
        const odim_member_info *info = odim_trace_member(t, b);
        int64_t update = stop ? info->updates : info->best_update;
        if (update) values[count++] = (double)update;
    }
    if (values) result = cli_histogram_quantile(values, cli_histogram_sort(values, count), 0.5);
    free(values);
    return result;
}

static double mean_distance(const odim_trace *t, int64_t index, int64_t *update)
{
    int members = odim_trace_members(t);
    double sum = 0;
    for (int b = 0; b < members; b++) {
        const odim_check *c = odim_trace_check(t, b, index);
        if (!c) return NAN;
        *update = c->update;
        sum += c->distance;
    }
    return sum / members;
}

bool cli_trace_data_make(cli_trace_data *v, const odim_trace *t, int64_t rows, const int8_t *labels,
                         const char *name, const int64_t *chosen, int count)
{
    int64_t n = odim_trace_rows(t);
    *v = (cli_trace_data){.trace = t, .name = name, .labelled = labels != NULL, .rows = rows};
    v->kinds[0] = "inliers";
    v->kinds[1] = "outliers";
    v->moments = odim_trace_moments(t);
    v->checks = odim_trace_checks(t);
    v->moment = calloc((size_t)v->moments + 1, sizeof *v->moment);
    v->all = malloc(((size_t)(v->moments * n) + 1) * sizeof *v->all);
    v->update = malloc(((size_t)v->checks + 1) * sizeof *v->update);
    v->distance = malloc(((size_t)v->checks + 1) * sizeof *v->distance);
    if (!v->moment || !v->all || !v->update || !v->distance) return false;
    for (int64_t k = 0; k < v->moments; k++) {
        cli_moment *m = &v->moment[k];
        m->update = odim_trace_update(t, k);
        m->chosen = is_chosen(m->update, chosen, count);
        m->auc = odim_trace_auc(t, k);
        take_losses(v, m, odim_trace_losses(t, k), labels, v->all + k * n);
    }
    for (int64_t i = 0; i < v->checks; i++) {
        int64_t update = 0;
        v->distance[i] = mean_distance(t, i, &update);
        v->update[i] = (double)update;
    }
    v->stop = middle(t, true);
    v->kept = middle(t, false);
    return true;
}

void cli_trace_data_free(cli_trace_data *v)
{
    free(v->moment);
    free(v->all);
    free(v->update);
    free(v->distance);
}

/* ---- the figure ------------------------------------------------------------------------------------- */

/* What the panels point to. */
typedef struct drawing {
    plot_panel *panel;
    int panels;
    double (*bar)[2][BINS], (*edge)[BINS + 1]; /* of each histogram */
    plot_series (*pair)[2];
    char (*title)[40];
    plot_series *line; /* distance of each member, their mean, what was kept */
    double *member;    /* (members, checks) */
    double *best;      /* (2, members) */
    plot_series auc;
    double *auc_update, *auc_value;
} drawing;

static void free_drawing(drawing *d)
{
    free(d->panel);
    free(d->bar);
    free(d->edge);
    free(d->pair);
    free(d->title);
    free(d->line);
    free(d->member);
    free(d->best);
    free(d->auc_update);
    free(d->auc_value);
}

static bool allocate(drawing *d, const cli_trace_data *v)
{
    size_t moments = (size_t)v->moments + 2, members = (size_t)odim_trace_members(v->trace) + 2;
    d->panel = calloc(moments, sizeof *d->panel);
    d->bar = calloc(moments, sizeof *d->bar);
    d->edge = calloc(moments, sizeof *d->edge);
    d->pair = calloc(moments, sizeof *d->pair);
    d->title = calloc(moments, sizeof *d->title);
    d->line = calloc(members, sizeof *d->line);
    d->member = calloc(members * ((size_t)v->checks + 1), sizeof *d->member);
    d->best = calloc(2 * members, sizeof *d->best);
    d->auc_update = calloc(moments, sizeof *d->auc_update);
    d->auc_value = calloc(moments, sizeof *d->auc_value);
    return d->panel && d->bar && d->edge && d->pair && d->title && d->line && d->member && d->best &&
           d->auc_update && d->auc_value;
}

static void add_histogram(drawing *d, const cli_trace_data *v, const cli_moment *m)
{
    static const int colours[] = {PLOT_BLUE, PLOT_ORANGE};
    int i = d->panels++;
    cli_range range = cli_histogram_range(m->loss[0], m->count[0], m->loss[1], m->count[1]);
    cli_histogram_edges(range, BINS, d->edge[i]);
    for (int kind = 0; kind < CLI_TRACE_KINDS; kind++) {
        cli_histogram_count(m->loss[kind], m->count[kind], range, BINS, d->bar[i][kind]);
        cli_histogram_share(d->bar[i][kind], BINS);
        d->pair[i][kind] = (plot_series){.name = v->labelled ? v->kinds[kind] : NULL,
                                         .kind = PLOT_BARS,
                                         .colour = colours[kind],
                                         .x = d->edge[i],
                                         .y = d->bar[i][kind],
                                         .count = BINS};
    }
    snprintf(d->title[i], sizeof d->title[i], "after %lld update%s", (long long)m->update,
             m->update == 1 ? "" : "s");
    d->panel[i] = (plot_panel){.title = d->title[i],
                               .x_label = "loss",
                               .y_label = i % ROW       ? NULL
                                          : v->labelled ? "share of each kind"
                                                        : "share of rows",
                               .from_zero = 1,
                               .span = 2,
                               .series = d->pair[i],
                               .count = v->labelled ? 2 : 1};
}

static void add_distance(drawing *d, const cli_trace_data *v, const plot_mark *marks, int mark_count)
{
    int members = odim_trace_members(v->trace), lines = 0;
    for (int b = 0; b < members; b++) {
        const odim_member_info *info = odim_trace_member(v->trace, b);
        double *y = d->member + b * v->checks;
        for (int64_t i = 0; i < v->checks; i++) y[i] = odim_trace_check(v->trace, b, i)->distance;
        d->line[lines++] = (plot_series){.name = "a member",
                                         .kind = PLOT_STROKE,
                                         .colour = PLOT_GREY,
                                         .thin = 1,
                                         .x = v->update,
                                         .y = y,
                                         .count = (int)v->checks};
        d->best[b] = info->best_update ? (double)info->best_update : NAN;
        d->best[members + b] = info->best_update ? info->distance : NAN;
    }
    d->line[lines++] = (plot_series){.name = "mean",
                                     .kind = PLOT_STROKE,
                                     .colour = PLOT_PURPLE,
                                     .x = v->update,
                                     .y = v->distance,
                                     .count = (int)v->checks};
    d->line[lines++] = (plot_series){.name = "what a member keeps",
                                     .kind = PLOT_DOTS,
                                     .colour = PLOT_GREEN,
                                     .dashed = 1,
                                     .x = d->best,
                                     .y = d->best + members,
                                     .count = members};
    d->panel[d->panels++] = (plot_panel){.title = "Distance between the two humps of the losses",
                                         .x_label = "update",
                                         .y_label = "distance",
                                         .from_zero = 1,
                                         .span = v->labelled ? ROW : 2 * ROW,
                                         .series = d->line,
                                         .count = lines,
                                         .marks = marks,
                                         .mark_count = mark_count};
}

static void add_auc(drawing *d, const cli_trace_data *v, const plot_mark *marks, int mark_count)
{
    for (int64_t k = 0; k < v->moments; k++) {
        d->auc_update[k] = (double)v->moment[k].update;
        d->auc_value[k] = v->moment[k].auc;
    }
    d->auc = (plot_series){.kind = PLOT_STROKE,
                           .colour = PLOT_RED,
                           .x = d->auc_update,
                           .y = d->auc_value,
                           .count = (int)v->moments};
    d->panel[d->panels++] = (plot_panel){.title = "Area under the ROC curve",
                                         .x_label = "update",
                                         .y_label = "AUC",
                                         .span = ROW,
                                         .series = &d->auc,
                                         .count = 1,
                                         .marks = marks,
                                         .mark_count = mark_count};
}

static void write_figure(const drawing *d, const char *about, bool embedded, FILE *f)
{
    plot_figure_write(
        f, &(plot_figure){.page = {.title = "How the model learns", .subtitle = about, .embedded = embedded},
                          .columns = 2 * ROW,
                          .column_width = 40,
                          .panel_height = embedded ? 140 : 170,
                          .panels = d->panel,
                          .count = d->panels});
}

static void add_histograms(drawing *d, const cli_trace_data *v)
{
    for (int64_t k = 0; k < v->moments; k++)
        if (v->moment[k].chosen) add_histogram(d, v, &v->moment[k]);
}

bool cli_trace_figure(const cli_trace_data *v, FILE *f)
{
    drawing d = {0};
    const plot_mark marks[] = {{v->kept, "kept", PLOT_GREEN, NULL, 0}, {v->stop, "stop", PLOT_GREY, NULL, 0}};
    char about[256], name[160];
    bool fine = allocate(&d, v);
    snprintf(about, sizeof about, "%s: losses of %lld rows, means of %d members",
             odim_printable(v->name, name, sizeof name), (long long)odim_trace_rows(v->trace),
             odim_trace_members(v->trace));
    if (fine) add_histograms(&d, v);
    if (fine && v->checks) add_distance(&d, v, marks, isfinite(v->stop) ? 2 : 1);
    if (fine && v->labelled && v->moments) add_auc(&d, v, marks, isfinite(v->stop) ? 2 : 1);
    if (fine) write_figure(&d, about, false, f);
    free_drawing(&d);
    return fine;
}

bool cli_trace_histograms(const cli_trace_data *v, FILE *f)
{
    drawing d = {0};
    bool fine = allocate(&d, v);
    if (fine) add_histograms(&d, v);
    if (fine) write_figure(&d, "losses of rows after some of the updates", true, f);
    free_drawing(&d);
    return fine;
}
