/* tests: actnorm linear coupling. Each layer of a flow against a double-precision reference, and gradients
 * against finite differences of it, signed and number by number; the layout of the weights. */
#include "test.h"

#include "double_flow.h"
#include "made_flow.h"

TEST(layout_by_hand)
{
    od_shape shape = {.kind = OD_NET_FLOW, .d = 5, .layers = 2, .hidden = {4, 3}, .steps = 3};
    od_layout l;
    od_layout_make(&l, &shape);
    /* 2 x 5 of the actnorm, 5 x 5; 2 -> 4 -> 3 with biases -> 3 shifts, 3 log-scales with biases */
    CHECK_INT(l.step.params, 10 + 25 + 8 + 4 + 12 + 3 + 18 + 3);
    CHECK_INT(l.params, 3 * l.step.params);
    CHECK_INT(l.stats, 3 * 5);
    float *p = od_alloc(l.params, sizeof *p), *q = od_alloc(l.params, sizeof *q), st[15], other[15];
    od_layout_init(&l, 1, 0, p, st);
    od_layout_init(&l, 1, 1, q, other);
    CHECK(memcmp(p, q, l.params * sizeof *p) != 0 && memcmp(st, other, sizeof st) != 0);
    CHECK(memcmp(p, p + l.step.params, l.step.params * sizeof *p) != 0);
    for (int i = 0; i < 3; i++) {
        bool seen[5] = {false};
        for (int j = 0; j < 5; j++) seen[(int)st[5 * i + j]] = true;
        for (int j = 0; j < 5; j++) CHECK(seen[j]);
    }
    shape.d = 1;
    od_layout_make(&l, &shape);
    CHECK_INT(l.step.params, 2);
    shape.d = OD_LINEAR_MOST + 1;
    od_layout_make(&l, &shape);
    CHECK(!l.step.linear && l.step.kept == OD_LINEAR_MOST / 2);
    od_free(p), od_free(q);
}

typedef double (*layer)(const od_layout *l, const double *p, const float *order, const double *x, double *y);

static double only_linear(const od_layout *l, const double *p, const float *order, const double *x, double *y)
{
    (void)order;
    return dbl_linear(l, p, x, y);
}

static double only_coupling(const od_layout *l, const double *p, const float *order, const double *x,
                            double *y)
{
    (void)order;
    return dbl_coupling(l, p, x, y);
}

enum { LANES = 8, MOST_D = 35 };

/* What the layer gives for 8 lanes; the loss sum dy y - sum g logdet, and its gradients. */
typedef struct probe {
    float y[MOST_D * LANES], dx[MOST_D * LANES], logdet[LANES];
    float dy[MOST_D * LANES], g[LANES];
    float *dparams;
} probe;

static double reference(const batch *b, layer f, const double *x, const probe *got, double *y, double *logdet)
{
    int64_t d = b->l.shape.d;
    double loss = 0, row[MOST_D], out[MOST_D];
    for (int64_t l = 0; l < LANES; l++) {
        for (int64_t j = 0; j < d; j++) row[j] = x[l * d + j];
        double det = f(&b->l, b->dparams, b->stats + b->l.step.order, row, out);
        if (logdet) logdet[l] = det;
        loss -= (double)got->g[l] * det;
        for (int64_t j = 0; j < d; j++) {
            if (y) y[j * LANES + l] = out[j];
            loss += (double)got->dy[j * LANES + l] * out[j];
        }
    }
    return loss;
}

static double slope(const batch *b, layer f, const probe *got, double *at)
{
    double was = *at;
    *at = was + STEP;
    double up = reference(b, f, b->dx, got, NULL, NULL);
    *at = was - STEP;
    double down = reference(b, f, b->dx, got, NULL, NULL);
    *at = was;
    return (up - down) / (2 * STEP);
}

/* constant: the log-determinant that the layer has for all lanes, beside those in got->logdet. */
static void check_layer(const batch *b, layer f, const probe *got, double constant)
{
    int64_t d = b->l.shape.d;
    double y[MOST_D * LANES], logdet[LANES];
    reference(b, f, b->dx, got, y, logdet);
    for (int64_t i = 0; i < d * LANES; i++) CHECK_NEAR(got->y[i], y[i], 1e-5 * (1 + fabs(y[i])));
    for (int64_t l = 0; l < LANES; l++) CHECK_NEAR((double)got->logdet[l] + constant, logdet[l], 1e-5);
    for (size_t i = 0; i < b->l.step.params; i++) {
        double want = slope(b, f, got, &b->dparams[i]);
        CHECK_NEAR(got->dparams[i], want, 1e-4 * fabs(want) + 1e-5);
    }
    for (int64_t j = 0; j < d; j++)
        for (int64_t l = 0; l < LANES; l++) {
            double want = slope(b, f, got, &b->dx[l * d + j]);
            CHECK_NEAR(got->dx[j * LANES + l], want, 1e-4 * fabs(want) + 1e-5);
        }
}

/* Rows as lanes (d, 8), and gradients to start from: some weights are those of outliers, one is of padding.
 */
