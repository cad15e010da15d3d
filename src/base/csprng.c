/* Draws random numbers from the operating system. */
#include "base/csprng.h"

#include <math.h>
#include <string.h>

#include "common/platform.h"

void od_csprng_begin(od_csprng *d)
{
    memset(d, 0, sizeof *d);
}

void od_csprng_begin_seeded(od_csprng *d, uint64_t seed, uint32_t member, od_rng_purpose purpose)
{
    od_csprng_begin(d);
    d->stream = od_rng_make(seed, member, purpose, 0);
    d->seeded = true;
}

odim_status od_csprng_check(const od_csprng *d, odim_error *err)
{
    if (!d->failed) return ODIM_OK;
    return od_fail(err, ODIM_ERR_IO, "the operating system gives no random numbers: %s", strerror(d->failed));
}

static void fill_seeded(od_csprng *d)
{
    uint32_t w[4];
    for (size_t at = 0; at < OD_CSPRNG_POOL; at += sizeof w) {
        od_rng_block(&d->stream, d->block++, w);
        memcpy(d->pool + at, w, sizeof w);
    }
}

static void fill(od_csprng *d)
{
    if (!d->failed) d->failed = od_platform_random(d->pool, OD_CSPRNG_POOL);
    if (d->failed) memset(d->pool, 0, OD_CSPRNG_POOL);
}

static void take(od_csprng *d, void *to, size_t size)
{
    if (d->left < size) {
        if (d->seeded)
            fill_seeded(d);
        else
            fill(d);
        d->left = OD_CSPRNG_POOL;
    }
    unsigned char *from = d->pool + OD_CSPRNG_POOL - d->left;
    memcpy(to, from, size);
    memset(from, 0, size); /* what is used is not left lying about */
    d->left -= size;
}

uint32_t od_csprng_word(od_csprng *d)
{
    uint32_t w;
    take(d, &w, sizeof w);
    return w;
}

static uint64_t take_64(od_csprng *d)
{
    uint64_t w;
    take(d, &w, sizeof w);
    return w;
}

/* Uniform in (0, 1), on a grid of 2^-52. */
static double unit(od_csprng *d)
{
    return ((double)(take_64(d) >> 12) + 0.5) * 0x1p-52;
}

/* The same with 52 bits wherever it lies, down to 2^-1000: of noise it decides how far its tails reach, and
 * what is too far out to happen could tell that something was added to it. */
static double fine_unit(od_csprng *d)
{
    int below = 1; /* u is in 2^-below ... 2 2^-below */
    uint64_t bits = take_64(d);
    while (bits == 0 && below < 1000) {
        below += 64;
        bits = take_64(d);
    }
    for (; bits && !(bits >> 63); bits <<= 1) below++;
    return ldexp(1.0 + ((double)(take_64(d) >> 12) + 0.5) * 0x1p-52, -below);
}

void od_csprng_normal(od_csprng *d, double *x, int64_t n)
{
    const double two_pi = 6.283185307179586;
    for (int64_t i = 0; i < n; i += 2) {
        double radius = sqrt(-2.0 * log(fine_unit(d))), angle = two_pi * unit(d);
        x[i] = radius * cos(angle);
        if (i + 1 < n) x[i + 1] = radius * sin(angle);
    }
}
