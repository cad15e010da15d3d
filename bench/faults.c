#include "faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "bench.h"
#include "common/compare.h"

#define ROWS      3000
#define EACH      100 /* rows for each fault */
#define MOST_COLS 64
#define FACTORS   5
#define CLUSTERS  5

static od_rng stream;
static uint64_t drawn;

static double uniform(void)
{
    uint32_t w[4];
    od_rng_block(&stream, drawn++, w);
    return (double)od_unit(w[0]);
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static double between(double low, double high)
{
    return low + (high - low) * uniform();
}

/* ---- tables ---- */

/* What a table has for each column. */
typedef struct columns {
    double weight[MOST_COLS][FACTORS]; /* of length 1 */
    double centre[CLUSTERS][MOST_COLS];
    double bend[MOST_COLS][3];
    int factors;
} columns;

static columns draw_columns(int64_t d)
{
    columns c = {.factors = d <= 3 ? 1 : d <= 6 ? 2 : d <= 10 ? 3 : FACTORS};
    for (int64_t j = 0; j < d; j++) {
        double length = 0;
        for (int k = 0; k < c.factors; k++) length += pow(c.weight[j][k] = normal(), 2);
        for (int k = 0; k < c.factors; k++) c.weight[j][k] /= sqrt(length);
        for (int k = 0; k < CLUSTERS; k++) c.centre[k][j] = uniform();
        for (int k = 0; k < 3; k++) c.bend[j][k] = uniform();
    }
    return c;
}

/* A few hidden normal causes; each column is a mixture of them and a little noise of its own. */
static void factors_row(const columns *c, int64_t d, double *x)
{
    double cause[FACTORS];
    for (int k = 0; k < c->factors; k++) cause[k] = normal();
    for (int64_t j = 0; j < d; j++) {
        x[j] = 0.25 * normal();
        for (int k = 0; k < c->factors; k++) x[j] += c->weight[j][k] * cause[k];
    }
}

static void skewed_row(const columns *c, int64_t d, double *x)
{
    factors_row(c, d, x);
    for (int64_t j = 0; j < d; j++) x[j] = exp(x[j]);
}

/* A curved surface of two dimensions; with three columns a curve, for else nothing ties them to each other.
 */
static void surface_row(const columns *c, int64_t d, double *x)
{
    double s = uniform(), t = d > 3 ? uniform() : 0;
    for (int64_t j = 0; j < d; j++) {
        const double *bend = c->bend[j];
        x[j] = 0.5 + 0.4 * sin(4 * (bend[0] * s + bend[1] * t) + 6 * bend[2]) + between(-0.05, 0.05);
    }
}

static void clusters_row(const columns *c, int64_t d, double *x)
{
    const double *centre = c->centre[(int)(CLUSTERS * uniform())];
    for (int64_t j = 0; j < d; j++) x[j] = centre[j] + 0.05 * normal();
}

static void uniform_row(const columns *c, int64_t d, double *x)
{
    (void)c;
    for (int64_t j = 0; j < d; j++) x[j] = uniform();
}

/* "machine" is read. */
static const struct kind {
    const char *name;
    void (*row)(const columns *c, int64_t d, double *x);
} kinds[FAULTS_KINDS] = {{"factors", factors_row}, {"surface", surface_row}, {"clusters", clusters_row},
                         {"uniform", uniform_row}, {"skewed", skewed_row},   {"machine", NULL}};

const char *faults_kind(int kind)
{
    return kinds[kind].name;
}

int faults_possible(int kind, int64_t d, fault what)
{
    if (!kinds[kind].row) return d == 10;
    return what == FAULT_EXTREME || kinds[kind].row != uniform_row;
}

static void *room(int64_t count, size_t size)
{
    void *p = malloc((size_t)count * size);
    if (!p) bench_die("memory", "out of it");
    return p;
}

/* The readings of the demo that have no fault. */
static void read_machine(faulty_table *t)
{
    odim_table *read;
    odim_error err;
    odim_read_options o = {.size = sizeof(odim_read_options), .label = "fault", .id = "time"};
    bench_check("demo", odim_table_read(&read, BENCH_DIR "/../demo/machine.csv", &o, &err), &err);
    const int8_t *labels = odim_table_labels(read);
    int64_t rows = odim_table_rows(read);
    if (odim_table_cols(read) != t->d) bench_die("demo/machine.csv", "not the expected columns");
    t->cells = room(rows * t->d, sizeof *t->cells);
    for (int64_t i = 0; i < rows; i++) {
        if (labels[i]) continue;
        for (int64_t j = 0; j < t->d; j++) t->cells[t->n * t->d + j] = odim_table_value(read, i, j);
        t->n++;
    }
    odim_table_free(read);
}

static void make_rows(faulty_table *t, int kind)
{
    columns c = draw_columns(t->d);
    t->n = ROWS;
    t->cells = room(ROWS * t->d, sizeof *t->cells);
    for (int64_t i = 0; i < ROWS; i++) kinds[kind].row(&c, t->d, t->cells + i * t->d);
}

/* ---- faults ---- */

typedef struct range {
    double low, high, least, most; /* of 98 % of the values, and of all */
} range;

static range measure(faulty_table *t, int64_t column, double *sorted)
{
    double mean = 0, square = 0, n = (double)t->n;
    for (int64_t i = 0; i < t->n; i++) mean += (sorted[i] = t->cells[i * t->d + column]) / n;
    for (int64_t i = 0; i < t->n; i++) square += pow(sorted[i] - mean, 2) / n;
    t->sd[column] = sqrt(square);
    qsort(sorted, (size_t)t->n, sizeof *sorted, od_compare_double);
    return (range){sorted[t->n / 100], sorted[t->n - 1 - t->n / 100], sorted[0], sorted[t->n - 1]};
}

static double extreme(const range *r)
{
    double beyond = between(0.2, 1) * (r->most - r->least);
    return uniform() < 0.5 ? r->most + beyond : r->least - beyond;
}

/* The squared distance from y to the nearest row but `self`, without one of the columns; in standard
 * deviations.
 */
static double nearest(const faulty_table *t, const double *clean, const double *y, int64_t self,
                      int64_t without)
{
    double least = INFINITY;
    for (int64_t i = 0; i < t->n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < t->d && sum < least; j++)
            if (j != without) sum += pow((clean[i * t->d + j] - y[j]) / t->sd[j], 2);
        if (i != self && sum < least) least = sum;
    }
    return least;
}

