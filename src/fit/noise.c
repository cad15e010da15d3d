/* Draws the noise of scoring: a Latin hypercube sample of normal vectors. */
#include "fit/noise.h"

#include <math.h>

#include "common/mem.h"

/* The inverse error function by two polynomials (Giles, 2010), times the square root of two. */
double od_noise_quantile(double p)
{
    static const double near[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                  -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                  -0.00417768164,  0.246640727,    1.50140941};
    static const double far[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                 -0.00367342844,  0.00573950773,  -0.0076224613,
                                 0.00943887047,   1.00167406,     2.83297682};
    double x = 2.0 * p - 1.0, w = -log(4.0 * p * (1.0 - p));
    const double *c = w < 5.0 ? near : far;
    double t = w < 5.0 ? w - 2.5 : sqrt(w) - 3.0, y = c[0];
    for (int i = 1; i < 9; i++) y = y * t + c[i];
    return y * x * 1.4142135623730951;
}

static double unit_at(const od_rng *s, int64_t at)
{
    uint32_t w[4];
    od_rng_block(s, (uint64_t)at, w);
    return (double)od_unit(w[0]);
}

odim_status od_noise_fill(float *noise, int64_t k, int64_t latent, const od_rng *s, odim_error *err)
{
    int64_t *slice = od_alloc((size_t)k, sizeof *slice);
    if (!slice) return od_fail_nomem(err);
    for (int64_t j = 0; j < latent; j++) {
        int64_t at = j * 2 * k; /* of the stream: k numbers for the order, k for the place within the slice */
        for (int64_t i = 0; i < k; i++) slice[i] = i;
        for (int64_t i = k - 1; i > 0; i--) {
            int64_t other = (int64_t)(unit_at(s, at + i) * (double)(i + 1)), t = slice[i];
            slice[i] = slice[other];
            slice[other] = t;
        }
        for (int64_t i = 0; i < k; i++) {
            double p = ((double)slice[i] + unit_at(s, at + k + i)) / (double)k;
            noise[i * latent + j] = (float)od_noise_quantile(p);
        }
    }
    od_free(slice);
    return ODIM_OK;
}
