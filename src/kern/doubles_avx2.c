/* The dense kernels with AVX2. */
#define WIDTH 4
#include "kern/doubles_body.h"

const od_dense *od_dense_avx2(void)
{
#if defined(__AVX2__)
    static const od_dense table = {product, scatter, whiten};
    return &table;
#else
    return NULL;
#endif
}