/* Whether the rows tell that it is this column of y, and no other, that is wrong: only without it there is
 * another row as near. */
static int is_told(const faulty_table *t, const double *clean, const double *y, int64_t self, int64_t column)
{
    double near = nearest(t, clean, y, self, column) + 0.25;
    for (int64_t j = 0; j < t->d; j++)
        if (j != column && nearest(t, clean, y, self, j) < near) return 0;
    return 1;
}

/* Gives y, row `self`, the value of another row in a column. False when none was found. */
static int misplace(const faulty_table *t, const double *clean, const range *r, int64_t self, int64_t column,
                    fault what, double *y)
{
    double was = y[column];
    for (int tries = 0; tries < 30; tries++) {
        y[column] = clean[(int64_t)((double)t->n * uniform()) * t->d + column];
        if (fabs(y[column] - was) < 0.4 * (r->high - r->low)) continue;
        if (what == FAULT_ANY || is_told(t, clean, y, self, column)) return 1;
    }
    y[column] = was;
    return 0;
}

static void plant(faulty_table *t, fault what)
{
    double *scratch = room(t->n, sizeof *scratch), *clean = room(t->n * t->d, sizeof *clean);
    size_t width = (size_t)t->d * sizeof *clean;
    range r[MOST_COLS];
    memcpy(clean, t->cells, (size_t)t->n * width);
    for (int64_t j = 0; j < t->d; j++) r[j] = measure(t, j, scratch);
    for (int64_t i = EACH / 2; i < t->n; i += EACH) {
        int64_t j = (int64_t)((double)t->d * uniform());
        double *y = t->cells + i * t->d;
        if (what == FAULT_EXTREME)
            y[j] = extreme(&r[j]);
        else if (!misplace(t, clean, &r[j], i, j, what, y))
            continue;
        memcpy(t->original + t->planted * t->d, clean + i * t->d, width);
        t->row[t->planted] = i;
        t->column[t->planted++] = j;
    }
    free(scratch);
    free(clean);
}

faulty_table faults_make(int kind, int64_t d, fault what, uint64_t seed)
{
    faulty_table t = {.d = d};
    stream = od_rng_make(seed, (uint32_t)kind, OD_RNG_INIT, 4 * (uint32_t)d + what);
    drawn = 0;
    if (kinds[kind].row)
        make_rows(&t, kind);
    else
        read_machine(&t);
    t.row = room(t.n, sizeof *t.row);
    t.column = room(t.n, sizeof *t.column);
    t.original = room(t.n * d, sizeof *t.original);
    t.sd = room(d, sizeof *t.sd);
    plant(&t, what);
    return t;
}

void faults_free(faulty_table *t)
{
    free(t->cells);
    free(t->row);
    free(t->column);
    free(t->original);
    free(t->sd);
    *t = (faulty_table){0};
}
