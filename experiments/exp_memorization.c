/*
 * The effect the method rests on: a model learns the inliers first. One variational autoencoder as in the
 * paper's section 3.1 is trained for 500 updates. After 10, 20, 30, 40 and 500 of them the losses of inliers
 * and outliers are shown as histograms; after every 10 there is the AUC of the losses of all rows, and the
 * distance between the two humps of these losses, of a batch (which is what the stop rule sees) and of all
 * rows. The same again with a normalising flow is the experiment `flow`.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "experiment.h"
#include "fit/stop_rule.h"
#include "plot_figure.h"
#include "common/compare.h"

enum {
    LENGTH = 500,
    EVERY = 10,
    CHECKS = LENGTH / EVERY,
    SHOWN = 5,
    BINS = 30,
    SETS = 6,
    ALL_ROWS = 100000000
};
static const int64_t shown[SHOWN] = {10, 20, 30, 40, 500};
static const char sets_wanted[] = "breastw,cardio,ionosphere,satellite,satimage2,thyroid";

enum { AUC, BATCH, WHOLE, LOW, HIGH, INLIERS, OUTLIERS, COLUMNS };

/* ---- measuring -------------------------------------------------------------------------------------- */

static void name_moment(char name[TSV_NAME], int64_t update, int bin)
{
    if (bin < 0)
        snprintf(name, TSV_NAME, "after %lld", (long long)update);
    else
        snprintf(name, TSV_NAME, "after %lld, bar %d", (long long)update, bin + 1);
}

/* Of the losses of all rows. */
static double whole_distance(const double *loss, int64_t n)
{
    float *copy = malloc((size_t)n * sizeof *copy);
    double *scratch = malloc(2 * (size_t)n * sizeof *scratch);
    if (!copy || !scratch) bench_die("losses", "out of memory");
    for (int64_t i = 0; i < n; i++) copy[i] = (float)loss[i];
    double distance = od_stop_distance(copy, n, OD_DISTANCE_W2, scratch);
    free(copy);
    free(scratch);
    return distance;
}

/* The loss that nine of ten rows stay below. */
static double most_below(const double *loss, int64_t n)
{
    double *sorted = malloc((size_t)n * sizeof *sorted);
    if (!sorted) bench_die("losses", "out of memory");
    memcpy(sorted, loss, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, od_compare_double);
    double value = sorted[n * 9 / 10];
    free(sorted);
    return value;
}

/* Shares of inliers and of outliers in bars from the least loss to the greatest; the few that are far out
 * stand in the last one. */
static void put_histogram(exp_run *r, const char *set, int64_t update, const double *loss,
                          const int8_t *labels, int64_t n, int seed)
{
    double low = INFINITY, mean = 0, square = 0, count[2][BINS] = {{0}}, of[2] = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        low = fmin(low, loss[i]);
        mean += loss[i] / (double)n;
    }
    for (int64_t i = 0; i < n; i++) square += (loss[i] - mean) * (loss[i] - mean) / (double)n;
    /* The losses of a flow are squares, and their tails so long that they leave nothing else to see. */
    double high = strcmp(r->name, "flow") ? mean + 3 * sqrt(square) : most_below(loss, n);
    double step = (high - low) / BINS;
    for (int64_t i = 0; i < n; i++) {
        int at = (int)fmin(BINS - 1, fmax(0, floor((loss[i] - low) / step)));
        count[labels[i]][at]++;
        of[labels[i]]++;
    }
    for (int k = 0; k < BINS; k++) {
        char name[TSV_NAME];
        name_moment(name, update, k);
        exp_put(r, set, name, seed,
                (double[COLUMNS]){NAN, NAN, NAN, low + k * step, low + (k + 1) * step, count[0][k] / of[0],
                                  count[1][k] / of[1]});
    }
}

/* One model. The lines of its moments come last, so that a run that was cut short is made again. */
static void measure_set(exp_run *r, const table_set *set, int seed)
{
    odim_error err;
    odim_trace *t;
    odim_table *table = sets_read(set);
    odim_params *params = exp_params(r, seed, NULL);
    odim_trace_options look = {
        .size = sizeof look, .length = LENGTH, .updates = shown, .count = SHOWN, .rows = ALL_ROWS};
    bench_check(set->name, odim_trace_fit(table, params, &look, NULL, &t, &err), &err);
    int64_t n = odim_trace_rows(t), check = 0;
    for (int64_t k = 0; k < odim_trace_moments(t); k++) {
        char name[TSV_NAME], first[TSV_NAME];
        int64_t update = odim_trace_update(t, k);
        const double *loss = odim_trace_losses(t, k);
        while (check < odim_trace_checks(t) && odim_trace_check(t, 0, check)->update < update) check++;
        const odim_check *seen = odim_trace_check(t, 0, check);
        name_moment(first, update, 0);
        for (int i = 0; i < SHOWN; i++)
            if (update == shown[i] && seed == 0 && !cells_has(r->cells, set->name, first, seed))
                put_histogram(r, set->name, update, loss, odim_table_labels(table), n, seed);
        name_moment(name, update, -1);
        if (update % EVERY || cells_has(r->cells, set->name, name, seed)) continue;
        exp_put(r, set->name, name, seed,
                (double[COLUMNS]){odim_trace_auc(t, k), seen && seen->update == update ? seen->distance : NAN,
                                  whole_distance(loss, n), NAN, NAN, NAN, NAN});
    }
    odim_trace_free(t);
    odim_params_free(params);
    odim_table_free(table);
}

