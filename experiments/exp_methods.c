/*
 * Beyond the paper: presets and classical methods beside every method of the paper's tables, on its tabular
 * sets that we have, and presets beside each other on embeddings of pictures and texts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment.h"

/* What the preset of that name was; it has become auto, which scales robustly. */
#define BEST "preset=auto scale=minmax"

/* The last one takes longest and is measured when all others are. */
static const char *const settings[] = {"best", "iforest", "knn",   "mcd",     "fast",  "pca",
                                       "hbos", "ecod",    "copod", "lof",     "ocsvm", "cblof",
                                       "loda", "cof",     "sod",   "bagging", "paper"};
static const char *const assignments[] = {
    BEST,          "method=iforest", "method=knn",   "method=mcd",     "preset=fast",  "method=pca",
    "method=hbos", "method=ecod",    "method=copod", "method=lof",     "method=ocsvm", "method=cblof",
    "method=loda", "method=cof",     "method=sod",   "method=bagging", "preset=paper"};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* The smallest first. */
static const char *const tables[] = {
    "vertebral", "glass",      "hepatitis",   "wbc",      "stamps",  "pima",    "breastw",     "wpbc",
    "wdbc",      "ionosphere", "vowels",      "thyroid",  "cardio",  "letter",  "mammography", "pendigits",
    "satimage2", "landsat",    "satellite",   "spambase", "smtp",    "shuttle", "musk",        "aloi",
    "http",      "cover",      "internetads", "celeba",   "backdoor"};
enum { TABLES = sizeof tables / sizeof *tables };

/* As the cells and the paper's table name them. */
static const char *const values[] = {"auc", "ap"};
enum { VALUES = 2 };

/* Of embeddings, which are wide; the last one likewise. */
static const char *const few_settings[] = {"best", "iforest", "knn", "fast", "paper"};
static const char *const few_assignments[] = {BEST, "method=iforest", "method=knn", "preset=fast",
                                              "preset=paper"};
enum { FEW = sizeof few_settings / sizeof *few_settings };

/* The file of a part: "image-embeddings/ViT_MVTec-AD_bottle.npz" -> "ViT_MVTec-AD_bottle". */
static void name_part(char out[SET_NAME], const exp_part *part)
{
    const char *file = strrchr(part->place, '/') + 1;
    snprintf(out, SET_NAME, "%.*s", (int)strcspn(file, "."), file);
}

/* ---- measuring -------------------------------------------------------------------------------------- */

/* What another experiment has of `paper`: all but the seconds, which are of other threads. */
static void take(exp_run *r, const tsv *from, const char *key0, const char *key1, const char *set)
{
    const tsv_row *row = tsv_find(from, key0, key1, "0");
    if (!row || !sets_listed(r->sets, set) || cells_has(r->cells, set, "paper", 0)) return;
    exp_put(r, set, "paper", 0,
            (double[]){tsv_value(from, row, "auc"), tsv_value(from, row, "ap"), NAN,
                       tsv_value(from, row, "updates")});
}

/* The results of another experiment in the same folder; NULL: there are none. Yours to tsv_free. */
static tsv *open_results(const exp_run *r, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.tsv", r->out, name);
    return access(path, R_OK) == 0 ? tsv_read(path, 3) : NULL;
}

static void take_over(exp_run *r)
{
    tsv *t = open_results(r, "tabular");
    for (int i = 0; t && i < TABLES; i++) take(r, t, tables[i], "default", tables[i]);
    tsv_free(t);
    t = open_results(r, "embeddings");
    for (int i = 0; t && i < EXP_PARTS; i++) {
        char name[SET_NAME];
        name_part(name, &exp_parts[i]);
        take(r, t, exp_parts[i].group, exp_parts[i].name, name);
    }
    tsv_free(t);
}

static void measure_tables(exp_run *r, int from, int count)
{
    exp_run one = *r;
    for (int i = 0; i < TABLES; i++) {
        one.sets = tables[i];
        if (sets_listed(r->sets, tables[i]))
            exp_sweep(&one, NULL, settings + from, assignments + from, count);
    }
}

static void measure_parts(exp_run *r, int from, int count)
{
    for (int i = 0; i < EXP_PARTS; i++) {
        table_set set;
        name_part(set.name, &exp_parts[i]);
        if (!sets_listed(r->sets, set.name)) continue;
        exp_data(set.path, sizeof set.path, exp_parts[i].place);
        exp_detect(r, &set, few_settings + from, few_assignments + from, count);
    }
}

static void measure(exp_run *r)
{
    take_over(r);
    measure_tables(r, 0, SETTINGS - 1);
    measure_parts(r, 0, FEW - 1);
    measure_tables(r, SETTINGS - 1, 1);
    measure_parts(r, FEW - 1, 1);
}

