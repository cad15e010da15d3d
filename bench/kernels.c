/*
 * The multiplies of training at their real shapes: ours against OpenBLAS on one thread, in one run. Each is
 * compared with the reference kernel before it is timed. Output is a Markdown table.
 */
#define _POSIX_C_SOURCE 200809L
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "kern/kern.h"

void openblas_set_num_threads(int n);
char *openblas_get_config(void);

#define REPEATS 9

typedef struct problem {
    const char *what;
    int64_t m, n, k;
    char form; /* f: x W^T, b: dy W, w: dy^T x */
} problem;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void ours(const od_kern *kern, const problem *p, const float *a, const float *b, float *c)
{
    if (p->form == 'f') kern->gemm(p->m, p->n, p->k, a, p->k, 1, b, 1, p->k, false, c, p->n);
    if (p->form == 'b') kern->gemm(p->m, p->n, p->k, a, p->k, 1, b, p->n, 1, false, c, p->n);
    if (p->form == 'w') kern->gemm(p->m, p->n, p->k, a, 1, p->m, b, p->n, 1, false, c, p->n);
}

static void blas(const problem *p, const float *a, const float *b, float *c)
{
    int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    if (p->form == 'f') cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a, k, b, k, 0, c, n);
    if (p->form == 'b')
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
    if (p->form == 'w') cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, k, 1, a, m, b, n, 0, c, n);
}

/* GFLOP/s, the median of several runs of about 20 ms. */
static double speed(const od_kern *kern, const problem *p, const float *a, const float *b, float *c)
{
    double flop = 2.0 * (double)p->m * (double)p->n * (double)p->k, rate[REPEATS];
    int64_t times = (int64_t)(1e9 / flop) + 1;
    for (int r = 0; r < REPEATS; r++) {
        double start = now();
        for (int64_t i = 0; i < times; i++) kern ? ours(kern, p, a, b, c) : blas(p, a, b, c);
        rate[r] = flop * (double)times / (now() - start) * 1e-9;
        for (int q = r; q > 0 && rate[q] < rate[q - 1]; q--) {
            double t = rate[q];
            rate[q] = rate[q - 1];
            rate[q - 1] = t;
        }
    }
    return rate[REPEATS / 2];
}

static float *numbers(int64_t n)
{
    float *x = od_alloc((size_t)n, sizeof *x);
    for (int64_t i = 0; x && i < n; i++) x[i] = (float)((i * 7919) % 1000) * 1e-3f - 0.5f;
    return x;
}

static void measure(const problem *p)
{
    float *a = numbers(p->m * p->k), *b = numbers(p->k * p->n), *c = numbers(p->m * p->n),
          *d = numbers(p->m * p->n);
    if (!a || !b || !c || !d) {
        fprintf(stderr, "kernels: out of memory\n");
        exit(1);
    }
    ours(od_kern_get(), p, a, b, c);
    ours(od_kern_ref(), p, a, b, d);
    if (memcmp(c, d, (size_t)(p->m * p->n) * sizeof *c) != 0) {
        fprintf(stderr, "kernels: %s: wrong result\n", p->what);
        exit(1);
    }
    blas(p, a, b, d);
    for (int64_t i = 0; i < p->m * p->n; i++) {
        if (fabsf(c[i] - d[i]) > 1e-3f) {
            fprintf(stderr, "kernels: %s: OpenBLAS differs\n", p->what);
            exit(1);
        }
    }
    double own = speed(od_kern_get(), p, a, b, c), other = speed(NULL, p, a, b, c);
    printf("| %s | %lld x %lld x %lld | %.1f | %.1f | %.2f |\n", p->what, (long long)p->m, (long long)p->n,
           (long long)p->k, own, other, own / other);
    fflush(stdout);
    od_free(a), od_free(b), od_free(c), od_free(d);
}

int main(void)
{
    static const struct {
        int64_t d, h1, h2, latent;
    } nets[] = {{3, 32, 16, 2}, {10, 32, 16, 8}, {36, 32, 16, 8}, {100, 128, 64, 32}, {512, 128, 64, 32}};
    const int64_t rows = 3200; /* batch 64, 50 samples */
    openblas_set_num_threads(1);
    printf("Kernels: %s; %s\n\n", od_kern_get()->name, openblas_get_config());
    printf("| multiply | m x n x k | odim GFLOP/s | OpenBLAS GFLOP/s | ratio |\n|---|---|---|---|---|\n");
    measure(&(problem){"large square, for scale", 1536, 1536, 1536, 'b'});
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        int64_t width[] = {nets[i].latent, nets[i].h2, nets[i].h1, 2 * nets[i].d};
        for (int l = 0; l < 3; l++) {
            char what[64];
            snprintf(what, sizeof what, "D = %lld, decoder layer %d forward", (long long)nets[i].d, l + 1);
            measure(&(problem){what, rows, width[l + 1], width[l], 'f'});
            snprintf(what, sizeof what, "D = %lld, decoder layer %d input gradient", (long long)nets[i].d,
                     l + 1);
            measure(&(problem){what, rows, width[l], width[l + 1], 'b'});
            snprintf(what, sizeof what, "D = %lld, decoder layer %d weight gradient", (long long)nets[i].d,
                     l + 1);
            measure(&(problem){what, width[l + 1], width[l], rows, 'w'});
        }
    }
    return 0;
}
