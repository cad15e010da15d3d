/*
 * What bench/tradeoff measured, as a Markdown table or, with --svg, as a plot.
 *
 *     tradeoff_report [--svg] < tradeoff.tsv
 *
 * Settings are compared on the same sets and seeds; where runs are missing, the table says what is left out.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "plot_figure.h"
#include "tradeoff_data.h"
#include "tradeoff_summary.h"

#define LIMIT 0.005 /* of mean AUC and of mean AP that a setting may lose */

static int is_good(const tradeoff_summary *s)
{
    return s->lead[AUC] >= -LIMIT && s->lead[AP] >= -LIMIT;
}

/* ---- the table -------------------------------------------------------------------------------------- */

static void print_head(const tradeoff_grid *g, const char *first)
{
    printf(
        "# Time against accuracy\n\n"
        "Written by bench/tradeoff_report from what bench/tradeoff measured. AUC and AP (average precision)\n"
        "are means over the sets and the seeds. A difference is from %s with the same seed, with its\n"
        "standard error over the seeds. Time is the CPU time of fitting and scoring, without reading,\n"
        "where %s takes 1: of each set the median over the seeds, of these the geometric mean. The worst\n"
        "set is that with the lowest difference in AUC, a mean over the seeds.\n\n",
        first, first);
    printf("- Machine and version: %s\n- Command: `bench/%s`\n", g->data->about, g->data->command);
    printf("- Averaged over %d sets and %d seeds\n\n", g->kept_count[SET], g->kept_count[SEED]);
    printf("| setting | parameters | AUC | difference | AP | difference | time | worst set |\n"
           "|:--|:--|--:|--:|--:|--:|--:|:--|\n");
}

static void print_row(const tradeoff_summary *s, int is_first)
{
    printf("| %s | %s%s|", s->setting->name, s->setting->params, s->setting->params[0] ? " " : "");
    for (int which = 0; which < METRICS; which++) {
        printf(" %.4f |", s->mean[which]);
        if (!is_first) printf(" %+.4f", s->lead[which]);
        if (!is_first && !isnan(s->error[which])) printf(" ± %.4f", s->error[which]);
        printf(" |");
    }
    printf(" %.3g |", s->time);
    if (!is_first) printf(" %+.3f %s", s->worst, s->worst_set);
    printf(" |\n");
}

static void print_choice(const tradeoff_summary *all, int count)
{
    const tradeoff_summary *best = &all[0];
    for (int i = 1; i < count; i++)
        if (is_good(&all[i]) && all[i].time < best->time) best = &all[i];
    printf("\nThe cheapest that loses at most %g of mean AUC and of mean AP: %s, time %.3g.\n", LIMIT,
           best->setting->name, best->time);
}

static int is_kept(const tradeoff_grid *g, int kind, int place)
{
    for (int i = 0; i < g->kept_count[kind]; i++)
        if (g->kept[kind][i] == place) return 1;
    return 0;
}

static void print_missing(const tradeoff_grid *g)
{
    int all = g->count[SET] * g->count[SEED], any = 0;
    for (int i = 0; i < g->count[SETTING]; i++) {
        int missing = all;
        for (int j = 0; j < all; j++) missing -= g->runs[i][j % g->count[SET]][j / g->count[SET]] != NULL;
        if (!missing) continue;
        printf("%s- %s: %d of %d runs\n", any++ ? "" : "\nMissing:\n\n", g->data->settings[i].name, missing,
               all);
    }
    if (!any) return;
    printf("\nLeft out for that:");
    const char *comma = "";
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < g->count[kind]; i++) {
            if (is_kept(g, kind, i)) continue;
            if (kind == SEED) printf("%s seed %d", comma, g->seeds[i]);
            if (kind == SET) printf("%s set %s", comma, g->sets[i]);
            if (kind == SETTING) printf("%s setting %s", comma, g->data->settings[i].name);
            comma = ",";
        }
    }
    printf(".\n");
}

static void print_table(const tradeoff_grid *g, const tradeoff_summary *all)
{
    print_head(g, all[0].setting->name);
    for (int i = 0; i < g->kept_count[SETTING]; i++) print_row(&all[i], i == 0);
    print_choice(all, g->kept_count[SETTING]);
    print_missing(g);
}