/* ---- means beside the paper's ----------------------------------------------------------------------- */

typedef struct method {
    const char *name;
    bool ours;
    double mean[VALUES], rank[VALUES];
} method;

/* All methods, ours and the paper's, on the sets where every one of them has a figure. */
typedef struct comparison {
    method methods[SETTINGS + TSV_MOST];
    int count;
    const char *sets[TABLES];
    int set_count;
} comparison;

static double figure(const exp_run *r, const tsv *paper, const method *m, const char *set, int value)
{
    return m->ours ? cells_mean(r->cells, set, m->name, values[value], NULL)
                   : tsv_value(paper, tsv_find(paper, set, values[value], NULL), m->name);
}

static bool has_all(const exp_run *r, const char *setting, const char *const *sets, int count)
{
    for (int i = 0; i < count; i++)
        if (isnan(cells_mean(r->cells, sets[i], setting, "auc", NULL))) return false;
    return true;
}

static bool has_every(const exp_run *r, const char *set, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (isnan(cells_mean(r->cells, set, names[i], "auc", NULL))) return false;
    return true;
}

static void add_method(comparison *c, const char *name, bool ours)
{
    c->methods[c->count++] = (method){.name = name, .ours = ours};
}

/* The place of a method among all on a set; those that are equal share theirs. */
static double rank_of(const double *figures, int count, int i)
{
    double rank = 1;
    for (int j = 0; j < count; j++)
        if (j != i) rank += figures[j] > figures[i] ? 1 : figures[j] == figures[i] ? 0.5 : 0;
    return rank;
}

static void add_up(const exp_run *r, const tsv *paper, comparison *c)
{
    double figures[SETTINGS + TSV_MOST];
    for (int value = 0; value < VALUES; value++) {
        for (int s = 0; s < c->set_count; s++) {
            for (int i = 0; i < c->count; i++) {
                figures[i] = figure(r, paper, &c->methods[i], c->sets[s], value);
                figures[i] = (double)lround(figures[i] * 1000) / 1000; /* as the paper gives its own */
            }
            for (int i = 0; i < c->count; i++) {
                c->methods[i].mean[value] +=
                    figure(r, paper, &c->methods[i], c->sets[s], value) / c->set_count;
                c->methods[i].rank[value] += rank_of(figures, c->count, i) / c->set_count;
            }
        }
    }
}

static int by_mean(const void *a, const void *b)
{
    double x = ((const method *)a)->mean[0], y = ((const method *)b)->mean[0];
    return (x < y) - (x > y);
}

/* The best is in bold type. */
static void print_number(FILE *page, double value, double best, int digits)
{
    const char *mark = fabs(value - best) < 1e-12 ? "**" : "";
    fprintf(page, " %s%.*f%s |", mark, digits, value, mark);
}

static void print_means(FILE *page, comparison *c)
{
    double mean[VALUES] = {0}, rank[VALUES] = {INFINITY, INFINITY};
    qsort(c->methods, (size_t)c->count, sizeof *c->methods, by_mean);
    for (int i = 0; i < c->count; i++) {
        for (int v = 0; v < VALUES; v++) {
            mean[v] = fmax(mean[v], c->methods[i].mean[v]);
            rank[v] = fmin(rank[v], c->methods[i].rank[v]);
        }
    }
    fputs("\n| method | AUC | AP | rank by AUC | by AP |\n|:--|--:|--:|--:|--:|\n", page);
    for (int i = 0; i < c->count; i++) {
        const method *m = &c->methods[i];
        fprintf(page, m->ours ? "| `%s` |" : "| the paper's %s |", m->name);
        for (int v = 0; v < VALUES; v++) print_number(page, m->mean[v], mean[v], 4);
        for (int v = 0; v < VALUES; v++) print_number(page, m->rank[v], rank[v], 1);
        fputc('\n', page);
    }
}

static void report_means(const exp_run *r, FILE *page, const tsv *paper, comparison *c)
{
    for (int i = 0; i < paper->columns; i++) add_method(c, paper->names[i], false);
    add_up(r, paper, c);
    print_means(page, c);
}

/* Over all sets, with the settings that have them all; and where there are others, over the sets that every
 * setting has. */
static void report_tables(const exp_run *r, FILE *page, const tsv *paper)
{
    comparison whole = {0}, common = {0};
    for (int i = 0; i < SETTINGS; i++) {
        add_method(&common, settings[i], true);
        if (has_all(r, settings[i], tables, TABLES)) add_method(&whole, settings[i], true);
    }
    for (int i = 0; i < TABLES; i++) {
        whole.sets[whole.set_count++] = tables[i];
        if (has_every(r, tables[i], settings, SETTINGS)) common.sets[common.set_count++] = tables[i];
    }
    bool all = whole.count == SETTINGS;
    if (whole.count) {
        fprintf(page, "\n## All %d tables\n", TABLES);
        report_means(r, page, paper, &whole);
    }
    if (!all && common.set_count) {
        fprintf(
            page,
            "\n## The %d tables of %d that every setting was measured on\n\nThe others are still to come:",
            common.set_count, TABLES);
        for (int i = 0; i < TABLES; i++)
            if (!has_every(r, tables[i], settings, SETTINGS)) fprintf(page, " %s", tables[i]);
        fputs(".\n", page);
        report_means(r, page, paper, &common);
    }
}

