/*
 * The multiplies of training at their real shapes, on one thread: ours and those of libraries, in one run.
 * All are checked before they are timed, and timed in turn, so that a busy moment of the machine hits all
 * alike. Output is Markdown.
 *
 * Each is done in two ways. By lanes, as odim does it: 8 rows of data with 50 samples each lie side by side,
 * 400 lanes, and a chunk of them stays in cache from layer to layer. As a whole, as a library would be used:
 * a batch of 64 rows, 3200 by the width of the layer. The weights then lie as each multiply likes them best.
 * Libraries do both, and the better counts.
 *
 * Hidden layers want a bias and leaky ReLU too. Odim does them in the multiply; for a library they are a pass
 * of their own over its result by lanes, with our vector kernel.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "bench.h"
#include "fit/fit.h"
#include "kern/kern.h"
#include "libraries.h"

#define LANES      400
#define ROWS       3200
#define SQUARE     1536
#define ROUNDS     9
#define TURN       0.01 /* seconds of a multiply in a round, at least */
#define TOLERANCE  1e-5 /* of the sum of the magnitudes */
#define MOST_TERMS (1 << 24)
#define REF_ROWS   64

enum { ODIM = LIBRARIES, COLUMNS };

typedef struct problem {
    const char *what;
    int64_t out, in;
    int ways;
    multiply way[2]; /* by lanes, as a whole */
} problem;

/* One way of doing a multiply, and how fast that was. */
typedef struct entry {
    int column;
    const multiply *x;
    int64_t times;
    double rate[ROUNDS]; /* GFLOP/s */
} entry;

/* All multiplies of a decoder: GFLOP, and seconds of each column. */
typedef struct totals {
    double work, time[COLUMNS];
} totals;

static library lib[COLUMNS];
static float *ones; /* as many as a layer with a bias is wide */

/* ---- ours ---- */

static void run_kern(const od_kern *k, const multiply *x, int64_t m, float *c)
{
    if (x->adds)
        k->dot(m, x->n, x->k, x->a, x->ars, x->b, x->bcs, c, x->n);
    else
        k->mul(m, x->n, x->k, x->a, x->ars, x->acs, x->b, x->brs, x->bias, x->bias, c, x->n);
}

static void run_odim(const multiply *x)
{
    run_kern(od_kern_get(), x, x->m, x->c);
}

/* Compares with the reference kernel, which is slow: only so many rows. */
static void check_bits(const problem *p)
{
    const multiply *x = &p->way[0];
    int64_t m = x->m < REF_ROWS ? x->m : REF_ROWS;
    float *ref = od_calloc((size_t)(m * x->n), sizeof *ref);
    if (!ref) bench_die(p->what, "out of memory");
    run_kern(od_kern_ref(), x, m, ref);
    if (memcmp(ref, x->c, (size_t)(m * x->n) * sizeof *ref) != 0)
        bench_die(p->what, "odim differs from its reference kernel");
    od_free(ref);
}

/* ---- all ---- */

static void run(int column, const multiply *x)
{
    lib[column].run(x);
    if (x->bias && column != ODIM) od_kern_get()->norm_leaky(x->c, ones, x->bias, x->m, x->n);
}

/* Runs it once and compares with sums in double; of a large result, elements all over it. */
static void check(const problem *p, int column, const multiply *x)
{
    memset(x->c, 0, (size_t)(x->m * x->n) * sizeof *x->c);
    run(column, x);
    int64_t step = (x->m * x->n * x->k / MOST_TERMS) | 1;
    for (int64_t e = x->m * x->n - 1; e >= 0; e -= step) {
        const float *a = x->a + e / x->n * x->ars, *b = x->b + e % x->n * x->bcs;
        double sum = x->bias ? x->bias[e / x->n] : 0.0, size = fabs(sum);
        for (int64_t i = 0; i < x->k; i++) {
            double term = (double)a[i * x->acs] * b[i * x->brs];
            sum += term;
            size += fabs(term);
        }
        if (x->bias && sum < 0.0) sum *= OD_LEAKY;
        if (!(fabs(x->c[e] - sum) <= TOLERANCE * size)) {
            fprintf(stderr, "%s gives %g for %g\n", lib[column].name, x->c[e], sum);
            bench_die(p->what, "wrong result");
        }
    }
}

