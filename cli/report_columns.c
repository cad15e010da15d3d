/* The pictures of single columns: histograms of numbers and dates, tables of categories. */
#include <math.h>
#include <stdlib.h>

#include "html.h"
#include "plot_figure.h"

enum { BINS = 30, LEVELS = 6, MOST_LEVELS = 4096, OTHERS = 0, SPOTS = 1, KINDS = 2 };

#define LEAST_SHOWN 0.5 /* rows of a bar: the lower end of the scale, which is logarithmic */
#define REACH       2.0 /* widths of the bulk, beyond it, up to which the axis goes on */

static double value_of(const cli_findings *f, int64_t row, int64_t place)
{
    return odim_table_value(f->about->table, row, place);
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

/* A histogram of the two kinds of rows. */
typedef struct histogram {
    cli_range range;  /* of the axis */
    double low, high; /* of all values */
    int bins;
    double edge[BINS + 1], count[KINDS][BINS];
    double below[KINDS], beyond[KINDS]; /* rows beyond the ends of the axis */
    double neighbors[2];                /* of these values, the one next to each end */
} histogram;

/* Where most of the rows that are no spots lie; false: out of memory. */
static bool find_bulk(const cli_findings *f, int64_t place, cli_range *bulk)
{
    double *values = malloc((size_t)(f->other_count + f->found_count + 1) * sizeof *values);
    if (!values) return false;
    int64_t n = 0;
    for (int64_t i = 0; i < f->other_count; i++) values[n++] = value_of(f, f->others[i], place);
    int64_t finite = cli_histogram_sort(values, n);
    /* Where no other row has a value, the spots are all there is. */
    for (int64_t i = 0; !finite && i < f->found_count; i++) values[i] = value_of(f, f->found[i], place);
    if (!finite) finite = cli_histogram_sort(values, f->found_count);
    *bulk = cli_histogram_bound((cli_range){cli_histogram_quantile(values, finite, 0.005),
                                            cli_histogram_quantile(values, finite, 0.995)});
    free(values);
    return true;
}

/* The axis covers every value that is not far beyond the bulk. Returns whether all values are whole numbers;
 * false also where there are none, and then low > high. */
static bool choose_axis(const cli_findings *f, int64_t place, cli_range bulk, histogram *h)
{
    double width = bulk.high > bulk.low ? bulk.high - bulk.low : fmax(fabs(bulk.low), 1);
    bool whole = true;
    h->low = INFINITY;
    h->high = -INFINITY;
    h->range = bulk;
    for (int64_t i = 0; i < f->about->rows; i++) {
        double v = value_of(f, i, place);
        if (!isfinite(v)) continue;
        whole &= v == floor(v);
        h->low = fmin(h->low, v);
        h->high = fmax(h->high, v);
        if (v >= bulk.low - REACH * width) h->range.low = fmin(h->range.low, v);
        if (v <= bulk.high + REACH * width) h->range.high = fmax(h->range.high, v);
    }
    return whole && h->low <= h->high;
}

/* Bars of whole numbers hold equally many of them, so that none is high only for that. */
static void choose_bins(histogram *h, bool whole)
{
    double width = h->range.high - h->range.low;
    h->bins = BINS;
    if (whole && fabs(h->range.low) < 1e12 && width < 1e12) {
        double each = ceil((width + 1) / BINS);
        h->bins = (int)ceil((width + 1) / each);
        h->range.low -= 0.5;
        h->range.high = h->range.low + h->bins * each;
    } else {
        double margin = width > 0 ? 0.02 * width : fmax(fabs(h->range.low), 1) / 2;
        h->range = (cli_range){h->range.low - margin, h->range.high + margin};
    }
    cli_histogram_edges(h->range, h->bins, h->edge);
}

static void count_values(const cli_findings *f, int64_t place, histogram *h)
{
    h->neighbors[0] = -INFINITY;
    h->neighbors[1] = INFINITY;
    for (int64_t i = 0; i < f->about->rows; i++) {
        double v = value_of(f, i, place);
        int kind = f->spot[i] ? SPOTS : OTHERS;
        if (v < h->range.low) {
            h->below[kind]++;
            h->neighbors[0] = fmax(h->neighbors[0], v);
        } else if (v > h->range.high && isfinite(v)) {
            h->beyond[kind]++;
            h->neighbors[1] = fmin(h->neighbors[1], v);
        } else {
            cli_histogram_add(v, h->range, h->bins, h->count[kind]);
        }
    }
}

/* The value that lies beyond an end of the axis or, of several, the farthest. */
static const char *overflow_text(const cli_findings *f, int64_t col, const histogram *h, bool above,
                                 char buf[64])
{
    char value[48];
    double far = above ? h->high : h->low;
    const double *count = above ? h->beyond : h->below;
    if (count[OTHERS] + count[SPOTS] == 0) return NULL;
    odim_model_text(f->about->model, col, far, value, sizeof value);
    bool one = h->neighbors[above] == far;
    snprintf(buf, 64, "%s%s", one ? "" : above ? "up to " : "down to ", value);
    return buf;
}

static bool draw_numbers(const cli_plot_kind *p, const odim_column_info *c, int64_t col, int64_t place)
{
    const cli_findings *f = p->of;
    histogram h = {.bins = BINS};
    cli_range bulk;
    char name[CLI_HTML_NAME], below[64], beyond[64];
    if (!find_bulk(f, place, &bulk) || isnan(bulk.low)) return false;
    choose_bins(&h, choose_axis(f, place, bulk, &h) && c->type == ODIM_NUMERIC);
    count_values(f, place, &h);
    double most = fmax(h.below[OTHERS] + h.below[SPOTS], h.beyond[OTHERS] + h.beyond[SPOTS]);
    for (int i = 0; i < h.bins; i++) most = fmax(most, fmax(h.count[OTHERS][i], h.count[SPOTS][i]));
    const plot_series bars[] = {
        {.kind = PLOT_BARS, .colour = PLOT_BLUE, .x = h.edge, .y = h.count[OTHERS], .count = h.bins},
        {.kind = PLOT_BARS, .colour = PLOT_ORANGE, .x = h.edge, .y = h.count[SPOTS], .count = h.bins}};
    const plot_panel panel = {.x_time = c->type == ODIM_TIME,
                              .y_log = 1,
                              .y_low = LEAST_SHOWN,
                              .y_high = 2 * fmax(most, 4),
                              .series = bars,
                              .count = 2,
                              .below = {overflow_text(f, col, &h, false, below), h.below},
                              .beyond = {overflow_text(f, col, &h, true, beyond), h.beyond}};
    plot_figure_write(p->to, &(plot_figure){.page = {.title = cli_html_cut(c->name, name),
                                                     .about = "histogram of its values",
                                                     .embedded = 1},
                                            .columns = 1,
                                            .column_width = 250,
                                            .panel_height = 100,
                                            .panels = &panel,
                                            .count = 1});
    return true;
}

/* ---- categories ------------------------------------------------------------------------------------- */

/* How many rows of each kind have a level, and one row that has it. */
typedef struct level_count {
    int64_t rows[KINDS], example;
} level_count;

static void write_bar(FILE *to, int colour, double share, int64_t rows)
{
    fprintf(to,
            "<svg class=\"plot\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" width=\"100\" "
            "height=\"8\" aria-hidden=\"true\"><rect "
            "class=\"f%d\" "
            "width=\"%.1f\" height=\"8\"/></svg> ",
            colour, 100 * share);
    cli_html_count(to, rows);
}

/* Those that spots have first, then the most frequent; NULL: there is no other. */
static level_count *next_level(level_count *level, const int64_t *all)
{
    level_count *best = NULL;
    double most = 0;
    for (int64_t k = 0; k < MOST_LEVELS; k++) {
        double weight = (double)level[k].rows[OTHERS] / fmax(1, (double)all[OTHERS]) +
                        2 * (double)level[k].rows[SPOTS] / fmax(1, (double)all[SPOTS]);
        if (weight <= most) continue;
        most = weight;
        best = &level[k];
    }
    return best;
}

static void write_level(const cli_plot_kind *p, int64_t place, const level_count *l, const int64_t *all)
{
    char name[64];
    const char *text = odim_table_text(p->of->about->table, l->example, place, name, sizeof name);
    fputs("<tr><th scope=\"row\">", p->to);
    cli_html_name(p->to, text ? text : "?");
    for (int kind = 0; kind < KINDS; kind++) {
        fputs(kind ? "</td><td>" : "</th><td>", p->to);
        write_bar(p->to, kind ? PLOT_ORANGE : PLOT_BLUE, (double)l->rows[kind] / fmax(1, (double)all[kind]),
                  l->rows[kind]);
    }
    fputs("</td></tr>\n", p->to);
}

/* A category has no axis: a table of its levels. */
static bool draw_levels(const cli_plot_kind *p, int64_t place)
{
    const cli_findings *f = p->of;
    level_count *level = calloc(MOST_LEVELS, sizeof *level), *next;
    int64_t all[KINDS] = {f->about->rows - f->spots, f->spots}, left = 0;
    if (!level) return false;
    for (int64_t i = f->about->rows - 1; i >= 0; i--) {
        double v = value_of(f, i, place);
        if (!(v >= 0 && v < MOST_LEVELS)) continue;
        level[(int64_t)v].rows[f->spot[i] ? SPOTS : OTHERS]++;
        level[(int64_t)v].example = i;
    }
    fprintf(p->to,
            "<table class=\"levels\"><thead><tr><th scope=\"col\">category</th><th scope=\"col\">other "
            "rows</th><th scope=\"col\">%s</th></tr></thead><tbody>\n",
            f->spot_name);
    for (int shown = 0; shown < LEVELS && (next = next_level(level, all)); shown++) {
        write_level(p, place, next, all);
        *next = (level_count){.example = 0};
    }
    fputs("</tbody></table>\n", p->to);
    for (int64_t k = 0; k < MOST_LEVELS; k++) left += level[k].rows[OTHERS] + level[k].rows[SPOTS] > 0;
    if (left) {
        fputs("<p>and ", p->to);
        cli_html_count(p->to, left);
        fputs(left == 1 ? " more category</p>\n" : " more categories</p>\n", p->to);
    }
    free(level);
    return true;
}

/* ---- either ----------------------------------------------------------------------------------------- */

/* Rows without a value are in no bar. */
static void write_missing(const cli_plot_kind *p, int64_t place)
{
    const cli_findings *f = p->of;
    int64_t missing[KINDS] = {0, 0};
    for (int64_t i = 0; i < f->about->rows; i++)
        if (!isfinite(value_of(f, i, place))) missing[f->spot[i] ? SPOTS : OTHERS]++;
    if (missing[OTHERS] + missing[SPOTS] == 0) return;
    fputs("<p>missing in ", p->to);
    if (missing[SPOTS]) {
        cli_html_count(p->to, missing[SPOTS]);
        fprintf(p->to, " of the %s", f->spot_name);
    }
    if (missing[SPOTS] && missing[OTHERS]) fputs(" and ", p->to);
    if (missing[OTHERS]) {
        cli_html_count(p->to, missing[OTHERS]);
        fputs(missing[OTHERS] == 1 ? " other row" : " other rows", p->to);
    }
    fputs("</p>\n", p->to);
}

bool cli_plot_column(const cli_plot_kind *p, int64_t col)
{
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    int64_t place = p->of->column[col].place;
    if (place < 0 || odim_model_column(p->of->about->model, col, &c, NULL)) return false;
    bool levels = c.type == ODIM_CATEGORICAL || c.type == ODIM_BOOLEAN;
    bool drawn = levels ? draw_levels(p, place) : draw_numbers(p, &c, col, place);
    write_missing(p, place);
    return drawn;
}
