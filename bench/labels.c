/*
 * What do a few known outliers help? The paper's table D.1: six tables, of whose outliers none, three tenths
 * and a half are known.
 *
 *     labels [--seeds N] [--sets NAME,...] [--set PARAMETER=VALUE]...
 *
 * The page it writes is docs/experiments/LABELS.md, where below it stands what we make of it. As in the paper
 * the known outliers are in the table that is scored: of AUC and AP over all rows a part is what was told
 * beforehand. Beside them is the AUC over the rows of which nothing was known.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "sets.h"

enum { SHARES = 3, PAPER_SETS = 6, MOST_SEEDS = 1000 };
static const double shares[SHARES] = {0.0, 0.3, 0.5};

typedef struct measure {
    double auc, ap, others; /* others: AUC over the rows of which nothing is known */
} measure;

static const struct paper_row {
    const char *name;
    measure at[SHARES];
} paper[PAPER_SETS] = {
    {"arrhythmiaodds", {{0.800, 0.443, 0}, {0.837, 0.767, 0}, {0.888, 0.772, 0}}},
    {"cardio", {{0.916, 0.564, 0}, {0.991, 0.934, 0}, {0.993, 0.943, 0}}},
    {"satellite", {{0.690, 0.652, 0}, {0.868, 0.849, 0}, {0.881, 0.849, 0}}},
    {"satimage2", {{0.997, 0.949, 0}, {0.998, 0.954, 0}, {0.999, 0.958, 0}}},
    {"shuttle", {{0.981, 0.947, 0}, {0.990, 0.977, 0}, {0.990, 0.979, 0}}},
    {"thyroid", {{0.928, 0.327, 0}, {0.995, 0.844, 0}, {0.995, 0.845, 0}}},
};

typedef struct settings {
    odim_params *params;
    const char *sets;
    long long seeds;
} settings;

/* ---- one run ---------------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* Marks the share of the outliers as known, chosen at random. */
static void choose_known(const int8_t *labels, int64_t n, double share, uint64_t seed, int8_t *known)
{
    int64_t outliers = 0;
    for (int64_t i = 0; i < n; i++) outliers += labels[i];
    int64_t left = outliers, want = (int64_t)(share * (double)outliers + 0.5);
    for (int64_t i = 0; i < n; i++) {
        known[i] = -1;
        if (!labels[i]) continue;
        if ((int64_t)(next_random(&seed) % (uint64_t)left) < want) {
            known[i] = 1;
            want--;
        }
        left--;
    }
}

static measure judge(const char *name, const double *scores, const int8_t *labels, const int8_t *known,
                     int64_t n)
{
    measure m;
    odim_error err;
    bench_check(name, odim_auc(scores, labels, n, &m.auc, &err), &err);
    bench_check(name, odim_average_precision(scores, labels, n, &m.ap, &err), &err);
    double *some = malloc((size_t)n * sizeof *some);
    int8_t *theirs = malloc((size_t)n);
    if (!some || !theirs) bench_die(name, "out of memory");
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (known[i] >= 0) continue;
        some[count] = scores[i];
        theirs[count++] = labels[i];
    }
    bench_check(name, odim_auc(some, theirs, count, &m.others, &err), &err);
    free(some);
    free(theirs);
    return m;
}

static measure run(const char *name, odim_table *table, const odim_params *params, double share,
                   uint64_t seed)
{
    odim_error err;
    odim_model *model;
    int64_t n = odim_table_rows(table);
    const int8_t *labels = odim_table_labels(table);
    double *scores = malloc((size_t)n * sizeof *scores);
    int8_t *known = malloc((size_t)n);
    if (!scores || !known) bench_die(name, "out of memory");
    choose_known(labels, n, share, seed, known);
    bench_check(name, odim_table_set_known(table, known, &err), &err);
    bench_check(name, odim_detect(table, params, NULL, &model, scores, &err), &err);
    measure m = judge(name, scores, labels, known, n);
    odim_model_free(model);
    free(scores);
    free(known);
    return m;
}

