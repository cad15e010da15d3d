/* The dense kernels with AVX-512. */
#if defined(__AVX512F__)

#define WIDTH 8
#include "kern/doubles_body.def"

const od_dense *od_dense_avx512(void)
{
    static const od_dense table = {product, scatter, whiten, signed_log};
    return &table;
}

#else

#include <stddef.h>

#include "kern/doubles.h"

const od_dense *od_dense_avx512(void)
{
    return NULL;
}

#endif
