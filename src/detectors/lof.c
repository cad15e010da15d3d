/*
 * The local outlier factor (Breunig et al., 2000), as in scikit-learn. There are exactly k neighbors, even
 * with ties, and 1e-10 is added to mean distances, which may be 0. A training row has the factor of the
 * training set; a new row is compared with the values of its neighbors.
 */
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "detectors/kept_neighbors.h"

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

typedef struct lists {
    od_detector *c;
    od_neighbor *list; /* (kept rows, k) */
    int64_t *found;    /* (kept rows) */
} lists;

static void take(void *ctx, int worker, int64_t row, const od_neighbor *list, int64_t found)
{
    (void)worker;
    const lists *l = ctx;
    memcpy(l->list + row * l->c->count[OD_NEIGHBORS_K], list, (size_t)found * sizeof *list);
    l->found[row] = found;
    l->c->part[RADIUS].at.d[row] = sqrt(list[found - 1].square);
}

static odim_status measure(od_detector *c, const od_detector_task *task, odim_error *err)
{
    int64_t m = c->count[OD_NEIGHBORS_DISTINCT], k = c->count[OD_NEIGHBORS_K];
    lists l = {.c = c,
               .list = od_alloc((size_t)m, (size_t)k * sizeof(od_neighbor)),
               .found = od_alloc((size_t)m, sizeof *l.found)};
    odim_status status = l.list && l.found ? ODIM_OK : od_fail_nomem(err);
    if (!status) status = od_kept_neighbors(c, task, take, &l, err);
    for (int64_t i = 0; !status && i < m; i++)
        c->part[DENSITY].at.d[i] = density(c, l.list + i * k, l.found[i]);
    od_free(l.list);
    od_free(l.found);
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
    .most_cells = OD_DETECTOR_COPIED,
};
