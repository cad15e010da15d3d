/* tests: iwae decode decode_memory mlp layout. Gradients against finite differences of a double-precision
 * reference, signed and parameter by parameter; then what evaluation mode promises. */
#include "test.h"

#include "double_net.h"
#include "net_batch.h"
#include "net_noise.h"

#define STEP 1e-6

enum { ROWS = 20 }; /* with 30 samples three chunks of 8 rows, the last half full */

static double batch_loss(const batch *b, const od_known *known, double *each)
{
    return dbl_loss(&b->l, b->dparams, b->dx, b->deps, b->rows, known ? known->rows : 0,
                    known ? (double)known->weight : 0, b->k, each);
}

static void check_gradient_known(od_shape shape, int64_t k, const od_known *known)
{
    batch b = make(shape, ROWS, k);
    od_iwae net;
    REQUIRE(od_iwae_new(&net, od_kern_get(), &b.l,
                        &(od_net_options){.rows = b.rows, .samples = b.k, .training = true},
                        NULL) == ODIM_OK);
    if (k == 30) CHECK_INT(net.dec.chunks, 3);
    float *grad = od_calloc(b.l.params, sizeof *grad), loss[ROWS], *eps = place_noise(&net, b.eps, b.rows);
    od_iwae_grad(
        &net, b.params, b.stats, grad,
        &(od_train_batch){
            .x = b.x, .rows = b.rows, .known = known ? *known : (od_known){0}, .eps = eps, .loss = loss});

    double each[ROWS], largest = 0;
    batch_loss(&b, known, each);
    for (int i = 0; i < ROWS; i++) CHECK_NEAR(loss[i], each[i], 1e-5 * (1 + fabs(each[i])));
    for (size_t i = 0; i < b.l.params; i++) largest = fmax(largest, fabs((double)grad[i]));
    CHECK(largest > 0.01);
    for (size_t i = 0; i < b.l.params; i++) {
        double at = b.dparams[i];
        b.dparams[i] = at + STEP;
        double up = batch_loss(&b, known, NULL);
        b.dparams[i] = at - STEP;
        double down = batch_loss(&b, known, NULL);
        b.dparams[i] = at;
        double want = (up - down) / (2 * STEP);
        if (!(fabs((double)grad[i] - want) <= 1e-4 * fabs(want) + 1e-5 * (0.1 + largest)))
            TEST_SAY("parameter %zu of %zu: gradient %.8g, finite difference %.8g", i, b.l.params,
                     (double)grad[i], want);
    }
    /* Backward accumulates. */
    float *twice = od_alloc(b.l.params, sizeof *twice);
    memcpy(twice, grad, b.l.params * sizeof *twice);
    od_layout_init(&b.l, 5, 1, grad, b.stats); /* grad is free now: only the statistics matter */
    od_iwae_grad(
        &net, b.params, b.stats, twice,
        &(od_train_batch){
            .x = b.x, .rows = b.rows, .known = known ? *known : (od_known){0}, .eps = eps, .loss = loss});
    memset(grad, 0, b.l.params * sizeof *grad);
    od_iwae_grad(
        &net, b.params, b.stats, grad,
        &(od_train_batch){
            .x = b.x, .rows = b.rows, .known = known ? *known : (od_known){0}, .eps = eps, .loss = loss});
    for (size_t i = 0; i < b.l.params; i++) CHECK_NEAR(twice[i], 2 * (double)grad[i], 1e-5 * (0.1 + largest));

    od_free(twice);
    od_free(grad);
    od_free(eps);
    od_iwae_free(&net);
    drop(&b);
}

static void check_gradient(od_shape shape)
{
    check_gradient_known(shape, 30, NULL);
}

#define SHAPE(lik_, bn)                                                                                      \
    (od_shape)                                                                                               \
    {                                                                                                        \
        .d = 7, .layers = 2, .hidden = {6, 5}, .latent = 3, .batch_norm = bn, .lik = lik_                    \
    }