/* ---- the plot --------------------------------------------------------------------------------------- */

/* Whether the name of point `at` would cover that of an earlier one. */
static int is_crowded(const double *x, const double *y, int at)
{
    for (int i = 0; i < at; i++)
        if (fabs(log10(x[i] / x[at])) < 0.15 && fabs(y[i] - y[at]) < 0.0004) return 1;
    return 0;
}

/* Settings that lose little are filled and named. A vertical line through each shows its standard error. */
static void draw(const tradeoff_grid *g, const tradeoff_summary *all)
{
    enum { GOOD, WORSE, GROUPS };
    static double x[GROUPS][MAX_SETTINGS], y[GROUPS][MAX_SETTINGS];
    static double bar_x[MAX_SETTINGS][2], bar_y[MAX_SETTINGS][2];
    static const char *tags[MAX_SETTINGS];
    plot_series series[GROUPS + MAX_SETTINGS];
    int settings = g->kept_count[SETTING], count[GROUPS] = {0, 0}, bars = 0;
    for (int i = 0; i < settings; i++) {
        int kind = is_good(&all[i]) ? GOOD : WORSE, at = count[kind]++;
        double error = isnan(all[i].error[AUC]) ? 0 : all[i].error[AUC];
        x[kind][at] = bar_x[i][0] = bar_x[i][1] = all[i].time;
        y[kind][at] = all[i].mean[AUC];
        bar_y[i][0] = all[i].mean[AUC] - error;
        bar_y[i][1] = all[i].mean[AUC] + error;
        if (kind == GOOD && !is_crowded(x[GOOD], y[GOOD], at)) tags[at] = all[i].setting->name;
        if (error > 0)
            series[GROUPS + bars++] = (plot_series){.kind = PLOT_STROKE,
                                                    .color = kind == GOOD ? PLOT_BLUE : PLOT_GREY,
                                                    .thin = 1,
                                                    .x = bar_x[i],
                                                    .y = bar_y[i],
                                                    .count = 2};
    }
    const char *first = all[0].setting->name;
    char about[128], x_label[96], good[64];
    snprintf(about, sizeof about, "%d sets, %d seeds; lines: standard error of the difference from %s",
             g->kept_count[SET], g->kept_count[SEED], first);
    snprintf(x_label, sizeof x_label, "CPU time of fitting and scoring (%s = 1)", first);
    snprintf(good, sizeof good, "loses at most %g of mean AUC and of mean AP", LIMIT);
    series[GOOD] = (plot_series){.name = good,
                                 .kind = PLOT_DOTS,
                                 .color = PLOT_BLUE,
                                 .x = x[GOOD],
                                 .y = y[GOOD],
                                 .count = count[GOOD],
                                 .tags = tags};
    series[WORSE] = (plot_series){.name = "loses more",
                                  .kind = PLOT_DOTS,
                                  .color = PLOT_GREY,
                                  .dashed = 1,
                                  .x = x[WORSE],
                                  .y = y[WORSE],
                                  .count = count[WORSE]};
    const plot_panel panel = {
        .x_label = x_label, .y_label = "mean AUC", .x_log = 1, .series = series, .count = GROUPS + bars};
    plot_figure_write(stdout, &(plot_figure){.page = {.title = "Time against accuracy", .subtitle = about},
                                             .columns = 1,
                                             .column_width = 720,
                                             .panel_height = 400,
                                             .panels = &panel,
                                             .count = 1});
}

int main(int argc, char **argv)
{
    static tradeoff t;
    static tradeoff_grid g;
    static tradeoff_summary all[MAX_SETTINGS];
    int svg = argc == 2 && strcmp(argv[1], "--svg") == 0;
    if (argc > 1 && !svg) bench_die(argv[1], "unknown option");
    tradeoff_read(&t, stdin);
    if (!t.row_count) bench_die("standard input", "holds no runs");
    tradeoff_fill(&g, &t);
    tradeoff_summarise(&g, all);
    if (svg)
        draw(&g, all);
    else
        print_table(&g, all);
    if (fflush(stdout) || ferror(stdout)) bench_die("standard output", "cannot be written");
    return 0;
}