static void measure(exp_run *r)
{
    static table_set sets[MAX_SETS];
    char last[TSV_NAME];
    int count = sets_find(sets, r->sets ? r->sets : sets_wanted);
    name_moment(last, LENGTH, -1);
    for (int seed = 0; seed < r->seeds; seed++)
        for (int i = 0; i < count; i++)
            if (exp_wants(r, sets[i].name, last, seed)) measure_set(r, &sets[i], seed);
}

/* ---- reporting -------------------------------------------------------------------------------------- */

/* The values of a set and seed over the updates; NaN where there is none. */
static int take(const exp_run *r, const char *set, int seed, int column, double out[CHECKS])
{
    char name[TSV_NAME], key[16];
    int found = 0;
    snprintf(key, sizeof key, "%d", seed);
    for (int i = 0; i < CHECKS; i++) {
        name_moment(name, (i + 1) * EVERY, -1);
        const tsv_row *row = tsv_find(cells_all(r->cells), set, name, key);
        out[i] = row ? row->value[column] : NAN;
        found += isfinite(out[i]);
    }
    return found;
}

static double correlation(const double *x, const double *y, int n)
{
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < n; i++) mx += x[i] / n, my += y[i] / n;
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy / sqrt(xx * yy);
}

static int highest(const double *v)
{
    int best = 0;
    for (int i = 1; i < CHECKS; i++)
        if (v[i] > v[best]) best = i;
    return best;
}

/* Means over the seeds of what a line of the table has. */
static int write_row(const exp_run *r, FILE *page, const char *set, double curve[CHECKS])
{
    double best = 0, best_update = 0, batch = 0, whole = 0, with_batch = 0, with_whole = 0;
    int seeds = 0;
    memset(curve, 0, CHECKS * sizeof *curve);
    for (int seed = 0; seed < 1000; seed++) {
        double auc[CHECKS], distance[2][CHECKS];
        if (take(r, set, seed, AUC, auc) < CHECKS) break;
        if (take(r, set, seed, BATCH, distance[0]) < CHECKS ||
            take(r, set, seed, WHOLE, distance[1]) < CHECKS)
            break;
        for (int i = 0; i < CHECKS; i++) curve[i] += auc[i];
        best += auc[highest(auc)];
        best_update += EVERY * (highest(auc) + 1);
        batch += auc[highest(distance[0])];
        whole += auc[highest(distance[1])];
        with_batch += correlation(distance[0], auc, CHECKS);
        with_whole += correlation(distance[1], auc, CHECKS);
        seeds++;
    }
    if (!seeds) return 0;
    for (int i = 0; i < CHECKS; i++) curve[i] /= seeds;
    fprintf(page, "| %s |", set);
    for (int i = 0; i < SHOWN; i++) fprintf(page, " %.3f |", curve[shown[i] / EVERY - 1]);
    fprintf(page, " %.3f | %.0f | %.3f | %.3f | %+.2f | %+.2f |\n", best / seeds, best_update / seeds,
            batch / seeds, whole / seeds, with_batch / seeds, with_whole / seeds);
    return 1;
}

/* The sets that were measured, each once. */
static int list_sets(const exp_run *r, const char *names[], int most)
{
    const tsv *t = cells_all(r->cells);
    int count = 0;
    for (int i = 0; i < t->count; i++) {
        int known = 0;
        for (int j = 0; j < count; j++) known |= strcmp(names[j], t->rows[i].key[0]) == 0;
        if (!known && count < most) names[count++] = t->rows[i].key[0];
    }
    return count;
}

static const char *model_of(const exp_run *r)
{
    return strcmp(r->name, "flow") == 0 ? "normalising flow" : "variational autoencoder";
}

