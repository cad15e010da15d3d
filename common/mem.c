/* Allocates aligned memory, counts allocations, and makes one fail on demand. */
#include "common/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALIGN 64

/* Sizes are products of parameters, each within its bounds: in 64 bits they cannot wrap. */
_Static_assert(sizeof(size_t) >= 8, "a 64-bit system is needed");

static _Atomic int64_t fail_at; /* 0: never */
static _Atomic int64_t done;    /* allocations since fail_at was set */

void od_mem_fail_at(int64_t n)
{
    atomic_store(&fail_at, n);
    atomic_store(&done, 0);
}

int64_t od_mem_count(void)
{
    return atomic_load(&done);
}

bool od_mul(size_t a, size_t b, size_t *out)
{
    if (b && a > SIZE_MAX / b) return false;
    *out = a * b;
    return true;
}

void *od_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (!od_mul(count, size, &bytes) || bytes > PTRDIFF_MAX - ALIGN) return NULL;
    int64_t nth = atomic_fetch_add(&done, 1) + 1;
    int64_t at = atomic_load(&fail_at);
    if (at && nth >= at) return NULL;
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return aligned_alloc(ALIGN, bytes ? bytes : ALIGN);
}

void *od_calloc(size_t count, size_t size)
{
    void *p = od_alloc(count, size);
    if (p) memset(p, 0, count * size);
    return p;
}

void *od_grow(void *p, size_t old_count, size_t count, size_t size)
{
    void *q = od_alloc(count, size);
    if (!q) return NULL;
    if (p) memcpy(q, p, (old_count < count ? old_count : count) * size);
    od_free(p);
    return q;
}

char *od_strndup(const char *s, size_t len)
{
    char *p = od_alloc(len + 1, 1);
    if (!p) return NULL;
    memcpy(p, s, len);
    p[len] = '\0';
    return p;
}

void od_free(void *p)
{
    free(p);
}

uint64_t od_mem_physical(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_C(1) << 32;
}

size_t od_mem_limit(int64_t asked)
{
    return asked > 0 ? (size_t)asked : (size_t)(od_mem_physical() / 2);
}
