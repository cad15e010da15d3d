/* y = x W^T: the multiply of every layer, forward and backward. Biases are the business of what follows. */
#ifndef OD_LINEAR_H
#define OD_LINEAR_H

#include "kern/kern.h"

/* y (rows, out) = x (rows, in) w^T, w (out, in). */
static inline void od_linear_fwd(const od_kern *k, float *y, const float *x, const float *w, int64_t rows,
                                 int64_t in, int64_t out)
{
    k->gemm(rows, out, in, x, in, 1, w, 1, in, false, y, out);
}

/* dw += dy^T x; and dx = dy w unless dx is NULL. */
static inline void od_linear_bwd(const od_kern *k, float *dx, float *dw, const float *dy, const float *x,
                                 const float *w, int64_t rows, int64_t in, int64_t out)
{
    k->gemm(out, in, rows, dy, 1, out, x, in, 1, true, dw, in);
    if (dx) k->gemm(rows, in, out, dy, out, 1, w, in, 1, false, dx, in);
}

#endif
