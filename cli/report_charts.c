#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "plot_figure.h"

enum { BINS = 30, CURVE = 300, DOTS = 900, FOUND_DOTS = 300, LEVELS = 6 };

#define LEAST_SHOWN 0.5 /* rows of a bar: the lower end of the scale, which is logarithmic */

/* ---- scores ----------------------------------------------------------------------------------------- */

/* The two components as counts a bar, to lie on the bars. */
typedef struct components {
    double x[CURVE + 1], inliers[CURVE + 1], outliers[CURVE + 1];
    int count;
    bool halves;   /* the inliers' curve is not one: there is a gap in it */
    bool outlying; /* something is to be seen of the curve of the outliers */
} components;

static double inliers_at(const od_findings *f, double score)
{
    double inliers, outliers;
    odim_model_density(f->about->model, score, &inliers, &outliers);
    return inliers;
}

/* Whether the inliers' curve jumps between two scores, rather than being steep: then it does so however close
 * they are. */
static bool has_jump(const od_findings *f, double low, double high)
{
    enum { HALVINGS = 40 };
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2, at = inliers_at(f, middle);
        bool left = fabs(at - inliers_at(f, low)) > fabs(inliers_at(f, high) - at);
        *(left ? &high : &low) = middle;
    }
    double a = inliers_at(f, low), b = inliers_at(f, high);
    return fabs(a - b) > 0.01 * fmax(a, b);
}

/* Below and above the median the inliers are fitted apart, and the two halves need not meet there: no line
 * joins what does not. */
static void fill_components(const od_findings *f, components *c)
{
    double width = (f->range.high - f->range.low) / OD_REPORT_BARS * (double)f->about->rows, last = 0;
    *c = (components){.count = 0};
    for (int i = 0; i < CURVE; i++) {
        double x = f->range.low + (f->range.high - f->range.low) * i / (CURVE - 1), inliers, outliers;
        odim_model_density(f->about->model, x, &inliers, &outliers);
        if (i && !c->halves && fabs(inliers - last) > 0.01 * fmax(inliers, last) &&
            has_jump(f, c->x[c->count - 1], x)) {
            c->halves = true;
            c->x[c->count] = x;
            c->outliers[c->count] = outliers * width;
            c->inliers[c->count++] = NAN;
        }
        c->x[c->count] = x;
        c->inliers[c->count] = inliers * width;
        c->outliers[c->count++] = outliers * width;
        c->outlying |= outliers * width > LEAST_SHOWN;
        last = inliers;
    }
}

bool od_picture_scores(const od_picture *p)
{
    const od_findings *f = p->of;
    components c;
    double most = 1;
    fill_components(f, &c);
    for (int i = 0; i < OD_REPORT_BARS; i++) most = fmax(most, f->bar[i]);
    const plot_series series[] = {{.name = "rows",
                                   .kind = PLOT_BARS,
                                   .colour = PLOT_BLUE,
                                   .x = f->edge,
                                   .y = f->bar,
                                   .count = OD_REPORT_BARS},
                                  {.name = c.halves
                                               ? "inliers, as fitted: two halves, below and above the median"
                                               : "inliers, as fitted",
                                   .kind = PLOT_STROKE,
                                   .colour = PLOT_GREEN,
                                   .x = c.x,
                                   .y = c.inliers,
                                   .count = c.count},
                                  {.name = "outliers, as fitted",
                                   .kind = PLOT_STROKE,
                                   .colour = PLOT_ORANGE,
                                   .x = c.x,
                                   .y = c.outliers,
                                   .count = c.count}};
    double threshold = f->about->threshold, shown = fmax(f->range.low, fmin(f->range.high, threshold));
    char text[64];
    snprintf(text, sizeof text, shown != threshold ? "threshold, outside: %.5g" : "threshold", threshold);
    const plot_mark mark = {shown, text, PLOT_RED, p->embedded ? "threshold-mark" : NULL};
    const plot_panel panel = {.x_label = "score",
                              .y_label = "rows",
                              .y_log = 1,
                              .y_low = LEAST_SHOWN,
                              .y_high = 2 * most,
                              .series = series,
                              .count = c.outlying ? 3 : 2,
                              .marks = &mark,
                              .mark_count = 1};
    char about[128];
    snprintf(about, sizeof about, "%lld rows, %lld of them above the threshold", (long long)f->about->rows,
             (long long)f->flagged);
    plot_figure_write(p->to,
                      &(plot_figure){.page = {.title = "Scores", .subtitle = about, .embedded = p->embedded},
                                     .columns = 1,
                                     .column_width = 860,
                                     .panel_height = 260,
                                     .panels = &panel,
                                     .count = 1});
    return true;
}

