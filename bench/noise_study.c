/*
 * How many noise vectors does scoring need, and which ones? A member's noise is the same for every row, so it
 * can be chosen. This scores the same fitted models with different noise and compares with 1000 random
 * vectors: the change of AUC and of average precision, and the rank correlation of the scores. Gross errors:
 * one cell each of 500 rows, multiplied by 10 to 1000 or far outside of its column; found are those with a
 * score above that of 99 % of the rows as they are.
 *
 *     noise_study [--preset NAME] [--sets NAME,...] [--seeds N]
 *
 * The preset is paper unless another one is named. Then the noise that --score-pool chooses is compared, too.
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
#define POOL      "64"
#define GROSS     500
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
static const int64_t chosen[] = {4, 6, 8, 10, 15, 20};
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
    double ap;                  /* sum of differences */
    double rho, worst_rho;
    double found; /* share of the gross errors */
} line;

/* A set, and what its scores are compared with. */
typedef struct reference {
    const odim_table *table, *gross;
    double *scores, *room, *rank; /* (rows) */
    double auc, ap;
} reference;

/* Rows of t, each with one cell that is far outside of its column. */
static odim_table *make_gross(const odim_table *t, uint64_t seed)
{
    int64_t n = odim_table_rows(t), d = odim_table_cols(t);
    double *x = od_alloc(GROSS * (size_t)d, sizeof *x);
    for (int64_t i = 0; i < GROSS; i++) {
        int64_t row = (int64_t)(unit_at(seed, 9, (uint64_t)(2 * i)) * (double)n), col = i % d;
        double low = INFINITY, high = -INFINITY, factor = pow(10, 1 + (double)(i % 3));
        for (int64_t k = 0; k < n; k++) {
            low = fmin(low, odim_table_value(t, k, col));
            high = fmax(high, odim_table_value(t, k, col));
        }
        for (int64_t j = 0; j < d; j++) x[i * d + j] = odim_table_value(t, row, j);
        double wrong = i % 4 == 3 ? high : x[i * d + col] * factor;
        if (wrong >= low && wrong <= high) wrong = high + factor * (high > low ? high - low : 1);
        x[i * d + col] = wrong;
    }
    const char **names = od_alloc((size_t)d, sizeof *names);
    for (int64_t j = 0; j < d; j++) names[j] = odim_table_name(t, j);
    odim_table *gross;
    odim_error err;
    bench_check("gross errors", odim_table_wrap_f64(&gross, x, GROSS, d, 0, names, &err), &err);
    od_free(names);
    return gross; /* x stays, for as long as the program runs */
}

/* The share of the gross errors that score above 99 % of the scores. */
static double count_found(const odim_model *m, const reference *r)
{
    int64_t n = r->table->n, higher = 0;
    double gross[GROSS];
    odim_error err;
    bench_check("gross errors", od_score_new_rows(m, r->gross, &(od_run){0, NULL}, gross, &err), &err);
    double *rank = ranks(r->room, n), limit = -INFINITY;
    for (int64_t i = 0; i < n; i++)
        if (rank[i] <= 0.99 * (double)(n - 1)) limit = fmax(limit, r->room[i]);
    for (int64_t i = 0; i < GROSS; i++) higher += gross[i] > limit;
    od_free(rank);
    return (double)higher / GROSS;
}

/* Takes the scores in r->room into account. */
static void compare(line *l, const odim_model *m, const reference *r)
{
    odim_error err;
    double auc, ap;
    int64_t n = r->table->n;
    bench_check("AUC", odim_auc(r->room, r->table->labels, n, &auc, &err), &err);
    bench_check("AP", odim_average_precision(r->room, r->table->labels, n, &ap, &err), &err);
    double *rank = ranks(r->room, n), rho = correlation(rank, r->rank, n), change = auc - r->auc;
    od_free(rank);
    l->change += change;
    l->size += fabs(change);
    l->worst = fmax(l->worst, fabs(change));
    l->ap += ap - r->ap;
    l->rho += rho;
    l->worst_rho = l->runs ? fmin(l->worst_rho, rho) : rho;
    l->found += count_found(m, r);
    l->runs++;
}

