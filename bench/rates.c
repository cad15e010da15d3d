/*
 * How close do training and scoring come to what the machine can do, which is taken to be OpenBLAS's rate for
 * large square matrices on the same number of threads?
 *
 *     rates [--threads N] [--repeat N]
 *
 * Synthetic tables, `paper` settings, with and without batch normalisation. The floating-point operations of
 * the multiplies are counted and nothing else, so noise, likelihood, activations, statistics, scaling of rows
 * and the stop rule are all overhead. "All" counts forward and backward of every sample: what a plain
 * implementation does. "Done" leaves out the backward work of samples that weigh nothing, which is not done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "bench.h"
#include "libraries.h"
#include "model/model.h"
#include "net/iwae.h"
#include "synthetic.h"

enum { SQUARE = 2048, SHORT = 50, MAX_RUNS = 101, BATCH = 64, SAMPLES = 50, CHECK_EVERY = 10 };

static const int widths[] = {10, 16, 36, 100, 512};
enum { WIDTHS = sizeof widths / sizeof *widths };

/* ---- the machine ----------------------------------------------------------------------------------------
 */

/* GFLOP/s; 0 where there is no OpenBLAS. */
static double machine_rate(int threads, int repeat)
{
    library lib[LIBRARIES];
    libraries_open(lib, threads);
    if (!lib[OPENBLAS].version[0]) return 0;
    size_t size = (size_t)SQUARE * SQUARE;
    multiply x = {.m = SQUARE, .n = SQUARE, .k = SQUARE, .ars = SQUARE, .acs = 1, .brs = SQUARE, .bcs = 1};
    x.a = od_calloc(size, sizeof(float));
    x.b = od_calloc(size, sizeof(float));
    x.c = od_calloc(size, sizeof(float));
    if (!x.a || !x.b || !x.c) bench_die("sgemm", "out of memory");
    for (size_t i = 0; i < size; i++) x.a[i] = x.b[i] = (float)(i % 17) * 0.1f;
    double rate[MAX_RUNS];
    for (int i = -1; i < repeat; i++) { /* the first one warms up */
        double start = bench_wall();
        lib[OPENBLAS].run(&x);
        if (i >= 0) rate[i] = 2e-9 * SQUARE * (double)size / (bench_wall() - start);
    }
    od_free(x.a), od_free(x.b), od_free(x.c);
    return bench_median(rate, repeat);
}

/* ---- the work -------------------------------------------------------------------------------------------
 */

/* Multiply-adds of one lane: of the hidden layers, and of the head. */
static void count_stack(const od_mlp *s, double *hidden, double *head)
{
    *hidden = 0;
    for (int i = 0; i < s->layers; i++) *hidden += (double)(s->layer[i].in * s->layer[i].out);
    *head = (double)(s->in * s->outputs);
}

typedef struct work {
    double all, done; /* GFLOP of an update, with its part of the looks at the stop rule */
    double row;       /* of scoring a row by one member */
} work;

static work count_work(const od_layout *l, double active)
{
    double eh, et, dh, dt, rows = BATCH, lanes = BATCH * SAMPLES;
    count_stack(&l->enc, &eh, &et);
    count_stack(&l->dec, &dh, &dt);
    double enc = rows * (eh + et), forward = enc + lanes * (dh + dt), look = forward / CHECK_EVERY;
    double first = (double)(l->enc.layer[0].in * l->enc.layer[0].out) * rows; /* no gradient of the data */
    double back_enc = 2 * enc - first;
    double back = 2 * lanes * active * dt + 2 * lanes * (l->shape.batch_norm ? 1 : active) * dh;
    work w = {.all = forward + look + back_enc + 2 * lanes * (dh + dt),
              .done = forward + look + back_enc + back};
    w.all *= 2e-9;
    w.done *= 2e-9;
    w.row = 2e-9 * (eh + et + SAMPLES * (dh + dt));
    return w;
}

/* The part of the samples that have any weight, by the fitted models on the first batches of the table. */
static double live_part(const odim_model *m, const float *x, int64_t rows)
{
    od_iwae net;
    odim_error err;
    bench_check("net",
                od_iwae_new(&net, od_kern_get(), &m->layout,
                            &(od_net_options){.rows = BATCH, .samples = SAMPLES, .training = true}, &err),
                &err);
    float *eps = od_alloc((size_t)od_iwae_noise(&net, BATCH), sizeof *eps), loss[BATCH];
    float *grad = od_calloc(m->layout.params, sizeof *grad),
          *stats = od_calloc(m->layout.stats + 1, sizeof *stats);
    double active = 0, seen = 0;
    for (int64_t b = 0; b < m->members; b++) {
        for (int64_t at = 0; at + BATCH <= rows && at < 8 * BATCH; at += BATCH) {
            od_rng s = od_rng_make(1, (uint32_t)b, OD_RNG_TRAIN, (uint32_t)at);
            od_kern_get()->normal(eps, od_iwae_noise(&net, BATCH), &s);
            od_iwae_grad(
                &net, m->member[b].params, stats, grad,
                &(od_train_batch){.x = x + at * m->layout.shape.d, .rows = BATCH, .eps = eps, .loss = loss});
            for (int64_t c = 0; c < net.dec.held; c++) {
                active += (double)net.dec.chunk[c].active.count;
                seen += (double)net.dec.chunk[c].active.n;
            }
        }
    }
    od_free(eps), od_free(grad), od_free(stats);
    od_iwae_free(&net);
    return active / seen;
}

