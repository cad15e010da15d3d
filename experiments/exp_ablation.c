/* One parameter at a time, on the sets of the paper's ablation: samples (K), patience (N_pat), scaling; and
 * the kind of network. */
#include "experiment.h"

#define EIGHT_SETS   "cardio,glass,mammography,pendigits,pima,thyroid,vowels,wbc"
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void report_sweep(const exp_run *r, FILE *page, const char *paper_name, const char *const *settings,
                         const char *const *titles, int count, const exp_axis *axis)
{
    tsv *paper = paper_name ? exp_paper(paper_name) : NULL;
    exp_comparison b = {
        .value = "auc", .settings = settings, .titles = titles, .count = count, .paper = paper};
    fputs("\n## AUC\n", page);
    exp_table(r, page, &b);
    if (axis) exp_curves(r, page, &b, axis);
    b.value = "ap", b.paper = NULL;
    fprintf(page, "\n## Average precision%s\n", paper ? " (the paper has none)" : "");
    exp_table(r, page, &b);
    b.value = "updates";
    fputs("\n## Updates, mean over the members\n", page);
    exp_table(r, page, &b);
    if (paper) tsv_free(paper);
}

/* ---- samples ---------------------------------------------------------------------------------------- */

static const char *const samples[] = {"K=1", "K=2", "K=5", "K=10", "K=20", "K=50", "K=70", "K=100"};

static void measure_samples(exp_run *r)
{
    static const char *const assignments[] = {"samples=1",  "samples=2",  "samples=5",  "samples=10",
                                              "samples=20", "samples=50", "samples=70", "samples=100"};
    exp_sweep(r, EIGHT_SETS, samples, assignments, COUNT(samples));
}

static void report_samples(const exp_run *r, FILE *page)
{
    static const double x[] = {1, 2, 5, 10, 20, 50, 70, 100};
    report_sweep(r, page, "samples", samples, NULL, COUNT(samples),
                 &(exp_axis){"AUC and the number of samples", "samples K", "AUC", x, true});
}

const experiment exp_samples = {
    .name = "samples",
    .about = "The number of samples K, of which 1 is the VAE (Table C.40)",
    .columns = "auc ap seconds updates",
    .seeds = 3,
    .measure = measure_samples,
    .report = report_samples,
};

/* ---- patience --------------------------------------------------------------------------------------- */

static const char *const patience[] = {"1", "2", "5", "10", "15"};

static void measure_patience(exp_run *r)
{
    static const char *const assignments[] = {"check-every=10 patience=1", "check-every=10 patience=2",
                                              "check-every=10 patience=5", "check-every=10 patience=10",
                                              "check-every=10 patience=15"};
    exp_sweep(r, EIGHT_SETS, patience, assignments, COUNT(patience));
}

static void report_patience(const exp_run *r, FILE *page)
{
    static const char *const titles[] = {"N_pat = 1", "2", "5", "10", "15"};
    static const double x[] = {1, 2, 5, 10, 15};
    report_sweep(r, page, "patience", patience, titles, COUNT(patience),
                 &(exp_axis){"AUC and the patience", "patience N_pat", "AUC", x, true});
}

const experiment exp_patience = {
    .name = "patience",
    .about = "The patience N_pat of the stop rule (Table C.42)",
    .columns = "auc ap seconds updates",
    .seeds = 3,
    .measure = measure_patience,
    .report = report_patience,
};

/* ---- scaling ---------------------------------------------------------------------------------------- */

static const char *const scales[] = {"minmax", "standard"};

static void measure_scale(exp_run *r)
{
    static const char *const assignments[] = {"scale=minmax", "scale=standard"};
    exp_sweep(r,
              "aloi,arrhythmiaodds,backdoor,breastw,cardio,celeba,cover,glass,ionosphere,landsat,letter,"
              "mammography,musk,pendigits,pima,satellite,satimage2,shuttle,thyroid,vertebral,vowels,wbc",
              scales, assignments, COUNT(scales));
}

static void report_scale(const exp_run *r, FILE *page)
{
    static const char *const titles[] = {"min-max", "standard"};
    report_sweep(r, page, "scale", scales, titles, COUNT(scales), NULL);
}

const experiment exp_scale = {
    .name = "scale",
    .about = "Min-max scaling and standardisation (Table C.44)",
    .columns = "auc ap seconds updates",
    .seeds = 3,
    .measure = measure_scale,
    .report = report_scale,
};

/* ---- kinds of networks -------------------------------------------------------------------------------- */

static const char *const kinds[] = {"iwae", "flow"};

static void measure_kinds(exp_run *r)
{
    static const char *const assignments[] = {"model=iwae", "model=flow"};
    exp_sweep(r,
              "arrhythmiaodds,breastw,cardio,glass,hepatitis,ionosphere,landsat,letter,mammography,musk,"
              "pendigits,pima,satellite,satimage2,stamps,thyroid,vertebral,vowels,wbc,wdbc,wpbc",
              kinds, assignments, COUNT(kinds));
}

static void report_kinds(const exp_run *r, FILE *page)
{
    static const char *const titles[] = {"autoencoder", "flow"};
    report_sweep(r, page, NULL, kinds, titles, COUNT(kinds), NULL);
    exp_comparison b = {.value = "seconds", .settings = kinds, .titles = titles, .count = COUNT(kinds)};
    fputs("\n## Seconds\n", page);
    exp_table(r, page, &b);
}

const experiment exp_kinds = {
    .name = "kinds",
    .about = "Autoencoder and flow on the smaller sets (Appendix B says: the flow detects worse)",
    .columns = "auc ap seconds updates",
    .seeds = 1,
    .measure = measure_kinds,
    .report = report_kinds,
};
