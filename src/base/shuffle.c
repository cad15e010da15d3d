/* A keyed permutation by a Feistel network. */
#include "base/shuffle.h"

od_shuffle od_shuffle_make(uint64_t n, uint64_t seed, uint32_t member, od_rng_purpose purpose, uint32_t epoch)
{
    od_shuffle s = {.n = n, .half = 1};
    while (s.half < 32 && (UINT64_C(1) << (2 * s.half)) < n) s.half++;
    od_rng random = od_rng_make(seed, member, purpose, epoch);
    for (int r = 0; r < OD_SHUFFLE_ROUNDS; r++) {
        uint32_t w[4];
        od_rng_block(&random, (uint64_t)r, w);
        s.key[r] = (uint64_t)w[0] << 32 | w[1];
    }
    return s;
}

/* Finaliser of splitmix64 (Steele et al., 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* A Feistel network permutes the 2 half bits; positions that leave 0..n-1 are sent through it again. */
uint64_t od_shuffle_at(const od_shuffle *s, uint64_t i)
{
    uint64_t mask = (UINT64_C(1) << s->half) - 1;
    do {
        uint64_t left = i >> s->half, right = i & mask;
        for (int r = 0; r < OD_SHUFFLE_ROUNDS; r++) {
            uint64_t next = left ^ (mix(right + s->key[r]) & mask);
            left = right;
            right = next;
        }
        i = left << s->half | right;
    } while (i >= s->n);
    return i;
}
