/*
 * How much do a few known outliers help? Six tables, of whose outliers none, three tenths and a half are
 * known. As in the paper the known outliers are in the table that is scored: of AUC and AP over all rows a
 * part is what was told beforehand. Beside them is the AUC over the rows of which nothing was known.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "experiment.h"

enum { SHARES = 3 };
static const double shares[SHARES] = {0.0, 0.3, 0.5};
static const char *const settings[SHARES] = {"l=0.0", "l=0.3", "l=0.5"};

/* Marks the share of the outliers as known, chosen at random. */
static void choose_known(const int8_t *labels, int64_t n, double share, uint64_t seed, int8_t *known)
{
    int64_t outliers = 0;
    for (int64_t i = 0; i < n; i++) outliers += labels[i];
    int64_t left = outliers, want = (int64_t)(share * (double)outliers + 0.5);
    for (int64_t i = 0; i < n; i++) {
        known[i] = -1;
        if (!labels[i]) continue;
        if ((int64_t)(exp_random(&seed) % (uint64_t)left) < want) {
            known[i] = 1;
            want--;
        }
        left--;
    }
}

/* AUC over the rows of which nothing is known. Leaves their scores at the front of `scores`. */
static double judge_others(const char *name, double *scores, const int8_t *labels, const int8_t *known,
                           int64_t n)
{
    odim_error err;
    double auc;
    int8_t *theirs = malloc((size_t)n);
    if (!theirs) bench_die(name, "out of memory");
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (known[i] >= 0) continue;
        scores[count] = scores[i];
        theirs[count++] = labels[i];
    }
    bench_check(name, odim_auc(scores, theirs, count, &auc, &err), &err);
    free(theirs);
    return auc;
}

static void measure_cell(exp_run *r, const char *name, odim_table *table, int share, int seed)
{
    odim_error err;
    int64_t n = odim_table_rows(table);
    const int8_t *labels = odim_table_labels(table);
    double *scores = malloc((size_t)n * sizeof *scores);
    int8_t *known = malloc((size_t)n);
    if (!scores || !known) bench_die(name, "out of memory");
    choose_known(labels, n, shares[share], (uint64_t)seed, known);
    bench_check(name, odim_table_set_known(table, known, &err), &err);
    odim_params *params = exp_params(r, seed, NULL);
    set_result s = sets_detect(name, table, labels, params, scores);
    double others = judge_others(name, scores, labels, known, n);
    exp_put(r, name, settings[share], seed, (double[]){s.auc, s.ap, others, s.wall});
    odim_params_free(params);
    free(scores);
    free(known);
}

static void measure(exp_run *r)
{
    static table_set sets[MAX_SETS];
    int count =
        sets_find(sets, r->sets ? r->sets : "arrhythmiaodds,cardio,satellite,satimage2,shuttle,thyroid");
    for (int seed = 0; seed < r->seeds; seed++) {
        for (int i = 0; i < count; i++) {
            odim_table *table = NULL;
            for (int j = 0; j < SHARES; j++) {
                if (!exp_wants(r, sets[i].name, settings[j], seed)) continue;
                if (!table) table = sets_read(&sets[i]);
                measure_cell(r, sets[i].name, table, j, seed);
            }
            odim_table_free(table);
        }
    }
}

static void report(const exp_run *r, FILE *page)
{
    static const char *const titles[SHARES] = {"l = 0.0", "l = 0.3", "l = 0.5"};
    static const char *const auc[SHARES] = {"auc 0.0", "auc 0.3", "auc 0.5"};
    static const char *const ap[SHARES] = {"ap 0.0", "ap 0.3", "ap 0.5"};
    tsv *paper = exp_paper("labels");
    exp_comparison b = {.settings = settings, .titles = titles, .count = SHARES};
    fputs("\nOf the outliers of each set a share l is known in fitting, chosen at random for each seed.\n"
          "\n## AUC over all rows, the known ones included\n",
          page);
    b.value = "auc", b.theirs = auc, b.paper = paper;
    exp_table(r, page, &b);
    fputs("\n## Average precision over all rows\n", page);
    b.value = "ap", b.theirs = ap;
    exp_table(r, page, &b);
    fputs("\n## AUC over the rows of which nothing was known\n", page);
    b.value = "others", b.paper = NULL;
    exp_table(r, page, &b);
    tsv_free(paper);
}

const experiment exp_labels = {
    .name = "labels",
    .about = "A few known outliers (Table D.1)",
    .columns = "auc ap others seconds",
    .measure = measure,
    .report = report,
};
