/*
 * How well do the scores rank the outliers of the ADBench tables, compared with the paper's numbers?
 *
 *     accuracy [--seed N] [--sets NAME,...] [--set PARAMETER=VALUE]... [--markdown]
 *
 * Preset paper, and raw scores. The sets are those of sets.h; the paper's numbers are in
 * experiments/paper_odim.tsv. --markdown writes ACCURACY.md.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "sets.h"
#include "tsv.h"

typedef struct settings {
    odim_params *params;
    const char *sets; /* NULL: all */
    int markdown;
} settings;

typedef struct total {
    int sets, near; /* near: within NEAR_AUC of the paper */
    double auc, ap, paper_auc, paper_ap;
} total;

#define NEAR_AUC 0.05

/* ---- the table -------------------------------------------------------------------------------------- */

static void print_head(const settings *s, int argc, char **argv)
{
    if (s->markdown) {
        char about[256];
        printf("# Accuracy on the ADBench tables\n\n");
        printf("Written by bench/accuracy. Paper: the ODIM columns of Kim et al., ICML 2024, appendix C.\n"
               "AP is average precision. Updates and best are means over the members. Seconds are for\n"
               "fitting and scoring, without reading.\n\n");
        bench_describe(about, sizeof about);
        printf("- Machine and version: %s\n", about);
        printf("- Seed: %s, ", odim_params_get(s->params, "seed"));
        printf("threads: %s\n", odim_params_get(s->params, "threads"));
        printf("- Command: `bench/accuracy");
        for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
        printf("`\n\n");
    }
    if (s->markdown)
        printf(
            "| set | rows | columns | AUC | paper | diff | AP | paper | diff | updates | best | seconds |\n"
            "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    else
        printf("%-14s %7s %7s %6s %6s %6s %6s %6s %6s %7s %4s %7s\n", "set", "rows", "columns", "AUC",
               "paper", "diff", "AP", "paper", "diff", "updates", "best", "seconds");
}

static void print_row(const settings *s, const char *name, const odim_table *table, const set_result *r,
                      const double *p)
{
    printf(s->markdown ? "| %s | %lld | %lld" : "%-14s %7lld %7lld", name, (long long)odim_table_rows(table),
           (long long)odim_table_cols(table));
    const double ours[2] = {r->auc, r->ap};
    for (int i = 0; i < 2; i++) {
        printf(s->markdown ? " | %.3f" : " %6.3f", ours[i]);
        if (p)
            printf(s->markdown ? " | %.3f | %+.3f" : " %6.3f %+6.3f", p[i], ours[i] - p[i]);
        else
            printf(s->markdown ? " | |" : " %6s %6s", "", "");
    }
    printf(s->markdown ? " | %.0f | %.0f | %.1f |\n" : " %7.0f %4.0f %7.1f\n", r->updates, r->best_update,
           r->wall);
    fflush(stdout);
}

static void add(total *t, const set_result *r, const double p[2])
{
    double diff = r->auc - p[0];
    t->sets++;
    t->near += diff <= NEAR_AUC && diff >= -NEAR_AUC;
    t->auc += r->auc;
    t->ap += r->ap;
    t->paper_auc += p[0];
    t->paper_ap += p[1];
}

static void print_total(const total *t)
{
    if (!t->sets) return;
    double n = t->sets;
    printf("\nMean over the sets that the paper also has (%d): AUC %.4f (paper %.4f, difference %+.4f), ",
           t->sets, t->auc / n, t->paper_auc / n, (t->auc - t->paper_auc) / n);
    printf("AP %.4f (paper %.4f, difference %+.4f).\n", t->ap / n, t->paper_ap / n,
           (t->ap - t->paper_ap) / n);
    printf("AUC within %.2f of the paper's: %d of %d sets.\n", NEAR_AUC, t->near, t->sets);
}

/* ---- options ---------------------------------------------------------------------------------------- */

static void parse(settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--markdown") == 0) {
            s->markdown = 1;
            continue;
        }
        if (!value) bench_die(argv[i], "unknown option, or its value is missing");
        if (strcmp(argv[i], "--seed") == 0) {
            bench_set(s->params, "seed", value);
        } else if (strcmp(argv[i], "--sets") == 0) {
            s->sets = value;
        } else if (strcmp(argv[i], "--set") == 0) {
            bench_assign(s->params, value);
        } else {
            bench_die(argv[i], "unknown option");
        }
        i++;
    }
}

int main(int argc, char **argv)
{
    static table_set sets[MAX_SETS];
    settings s = {.params = bench_paper()};
    parse(&s, argc, argv);
    int count = sets_find(sets, s.sets);
    tsv *paper = tsv_read(BENCH_DIR "/../experiments/paper_odim.tsv", 1);
    print_head(&s, argc, argv);
    total t = {0};
    for (int i = 0; i < count; i++) {
        const tsv_row *row = tsv_find(paper, sets[i].name, NULL, NULL);
        const double *p = row ? row->value : NULL; /* its AUC and AP */
        odim_table *table = sets_read(&sets[i]);
        set_result r = sets_run(&sets[i], table, s.params);
        print_row(&s, sets[i].name, table, &r, p);
        if (p) add(&t, &r, p);
        odim_table_free(table);
    }
    print_total(&t);
    tsv_free(paper);
    odim_params_free(s.params);
    return 0;
}
