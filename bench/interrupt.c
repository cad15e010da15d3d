/*
 * How long does a call go on after it was asked to stop?
 *
 *     interrupt [MILLIONS [FILTER]]        default: 4, all calls
 *
 * Runs each long call to its end, then again and again, asking it to stop at different moments: the progress
 * callback returns 1 from a given time on. Prints the longest time from that moment to the return of the
 * call. MILLIONS of rows are scored; fits have fewer. Only calls whose name contains FILTER run.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "synthetic.h"

#define MOMENTS 12
#define COLUMNS 10
#define WIDE    1000 /* columns of a wide table */

static double stop_at; /* on the clock */

static int progress(const odim_progress *now, void *user)
{
    (void)now;
    (void)user;
    return bench_wall() >= stop_at;
}

typedef struct call {
    const char *name;
    const char *method; /* of the model, or a preset */
    char kind;          /* f: fit, d: detect, s: score, e: explain, l: fit a file, r: read a file, w: fit a
                           wide table, m: fit a file of mixed columns, p: scan it as a part */
    int64_t rows;
} call;

static odim_params *params_of(const char *method)
{
    odim_params *params = odim_params_new();
    if (!params) bench_die("parameters", "out of memory");
    bool preset = strcmp(method, "auto") == 0 || strcmp(method, "paper") == 0 || strcmp(method, "fast") == 0;
    bench_set(params, preset ? "preset" : "method", method);
    return params;
}

typedef struct work {
    float *x;
    double *scores;
    odim_model *model;
    char path[64];
} work;

static odim_status run(const call *c, const work *w, odim_params *params, odim_error *err)
{
    odim_hooks hooks = ODIM_HOOKS_INIT;
    hooks.progress = progress;
    odim_table *table = NULL;
    odim_model *model = NULL;
    odim_reasons *reasons = NULL;
    odim_status status = ODIM_OK;
    odim_read_options options = ODIM_READ_OPTIONS_INIT;
    options.hooks = &hooks;
    odim_scan *scan = NULL;
    if (c->kind == 'r')
        status = odim_table_read(&table, w->path, &options, err);
    else if (c->kind == 'w')
        bench_check("table", odim_table_wrap_f32(&table, w->x, c->rows, WIDE, 0, NULL, err), err);
    else if (!strchr("lmp", c->kind))
        bench_check("table", odim_table_wrap_f32(&table, w->x, c->rows, COLUMNS, 0, NULL, err), err);
    switch (c->kind) {
    case 'w':
    case 'f': status = odim_fit(table, params, &hooks, &model, err); break;
    case 'd': status = odim_detect(table, params, &hooks, &model, w->scores, err); break;
    case 's': status = odim_score(w->model, table, NULL, &hooks, w->scores, err); break;
    case 'e': status = odim_explain(w->model, table, NULL, NULL, &hooks, &reasons, err); break;
    case 'm':
    case 'l': status = odim_fit_file(w->path, NULL, params, &hooks, &model, err); break;
    case 'p':
        bench_check("scan", odim_scan_new(&scan, err), err);
        status = odim_scan_file(scan, 0, 1, w->path, &options, err);
        break;
    default: break;
    }
    odim_scan_free(scan);
    odim_reasons_free(reasons);
    odim_model_free(model);
    odim_table_free(table);
    return status;
}

static void write_csv(const work *w, int64_t rows)
{
    FILE *f = fopen(w->path, "w");
    if (!f) bench_die(w->path, "cannot be written");
    for (int j = 0; j < COLUMNS; j++) fprintf(f, "%sc%d", j ? "," : "", j);
    for (int64_t i = 0; i < rows; i++)
        for (int j = 0; j < COLUMNS; j++) fprintf(f, "%c%.5f", j ? ',' : '\n', (double)w->x[i * COLUMNS + j]);
    fputc('\n', f);
    if (fclose(f)) bench_die(w->path, "cannot be written");
}

/* Categories with many levels that look alike, free text, dates, codes, and numbers that add up. */
static void write_mixed(const work *w, int64_t rows)
{
    FILE *f = fopen(w->path, "w");
    if (!f) bench_die(w->path, "cannot be written");
    fprintf(f, "ref,city,street,zip,when,note,net,tax,gross");
    for (int j = 0; j < COLUMNS; j++) fprintf(f, ",c%d", j);
    for (int64_t i = 0; i < rows; i++) {
        const float *x = w->x + i * COLUMNS;
        long net = (long)(i * 7919 % 100003), tax = net * 19 / 100;
        fprintf(f, "\nr%08lx,city%ld,street %ld,%05ld,%02d/%02d/2024,said %ld words of %ld,%ld,%ld,%ld",
                (long)(i * 2654435761L % 4294967291L), (long)(i * 31 % 5003), (long)(i * 17 % 59999),
                (long)(i * 101 % 99991), (int)(i % 28) + 1, (int)(i % 12) + 1, (long)(i * 13 % 9973),
                (long)(i * 7 % 777), net, tax, net + tax);
        for (int j = 0; j < COLUMNS; j++) fprintf(f, ",%.5f", (double)x[j]);
    }
    fputc('\n', f);
    if (fclose(f)) bench_die(w->path, "cannot be written");
}

