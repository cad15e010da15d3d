/* Products of the columns of a table of doubles, on many threads. */
#ifndef OD_CROSS_H
#define OD_CROSS_H

#include "base/status.h"

/* Writes rows first..end-1 to z (end - first, d). Many threads call it at the same time. */
typedef void (*od_cross_rows)(void *ctx, int64_t first, int64_t end, double *z);

/* sum (d, d) = z'z of all n rows; both triangles are set. The bits do not depend on the number of threads. */
odim_status od_cross(int64_t n, int64_t d, od_cross_rows rows, void *ctx, int64_t threads, double *sum,
                     odim_error *err);

#endif
