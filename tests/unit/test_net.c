/* tests: net. What a network is asked through the common calls is what it answers when asked itself. */
#include "starve.h"
#include "test.h"

#include "net/net.h"
#include "net_batch.h"

enum { ROWS = 11, K = 4, D = 5 };

static const od_shape shape = {.d = D, .layers = 2, .hidden = {6, 4}, .latent = 3, .batch_norm = true};

TEST(an_iwae)
{
    batch b = make(shape, ROWS, K);
    od_iwae own;
    od_attribution attribute;
    od_net net;
    const od_known known = {2, 0.5f};
    REQUIRE(od_iwae_new(&own, od_kern_get(), &b.l,
                        &(od_net_options){.rows = ROWS, .samples = K, .training = true}, NULL) == ODIM_OK);
    REQUIRE(od_attribution_new(&attribute, &own, NULL) == ODIM_OK);
    REQUIRE(od_net_new(&net, od_kern_get(), &b.l,
                       &(od_net_options){.rows = ROWS, .samples = K, .training = true}, NULL) == ODIM_OK);
    REQUIRE(od_net_attribution_new(&net, NULL) == ODIM_OK);
    CHECK_INT(od_net_noise(&net, ROWS), 16 * K * 3);
    CHECK_INT(od_net_grad_shards(&b.l, ROWS, K), od_decoder_grad_shards(&b.l, ROWS, K));

    size_t params = b.l.params, noise = (size_t)od_net_noise(&net, ROWS);
    float *eps = od_alloc(noise, sizeof *eps), loss[2][ROWS];
    float *grad[2] = {od_calloc(params, sizeof(float)), od_calloc(params, sizeof(float))};
    float *stats = od_alloc(b.l.stats, sizeof *stats);
    od_rng s = od_rng_make(3, 0, OD_RNG_TRAIN, 0);
    od_kern_get()->normal(eps, (int64_t)noise, &s);
    memcpy(stats, b.stats, b.l.stats * sizeof *stats);
    od_iwae_grad(&own, b.params, stats, grad[0],
                 &(od_train_batch){.x = b.x, .rows = ROWS, .known = known, .eps = eps, .loss = loss[0]});
    od_net_grad(&net, b.params, b.stats, grad[1],
                &(od_train_batch){.x = b.x, .rows = ROWS, .known = known, .eps = eps, .loss = loss[1]});
    CHECK(memcmp(grad[0], grad[1], params * sizeof(float)) == 0);
    CHECK(memcmp(loss[0], loss[1], sizeof loss[0]) == 0);
    CHECK(memcmp(stats, b.stats, b.l.stats * sizeof *stats) == 0);

    od_iwae_ready(&own, b.params, stats);
    od_net_ready(&net, b.params, stats);
    for (int shared = 0; shared < 2; shared++) {
        od_iwae_loss(&own, b.x, ROWS, eps, shared, loss[0]);
        od_net_loss(&net, b.x, ROWS, eps, shared, loss[1]);
        CHECK(memcmp(loss[0], loss[1], sizeof loss[0]) == 0);
    }
    double got[2][2 * ROWS * (D + 1)] = {{0}};
    for (int i = 0; i < 2; i++) {
        double *at = got[i];
        od_attribution_parts to = {at, at + ROWS, at + 2 * ROWS, at + 2 * ROWS + ROWS * D};
        if (i)
            od_net_attribute(&net, b.x, ROWS, eps, &to);
        else
            od_attribution_add(&attribute, b.x, ROWS, eps, &to);
    }
    CHECK(memcmp(got[0], got[1], sizeof got[0]) == 0);
    od_attribution_free(&attribute);
    od_iwae_free(&own);
    od_net_free(&net);
    od_free(eps), od_free(grad[0]), od_free(grad[1]), od_free(stats);
    drop(&b);
}

TEST(memory_may_be_out)
{
    batch b = make(shape, 1, 1);
    od_net net;
    odim_error err;
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 1)
    {
        od_net_options options = {.rows = 1, .samples = 1, .training = true};
        status = od_net_new(&net, od_kern_get(), &b.l, &options, &err);
    }
    REQUIRE(od_net_attribution_new(&net, &err) == ODIM_OK);
    od_net_free(&net);
    drop(&b);
}

int main(void)
{
    RUN(an_iwae);
    RUN(memory_may_be_out);
    return test_end();
}
