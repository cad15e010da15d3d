/* Synthetic tables for measuring time and memory. */
#include "synthetic.h"

#include "bench.h"

#include <math.h>

/* Uniform in [0, 1): a hash of two numbers (the finaliser of SplitMix64). */
static double uniform(uint64_t a, uint64_t b)
{
    uint64_t v = a * 0x9e3779b97f4a7c15u + b * 0xd1b54a32d192ed03u + 0x8cb92ba72f3d8dd7u;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
    return (double)((v ^ (v >> 31)) >> 11) * 0x1p-53;
}

/* Numbers of a row: 0 whether it is an outlier, 1 and 2 its place on the surface, 3 + j for column j. */
static double of_row(int64_t row, int number)
{
    return uniform(2 * (uint64_t)row, (uint64_t)number);
}

static double of_column(int column, int number)
{
    return uniform(2 * (uint64_t)column + 1, (uint64_t)number);
}

void synthetic_fill(float *x, int64_t first, int64_t rows, int d)
{
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i;
        int outlier = of_row(row, 0) < 0.02;
        double s = of_row(row, 1), t = of_row(row, 2);
        for (int j = 0; j < d; j++) {
            double own = of_row(row, 3 + j);
            double on_surface =
                0.5 + 0.4 * sin(4 * (of_column(j, 0) * s + of_column(j, 1) * t) + 6 * of_column(j, 2));
            x[i * d + j] = (float)(outlier ? own : on_surface + 0.1 * (own - 0.5));
        }
    }
}

void synthetic_write_csv(FILE *f, int64_t rows, int d)
{
    enum { BLOCK = 64, MOST = 64 };
    float x[BLOCK * MOST];
    for (int j = 0; j < d; j++) fprintf(f, "%ssensor%d", j ? "," : "", j + 1);
    fputc('\n', f);
    for (int64_t first = 0; first < rows; first += BLOCK) {
        int64_t count = rows - first < BLOCK ? rows - first : BLOCK;
        synthetic_fill(x, first, count, d);
        for (int64_t i = 0; i < count; i++)
            for (int j = 0; j < d; j++) fprintf(f, "%.4f%c", (double)x[i * d + j], j + 1 < d ? ',' : '\n');
    }
    if (fflush(f) || ferror(f)) bench_die("temporary file", "cannot be written");
}

void synthetic_groups(float *x, int64_t first, int64_t rows, int d)
{
    enum { GROUPS = 3, DIRECTIONS = 8 };
    for (int64_t i = 0; i < rows; i++) {
        int64_t row = first + i;
        int outlier = of_row(row, 0) < 0.005, group = (int)(of_row(row, 1) * GROUPS);
        double place[DIRECTIONS];
        for (int k = 0; k < DIRECTIONS; k++)
            place[k] = (outlier ? 3.0 : 1.0) * (of_row(row, 2 + k) + of_row(row, 2 + DIRECTIONS + k) - 1.0);
        for (int j = 0; j < d; j++) {
            double v = of_column(j, group), noise = of_row(row, 2 + 2 * DIRECTIONS + j) - 0.5;
            for (int k = 0; k < DIRECTIONS; k++) v += place[k] * (of_column(j, GROUPS + k) - 0.5);
            x[i * d + j] = (float)(v + (outlier ? 1.5 : 0.5) * noise);
        }
    }
}
