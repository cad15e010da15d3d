/*
 * What each level of the kernels costs on this machine, and one fused multiply-add without the instruction.
 *
 * The shapes are those of a decoder's second layer: 8 rows of 50 samples are 400 lanes. Every result is
 * compared with that of the reference before it is timed; times are processor time, medians of rounds in
 * which the levels take turns. Output is Markdown. On a processor that has the instruction,
 *
 *     GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4 build-bench/bench/kernel_levels
 *
 * shows what the C library does on one that does not.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "kern/kern.h"
#include "kern/vecmath.h"

enum { ROUNDS = 5, OUT = 32, IN = 16, LANES = 400, ROWS = 8, SAMPLES = 50, NUMBERS = IN * LANES, LEVELS = 2 };
#define TURN 0.05 /* seconds of a kernel in a round, at least */

static float a[OUT * IN], b[OUT * LANES], c[OUT * LANES], logp[LANES], small[OUT * IN];

static void run_mul(const od_kern *k)
{
    k->mul(&(od_mul_args){OUT, LANES, IN, a, IN, 1, b, LANES, a, true, c, LANES});
}

static void run_dot(const od_kern *k)
{
    memset(small, 0, sizeof small);
    k->dot(&(od_dot_args){OUT, IN, LANES, b, LANES, b, LANES, small, IN});
    memcpy(c, small, sizeof small);
}

static void run_exp(const od_kern *k)
{
    k->exp(c, b, NUMBERS);
}

static void run_normal(const od_kern *k)
{
    od_rng s = od_rng_make(0, 0, OD_RNG_TRAIN, 0);
    k->normal(c, NUMBERS, &s);
}

static void run_lik(const od_kern *k)
{
    memset(logp, 0, sizeof logp);
    memcpy(c, b, sizeof c);
    k->lik(&(od_lik_args){OD_LIK_GAUSSIAN, logp, c, c + NUMBERS, a, b, ROWS, SAMPLES, ROWS, IN, true});
}

static const struct {
    const char *what;
    double work; /* of one call */
    void (*run)(const od_kern *);
} kernels[] = {
    {"multiply, with bias and leaky ReLU (multiply-adds)", (double)OUT *IN *LANES, run_mul},
    {"product sums over lanes (multiply-adds)", (double)OUT *IN *LANES, run_dot},
    {"exp (numbers)", NUMBERS, run_exp},
    {"normal random numbers", NUMBERS, run_normal},
    {"likelihood and its gradient (values)", NUMBERS, run_lik},
};

/* Millions per second. */
static double rate(void (*run)(const od_kern *), const od_kern *k, double work)
{
    double begin = bench_cpu(), took;
    int64_t times = 0;
    do {
        run(k);
        times++;
        took = bench_cpu() - begin;
    } while (took < TURN);
    return 1e-6 * work * (double)times / took;
}

static void measure(size_t kernel, const od_kern *const *level, int levels)
{
    static float want[OUT * LANES];
    double rates[LEVELS][ROUNDS];
    for (int i = 0; i < levels; i++) {
        memset(c, 0, sizeof c);
        kernels[kernel].run(level[i]);
        if (i == 0) memcpy(want, c, sizeof c);
        if (memcmp(want, c, sizeof c) != 0) bench_die(kernels[kernel].what, "differs from the reference");
    }
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < levels; i++)
            rates[i][r] = rate(kernels[kernel].run, level[i], kernels[kernel].work);
    double first = 0.0;
    printf("| %s |", kernels[kernel].what);
    for (int i = 0; i < levels; i++) {
        double middle = bench_median(rates[i], ROUNDS);
        if (i == 0) first = middle;
        printf(" %.0f |", middle);
        if (i) printf(" %.1f |", middle / first);
    }
    printf("\n");
}

typedef float (*multiply_add)(float, float, float);

static float ours(float x, float y, float z)
{
    return od_fmaf(x, y, z);
}

/* Nanoseconds of a call. */
static double cost(multiply_add volatile function)
{
    enum { CALLS = 100000 };
    double begin = bench_cpu(), took;
    int64_t calls = 0;
    volatile float kept;
    do {
        float sum = 0.0f;
        for (int i = 0; i < CALLS; i++) sum = function(a[i % IN], b[i % IN], sum);
        kept = sum;
        calls += CALLS;
        took = bench_cpu() - begin;
    } while (took < TURN);
    (void)kept;
    return 1e9 * took / (double)calls;
}

int main(void)
{
    const od_kern *level[LEVELS] = {od_kern_ref()}, *best = od_kern_avx2() ? od_kern_avx2() : od_kern_neon();
    int levels = 1;
    char machine[200];
    if (best) level[levels++] = best;
    for (int i = 0; i < OUT * IN; i++) a[i] = (float)(i * 37 % 101) / 101.0f - 0.5f;
    for (int i = 0; i < OUT * LANES; i++) b[i] = (float)(i * 37 % 1013) / 1013.0f - 0.5f;
    bench_describe(machine, sizeof machine);
    printf("- Machine: %s\n\n| millions per second | ref |", machine);
    for (int i = 1; i < levels; i++) printf(" %s | %s / ref |", level[i]->name, level[i]->name);
    printf("\n|---|---|%s\n", levels > 1 ? "---|---|" : "");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) measure(i, level, levels);
    printf("\nOne fused multiply-add by a call: %.1f ns with fmaf of the C library, %.1f ns with that of the "
           "kernels.\n",
           cost(fmaf), cost(ours));
    return 0;
}
