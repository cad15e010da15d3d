/*
 * OpenBLAS and BLIS have functions of the same names, so each is opened for itself at run time, and none is
 * needed to build. The few prototypes are written out here.
 */
#include "libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };

typedef void cblas_gemm(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a,
                        int lda, const float *b, int ldb, float beta, float *c, int ldc);
typedef int dnnl_gemm(char transa, char transb, int64_t m, int64_t n, int64_t k, float alpha, const float *a,
                      int64_t lda, const float *b, int64_t ldb, float beta, float *c, int64_t ldc);
typedef struct dnnl_number {
    int major, minor, patch; /* and more that is not read */
} dnnl_number;

static cblas_gemm *openblas_sgemm, *blis_sgemm;
static dnnl_gemm *dnnl_sgemm;

/* Sets *function, a pointer to a function of any type, to the one of that name; false when there is none. */
static bool find(void *handle, const char *name, void *function)
{
    void *p = handle ? dlsym(handle, name) : NULL;
    memcpy(function, &p, sizeof p);
    return p;
}

static void run_cblas(cblas_gemm *gemm, const multiply *x)
{
    bool ta = x->acs != 1, tb = x->bcs != 1;
    gemm(ROW_MAJOR, ta ? TRANS : NO_TRANS, tb ? TRANS : NO_TRANS, (int)x->m, (int)x->n, (int)x->k, 1.0f, x->a,
         (int)(ta ? x->acs : x->ars), x->b, (int)(tb ? x->bcs : x->brs), x->adds ? 1.0f : 0.0f, x->c,
         (int)x->n);
}

static void run_openblas(const multiply *x)
{
    run_cblas(openblas_sgemm, x);
}

static void open_openblas(library *lib)
{
    void *handle = dlopen("libopenblas.so", RTLD_NOW | RTLD_LOCAL);
    const char *(*config)(void);
    lib->run = run_openblas;
    if (find(handle, "cblas_sgemm", &openblas_sgemm) && find(handle, "openblas_get_config", &config))
        snprintf(lib->version, sizeof lib->version, "%s", config());
}

static void run_blis(const multiply *x)
{
    run_cblas(blis_sgemm, x);
}

static void open_blis(library *lib)
{
    void *handle = dlopen("libblis.so", RTLD_NOW | RTLD_LOCAL);
    const char *(*version)(void);
    const char *(*arch_name)(int);
    int (*arch)(void);
    lib->run = run_blis;
    if (find(handle, "cblas_sgemm", &blis_sgemm) && find(handle, "bli_info_get_version_str", &version) &&
        find(handle, "bli_arch_query_id", &arch) && find(handle, "bli_arch_string", &arch_name))
        snprintf(lib->version, sizeof lib->version, "BLIS %s %s", version(), arch_name(arch()));
}

static void run_onednn(const multiply *x)
{
    bool ta = x->acs != 1, tb = x->bcs != 1;
    dnnl_sgemm(ta ? 'T' : 'N', tb ? 'T' : 'N', x->m, x->n, x->k, 1.0f, x->a, ta ? x->acs : x->ars, x->b,
               tb ? x->bcs : x->brs, x->adds ? 1.0f : 0.0f, x->c, x->n);
}

static void open_onednn(library *lib)
{
    void *handle = dlopen("libdnnl.so", RTLD_NOW | RTLD_LOCAL);
    const dnnl_number *(*version)(void);
    lib->run = run_onednn;
    if (!find(handle, "dnnl_sgemm", &dnnl_sgemm) || !find(handle, "dnnl_version", &version)) return;
    const dnnl_number *v = version();
    snprintf(lib->version, sizeof lib->version, "oneDNN %d.%d.%d", v->major, v->minor, v->patch);
}

void libraries_open(library lib[LIBRARIES], int threads)
{
    char count[16];
    /* Read by the libraries, or by the OpenMP under them, when they are opened. */
    static const char *const names[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"};
    snprintf(count, sizeof count, "%d", threads);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) setenv(names[i], count, 1);
    memset(lib, 0, LIBRARIES * sizeof *lib);
    lib[OPENBLAS].name = "OpenBLAS";
    lib[BLIS].name = "BLIS";
    lib[XSMM].name = "LIBXSMM";
    lib[ONEDNN].name = "oneDNN";
    open_openblas(&lib[OPENBLAS]);
    open_blis(&lib[BLIS]);
    open_onednn(&lib[ONEDNN]);
#ifdef BENCH_XSMM
    xsmm_open(&lib[XSMM]);
#endif
}
