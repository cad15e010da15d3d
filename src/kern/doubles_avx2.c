/* The dense kernels with AVX2. */
#if defined(__AVX2__)

#define WIDTH 4
#include "kern/doubles_body.def"

const od_dense *od_dense_avx2(void)
{
    static const od_dense table = {product, scatter, whiten, signed_log};
    return &table;
}

#else

#include <stddef.h>

#include "kern/doubles.h"

const od_dense *od_dense_avx2(void)
{
    return NULL;
}

#endif