/* Of processor time: an interruption costs nothing, and a library that starts threads gains nothing. */
static double seconds(const entry *e)
{
    double start = bench_cpu();
    for (int64_t i = 0; i < e->times; i++) run(e->column, e->x);
    return bench_cpu() - start;
}

static void enter(entry *e, int column, const multiply *x)
{
    *e = (entry){.column = column, .x = x, .times = 1};
    while (seconds(e) < TURN) e->times *= 2;
}

static void time_all(entry *e, int count)
{
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < count; i++) {
            const multiply *x = e[i].x;
            e[i].rate[r] = 2e-9 * (double)(x->m * x->n * x->k * e[i].times) / seconds(&e[i]);
        }
}

/* A line of the table. A star for a library that is faster by lanes. */
static void show(const char *what, int64_t out, int64_t in, const double rate[COLUMNS],
                 const bool by_lanes[COLUMNS])
{
    double best = 0.0;
    printf("| %s | ", what);
    if (out) printf("%lld x %lld ", (long long)out, (long long)in);
    printf("| %.1f |", rate[ODIM]);
    for (int c = 0; c < LIBRARIES; c++) {
        if (rate[c] > best) best = rate[c];
        if (rate[c] > 0.0)
            printf(" %.1f%s |", rate[c], by_lanes[c] ? "*" : "");
        else
            printf(" - |");
    }
    if (best > 0.0)
        printf(" %.2f |\n", rate[ODIM] / best);
    else
        printf(" - |\n");
    fflush(stdout);
}

/* t may be NULL. */
static void measure(problem *p, totals *t)
{
    entry e[2 * COLUMNS];
    int count = 0;
    check(p, ODIM, &p->way[0]);
    check_bits(p);
    enter(&e[count++], ODIM, &p->way[0]);
    for (int c = 0; c < LIBRARIES; c++) {
        for (int w = 0; lib[c].version[0] && w < p->ways; w++) {
            multiply *x = &p->way[w];
            if (lib[c].prepare && !lib[c].prepare(x)) continue;
            check(p, c, x);
            enter(&e[count++], c, x);
        }
    }
    time_all(e, count);

    double rate[COLUMNS] = {0};
    bool by_lanes[COLUMNS] = {false};
    for (int i = 0; i < count; i++) {
        double median = bench_median(e[i].rate, ROUNDS);
        if (median <= rate[e[i].column]) continue;
        rate[e[i].column] = median;
        by_lanes[e[i].column] = p->ways > 1 && e[i].x == &p->way[0];
    }
    show(p->what, p->out, p->in, rate, by_lanes);
    if (!t) return;
    double work = 2e-9 * (double)(ROWS * p->out * p->in);
    t->work += work;
    for (int c = 0; c < COLUMNS; c++) t->time[c] += work / rate[c]; /* infinite for one that is missing */
}

/* ---- the problems ---- */

static float *numbers(int64_t count)
{
    float *x = od_alloc((size_t)count, sizeof *x);
    if (!x) bench_die("numbers", "out of memory");
    for (int64_t i = 0; i < count; i++) x[i] = (float)((uint32_t)i * 2654435761u >> 8) * 0x1p-24f - 0.5f;
    return x;
}

static void run_problem(problem *p, totals *t)
{
    for (int w = 0; w < p->ways; w++) {
        multiply *x = &p->way[w];
        x->a = numbers(x->m * x->k);
        x->b = numbers(x->k * x->n);
        x->c = numbers(x->m * x->n);
    }
    measure(p, t);
    for (int w = 0; w < p->ways; w++) {
        multiply *x = &p->way[w];
        od_free(x->a);
        od_free(x->b);
        od_free(x->c);
        od_free(x->plan);
    }
}

