/*
 * How good is the default verdict, and are the probabilities calibrated? Compares the outliers that are
 * called in the labeled tables with the labels, and with the verdicts of simpler rules on the same scores.
 *
 *     verdicts [--half even|odd] [--most-rows N] [--sets NAME,...] [--tabular 0|1] [--seed N]
 *              [--set PARAMETER=VALUE]...
 *
 * The sets are those of sets.h, embeddings included; --tabular 1 leaves these out. Each has a number:
 * ADBench's or, where a file has none, its place among such files. --half takes the sets with even numbers,
 * which are for choosing rules, or those with odd ones, for looking once. --most-rows: of larger tables so
 * many rows, evenly spread.
 *
 * Beside the verdict: F1 if a tenth of the rows is called, or exactly as many as there are outliers; and F1
 * of an isolation forest with scikit-learn's rule `auto`, that a score above 0.5 is an outlier.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "sets.h"

typedef struct options {
    const char *sets;
    int half, tabular;
    int64_t most_rows;
    odim_params *params, *forest;
} options;

/* A table, or some of its rows. */
typedef struct sample {
    odim_table *table;
    double *cells; /* NULL: it is the whole table */
    int8_t *labels;
    int64_t rows, outliers;
} sample;

typedef struct result {
    double share, called; /* of the rows */
    double precision, recall, f1, mcc;
    double sure, sure_right; /* rows with a probability above 0.9, and the share of outliers among them */
    double auc, ap;
    double tenth_f1, right_f1, forest_f1;
    double seconds;
} result;

/* Bins of the probability, each up to and with its end. */
static const double bin_end[] = {0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 1.0};
enum { BINS = sizeof bin_end / sizeof *bin_end };

typedef struct bin {
    int64_t rows, outliers;
    double probability;  /* sum over the rows */
    int sets;            /* that have rows here */
    double set_outliers; /* sum of their shares of outliers */
} bin;

static void *allocate(int64_t count, size_t size)
{
    void *p = calloc((size_t)count, size);
    if (!p) bench_die("rows", "out of memory");
    return p;
}

/* ---- rows ------------------------------------------------------------------------------------------- */

/* Keeps rows that are evenly spread over the table. */
static void thin(const char *name, sample *s, int64_t rows)
{
    odim_error err;
    int64_t n = odim_table_rows(s->table), cols = odim_table_cols(s->table);
    s->cells = allocate(rows * cols, sizeof *s->cells);
    for (int64_t i = 0; i < rows; i++) {
        s->labels[i] = odim_table_labels(s->table)[i * n / rows];
        for (int64_t c = 0; c < cols; c++)
            s->cells[i * cols + c] = odim_table_value(s->table, i * n / rows, c);
    }
    odim_table_free(s->table);
    bench_check(name, odim_table_wrap_f64(&s->table, s->cells, rows, cols, 0, NULL, &err), &err);
    s->rows = rows;
}

static sample read_rows(const table_set *set, int64_t most_rows)
{
    sample s = {.table = sets_read(set)};
    s.rows = odim_table_rows(s.table);
    s.labels = allocate(s.rows, sizeof *s.labels);
    if (s.rows > most_rows)
        thin(set->name, &s, most_rows);
    else
        memcpy(s.labels, odim_table_labels(s.table), (size_t)s.rows * sizeof *s.labels);
    for (int64_t i = 0; i < s.rows; i++) s.outliers += s.labels[i];
    return s;
}

static void release(sample *s)
{
    odim_table_free(s->table);
    free(s->cells);
    free(s->labels);
}

/* ---- judging ---------------------------------------------------------------------------------------- */

static double f1(int64_t hits, int64_t called, int64_t outliers)
{
    return 2.0 * (double)hits / (double)(called + outliers);
}

/* If the rows with the highest scores are called. */
static double f1_of_first(const sample *s, const int64_t *ranks, int64_t called)
{
    int64_t hits = 0;
    for (int64_t i = 0; i < s->rows; i++) hits += ranks[i] <= called && s->labels[i];
    return f1(hits, called, s->outliers);
}

