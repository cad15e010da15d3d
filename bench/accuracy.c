/*
 * How well do the scores rank the known outliers of the ADBench tables, beside what the paper reports?
 *
 *     accuracy [--seed N] [--sets NAME,...] [--set PARAMETER=VALUE]... [--markdown]
 *
 * Reads $ODIM_DATA/tabular/<number>_<set>.npz (default ../shared/data/tabular); the paper's numbers are in
 * paper_odim.tsv beside this file. A set of the paper is one whose name, in small letters and without '-', is
 * there. --markdown writes ACCURACY.md.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "odim.h"

enum { NAME = 64, MAX_SETS = 128 };

typedef struct table_set {
    char name[NAME];
    char path[4096];
} table_set;

typedef struct paper_row {
    char name[NAME];
    double auc, ap;
} paper_row;

typedef struct result {
    int64_t n, d;
    double auc, ap;
    double updates, best_update; /* means over the members */
    double seconds;              /* fit and score, not reading */
} result;

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

static void die(const char *what, const char *why)
{
    fprintf(stderr, "accuracy: %s: %s\n", what, why);
    exit(1);
}

/* ---- the sets --------------------------------------------------------------------------------------- */

/* "31_satimage-2.npz" -> "satimage2": how the paper's tables spell it. */
static void name_set(char out[NAME], const char *file)
{
    const char *start = file + strspn(file, "0123456789");
    if (start == file || *start != '_') start = file;
    size_t len = 0;
    for (; *start && strcmp(start, ".npz") != 0 && len < NAME - 1; start++)
        if (isalnum((unsigned char)*start)) out[len++] = (char)tolower((unsigned char)*start);
    out[len] = '\0';
}

/* Whether one of the comma-separated names in `list` is `name`. */
static int is_listed(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = list; *p; p += strcspn(p, ",")) {
        p += *p == ',';
        if (strcspn(p, ",") == len && memcmp(p, name, len) == 0) return 1;
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const table_set *)a)->name, ((const table_set *)b)->name);
}

static int find_sets(table_set *sets, const settings *s)
{
    char folder[2048];
    const char *data = getenv("ODIM_DATA");
    snprintf(folder, sizeof folder, "%s/tabular", data ? data : "../shared/data");
    DIR *dir = opendir(folder);
    if (!dir) {
        printf("skipped: no data (ODIM_DATA is the folder that holds tabular/*.npz)\n");
        exit(0);
    }
    int count = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        size_t len = strlen(e->d_name);
        if (len < 4 || strcmp(e->d_name + len - 4, ".npz") != 0) continue;
        if (count == MAX_SETS) die(folder, "too many files");
        name_set(sets[count].name, e->d_name);
        snprintf(sets[count].path, sizeof sets[count].path, "%s/%s", folder, e->d_name);
        count += !s->sets || is_listed(s->sets, sets[count].name);
    }
    closedir(dir);
    int wanted = 1;
    for (const char *p = s->sets; p && *p; p++) wanted += *p == ',';
    if (count < wanted) die(folder, s->sets ? "does not hold all of these sets" : "holds no .npz file");
    qsort(sets, (size_t)count, sizeof *sets, by_name);
    return count;
}

static int read_paper(paper_row *rows)
{
    const char *path = BENCH_DIR "/paper_odim.tsv";
    FILE *f = fopen(path, "r");
    if (!f) die(path, "cannot be opened");
    char line[256];
    int count = 0;
    while (fgets(line, sizeof line, f)) {
        paper_row r;
        if (sscanf(line, "%63s %lf %lf", r.name, &r.auc, &r.ap) != 3) continue; /* comment, heading */
        if (count == MAX_SETS) die(path, "too many lines");
        rows[count++] = r;
    }
    fclose(f);
    return count;
}