static odim_model *fit(const table_set *set, const odim_table *t, const char *preset, uint64_t seed,
                       int64_t k)
{
    odim_params *p = bench_paper();
    odim_model *m;
    odim_error err;
    char text[24];
    bench_set(p, "preset", preset);
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    bench_set(p, "seed", text);
    snprintf(text, sizeof text, "%lld", (long long)k);
    if (k) bench_set(p, "score-samples", text);
    bench_set(p, "score-pool", k ? POOL : "auto");
    bench_check(set->name, odim_fit(t, p, NULL, &m, &err), &err);
    odim_params_free(p);
    return m;
}

static void run_set(const table_set *set, const char *preset, uint64_t seed, line lines[KINDS + 1][COUNTS])
{
    odim_table *t = sets_read(set), *gross = make_gross(t, seed);
    odim_error err;
    reference r = {.table = t, .gross = gross};
    r.scores = od_alloc((size_t)t->n, sizeof *r.scores);
    r.room = od_alloc((size_t)t->n, sizeof *r.room);
    odim_model *m = fit(set, t, preset, seed, 0);
    score_with(m, t, random_noise, REFERENCE, 77 + seed, r.scores);
    bench_check(set->name, odim_auc(r.scores, t->labels, t->n, &r.auc, &err), &err);
    bench_check(set->name, odim_average_precision(r.scores, t->labels, t->n, &r.ap, &err), &err);
    r.rank = ranks(r.scores, t->n);
    bool paper = strcmp(preset, "paper") == 0;
    for (int i = 0; i < KINDS; i++) {
        for (int j = 0; j < COUNTS && (paper || kinds[i].fill == latin_noise); j++) {
            score_with(m, t, kinds[i].fill, counts[j], seed, r.room);
            compare(&lines[i][j], m, &r);
        }
    }
    odim_model_free(m);
    for (int j = 0; j < COUNTS && !paper; j++) { /* the networks are the same, the noise is not */
        m = fit(set, t, preset, seed, chosen[j]);
        bench_check("score",
                    od_score_rows(m, &(od_table_rows){t, NULL, t->n}, &(od_run){0, NULL}, r.room, &err),
                    &err);
        compare(&lines[KINDS][j], m, &r);
        odim_model_free(m);
    }
    od_free(r.rank), od_free(r.scores), od_free(r.room);
    odim_table_free(gross);
    odim_table_free(t);
    fprintf(stderr, "%s, seed %llu: done\n", set->name, (unsigned long long)seed);
}

int main(int argc, char **argv)
{
    const char *wanted = DEFAULT_SETS, *preset = "paper";
    long long seeds = 1;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--sets") == 0)
            wanted = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--preset") == 0)
            preset = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--seeds") == 0)
            seeds = bench_count(argv[++i], 100);
        else
            bench_die(argv[i], "usage: noise_study [--preset NAME] [--sets NAME,...] [--seeds N]");
    }
    static table_set sets[MAX_SETS];
    static line lines[KINDS + 1][COUNTS];
    int count = sets_find(sets, wanted);
    for (long long seed = 0; seed < seeds; seed++)
        for (int i = 0; i < count; i++) run_set(&sets[i], preset, (uint64_t)seed, lines);
    char machine[256];
    bench_describe(machine, sizeof machine);
    printf("- Machine and version: %s\n- Models: `%s`, %d sets, %lld seed%s; against %d random vectors\n\n",
           machine, preset, count, seeds, seeds == 1 ? "" : "s", REFERENCE);
    printf("| noise | K | AUC, mean change | mean size of change | largest | AP, mean change | rank "
           "correlation, "
           "mean | least | gross errors found |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (int i = 0; i <= KINDS; i++) {
        for (int j = 0; j < COUNTS; j++) {
            const line *l = &lines[i][j];
            if (!l->runs) continue;
            printf("| %s | %lld | %+.4f | %.4f | %.4f | %+.4f | %.4f | %.4f | %.1f %% |\n",
                   i < KINDS ? kinds[i].name : "chosen of " POOL, (long long)(i < KINDS ? counts : chosen)[j],
                   l->change / l->runs, l->size / l->runs, l->worst, l->ap / l->runs, l->rho / l->runs,
                   l->worst_rho, 100 * l->found / l->runs);
        }
    }
    return 0;
}
