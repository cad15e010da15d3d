/*
 * The noise of scoring: k vectors of a fitted member, the same for every row.
 *
 * So a score is a function of the row alone. The vectors are a Latin hypercube sample: each dimension has one
 * number from each of k slices of equal probability, in random order. Every vector is standard normal, and
 * together they cover the latent space more evenly than independent ones: 30 do the work of 50
 * (bench/NOISE.md).
 */
#ifndef OD_NOISE_H
#define OD_NOISE_H

#include "base/rng.h"
#include "base/status.h"

/* noise (k, latent). */
odim_status od_noise_fill(float *noise, int64_t k, int64_t latent, const od_rng *s, odim_error *err);

/* The quantile of the standard normal distribution at p: within 5e-6 for p from 1e-7 to 1 - 1e-7, within a
 * few percent further out. */
double od_noise_quantile(double p);

#endif