static double start_probe(const batch *b, probe *p, float *x)
{
    int64_t d = b->l.shape.d;
    double sum_g = 0;
    *p = (probe){.dparams = od_calloc(b->l.step.params, sizeof(float))};
    for (int64_t l = 0; l < LANES; l++) {
        p->g[l] = l == 7 ? 0.0f : l > 4 ? -0.3f : 0.2f * (float)(l + 1);
        sum_g += (double)p->g[l];
        for (int64_t j = 0; j < d; j++) {
            x[j * LANES + l] = b->x[l * d + j];
            p->dy[j * LANES + l] = cosf((float)(3 * j + l)) * p->g[l];
        }
    }
    return sum_g;
}

TEST(actnorm)
{
    batch b = make_flow(5, 1, LANES);
    probe p;
    float x[MOST_D * LANES], back[MOST_D * LANES];
    double sum_g = start_probe(&b, &p, x);
    const od_step *s = &b.l.step;
    od_actnorm a;
    REQUIRE(od_actnorm_new(&a, 5, NULL) == ODIM_OK);
    double logdet = od_actnorm_ready(&a, od_kern_get(), b.params + s->actnorm, b.stats + s->order);
    od_actnorm_fwd(&a, b.params + s->actnorm, x, LANES, p.y);
    od_actnorm_inverse(&a, b.params + s->actnorm, p.y, LANES, back);
    for (int i = 0; i < 5 * LANES; i++) CHECK_NEAR(back[i], x[i], 1e-6);
    float dy[MOST_D * LANES];
    memcpy(dy, p.dy, sizeof dy);
    od_flow_batch f = {.kern = od_kern_get(), .n = LANES, .sum_g = sum_g};
    od_actnorm_bwd(&a, &f, b.params + s->actnorm, p.y, dy, p.dx, p.dparams + s->actnorm);
    check_layer(&b, dbl_actnorm, &p, logdet);
    od_actnorm_free(&a);
    od_free(p.dparams);
    drop(&b);
}

/* 35 rows of a triangle are two blocks and a short one. */
TEST(linear)
{
    for (int64_t d = 2; d <= MOST_D; d += 33) {
        batch b = make_flow(d, 1, LANES);
        probe p;
        float x[MOST_D * LANES], dmid[MOST_D * LANES], back[MOST_D * LANES];
        double sum_g = start_probe(&b, &p, x);
        const od_step *s = &b.l.step;
        od_linear m;
        REQUIRE(od_linear_new(&m, d, LANES, NULL) == ODIM_OK);
        double logdet = od_linear_ready(&m, od_kern_get(), b.params + s->lu);
        od_linear_fwd(&m, od_kern_get(), x, LANES, p.y);
        od_linear_inverse(&m, p.y, LANES, back);
        for (int64_t i = 0; i < d * LANES; i++) CHECK_NEAR(back[i], x[i], d > 2 ? 1e-2 : 1e-6);
        od_flow_batch f = {.kern = od_kern_get(), .n = LANES, .sum_g = sum_g};
        od_linear_bwd(&m, &f, x, p.dy, dmid, p.dx, p.dparams + s->lu);
        check_layer(&b, only_linear, &p, logdet);
        od_linear_free(&m);
        od_free(p.dparams);
        drop(&b);
    }
}

TEST(coupling)
{
    for (int64_t d = 2; d <= 7; d += 5) {
        batch b = make_flow(d, 1, LANES);
        probe p;
        float back[MOST_D * LANES], x[MOST_D * LANES];
        start_probe(&b, &p, x);
        od_coupling c;
        REQUIRE(od_coupling_new(&c, &b.l.step, LANES, NULL) == ODIM_OK);
        memcpy(p.y, x, sizeof x);
        od_coupling_fwd(&c, od_kern_get(), &b.l.step, b.params, LANES, p.y, p.logdet);
        memcpy(p.dx, p.dy, sizeof p.dx);
        od_flow_batch f = {.kern = od_kern_get(), .n = LANES, .g = p.g};
        od_coupling_bwd(&c, &f, &b.l.step, b.params, p.y, p.dx, p.dparams);
        memcpy(back, p.y, sizeof back);
        od_coupling_inverse(&c, od_kern_get(), &b.l.step, b.params, LANES, back);
        for (int64_t i = 0; i < d * LANES; i++) CHECK_NEAR(back[i], x[i], 1e-6);
        check_layer(&b, only_coupling, &p, 0);
        od_coupling_free(&c);
        od_free(p.dparams);
        drop(&b);
    }
}

/* However large what the network says: a scale from exp(-2) to exp(2). */
TEST(coupling_is_bounded)
{
    batch b = make_flow(2, 1, LANES);
    od_coupling c;
    REQUIRE(od_coupling_new(&c, &b.l.step, LANES, NULL) == ODIM_OK);
    memset(b.params, 0, b.l.params * sizeof(float));
    for (int sign = -1; sign <= 1; sign += 2) {
        b.params[b.l.step.net.head_b] = (float)sign * 1e6f;
        float y[2 * LANES] = {0}, logdet[LANES] = {0};
        y[LANES] = 1;
        od_coupling_fwd(&c, od_kern_get(), &b.l.step, b.params, LANES, y, logdet);
        CHECK_NEAR(y[LANES], exp(2 * sign), 1e-4);
        CHECK_NEAR(logdet[0], 2 * sign, 1e-5);
    }
    od_coupling_free(&c);
    drop(&b);
}

int main(void)
{
    RUN(layout_by_hand);
    RUN(actnorm);
    RUN(linear);
    RUN(coupling);
    RUN(coupling_is_bounded);
    return test_end();
}
