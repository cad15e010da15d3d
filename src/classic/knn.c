#include "classic/knn.h"

#include <math.h>

#include "classic/neighbours.h"

static odim_status fit(od_classic *c, const od_classic_task *task, odim_error *err)
{
    return od_neighbours_fit(c, task, OD_GUIDE_CHOOSE, err);
}

static void score(const od_classic *c, const float *x, int64_t rows, void *scratch, double *scores)
{
    int64_t found[OD_CLASSIC_ROWS], k = c->count[OD_NEIGHBOURS_K];
    const od_neighbour *list = od_neighbours_find(c, x, rows, scratch, found);
    for (int64_t i = 0; i < rows; i++) scores[i] = sqrt(list[i * (k + 1) + found[i] - 1].square);
}

const od_classic_kind od_knn = {
    .method = OD_METHOD_KNN,
    .name = "knn",
    .fit = fit,
    .scratch = od_neighbours_scratch,
    .score = score,
    .check = od_neighbours_check,
};
