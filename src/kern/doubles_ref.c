/* The dense kernels with the instructions that every machine has. */
#define WIDTH 2
#include "kern/doubles_body.def"

const od_dense *od_dense_ref(void)
{
    static const od_dense table = {product, scatter, whiten, signed_log};
    return &table;
}
