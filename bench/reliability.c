/*
 * Do the probabilities mean what they say? Over the labelled tables: of the rows with a probability near p,
 * how many are outliers; and how good is the threshold that nobody chose?
 *
 *     reliability [--seed N] [--sets NAME,...] [--set PARAMETER=VALUE]...
 *
 * The sets are those of sets.h. Writes the tables of docs/CALIBRATION.md.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "score/calibrate.h"
#include "sets.h"

#define MOST_ROWS 32768 /* that a calibration is fitted to */

/* Bins of the probability, each up to and with its end. */
static const double bin_end[] = {0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 1.0};
enum { BINS = sizeof bin_end / sizeof *bin_end };

typedef struct bin {
    int64_t rows, outliers;
    double probability;  /* sum over the rows */
    int sets;            /* that have rows here */
    double set_outliers; /* sum of their shares of outliers */
} bin;

typedef struct verdict {
    int64_t outliers, flagged, hits;
    double best_f1; /* when as many rows are flagged as there are outliers */
} verdict;

/* ---- one set ---------------------------------------------------------------------------------------- */

static double *score_rows(const table_set *set, const odim_table *table, const odim_params *params)
{
    odim_error err;
    odim_model *model;
    double *scores = malloc((size_t)odim_table_rows(table) * sizeof *scores);
    if (!scores) bench_die(set->name, "out of memory");
    bench_check(set->name, odim_fit(table, params, NULL, &model, &err), &err);
    bench_check(set->name, odim_score(model, table, params, NULL, scores, &err), &err);
    odim_model_free(model);
    return scores;
}

/* On rows taken evenly from the whole table when there are too many. */
static od_calibration calibrate(const char *name, const double *scores, int64_t n)
{
    static double sample[MOST_ROWS];
    int64_t rows = n < MOST_ROWS ? n : MOST_ROWS;
    for (int64_t i = 0; i < rows; i++) sample[i] = scores[i * n / rows];
    odim_error err;
    od_calibration c;
    bench_check(name, od_calibrate_fit(&c, sample, rows, &err), &err);
    return c;
}

static double f1(int64_t hits, int64_t flagged, int64_t outliers)
{
    return 2.0 * (double)hits / (double)(flagged + outliers);
}

static verdict judge(const char *name, const double *scores, const int8_t *labels, int64_t n,
                     double threshold)
{
    verdict v = {0};
    double oracle;
    odim_error err;
    int64_t best_hits = 0, best_flagged = 0;
    for (int64_t i = 0; i < n; i++) v.outliers += labels[i];
    bench_check(name, od_calibrate_quantile(&oracle, scores, n, (double)v.outliers / (double)n, &err), &err);
    for (int64_t i = 0; i < n; i++) {
        v.flagged += scores[i] > threshold;
        v.hits += scores[i] > threshold && labels[i];
        best_flagged += scores[i] > oracle;
        best_hits += scores[i] > oracle && labels[i];
    }
    v.best_f1 = f1(best_hits, best_flagged, v.outliers);
    return v;
}

static void count(bin bins[BINS], const od_calibration *c, const double *scores, const int8_t *labels,
                  int64_t n)
{
    bin here[BINS] = {0};
    for (int64_t i = 0; i < n; i++) {
        double p = od_calibrate_probability(c, scores[i]);
        int b = 0;
        while (p > bin_end[b]) b++;
        here[b].rows++;
        here[b].outliers += labels[i];
        here[b].probability += p;
    }
    for (int b = 0; b < BINS; b++) {
        if (!here[b].rows) continue;
        bins[b].rows += here[b].rows;
        bins[b].outliers += here[b].outliers;
        bins[b].probability += here[b].probability;
        bins[b].sets++;
        bins[b].set_outliers += (double)here[b].outliers / (double)here[b].rows;
    }
}

/* ---- tables ----------------------------------------------------------------------------------------- */

static void print_heading(void)
{
    printf("| set | rows | outliers | flagged | precision | recall | F1 | F1 with the right number |\n"
           "|:--|--:|--:|--:|--:|--:|--:|--:|\n");
}

static void print_set(const char *name, int64_t n, const verdict *v)
{
    printf("| %s | %lld | %.2f %% | %.2f %% | ", name, (long long)n, 100.0 * (double)v->outliers / (double)n,
           100.0 * (double)v->flagged / (double)n);
    if (v->flagged) printf("%.2f", (double)v->hits / (double)v->flagged);
    printf(" | %.2f | %.3f | %.3f |\n", (double)v->hits / (double)v->outliers,
           f1(v->hits, v->flagged, v->outliers), v->best_f1);
    fflush(stdout);
}

static void print_bins(const bin bins[BINS])
{
    printf("\n| probability | rows | mean probability | outliers among them | in how many sets | outliers, "
           "mean of "
           "the sets |\n|:--|--:|--:|--:|--:|--:|\n");
    for (int b = 0; b < BINS; b++) {
        const bin *x = &bins[b];
        if (!x->rows) continue;
        printf("| %g to %g | %lld | %.4f | %.4f | %d | %.4f |\n", b ? bin_end[b - 1] : 0.0, bin_end[b],
               (long long)x->rows, x->probability / (double)x->rows, (double)x->outliers / (double)x->rows,
               x->sets, x->set_outliers / x->sets);
    }
}

/* ---- options ---------------------------------------------------------------------------------------- */

static const char *parse(odim_params *params, int argc, char **argv)
{
    const char *sets = NULL;
    for (int i = 1; i < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!value) bench_die(argv[i], "its value is missing");
        if (strcmp(argv[i], "--seed") == 0)
            bench_set(params, "seed", value);
        else if (strcmp(argv[i], "--sets") == 0)
            sets = value;
        else if (strcmp(argv[i], "--set") == 0)
            bench_assign(params, value);
        else
            bench_die(argv[i], "unknown option");
    }
    return sets;
}

int main(int argc, char **argv)
{
    static table_set sets[MAX_SETS];
    bin bins[BINS] = {0};
    double sum = 0.0, best = 0.0;
    odim_params *params = odim_params_new();
    if (!params) bench_die("parameters", "out of memory");
    int number = sets_find(sets, parse(params, argc, argv));
    bench_head(argc, argv, params);
    print_heading();
    for (int i = 0; i < number; i++) {
        odim_table *table = sets_read(&sets[i]);
        const int8_t *labels = odim_table_labels(table);
        int64_t n = odim_table_rows(table);
        double *scores = score_rows(&sets[i], table, params);
        od_calibration c = calibrate(sets[i].name, scores, n);
        verdict v = judge(sets[i].name, scores, labels, n, c.threshold);
        count(bins, &c, scores, labels, n);
        print_set(sets[i].name, n, &v);
        sum += f1(v.hits, v.flagged, v.outliers);
        best += v.best_f1;
        free(scores);
        odim_table_free(table);
    }
    printf("\nMean F1 over %d sets: %.3f; with the right number of rows flagged: %.3f.\n", number,
           sum / number, best / number);
    print_bins(bins);
    odim_params_free(params);
    return 0;
}
