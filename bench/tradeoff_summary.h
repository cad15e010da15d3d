/* What the runs of bench/tradeoff come to: the settings compared on the same sets and seeds. */
#ifndef TRADEOFF_SUMMARY_H
#define TRADEOFF_SUMMARY_H

#include "tradeoff_data.h"

enum { SEED, SET, SETTING, KINDS, MAX_KIND = MAX_SETS }; /* kinds: what a run belongs to */
enum { AUC, AP, METRICS };

/* The runs, by setting, set and seed. */
typedef struct tradeoff_grid {
    const tradeoff *data;
    const char *sets[MAX_SETS];
    int seeds[MAX_SEEDS];
    int count[KINDS];
    const tradeoff_row *runs[MAX_SETTINGS][MAX_SETS][MAX_SEEDS]; /* NULL: missing */
    int kept[KINDS][MAX_KIND], kept_count[KINDS];                /* places in the arrays above */
} tradeoff_grid;

typedef struct tradeoff_summary {
    const tradeoff_setting *setting;
    double mean[METRICS];
    double lead[METRICS];  /* over the first setting */
    double error[METRICS]; /* standard error of that; NAN with one seed */
    double time;           /* CPU time; the first setting's is 1 */
    double worst;          /* the lead in AUC on the set where it is least */
    const char *worst_set;
} tradeoff_summary;

/* Where runs are missing, the settings, sets and seeds that lack the most are left out until none is. The
 * first setting stays; the program ends when nothing else does. */
void tradeoff_fill(tradeoff_grid *g, const tradeoff *t);

/* One for each setting that is kept. */
void tradeoff_summarise(const tradeoff_grid *g, tradeoff_summary *all);

#endif