TEST(gradient_paper_bn)
{
    check_gradient(SHAPE(OD_LIK_PAPER, true));
}
TEST(gradient_paper_plain)
{
    check_gradient(SHAPE(OD_LIK_PAPER, false));
}
TEST(gradient_gaussian_bn)
{
    check_gradient(SHAPE(OD_LIK_GAUSSIAN, true));
}
TEST(gradient_unit_plain)
{
    check_gradient(SHAPE(OD_LIK_UNIT, false));
}
TEST(gradient_bernoulli_bn)
{
    check_gradient(SHAPE(OD_LIK_BERNOULLI, true));
}
TEST(gradient_one_and_three_layers)
{
    check_gradient((od_shape){.d = 3, .layers = 1, .hidden = {4}, .latent = 2, .batch_norm = true});
    check_gradient((od_shape){.d = 5, .layers = 3, .hidden = {6, 4, 3}, .latent = 2, .batch_norm = false});
}

/* Known outliers: in a chunk of their own and in one with others, one, all but one, all, none. */
TEST(gradient_known_some)
{
    const od_known known = {.rows = 9, .weight = 0.7f};
    check_gradient_known(SHAPE(OD_LIK_PAPER, true), 30, &known);
    check_gradient_known(SHAPE(OD_LIK_PAPER, false), 30, &known);
    check_gradient_known(SHAPE(OD_LIK_GAUSSIAN, true), 30, &known);
    check_gradient_known(SHAPE(OD_LIK_UNIT, false), 30, &known);
    check_gradient_known(SHAPE(OD_LIK_BERNOULLI, true), 30, &known);
}
TEST(gradient_known_extremes)
{
    const int64_t rows[] = {0, 1, ROWS - 1, ROWS};
    for (size_t i = 0; i < 4; i++) {
        const od_known known = {.rows = rows[i], .weight = 1};
        check_gradient_known(SHAPE(OD_LIK_PAPER, true), 30, &known);
        check_gradient_known(SHAPE(OD_LIK_GAUSSIAN, false), 1, &known);
    }
}

/* No known outliers, or known ones without weight: what there is without them, to the bit in the first case.
 */
TEST(known_none_is_no_change)
{
    for (int bn = 0; bn < 2; bn++) {
        batch b = make(SHAPE(OD_LIK_PAPER, bn), ROWS, 30);
        od_iwae net;
        REQUIRE(od_iwae_new(&net, od_kern_get(), &b.l,
                            &(od_net_options){.rows = b.rows, .samples = b.k, .training = true},
                            NULL) == ODIM_OK);
        float *one = od_calloc(b.l.params, sizeof *one), *two = od_calloc(b.l.params, sizeof *two);
        float loss1[ROWS], loss2[ROWS], *eps = place_noise(&net, b.eps, b.rows);
        od_iwae_grad(&net, b.params, b.stats, one,
                     &(od_train_batch){.x = b.x, .rows = b.rows, .eps = eps, .loss = loss1});
        od_iwae_grad(&net, b.params, b.stats, two,
                     &(od_train_batch){.x = b.x, .rows = b.rows, .known = {0, 5}, .eps = eps, .loss = loss2});
        CHECK(memcmp(one, two, b.l.params * sizeof *one) == 0);
        CHECK(memcmp(loss1, loss2, sizeof loss1) == 0);
        od_free(one), od_free(two), od_free(eps);
        od_iwae_free(&net);
        drop(&b);
    }
}

/* Log-weights far below what a float's exponential holds, whose squares are further still: the loss of a
 * known outlier stays a number, and so does the gradient. */