/* Matthews' correlation of verdict and label; 0 where one of them is always the same. */
static double correlation(double hits, double called, double outliers, double rows)
{
    double false_alarms = called - hits, missed = outliers - hits, rest = rows - called - missed;
    double scale = called * outliers * (rows - called) * (rows - outliers);
    return scale > 0 ? (hits * rest - false_alarms * missed) / sqrt(scale) : 0.0;
}

static double forest_f1(const char *name, const sample *s, const odim_params *params, double *scores)
{
    odim_error err;
    odim_model *model;
    int64_t called = 0, hits = 0;
    bench_check(name, odim_detect(s->table, params, NULL, &model, scores, &err), &err);
    for (int64_t i = 0; i < s->rows; i++) {
        called += scores[i] > 0.5;
        hits += scores[i] > 0.5 && s->labels[i];
    }
    odim_model_free(model);
    return f1(hits, called, s->outliers);
}

static void count(bin bins[BINS], const odim_model *model, const sample *s, const double *scores)
{
    bin here[BINS] = {0};
    for (int64_t i = 0; i < s->rows; i++) {
        double p = bench_probability(model, scores[i]);
        int b = 0;
        while (b < BINS - 1 && p > bin_end[b]) b++;
        here[b].rows++;
        here[b].outliers += s->labels[i];
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

static void compare(result *r, const odim_model *model, const sample *s, const double *scores)
{
    int64_t called = 0, hits = 0, sure = 0, sure_hits = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        int c = bench_is_called(model, scores[i]), p = bench_probability(model, scores[i]) > 0.9;
        called += c;
        hits += c && s->labels[i];
        sure += p;
        sure_hits += p && s->labels[i];
    }
    r->share = (double)s->outliers / (double)s->rows;
    r->called = (double)called / (double)s->rows;
    r->precision = called ? (double)hits / (double)called : NAN;
    r->recall = (double)hits / (double)s->outliers;
    r->f1 = f1(hits, called, s->outliers);
    r->mcc = correlation((double)hits, (double)called, (double)s->outliers, (double)s->rows);
    r->sure = (double)sure / (double)s->rows;
    r->sure_right = sure ? (double)sure_hits / (double)sure : NAN;
}

static result judge(const char *name, const sample *s, const options *o, bin bins[BINS])
{
    result r = {0};
    odim_error err;
    odim_model *model;
    double *scores = allocate(s->rows, sizeof *scores), start = bench_wall();
    int64_t *ranks = allocate(s->rows, sizeof *ranks);
    bench_check(name, odim_detect(s->table, o->params, NULL, &model, scores, &err), &err);
    r.seconds = bench_wall() - start;
    compare(&r, model, s, scores);
    count(bins, model, s, scores);
    odim_model_free(model);
    bench_check(name, odim_auc(scores, s->labels, s->rows, &r.auc, &err), &err);
    bench_check(name, odim_average_precision(scores, s->labels, s->rows, &r.ap, &err), &err);
    bench_check(name, odim_rank(scores, s->rows, ranks, &err), &err);
    r.tenth_f1 = f1_of_first(s, ranks, (s->rows + 5) / 10);
    r.right_f1 = f1_of_first(s, ranks, s->outliers);
    r.forest_f1 = forest_f1(name, s, o->forest, scores);
    free(scores);
    free(ranks);
    return r;
}

/* ---- tables ----------------------------------------------------------------------------------------- */

static void print_heading(void)
{
    printf("| number | set | rows | outliers | called | precision | recall | F1 | MCC | p > 0.9 | right of "
           "these | AUC "
           "| AP | F1, a tenth | F1, the right number | F1, iforest above 0.5 | seconds |\n"
           "|--:|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
}

/* Empty where it is not a number. */
static void print_share(double v)
{
    if (isnan(v))
        printf(" |");
    else
        printf(" %.3f |", v);
}

static void print_result(const result *r)
{
    printf(" %.2f %% | %.2f %% |", 100 * r->share, 100 * r->called);
    print_share(r->precision);
    print_share(r->recall);
    print_share(r->f1);
    print_share(r->mcc);
    printf(" %.2f %% |", 100 * r->sure);
    const double rest[] = {r->sure_right, r->auc, r->ap, r->tenth_f1, r->right_f1, r->forest_f1};
    for (int i = 0; i < 6; i++) print_share(rest[i]);
    printf(" %.1f |\n", r->seconds);
    fflush(stdout);
}

/* Precisions are means over the sets that have any. */
static result mean_of(const result *all, int n)
{
    result m = {0};
    int called = 0, sure = 0;
    for (int i = 0; i < n; i++) {
        const result *r = &all[i];
        called += !isnan(r->precision);
        sure += !isnan(r->sure_right);
        m.precision += isnan(r->precision) ? 0 : r->precision;
        m.sure_right += isnan(r->sure_right) ? 0 : r->sure_right;
        m.share += r->share / n;
        m.called += r->called / n;
        m.recall += r->recall / n;
        m.f1 += r->f1 / n;
        m.mcc += r->mcc / n;
        m.sure += r->sure / n;
        m.auc += r->auc / n;
        m.ap += r->ap / n;
        m.tenth_f1 += r->tenth_f1 / n;
        m.right_f1 += r->right_f1 / n;
        m.forest_f1 += r->forest_f1 / n;
        m.seconds += r->seconds / n;
    }
    m.precision = called ? m.precision / called : NAN;
    m.sure_right = sure ? m.sure_right / sure : NAN;
    return m;
}

static void print_mean(const result *all, int n)
{
    result m = mean_of(all, n);
    int silent = 0;
    for (int i = 0; i < n; i++) silent += isnan(all[i].precision);
    printf("| | mean | |");
    print_result(&m);
    printf("\nNothing is called in %d of %d sets.\n", silent, n);
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

static odim_params *new_params(void)
{
    odim_params *p = odim_params_new();
    if (!p) bench_die("parameters", "out of memory");
    return p;
}

static void parse(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = argv[i + 1];
        if (!value) bench_die(argv[i], "its value is missing");
        if (strcmp(argv[i], "--seed") == 0) {
            bench_set(o->params, "seed", value);
            bench_set(o->forest, "seed", value);
        } else if (strcmp(argv[i], "--sets") == 0)
            o->sets = value;
        else if (strcmp(argv[i], "--half") == 0)
            o->half = bench_half(value);
        else if (strcmp(argv[i], "--tabular") == 0)
            o->tabular = strcmp(value, "0") != 0;
        else if (strcmp(argv[i], "--most-rows") == 0)
            o->most_rows = bench_count(value, INT64_MAX);
        else if (strcmp(argv[i], "--set") == 0)
            bench_assign(o->params, value);
        else
            bench_die(argv[i], "unknown option");
    }
}

/* Sets whose files have no number are numbered as they come, whichever are wanted. */
static int find_sets(table_set sets[MAX_SETS], const options *o)
{
    static table_set every[MAX_SETS];
    int n = o->tabular ? sets_find(sets, o->sets) : sets_find_all(sets, o->sets);
    int all = sets_find_all(every, NULL), without = 0, kept = 0;
    for (int i = 0; i < all; i++) {
        if (!every[i].number) every[i].number = ++without;
        for (int k = 0; k < n; k++)
            if (strcmp(sets[k].path, every[i].path) == 0) sets[k].number = every[i].number;
    }
    for (int k = 0; k < n; k++)
        if (!o->half || sets[k].number % 2 == o->half % 2) sets[kept++] = sets[k];
    if (!kept) bench_die("sets", "none is left");
    return kept;
}

int main(int argc, char **argv)
{
    static table_set sets[MAX_SETS];
    static result all[MAX_SETS];
    bin bins[BINS] = {0};
    options o = {.most_rows = INT64_MAX, .params = new_params(), .forest = new_params()};
    int judged = 0;
    bench_set(o.forest, "method", "iforest");
    parse(&o, argc, argv);
    int n = find_sets(sets, &o);
    bench_head(argc, argv, o.params);
    print_heading();
    for (int i = 0; i < n; i++) {
        sample s = read_rows(&sets[i], o.most_rows);
        printf("| %d | %s | %lld |", sets[i].number, sets[i].name, (long long)s.rows);
        if (s.outliers) {
            all[judged] = judge(sets[i].name, &s, &o, bins);
            print_result(&all[judged++]);
        } else {
            printf(" no outlier is among these rows |\n");
        }
        release(&s);
    }
    if (!judged) bench_die("sets", "none has outliers");
    print_mean(all, judged);
    print_bins(bins);
    odim_params_free(o.params);
    odim_params_free(o.forest);
    return 0;
}
