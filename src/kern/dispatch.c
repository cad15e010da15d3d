#include "kern/kern.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const od_kern *chosen;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void choose(void)
{
    const char *cap = getenv("ODIM_KERN");
    const od_kern *best = cap && strcmp(cap, "ref") == 0 ? NULL : od_kern_avx2();
    chosen = best ? best : od_kern_ref();
}

const od_kern *od_kern_get(void)
{
    pthread_once(&once, choose);
    return chosen;
}
