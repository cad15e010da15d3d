/* Noise (rows, samples, latent) as the network wants it; what belongs to padding is 9, and must not matter.
 */
#ifndef NET_NOISE_H
#define NET_NOISE_H

#include "common/mem.h"
#include "net/iwae.h"

static inline float *place_noise(const od_iwae *net, const float *eps, int64_t rows)
{
    int64_t count = od_iwae_noise(net, rows), k = net->dec.samples, latent = net->layout->shape.latent;
    float *to = od_alloc((size_t)count, sizeof *to);
    for (int64_t i = 0; i < count; i++) to[i] = 9.0f;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t s = 0; s < k; s++)
            for (int64_t j = 0; j < latent; j++)
                to[od_iwae_noise_at(net, rows, i, s, j)] = eps[(i * k + s) * latent + j];
    return to;
}

#endif
