/* The parts of a loss: by hand, against the double-precision network, and against the loss itself. */
#include "starve.h"
#include "test.h"

#include "double_net.h"
#include "net/attribution.h"
#include "net_batch.h"

enum { ROWS = 20, D = 7, K = 30 };

/* Of every row; all zero at first. */
typedef struct sums {
    double loss[ROWS], code[ROWS], part[ROWS * D], mean[ROWS * D];
} sums;

static od_attribution_parts from(sums *s, int64_t row, int64_t d)
{
    return (od_attribution_parts){s->loss + row, s->code + row, s->part + row * d, s->mean + row * d};
}

static od_shape shape_of(od_lik lik, bool batch_norm)
{
    return (od_shape){
        .d = D, .layers = 2, .hidden = {6, 5}, .latent = 3, .batch_norm = batch_norm, .lik = lik};
}

/* The account of b's rows, `step` at a time; with loss (ROWS) also what od_iwae_loss says. */
static void attribute(const batch *b, const od_kern *kern, int64_t step, sums *out, float *loss)
{
    od_iwae net;
    od_attribution a;
    REQUIRE(od_iwae_new(&net, kern, &b->l, &(od_net_options){.rows = step, .samples = b->k}, NULL) ==
            ODIM_OK);
    REQUIRE(od_attribution_new(&a, &net, NULL) == ODIM_OK);
    od_iwae_ready(&net, b->params, b->stats);
    int64_t d = b->l.shape.d;
    for (int64_t at = 0; at < b->rows; at += step) {
        int64_t rows = b->rows - at < step ? b->rows - at : step;
        od_attribution_parts to = from(out, at, d);
        od_attribution_add(&a, b->x + at * d, rows, b->eps, &to);
        if (loss) od_iwae_loss(&net, b->x + at * d, rows, b->eps, true, loss + at);
    }
    od_attribution_free(&a);
    od_iwae_free(&net);
}

/*
 * One latent, one hidden unit, no batch normalisation. The encoder ignores x but for its bias: q = N(0, 1/e).
 * The decoder's hidden unit is leaky(z); the mean of column 1 is 1/2, that of column 2 sigmoid(2 leaky(z));
 * the log-variances are 0 and log 4.
 */
TEST(by_hand)
{
    batch b = make((od_shape){.d = 2, .layers = 1, .hidden = {1}, .latent = 1}, 1, 2);
    memset(b.params, 0, b.l.params * sizeof(float));
    b.params[b.l.enc.head_b] = -1.0f;
    b.params[b.l.dec.layer[0].w] = 1.0f;
    b.params[b.l.dec.head_w + 1] = 2.0f;
    b.params[b.l.dec.head_b + 1] = logf(4.0f);
    b.x[0] = 1.5f, b.x[1] = 3.0f;
    b.eps[0] = 1.0f, b.eps[1] = -0.5f;
    sums got = {.loss = {0}};
    attribute(&b, od_kern_get(), 1, &got, NULL);

    const double lv = log(4.0), first = 0.5; /* (1.5 - 0.5)^2 / 2 */
    double z[2] = {exp(-0.5), -0.5 * exp(-0.5)};
    double mean[2] = {1 / (1 + exp(-2 * z[0])), 1 / (1 + exp(-0.02 * z[1]))};
    double code[2] = {(z[0] * z[0] + 1 - 1) / 2, (z[1] * z[1] + 1 - 0.25) / 2}, second[2], w[2];
    for (int s = 0; s < 2; s++) {
        second[s] = lv + pow(3 - mean[s], 2) / 8;
        w[s] = exp(-first - second[s] - code[s]);
    }
    double v = w[0] / (w[0] + w[1]);
    CHECK_NEAR(got.loss[0], -log((w[0] + w[1]) / 2), 1e-6);
    CHECK_NEAR(got.part[0], first, 1e-6);
    CHECK_NEAR(got.part[1], v * second[0] + (1 - v) * second[1], 1e-6);
    CHECK_NEAR(got.code[0], v * code[0] + (1 - v) * code[1], 1e-6);
    CHECK_NEAR(got.mean[0], 0.5, 1e-6);
    CHECK_NEAR(got.mean[1], v * mean[0] + (1 - v) * mean[1], 1e-6);
    drop(&b);
}