/* ---- columns ---------------------------------------------------------------------------------------- */

static int64_t take_values(const od_findings *f, int64_t place, const int64_t *rows, int64_t count,
                           double *out)
{
    for (int64_t i = 0; i < count; i++) out[i] = odim_table_value(f->about->table, rows[i], place);
    return od_bins_sort(out, count);
}

static bool draw_numbers(const od_picture *p, const odim_column_info *c, int64_t place)
{
    const od_findings *f = p->of;
    double *values = malloc((size_t)(f->other_count + f->found_count + 1) * sizeof *values);
    char name[OD_HTML_NAME];
    double edge[BINS + 1], share[2][BINS], *second = values ? values + f->other_count : NULL;
    if (!values) return false;
    int64_t n = take_values(f, place, f->others, f->other_count, values);
    int64_t m = take_values(f, place, f->found, f->found_count, second);
    od_range range = od_bins_range(values, n, second, m);
    od_bins_edges(range, BINS, edge);
    od_bins_count(values, n, range, BINS, share[0]);
    od_bins_count(second, m, range, BINS, share[1]);
    free(values);
    if (n + m == 0) return false;
    for (int kind = 0; kind < 2; kind++) od_bins_share(share[kind], BINS);
    const plot_series bars[] = {
        {.kind = PLOT_BARS, .colour = PLOT_BLUE, .x = edge, .y = share[0], .count = BINS},
        {.kind = PLOT_BARS, .colour = PLOT_ORANGE, .x = edge, .y = share[1], .count = BINS}};
    const plot_panel panel = {
        .x_time = c->type == ODIM_TIME, .from_zero = 1, .series = bars, .count = m ? 2 : 1};
    plot_figure_write(
        p->to,
        &(plot_figure){.page = {.title = od_html_cut(c->name, name),
                                .about = "where its values lie: of the outliers, and of the other rows",
                                .embedded = 1},
                       .columns = 1,
                       .column_width = 250,
                       .panel_height = 100,
                       .panels = &panel,
                       .count = 1});
    return true;
}

/* What share of these rows has each of the levels. */
static void count_levels(const od_findings *f, int64_t place, const int64_t *rows, int64_t count,
                         double *share, int64_t levels)
{
    for (int64_t k = 0; k < levels; k++) share[k] = 0;
    for (int64_t i = 0; i < count; i++) {
        double v = odim_table_value(f->about->table, rows[i], place);
        if (v >= 0 && v < (double)levels) share[(int64_t)v] += 1 / (double)count;
    }
}

static void write_bar(FILE *to, int colour, double share)
{
    fprintf(to,
            "<svg class=\"plot\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" width=\"100\" "
            "height=\"8\" aria-hidden=\"true\"><rect "
            "class=\"f%d\" "
            "width=\"%.1f\" height=\"8\"/></svg> %.1f %%",
            colour, 100 * share, 100 * share);
}

/* The level of that number in the table, from a row that has it. */
static bool level_name(const od_findings *f, int64_t place, int64_t level, char *buf, size_t size)
{
    for (int list = 0; list < 2; list++) {
        const int64_t *rows = list ? f->found : f->others;
        for (int64_t i = 0; i < (list ? f->found_count : f->other_count); i++)
            if (odim_table_value(f->about->table, rows[i], place) == (double)level)
                return odim_table_text(f->about->table, rows[i], place, buf, size) != NULL;
    }
    return false;
}

