/*
 * A random order of n rows that needs no memory: a keyed permutation of 0..n-1. It is evaluated one position
 * at a time, and differs between members, epochs and purposes. A member sees about 20,000 rows however many
 * there are, so that a shuffled array of all would be wasteful.
 */
#ifndef OD_SHUFFLE_H
#define OD_SHUFFLE_H

#include "base/rng.h"

#define OD_SHUFFLE_ROUNDS 8

typedef struct od_shuffle {
    uint64_t n;
    int half; /* bits of each half */
    uint64_t key[OD_SHUFFLE_ROUNDS];
} od_shuffle;

od_shuffle od_shuffle_make(uint64_t n, uint64_t seed, uint32_t member, od_rng_purpose purpose,
                           uint32_t epoch);
/* The row at position i < n of the order. */
uint64_t od_shuffle_at(const od_shuffle *s, uint64_t i);

#endif
