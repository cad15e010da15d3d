/* Our network against tensors that tools/golden.py made with PyTorch: same parameters, data and noise in,
 * same losses, gradients, updates and statistics out. The reference is double precision, ours single:
 * tolerances say how far rounding may carry. */
#include "tensors.h"

#include "net/adam.h"
#include "net_noise.h"

static void run(const char *file)
{
    char path[512];
    golden g;
    snprintf(path, sizeof path, "%s/golden/%s.txt", TEST_DIR, file);
    REQUIRE(golden_read(&g, path));
    const double *s = get(&g, "shape")->x;
    od_shape shape = {.d = (int64_t)s[0],
                      .layers = 2,
                      .hidden = {(int64_t)s[1], (int64_t)s[2]},
                      .latent = (int64_t)s[3],
                      .batch_norm = s[6] != 0,
                      .lik = (od_lik)s[7]};
    int64_t k = (int64_t)s[4], b = (int64_t)s[5];
    od_known known = {0};
    if (has(&g, "known")) known = (od_known){(int64_t)get(&g, "known")->x[0], (float)get(&g, "known")->x[1]};
    od_layout l;
    od_layout_make(&l, &shape);
    CHECK_INT(l.params, get(&g, "params0")->count);
    od_iwae net;
    REQUIRE(od_iwae_new(&net, od_kern_get(), &l, &(od_net_options){.rows = b, .samples = k, .training = true},
                        NULL) == ODIM_OK);

    float *w = floats(get(&g, "params0")), *x = floats(get(&g, "x")), *eps = floats(get(&g, "eps"));
    float *eps_eval = floats(get(&g, "eps_eval")), *loss = od_alloc((size_t)b, sizeof *loss);
    float *grad = od_alloc(l.params, sizeof *grad), *stats = od_calloc(l.stats, sizeof *stats);
    float *m = od_calloc(l.params, sizeof *m), *v = od_calloc(l.params, sizeof *v);
    float *spare = od_alloc(l.params, sizeof *spare);
    od_layout_init(&l, 0, 0, spare, stats); /* for the statistics: 0 and 1 */
    od_free(spare);

    od_adam adam = {.lr = 1e-3, .decay = 5e-7};
    for (int step = 1; step <= 10; step++) {
        memset(grad, 0, l.params * sizeof *grad);
        float *noise = place_noise(&net, eps + (step - 1) * b * k * shape.latent, b);
        od_iwae_grad(
            &net, w, stats, grad,
            &(od_train_batch){
                .x = x + (step - 1) * b * shape.d, .rows = b, .known = known, .eps = noise, .loss = loss});
        od_free(noise);
        double mean = batch_loss(loss, b, &known);
        CHECK_NEAR(mean, get(&g, "mean_losses")->x[step - 1], 2e-5 * (1 + fabs(mean)));
        if (step == 1) {
            compare(file, "losses1", loss, get(&g, "losses1"), 1e-5, 1e-6);
            compare(file, "grad1", grad, get(&g, "grad1"), 5e-5, 1e-5);
        }
        od_adam_update(od_kern_get(), &adam, w, m, v, grad, (int64_t)l.params);
        char name[32];
        snprintf(name, sizeof name, "params%d", step);
        if (step == 1 || step == 2 || step == 5 || step == 10)
            compare(file, name, w, get(&g, name), 1e-5, 1e-5);
        if (step == 1 && shape.batch_norm) compare(file, "stats1", stats, get(&g, "stats1"), 1e-5, 1e-6);
        if (step == 10 && shape.batch_norm) compare(file, "stats10", stats, get(&g, "stats10"), 1e-4, 1e-5);
    }
    float *noise = place_noise(&net, eps_eval, b);
    od_iwae_ready(&net, w, stats);
    od_iwae_loss(&net, x + 9 * b * shape.d, b, noise, false, loss);
    od_free(noise);
    compare(file, "losses_eval", loss, get(&g, "losses_eval"), 1e-5, 2e-5);

    od_iwae_free(&net);
    od_free(w), od_free(x), od_free(eps), od_free(eps_eval), od_free(loss), od_free(grad), od_free(stats);
    od_free(m), od_free(v);
    golden_free(&g);
}

TEST(paper_bn)
{
    run("paper_bn");
}
TEST(paper_bn_odd)
{
    run("paper_bn_odd");
}
TEST(paper_plain)
{
    run("paper_plain");
}
TEST(gaussian_bn)
{
    run("gaussian_bn");
}
TEST(gaussian_plain)
{
    run("gaussian_plain");
}
TEST(unit_bn)
{
    run("unit_bn");
}
TEST(bernoulli_bn)
{
    run("bernoulli_bn");
}

TEST(known_outliers)
{
    run("known_paper_bn");
    run("known_gaussian_plain");
    run("known_all");
}

int main(void)
{
    RUN(paper_bn);
    RUN(paper_bn_odd);
    RUN(paper_plain);
    RUN(gaussian_bn);
    RUN(gaussian_plain);
    RUN(unit_bn);
    RUN(bernoulli_bn);
    RUN(known_outliers);
    return test_end();
}
