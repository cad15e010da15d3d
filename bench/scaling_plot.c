/*
 * Draws what bench/scaling writes: seconds of fitting and scoring against n, D, B and K, a panel for each.
 *
 *     scaling_plot < scaling.tsv > scaling.svg
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_figure.h"

enum { AXES = 4, MAX_POINTS = 16, THREADS = 2, KINDS = 2, STYLES = KINDS * THREADS };

static const char *const axis_names[AXES] = {"n", "D", "B", "K"};
static const char *const titles[AXES] = {"Rows", "Columns", "Members", "Samples"};
static const char *const kind_names[KINDS] = {"fit", "score"};
static const int colors[KINDS] = {PLOT_BLUE, PLOT_ORANGE};

/* The points of one axis and one number of threads. */
typedef struct series {
    double x[MAX_POINTS];
    double y[KINDS][MAX_POINTS];
    int count;
} series;

typedef struct report {
    char about[256]; /* the first comment, about the machine */
    int threads[THREADS], thread_counts;
    series points[AXES][THREADS];
    char labels[AXES][96]; /* what is varied, and what the rest is held at */
} report;

static void die(const char *why)
{
    fprintf(stderr, "scaling_plot: %s\n", why);
    exit(1);
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static int find_axis(const char *name)
{
    for (int a = 0; a < AXES; a++)
        if (strcmp(axis_names[a], name) == 0) return a;
    return -1;
}

/* The place of a number of threads among those seen so far. */
static int find_threads(report *r, int threads)
{
    for (int t = 0; t < r->thread_counts; t++)
        if (r->threads[t] == threads) return t;
    if (r->thread_counts == THREADS) die("more than two numbers of threads");
    r->threads[r->thread_counts] = threads;
    return r->thread_counts++;
}

static void write_x_label(char out[96], int axis, const long long values[AXES])
{
    int used = snprintf(out, 96, "%s", axis_names[axis]);
    for (int a = 0, others = 0; a < AXES; a++)
        if (a != axis)
            used += snprintf(out + used, 96 - (size_t)used, "%s%s = %lld", others++ ? ", " : "   (",
                             axis_names[a], values[a]);
    snprintf(out + used, 96 - (size_t)used, ")");
}

static void add_point(report *r, const char *line)
{
    char name[8];
    long long v[AXES];
    int threads;
    double fit, score;
    if (sscanf(line, "%7s %lld %lld %lld %lld %d %lf %lf", name, &v[0], &v[1], &v[2], &v[3], &threads, &fit,
               &score) != 8)
        die("a line is not one that bench/scaling writes");
    int axis = find_axis(name);
    if (axis < 0 || v[axis] < 1 || !(fit > 0) || !(score > 0))
        die("a line has an axis or a value that cannot be drawn");
    series *s = &r->points[axis][find_threads(r, threads)];
    if (s->count == MAX_POINTS) die("too many points");
    write_x_label(r->labels[axis], axis, v);
    s->x[s->count] = (double)v[axis];
    s->y[0][s->count] = fit;
    s->y[1][s->count++] = score;
}

static void read_report(report *r, FILE *f)
{
    char line[512];
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#') {
            if (!r->about[0]) snprintf(r->about, sizeof r->about, "%s", line + 1 + strspn(line + 1, " "));
        } else if (strncmp(line, "axis\t", 5) != 0) {
            add_point(r, line);
        }
    }
    if (!r->thread_counts) die("no points");
}

/* ---- drawing ---------------------------------------------------------------------------------------- */

static void draw(const report *r, FILE *f)
{
    char names[STYLES][48];
    for (int style = 0; style < KINDS * r->thread_counts; style++) {
        int threads = r->threads[style % r->thread_counts];
        snprintf(names[style], sizeof names[0], "%s, %d thread%s", kind_names[style / r->thread_counts],
                 threads, threads == 1 ? "" : "s");
    }

    plot_series lines[AXES][STYLES];
    plot_panel panels[AXES];
    int panel_count = 0;
    for (int a = 0; a < AXES; a++) {
        int line_count = 0;
        for (int style = 0; style < KINDS * r->thread_counts; style++) {
            int t = style % r->thread_counts, kind = style / r->thread_counts;
            const series *s = &r->points[a][t];
            if (!s->count) continue;
            lines[a][line_count++] = (plot_series){.name = names[style],
                                                   .color = colors[kind],
                                                   .dashed = t > 0,
                                                   .x = s->x,
                                                   .y = s->y[kind],
                                                   .count = s->count};
        }
        if (line_count)
            panels[panel_count++] = (plot_panel){.title = titles[a],
                                                 .x_label = r->labels[a],
                                                 .y_label = "seconds",
                                                 .x_log = 1,
                                                 .y_log = 1,
                                                 .diagonal = 1,
                                                 .series = lines[a],
                                                 .count = line_count};
    }
    plot_figure_write(f, &(plot_figure){.page = {.title = "How time grows", .subtitle = r->about},
                                        .columns = 2,
                                        .column_width = 360,
                                        .panel_height = 270,
                                        .same_y = 1,
                                        .panels = panels,
                                        .count = panel_count});
}

int main(void)
{
    static report r;
    read_report(&r, stdin);
    draw(&r, stdout);
    if (fflush(stdout) || ferror(stdout)) die("the output cannot be written");
    return 0;
}
