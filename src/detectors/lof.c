/*
 * The local outlier factor (Breunig et al., 2000), as in scikit-learn. There are exactly k neighbors, even
 * with ties, and 1e-10 is added to mean distances, which may be 0. A training row has the factor of the
 * training set; a new row is compared with the values of its neighbors.
 */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"
#include "detectors/neighbors.h"

enum {
    RADIUS = OD_NEIGHBORS_ARRAYS,
    DENSITY
}; /* of each kept row: distance to its k-th neighbour, 1 / reach */

#define NO_REACH 1e-10

/* One over the mean, over the neighbours, of the distance or of the neighbour's own radius if that is larger.
 */
static double density(const od_detector *c, const od_neighbor *list, int64_t found)
{
    double sum = 0.0;
    for (int64_t i = 0; i < found; i++) {
        double away = sqrt(list[i].square), radius = c->part[RADIUS].at.d[list[i].row];
        sum += (away > radius ? away : radius) * (double)list[i].copies;
    }
    return 1.0 / (sum / (double)c->count[OD_NEIGHBORS_K] + NO_REACH);
}

/* ---- fitting ------------------------------------------------------------------------------------------- */

typedef struct job {
    const od_detector_task *task;
    od_detector *c;
    od_neighbor *list; /* (kept rows, k) */
    int64_t *found;    /* (kept rows) */
    char *scratch;     /* a worker's after another's */
    float *rows;       /* (workers, OD_DETECTOR_ROWS, d) */
} job;

static odim_status find_some(void *ctx, od_parallel *par, int worker, int64_t number, odim_error *err)
{
    (void)par, (void)err;
    const job *j = ctx;
    od_detector *c = j->c;
    int64_t k = c->count[OD_NEIGHBORS_K], start = number * OD_DETECTOR_ROWS;
    int64_t left = c->count[OD_NEIGHBORS_DISTINCT] - start,
            rows = left < OD_DETECTOR_ROWS ? left : OD_DETECTOR_ROWS;
    float *x = j->rows + worker * OD_DETECTOR_ROWS * c->d;
    for (int64_t i = 0; i < rows; i++)
        memcpy(x + i * c->d, j->task->x + c->part[OD_NEIGHBORS_FIRST].at.i[start + i] * c->d,
               (size_t)c->d * sizeof *x);
    void *scratch = j->scratch + (size_t)worker * od_neighbors_scratch(c);
    const od_neighbor *list = od_neighbors_find(c, x, rows, scratch, j->found + start);
    for (int64_t i = 0; i < rows; i++) {
        int64_t found = j->found[start + i];
        memcpy(j->list + (start + i) * k, list + i * (k + 1), (size_t)found * sizeof *list);
        c->part[RADIUS].at.d[start + i] = sqrt(list[i * (k + 1) + found - 1].square);
    }
    return ODIM_OK;
}

static int tick(void *ctx)
{
    const job *j = ctx;
    return od_detector_tick(j->task);
}

static odim_status measure(od_detector *c, const od_detector_task *task, odim_error *err)
{
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT], k = c->count[OD_NEIGHBORS_K];
    size_t threads = task->threads > 1 ? (size_t)task->threads : 1;
    job j = {.c = c,
             .task = task,
             .list = od_alloc((size_t)m, (size_t)k * sizeof(od_neighbor)),
             .found = od_alloc((size_t)m, sizeof *j.found),
             .scratch = od_alloc(threads, od_neighbors_scratch(c)),
             .rows = od_alloc(threads, OD_DETECTOR_ROWS * (size_t)c->d * sizeof *j.rows)};
    odim_status status = j.list && j.found && j.scratch && j.rows ? ODIM_OK : od_fail_nomem(err);
    int64_t jobs = (m + OD_DETECTOR_ROWS - 1) / OD_DETECTOR_ROWS;
    if (!status) status = od_parallel_run((int)threads, jobs, find_some, tick, &j, err);
    for (int64_t i = 0; !status && i < m; i++)
        c->part[DENSITY].at.d[i] = density(c, j.list + i * k, j.found[i]);
    od_free(j.list);
    od_free(j.found);
    od_free(j.scratch);
    od_free(j.rows);
    return status;
}

static odim_status fit(od_detector *c, const od_detector_task *task, odim_error *err)
{
    odim_status status = od_neighbors_fit(c, task, OD_GUIDE_CHOOSE, err);
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT];
    if (!status) status = od_detector_array_new(c, RADIUS, OD_ARRAY_DOUBLE, m, err);
    if (!status) status = od_detector_array_new(c, DENSITY, OD_ARRAY_DOUBLE, m, err);
    return status ? status : measure(c, task, err);
}

/* ---- scoring ------------------------------------------------------------------------------------------- */

static void score(const od_detector *c, const float *x, int64_t rows, void *scratch, double *scores)
{
    int64_t found[OD_DETECTOR_ROWS], k = c->count[OD_NEIGHBORS_K];
    const od_neighbor *list = od_neighbors_find(c, x, rows, scratch, found);
    for (int64_t i = 0; i < rows; i++, list += k + 1) {
        double sum = 0.0;
        for (int64_t j = 0; j < found[i]; j++)
            sum += c->part[DENSITY].at.d[list[j].row] * (double)list[j].copies;
        scores[i] = sum / (double)k / density(c, list, found[i]);
    }
}

static odim_status check(const od_detector *c, odim_error *err)
{
    odim_status status = od_neighbors_check(c, err);
    if (status) return status;
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT];
    for (int p = RADIUS; p <= DENSITY; p++) {
        if (c->part[p].kind != OD_ARRAY_DOUBLE || c->part[p].count != m)
            return od_fail(err, ODIM_ERR_FORMAT, "not the densities of %lld rows", (long long)m);
        for (int64_t i = 0; i < m; i++)
            if (!isfinite(c->part[p].at.d[i]) || c->part[p].at.d[i] < 0.0)
                return od_fail(err, ODIM_ERR_FORMAT, "a density is out of range");
    }
    return ODIM_OK;
}

const od_detector_kind od_lof = {
    .method = OD_METHOD_LOF,
    .name = "lof",
    .fit = fit,
    .scratch = od_neighbors_scratch,
    .score = score,
    .keeps = "the training rows",
    .rows = od_neighbors_rows,
    .check = check,
};
