/*
 * How does time grow with the rows n, the columns D, the members B, the samples K and the threads?
 *
 *     scaling [--repeat N] [--threads N,N] [--axes n,D,B,K] [--set PARAMETER=VALUE]... [--quick]
 *     scaling | tee scaling.tsv | scaling_plot > scaling.svg
 *
 * Fits and scores synthetic tables, one quantity varied at a time, and writes tab-separated values: medians
 * over 5 runs, in which the numbers of threads (1,2) take turns; one run where it takes more than a minute.
 * --quick does the smallest three values of each axis, once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "synthetic.h"

enum { AXES = 4, MAX_VALUES = 16, MAX_THREADS = 2, MAX_RUNS = 101, QUICK_VALUES = 3 };
#define SLOW 60.0

typedef struct shape {
    int64_t n;
    int d, b, k;
} shape;

/* What is varied; the other quantities are as in BASE. */
static const struct {
    const char *name;
    int64_t values[MAX_VALUES]; /* ends with 0 */
} axes[AXES] = {
    {"n", {1000, 3000, 10000, 30000, 100000, 300000, 1000000}},
    {"D", {4, 8, 16, 32, 64, 128, 256, 512, 1024}},
    {"B", {1, 2, 5, 10, 20}},
    {"K", {1, 2, 5, 10, 20, 50, 100}},
};
static const shape BASE = {.n = 5000, .d = 10, .b = 10, .k = 50};

typedef struct point {
    shape s;
    int threads;
    double fit, score; /* seconds */
    double updates;    /* mean over the members */
    int runs;
} point;

typedef struct settings {
    odim_params *params;
    int threads[MAX_THREADS], thread_counts;
    const char *axes; /* names, comma-separated */
    int repeat, quick;
} settings;

static void set_count(odim_params *params, const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    bench_set(params, name, text);
}

static shape shape_at(int axis, int64_t value)
{
    shape s = BASE;
    switch (axis) {
    case 0: s.n = value; break;
    case 1:
        s.d = (int)value;
        s.b = 2; /* wide tables take minutes a member */
        break;
    case 2: s.b = (int)value; break;
    default: s.k = (int)value;
    }
    return s;
}

/* ---- measuring -------------------------------------------------------------------------------------- */

static double mean_updates(const odim_model *model)
{
    double sum = 0;
    int members = odim_model_members(model);
    for (int i = 0; i < members; i++) sum += (double)odim_model_member(model, i)->updates;
    return sum / members;
}

/* One run; the parameters are those of the point. */
static void run(point *p, const odim_table *table, const odim_params *params, double *scores, double *fit,
                double *score)
{
    odim_error err;
    odim_model *model;
    double start = bench_wall();
    bench_check("fit", odim_fit(table, params, NULL, &model, &err), &err);
    double fitted = bench_wall();
    bench_check("score", odim_score_raw(model, table, params, NULL, scores, &err), &err);
    *score = bench_wall() - fitted;
    *fit = fitted - start;
    p->updates = mean_updates(model);
    p->runs++;
    odim_model_free(model);
}

/* One table, every number of threads: `points` are those of one shape, which differ in their threads. */
static void measure(point *points, int count, const settings *s)
{
    static double fit[MAX_THREADS][MAX_RUNS], score[MAX_THREADS][MAX_RUNS];
    const shape sh = points[0].s;
    float *x = malloc((size_t)sh.n * (size_t)sh.d * sizeof *x);
    double *scores = malloc((size_t)sh.n * sizeof *scores);
    if (!x || !scores) bench_die("table", "out of memory");
    synthetic_fill(x, 0, sh.n, sh.d);
    odim_error err;
    odim_table *table;
    bench_check("table", odim_table_wrap_f32(&table, x, sh.n, sh.d, 0, NULL, &err), &err);
    set_count(s->params, "members", sh.b);
    set_count(s->params, "samples", sh.k);

    for (int turn = 0; turn < s->repeat; turn++) {
        for (int i = 0; i < count; i++) {
            if (turn && fit[i][0] + score[i][0] > SLOW) continue;
            set_count(s->params, "threads", points[i].threads);
            run(&points[i], table, s->params, scores, &fit[i][turn], &score[i][turn]);
        }
    }
    for (int i = 0; i < count; i++) {
        points[i].fit = bench_median(fit[i], points[i].runs);
        points[i].score = bench_median(score[i], points[i].runs);
    }
    odim_table_free(table);
    free(scores);
    free(x);
}

/* ---- the table -------------------------------------------------------------------------------------- */

/* Of the comments the first is what scaling_plot puts under its title. */
static void print_head(const settings *s, int argc, char **argv)
{
    char about[256];
    bench_describe(about, sizeof about);
    printf("# %s; median of %d\n", about, s->repeat);
    printf("# command: scaling");
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    printf("\n");
    printf("axis\tn\tD\tB\tK\tthreads\tfit_s\tscore_s\tupdates\truns\n");
}

static void print_point(const char *axis, const point *p)
{
    printf("%s\t%lld\t%d\t%d\t%d\t%d\t%.4g\t%.4g\t%.1f\t%d\n", axis, (long long)p->s.n, p->s.d, p->s.b,
           p->s.k, p->threads, p->fit, p->score, p->updates, p->runs);
    fflush(stdout);
}

static void measure_axis(int axis, const settings *s)
{
    for (int v = 0; axes[axis].values[v] && !(s->quick && v == QUICK_VALUES); v++) {
        point points[MAX_THREADS] = {0};
        for (int t = 0; t < s->thread_counts; t++)
            points[t] = (point){.s = shape_at(axis, axes[axis].values[v]), .threads = s->threads[t]};
        measure(points, s->thread_counts, s);
        for (int t = 0; t < s->thread_counts; t++) print_point(axes[axis].name, &points[t]);
    }
}

/* ---- options ---------------------------------------------------------------------------------------- */

static int parse_count(const char *text, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || (*end && *end != ',') || value < 1 || value > most)
        bench_die(text, "not a number that is possible here");
    return (int)value;
}

static void parse_threads(settings *s, const char *list)
{
    s->thread_counts = 0;
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        if (s->thread_counts == MAX_THREADS) bench_die(list, "at most two numbers of threads");
        s->threads[s->thread_counts++] = parse_count(p, 1024);
    }
}

/* Names of axes are single letters. */
static void check_axes(const char *list)
{
    for (const char *p = list; *p; p++)
        if (!strchr("nDBK,", *p)) bench_die(list, "axes are n, D, B and K");
}

static void parse(settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(option, "--quick") == 0) {
            s->quick = s->repeat = 1;
            continue;
        }
        if (!value) bench_die(option, "unknown option, or its value is missing");
        if (strcmp(option, "--repeat") == 0)
            s->repeat = parse_count(value, MAX_RUNS);
        else if (strcmp(option, "--threads") == 0)
            parse_threads(s, value);
        else if (strcmp(option, "--axes") == 0)
            check_axes(s->axes = value);
        else if (strcmp(option, "--set") == 0)
            bench_assign(s->params, value);
        else
            bench_die(option, "unknown option");
        i++;
    }
}

int main(int argc, char **argv)
{
    settings s = {
        .params = bench_paper(), .threads = {1, 2}, .thread_counts = 2, .axes = "n,D,B,K", .repeat = 5};
    parse(&s, argc, argv);
    print_head(&s, argc, argv);
    for (int a = 0; a < AXES; a++)
        if (strstr(s.axes, axes[a].name)) measure_axis(a, &s);
    odim_params_free(s.params);
    return 0;
}