TEST(known_far_away)
{
    batch b = make(SHAPE(OD_LIK_PAPER, false), 8, 20);
    od_iwae net;
    REQUIRE(od_iwae_new(&net, od_kern_get(), &b.l,
                        &(od_net_options){.rows = 8, .samples = 20, .training = true}, NULL) == ODIM_OK);
    for (int64_t i = 0; i < 8 * b.l.shape.d; i++) b.dx[i] = (double)(b.x[i] = 40.0f + b.x[i]);
    const od_known known = {.rows = 3, .weight = 1};
    float *grad = od_calloc(b.l.params, sizeof *grad), loss[8], *eps = place_noise(&net, b.eps, b.rows);
    double each[8];
    od_iwae_grad(&net, b.params, b.stats, grad,
                 &(od_train_batch){.x = b.x, .rows = b.rows, .known = known, .eps = eps, .loss = loss});
    batch_loss(&b, &known, each);
    CHECK(loss[0] > 1e4f && loss[7] < -1e4f);
    for (int i = 0; i < 8; i++) CHECK_NEAR(loss[i], each[i], 1e-5 * fabs(each[i]));
    for (size_t i = 0; i < b.l.params; i++) CHECK(isfinite(grad[i]));
    od_free(grad), od_free(eps);
    od_iwae_free(&net);
    drop(&b);
}

/* A layer by hand: two lanes of data, in = 2, out = 3; the other lanes are 0. */
TEST(layer_by_hand)
{
    od_shape shape = {.d = 2, .layers = 1, .hidden = {3}, .latent = 1, .batch_norm = true};
    od_layout l;
    od_layout_make(&l, &shape);
    const float w[] = {0.5f, 1, -1, 2, 0, 3};
    const float x[16] = {1, 3, 0, 0, 0, 0, 0, 0, -2, 4};
    const float dy[24] = {1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, -1, 0.5f};
    float y[24], dx[16], *params = od_calloc(l.params, sizeof *params), *dw = od_calloc(l.params, sizeof *dw);
    memcpy(params + l.enc.layer[0].w, w, sizeof w);
    const od_mlp_pass p = {od_kern_get(), &l.enc, params, dw, 8};
    od_layer_fwd(&p, 0, x, 8, y);
    od_layer_bwd(&p, 0, dy, x, dx);
    const float want_y[] = {-1.5f, 5.5f, -5, 5, -6, 12}, want_dx[] = {0.5f, 1 - 1, 1 - 3, 2 + 2 + 1.5f};
    const float want_dw[] = {1 + 6, -2 + 8, 3, 4, -1 + 1.5f, 2 + 2};
    for (int i = 0; i < 3; i++) CHECK(y[8 * i] == want_y[2 * i] && y[8 * i + 1] == want_y[2 * i + 1]);
    for (int i = 0; i < 2; i++) CHECK(dx[8 * i] == want_dx[2 * i] && dx[8 * i + 1] == want_dx[2 * i + 1]);
    for (int i = 0; i < 6; i++) CHECK(dw[l.enc.layer[0].w + (size_t)i] == want_dw[i]);
    od_free(params), od_free(dw);
}

/* The threads of a team share the work, and the bits do not change. */
TEST(teams_agree)
{
    for (int bn = 0; bn < 2; bn++) {
        batch b = make(SHAPE(OD_LIK_PAPER, bn), 75, 50);
        float *grad[4], *stats[4], loss[4][75], check[4][75];
        for (int size = 1; size <= 3; size++) {
            od_forkjoin *team;
            od_iwae net;
            REQUIRE(od_forkjoin_new(&team, size, NULL) == ODIM_OK);
            REQUIRE(
                od_iwae_new(&net, od_kern_get(), &b.l,
                            &(od_net_options){.rows = b.rows, .samples = b.k, .training = true, .team = team},
                            NULL) == ODIM_OK);
            float *eps = place_noise(&net, b.eps, b.rows);
            grad[size] = od_calloc(b.l.params, sizeof(float));
            stats[size] = od_calloc(b.l.stats + 1, sizeof(float));
            memcpy(stats[size], b.stats, b.l.stats * sizeof(float));
            for (int step = 0; step < 5; step++)
                od_iwae_grad(&net, b.params, stats[size], grad[size],
                             &(od_train_batch){.x = b.x, .rows = b.rows, .eps = eps, .loss = loss[size]});
            od_iwae_ready(&net, b.params, stats[size]);
            od_iwae_loss(&net, b.x, b.rows, eps, false, check[size]);
            od_free(eps);
            od_iwae_free(&net);
            od_forkjoin_free(team);
        }
        for (int size = 2; size <= 3; size++) {
            CHECK(memcmp(grad[1], grad[size], b.l.params * sizeof(float)) == 0);
            CHECK(memcmp(stats[1], stats[size], b.l.stats * sizeof(float)) == 0);
            CHECK(memcmp(loss[1], loss[size], sizeof loss[1]) == 0);
            CHECK(memcmp(check[1], check[size], sizeof check[1]) == 0);
        }
        for (int size = 1; size <= 3; size++) od_free(grad[size]), od_free(stats[size]);
        drop(&b);
    }
}

