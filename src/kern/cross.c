/*
 * Products of columns: rows are brought to doubles some at a time, once, and each job then adds up some rows
 * of the result. Sums run over the rows in their order, so it does not matter how they are cut into parts.
 */
#include "kern/cross.h"

#include <string.h>

#include "base/parallel.h"
#include "common/mem.h"
#include "kern/doubles.h"

#define CELLS ((int64_t)1 << 19) /* of rows that are held at a time */
#define LEAST 64                 /* rows, however wide */
#define BLOCK 32                 /* rows that are multiplied at a time: they stay in the second cache */
#define FILL  32                 /* rows that are one job */
#define BAND  32                 /* columns whose sums are one job */

typedef struct cross {
    int64_t d, first, count; /* the rows that are held */
    od_cross_rows rows;
    void *ctx;
    double *z, *sum;
} cross;

static void fill(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const cross *c = ctx;
    c->rows(c->ctx, c->first + first, c->first + end, c->z + first * c->d);
}

static void add_band(void *ctx, int worker, int64_t first, int64_t end)
{
    (void)worker;
    const cross *c = ctx;
    const od_dense *dense = od_dense_get();
    for (int64_t i = 0; i < c->count; i += BLOCK)
        dense->scatter(c->z + i * c->d, c->count - i < BLOCK ? c->count - i : BLOCK, c->d, first, end,
                       c->sum);
}

odim_status od_cross(int64_t n, int64_t d, od_cross_rows rows, void *ctx, int64_t threads, double *sum,
                     odim_error *err)
{
    int64_t most = CELLS / d / BLOCK * BLOCK;
    if (most < LEAST) most = LEAST;
    if (most > n) most = n;
    cross c = {.d = d, .rows = rows, .ctx = ctx, .sum = sum};
    c.z = od_alloc((size_t)most, (size_t)d * sizeof *c.z);
    odim_status status = c.z ? ODIM_OK : od_fail_nomem(err);
    memset(sum, 0, (size_t)(d * d) * sizeof *sum);
    for (; !status && c.first < n; c.first += most) {
        c.count = n - c.first < most ? n - c.first : most;
        status = od_parallel_ranges(threads, c.count, FILL, fill, &c, err);
        if (!status) status = od_parallel_ranges(threads, d, BAND, add_band, &c, err);
    }
    for (int64_t i = 0; !status && i < d; i++)
        for (int64_t j = i + 1; j < d; j++) sum[j * d + i] = sum[i * d + j];
    od_free(c.z);
    return status;
}