/* A row's parts once more, in double: the weights v and what the parts leave of the loss. */
static double check_row(const batch *b, int64_t row, const sums *got)
{
    const od_layout *l = &b->l;
    const double *x = b->dx + row * D;
    int64_t k = b->k, q = l->shape.latent;
    double *code = dbl_stack(&l->enc, b->dparams, x, 1), *z = od_alloc((size_t)(k * q), sizeof *z);
    double cost[K], term[K][D], v[K], sum = 0, spread = 0;
    for (int64_t i = 0; i < k * q; i++) z[i] = code[i % q] + exp(dbl_clamp(code[q + i % q]) / 2) * b->deps[i];
    double *head = dbl_stack(&l->dec, b->dparams, z, k);
    for (int64_t s = 0; s < k; s++) {
        const double *h = head + s * l->dec.outputs;
        double logw = 0;
        cost[s] = 0;
        for (int64_t j = 0; j < q; j++)
            cost[s] += (pow(z[s * q + j], 2) - dbl_clamp(code[q + j]) - pow(b->deps[s * q + j], 2)) / 2;
        for (int64_t j = 0; j < D; j++) {
            term[s][j] = dbl_feature(l->shape.lik, x[j], h[j], l->dec.outputs > D ? h[D + j] : 0);
            logw += term[s][j];
        }
        sum += v[s] = exp(logw - cost[s]);
    }
    double want_code = 0;
    for (int64_t s = 0; s < k; s++) {
        v[s] /= sum;
        want_code += v[s] * cost[s];
        spread += v[s] * log((double)k * v[s]);
    }
    CHECK_NEAR(got->code[row], want_code, 1e-5 * (1 + fabs(want_code)));
    for (int64_t j = 0; j < D; j++) {
        double part = 0, mean = 0;
        for (int64_t s = 0; s < k; s++) {
            part -= v[s] * term[s][j];
            mean += v[s] / (1 + exp(-head[s * l->dec.outputs + j]));
        }
        CHECK_NEAR(got->part[row * D + j], part, 2e-5 * (1 + fabs(part)));
        CHECK_NEAR(got->mean[row * D + j], mean, 1e-5);
    }
    free(code), free(head);
    od_free(z);
    return spread;
}

static double sum_of_parts(const sums *s, int64_t row)
{
    double sum = s->code[row];
    for (int64_t j = 0; j < D; j++) sum += s->part[row * D + j];
    return sum;
}

static void check_likelihood(od_lik lik)
{
    batch b = make(shape_of(lik, false), ROWS, K);
    sums got = {.loss = {0}};
    attribute(&b, od_kern_get(), ROWS, &got, NULL);
    for (int64_t i = 0; i < ROWS; i++) {
        double spread = check_row(&b, i, &got);
        double loss = dbl_loss(&b.l, b.dparams, b.dx + i * D, b.deps, 1, 0, 0, K, NULL);
        CHECK_NEAR(got.loss[i], loss, 1e-5 * (1 + fabs(loss)));
        CHECK_NEAR(sum_of_parts(&got, i) + spread, loss, 1e-5 * (1 + fabs(loss)));
    }
    drop(&b);
}

TEST(as_the_double_network_says)
{
    check_likelihood(OD_LIK_PAPER);
    check_likelihood(OD_LIK_GAUSSIAN);
    check_likelihood(OD_LIK_UNIT);
    check_likelihood(OD_LIK_BERNOULLI);
}

/* With one sample there is no spread: the parts are the loss, but for rounding. */
TEST(one_sample_leaves_no_rest)
{
    for (int bn = 0; bn < 2; bn++) {
        batch b = make(shape_of(OD_LIK_GAUSSIAN, bn), ROWS, 1);
        sums got = {.loss = {0}};
        attribute(&b, od_kern_get(), ROWS, &got, NULL);
        for (int64_t i = 0; i < ROWS; i++)
            CHECK_NEAR(sum_of_parts(&got, i), got.loss[i], 1e-6 * (1 + fabs(got.loss[i])));
        drop(&b);
    }
}

/* The loss is that of scoring, bit for bit; and nothing depends on how rows are grouped, or on the kernels.
 */
TEST(same_bits)
{
    for (int bn = 0; bn < 2; bn++) {
        batch b = make(shape_of(OD_LIK_PAPER, bn), ROWS, K);
        sums all = {.loss = {0}}, nine = {.loss = {0}}, one = {.loss = {0}}, ref = {.loss = {0}};
        float loss[ROWS];
        attribute(&b, od_kern_get(), ROWS, &all, loss);
        attribute(&b, od_kern_get(), 9, &nine, NULL);
        attribute(&b, od_kern_get(), 1, &one, NULL);
        attribute(&b, od_kern_ref(), ROWS, &ref, NULL);
        for (int64_t i = 0; i < ROWS; i++) CHECK(all.loss[i] == (double)loss[i]);
        CHECK(memcmp(&all, &nine, sizeof all) == 0);
        CHECK(memcmp(&all, &one, sizeof all) == 0);
        CHECK(memcmp(&all, &ref, sizeof all) == 0);
        attribute(&b, od_kern_get(), ROWS, &all, NULL); /* adds */
        for (int64_t i = 0; i < ROWS * D; i++) CHECK(all.part[i] == 2 * one.part[i]);
        for (int64_t i = 0; i < ROWS; i++) CHECK(all.code[i] == 2 * one.code[i]);
        drop(&b);
    }
}

TEST(memory_may_be_out)
{
    batch b = make(shape_of(OD_LIK_PAPER, false), 1, 1);
    od_iwae net;
    od_attribution a;
    odim_error err;
    REQUIRE(od_iwae_new(&net, od_kern_get(), &b.l, &(od_net_options){.rows = 1, .samples = 1}, NULL) ==
            ODIM_OK);
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 6)
    {
        status = od_attribution_new(&a, &net, &err);
    }
    od_attribution_free(&a);
    od_iwae_free(&net);
    drop(&b);
}

int main(void)
{
    RUN(by_hand);
    RUN(as_the_double_network_says);
    RUN(one_sample_leaves_no_rest);
    RUN(same_bits);
    RUN(memory_may_be_out);
    return test_end();
}
