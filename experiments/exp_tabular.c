/* The ADBench tables with default settings, compared with the paper's ODIM and its two best other methods. */
#include <math.h>

#include "experiment.h"

static const char *const settings[] = {"default"};

static void measure(exp_run *r)
{
    static const char *const assignments[] = {NULL};
    exp_sweep(r, NULL, settings, assignments, 1);
}

/* Of one value, "auc" or "ap", the table and the means of others. */
static void report_value(const exp_run *r, FILE *page, const tsv *paper, const char *value, const char *title)
{
    enum { OTHERS = 3 };
    static const char *const titles[] = {"ours"};
    static const char *const methods[OTHERS] = {"odim", "iforest", "mcd"};
    static const char *const names[OTHERS] = {"the paper's ODIM", "isolation forest", "MCD"};
    char column[OTHERS][TSV_NAME];
    const char *theirs[1];
    exp_comparison b = {.value = value, .settings = settings, .titles = titles, .count = 1, .paper = paper};
    double ours = NAN, mean[OTHERS];
    int sets = 0;
    for (int i = 0; i < OTHERS; i++) {
        snprintf(column[i], TSV_NAME, "%s_%s", value, methods[i]);
        theirs[0] = column[i];
        b.theirs = theirs;
        sets = exp_means(r, &b, 0, &ours, &mean[i]);
    }
    fprintf(page, "\n## %s\n\nMeans over the %d sets that the paper also has: ours %.3f", title, sets, ours);
    for (int i = 0; i < OTHERS; i++) fprintf(page, ", %s %.3f", names[i], mean[i]);
    fputs(".\n", page);
    theirs[0] = column[0];
    exp_table(r, page, &b);
}

static void report(const exp_run *r, FILE *page)
{
    tsv *paper = exp_paper("odim");
    report_value(r, page, paper, "auc", "AUC");
    report_value(r, page, paper, "ap", "Average precision");
    tsv_free(paper);
}

const experiment exp_tabular = {
    .name = "tabular",
    .about = "Tables of ADBench (Tables 1, C.2 and C.3)",
    .columns = "auc ap seconds updates",
    .measure = measure,
    .report = report,
};
