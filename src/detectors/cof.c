/*
 * The connectivity-based outlier factor (Tang et al., 2002), as PyOD has it by default. A row is connected
 * with its k neighbors one by one, the nearest first, each by its distance to the row or to an earlier
 * neighbor, whichever is nearer. The mean of these distances, in which early ones count more, is compared
 * with those of the neighbors.
 *
 * The paper connects next whichever neighbor is nearest to those connected so far; PyOD keeps to the order of
 * the distances from the row. 1e-10 is added to both means, which may be 0.
 */
#include <math.h>

#include "common/mem.h"
#include "detectors/kept_neighbors.h"

enum { CHAINING = OD_NEIGHBORS_ARRAYS }; /* of each kept row: its mean chaining distance */

#define NO_DISTANCE 1e-10
#define MOST_ROWS   50000

/* Values of the neighbors of a row side by side: they are compared with each other. */
static size_t values_of(const od_detector *c)
{
    int64_t k = c->count[OD_NEIGHBORS_K], m = c->count[OD_NEIGHBORS_DISTINCT];
    return (size_t)((k < m ? k : m) * c->d);
}

/* Four chains, folded. */
static double square_between(const float *a, const float *b, int64_t d)
{
    double chain[4] = {0};
    int64_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (int l = 0; l < 4; l++) {
            double apart = (double)a[j + l] - (double)b[j + l];
            chain[l] += apart * apart;
        }
    for (; j < d; j++) chain[0] += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
    return (chain[0] + chain[1]) + (chain[2] + chain[3]);
}

/* Copies of a neighbor are connected with it at no distance. x is room for values_of floats. */
static double chaining(const od_detector *c, const od_neighbor *list, int64_t found, float *x)
{
    double k = (double)c->count[OD_NEIGHBORS_K], sum = 0.0;
    int64_t connected = 0;
    for (int64_t i = 0; i < found; i++) {
        double least = list[i].square;
        for (int64_t j = 0; j < c->d; j++) x[i * c->d + j] = od_neighbors_value(c, list[i].row, j);
        for (int64_t j = 0; j < i && least > 0.0; j++)
            least = fmin(least, square_between(x + i * c->d, x + j * c->d, c->d));
        sum += 2.0 * (k - (double)connected) / (k * (k + 1.0)) * sqrt(least);
        connected += list[i].copies;
    }
    return sum + NO_DISTANCE;
}

typedef struct job {
    const od_detector *c;
    float *room; /* (workers, values_of) */
} job;

static void take(void *ctx, int worker, int64_t row, const od_neighbor *list, int64_t found)
{
    const job *j = ctx;
    float *x = j->room + (size_t)worker * values_of(j->c);
    j->c->part[CHAINING].at.d[row] = chaining(j->c, list, found, x);
}

static odim_status fit(od_detector *c, const od_detector_task *task, odim_error *err)
{
    odim_status status = od_neighbors_fit(c, task, OD_GUIDE_CHOOSE, err);
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT];
    if (!status) status = od_detector_array_new(c, CHAINING, OD_ARRAY_DOUBLE, m, err);
    if (status) return status;
    size_t threads = task->threads > 1 ? (size_t)task->threads : 1;
    job j = {.c = c, .room = od_alloc(threads, values_of(c) * sizeof *j.room)};
    status = j.room ? od_kept_neighbors(c, task, take, &j, err) : od_fail_nomem(err);
    od_free(j.room);
    return status;
}

/* The room for values comes after that of the search. */
static size_t search_bytes(const od_detector *c)
{
    return (od_neighbors_scratch(c) + 15) / 16 * 16;
}

static size_t scratch(const od_detector *c)
{
    return search_bytes(c) + values_of(c) * sizeof(float);
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    int64_t found[OD_DETECTOR_ROWS], k = c->count[OD_NEIGHBORS_K];
    const od_neighbor *list = od_neighbors_find(c, x, rows, room, found);
    float *values = (float *)((char *)room + search_bytes(c));
    for (int64_t i = 0; i < rows; i++, list += k + 1) {
        double sum = 0.0;
        for (int64_t j = 0; j < found[i]; j++)
            sum += c->part[CHAINING].at.d[list[j].row] * (double)list[j].copies;
        scores[i] = chaining(c, list, found[i], values) * (double)k / sum;
    }
}

static odim_status check(const od_detector *c, odim_error *err)
{
    odim_status status = od_neighbors_check(c, err);
    if (status) return status;
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT];
    if (!od_detector_has(c, CHAINING, OD_ARRAY_DOUBLE, m))
        return od_fail(err, ODIM_ERR_FORMAT, "not the chaining distances of %lld rows", (long long)m);
    for (int64_t i = 0; i < m; i++)
        if (!isfinite(c->part[CHAINING].at.d[i]) || !(c->part[CHAINING].at.d[i] >= NO_DISTANCE))
            return od_fail(err, ODIM_ERR_FORMAT, "a chaining distance is out of range");
    return ODIM_OK;
}

static int64_t most_rows(int64_t d)
{
    (void)d;
    return MOST_ROWS;
}

const od_detector_kind od_cof = {
    .method = OD_METHOD_COF,
    .name = "cof",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .keeps = "the training rows",
    .rows = od_neighbors_rows,
    .check = check,
    .most_rows = most_rows,
    .most_cells = OD_DETECTOR_COPIED,
};