static void run_layer(int64_t d, int layer, bool is_head, int64_t out, int64_t in, totals *t)
{
    const int64_t l = LANES, r = ROWS;
    char what[64];
    problem p = {.what = what, .out = out, .in = in, .ways = 2};

    snprintf(what, sizeof what, "D = %lld, layer %d, forward", (long long)d, layer);
    p.way[0] = (multiply){.m = out, .n = l, .k = in, .ars = in, .acs = 1, .brs = l, .bcs = 1};
    p.way[1] = (multiply){.m = r, .n = out, .k = in, .ars = in, .acs = 1, .brs = out, .bcs = 1};
    run_problem(&p, is_head ? t : NULL);
    if (!is_head) {
        snprintf(what, sizeof what, "D = %lld, layer %d, forward, bias, leaky", (long long)d, layer);
        p.ways = 1;
        p.way[0].bias = numbers(out);
        ones = numbers(out);
        for (int64_t i = 0; i < out; i++) ones[i] = 1.0f;
        run_problem(&p, t);
        od_free(p.way[0].bias);
        od_free(ones);
        p.ways = 2;
    }

    snprintf(what, sizeof what, "D = %lld, layer %d, input gradient", (long long)d, layer);
    p.way[0] = (multiply){.m = in, .n = l, .k = out, .ars = 1, .acs = in, .brs = l, .bcs = 1};
    p.way[1] = (multiply){.m = r, .n = in, .k = out, .ars = out, .acs = 1, .brs = in, .bcs = 1};
    run_problem(&p, t);

    snprintf(what, sizeof what, "D = %lld, layer %d, weight gradient", (long long)d, layer);
    p.way[0] = (multiply){.m = out, .n = in, .k = l, .ars = l, .acs = 1, .brs = 1, .bcs = l, .adds = true};
    p.way[1] = (multiply){.m = out, .n = in, .k = r, .ars = 1, .acs = out, .brs = in, .bcs = 1};
    run_problem(&p, t);
}

/* The decoder that odim takes by itself for d columns, with a mean and a log-variance for each. */
static void run_decoder(int64_t d)
{
    const od_shape s = od_fit_shape(&(od_config){0}, d);
    const bool no_stars[COLUMNS] = {false};
    char what[64];
    totals t = {0};
    int64_t in = s.latent;
    for (int i = 0; i <= s.layers; i++) {
        bool is_head = i == s.layers;
        int64_t out = is_head ? 2 * d : s.hidden[s.layers - 1 - i];
        run_layer(d, i + 1, is_head, out, in, &t);
        in = out;
    }
    double rate[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) rate[c] = t.work / t.time[c];
    snprintf(what, sizeof what, "**D = %lld, together**", (long long)d);
    show(what, 0, 0, rate, no_stars);
}

static void run_square(void)
{
    const int64_t s = SQUARE;
    problem p = {.what = "large square, for scale", .out = s, .in = s, .ways = 1};
    p.way[0] = (multiply){.m = s, .n = s, .k = s, .ars = s, .acs = 1, .brs = s, .bcs = 1};
    run_problem(&p, NULL);
}

int main(void)
{
    static const int64_t columns[] = {3, 10, 36, 100, 512, 1555};
    char machine[256];
    libraries_open(lib, 1);
    lib[ODIM].name = "odim";
    lib[ODIM].run = run_odim;
    bench_describe(machine, sizeof machine);
    printf("- Machine: %s; one thread\n", machine);
    for (int c = 0; c < LIBRARIES; c++)
        printf("- %s%s\n", lib[c].version[0] ? lib[c].version : lib[c].name,
               lib[c].version[0] ? "" : ": not here");
    printf("\n| multiply | out x in | odim |");
    for (int c = 0; c < LIBRARIES; c++) printf(" %s |", lib[c].name);
    printf(" odim / best other |\n|---|---|---|---|---|---|---|---|\n");
    run_square();
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) run_decoder(columns[i]);
    return 0;
}
