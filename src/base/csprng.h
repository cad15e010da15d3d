/*
 * Unpredictable random numbers for differential privacy, from the operating system's generator. Repeatable
 * runs take them from a seed instead, and then offer no privacy against anyone who knows the seed.
 */
#ifndef OD_CSPRNG_H
#define OD_CSPRNG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/rng.h"
#include "base/status.h"

#define OD_CSPRNG_POOL 4096

typedef struct od_csprng {
    bool seeded;
    od_rng stream;  /* if seeded */
    uint64_t block; /* of the stream: the next one */
    size_t left;    /* bytes of the pool not given yet */
    int failed;     /* errno of the operating system, or 0 */
    unsigned char pool[OD_CSPRNG_POOL];
} od_csprng;

/* From the operating system. */
void od_csprng_begin(od_csprng *d);
/* From a seed: each member and purpose has dice of its own. */
void od_csprng_begin_seeded(od_csprng *d, uint64_t seed, uint32_t member, od_rng_purpose purpose);

/* Once the operating system has failed, all that follows is zero, and od_csprng_check says so: ask before
 * using what was drawn. */
odim_status od_csprng_check(const od_csprng *d, odim_error *err);

uint32_t od_csprng_word(od_csprng *d);
/* Standard normal numbers, by Box and Muller: with tails up to 37. */
void od_csprng_normal(od_csprng *d, double *x, int64_t n);

#endif
