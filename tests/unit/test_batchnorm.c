/* tests: batchnorm. By hand, by finite differences, and its running statistics. */
#include "test.h"

#include "kern/kern.h"
#include "net/batchnorm.h"

TEST(by_hand)
{
    /* Column 1: 1, 3 -> mean 2, variance 1; column 2: constant. */
    float x[] = {1, 5, 3, 5}, mean[2] = {0, 0}, var[2] = {1, 1}, rstd[2];
    double sums[6];
    od_batchnorm_fwd(od_kern_get(), x, 2, 2, mean, var, rstd, sums);
    double r = 1 / sqrt(1 + 1e-4);
    CHECK_NEAR(x[0], -0.01 * r, 1e-7);
    CHECK_NEAR(x[2], r, 1e-6);
    CHECK(x[1] == 0 && x[3] == 0);
    CHECK_NEAR(rstd[0], r, 1e-6);
    CHECK_NEAR(rstd[1], 100, 1e-4);
    CHECK_NEAR(mean[0], 0.2, 1e-7);
    CHECK_NEAR(mean[1], 0.5, 1e-7);
    CHECK_NEAR(var[0], 0.9 + 0.1 * 2, 1e-6); /* the unbiased variance of 1, 3 is 2 */
    CHECK_NEAR(var[1], 0.9, 1e-6);
}

TEST(evaluation_uses_running_statistics)
{
    float x[] = {1, -3}, mean[] = {2, -1}, var[] = {4, 0.25f};
    double scratch[4];
    od_batchnorm_eval(od_kern_get(), x, 1, 2, mean, var, scratch);
    CHECK_NEAR(x[0], -0.01 / sqrt(4 + 1e-4), 1e-7);
    CHECK_NEAR(x[1], -0.02 / sqrt(0.25 + 1e-4), 1e-6);
}

/* L = sum_i c_i y_i in double, for finite differences. */
static double objective(const double *x, const double *c, int rows, int cols)
{
    double total = 0;
    for (int j = 0; j < cols; j++) {
        double mean = 0, var = 0;
        for (int i = 0; i < rows; i++) mean += x[i * cols + j] / rows;
        for (int i = 0; i < rows; i++) var += pow(x[i * cols + j] - mean, 2) / rows;
        for (int i = 0; i < rows; i++) {
            double h = (x[i * cols + j] - mean) / sqrt(var + 1e-4);
            total += c[i * cols + j] * (h > 0 ? h : 0.01 * h);
        }
    }
    return total;
}

TEST(gradient)
{
    enum { R = 70, C = 9 };
    static float x[R * C], dy[R * C];
    static double xd[R * C], c[R * C];
    for (int i = 0; i < R * C; i++) {
        xd[i] = (double)(x[i] = (float)(sin(i * 1.7) + (i % C)));
        c[i] = (double)(dy[i] = (float)cos(i * 0.9));
    }
    float mean[C] = {0}, var[C] = {0}, rstd[C];
    double sums[3 * C];
    od_batchnorm_fwd(od_kern_get(), x, R, C, mean, var, rstd, sums);
    od_batchnorm_bwd(od_kern_get(), dy, x, R, C, rstd, sums);
    for (int i = 0; i < R * C; i++) {
        double at = xd[i];
        xd[i] = at + 1e-6;
        double up = objective(xd, c, R, C);
        xd[i] = at - 1e-6;
        double down = objective(xd, c, R, C);
        xd[i] = at;
        CHECK_NEAR(dy[i], (up - down) / 2e-6, 2e-5);
    }
}

int main(void)
{
    RUN(by_hand);
    RUN(evaluation_uses_running_statistics);
    RUN(gradient);
    return test_end();
}
