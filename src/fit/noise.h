/*
 * The noise of scoring: k vectors that belong to a fitted member, the same for every row, so that a score is
 * a function of the row alone. They are a Latin hypercube sample: in each dimension one number from each of k
 * slices of equal probability, in random order. Every vector is standard normal, and together they cover the
 * latent space more evenly than independent ones: 30 do what 50 of those do (bench/NOISE.md).
 */
#ifndef OD_NOISE_H
#define OD_NOISE_H

#include "base/rng.h"
#include "base/status.h"

/* noise (k, latent). */
odim_status od_noise_fill(float *noise, int64_t k, int64_t latent, const od_rng *s, odim_error *err);

/* The number that a standard normal one is below with probability p: to 5e-6 for p from 1e-7 to 1 - 1e-7, to
 * a few percent further out. */
double od_noise_quantile(double p);

#endif
