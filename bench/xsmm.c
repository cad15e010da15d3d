/*
 * LIBXSMM makes code for one small shape; what is larger than the caches its user has to cut. So here: into
 * equal tiles, up to 320 wide and high and about 128 deep, which did best or nearly so of those tried.
 *
 * It is column-major, where our c is transposed: its first operand is our b, and that it wants as it lies.
 */
#include <libxsmm.h>
#include <stdio.h>

#include "common/mem.h"
#include "libraries.h"

#define SIDE  320
#define DEPTH 128

typedef struct tiling {
    libxsmm_smmfunction set, add; /* c = a b and c += a b, of a tile */
    int64_t m, n, k;
} tiling;

static int64_t divisor(int64_t x, int64_t most)
{
    int64_t d = x < most ? x : most;
    while (x % d) d--;
    return d;
}

static libxsmm_smmfunction make(const multiply *x, const tiling *t, float beta)
{
    const int lda = (int)x->brs, ldb = (int)(x->acs == 1 ? x->ars : x->acs), ldc = (int)x->n;
    const int flags = x->acs == 1 ? LIBXSMM_GEMM_FLAG_NONE : LIBXSMM_GEMM_FLAG_TRANS_B;
    const int prefetch = LIBXSMM_PREFETCH_NONE;
    const float alpha = 1.0f;
    return libxsmm_smmdispatch((int)t->n, (int)t->m, (int)t->k, &lda, &ldb, &ldc, &alpha, &beta, &flags,
                               &prefetch);
}

static bool prepare(multiply *x)
{
    if (x->bcs != 1) return false;
    tiling t = {.m = divisor(x->m, SIDE), .n = divisor(x->n, SIDE), .k = divisor(x->k, DEPTH)};
    if (t.k < DEPTH / 2) t.k = divisor(x->k, SIDE); /* 3110 has none between 10 and 311 */
    t.set = make(x, &t, x->adds ? 1.0f : 0.0f);
    t.add = make(x, &t, 1.0f);
    tiling *plan = t.set && t.add ? od_alloc(1, sizeof *plan) : NULL;
    if (plan) *plan = t;
    x->plan = plan;
    return plan;
}

static void run(const multiply *x)
{
    const tiling *t = x->plan;
    for (int64_t p = 0; p < x->k; p += t->k) {
        libxsmm_smmfunction tile = p ? t->add : t->set;
        for (int64_t j = 0; j < x->n; j += t->n)
            for (int64_t i = 0; i < x->m; i += t->m)
                tile(x->b + p * x->brs + j, x->a + i * x->ars + p * x->acs, x->c + i * x->n + j);
    }
}

void xsmm_open(library *lib)
{
    libxsmm_init();
    lib->prepare = prepare;
    lib->run = run;
    snprintf(lib->version, sizeof lib->version, "LIBXSMM %s %s", LIBXSMM_VERSION, libxsmm_get_target_arch());
}
