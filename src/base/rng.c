/* The Philox generator. */
#include "base/rng.h"

od_rng od_rng_make(uint64_t seed, uint32_t member, od_rng_purpose purpose, uint32_t step)
{
    od_rng s = {{(uint32_t)seed, (uint32_t)(seed >> 32)}, {member << 8 | (uint32_t)purpose, step}};
    return s;
}

void od_rng_block(const od_rng *s, uint64_t block, uint32_t out[4])
{
    uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32), c2 = s->hi[0], c3 = s->hi[1];
    uint32_t k0 = s->key[0], k1 = s->key[1];
    for (int round = 0; round < OD_PHILOX_ROUNDS; round++) {
        uint64_t p0 = (uint64_t)OD_PHILOX_M0 * c0, p1 = (uint64_t)OD_PHILOX_M1 * c2;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += OD_PHILOX_W0;
        k1 += OD_PHILOX_W1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}
