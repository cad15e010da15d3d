/*
 * Repeats a table or figure of the paper, and compares.
 *
 *     experiment NAME [options]
 *
 * `experiment --help` lists the names. experiment.h says how one is made; docs/experiments has the results.
 */
#include "experiment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

extern const experiment exp_embeddings, exp_flow, exp_images, exp_kinds, exp_labels, exp_lr, exp_members,
    exp_memorization, exp_methods, exp_patience, exp_privacy, exp_proposition1, exp_proposition2, exp_samples,
    exp_scale, exp_tabular, exp_time;

/* In the order of the paper, and then what is beyond it. */
static const experiment *const experiments[] = {
    &exp_tabular, &exp_images,       &exp_embeddings,   &exp_samples, &exp_members,      &exp_patience,
    &exp_lr,      &exp_scale,        &exp_labels,       &exp_privacy, &exp_memorization, &exp_flow,
    &exp_kinds,   &exp_proposition1, &exp_proposition2, &exp_time,    &exp_methods};

enum { COUNT = sizeof experiments / sizeof experiments[0], MOST_SEEDS = 1000, SEEDS = 5, PARAMETERS = 1024 };

typedef struct options {
    exp_run run;
    bool only_report;
} options;

/* ---- the command line ------------------------------------------------------------------------------- */

static void help(void)
{
    printf("Usage: experiment NAME [options]\n\n"
           "Repeats a table or figure of the paper (Kim et al., ICML 2024) on the data under ODIM_DATA.\n"
           "Results go to DIR/NAME.tsv as they come; a run measures what is not there yet, and then writes\n"
           "DIR/NAME.md and figures from all that is there.\n\nNames:\n");
    for (int i = 0; i < COUNT; i++) printf("  %-14s %s\n", experiments[i]->name, experiments[i]->about);
    printf("\nOptions:\n"
           "  --quick           seed 0 only\n"
           "  --seeds N         seeds 0 to N - 1 [%d, unless the experiment is a long one]\n"
           "  --sets NAME,...   only these sets\n"
           "  --set PARAM=VALUE a parameter of odim, for all fits; may be repeated\n"
           "  --threads N       threads to use [all cores]\n"
           "  --out DIR         folder of the results [docs/experiments]\n"
           "  --report          measure nothing, write the page from what is there\n",
           SEEDS);
}

__attribute__((noreturn)) static void refuse(const char *what, const char *why)
{
    fprintf(stderr, BENCH_NAME ": %s: %s (see " BENCH_NAME " --help)\n", what, why);
    exit(2);
}

static const experiment *find(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(experiments[i]->name, name) == 0) return experiments[i];
    refuse(name, "no such experiment");
}

/* Assignments with spaces between. */
static void assign_all(odim_params *params, const char *text)
{
    while (text && *text) {
        char one[256];
        size_t len = strcspn(text, " ");
        snprintf(one, sizeof one, "%.*s", (int)len, text);
        bench_assign(params, one);
        text += len + (text[len] == ' ');
    }
}

/* Refuses what is no number from 1 to `most`. */
static int read_count(const char *option, const char *text, int most)
{
    char *end, why[64];
    errno = 0;
    long value = strtol(text, &end, 10);
    snprintf(why, sizeof why, "must be a whole number from 1 to %d", most);
    if (end == text || *end || errno || value < 1 || value > most) refuse(option, why);
    return (int)value;
}

/* Refuses what is no assignment, or not of a parameter that there is, before anything is measured. */
static void try_assignment(const char *name, const char *value)
{
    char text[256], parameter[64];
    odim_error err;
    snprintf(text, sizeof text, "%s%s", name, value);
    size_t len = strcspn(text, "=");
    if (text[len] != '=' || len >= sizeof parameter) refuse(text, "not PARAMETER=VALUE");
    snprintf(parameter, sizeof parameter, "%.*s", (int)len, text);
    odim_params *params = odim_params_new();
    if (!params) bench_die("parameters", "out of memory");
    if (odim_params_set(params, parameter, text + len + 1, &err)) refuse(text, err.msg);
    odim_params_free(params);
}

/* One more assignment of the run. */
static void remember(exp_run *r, const char *name, const char *value)
{
    try_assignment(name, value);
    size_t used = strlen(r->assignments);
    int len =
        snprintf(r->assignments + used, sizeof r->assignments - used, "%s%s%s", used ? " " : "", name, value);
    if (strchr(value, ' ') || used + (size_t)len >= sizeof r->assignments)
        bench_die(value, "not a value, or too many of them");
}

static void parse(options *s, int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            s->run.seeds = 1;
            continue;
        }
        if (strcmp(argv[i], "--report") == 0) {
            s->only_report = true;
            continue;
        }
        if (!value) refuse(argv[i], "unknown option, or its value is missing");
        if (strcmp(argv[i], "--seeds") == 0)
            s->run.seeds = read_count(argv[i], value, MOST_SEEDS);
        else if (strcmp(argv[i], "--sets") == 0)
            s->run.sets = value;
        else if (strcmp(argv[i], "--set") == 0)
            remember(&s->run, "", value);
        else if (strcmp(argv[i], "--threads") == 0)
            remember(&s->run, "threads=", value);
        else if (strcmp(argv[i], "--out") == 0)
            s->run.out = value;
        else
            refuse(argv[i], "unknown option");
        i++;
    }
}

/* ---- measuring -------------------------------------------------------------------------------------- */

bool exp_wants(const exp_run *r, const char *set, const char *setting, int seed)
{
    if (cells_has(r->cells, set, setting, seed)) return false;
    fprintf(stderr, "%s: %s, %s, seed %d\n", r->name, set, setting, seed);
    return true;
}