/* ---- beside the paper's own columns ------------------------------------------------------------------ */

static bool is_large(const char *set)
{
    static const char *const large[] = {"smtp", "http", "cover", "celeba", "backdoor"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        if (strcmp(set, large[i]) == 0) return true;
    return false;
}

/* A classical method beside the same method in the paper, on the tables of at most 50,000 rows. */
static void report_pairs(const exp_run *r, FILE *page, const tsv *paper)
{
    static const char *const pairs[][2] = {
        {"iforest", "IForest"}, {"knn", "kNN"},     {"lof", "LOF"},   {"mcd", "MCD"},
        {"pca", "PCA"},         {"hbos", "HBOS"},   {"ecod", "ECOD"}, {"copod", "COPOD"},
        {"ocsvm", "OCSVM"},     {"cblof", "CBLOF"}, {"loda", "LODA"}, {"bagging", "FeatureBagging"}};
    fputs(
        "\n## Beside the paper's own columns\n\nMeans over the tables of at most 50,000 rows. The paper has "
        "no `cof` "
        "and no `sod`.\n\n| method | tables | AUC | the paper's | difference | AP | the paper's | difference "
        "|\n|:--|--:|--:|--:|--:|--:|--:|--:|\n",
        page);
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        const method ours = {.name = pairs[p][0], .ours = true}, theirs = {.name = pairs[p][1]};
        double sum[2][VALUES] = {{0}};
        int sets = 0;
        for (int s = 0; s < TABLES; s++) {
            if (is_large(tables[s]) || isnan(figure(r, paper, &ours, tables[s], 0))) continue;
            sets++;
            for (int v = 0; v < VALUES; v++) {
                sum[0][v] += figure(r, paper, &ours, tables[s], v);
                sum[1][v] += figure(r, paper, &theirs, tables[s], v);
            }
        }
        if (!sets) continue;
        fprintf(page, "| `%s` | %d |", pairs[p][0], sets);
        for (int v = 0; v < VALUES; v++)
            fprintf(page, " %.3f | %.3f | %+.3f |", sum[0][v] / sets, sum[1][v] / sets,
                    (sum[0][v] - sum[1][v]) / sets);
        fputc('\n', page);
    }
}

/* ---- set by set ------------------------------------------------------------------------------------- */

/* One row: both values of each setting, the best of each value in bold type if there are several. */
static void print_row(FILE *page, const double *figures, int count)
{
    for (int v = 0; v < VALUES; v++) {
        const double *row = figures + v * count;
        double best = NAN;
        int there = 0;
        for (int i = 0; i < count; i++) {
            best = fmax(best, row[i]); /* of a NaN and a number the number */
            there += !isnan(row[i]);
        }
        for (int i = 0; i < count; i++) {
            bool bold = there > 1 && lround(row[i] * 1000) == lround(best * 1000);
            if (isnan(row[i]))
                fputs(" |", page);
            else
                print_number(page, row[i], bold ? row[i] : INFINITY, 3);
        }
    }
    fputc('\n', page);
}

/* The columns are those of print_row. */
static void print_head(FILE *page, const char *first, const char *const *names, int count)
{
    fprintf(page, "\n| %s |", first);
    for (int i = 0; i < VALUES * count; i++)
        fprintf(page, " %s `%s` |", i < count ? "AUC" : "AP", names[i % count]);
    fputs("\n|:--|", page);
    for (int i = 0; i < VALUES * count; i++) fputs("--:|", page);
    fputc('\n', page);
}

/* The sum over rows becomes a row of means; nothing where there are no rows. */
static void print_mean(FILE *page, double *sums, int columns, int rows)
{
    if (!rows) return;
    for (int i = 0; i < VALUES * columns; i++) sums[i] /= rows;
    fprintf(page, "| **mean of %d** |", rows);
    print_row(page, sums, columns);
}