static void measure(const call *c, work *w)
{
    odim_error err;
    odim_params *params = params_of(c->method);
    w->model = NULL;
    if (c->kind == 's' || c->kind == 'e') {
        odim_table *few;
        bench_check("table", odim_table_wrap_f32(&few, w->x, 20000, COLUMNS, 0, NULL, &err), &err);
        bench_check("fit", odim_fit(few, params, NULL, &w->model, &err), &err);
        odim_table_free(few);
    }
    if (c->kind == 'l' || c->kind == 'r') write_csv(w, c->rows);
    if (c->kind == 'm' || c->kind == 'p') write_mixed(w, c->rows);
    stop_at = 1e300;
    double begin = bench_wall(), worst = 0.0, worst_at = 0.0;
    bench_check(c->name, run(c, w, params, &err), &err);
    double whole = bench_wall() - begin;
    for (int i = 0; i < MOMENTS; i++) {
        double after = whole * ((double)i + 0.5) / MOMENTS;
        begin = bench_wall();
        stop_at = begin + after;
        odim_status status = run(c, w, params, &err);
        double late = bench_wall() - stop_at;
        if (status && status != ODIM_ERR_CANCELLED) bench_check(c->name, status, &err);
        if (status && late > worst) worst = late, worst_at = after;
    }
    printf("%-24s %-8s %10lld %8.1f %8.2f (asked after %.1f s)\n", c->name, c->method, (long long)c->rows,
           whole, worst, worst_at);
    fflush(stdout);
    odim_model_free(w->model);
    odim_params_free(params);
}

int main(int argc, char **argv)
{
    int64_t most = (argc > 1 ? bench_count(argv[1], 1000) : 4) * 1000000;
    const char *filter = argc > 2 ? argv[2] : "";
    work w = {.x = malloc((size_t)most * COLUMNS * sizeof(float)),
              .scores = malloc((size_t)most * sizeof(double))};
    snprintf(w.path, sizeof w.path, "/tmp/odim-interrupt-%ld.csv", (long)getpid());
    if (!w.x || !w.scores) bench_die("rows", "out of memory");
    synthetic_fill(w.x, 0, most, COLUMNS);
    const call calls[] = {{"score", "hbos", 's', most},
                          {"score", "fast", 's', most / 4},
                          {"score", "auto", 's', most / 16},
                          {"score", "knn", 's', most / 8},
                          {"fit knn", "knn", 'f', most},
                          {"fit lof", "lof", 'f', most / 16},
                          {"fit mcd", "mcd", 'f', most},
                          {"fit ecod", "ecod", 'f', most},
                          {"fit hbos", "hbos", 'f', most},
                          {"fit pca", "pca", 'f', most},
                          {"fit copod", "copod", 'f', most},
                          {"fit iforest", "iforest", 'f', most},
                          {"fit ocsvm", "ocsvm", 'f', most},
                          {"fit cblof", "cblof", 'f', most},
                          {"fit loda", "loda", 'f', most},
                          {"fit cof", "cof", 'f', most},
                          {"fit sod", "sod", 'f', most},
                          {"fit bagging", "bagging", 'f', most},
                          {"fit auto", "auto", 'f', most},
                          {"detect fast", "fast", 'd', most / 4},
                          {"explain", "auto", 'e', most / 400},
                          {"explain hbos", "hbos", 'e', most / 16},
                          {"fit file", "hbos", 'l', most / 4},
                          {"read file", "hbos", 'r', most / 4},
                          {"fit wide", "hbos", 'w', most / 400},
                          {"fit wide", "pca", 'w', most / 400},
                          {"fit wide", "mcd", 'w', most / 400},
                          {"fit wide", "knn", 'w', most / 400},
                          {"fit wide", "iforest", 'w', most / 400},
                          {"fit wide", "copod", 'w', most / 400},
                          {"fit wide", "auto", 'w', most / 1000},
                          {"fit mixed", "hbos", 'm', most / 8},
                          {"fit mixed", "auto", 'm', most / 16},
                          {"scan part", "hbos", 'p', most / 8}};
    printf("%-24s %-8s %10s %8s %8s\n", "call", "model", "rows", "s", "late, s");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strstr(calls[i].name, filter)) measure(&calls[i], &w);
    unlink(w.path);
    free(w.x);
    free(w.scores);
    return 0;
}