/* In evaluation mode a row's loss does not depend on the rows around it. */
TEST(rows_are_independent_in_evaluation)
{
    for (int bn = 0; bn < 2; bn++) {
        batch b = make(SHAPE(OD_LIK_PAPER, bn), 19, 50);
        od_iwae net, small;
        REQUIRE(od_iwae_new(&net, od_kern_get(), &b.l, &(od_net_options){.rows = 19, .samples = 50}, NULL) ==
                ODIM_OK);
        REQUIRE(od_iwae_new(&small, od_kern_get(), &b.l, &(od_net_options){.rows = 19, .samples = 50},
                            NULL) == ODIM_OK);
        float together[19], alone[19];
        od_iwae_ready(&net, b.params, b.stats);
        od_iwae_ready(&small, b.params, b.stats);
        od_iwae_loss(&net, b.x, 19, b.eps, true, together);
        for (int64_t i = 18; i >= 0; i--) od_iwae_loss(&net, b.x + i * 7, 1, b.eps, true, &alone[i]);
        CHECK(memcmp(together, alone, sizeof alone) == 0);
        small.dec.eval_lanes = 7 * small.dec.chunk_rows; /* samples in blocks, the last one short, */
        small.dec.head_block = 3;                        /* and the features of the head too */
        od_iwae_loss(&small, b.x, 19, b.eps, true, alone);
        CHECK(memcmp(together, alone, sizeof alone) == 0);
        od_iwae_free(&net);
        od_iwae_free(&small);
        drop(&b);
    }
}

/* Several sets of noise for the same rows. */
TEST(losses_with_each_set)
{
    batch b = make(SHAPE(OD_LIK_PAPER, true), 19, 50);
    od_iwae net;
    REQUIRE(od_iwae_new(&net, od_kern_get(), &b.l, &(od_net_options){.rows = 19, .samples = 10}, NULL) ==
            ODIM_OK);
    float each[5][23] = {{0}}, one[19];
    od_iwae_ready(&net, b.params, b.stats);
    od_iwae_losses(&net, b.x, 19, b.eps, 5, 23, each[0]);
    for (int s = 0; s < 5; s++) {
        od_iwae_loss(&net, b.x, 19, b.eps + s * 10 * b.l.shape.latent, true, one);
        CHECK(memcmp(each[s], one, sizeof one) == 0);
        for (int i = 19; i < 23; i++) CHECK(each[s][i] == 0.0f);
    }
    CHECK(each[0][0] != each[1][0]);
    od_iwae_free(&net);
    drop(&b);
}