/* ---- measuring ------------------------------------------------------------------------------------------
 */

typedef struct result {
    double all, done, score; /* GFLOP/s */
    double active;
} result;

static double timed_fit(const odim_table *t, odim_params *p, int updates, odim_model **m)
{
    odim_error err;
    char text[24];
    snprintf(text, sizeof text, "%d", updates);
    bench_set(p, "max-updates", text);
    double start = bench_wall();
    bench_check("fit", odim_fit(t, p, NULL, m, &err), &err);
    return bench_wall() - start;
}

static result measure(int d, const char *batch_norm, int threads, int repeat)
{
    int64_t rows = d < 100 ? 8192 : 2048;
    int updates = d < 100 ? 450 : d < 500 ? 150 : 80;
    float *x = od_alloc((size_t)(rows * d), sizeof *x);
    double *scores = od_alloc((size_t)rows, sizeof *scores);
    if (!x || !scores) bench_die("table", "out of memory");
    synthetic_fill(x, 0, rows, d);
    odim_table *t;
    odim_error err;
    odim_model *m;
    odim_params *p = bench_paper();
    char text[24];
    bench_check("table", odim_table_wrap_f32(&t, x, rows, d, 0, NULL, &err), &err);
    snprintf(text, sizeof text, "%d", threads);
    bench_set(p, "threads", text);
    bench_set(p, "members", text);
    bench_set(p, "patience", "1000000");
    bench_set(p, "batch-norm", batch_norm);
    double fit[MAX_RUNS], score[MAX_RUNS];
    result r = {0};
    work w = {0};
    for (int i = 0; i < repeat; i++) {
        /* What is the same for any number of updates drops out. */
        double part = timed_fit(t, p, SHORT, &m);
        odim_model_free(m);
        fit[i] = (timed_fit(t, p, SHORT + updates, &m) - part) / updates;
        double start = bench_wall();
        bench_check("score", odim_score_raw(m, t, p, NULL, scores, &err), &err);
        score[i] = bench_wall() - start;
        if (i == 0) {
            r.active = live_part(m, x, rows);
            w = count_work(&m->layout, r.active);
        }
        odim_model_free(m);
    }
    double update = bench_median(fit, repeat);
    r.all = w.all * threads / update;
    r.done = w.done * threads / update;
    r.score = w.row * (double)rows * threads / bench_median(score, repeat);
    odim_params_free(p);
    odim_table_free(t);
    od_free(x), od_free(scores);
    return r;
}

int main(int argc, char **argv)
{
    int threads = 1, repeat = 5;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--threads") == 0)
            threads = (int)bench_count(argv[++i], 64);
        else if (i + 1 < argc && strcmp(argv[i], "--repeat") == 0)
            repeat = (int)bench_count(argv[++i], MAX_RUNS);
        else
            bench_die(argv[i], "usage: rates [--threads N] [--repeat N]");
    }
    char machine[256];
    bench_describe(machine, sizeof machine);
    double top = machine_rate(threads, repeat);
    if (top == 0) {
        printf("skipped: no OpenBLAS\n");
        return 0;
    }
    printf("- Machine and version: %s; threads: %d; medians of %d\n"
           "- OpenBLAS, sgemm of %d x %d matrices: %.1f GFLOP/s\n\n",
           machine, threads, repeat, SQUARE, SQUARE, top);
    printf("| D | batch norm | live samples | training, all GFLOP/s | of sgemm | done | of sgemm | scoring | "
           "of sgemm "
           "|\n|--:|:--|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int i = 0; i < WIDTHS; i++) {
        for (int off = 0; off < 2; off++) {
            result r = measure(widths[i], off ? "off" : "on", threads, repeat);
            printf("| %d | %s | %.2f | %.1f | %.0f %% | %.1f | %.0f %% | %.1f | %.0f %% |\n", widths[i],
                   off ? "off" : "on", r.active, r.all, 100 * r.all / top, r.done, 100 * r.done / top,
                   r.score, 100 * r.score / top);
            fflush(stdout);
        }
    }
    return 0;
}
