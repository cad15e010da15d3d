/* Seconds of odim_detect, fitting and scoring, without reading. The paper's were measured with a graphics
 * card. */
#include <math.h>

#include "experiment.h"

#define PRESETS 2
static const char *const presets[PRESETS] = {"paper", "fast"};
static const char *const assignments[PRESETS] = {"preset=paper", "preset=fast"};

static void measure(exp_run *r)
{
    exp_sweep(r, "cover,mammography,pendigits,satellite,shuttle", presets, assignments, PRESETS);
}

static void report(const exp_run *r, FILE *page)
{
    tsv *paper = exp_paper("time");
    fputs("\n| set | ours, seconds | ours, preset fast | the paper's ODIM | isolation forest | LOF | OCSVM | "
          "DeepSVDD |\n"
          "|:--|--:|--:|--:|--:|--:|--:|--:|\n",
          page);
    for (int i = 0; i < paper->count; i++) {
        const tsv_row *row = &paper->rows[i];
        double ours = cells_mean(r->cells, row->key[0], "paper", "seconds", NULL);
        if (isnan(ours)) continue;
        fprintf(page, "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", row->key[0], ours,
                cells_mean(r->cells, row->key[0], "fast", "seconds", NULL), tsv_value(paper, row, "odim"),
                tsv_value(paper, row, "iforest"), tsv_value(paper, row, "lof"),
                tsv_value(paper, row, "ocsvm"), tsv_value(paper, row, "deepsvdd"));
    }
    tsv_free(paper);
}

const experiment exp_time = {
    .name = "time",
    .about = "Seconds (the table of running times)",
    .columns = "auc ap seconds updates",
    .seeds = 3,
    .measure = measure,
    .report = report,
};
