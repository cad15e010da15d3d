/* Summarizes the runs of bench/tradeoff by setting. */
#include "tradeoff_summary.h"

#include <math.h>
#include <string.h>

#include "bench.h"

/* ---- the grid --------------------------------------------------------------------------------------- */

static int place_set(tradeoff_grid *g, const char *name)
{
    for (int i = 0; i < g->count[SET]; i++)
        if (strcmp(g->sets[i], name) == 0) return i;
    if (g->count[SET] == MAX_SETS) bench_die(name, "too many sets");
    g->sets[g->count[SET]] = name;
    return g->count[SET]++;
}

static int place_seed(tradeoff_grid *g, int seed)
{
    for (int i = 0; i < g->count[SEED]; i++)
        if (g->seeds[i] == seed) return i;
    if (g->count[SEED] == MAX_SEEDS) bench_die("standard input", "too many seeds");
    g->seeds[g->count[SEED]] = seed;
    return g->count[SEED]++;
}

/* The arguments count what is kept. */
static const tradeoff_row *at(const tradeoff_grid *g, int setting, int set, int seed)
{
    return g->runs[g->kept[SETTING][setting]][g->kept[SET][set]][g->kept[SEED][seed]];
}

/* How much of the runs of one setting, one set or one seed is missing, 0 to 1. */
static double missing_share(const tradeoff_grid *g, int kind, int place)
{
    int missing = 0, all = 0, i[KINDS];
    for (i[SETTING] = 0; i[SETTING] < g->kept_count[SETTING]; i[SETTING]++)
        for (i[SET] = 0; i[SET] < g->kept_count[SET]; i[SET]++)
            for (i[SEED] = 0; i[SEED] < g->kept_count[SEED]; i[SEED]++) {
                if (i[kind] != place) continue;
                all++;
                missing += !at(g, i[SETTING], i[SET], i[SEED]);
            }
    return all ? (double)missing / all : 0;
}

/* Leaves out what lacks the most, again and again, until nothing is missing. The first setting stays. */
static void trim(tradeoff_grid *g)
{
    for (;;) {
        double most = 0;
        int worst_kind = 0, worst = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            for (int i = kind == SETTING; i < g->kept_count[kind]; i++) {
                double share = missing_share(g, kind, i);
                if (share <= most) continue;
                most = share;
                worst_kind = kind;
                worst = i;
            }
        }
        if (most == 0) break;
        int *kept = g->kept[worst_kind];
        int after = --g->kept_count[worst_kind] - worst;
        memmove(kept + worst, kept + worst + 1, (size_t)after * sizeof *kept);
    }
    if (!g->kept_count[SET] || !g->kept_count[SEED])
        bench_die("standard input", "there is no set on which the first setting was run");
}

void tradeoff_fill(tradeoff_grid *g, const tradeoff *t)
{
    g->data = t;
    g->count[SETTING] = t->setting_count;
    for (int i = 0; i < t->row_count; i++) {
        const tradeoff_row *r = &t->rows[i];
        int set = place_set(g, r->set), seed = place_seed(g, r->seed);
        g->runs[r->setting][set][seed] = r;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        g->kept_count[kind] = g->count[kind];
        for (int i = 0; i < g->count[kind]; i++) g->kept[kind][i] = i;
    }
    trim(g);
}

/* ---- averages --------------------------------------------------------------------------------------- */

static double metric(const tradeoff_row *r, int which)
{
    return which == AUC ? r->auc : r->ap;
}

static void compare(const tradeoff_grid *g, int setting, int which, tradeoff_summary *s)
{
    int sets = g->kept_count[SET], seeds = g->kept_count[SEED];
    double lead[MAX_SEEDS] = {0}, squares = 0;
    s->mean[which] = s->lead[which] = 0;
    for (int seed = 0; seed < seeds; seed++) {
        for (int set = 0; set < sets; set++) {
            double value = metric(at(g, setting, set, seed), which);
            s->mean[which] += value / sets / seeds;
            lead[seed] += (value - metric(at(g, 0, set, seed), which)) / sets;
        }
        s->lead[which] += lead[seed] / seeds;
    }
    for (int seed = 0; seed < seeds; seed++) squares += pow(lead[seed] - s->lead[which], 2);
    s->error[which] = seeds > 1 ? sqrt(squares / (seeds - 1) / seeds) : NAN;
}

/* Of each set the median over the seeds; of these the geometric mean. */
static double compare_time(const tradeoff_grid *g, int setting)
{
    double logs = 0;
    for (int set = 0; set < g->kept_count[SET]; set++) {
        double ratio[MAX_SEEDS];
        for (int seed = 0; seed < g->kept_count[SEED]; seed++)
            ratio[seed] = at(g, setting, set, seed)->cpu / at(g, 0, set, seed)->cpu;
        logs += log(bench_median(ratio, g->kept_count[SEED]));
    }
    return exp(logs / g->kept_count[SET]);
}

static void find_worst(const tradeoff_grid *g, int setting, tradeoff_summary *s)
{
    s->worst = INFINITY;
    for (int set = 0; set < g->kept_count[SET]; set++) {
        double lead = 0;
        for (int seed = 0; seed < g->kept_count[SEED]; seed++)
            lead += (at(g, setting, set, seed)->auc - at(g, 0, set, seed)->auc) / g->kept_count[SEED];
        if (lead >= s->worst) continue;
        s->worst = lead;
        s->worst_set = g->sets[g->kept[SET][set]];
    }
}

void tradeoff_summarise(const tradeoff_grid *g, tradeoff_summary *all)
{
    for (int i = 0; i < g->kept_count[SETTING]; i++) {
        all[i].setting = &g->data->settings[g->kept[SETTING][i]];
        for (int which = 0; which < METRICS; which++) compare(g, i, which, &all[i]);
        all[i].time = compare_time(g, i);
        find_worst(g, i, &all[i]);
    }
}
