/* Random numbers for tables that are made up: the same on every machine. */
#ifndef MADE_H
#define MADE_H

#include <stdint.h>

/* Where they begin; set by the program that makes a table. */
static uint64_t state;

/* Uniform in [0,1): SplitMix64. */
static double uniform(void)
{
    uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* Nearly normal: a sum of twelve uniforms, which ends at six sigmas and needs no logarithm. */
static double noise(double sigma)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += uniform();
    return sigma * sum;
}

#endif
