/*
 * How many noise vectors does scoring need, and which ones? A member's noise is the same for every row, so it
 * can be chosen. This scores the same fitted models with different noise and compares with 1000 random
 * vectors: the change of AUC, and the rank correlation of the scores.
 *
 *     noise_study [--sets NAME,...] [--seeds N]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "bench.h"
#include "fit/noise.h"
#include "kern/kern.h"
#include "model/model.h"
#include "score/score.h"
#include "sets.h"

#define REFERENCE 1000
#define DEFAULT_SETS                                                                                         \
    "breastw,cardio,ionosphere,letter,mammography,mnist,musk,pendigits,pima,satellite,shuttle,smtp,thyroid," \
    "vowels,wdbc"

typedef void (*generator)(float *noise, int64_t k, int64_t latent, uint64_t seed);

/* ---- noise ----------------------------------------------------------------------------------------------
 */

static void random_noise(float *noise, int64_t k, int64_t latent, uint64_t seed)
{
    od_rng s = od_rng_make(seed, 0, OD_RNG_SCORE, 1);
    od_kern_get()->normal(noise, k * latent, &s);
}

/* Every vector with its opposite. */
static void antithetic_noise(float *noise, int64_t k, int64_t latent, uint64_t seed)
{
    random_noise(noise, (k + 1) / 2, latent, seed);
    for (int64_t i = (k + 1) / 2 * latent; i < k * latent; i++) noise[i] = -noise[i - (k + 1) / 2 * latent];
}

static double unit_at(uint64_t seed, uint32_t step, uint64_t i)
{
    od_rng s = od_rng_make(seed, 1, OD_RNG_SCORE, step);
    uint32_t w[4];
    od_rng_block(&s, i, w);
    return (double)od_unit(w[0]);
}

static void shuffle(int64_t *order, int64_t n, uint64_t seed, uint32_t step)
{
    for (int64_t i = 0; i < n; i++) order[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t other = (int64_t)(unit_at(seed, step, (uint64_t)i) * (double)(i + 1)), t = order[i];
        order[i] = order[other];
        order[other] = t;
    }
}

/* Latin hypercube: what odim uses. */
static void latin_noise(float *noise, int64_t k, int64_t latent, uint64_t seed)
{
    od_rng s = od_rng_make(seed, 1, OD_RNG_SCORE, 0);
    odim_error err;
    bench_check("noise", od_noise_fill(noise, k, latent, &s, &err), &err);
}

/* The same with every vector's opposite in it: of each pair of opposite slices one, at random, is taken for
 * the first half. */
static void symmetric_noise(float *noise, int64_t k, int64_t latent, uint64_t seed)
{
    int64_t half = (k + 1) / 2, *order = od_alloc((size_t)half, sizeof *order);
    for (int64_t j = 0; j < latent; j++) {
        shuffle(order, half, seed, (uint32_t)j);
        for (int64_t i = 0; i < half; i++) {
            double within = unit_at(seed, (uint32_t)j, (uint64_t)(k + i));
            double p = 0.5 * ((double)order[i] + within) / (double)half, v = od_noise_quantile(p);
            if (unit_at(seed, (uint32_t)j, (uint64_t)(2 * k + i)) < 0.5) v = -v;
            noise[i * latent + j] = (float)v;
            if (half + i < k) noise[(half + i) * latent + j] = (float)-v;
        }
    }
    od_free(order);
}

/* Multiples of the powers of the generalised golden ratio, modulo 1, with a random shift. */
static void kronecker_noise(float *noise, int64_t k, int64_t latent, uint64_t seed)
{
    double phi = 2.0;
    for (int i = 0; i < 60; i++) phi = pow(1.0 + phi, 1.0 / (double)(latent + 1));
    for (int64_t j = 0; j < latent; j++) {
        double alpha = pow(1.0 / phi, (double)(j + 1)), shift = unit_at(seed, (uint32_t)j, 0);
        for (int64_t i = 0; i < k; i++) {
            double u = fmod(shift + (double)i * alpha, 1.0);
            noise[i * latent + j] = (float)od_noise_quantile(fmin(fmax(u, 1e-6), 1.0 - 1e-6));
        }
    }
}

static const struct kind {
    const char *name;
    generator fill;
} kinds[] = {{"random", random_noise},
             {"antithetic", antithetic_noise},
             {"Latin hypercube", latin_noise},
             {"symmetric Latin hypercube", symmetric_noise},
             {"Kronecker", kronecker_noise}};
static const int64_t counts[] = {5, 10, 20, 30, 50, 100};
enum { KINDS = sizeof kinds / sizeof *kinds, COUNTS = sizeof counts / sizeof *counts };

/* ---- scoring --------------------------------------------------------------------------------------------
 */

