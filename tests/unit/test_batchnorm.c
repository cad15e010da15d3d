/* tests: batchnorm. By hand, in blocks, by finite differences; its running statistics, and folded away. */
#include "test.h"

#include "common/mem.h"
#include "net/mlp.h"

/* One hidden layer of `out` features whose weights pass lanes through: (out, out), the unit matrix. */
static od_layout unit_layout(int64_t out)
{
    od_shape s = {.d = out, .layers = 1, .hidden = {out}, .latent = out, .batch_norm = true};
    od_layout l;
    od_layout_make(&l, &s);
    return l;
}

static float *unit_weights(const od_layout *l, float *stats)
{
    float *params = od_calloc(l->params, sizeof *params), *w;
    od_layout_init(l, 0, 0, params, stats);
    w = params + l->enc.layer[0].w;
    for (int64_t i = 0; i < l->shape.d; i++)
        for (int64_t j = 0; j < l->shape.d; j++) w[i * l->shape.d + j] = i == j ? 1.0f : 0.0f;
    return params;
}

TEST(by_hand)
{
    /* Feature 1: 1, 3 -> mean 2, variance 1; feature 2: constant. Six lanes are padding. */
    od_layout l = unit_layout(2);
    float stats[16], *params = unit_weights(&l, stats);
    const float x[16] = {1, 3, 9, 9, 9, 9, 9, 9, 5, 5, 9, 9, 9, 9, 9, 9}, on[8] = {1, 1};
    od_mlp_work work;
    REQUIRE(od_mlp_work_new(&work, &l.enc, 8, true, NULL) == ODIM_OK);
    od_mlp_train(&(od_mlp_pass){od_kern_get(), &l.enc, params, NULL, 8}, stats, x, on, 2, &work);
    double r = 1 / sqrt(1 + 1e-4);
    const float *y = work.act[0], *mean = stats + l.enc.layer[0].mean, *var = stats + l.enc.layer[0].var;
    CHECK_NEAR(y[0], -0.01 * r, 1e-7);
    CHECK_NEAR(y[1], r, 1e-6);
    CHECK_NEAR(y[8], 0, 1e-6);
    CHECK_NEAR(y[9], 0, 1e-6);
    CHECK_NEAR(work.norm.rstd[0][0], r, 1e-6);
    CHECK_NEAR(work.norm.rstd[0][1], 100, 1e-4);
    CHECK_NEAR(mean[0], 0.2, 1e-7);
    CHECK_NEAR(mean[1], 0.5, 1e-7);
    CHECK_NEAR(var[0], 0.9 + 0.1 * 2, 1e-6); /* the unbiased variance of 1, 3 is 2 */
    CHECK_NEAR(var[1], 0.9, 1e-6);
    od_mlp_work_free(&work);
    od_free(params);
}

TEST(merged_moments_are_those_of_the_whole)
{
    double mean1[1] = {2}, dev1[1] = {8}, mean2[1] = {5}, dev2[1] = {3}, mean[1], dev[1];
    od_moments a = {4, mean1, dev1}, b = {6, mean2, dev2}, m = {0, mean, dev};
    od_moments_merge(&m, &a, 1);
    CHECK(m.count == 4 && mean[0] == 2 && dev[0] == 8);
    od_moments_merge(&m, &b, 1);
    CHECK_INT(m.count, 10);
    CHECK_NEAR(mean[0], 3.8, 1e-12);
    CHECK_NEAR(dev[0], 8 + 3 + 9 * 2.4, 1e-12);
}