void exp_put(exp_run *r, const char *set, const char *setting, int seed, const double *values)
{
    cells_add(r->cells, set, setting, seed, values);
}

odim_params *exp_params(const exp_run *r, int seed, const char *assignments)
{
    odim_params *params = bench_paper();
    assign_all(params, r->base);
    assign_all(params, assignments);
    assign_all(params, r->assignments);
    char text[24];
    snprintf(text, sizeof text, "%d", seed);
    bench_set(params, "seed", text);
    return params;
}

/* Those that are not what preset paper has and can change a result. */
static void list_parameters(const exp_run *r, char out[PARAMETERS])
{
    odim_params *params = exp_params(r, 0, NULL), *paper = bench_paper();
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < odim_param_count(); i++) {
        const odim_param_info *info = odim_param_at(i);
        const char *value = odim_params_get(params, info->name);
        if (strcmp(info->group, "Running") == 0 || strcmp(info->name, "seed") == 0) continue;
        if (strcmp(value, odim_params_get(paper, info->name)) == 0) continue;
        used +=
            (size_t)snprintf(out + used, PARAMETERS - used, "%s%s=%s", used ? " " : "", info->name, value);
        if (used >= PARAMETERS) bench_die("parameters", "too many are set");
    }
    odim_params_free(paper);
    odim_params_free(params);
}

void exp_data(char *path, size_t size, const char *place)
{
    const char *data = getenv("ODIM_DATA");
    snprintf(path, size, "%s/%s", data ? data : "../shared/data", place);
    if (access(path, R_OK) == 0) return;
    printf("skipped: no data (ODIM_DATA is the folder that holds %s)\n", place);
    exit(0);
}

uint64_t exp_random(uint64_t *state) /* splitmix64 */
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static bool wants_any(const exp_run *r, const char *set, const char *const *settings, int count)
{
    for (int i = 0; i < count; i++)
        for (int seed = 0; seed < r->seeds; seed++)
            if (!cells_has(r->cells, set, settings[i], seed)) return true;
    return false;
}

void exp_detect(exp_run *r, const table_set *set, const char *const *settings, const char *const *assignments,
                int count)
{
    if (!wants_any(r, set->name, settings, count)) return;
    odim_table *table = sets_read(set);
    double *scores = malloc((size_t)odim_table_rows(table) * sizeof *scores);
    if (!scores) bench_die(set->name, "out of memory");
    for (int seed = 0; seed < r->seeds; seed++) {
        for (int i = 0; i < count; i++) {
            if (!exp_wants(r, set->name, settings[i], seed)) continue;
            odim_params *params = exp_params(r, seed, assignments[i]);
            set_result s = sets_detect(set->name, table, odim_table_labels(table), params, scores);
            double values[TSV_MOST] = {s.auc, s.ap, s.wall, s.updates};
            exp_put(r, set->name, settings[i], seed, values);
            odim_params_free(params);
        }
    }
    free(scores);
    odim_table_free(table);
}

void exp_sweep(exp_run *r, const char *sets, const char *const *settings, const char *const *assignments,
               int count)
{
    static table_set found[MAX_SETS];
    int set_count = sets_find(found, r->sets ? r->sets : sets);
    for (int i = 0; i < set_count; i++) exp_detect(r, &found[i], settings, assignments, count);
}

/* ---- reporting -------------------------------------------------------------------------------------- */

static FILE *create(const exp_run *r, const char *more, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s%s.%s", r->out, r->name, *more ? "_" : "", more, ending);
    FILE *f = fopen(path, "w");
    if (!f) bench_die(path, strerror(errno));
    return f;
}

FILE *exp_figure(const exp_run *r, const char *more)
{
    return create(r, more, "svg");
}

void exp_close(FILE *f, const char *what)
{
    int failed = ferror(f);
    if (fclose(f) != 0 || failed) bench_die(what, "cannot be written");
}

tsv *exp_paper(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, EXPERIMENTS_DIR "/paper_%s.tsv", name);
    return tsv_read(path, 1);
}

static int most_seeds(const exp_run *r)
{
    int most = 0;
    const tsv *t = cells_all(r->cells);
    for (int i = 0; i < t->count; i++) {
        int seed = (int)strtol(t->rows[i].key[2], NULL, 10);
        if (seed + 1 > most) most = seed + 1;
    }
    return most;
}

static void report(const exp_run *r, const experiment *e, const char *parameters)
{
    FILE *page = create(r, "", "md");
    fprintf(page, "# %s\n\nWritten by `experiments/experiment %s` from [%s.tsv](%s.tsv).\n\n", e->about,
            e->name, e->name, e->name);
    fprintf(page, "- Machine and version: %s\n- Parameters: %s\n- Seeds: %d\n", cells_machine(r->cells),
            *parameters ? parameters : "the defaults", most_seeds(r));
    e->report(r, page);
    exp_close(page, r->out);
    printf("written: %s/%s.md\n", r->out, r->name);
}

/* ---- all of it -------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        help();
        return argc < 2 ? 2 : 0;
    }
    const experiment *e = find(argv[1]);
    options s = {.run = {.name = e->name,
                         .out = "docs/experiments",
                         .seeds = e->seeds ? e->seeds : SEEDS,
                         .base = e->base}};
    parse(&s, argc, argv);
    char parameters[PARAMETERS], path[4096];
    list_parameters(&s.run, parameters);
    if (mkdir(s.run.out, 0777) != 0 && errno != EEXIST) bench_die(s.run.out, strerror(errno));
    snprintf(path, sizeof path, "%s/%s.tsv", s.run.out, e->name);
    s.run.cells = cells_open(path, e->name, parameters, e->columns, !s.only_report);
    if (!s.only_report) e->measure(&s.run);
    report(&s.run, e, parameters);
    cells_close(s.run.cells);
    return 0;
}
