/* Finds the neighbors of every kept row, on many threads. */
#include "detectors/kept_neighbors.h"

#include <string.h>

#include "common/mem.h"
#include "base/parallel.h"

typedef struct job {
    const od_detector_task *task;
    const od_detector *c;
    od_take_neighbors take;
    void *ctx;
    char *scratch; /* a worker's after another's */
    float *rows;   /* (workers, OD_DETECTOR_ROWS, d) */
} job;

static odim_status find_some(void *ctx, od_parallel *par, int worker, int64_t number, odim_error *err)
{
    (void)par, (void)err;
    const job *j = ctx;
    const od_detector *c = j->c;
    int64_t k = c->count[OD_NEIGHBORS_K], start = number * OD_DETECTOR_ROWS, found[OD_DETECTOR_ROWS];
    int64_t left = c->count[OD_NEIGHBORS_DISTINCT] - start,
            rows = left < OD_DETECTOR_ROWS ? left : OD_DETECTOR_ROWS;
    float *x = j->rows + worker * OD_DETECTOR_ROWS * c->d;
    for (int64_t i = 0; i < rows; i++)
        memcpy(x + i * c->d, j->task->x + c->part[OD_NEIGHBORS_FIRST].at.i[start + i] * c->d,
               (size_t)c->d * sizeof *x);
    void *scratch = j->scratch + (size_t)worker * od_neighbors_scratch(c);
    const od_neighbor *list = od_neighbors_find(c, x, rows, scratch, found);
    for (int64_t i = 0; i < rows; i++) j->take(j->ctx, worker, start + i, list + i * (k + 1), found[i]);
    return ODIM_OK;
}

static int tick(void *ctx)
{
    const job *j = ctx;
    return od_detector_tick(j->task);
}

odim_status od_kept_neighbors(const od_detector *c, const od_detector_task *task, od_take_neighbors take,
                              void *ctx, odim_error *err)
{
    size_t threads = task->threads > 1 ? (size_t)task->threads : 1;
    job j = {.task = task,
             .c = c,
             .take = take,
             .ctx = ctx,
             .scratch = od_alloc(threads, od_neighbors_scratch(c)),
             .rows = od_alloc(threads, OD_DETECTOR_ROWS * (size_t)c->d * sizeof *j.rows)};
    odim_status status = j.scratch && j.rows ? ODIM_OK : od_fail_nomem(err);
    int64_t jobs = (c->count[OD_NEIGHBORS_DISTINCT] + OD_DETECTOR_ROWS - 1) / OD_DETECTOR_ROWS;
    if (!status) status = od_parallel_run((int)threads, jobs, find_some, tick, &j, err);
    od_free(j.scratch);
    od_free(j.rows);
    return status;
}
