/* Our flow against tensors that tools/golden_flow.py made with an implementation of its own: same parameters
 * and data in, same losses, gradients, updates and z out. The reference is double precision, ours single. */
#include "tensors.h"

#include "net/adam.h"
#include "net/flow.h"

static void run(const char *file)
{
    char path[512];
    golden g;
    snprintf(path, sizeof path, "%s/golden/%s.txt", TEST_DIR, file);
    REQUIRE(golden_read(&g, path));
    const double *s = get(&g, "shape")->x;
    int64_t d = (int64_t)s[0], b = (int64_t)s[4];
    od_shape shape = {.kind = OD_NET_FLOW,
                      .d = d,
                      .layers = 2,
                      .hidden = {(int64_t)s[1], (int64_t)s[2]},
                      .steps = (int)s[3]};
    od_known known = {0};
    if (has(&g, "known")) known = (od_known){(int64_t)get(&g, "known")->x[0], (float)get(&g, "known")->x[1]};
    od_layout l;
    od_layout_make(&l, &shape);
    CHECK_INT(l.params, get(&g, "params0")->count);
    CHECK_INT(l.stats, get(&g, "order")->count);
    od_flow net;
    REQUIRE(od_flow_new(&net, od_kern_get(), &l, b, NULL) == ODIM_OK);

    float *w = floats(get(&g, "params0")), *x = floats(get(&g, "x")), *stats = floats(get(&g, "order"));
    float *loss = od_alloc((size_t)b, sizeof *loss), *z = od_alloc((size_t)(b * d), sizeof *z);
    float *grad = od_alloc(l.params, sizeof *grad);
    float *m = od_calloc(l.params, sizeof *m), *v = od_calloc(l.params, sizeof *v);
    od_adam adam = {.lr = 1e-3, .decay = 5e-7};
    for (int step = 1; step <= 10; step++) {
        char name[32];
        memset(grad, 0, l.params * sizeof *grad);
        od_flow_grad(&net, w, stats, grad,
                     &(od_train_batch){.x = x + (step - 1) * b * d, .rows = b, .known = known, .loss = loss});
        double mean = batch_loss(loss, b, &known);
        CHECK_NEAR(mean, get(&g, "mean_losses")->x[step - 1], 2e-5 * (1 + fabs(mean)));
        if (step == 1) {
            compare(file, "losses1", loss, get(&g, "losses1"), 1e-5, 1e-6);
            compare(file, "grad1", grad, get(&g, "grad1"), 5e-5, 1e-5);
        }
        od_adam_update(od_kern_get(), &adam, w, m, v, grad, (int64_t)l.params);
        snprintf(name, sizeof name, "params%d", step);
        if (step == 1 || step == 2 || step == 5 || step == 10)
            compare(file, name, w, get(&g, name), 1e-5, 1e-5);
    }
    od_flow_ready(&net, w, stats);
    od_flow_loss(&net, x + 9 * b * d, b, loss);
    compare(file, "losses_eval", loss, get(&g, "losses_eval"), 1e-5, 2e-5);
    od_flow_forward(&net, x + 9 * b * d, b, z);
    compare(file, "z_eval", z, get(&g, "z_eval"), 1e-5, 2e-5);

    od_flow_free(&net);
    od_free(w), od_free(x), od_free(stats), od_free(loss), od_free(z), od_free(grad), od_free(m), od_free(v);
    golden_free(&g);
}

TEST(plain)
{
    run("flow_plain");
}

TEST(odd)
{
    run("flow_odd");
}

TEST(known_outliers)
{
    run("flow_known");
}

int main(void)
{
    RUN(plain);
    RUN(odd);
    RUN(known_outliers);
    return test_end();
}