static const paper_row *find_paper(const paper_row *rows, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

/* ---- one set ---------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(const char *what, odim_status status, const odim_error *err)
{
    if (status) die(what, err->msg);
}

static result run_set(const table_set *set, const odim_params *params)
{
    odim_error err;
    odim_table *table;
    odim_model *model;
    check(set->name, odim_table_read(&table, set->path, NULL, &err), &err);
    result r = {.n = odim_table_rows(table), .d = odim_table_cols(table)};
    const int8_t *labels = odim_table_labels(table);
    if (!labels) die(set->path, "has no labels");
    double *scores = malloc((size_t)r.n * sizeof *scores);
    if (!scores) die(set->name, "out of memory");

    double start = now();
    check(set->name, odim_fit(table, params, NULL, &model, &err), &err);
    check(set->name, odim_score(model, table, params, NULL, scores, &err), &err);
    r.seconds = now() - start;

    check(set->name, odim_auc(scores, labels, r.n, &r.auc, &err), &err);
    check(set->name, odim_average_precision(scores, labels, r.n, &r.ap, &err), &err);
    int members = odim_model_members(model);
    for (int i = 0; i < members; i++) {
        odim_member_info info;
        check(set->name, odim_model_member(model, i, &info, &err), &err);
        r.updates += (double)info.updates / members;
        r.best_update += (double)info.best_update / members;
    }
    free(scores);
    odim_model_free(model);
    odim_table_free(table);
    return r;
}

/* ---- the table -------------------------------------------------------------------------------------- */

static void print_machine(void)
{
    char line[256] = "", *model = NULL;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && !model && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0) model = strchr(line, ':');
    if (f) fclose(f);
    if (model) model[strcspn(model, "\n")] = '\0';
    printf("- Machine: %s, %ld cores\n", model ? model + strspn(model, ": ") : "unknown processor",
           sysconf(_SC_NPROCESSORS_ONLN));
}

static void print_head(const settings *s, int argc, char **argv)
{
    if (s->markdown) {
        printf("# Accuracy on the ADBench tables\n\n");
        printf("Written by bench/accuracy. Paper: the ODIM columns of Kim et al., ICML 2024, appendix C.\n"
               "AP is average precision. Updates and best are means over the members. Seconds are for\n"
               "fitting and scoring, without reading.\n\n");
        print_machine();
        printf("- Version: %s, kernels: %s\n", odim_version(), odim_kernels());
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

static void print_row(const settings *s, const char *name, const result *r, const paper_row *p)
{
    printf(s->markdown ? "| %s | %lld | %lld" : "%-14s %7lld %7lld", name, (long long)r->n, (long long)r->d);
    const double ours[2] = {r->auc, r->ap}, theirs[2] = {p ? p->auc : 0, p ? p->ap : 0};
    for (int i = 0; i < 2; i++) {
        printf(s->markdown ? " | %.3f" : " %6.3f", ours[i]);
        if (p)
            printf(s->markdown ? " | %.3f | %+.3f" : " %6.3f %+6.3f", theirs[i], ours[i] - theirs[i]);
        else
            printf(s->markdown ? " | |" : " %6s %6s", "", "");
    }
    printf(s->markdown ? " | %.0f | %.0f | %.1f |\n" : " %7.0f %4.0f %7.1f\n", r->updates, r->best_update,
           r->seconds);
    fflush(stdout);
}

static void add(total *t, const result *r, const paper_row *p)
{
    double diff = r->auc - p->auc;
    t->sets++;
    t->near += diff <= NEAR_AUC && diff >= -NEAR_AUC;
    t->auc += r->auc;
    t->ap += r->ap;
    t->paper_auc += p->auc;
    t->paper_ap += p->ap;
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

static void set_param(odim_params *params, const char *name, const char *value)
{
    odim_error err;
    check(name, odim_params_set(params, name, value, &err), &err);
}

static void parse(settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--markdown") == 0) {
            s->markdown = 1;
            continue;
        }
        if (!value) die(argv[i], "unknown option, or its value is missing");
        if (strcmp(argv[i], "--seed") == 0) {
            set_param(s->params, "seed", value);
        } else if (strcmp(argv[i], "--sets") == 0) {
            s->sets = value;
        } else if (strcmp(argv[i], "--set") == 0) {
            char name[NAME];
            size_t len = strcspn(value, "=");
            if (value[len] != '=' || len >= sizeof name) die(value, "not PARAMETER=VALUE");
            memcpy(name, value, len);
            name[len] = '\0';
            set_param(s->params, name, value + len + 1);
        } else {
            die(argv[i], "unknown option");
        }
        i++;
    }
}

int main(int argc, char **argv)
{
    static table_set sets[MAX_SETS];
    static paper_row paper[MAX_SETS];
    settings s = {.params = odim_params_new()};
    if (!s.params) die("parameters", "out of memory");
    parse(&s, argc, argv);
    int count = find_sets(sets, &s), papers = read_paper(paper);
    print_head(&s, argc, argv);
    total t = {0};
    for (int i = 0; i < count; i++) {
        const paper_row *p = find_paper(paper, papers, sets[i].name);
        result r = run_set(&sets[i], s.params);
        print_row(&s, sets[i].name, &r, p);
        if (p) add(&t, &r, p);
    }
    print_total(&t);
    odim_params_free(s.params);
    return 0;
}