static void score_with(odim_model *m, const odim_table *t, generator fill, int64_t k, uint64_t seed,
                       double *scores)
{
    odim_error err;
    for (int64_t b = 0; b < m->members; b++) {
        od_free(m->member[b].noise);
        m->member[b].noise = od_alloc((size_t)(k * m->layout.shape.latent), sizeof(float));
        fill(m->member[b].noise, k, m->layout.shape.latent, seed * 1000 + (uint64_t)b);
    }
    m->config.score_samples = k;
    bench_check("score", od_score_rows(m, &(od_table_rows){t, NULL, t->n}, &(od_run){0, NULL}, scores, &err),
                &err);
}

static const double *by;

static int by_value(const void *a, const void *b)
{
    double x = by[*(const int64_t *)a], y = by[*(const int64_t *)b];
    return (x > y) - (x < y);
}

static double *ranks(const double *x, int64_t n)
{
    int64_t *order = od_alloc((size_t)n, sizeof *order);
    double *rank = od_alloc((size_t)n, sizeof *rank);
    for (int64_t i = 0; i < n; i++) order[i] = i;
    by = x;
    qsort(order, (size_t)n, sizeof *order, by_value);
    for (int64_t i = 0; i < n;) {
        int64_t end = i + 1;
        while (end < n && x[order[end]] == x[order[i]]) end++;
        for (int64_t j = i; j < end; j++) rank[order[j]] = 0.5 * (double)(i + end - 1);
        i = end;
    }
    od_free(order);
    return rank;
}

static double correlation(const double *a, const double *b, int64_t n)
{
    double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
    for (int64_t i = 0; i < n; i++) ma += a[i] / (double)n, mb += b[i] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        aa += (a[i] - ma) * (a[i] - ma);
        bb += (b[i] - mb) * (b[i] - mb);
        ab += (a[i] - ma) * (b[i] - mb);
    }
    return ab / sqrt(aa * bb);
}

typedef struct line {
    int runs;
    double change, size, worst; /* of AUC: sum of differences, of their sizes, the largest */
    double rho, worst_rho;
} line;

static void compare(line *l, double auc, double want, double rho)
{
    double change = auc - want;
    l->change += change;
    l->size += fabs(change);
    l->worst = fmax(l->worst, fabs(change));
    l->rho += rho;
    l->worst_rho = l->runs ? fmin(l->worst_rho, rho) : rho;
    l->runs++;
}

static void run_set(const table_set *set, uint64_t seed, line lines[KINDS][COUNTS])
{
    odim_table *t = sets_read(set);
    odim_params *p = bench_paper();
    odim_model *m;
    odim_error err;
    char text[24];
    int64_t n = t->n;
    double *reference = od_alloc((size_t)n, sizeof *reference), *scores = od_alloc((size_t)n, sizeof *scores);
    double want, auc;
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    bench_set(p, "seed", text);
    bench_check(set->name, odim_fit(t, p, NULL, &m, &err), &err);
    score_with(m, t, random_noise, REFERENCE, 77 + seed, reference);
    bench_check(set->name, odim_auc(reference, t->labels, n, &want, &err), &err);
    double *rank = ranks(reference, n);
    for (int i = 0; i < KINDS; i++) {
        for (int j = 0; j < COUNTS; j++) {
            score_with(m, t, kinds[i].fill, counts[j], seed, scores);
            bench_check(set->name, odim_auc(scores, t->labels, n, &auc, &err), &err);
            double *other = ranks(scores, n);
            compare(&lines[i][j], auc, want, correlation(rank, other, n));
            od_free(other);
        }
    }
    od_free(rank), od_free(reference), od_free(scores);
    odim_model_free(m);
    odim_params_free(p);
    odim_table_free(t);
    fprintf(stderr, "%s, seed %llu: done\n", set->name, (unsigned long long)seed);
}

int main(int argc, char **argv)
{
    const char *wanted = DEFAULT_SETS;
    long long seeds = 1;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--sets") == 0)
            wanted = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--seeds") == 0)
            seeds = bench_count(argv[++i], 100);
        else
            bench_die(argv[i], "usage: noise_study [--sets NAME,...] [--seeds N]");
    }
    static table_set sets[MAX_SETS];
    static line lines[KINDS][COUNTS];
    int count = sets_find(sets, wanted);
    for (long long seed = 0; seed < seeds; seed++)
        for (int i = 0; i < count; i++) run_set(&sets[i], (uint64_t)seed, lines);
    char machine[256];
    bench_describe(machine, sizeof machine);
    printf(
        "- Machine and version: %s\n- Models: `paper`, %d sets, %lld seed%s; against %d random vectors\n\n",
        machine, count, seeds, seeds == 1 ? "" : "s", REFERENCE);
    printf(
        "| noise | K | AUC, mean change | mean size of change | largest | rank correlation, mean | least |\n"
        "|:--|--:|--:|--:|--:|--:|--:|\n");
    for (int i = 0; i < KINDS; i++) {
        for (int j = 0; j < COUNTS; j++) {
            const line *l = &lines[i][j];
            printf("| %s | %lld | %+.4f | %.4f | %.4f | %.4f | %.4f |\n", kinds[i].name, (long long)counts[j],
                   l->change / l->runs, l->size / l->runs, l->worst, l->rho / l->runs, l->worst_rho);
        }
    }
    return 0;
}
