/*
 * The number of members B. A member depends on the seed and its number and not on how many there are: the
 * first B members of the largest ensemble are an ensemble of B. So it is fitted once, and its members are
 * scored with one by one; looks inside for that.
 */
#include <stdlib.h>

#include "bench.h"
#include "experiment.h"
#include "model/model.h"
#include "score/score.h"

enum { SIZES = 7, MOST = 20 };
static const int sizes[SIZES] = {1, 2, 5, 10, 12, 15, MOST};
static const char *const settings[SIZES] = {"B=1", "B=2", "B=5", "B=10", "B=12", "B=15", "B=20"};

static void add_scores(const char *name, const odim_model *model, int member, const odim_table *table,
                       int64_t threads, double *sum, double *scratch)
{
    odim_error err;
    struct odim_model one = *model; /* shares everything with it, and is never freed */
    one.members = 1;
    one.member = model->member + member;
    int64_t n = odim_table_rows(table);
    bench_check(
        name, od_score_rows(&one, &(od_table_rows){table, NULL, n}, &(od_run){threads, NULL}, scratch, &err),
        &err);
    for (int64_t i = 0; i < n; i++) sum[i] += scratch[i];
}

static void measure_set(exp_run *r, const char *name, const odim_table *table, int seed)
{
    odim_error err;
    odim_model *model;
    int64_t n = odim_table_rows(table);
    double *sum = calloc((size_t)n, sizeof *sum), *scratch = malloc((size_t)n * sizeof *scratch);
    if (!sum || !scratch) bench_die(name, "out of memory");
    odim_params *params = exp_params(r, seed, "members=20");
    bench_check(name, odim_fit(table, params, NULL, &model, &err), &err);
    int done = 0;
    for (int i = 0; i < SIZES; i++) {
        for (; done < sizes[i]; done++)
            add_scores(name, model, done, table, model->config.threads, sum, scratch);
        double values[2];
        const int8_t *labels = odim_table_labels(table);
        bench_check(name, odim_auc(sum, labels, n, &values[0], &err), &err);
        bench_check(name, odim_average_precision(sum, labels, n, &values[1], &err), &err);
        if (!cells_has(r->cells, name, settings[i], seed)) exp_put(r, name, settings[i], seed, values);
    }
    odim_params_free(params);
    odim_model_free(model);
    free(sum);
    free(scratch);
}

static void measure(exp_run *r)
{
    static table_set sets[MAX_SETS];
    int count =
        sets_find(sets, r->sets ? r->sets : "cardio,glass,mammography,pendigits,pima,thyroid,vowels,wbc");
    for (int i = 0; i < count; i++) {
        odim_table *table = sets_read(&sets[i]);
        for (int seed = 0; seed < r->seeds; seed++) /* the last cell of a set is there when all are */
            if (exp_wants(r, sets[i].name, settings[SIZES - 1], seed))
                measure_set(r, sets[i].name, table, seed);
        odim_table_free(table);
    }
}

static void report(const exp_run *r, FILE *page)
{
    static const double x[SIZES] = {1, 2, 5, 10, 12, 15, MOST};
    tsv *paper = exp_paper("members");
    exp_comparison b = {.value = "auc", .settings = settings, .count = SIZES, .paper = paper};
    fputs("\n## AUC\n", page);
    exp_table(r, page, &b);
    exp_curves(r, page, &b, &(exp_axis){"AUC and the number of members", "members B", "AUC", x, true});
    b.value = "ap", b.paper = NULL;
    fputs("\n## Average precision (the paper has none)\n", page);
    exp_table(r, page, &b);
    tsv_free(paper);
}

const experiment exp_members = {
    .name = "members",
    .about = "The number of members B of the ensemble (Table C.41)",
    .columns = "auc ap",
    .seeds = 3,
    .measure = measure,
    .report = report,
};