/* Below it means over the sets that have every setting, and of the settings that have all sets. */
static void report_sets(const exp_run *r, FILE *page, const char *const *sets, int set_count,
                        const char *const *names, int count)
{
    double figures[VALUES * SETTINGS], full[VALUES * SETTINGS] = {0}, whole[VALUES * SETTINGS] = {0};
    int full_count = 0;
    print_head(page, "set", names, count);
    for (int s = 0; s < set_count; s++) {
        bool every = has_every(r, sets[s], names, count), any = false;
        for (int i = 0; i < VALUES * count; i++) {
            figures[i] = cells_mean(r->cells, sets[s], names[i % count], values[i / count], NULL);
            if (every) full[i] += figures[i];
            whole[i] += figures[i]; /* NaN stays NaN */
            any = any || !isnan(figures[i]);
        }
        full_count += every;
        if (!any) continue;
        fprintf(page, "| %s |", sets[s]);
        print_row(page, figures, count);
    }
    print_mean(page, full, count, full_count);
    if (full_count < set_count) print_mean(page, whole, count, set_count);
}

/* ---- seed by seed ----------------------------------------------------------------------------------- */

static double seed_figure(const exp_run *r, const char *set, const char *setting, int seed, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", seed);
    const tsv *t = cells_all(r->cells);
    return tsv_value(t, tsv_find(t, set, setting, text), values[value]);
}

/* Whether a set has each of the settings with seeds 0 to seeds - 1. */
static bool has_seeds(const exp_run *r, const char *set, const char *const *names, int count, int seeds)
{
    for (int i = 0; i < count; i++)
        for (int seed = 0; seed < seeds; seed++)
            if (isnan(seed_figure(r, set, names[i], seed, 0))) return false;
    return true;
}

/* Means over the tables that have all of so many seeds; nothing where no table has. */
static void report_seeds(const exp_run *r, FILE *page, const char *const *names, int count, int seeds)
{
    int sets = 0;
    for (int s = 0; s < TABLES; s++) sets += has_seeds(r, tables[s], names, count, seeds);
    if (!sets) return;
    fprintf(page,
            "\n## Seed by seed\n\nMeans over the %d tables that have all %d seeds; other figures of this "
            "page are "
            "means over the seeds that there are.\n",
            sets, seeds);
    print_head(page, "seed", names, count);
    for (int seed = 0; seed < seeds; seed++) {
        double means[VALUES * SETTINGS] = {0};
        for (int s = 0; s < TABLES; s++) {
            if (!has_seeds(r, tables[s], names, count, seeds)) continue;
            for (int i = 0; i < VALUES * count; i++)
                means[i] += seed_figure(r, tables[s], names[i % count], seed, i / count) / sets;
        }
        fprintf(page, "| %d |", seed);
        print_row(page, means, count);
    }
}

/* ---- the page --------------------------------------------------------------------------------------- */

/* Cells without seconds are those that were taken over. */
static void report_taken(const exp_run *r, FILE *page, const char *const *sets, int set_count,
                         const char *from)
{
    int count = 0;
    for (int i = 0; i < set_count; i++) {
        if (isnan(cells_mean(r->cells, sets[i], "paper", "auc", NULL)) ||
            !isnan(cells_mean(r->cells, sets[i], "paper", "seconds", NULL)))
            continue;
        if (!count++) fprintf(page, "\n`paper` is taken over from [%s.tsv](%s.tsv) for", from, from);
        fprintf(page, "%s %s", count > 1 ? "," : "", sets[i]);
    }
    if (count) fputs(".\n", page);
}

static void report(const exp_run *r, FILE *page)
{
    static const char *const with[] = {"best", "paper", "iforest", "mcd", "knn"};
    enum { BESIDE = sizeof with / sizeof *with, SEEDS = 3 };
    char names[EXP_PARTS][SET_NAME];
    const char *parts[EXP_PARTS];
    tsv *paper = tsv_read(EXPERIMENTS_DIR "/paper_methods.tsv", 2);
    fputs("\nWhole sets. Ours are the presets `best`, `paper` and `fast` and the classical methods as "
          "`--method` has\n"
          "them, each with its defaults; the others are the figures of the paper, of its Tables C.2 and C.3. "
          "Ranks\n"
          "are means over the sets, of the place among all methods of the table.\n",
          page);
    report_tables(r, page, paper);
    report_pairs(r, page, paper);
    fputs("\n## Table by table\n", page);
    report_taken(r, page, tables, TABLES, "tabular");
    report_sets(r, page, tables, TABLES, with, BESIDE);
    report_seeds(r, page, with, BESIDE, SEEDS);
    for (int i = 0; i < EXP_PARTS; i++) {
        name_part(names[i], &exp_parts[i]);
        parts[i] = names[i];
    }
    fputs("\n## Embeddings of pictures and texts\n", page);
    report_taken(r, page, parts, EXP_PARTS, "embeddings");
    report_sets(r, page, parts, EXP_PARTS, few_settings, FEW);
    tsv_free(paper);
}

const experiment exp_methods = {
    .name = "methods",
    .about = "Presets and classical methods beside each other (Tables C.2 and C.3)",
    .columns = "auc ap seconds updates",
    .seeds = 1,
    .measure = measure,
    .report = report,
};