/* A category has no axis: a table of its levels, those that outliers have more often first. */
static bool draw_levels(const od_picture *p, int64_t place)
{
    enum { MOST = 4096 };
    const od_findings *f = p->of;
    double *share = calloc(2 * MOST, sizeof *share);
    if (!share) return false;
    count_levels(f, place, f->others, f->other_count, share, MOST);
    count_levels(f, place, f->found, f->found_count, share + MOST, MOST);
    fputs("<table class=\"levels\"><thead><tr><th scope=\"col\">level</th><th scope=\"col\">other rows</th>"
          "<th scope=\"col\">",
          p->to);
    fputs(f->flagged ? "outliers" : f->spot_name, p->to);
    fputs("</th></tr></thead><tbody>\n", p->to);
    for (int shown = 0; shown < LEVELS; shown++) {
        int64_t best = -1;
        char name[64];
        for (int64_t k = 0; k < MOST; k++)
            if (share[k] + share[MOST + k] > 0 &&
                (best < 0 || share[k] + 2 * share[MOST + k] > share[best] + 2 * share[MOST + best]))
                best = k;
        if (best < 0) break;
        fputs("<tr><th scope=\"row\">", p->to);
        od_html_name(p->to, level_name(f, place, best, name, sizeof name) ? name : "?");
        fputs("</th><td>", p->to);
        write_bar(p->to, PLOT_BLUE, share[best]);
        fputs("</td><td>", p->to);
        write_bar(p->to, PLOT_ORANGE, share[MOST + best]);
        fputs("</td></tr>\n", p->to);
        share[best] = share[MOST + best] = 0;
    }
    fputs("</tbody></table>\n", p->to);
    free(share);
    return true;
}

bool od_picture_column(const od_picture *p, int64_t col)
{
    odim_column_info c;
    int64_t place = p->of->column[col].place;
    if (place < 0 || odim_model_column(p->of->about->model, col, &c, NULL)) return false;
    bool levels = c.type == ODIM_CATEGORICAL || c.type == ODIM_BOOLEAN;
    return levels ? draw_levels(p, place) : draw_numbers(p, &c, place);
}

/* ---- the pair --------------------------------------------------------------------------------------- */

static int take_pairs(const od_findings *f, const int64_t *rows, int64_t count, int most, double *x,
                      double *y)
{
    int taken = 0;
    for (int64_t i = 0; i < count && taken < most; i++) {
        if ((i + 1) * most / count == i * most / count && count > most) continue;
        x[taken] = odim_table_value(f->about->table, rows[i], f->column[f->pair[0]].place);
        y[taken] = odim_table_value(f->about->table, rows[i], f->column[f->pair[1]].place);
        taken += isfinite(x[taken]) && isfinite(y[taken]);
    }
    return taken;
}

bool od_picture_pair(const od_picture *p)
{
    const od_findings *f = p->of;
    static double x[DOTS], y[DOTS], fx[FOUND_DOTS], fy[FOUND_DOTS];
    odim_column_info a, b;
    if (f->pair[0] < 0 || odim_model_column(f->about->model, f->pair[0], &a, NULL) ||
        odim_model_column(f->about->model, f->pair[1], &b, NULL))
        return false;
    plot_series dots[] = {
        {.name = "other rows", .kind = PLOT_DOTS, .colour = PLOT_BLUE, .thin = 1, .x = x, .y = y},
        {.name = f->spot_name, .kind = PLOT_DOTS, .colour = PLOT_ORANGE, .dashed = 1, .x = fx, .y = fy}};
    dots[0].count = take_pairs(f, f->others, f->other_count, DOTS, x, y);
    dots[1].count = take_pairs(f, f->found, f->found_count, FOUND_DOTS, fx, fy);
    char x_name[OD_HTML_NAME], y_name[OD_HTML_NAME];
    const plot_panel panel = {.x_label = od_html_cut(a.name, x_name),
                              .y_label = od_html_cut(b.name, y_name),
                              .series = dots,
                              .count = 2};
    plot_figure_write(
        p->to, &(plot_figure){.page = {.title = "Two columns",
                                       .subtitle = "the pair in which the outliers stand furthest apart",
                                       .embedded = p->embedded},
                              .columns = 1,
                              .column_width = 640,
                              .panel_height = 380,
                              .panels = &panel,
                              .count = 1});
    return true;
}

