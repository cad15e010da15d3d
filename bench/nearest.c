/*
 * nearest [QUERIES]: how long the nearest of kept rows take, by the tree and by products, one thread. The
 * floor is what the multiplications of all products take at the rate that the multiply reaches in the first
 * caches. Where the tree looks into less than `share` of the blocks it is ahead; the last column is what
 * fitting chooses. Rows are uniform in a cube, the worst case, or lie near a random surface of 4 dimensions,
 * or have a few values only, so that most are copies.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "bench.h"
#include "detectors/kdtree.h"
#include "detectors/neighbors.h"
#include "kern/kern.h"

enum { K = 10, SURFACE = 4 };

typedef enum shape { CUBE, FLAT, COPIES } shape;
static const char *const shapes[] = {"cube", "surface", "copies"};

static float draw(uint32_t member, int64_t i)
{
    uint32_t w[4];
    od_rng s = od_rng_make(1, member, OD_RNG_TRAIN, 0);
    od_rng_block(&s, (uint64_t)i, w);
    return od_unit(w[0]);
}

static float *make(shape kind, int64_t n, int64_t d)
{
    float *x = od_alloc((size_t)n, (size_t)d * sizeof *x);
    if (!x) bench_die("nearest", "out of memory");
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            float v = draw(1, i * d + j);
            if (kind == COPIES) v = j == 0 ? floorf(v * 10) / 10 : v < 0.003f ? 1 : 0;
            if (kind == FLAT) {
                float sum = 0.02f * v;
                for (int64_t l = 0; l < SURFACE; l++)
                    sum += draw(2, i * SURFACE + l) * (draw(3, j * SURFACE + l) - 0.5f);
                v = sum;
            }
            x[i * d + j] = v;
        }
    return x;
}

/* FLOP a second of the multiply when all it needs is near. */
static double peak(void)
{
    enum { ROWS = 64, DEPTH = 128, TIMES = 20000 };
    static float a[ROWS * DEPTH], b[DEPTH * OD_BLOCK], c[ROWS * OD_BLOCK];
    double best = 0;
    for (int again = 0; again < 5; again++) {
        double start = bench_cpu();
        for (int i = 0; i < TIMES / 5; i++)
            od_kern_get()->mul(ROWS, OD_BLOCK, DEPTH, a, DEPTH, 1, b, OD_BLOCK, NULL, false, c, OD_BLOCK);
        double rate = 2.0 * ROWS * OD_BLOCK * DEPTH * (TIMES / 5) / (bench_cpu() - start);
        best = rate > best ? rate : best;
    }
    return best;
}

/* Microseconds a query of the rows of x. */
static double time_of(const od_detector *c, const float *x, int64_t queries)
{
    void *scratch = od_alloc(1, od_neighbors_scratch(c));
    int64_t found[OD_DETECTOR_ROWS];
    double start = bench_cpu();
    for (int64_t i = 0; i + OD_DETECTOR_ROWS <= queries; i += OD_DETECTOR_ROWS)
        od_neighbors_find(c, x + i * c->d, OD_DETECTOR_ROWS, scratch, found);
    double seconds = bench_cpu() - start;
    od_free(scratch);
    return seconds * 1e6 / (double)queries;
}

static void show(shape kind, int64_t n, int64_t d, int64_t queries, double rate)
{
    float *x = make(kind, n + queries, d);
    od_detector_task task = {.x = x, .n = n, .d = d, .neighbors = K, .threads = 1};
    double us[2], build = 0, share = 0;
    int64_t distinct = 0;
    odim_error err;
    for (int way = 0; way < 2; way++) {
        od_detector c = {.method = OD_METHOD_KNN, .d = d};
        double start = bench_cpu();
        bench_check("fit", od_neighbors_fit(&c, &task, way ? OD_GUIDE_PRODUCTS : OD_GUIDE_TREE, &err), &err);
        if (!way) build = bench_cpu() - start;
        us[way] = time_of(&c, x + n * d, queries);
        distinct = c.count[OD_NEIGHBORS_DISTINCT];
        void *scratch = od_alloc(1, od_neighbors_scratch(&c));
        for (int64_t i = 0; !way && i < 256; i++)
            share += (double)od_neighbors_blocks(&c, x + (n + i) * d, 1, scratch) /
                     (256.0 * (double)od_blocks(distinct));
        od_free(scratch);
        od_detector_free(&c);
    }
    od_detector c = {.method = OD_METHOD_KNN, .d = d};
    bench_check("fit", od_neighbors_fit(&c, &task, OD_GUIDE_CHOOSE, &err), &err);
    double least = 2.0 * (double)distinct * (double)d / rate * 1e6;
    printf("| %s | %lld | %lld | %lld | %.2f | %.4f | %.1f | %.1f | %.1f | %.2f | %s |\n", shapes[kind],
           (long long)n, (long long)d, (long long)distinct, build, share, us[0], us[1], least, us[1] / least,
           c.count[OD_NEIGHBORS_TREE] ? "tree" : "products");
    fflush(stdout);
    od_detector_free(&c);
    od_free(x);
}

int main(int argc, char **argv)
{
    int64_t queries = argc > 1 ? bench_count(argv[1], 1 << 24) : 4096;
    queries = (queries + OD_DETECTOR_ROWS - 1) / OD_DETECTOR_ROWS * OD_DETECTOR_ROWS;
    char about[256];
    bench_describe(about, sizeof about);
    double rate = peak();
    printf("- %s; 1 thread, CPU seconds; k = %d; the multiply in cache: %.1f GFLOP/s\n", about, K,
           rate / 1e9);
    printf("- us per query are seconds per million queries\n\n");
    printf("| rows | n | d | distinct | fit with tree, s | share of blocks | tree, us | products, us | "
           "floor, us | "
           "products / floor | chosen |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    static const int64_t widths[] = {3, 6, 10, 15, 20, 30};
    for (shape kind = CUBE; kind <= COPIES; kind++) {
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            show(kind, 131072, widths[i], widths[i] > 8 ? queries / 4 : queries, rate);
        show(kind, 20000, 60, queries, rate);
        show(kind, 20000, 300, queries / 2, rate);
    }
    return 0;
}
