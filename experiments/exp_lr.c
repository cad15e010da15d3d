/* The learning rate on raw pictures of Fashion-MNIST, for the time it takes with two members of ten. */
#include <stdlib.h>

#include "bench.h"
#include "experiment.h"
#include "pictures.h"

enum { RATES = 10 };
static const char *const rates[RATES] = {"1e-4", "2.5e-4", "5e-4",   "1e-3", "2.5e-3",
                                         "5e-3", "1e-2",   "2.5e-2", "5e-2", "1e-1"};
static const char *const assignments[RATES] = {"lr=1e-4", "lr=2.5e-4", "lr=5e-4",   "lr=1e-3", "lr=2.5e-3",
                                               "lr=5e-3", "lr=1e-2",   "lr=2.5e-2", "lr=5e-2", "lr=1e-1"};

static void measure_class(exp_run *r, int class, int seed)
{
    char name[SET_NAME];
    snprintf(name, sizeof name, "fashion%d", class);
    pictures p = {.table = NULL};
    double *scores = NULL;
    for (int i = 0; i < RATES; i++) {
        if (!sets_listed(r->sets, name) || !exp_wants(r, name, rates[i], seed)) continue;
        if (!p.table) {
            pictures_make(&p, "fashion", class, 0, (uint64_t)seed);
            scores = malloc((size_t)odim_table_rows(p.table) * sizeof *scores);
            if (!scores) bench_die(name, "out of memory");
        }
        odim_params *params = exp_params(r, seed, assignments[i]);
        set_result s = sets_detect(name, p.table, p.labels, params, scores);
        exp_put(r, name, rates[i], seed, (double[]){s.auc, s.ap, s.wall, s.updates});
        odim_params_free(params);
    }
    free(scores);
    if (p.table) pictures_free(&p);
}

static void measure(exp_run *r)
{
    for (int seed = 0; seed < r->seeds; seed++)
        for (int class = 0; class < PICTURE_CLASSES; class ++) measure_class(r, class, seed);
}

static void report(const exp_run *r, FILE *page)
{
    static const double x[RATES] = {1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 1e-1};
    tsv *paper = exp_paper("lr");
    exp_comparison b = {.value = "auc", .settings = rates, .count = RATES, .paper = paper, .what = "inliers"};
    fputs("\n## AUC\n", page);
    exp_table(r, page, &b);
    exp_curves(r, page, &b,
               &(exp_axis){"AUC and the learning rate, Fashion-MNIST", "learning rate", "AUC", x, true});
    b.value = "updates", b.paper = NULL;
    fputs("\n## Updates, mean over the members\n", page);
    exp_table(r, page, &b);
    tsv_free(paper);
}

const experiment exp_lr = {
    .name = "lr",
    .about = "The learning rate on Fashion-MNIST (Table C.43)",
    .columns = "auc ap seconds updates",
    .base = "scale=none members=2",
    .seeds = 1,
    .measure = measure,
    .report = report,
};
