/*
 * Raw pictures: each class of MNIST and Fashion-MNIST in turn is the inliers, and a tenth of all pictures are
 * others. MNIST is made black and white, with the Bernoulli likelihood. For Fashion-MNIST there are two
 * readings: the likelihood of the tables, with a variance for each pixel ("variance"), and a variance of 1
 * ("unit"). Pixels are between 0 and 1 as they are; everything else is as for tables.
 *
 * What the paper calls PR is that of the inliers here: its numbers are above .7 for scores worse than chance.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "experiment.h"
#include "pictures.h"

#define UNIT "unit, B=2"

static double inlier_precision(const char *name, const double *scores, const int8_t *labels, int64_t n)
{
    double *turned = malloc((size_t)n * sizeof *turned), ap;
    int8_t *inlier = malloc((size_t)n);
    if (!turned || !inlier) bench_die(name, "out of memory");
    for (int64_t i = 0; i < n; i++) {
        turned[i] = -scores[i];
        inlier[i] = !labels[i];
    }
    odim_error err;
    bench_check(name, odim_average_precision(turned, inlier, n, &ap, &err), &err);
    free(turned);
    free(inlier);
    return ap;
}

static void measure_class(exp_run *r, const char *source, int class, const char *setting,
                          const char *assignments)
{
    char name[SET_NAME];
    snprintf(name, sizeof name, "%s%d", source, class);
    if (!sets_listed(r->sets, name) && !sets_listed(r->sets, source)) return;
    for (int seed = 0; seed < r->seeds; seed++) {
        if (!exp_wants(r, name, setting, seed)) continue;
        pictures p;
        pictures_make(&p, source, class, strcmp(source, "mnist") == 0, (uint64_t)seed);
        int64_t n = odim_table_rows(p.table);
        double *scores = malloc((size_t)n * sizeof *scores);
        if (!scores) bench_die(name, "out of memory");
        odim_params *params = exp_params(r, seed, assignments);
        set_result s = sets_detect(name, p.table, p.labels, params, scores);
        double pr = inlier_precision(name, scores, p.labels, n);
        exp_put(r, name, setting, seed, (double[]){s.auc, s.ap, pr, s.wall, s.updates});
        odim_params_free(params);
        free(scores);
        pictures_free(&p);
    }
}

static void measure(exp_run *r)
{
    for (int class = 0; class < PICTURE_CLASSES; class ++) {
        measure_class(r, "fashion", class, "variance", NULL);
        measure_class(r, "mnist", class, "bernoulli", "likelihood=bernoulli");
    }
    for (int class = 0; class < PICTURE_CLASSES; class ++)
        measure_class(r, "fashion", class, UNIT, "likelihood=unit members=2");
}

static void report_one(const exp_run *r, FILE *page, const tsv *paper, const char *setting, const char *title)
{
    static const char *const auc[] = {"auc"}, *const pr[] = {"pr"}, *const glow[] = {"auc glow"};
    const char *settings[] = {setting};
    exp_beside b = {.settings = settings, .count = 1, .paper = paper, .what = "inliers"};
    double ours, theirs;
    b.value = "auc", b.theirs = glow;
    exp_means(r, &b, 0, &ours, &theirs);
    fprintf(page, "\n## %s: AUC\n", title);
    b.theirs = auc;
    exp_table(r, page, &b);
    fprintf(page, "\nThe paper's GLOW (Nalisnick et al.) has a mean of %.3f.\n", theirs);
    fprintf(page, "\n## %s: average precision of the inliers\n", title);
    b.value = "pr", b.theirs = pr;
    exp_table(r, page, &b);
}

static void report(const exp_run *r, FILE *page)
{
    tsv *paper = exp_paper("images");
    report_one(r, page, paper, "bernoulli", "MNIST, black and white");
    report_one(r, page, paper, "variance", "Fashion-MNIST, with a variance for each pixel");
    report_one(r, page, paper, UNIT, "Fashion-MNIST, with variance 1 and two members");
    tsv_free(paper);
}

const experiment exp_images = {
    .name = "images",
    .about = "Raw pictures of MNIST and Fashion-MNIST (Tables D.3 and D.4)",
    .columns = "auc ap pr seconds updates",
    .base = "scale=none",
    .seeds = 1,
    .measure = measure,
    .report = report,
};
