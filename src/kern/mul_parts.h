/* Cuts a multiplication into parts whose operands stay in cache; the levels multiply the parts. */
#ifndef OD_MUL_PARTS_H
#define OD_MUL_PARTS_H

#include "kern/kern.h"

#define OD_MUL_K 256 /* terms of the sums of a part */
#define OD_MUL_M 128 /* features of a block, whose part of a fits into the L2 cache */

/* od_mul_args for k up to OD_MUL_K. */
typedef struct od_mul_part {
    od_mul_args of;
    bool add; /* c has the sums of the parts before */
} od_mul_part;

/* block: multiplies features i..end-1 of a part. */
static inline void od_mul_in_parts(const od_mul_args *args,
                                   void (*block)(const od_mul_part *part, int64_t i, int64_t end))
{
    od_mul_part part = {.of = *args};
    for (int64_t p = 0; p < args->k; p += OD_MUL_K) {
        part.of.k = args->k - p < OD_MUL_K ? args->k - p : OD_MUL_K;
        part.of.a = args->a + p * args->acs;
        part.of.b = args->b + p * args->ldb;
        part.of.leaky = args->leaky && p + part.of.k == args->k;
        part.add = p > 0;
        for (int64_t i = 0; i < args->m; i += OD_MUL_M)
            block(&part, i, args->m - i < OD_MUL_M ? args->m : i + OD_MUL_M);
    }
}

#endif