/* As the paper's Figure 2: five histograms, and AUC against distance. */
static void draw_set(const exp_run *r, const char *set)
{
    double edge[SHOWN][BINS + 1], share[SHOWN][2][BINS], auc[CHECKS], whole[CHECKS];
    char title[SHOWN][32], about[128];
    plot_series bars[SHOWN][2], dots = {.kind = PLOT_DOTS, .colour = PLOT_PURPLE, .x = whole, .y = auc};
    plot_panel panels[SHOWN + 1] = {{0}};
    for (int i = 0; i < SHOWN; i++) {
        for (int k = 0; k < BINS; k++) {
            char name[TSV_NAME];
            name_moment(name, shown[i], k);
            const tsv_row *row = tsv_find(cells_all(r->cells), set, name, "0");
            if (!row) return;
            edge[i][k] = row->value[LOW];
            edge[i][k + 1] = row->value[HIGH];
            share[i][0][k] = row->value[INLIERS];
            share[i][1][k] = row->value[OUTLIERS];
        }
        for (int kind = 0; kind < 2; kind++)
            bars[i][kind] = (plot_series){kind ? "outliers" : "inliers",
                                          PLOT_BARS,
                                          kind ? PLOT_ORANGE : PLOT_BLUE,
                                          0,
                                          0,
                                          edge[i],
                                          share[i][kind],
                                          BINS,
                                          NULL,
                                          NULL};
        snprintf(title[i], sizeof title[i], "after %lld updates", (long long)shown[i]);
        panels[i] =
            (plot_panel){.title = title[i], .x_label = "loss", .from_zero = 1, .series = bars[i], .count = 2};
    }
    panels[0].y_label = panels[3].y_label = "share of each kind";
    dots.count = take(r, set, 0, AUC, auc) == CHECKS && take(r, set, 0, WHOLE, whole) == CHECKS ? CHECKS : 0;
    panels[SHOWN] = (plot_panel){
        .title = "every 10 updates", .x_label = "distance", .y_label = "AUC", .series = &dots, .count = 1};
    snprintf(about, sizeof about, "%s: losses of one %s, seed 0", set, model_of(r));
    FILE *f = exp_figure(r, strcmp(set, "cardio") ? set : "");
    plot_figure_write(f, &(plot_figure){.page = {.title = "Inliers are learnt first", .subtitle = about},
                                        .columns = 3,
                                        .column_width = 240,
                                        .panel_height = 160,
                                        .panels = panels,
                                        .count = SHOWN + 1});
    exp_close(f, "the figure");
}

static void draw_curves(const exp_run *r, const char *const *names, double curve[][CHECKS], int count)
{
    double update[CHECKS];
    plot_series lines[SETS];
    char about[128];
    snprintf(about, sizeof about, "one %s; means over the seeds", model_of(r));
    for (int i = 0; i < CHECKS; i++) update[i] = (i + 1) * EVERY;
    for (int i = 0; i < count; i++)
        lines[i] = (plot_series){names[i], PLOT_STROKE, i % PLOT_COLOURS, 0,    0,
                                 update,   curve[i],    CHECKS,           NULL, NULL};
    plot_panel panel = {.x_label = "update", .y_label = "AUC", .series = lines, .count = count};
    FILE *f = exp_figure(r, "auc");
    plot_figure_write(f, &(plot_figure){.page = {.title = "AUC while a model learns", .subtitle = about},
                                        .columns = 1,
                                        .column_width = 700,
                                        .panel_height = 320,
                                        .panels = &panel,
                                        .count = 1});
    exp_close(f, "the figure");
}

static void report(const exp_run *r, FILE *page)
{
    static double curve[SETS][CHECKS];
    const char *names[SETS], *drawn[SETS];
    int count = list_sets(r, names, SETS), rows = 0;
    fprintf(
        page,
        "\nOne %s a set, trained for 500 updates. AUC is that of the losses of all rows.\n"
        "The distance is between the two normal components of the losses (2-Wasserstein, squared): of the\n"
        "batch in hand, which is what the stop rule sees, or of all rows. Means over the seeds.\n\n"
        "![histograms of the losses on cardio, and AUC against distance](%s.svg)\n\n"
        "| set | AUC after 10 | 20 | 30 | 40 | 500 | highest | after | at the greatest distance: of a "
        "batch | "
        "of all rows | correlation of distance and AUC: batch | all rows |\n"
        "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        model_of(r), r->name);
    for (int i = 0; i < count; i++) {
        if (!write_row(r, page, names[i], curve[rows])) continue;
        drawn[rows++] = names[i];
        if (strcmp(names[i], "cardio") == 0) draw_set(r, names[i]);
    }
    if (!rows) return;
    draw_curves(r, drawn, curve, rows);
    fprintf(page, "\n![AUC against the updates](%s_auc.svg)\n", r->name);
}

const experiment exp_memorization = {
    .name = "memorization",
    .about = "Inliers are learnt first (Figure 2)",
    .columns = "auc batch whole low high inliers outliers",
    .base = "members=1 samples=1 hidden=50,50 latent=5",
    .measure = measure,
    .report = report,
};

const experiment exp_flow = {
    .name = "flow",
    .about = "A flow learns the inliers first, too (Figure B.1)",
    .columns = "auc batch whole low high inliers outliers",
    .base = "members=1 model=flow",
    .measure = measure,
    .report = report,
};
