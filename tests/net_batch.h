/* A network, rows and noise to try it with, and the same numbers as doubles. */
#ifndef NET_BATCH_H
#define NET_BATCH_H

#include "common/mem.h"
#include "base/rng.h"
#include "net/layout.h"

typedef struct batch {
    od_layout l;
    int64_t rows, k;
    float *params, *stats, *x, *eps;
    double *dparams, *dx, *deps; /* the same numbers as doubles */
} batch;

static inline double *doubles(const float *x, size_t n)
{
    double *y = od_alloc(n, sizeof *y);
    for (size_t i = 0; i < n; i++) y[i] = (double)x[i];
    return y;
}

static inline batch make(od_shape shape, int64_t rows, int64_t k)
{
    batch b = {.rows = rows, .k = k};
    od_layout_make(&b.l, &shape);
    size_t nx = (size_t)(rows * shape.d), ne = (size_t)(rows * k * shape.latent);
    b.params = od_alloc(b.l.params, sizeof(float));
    b.stats = od_alloc(b.l.stats, sizeof(float));
    b.x = od_alloc(nx, sizeof(float));
    b.eps = od_alloc(ne, sizeof(float));
    od_layout_init(&b.l, 5, 1, b.params, b.stats);
    /* Log-variances of all sizes, some beyond each clamp, none so near to it that a finite difference would
     * cross. */
    for (int64_t j = 0; j < b.l.shape.latent; j++)
        b.params[b.l.enc.head_b + (size_t)j] = (float)(j % 3 == 0 ? 3.5 : j % 3 == 1 ? -1.0 : -8.0);
    for (int64_t j = 0; j < b.l.shape.d && b.l.dec.outputs > b.l.dec.dim; j++)
        b.params[b.l.dec.head_b + (size_t)j] = (float)(j % 4 == 0   ? 4.0
                                                       : j % 4 == 1 ? -0.5
                                                       : j % 4 == 2 ? -8.0
                                                                    : 0.5);
    od_rng s = od_rng_make(8, 0, OD_RNG_INIT, 1), e = od_rng_make(8, 0, OD_RNG_TRAIN, 1);
    for (size_t i = 0; i < nx; i++) {
        uint32_t w[4];
        od_rng_block(&s, i, w);
        b.x[i] = od_unit(w[0]);
    }
    od_kern_ref()->normal(b.eps, (int64_t)ne, &e);
    b.dparams = doubles(b.params, b.l.params);
    b.dx = doubles(b.x, nx);
    b.deps = doubles(b.eps, ne);
    return b;
}

static inline void drop(batch *b)
{
    od_free(b->params), od_free(b->stats), od_free(b->x), od_free(b->eps);
    od_free(b->dparams), od_free(b->dx), od_free(b->deps);
}

#endif
