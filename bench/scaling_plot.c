/*
 * Draws what bench/scaling writes: seconds of fitting and scoring against n, D, B and K, a panel for each.
 *
 *     scaling_plot < scaling.tsv > scaling.svg
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_svg.h"

enum { AXES = 4, MAX_POINTS = 16, THREADS = 2, KINDS = 2, STYLES = THREADS * KINDS };

static const struct {
    char name;
    const char *title, *label;
} axes[AXES] = {
    {'n', "Rows", "rows n"},
    {'D', "Columns", "columns D"},
    {'B', "Members", "members B"},
    {'K', "Samples", "samples K"},
};

/* The points of one axis and one number of threads. */
typedef struct series {
    double x[MAX_POINTS], y[KINDS][MAX_POINTS]; /* y: fitting, scoring */
    int count;
} series;

typedef struct report {
    char about[256];
    int threads[THREADS], thread_counts;
    series points[AXES][THREADS];
    double values[AXES]; /* n, D, B, K where they are not the one that is varied */
    char titles[AXES][96];
} report;

static void die(const char *why)
{
    fprintf(stderr, "scaling_plot: %s\n", why);
    exit(1);
}

static int find_axis(char name)
{
    for (int a = 0; a < AXES; a++)
        if (axes[a].name == name) return a;
    die("unknown axis");
    return 0;
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

static void write_title(char *out, size_t size, int axis, const double *values)
{
    int used = snprintf(out, size, "%s", axes[axis].title);
    for (int a = 0; a < AXES; a++)
        if (a != axis)
            used += snprintf(out + used, size - (size_t)used, "%s%c = %.0f", used > (int)strlen(axes[axis].title) ? ", " : " at ",
                             axes[a].name, values[a]);
}
