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

/* A class of a source under a reading, the cheap ones first. */
static const struct reading {
    const char *source, *setting, *assignments, *title;
} readings[] = {
    {"fashion", "variance, fast", "preset=fast", "Fashion-MNIST, a variance for each pixel, preset fast"},
    {"mnist", "bernoulli, fast", "likelihood=bernoulli preset=fast", "MNIST, black and white, preset fast"},
    {"fashion", "variance, B=2", "members=2", "Fashion-MNIST, a variance for each pixel, two members"},
    {"mnist", "bernoulli, B=2", "likelihood=bernoulli members=2", "MNIST, black and white, two members"},
    {"fashion", "unit, B=2", "likelihood=unit members=2", "Fashion-MNIST, variance 1, two members"},
    {"mnist", "bernoulli", "likelihood=bernoulli", "MNIST, black and white"},
    {"fashion", "variance", NULL, "Fashion-MNIST, a variance for each pixel"},
};
enum { READINGS = sizeof readings / sizeof *readings };

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

static void measure_class(exp_run *r, const struct reading *reading, int class)
{
    const char *source = reading->source, *setting = reading->setting;
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
        odim_params *params = exp_params(r, seed, reading->assignments);
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
    for (int i = 0; i < READINGS; i++)
        for (int class = 0; class < PICTURE_CLASSES; class ++) measure_class(r, &readings[i], class);
}

static void report_one(const exp_run *r, FILE *page, const tsv *paper, const struct reading *reading)
{
    static const char *const auc[] = {"auc"}, *const pr[] = {"pr"}, *const glow[] = {"auc glow"};
    const char *settings[] = {reading->setting};
    const char *title = reading->title;
    exp_comparison b = {.settings = settings, .count = 1, .paper = paper, .what = "inliers"};
    double ours, theirs;
    b.value = "auc", b.theirs = glow;
    if (!exp_means(r, &b, 0, &ours, &theirs)) return;
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
    for (int i = READINGS - 1; i >= 0; i--) report_one(r, page, paper, &readings[i]);
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