/* The means over the seeds, of one set. */
static void run_set(const settings *s, const table_set *set, measure out[SHARES])
{
    odim_table *table = sets_read(set);
    for (int i = 0; i < SHARES; i++) {
        out[i] = (measure){0, 0, 0};
        for (long long seed = 0; seed < s->seeds; seed++) {
            char text[24];
            snprintf(text, sizeof text, "%lld", seed);
            bench_set(s->params, "seed", text);
            measure m = run(set->name, table, s->params, shares[i], (uint64_t)seed);
            out[i].auc += m.auc / (double)s->seeds;
            out[i].ap += m.ap / (double)s->seeds;
            out[i].others += m.others / (double)s->seeds;
        }
        fprintf(stderr, "%s, %.1f known: AUC %.3f, AP %.3f, AUC of the others %.3f\n", set->name, shares[i],
                out[i].auc, out[i].ap, out[i].others);
    }
    odim_table_free(table);
}

/* ---- the page --------------------------------------------------------------------------------------- */

static const struct paper_row *find_paper(const char *name)
{
    for (int i = 0; i < PAPER_SETS; i++)
        if (strcmp(paper[i].name, name) == 0) return &paper[i];
    return NULL;
}

static void print_head(const settings *s, int argc, char **argv)
{
    char about[256];
    bench_describe(about, sizeof about);
    printf("# A few known outliers\n\n"
           "Written by bench/labels. Of the outliers of each set a share l is known in fitting, chosen at\n"
           "random for each seed. Means over seeds 0 to %lld. Paper: table D.1 of Kim et al., ICML 2024.\n"
           "AUC and AP (average precision) are over all rows, the known ones included, as in the paper;\n"
           "\"others\" is the AUC over the rows of which nothing was known, which is what the known ones\n"
           "help to find.\n\n"
           "- Machine and version: %s\n- Command: `bench/labels",
           s->seeds - 1, about);
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    printf("`\n");
}

static void print_table(const char *what, bool others)
{
    printf("\n## %s\n\n| set |", what);
    for (int i = 0; i < SHARES; i++)
        printf(" l = %.1f | paper |%s", shares[i], others && shares[i] > 0 ? " others |" : "");
    printf("\n|:--|");
    for (int i = 0; i < SHARES; i++) printf("--:|--:|%s", others && shares[i] > 0 ? "--:|" : "");
    printf("\n");
}

static void print_row(const char *name, const measure *ours, const measure *theirs, bool ap)
{
    printf("| %s |", name);
    for (int i = 0; i < SHARES; i++) {
        printf(" %.3f | %.3f |", ap ? ours[i].ap : ours[i].auc, ap ? theirs[i].ap : theirs[i].auc);
        if (!ap && shares[i] > 0) printf(" %.3f |", ours[i].others);
    }
    printf("\n");
}

static void add(measure *sum, const measure *m, int count)
{
    for (int i = 0; i < SHARES; i++) {
        sum[i].auc += m[i].auc / count;
        sum[i].ap += m[i].ap / count;
        sum[i].others += m[i].others / count;
    }
}

static void parse(settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!value) bench_die(argv[i], "unknown option, or its value is missing");
        if (strcmp(argv[i], "--seeds") == 0)
            s->seeds = bench_count(value, MOST_SEEDS);
        else if (strcmp(argv[i], "--sets") == 0)
            s->sets = value;
        else if (strcmp(argv[i], "--set") == 0)
            bench_assign(s->params, value);
        else
            bench_die(argv[i], "unknown option");
    }
}

int main(int argc, char **argv)
{
    static table_set sets[MAX_SETS];
    static measure ours[MAX_SETS][SHARES];
    settings s = {.params = odim_params_new(),
                  .sets = "arrhythmiaodds,cardio,satellite,satimage2,shuttle,thyroid",
                  .seeds = 5};
    if (!s.params) bench_die("parameters", "out of memory");
    parse(&s, argc, argv);
    int count = sets_find(sets, s.sets);
    measure mean[SHARES] = {{0, 0, 0}}, paper_mean[SHARES] = {{0, 0, 0}};
    for (int i = 0; i < count; i++) {
        const struct paper_row *p = find_paper(sets[i].name);
        if (!p) bench_die(sets[i].name, "is not in the paper's table D.1");
        run_set(&s, &sets[i], ours[i]);
        add(mean, ours[i], count);
        add(paper_mean, p->at, count);
    }
    print_head(&s, argc, argv);
    for (int ap = 0; ap < 2; ap++) {
        print_table(ap ? "Average precision" : "AUC", !ap);
        for (int i = 0; i < count; i++) print_row(sets[i].name, ours[i], find_paper(sets[i].name)->at, ap);
        print_row("**mean**", mean, paper_mean, ap);
    }
    odim_params_free(s.params);
    return 0;
}
