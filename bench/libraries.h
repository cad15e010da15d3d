/* The libraries that our multiplies are compared with, behind one interface. */
#ifndef LIBRARIES_H
#define LIBRARIES_H

#include <stdbool.h>
#include <stdint.h>

/* c (m, n) = a (m, k) b (k, n), or += when it adds. Element (i, p) of a is a[i * ars + p * acs], one of the
   two strides is 1, and the same for b; c is row-major and dense. */
typedef struct multiply {
    int64_t m, n, k;
    int64_t ars, acs, brs, bcs;
    bool adds;
    float *a, *b, *c;
    float *bias; /* (m), then leaky(bias + a b) is wanted, which no library here does; or NULL */
    void *plan;  /* what prepare made; od_free it */
} multiply;

typedef struct library {
    const char *name;
    char version[160]; /* empty where it is missing */
    /* Before the first run of x, and not timed; false when there is no such multiply. NULL: nothing to do. */
    bool (*prepare)(multiply *x);
    void (*run)(const multiply *x);
} library;

enum { OPENBLAS, BLIS, XSMM, ONEDNN, LIBRARIES };

/* Opens those that are installed, to run on so many threads. To be called before there are any, for it sets
   the environment. */
void libraries_open(library lib[LIBRARIES], int threads);

/* LIBXSMM is linked and not opened: Debian has only the archive. */
void xsmm_open(library *lib);

#endif
