/*
 * How long does the score of one row take?
 *
 *     single_row [COLUMNS [ROWS]]        default: 20 5000
 *
 * Fits a model of every preset and of the fast methods to synthetic rows, and scores these one at a time:
 * with a scorer on one thread and on two, and with odim_score. Every score of the scorer is compared with
 * that of odim_score for the whole table first. Times are of the fastest of several rounds.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "synthetic.h"

#define ROUNDS 5
#define CALLS  500 /* of odim_score, which is slower */

typedef struct rows {
    const odim_model *model;
    double *values; /* (n, d) */
    int64_t n, d;
    double us;
} rows;

/* Scores all rows, one call per row, ROUNDS times. */
static void *score_all(void *arg)
{
    rows *r = arg;
    odim_scorer *scorer;
    odim_error err;
    bench_check("scorer", odim_scorer_new(&scorer, r->model, &err), &err);
    r->us = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_wall(), score;
        for (int64_t i = 0; i < r->n; i++)
            bench_check("score", odim_scorer_score(scorer, r->values + i * r->d, 1, 0, &score, NULL, &err),
                        &err);
        double us = (bench_wall() - begin) * 1e6 / (double)r->n;
        if (us < r->us) r->us = us;
    }
    odim_scorer_free(scorer);
    return NULL;
}

/* The time per row of each of two threads that score at the same time. */
static double two_threads(const rows *one)
{
    rows r[2] = {*one, *one};
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, score_all, &r[i])) bench_die("thread", "cannot be started");
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    return r[0].us > r[1].us ? r[0].us : r[1].us;
}

static double by_table(const rows *r)
{
    odim_error err;
    double begin = bench_wall(), score;
    for (int64_t i = 0; i < CALLS; i++) {
        odim_table *table;
        bench_check("row", odim_table_wrap_f64(&table, r->values + i % r->n * r->d, 1, r->d, 0, NULL, &err),
                    &err);
        bench_check("score", odim_score(r->model, table, NULL, NULL, &score, &err), &err);
        odim_table_free(table);
    }
    return (bench_wall() - begin) * 1e6 / CALLS;
}

static void verify(const rows *r, const odim_table *table)
{
    odim_error err;
    odim_scorer *scorer;
    double *want = malloc((size_t)r->n * sizeof *want), got;
    if (!want) bench_die("scores", "out of memory");
    bench_check("score", odim_score(r->model, table, NULL, NULL, want, &err), &err);
    bench_check("scorer", odim_scorer_new(&scorer, r->model, &err), &err);
    for (int64_t i = 0; i < r->n; i++) {
        bench_check("score", odim_scorer_score(scorer, r->values + i * r->d, 1, 0, &got, NULL, &err), &err);
        if (memcmp(&got, &want[i], sizeof got) != 0) bench_die("scorer", "a score differs from odim_score");
    }
    odim_scorer_free(scorer);
    free(want);
}

static void measure(const char *parameter, const char *value, rows *r, const odim_table *table)
{
    odim_error err;
    odim_params *params = odim_params_new();
    if (!params) bench_die("parameters", "out of memory");
    bench_set(params, parameter, value);
    odim_model *model;
    bench_check("fit", odim_fit(table, params, NULL, &model, &err), &err);
    r->model = model;
    verify(r, table);
    score_all(r);
    printf("%-8s %-8s %10.2f %12.2f %12.2f\n", parameter, value, r->us, two_threads(r), by_table(r));
    fflush(stdout);
    odim_model_free(model);
    odim_params_free(params);
}

int main(int argc, char **argv)
{
    rows r = {.d = argc > 1 ? bench_count(argv[1], 10000) : 20,
              .n = argc > 2 ? bench_count(argv[2], 1000000) : 5000};
    float *x = malloc((size_t)(r.n * r.d) * sizeof *x);
    r.values = malloc((size_t)(r.n * r.d) * sizeof *r.values);
    if (!x || !r.values) bench_die("rows", "out of memory");
    synthetic_fill(x, 0, r.n, (int)r.d);
    for (int64_t i = 0; i < r.n * r.d; i++) r.values[i] = (double)x[i];
    odim_table *table;
    odim_error err;
    bench_check("table", odim_table_wrap_f64(&table, r.values, r.n, r.d, 0, NULL, &err), &err);
    char text[200];
    bench_describe(text, sizeof text);
    printf("%s; %lld columns\n", text, (long long)r.d);
    printf("%-17s %10s %12s %12s\n", "us per row", "scorer", "2 threads", "odim_score");
    static const char *const models[][2] = {{"preset", "fast"},  {"preset", "auto"},   {"preset", "paper"},
                                            {"method", "hbos"},  {"method", "pca"},    {"method", "ecod"},
                                            {"method", "copod"}, {"method", "mcd"},    {"method", "iforest"},
                                            {"method", "knn"},   {"method", "lof"},    {"method", "ocsvm"},
                                            {"method", "cblof"}, {"method", "loda"},   {"method", "cof"},
                                            {"method", "sod"},   {"method", "bagging"}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        measure(models[i][0], models[i][1], &r, table);
    odim_table_free(table);
    free(r.values);
    free(x);
    return 0;
}