/* ---- learning --------------------------------------------------------------------------------------- */

/* What the stop rule saw of each member, and what each has kept. */
bool od_picture_distance(const od_picture *p)
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
        odim_member_info info;
        int64_t n = odim_model_checks(m, b);
        for (int64_t i = 0; i < n; i++) {
            odim_check c;
            odim_model_check(m, b, i, &c, NULL);
            next[i] = (double)c.update;
            next[n + i] = c.distance;
        }
        line[lines++] = (plot_series){.name = "a member",
                                      .kind = PLOT_STROKE,
                                      .colour = members > PLOT_COLOURS ? PLOT_GREY : b,
                                      .thin = members > 3,
                                      .x = next,
                                      .y = next + n,
                                      .count = (int)n};
        next += 2 * n;
        odim_model_member(m, b, &info, NULL);
        best[b] = (double)info.best_update;
        best[members + b] = info.distance;
    }
    if (fine)
        line[lines++] = (plot_series){.name = "what it kept",
                                      .kind = PLOT_DOTS,
                                      .colour = PLOT_GREEN,
                                      .dashed = 1,
                                      .x = best,
                                      .y = best + members,
                                      .count = members};
    const plot_panel panel = {
        .x_label = "update", .y_label = "distance", .from_zero = 1, .series = line, .count = lines};
    if (fine)
        plot_figure_write(
            p->to,
            &(plot_figure){.page = {.title = "Distance between the two humps of the losses",
                                    .subtitle = "of each member over its updates, and the update it kept",
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
bool od_picture_labels(const od_picture *p)
{
    const od_findings *f = p->of;
    const od_report *r = f->about;
    static double rate[2][CURVE + 2], recall[CURVE + 2], precision[CURVE + 2];
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
        {.kind = PLOT_STROKE, .colour = PLOT_BLUE, .x = rate[0], .y = rate[1], .count = n},
        {.name = "at the threshold",
         .kind = PLOT_DOTS,
         .colour = PLOT_RED,
         .x = &at[0],
         .y = &at[1],
         .count = 1}};
    const plot_series pr[] = {
        {.kind = PLOT_STROKE, .colour = PLOT_BLUE, .x = recall, .y = precision, .count = n},
        {.name = "at the threshold",
         .kind = PLOT_DOTS,
         .colour = PLOT_RED,
         .x = &at[2],
         .y = &at[3],
         .count = 1}};
    const plot_panel panels[] = {{.title = "ROC",
                                  .x_label = "share of the inliers above",
                                  .y_label = "share of the outliers above",
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
           : !outliers || outliers == rows ? "labels of both kinds, and all rows are labelled alike"
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
    return model && !checks ? "a model that remembers how it learned: a private one, one that is no "
                              "network, or one of an older version, does not"
                            : NULL;
}

const char *od_picture_lacks(const char *name, const odim_table *table, const odim_model *model)
{
    if (!name) return NULL;
    return strcmp(name, "labels") == 0     ? labels_lack(table)
           : strcmp(name, "pair") == 0     ? pair_lacks(table)
           : strcmp(name, "learning") == 0 ? learning_lacks(model)
                                           : NULL;
}

bool od_picture_named(const od_picture *p, const char *name)
{
    if (strcmp(name, "pair") == 0) return od_picture_pair(p);
    if (strcmp(name, "learning") == 0) return od_picture_distance(p);
    if (strcmp(name, "labels") == 0) return od_picture_labels(p);
    return od_picture_scores(p);
}