/* More samples give a tighter bound, on average: the loss falls. */
TEST(bound_tightens_with_samples)
{
    batch one = make(SHAPE(OD_LIK_GAUSSIAN, false), 200, 1),
          many = make(SHAPE(OD_LIK_GAUSSIAN, false), 200, 40);
    od_iwae net1, net40;
    REQUIRE(od_iwae_new(&net1, od_kern_get(), &one.l, &(od_net_options){.rows = 200, .samples = 1}, NULL) ==
            ODIM_OK);
    REQUIRE(od_iwae_new(&net40, od_kern_get(), &many.l, &(od_net_options){.rows = 200, .samples = 40},
                        NULL) == ODIM_OK);
    float l1[200], l40[200];
    float *eps1 = place_noise(&net1, one.eps, one.rows), *eps40 = place_noise(&net40, many.eps, many.rows);
    od_iwae_ready(&net1, one.params, one.stats);
    od_iwae_ready(&net40, many.params, many.stats);
    od_iwae_loss(&net1, one.x, 200, eps1, false, l1);
    od_iwae_loss(&net40, many.x, 200, eps40, false, l40);
    double m1 = 0, m40 = 0;
    for (int i = 0; i < 200; i++) m1 += (double)l1[i] / 200, m40 += (double)l40[i] / 200;
    CHECK(m40 < m1);
    od_free(eps1), od_free(eps40);
    od_iwae_free(&net1);
    od_iwae_free(&net40);
    drop(&one);
    drop(&many);
}

TEST(runaway_network_gives_no_number)
{
    batch b = make(SHAPE(OD_LIK_PAPER, false), 2, 2);
    od_iwae net;
    REQUIRE(od_iwae_new(&net, od_kern_get(), &b.l, &(od_net_options){.rows = 2, .samples = 2}, NULL) ==
            ODIM_OK);
    float loss[2];
    b.params[b.l.enc.head_w] = INFINITY;
    od_iwae_ready(&net, b.params, b.stats);
    od_iwae_loss(&net, b.x, 2, b.eps, true, loss);
    CHECK(!isfinite(loss[0]) && !isfinite(loss[1]));
    od_iwae_free(&net);
    drop(&b);
}

TEST(layout_by_hand)
{
    od_shape s = {
        .d = 3, .layers = 2, .hidden = {5, 4}, .latent = 2, .batch_norm = true, .lik = OD_LIK_PAPER};
    od_layout l;
    od_layout_make(&l, &s);
    /* encoder 3x5 + 5x4 + 4x4 + 2, decoder 2x4 + 4x5 + 5x6 + 3 */
    CHECK_INT(l.params, 15 + 20 + 16 + 2 + 8 + 20 + 30 + 3);
    CHECK_INT(l.stats, 2 * (5 + 4 + 4 + 5));
    s.batch_norm = false;
    s.lik = OD_LIK_UNIT;
    od_layout_make(&l, &s);
    CHECK_INT(l.params, 15 + 5 + 20 + 4 + 16 + 2 + 8 + 4 + 20 + 5 + 15);
    CHECK_INT(l.stats, 0);
    CHECK_INT(l.dec.layer[0].out, 4);
    CHECK_INT(l.dec.outputs, 3);

    float *p = od_alloc(l.params, sizeof *p), *q = od_alloc(l.params, sizeof *q),
          *st = od_alloc(1, sizeof *st);
    od_layout_init(&l, 1, 0, p, st);
    od_layout_init(&l, 1, 1, q, st);
    CHECK(memcmp(p, q, l.params * sizeof *p) != 0);
    float most = 0;
    for (int i = 0; i < 20; i++) most = fmaxf(most, fabsf(p[i])); /* fan in 3 */
    CHECK(most <= 0.57735f && most > 0.4f);
    od_free(p), od_free(q), od_free(st);
}

int main(void)
{
    RUN(layout_by_hand);
    RUN(layer_by_hand);
    RUN(teams_agree);
    RUN(gradient_paper_bn);
    RUN(gradient_paper_plain);
    RUN(gradient_gaussian_bn);
    RUN(gradient_unit_plain);
    RUN(gradient_bernoulli_bn);
    RUN(gradient_one_and_three_layers);
    RUN(gradient_known_some);
    RUN(gradient_known_extremes);
    RUN(known_none_is_no_change);
    RUN(known_far_away);
    RUN(rows_are_independent_in_evaluation);
    RUN(losses_with_each_set);
    RUN(bound_tightens_with_samples);
    RUN(runaway_network_gives_no_number);
    return test_end();
}
