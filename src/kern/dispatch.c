/* Selects the kernel table for this CPU, once per process. */
#include "kern/kern.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kern/doubles.h"

static const od_kern *chosen;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The check is here because in avx2.c the compiler may use AVX2 instructions before it. */
const od_kern *od_kern_avx2(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return od_kern_avx2_table();
#endif
    return NULL;
}

static od_kern avx512;
static pthread_once_t avx512_once = PTHREAD_ONCE_INIT;

static void fill_avx512(void)
{
#if defined(__x86_64__)
    if (!od_kern_avx2() || !__builtin_cpu_supports("avx512f")) return;
    avx512 = *od_kern_avx2_table();
    od_kern_avx512_fill(&avx512);
#endif
}

const od_kern *od_kern_avx512(void)
{
    pthread_once(&avx512_once, fill_avx512);
    return avx512.name && strcmp(avx512.name, "avx512") == 0 ? &avx512 : NULL;
}

static void choose(void)
{
    const char *cap = getenv("ODIM_KERN");
    chosen = od_kern_avx2() ? od_kern_avx2() : od_kern_neon();
    if (od_kern_avx512() && !(cap && strcmp(cap, "avx2") == 0)) chosen = od_kern_avx512();
    if (!chosen || (cap && strcmp(cap, "ref") == 0)) chosen = od_kern_ref();
}

odim_status od_kern_check(odim_error *err)
{
    const char *cap = getenv("ODIM_KERN");
    if (!cap || !*cap) return ODIM_OK;
    static const char *const levels[] = {"ref", "avx2", "avx512", "neon"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strcmp(cap, levels[i]) == 0) return ODIM_OK;
    char shown[64];
    od_printable(shown, sizeof shown, cap, strlen(cap));
    return od_fail(err, ODIM_ERR_PARAM,
                   "ODIM_KERN in the environment must be ref, avx2, avx512 or neon, not '%s'", shown);
}

const od_kern *od_kern_get(void)
{
    pthread_once(&once, choose);
    return chosen;
}

const od_dense *od_dense_get(void)
{
    const od_kern *level = od_kern_get();
    const od_dense *fast = NULL;
    if (level == od_kern_avx512()) fast = od_dense_avx512();
    if (!fast && level != od_kern_ref()) fast = od_dense_avx2();
    return fast ? fast : od_dense_ref();
}
