/*
 * The cluster-based local outlier factor (He, Xu and Deng, 2003), as PyOD has it: without weights.
 *
 * Rows are put into clusters by k-means. From the largest cluster on, clusters are large until they have 90 %
 * of the rows, and, if there is such a place further on, until the next cluster is smaller by a factor of 5.
 * A row counts by its distance to the center of its cluster, or to the nearest center of a large cluster if
 * its own is small. Both are the distance to the nearest center of a large cluster, so that only these are
 * kept.
 *
 * It keeps: count 0 centers; part 0 (blocks, d, 8) their values, the last center again where a block is not
 * full; part 1 (centers) 1: all rows of the cluster are equal, and its center is a training row.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "detectors/detector.h"
#include "detectors/kmeans.h"

#define ALPHA    0.9
#define BETA     5.0
#define MOST_OUT 1000 /* clusters */

enum { CENTER, SINGLE };

/* How many of the clusters, the largest first, are large. */
static int64_t count_large(const od_cluster *clusters, int64_t count, int64_t n)
{
    int64_t enough = 0, steep = 0, rows = 0;
    for (int64_t i = 1; i < count; i++) {
        rows += clusters[i - 1].rows;
        bool falls = (double)clusters[i - 1].rows >= BETA * (double)clusters[i].rows;
        bool most = (double)rows >= ALPHA * (double)n;
        if (most && falls) return i;
        if (most && !enough) enough = i;
        if (falls && !steep) steep = i;
    }
    return enough ? enough : steep ? steep : count;
}

static int by_rows(const void *a, const void *b)
{
    const od_cluster *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows)
                              : (x->number > y->number) - (x->number < y->number);
}

static odim_status keep(od_detector *c, const od_kmeans *k, int64_t n, odim_error *err)
{
    od_cluster *clusters = k->cluster;
    int64_t filled = 0;
    qsort(clusters, (size_t)k->count, sizeof *clusters, by_rows);
    while (filled < k->count && clusters[filled].rows) filled++;
    int64_t large = count_large(clusters, filled, n), blocks = od_center_blocks(large);
    c->count[0] = large;
    odim_status status = od_detector_array_new(c, CENTER, OD_ARRAY_DOUBLE, blocks * c->d * OD_CENTERS, err);
    if (!status) status = od_detector_array_new(c, SINGLE, OD_ARRAY_INT, large, err);
    for (int64_t i = 0; !status && i < blocks * OD_CENTERS; i++) {
        const od_cluster *from = &clusters[i < large ? i : large - 1];
        for (int64_t j = 0; j < c->d; j++)
            *od_center_value(c->part[CENTER].at.d, c->d, i, j) =
                *od_center_value(k->center, c->d, from->number, j);
        if (i < large) c->part[SINGLE].at.i[i] = from->equal;
    }
    return status;
}

static odim_status fit(od_detector *c, const od_detector_task *task, odim_error *err)
{
    od_kmeans k;
    odim_status status = od_kmeans_fit(&k, task, task->clusters, err);
    if (!status) status = keep(c, &k, task->n, err);
    od_kmeans_free(&k);
    return status;
}

static size_t scratch(const od_detector *c)
{
    (void)c;
    return 0;
}

/* The squared distance is a sum; a feature has of the distance what it has of that. */
static double attribute(const od_detector *c, const float *x, void *room, double times, double *part)
{
    double square;
    (void)room;
    int64_t i = od_center_nearest(c->part[CENTER].at.d, od_center_blocks(c->count[0]), c->d, x, &square);
    double distance = sqrt(square);
    for (int64_t j = 0; part && distance > 0.0 && j < c->d; j++) {
        double apart = (double)x[j] - *od_center_value(c->part[CENTER].at.d, c->d, i, j);
        part[j] += times * (apart * apart / distance);
    }
    return distance;
}

static void score(const od_detector *c, const float *x, int64_t rows, void *room, double *scores)
{
    for (int64_t i = 0; i < rows; i++) scores[i] = attribute(c, x + i * c->d, room, 0.0, NULL);
}

static int64_t count_rows(const od_detector *c, const float *x, bool *is_one)
{
    int64_t found = 0;
    *is_one = false;
    for (int64_t i = 0; i < c->count[0]; i++) {
        if (!c->part[SINGLE].at.i[i]) continue;
        int64_t j = 0;
        while (j < c->d && (float)*od_center_value(c->part[CENTER].at.d, c->d, i, j) == x[j]) j++;
        *is_one |= j == c->d;
        found++;
    }
    return found;
}

/* Values that are floats or means of floats: their distances do not overflow. */
static odim_status check(const od_detector *c, odim_error *err)
{
    int64_t count = c->count[0];
    if (count < 1 || count > MOST_OUT || c->d < 1 ||
        !od_detector_has(c, CENTER, OD_ARRAY_DOUBLE, od_center_blocks(count) * c->d * OD_CENTERS) ||
        !od_detector_has(c, SINGLE, OD_ARRAY_INT, count))
        return od_fail(err, ODIM_ERR_FORMAT, "not 1 to %d centers", MOST_OUT);
    for (int64_t i = 0; i < c->part[CENTER].count; i++)
        if (!(fabs(c->part[CENTER].at.d[i]) <= 4e38))
            return od_fail(err, ODIM_ERR_FORMAT, "a center is out of range");
    return ODIM_OK;
}

const od_detector_kind od_cblof = {
    .method = OD_METHOD_CBLOF,
    .name = "cblof",
    .fit = fit,
    .scratch = scratch,
    .score = score,
    .attribute = attribute,
    .keeps = "centers of clusters, which may be single rows",
    .rows = count_rows,
    .check = check,
    .most_cells = OD_DETECTOR_CELLS,
};