/* Folded into weights and biases it does what the running statistics say. */
TEST(folded)
{
    od_layout l = unit_layout(2), plain;
    od_shape s = l.shape;
    s.batch_norm = false;
    od_layout_make(&plain, &s);
    float stats[16], *params = unit_weights(&l, stats), *folded = od_calloc(plain.params, sizeof *folded);
    stats[l.enc.layer[0].mean] = 2, stats[l.enc.layer[0].mean + 1] = -1;
    stats[l.enc.layer[0].var] = 4, stats[l.enc.layer[0].var + 1] = 0.25f;
    od_norm_fold(&l.enc, params, stats, &plain.enc, folded);
    float x[16];
    for (int i = 0; i < 8; i++) x[i] = 1, x[8 + i] = -3;
    od_mlp_work work;
    REQUIRE(od_mlp_work_new(&work, &plain.enc, 8, false, NULL) == ODIM_OK);
    od_mlp_eval(&(od_mlp_pass){od_kern_get(), &plain.enc, folded, NULL, 8}, x, &work);
    CHECK_NEAR(work.act[0][3], -0.01 / sqrt(4 + 1e-4), 1e-7);
    CHECK_NEAR(work.act[0][8], -0.02 / sqrt(0.25 + 1e-4), 1e-6);
    for (int64_t i = 0; i < l.enc.outputs * l.enc.in; i++)
        CHECK(folded[plain.enc.head_w + (size_t)i] == params[l.enc.head_w + (size_t)i]);
    for (int64_t i = 0; i < l.enc.dim; i++)
        CHECK(folded[plain.enc.head_b + (size_t)i] == params[l.enc.head_b + (size_t)i]);
    od_mlp_work_free(&work);
    od_free(params), od_free(folded);
}

enum { N = 72, ROWS = 70, C = 9 };

/* L = sum_i c_i y_i in double, for finite differences. Lanes from ROWS on are padding. */
static double objective(const double *x, const double *c)
{
    double total = 0;
    for (int j = 0; j < C; j++, x += N, c += N) {
        double mean = 0, var = 0;
        for (int i = 0; i < ROWS; i++) mean += x[i] / ROWS;
        for (int i = 0; i < ROWS; i++) var += pow(x[i] - mean, 2) / ROWS;
        for (int i = 0; i < ROWS; i++) {
            double h = (x[i] - mean) / sqrt(var + 1e-4);
            total += c[i] * (h > 0 ? h : 0.01 * h);
        }
    }
    return total;
}

TEST(gradient)
{
    static float x[N * C], dy[N * C], on[N];
    static double xd[N * C], c[N * C], sum[C], dot[C];
    const od_kern *k = od_kern_get();
    od_layout l = unit_layout(C);
    float *stats = od_calloc(l.stats, sizeof *stats);
    for (int i = 0; i < N; i++) on[i] = i < ROWS;
    for (int i = 0; i < N * C; i++) {
        xd[i] = (double)(x[i] = (float)(sin(i * 1.7) + i / N));
        c[i] = (double)(dy[i] = i % N < ROWS ? (float)cos(i * 0.9) : 0.0f);
    }
    od_norm norm;
    REQUIRE(od_norm_new(&norm, &l.enc, NULL) == ODIM_OK);
    norm.moments.count = ROWS;
    k->moments(norm.moments.mean, norm.moments.dev, x, on, C, N, ROWS);
    od_norm_fwd(&norm, &l.enc.layer[0], 0, stats);
    k->norm_leaky(x, norm.rstd[0], norm.shift[0], C, N);
    k->leaky_bwd(dy, x, C, N, sum, dot);
    od_norm_bwd(&norm, sum, dot, ROWS, C);
    k->norm_bwd(dy, x, &(od_norm_bwd_terms){norm.m1, norm.m2, norm.rstd[0]}, on, C, N);
    for (int i = 0; i < N * C; i++) {
        double at = xd[i];
        xd[i] = at + 1e-6;
        double up = objective(xd, c);
        xd[i] = at - 1e-6;
        double down = objective(xd, c);
        xd[i] = at;
        CHECK_NEAR(dy[i], (up - down) / 2e-6, 2e-5);
    }
    od_norm_free(&norm);
    od_free(stats);
}

int main(void)
{
    RUN(by_hand);
    RUN(merged_moments_are_those_of_the_whole);
    RUN(folded);
    RUN(gradient);
    return test_end();
}
