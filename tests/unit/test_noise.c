/* tests: noise. Quantiles against the error function; one number in every slice; dimensions independent. */
#include "test.h"

#include "common/mem.h"
#include "fit/noise.h"

TEST(quantile_is_the_inverse)
{
    for (double p = 1e-7; p < 1.0; p = p < 0.9999 ? p * 1.003 + 1e-7 : p + 1e-6) {
        double x = od_noise_quantile(p), back = 0.5 * erfc(-x / sqrt(2.0)),
               slope = exp(-0.5 * x * x) / 2.5066;
        CHECK_NEAR((back - p) / slope, 0.0, 2e-6 * (1 + fabs(x)));
    }
    CHECK_NEAR(od_noise_quantile(0.5), 0.0, 1e-12);
    CHECK_NEAR(od_noise_quantile(0.975), 1.959964, 1e-5);
    CHECK_NEAR(od_noise_quantile(0.025), -1.959964, 1e-5);
}

TEST(one_in_every_slice)
{
    enum { K = 50, LATENT = 8 };
    float noise[K * LATENT];
    od_rng s = od_rng_make(5, 3, OD_RNG_SCORE, 0);
    REQUIRE(od_noise_fill(noise, K, LATENT, &s, NULL) == ODIM_OK);
    for (int j = 0; j < LATENT; j++) {
        int seen[K] = {0};
        for (int i = 0; i < K; i++) {
            double p = 0.5 * erfc(-(double)noise[i * LATENT + j] / sqrt(2.0));
            seen[(int)(p * K)]++;
        }
        for (int i = 0; i < K; i++) CHECK_INT(seen[i], 1);
        for (int other = 0; other < j; other++) {
            double dot = 0;
            for (int i = 0; i < K; i++) dot += (double)(noise[i * LATENT + j] * noise[i * LATENT + other]);
            CHECK(fabs(dot / K) < 0.6); /* four standard errors of a correlation of 50 */
        }
    }
}

TEST(a_single_vector_is_a_normal_number)
{
    double sum = 0, square = 0;
    for (uint32_t member = 0; member < 4000; member++) {
        float x;
        od_rng s = od_rng_make(9, member, OD_RNG_SCORE, 0);
        REQUIRE(od_noise_fill(&x, 1, 1, &s, NULL) == ODIM_OK);
        sum += (double)x, square += (double)(x * x);
    }
    CHECK_NEAR(sum / 4000, 0.0, 5 / sqrt(4000.0));
    CHECK_NEAR(square / 4000, 1.0, 5 * sqrt(2 / 4000.0));
}

int main(void)
{
    RUN(quantile_is_the_inverse);
    RUN(one_in_every_slice);
    RUN(a_single_vector_is_a_normal_number);
    return test_end();
}
