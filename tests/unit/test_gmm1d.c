/* tests: gmm1d. By hand, and against scikit-learn. */
#include "test.h"

#include "fit/gmm1d.h"
#include "reference_values.h"

#define N_MIXTURES (sizeof reference_mixtures / sizeof *reference_mixtures)

/* 0, 0.1 and 0.9, 1: so far apart that every point belongs to its own side, and EM stays where it started. */
TEST(four_points_by_hand)
{
    double x[] = {0.9, 0.0, 1.0, 0.1}, resp[4];
    od_gmm1d g = od_gmm1d_fit(x, 4, resp);
    CHECK_NEAR(g.weight[0], 0.5, 1e-9);
    CHECK_NEAR(g.mean[0], 0.05, 1e-9);
    CHECK_NEAR(g.mean[1], 0.95, 1e-9);
    CHECK_NEAR(g.var[0], 0.0025 + 1e-6, 1e-9);
    CHECK_NEAR(g.var[1], 0.0025 + 1e-6, 1e-9);
}

TEST(as_scikit_learn)
{
    for (size_t i = 0; i < N_MIXTURES; i++) {
        double x[64], resp[64];
        memcpy(x, reference_mixtures[i].x, sizeof x);
        od_gmm1d g = od_gmm1d_fit(x, reference_mixtures[i].n, resp);
        CHECK_INT(g.iterations, reference_mixtures[i].iterations);
        for (int c = 0; c < 2; c++) {
            CHECK_NEAR(g.weight[c], reference_mixtures[i].weight[c], 1e-9);
            CHECK_NEAR(g.mean[c], reference_mixtures[i].mean[c], 1e-9);
            CHECK_NEAR(g.var[c], reference_mixtures[i].var[c], 1e-9);
        }
    }
}

TEST(order_does_not_matter)
{
    double x[64], y[64], resp[64];
    for (int i = 0; i < 64; i++) x[i] = y[63 - i] = reference_mixtures[2].x[i];
    od_gmm1d a = od_gmm1d_fit(x, 64, resp), b = od_gmm1d_fit(y, 64, resp);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

TEST(degenerate_data)
{
    double same[] = {0.5, 0.5, 0.5}, two[] = {1, 0}, one[] = {0.3}, resp[3];
    od_gmm1d g = od_gmm1d_fit(same, 3, resp);
    CHECK_NEAR(g.mean[0], 0.5, 1e-9);
    CHECK_NEAR(g.mean[1], 0.5, 1e-9);
    g = od_gmm1d_fit(two, 2, resp);
    CHECK_NEAR(g.mean[0], 0, 1e-9);
    CHECK_NEAR(g.mean[1], 1, 1e-9);
    CHECK_NEAR(g.var[0], 1e-6, 1e-9);
    g = od_gmm1d_fit(one, 1, resp);
    CHECK_NEAR(g.mean[0], 0.3, 1e-9);
    CHECK(isfinite(g.mean[1]) && isfinite(g.var[1]));
}

int main(void)
{
    RUN(four_points_by_hand);
    RUN(as_scikit_learn);
    RUN(order_does_not_matter);
    RUN(degenerate_data);
    return test_end();
}
