/* Synthetic tables without outliers. */
#include "clean_tables.h"

#include <math.h>

#include "base/rng.h"

#define TAU 6.283185307179586

/* A random number is a function of the seed and four whole numbers. */
typedef struct source {
    uint64_t seed;
    clean_kind kind;
} source;

/* What a number is for. */
enum { LOADING, CENTRE, LEVELS, FACTOR, OWN, CLUSTER, CHI };

/* Uniform in (0, 1). */
static double uniform(const source *s, int what, int64_t row, int64_t number)
{
    od_rng stream =
        od_rng_make(s->seed, (uint32_t)s->kind * 16 + (uint32_t)what, OD_RNG_INIT, (uint32_t)number);
    uint32_t w[4];
    od_rng_block(&stream, (uint64_t)row, w);
    return ((double)w[0] + ((double)w[1] + 0.5) * 0x1p-32) * 0x1p-32;
}

static double normal(const source *s, int what, int64_t row, int64_t number)
{
    double radius = sqrt(-2.0 * log(uniform(s, what, row, 2 * number)));
    return radius * cos(TAU * uniform(s, what, row, 2 * number + 1));
}

/* Column j of a row that half as many factors as there are columns, and noise, make up. */
static double correlated(const source *s, int64_t row, int64_t j, int64_t cols)
{
    int64_t factors = (cols + 1) / 2;
    double sum = 0.0, squares = 0.0;
    for (int64_t f = 0; f < factors; f++) {
        double loading = normal(s, LOADING, j, f);
        sum += loading * normal(s, FACTOR, row, f);
        squares += loading * loading;
    }
    return sum / sqrt(squares) + 0.3 * normal(s, OWN, row, j);
}

static double clustered(const source *s, int64_t row, int64_t j)
{
    static const double below[] = {0.5, 0.8, 0.95, 1.0}, width[] = {0.08, 0.05, 0.1, 0.06};
    double u = uniform(s, CLUSTER, row, 0);
    int c = 0;
    while (u > below[c]) c++;
    return uniform(s, CENTRE, c, j) + width[c] * normal(s, OWN, row, j);
}

static double student(const source *s, int64_t row, int64_t j, int freedom)
{
    double chi = 0.0;
    for (int i = 0; i < freedom; i++) {
        double z = normal(s, CHI, row, j * freedom + i);
        chi += z * z;
    }
    return normal(s, OWN, row, j) / sqrt(chi / freedom);
}

/* Of three columns one is as it is, one is cut to a few levels, one is 0 or 1 with a share of its own. */
static double mixed(const source *s, int64_t row, int64_t j, int64_t cols)
{
    double value = correlated(s, row, j, cols);
    if (j % 3 == 0) return value;
    double u = uniform(s, LEVELS, j, 0);
    if (j % 3 == 1) return fmin(fmax(floor((value + 2.0) * (0.75 + u)), 0.0), 2.0 + floor(4.0 * u));
    return value > 1.5 * u;
}

static double cell(const source *s, int64_t row, int64_t j, int64_t cols)
{
    switch (s->kind) {
    case CLEAN_GAUSSIAN: return correlated(s, row, j, cols);
    case CLEAN_UNIFORM: return uniform(s, OWN, row, j);
    case CLEAN_CLUSTERS: return clustered(s, row, j);
    case CLEAN_MIXED: return mixed(s, row, j, cols);
    case CLEAN_LOGNORMAL: return exp(correlated(s, row, j, cols));
    case CLEAN_T5: return student(s, row, j, 5);
    default: return student(s, row, j, 3);
    }
}

const char *clean_name(clean_kind kind)
{
    static const char *const names[CLEAN_KINDS] = {"gaussian",  "uniform", "clusters", "mixed",
                                                   "lognormal", "t(5)",    "t(3)"};
    return names[kind];
}

void clean_fill(float *x, int64_t rows, int64_t cols, clean_kind kind, uint64_t seed)
{
    source s = {seed, kind};
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) x[i * cols + j] = (float)cell(&s, i, j, cols);
}
