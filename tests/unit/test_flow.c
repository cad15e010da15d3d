/* tests: flow. A whole flow against a double-precision reference, and gradients against finite differences of
 * it, signed and number by number; determinants against the Jacobian; inverses; attribution; and what
 * evaluation promises. */
#include "starve.h"
#include "test.h"

#include "double_flow.h"
#include "made_flow.h"
#include "common/compare.h"

/* Two features, one step whose order is the reverse, by hand. */
TEST(by_hand)
{
    batch b = make_flow(2, 1, 1);
    const od_step *s = &b.l.step;
    od_flow *w = flow_for(&b, od_kern_get());
    memset(b.params, 0, b.l.params * sizeof(float));
    b.stats[s->order] = 1, b.stats[s->order + 1] = 0;
    b.params[s->actnorm] = logf(2), b.params[s->actnorm + 3] = 1; /* (3, 5) -> (10, 4) */
    b.params[s->lu + 1] = 0.5f, b.params[s->lu + 2] = -1;         /* U: (12, 4), L: (12, -8) */
    b.params[s->net.head_b] = 20;                                 /* s = 2 */
    float x[2] = {3, 5}, z[2], loss, back[2];
    od_flow_ready(w, b.params, b.stats);
    od_flow_forward(w, x, 1, z);
    CHECK_NEAR(z[0], 12, 1e-5);
    CHECK_NEAR(z[1], -8 * exp(2), 1e-4);
    od_flow_loss(w, x, 1, &loss);
    double want = (144 + 64 * exp(4)) / 2 + log(2 * acos(-1.0)) - log(2) - 2;
    CHECK_NEAR(loss, want, 1e-5 * want);
    od_flow_inverse(w, z, 1, back);
    CHECK_NEAR(back[0], 3, 1e-5);
    CHECK_NEAR(back[1], 5, 1e-5);
    flow_drop(w);
    drop(&b);
}

static double own_loss(const batch *b, int64_t i)
{
    return dbl_flow_loss(&b->l, b->dparams, b->stats, b->dx + i * b->l.shape.d);
}

/* log(p + exp(-limit)): what is pushed down of a known outlier. */
static double pushed(double loss, double limit)
{
    return log(exp(-loss) + exp(-limit));
}

static double batch_loss(const batch *b, const od_known *known, double limit)
{
    double sum = 0;
    int64_t knowns = known ? known->rows : 0, others = b->rows - knowns;
    for (int64_t i = 0; i < b->rows; i++)
        sum += i < others ? own_loss(b, i) / (double)others
                          : (double)known->weight * pushed(own_loss(b, i), limit) / (double)knowns;
    return sum;
}

/* Five nats a feature above the median of the others. */
static double limit_of(const batch *b, const od_known *known)
{
    double loss[32];
    int64_t others = b->rows - (known ? known->rows : 0);
    if (others == 0) return INFINITY;
    for (int64_t i = 0; i < others; i++) loss[i] = own_loss(b, i);
    qsort(loss, (size_t)others, sizeof *loss, od_compare_double);
    return loss[others / 2] + 5 * (double)b->l.shape.d;
}

/* every: of the parameters only each so many-th. */
static void check_gradient(int64_t d, int steps, int64_t rows, const od_known *known, size_t every)
{
    batch b = make_flow(d, steps, rows);
    od_flow *w = flow_for(&b, od_kern_get());
    float *grad = od_calloc(b.l.params, sizeof *grad), loss[32];
    od_flow_grad(
        w, b.params, b.stats, grad,
        &(od_train_batch){.x = b.x, .rows = rows, .known = known ? *known : (od_known){0}, .loss = loss});
    double largest = 0, limit = limit_of(&b, known);
    for (size_t i = 0; i < b.l.params; i++) largest = fmax(largest, fabs((double)grad[i]));
    CHECK(largest > 0.01);
    for (int64_t i = 0; i < rows; i++) {
        bool outlier = known && i >= rows - known->rows;
        double want = outlier ? pushed(own_loss(&b, i), limit) : own_loss(&b, i);
        CHECK_NEAR(loss[i], want, 1e-5 * (1 + fabs(want)));
    }
    for (size_t i = 0; i < b.l.params; i += every) {
        double at = b.dparams[i];
        b.dparams[i] = at + STEP;
        double up = batch_loss(&b, known, limit);
        b.dparams[i] = at - STEP;
        double down = batch_loss(&b, known, limit);
        b.dparams[i] = at;
        double want = (up - down) / (2 * STEP);
        if (!(fabs((double)grad[i] - want) <= 1e-4 * fabs(want) + 1e-5 * (0.1 + largest)))
            TEST_SAY("parameter %zu of %zu: gradient %.8g, finite difference %.8g", i, b.l.params,
                     (double)grad[i], want);
    }
    od_flow_grad(
        w, b.params, b.stats, grad,
        &(od_train_batch){
            .x = b.x, .rows = rows, .known = known ? *known : (od_known){0}, .loss = loss}); /* adds */
    float *once = od_calloc(b.l.params, sizeof *once);
    od_flow_grad(
        w, b.params, b.stats, once,
        &(od_train_batch){.x = b.x, .rows = rows, .known = known ? *known : (od_known){0}, .loss = loss});
    for (size_t i = 0; i < b.l.params; i++) CHECK_NEAR(grad[i], 2 * (double)once[i], 1e-5 * (0.1 + largest));
    od_free(grad), od_free(once);
    flow_drop(w);
    drop(&b);
}

TEST(gradient)
{
    check_gradient(1, 1, 5, NULL, 1);
    check_gradient(2, 1, 8, NULL, 1);
    check_gradient(5, 3, 11, NULL, 1);
    check_gradient(19, 2, 9, NULL, 1);
}

TEST(gradient_with_known_outliers)
{
    check_gradient(5, 2, 11, &(od_known){3, 0.7f}, 1);
    check_gradient(4, 1, 3, &(od_known){1, 1.0f}, 1);
    check_gradient(4, 1, 8, &(od_known){8, 1.0f}, 1);
}

/* Far away, a known outlier is left alone; at the limit it counts by half. */
TEST(known_outliers_are_not_pushed_for_ever)
{
    batch b = make_flow(1, 1, 4);
    b.params[0] = 0, b.params[1] = 0; /* z = x */
    od_flow *w = flow_for(&b, od_kern_get());
    const float x[4] = {0.1f, 0.1f, 0.1f, 40}, at[4] = {0.1f, 0.1f, 0.1f, sqrtf(10.01f)};
    const od_known known = {1, 2.0f};
    float grad[2] = {0}, loss[4], normal = (float)(0.005 + log(2 * acos(-1.0)) / 2);
    od_flow_grad(w, b.params, b.stats, grad,
                 &(od_train_batch){.x = x, .rows = 4, .known = known, .loss = loss});
    CHECK_NEAR(loss[0], normal, 1e-6);
    CHECK_NEAR(loss[3], -normal - 5, 1e-6);
    CHECK_NEAR(grad[1], 0.1, 1e-6); /* the shift: mean z of the others */
    grad[1] = 0;
    od_flow_grad(w, b.params, b.stats, grad,
                 &(od_train_batch){.x = at, .rows = 4, .known = known, .loss = loss});
    CHECK_NEAR(loss[3], -normal - 5 + log(2), 1e-5);
    CHECK_NEAR(grad[1], 0.1 - 2 * 0.5 * sqrt(10.01), 1e-4);
    flow_drop(w);
    drop(&b);
}

TEST(gradient_without_linear_layers)
{
    check_gradient(OD_LINEAR_MOST + 1, 2, 3, NULL, 5);
}

/* log |det a| of a (d, d), by elimination. */
static double log_det(double *a, int64_t d)
{
    double sum = 0;
    for (int64_t c = 0; c < d; c++) {
        int64_t best = c;
        for (int64_t r = c; r < d; r++)
            if (fabs(a[r * d + c]) > fabs(a[best * d + c])) best = r;
        for (int64_t j = 0; j < d; j++) {
            double t = a[c * d + j];
            a[c * d + j] = a[best * d + j];
            a[best * d + j] = t;
        }
        sum += log(fabs(a[c * d + c]));
        for (int64_t r = c + 1; r < d; r++) {
            double f = a[r * d + c] / a[c * d + c];
            for (int64_t j = c; j < d; j++) a[r * d + j] -= f * a[c * d + j];
        }
    }
    return sum;
}

/* The loss from z and the determinant of the Jacobian, which knows nothing of triangles. */
TEST(determinant)
{
    for (int64_t d = 1; d <= 6; d++) {
        batch b = make_flow(d, 3, 4);
        od_flow *w = flow_for(&b, od_kern_get());
        float loss[4];
        od_flow_loss(w, b.x, 4, loss);
        for (int64_t i = 0; i < 4; i++) {
            double jacobian[36], up[6], down[6], z[6], *x = b.dx + i * d, want = 0;
            for (int64_t c = 0; c < d; c++) {
                double at = x[c];
                x[c] = at + STEP;
                dbl_flow(&b.l, b.dparams, b.stats, x, up);
                x[c] = at - STEP;
                dbl_flow(&b.l, b.dparams, b.stats, x, down);
                x[c] = at;
                for (int64_t r = 0; r < d; r++) jacobian[r * d + c] = (up[r] - down[r]) / (2 * STEP);
            }
            dbl_flow(&b.l, b.dparams, b.stats, x, z);
            for (int64_t j = 0; j < d; j++) want += z[j] * z[j] / 2 + log(2 * acos(-1.0)) / 2;
            want -= log_det(jacobian, d);
            CHECK_NEAR(loss[i], want, 2e-5 * (1 + fabs(want)));
        }
        flow_drop(w);
        drop(&b);
    }
}

/* A density has the integral 1. */
TEST(integral)
{
    enum { SIDE = 200 };
    batch b = make_flow(2, 2, SIDE);
    od_flow *w = flow_for(&b, od_kern_get());
    float x[2 * SIDE], loss[SIDE];
    double sum = 0, from = -12, width = 24.0 / SIDE;
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            x[2 * j] = (float)(from + (i + 0.5) * width);
            x[2 * j + 1] = (float)(from + (j + 0.5) * width);
        }
        od_flow_loss(w, x, SIDE, loss);
        for (int j = 0; j < SIDE; j++) sum += exp(-(double)loss[j]) * width * width;
    }
    CHECK_NEAR(sum, 1, 2e-3);
    flow_drop(w);
    drop(&b);
}

TEST(inverse)
{
    const int64_t sizes[] = {1, 2, 7, 16, 20, OD_LINEAR_MOST + 3};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t d = sizes[i], rows = 5;
        batch b = make_flow(d, 2, rows);
        od_flow *w = flow_for(&b, od_kern_get());
        float *z = od_alloc((size_t)(rows * d), sizeof *z), *back = od_alloc((size_t)(rows * d), sizeof *z);
        od_flow_forward(w, b.x, rows, z);
        od_flow_inverse(w, z, rows, back);
        for (int64_t j = 0; j < rows * d; j++) CHECK_NEAR(back[j], b.x[j], 2e-4);
        double far = 0;
        for (int64_t j = 0; j < rows * d; j++) far = fmax(far, fabs((double)z[j] - (double)b.x[j]));
        CHECK(far > 0.1);
        od_free(z), od_free(back);
        flow_drop(w);
        drop(&b);
    }
}

/* The first batch gets mean 0 and variance 1, a constant feature stays small, and nothing else is changed. */
TEST(start)
{
    enum { ROWS = 21 };
    batch b = make_flow(4, 3, ROWS);
    od_layout_init(&b.l, 3, 2, b.params, b.stats);
    od_flow *w = flow_for(&b, od_kern_get());
    for (int i = 0; i < ROWS; i++) b.x[4 * i + 2] = 0.25f;
    od_flow_start(w, b.params, b.stats, b.x, ROWS);
    od_flow_ready(w, b.params, b.stats);
    float z[4 * ROWS];
    od_flow_forward(w, b.x, ROWS, z);
    int constant = 0;
    for (int j = 0; j < 4; j++) {
        double mean = 0, var = 0;
        for (int i = 0; i < ROWS; i++) mean += (double)z[4 * i + j] / ROWS;
        for (int i = 0; i < ROWS; i++) var += pow((double)z[4 * i + j] - mean, 2) / ROWS;
        CHECK_NEAR(mean, 0, 1e-5);
        if (var < 0.5)
            constant++;
        else
            CHECK_NEAR(var, 1, 0.01); /* the floor is 1e-4 of it */
    }
    CHECK_INT(constant, 1);
    for (int64_t j = 0; j < 4; j++) CHECK(fabsf(b.params[b.l.step.actnorm + (size_t)j]) <= 4.6052f);
    flow_drop(w);
    drop(&b);
}

TEST(rows_are_independent)
{
    batch b = make_flow(7, 3, 19);
    od_flow *w = flow_for(&b, od_kern_get());
    float together[19], alone[19];
    od_flow_loss(w, b.x, 19, together);
    for (int64_t i = 18; i >= 0; i--) od_flow_loss(w, b.x + i * 7, 1, &alone[i]);
    CHECK(memcmp(together, alone, sizeof alone) == 0);
    flow_drop(w);
    drop(&b);
}

TEST(kernels_agree)
{
    batch b = make_flow(21, 2, 19);
    const od_kern *kern[2] = {od_kern_get(), od_kern_ref()};
    const od_known known = {4, 0.5f};
    float *grad[2], loss[2][19], *stats[2];
    for (int i = 0; i < 2; i++) {
        od_flow *w = flow_for(&b, kern[i]);
        grad[i] = od_calloc(b.l.params, sizeof(float));
        stats[i] = od_alloc(b.l.stats, sizeof(float));
        memcpy(stats[i], b.stats, b.l.stats * sizeof(float));
        od_flow_grad(w, b.params, stats[i], grad[i],
                     &(od_train_batch){.x = b.x, .rows = 19, .known = known, .loss = loss[i]});
        flow_drop(w);
    }
    CHECK(memcmp(grad[0], grad[1], b.l.params * sizeof(float)) == 0);
    CHECK(memcmp(stats[0], stats[1], b.l.stats * sizeof(float)) == 0);
    CHECK(memcmp(loss[0], loss[1], sizeof loss[0]) == 0);
    for (int i = 0; i < 2; i++) od_free(grad[i]), od_free(stats[i]);
    drop(&b);
}

/* ---- attribution ---- */

typedef struct attribute {
    double loss[16], code[16], part[16 * 64], mean[16 * 64];
} attribute;

static attribute attribution_of(od_flow *w, const float *x, int64_t rows)
{
    attribute a = {.loss = {0}};
    od_flow_attribute(w, x, rows, &(od_attribution_parts){a.loss, a.code, a.part, a.mean});
    return a;
}

/* Independent normal features: a part is half the squared distance from the mean in standard deviations, and
 * what was expected is the mean. 40 features are more than there are probes, whose signs cancel here. */
TEST(attribution_of_normal_features)
{
    enum { ROWS = 9 };
    for (int d = 3; d <= 40; d += 37) {
        batch b = make_flow(d, 1, ROWS);
        const od_step *s = &b.l.step;
        od_layout_init(&b.l, 3, 2, b.params, b.stats);
        double sd[40], middle[40], logs = 0;
        for (int j = 0; j < d; j++) {
            sd[j] = 0.2 + 0.1 * j, middle[j] = 0.5 * cos(j);
            logs += log(sd[j]);
        }
        for (int i = 0; i < d; i++) {
            int from = (int)b.stats[s->order + (size_t)i];
            b.params[s->actnorm + (size_t)i] = (float)-log(sd[from]);
            b.params[s->actnorm + (size_t)(d + i)] = (float)(-middle[from] / sd[from]);
        }
        od_flow *w = flow_for(&b, od_kern_get());
        attribute a = attribution_of(w, b.x, ROWS);
        float plain[ROWS];
        od_flow_loss(w, b.x, ROWS, plain);
        for (int i = 0; i < ROWS; i++) {
            double sum = a.code[i];
            CHECK(a.loss[i] == (double)plain[i]);
            for (int j = 0; j < d; j++) {
                double far = ((double)b.x[i * d + j] - middle[j]) / sd[j];
                CHECK_NEAR(a.part[i * d + j], far * far / 2, 1e-5 * (1 + far * far));
                CHECK_NEAR(a.mean[i * d + j], middle[j], 1e-5);
                sum += a.part[i * d + j];
            }
            CHECK_NEAR(sum, a.loss[i], 1e-9 * (1 + fabs(a.loss[i])));
            CHECK_NEAR(a.code[i], d * log(2 * acos(-1.0)) / 2 + logs, 1e-4 * (1 + fabs(a.loss[i])));
        }
        od_flow_attribute(w, b.x, ROWS, &(od_attribution_parts){a.loss, a.code, a.part, a.mean}); /* adds */
        CHECK(a.loss[0] == 2 * (double)plain[0]);
        flow_drop(w);
        drop(&b);
    }
}

/* Column c of the Jacobian at x: the derivatives of z by x_c. */
static void jacobian_column(const batch *b, double *x, int64_t c, double *column)
{
    double up[64], at = x[c];
    x[c] = at + STEP;
    dbl_flow(&b->l, b->dparams, b->stats, x, up);
    x[c] = at - STEP;
    dbl_flow(&b->l, b->dparams, b->stats, x, column);
    x[c] = at;
    for (int64_t r = 0; r < b->l.shape.d; r++) column[r] = (up[r] - column[r]) / (2 * STEP);
}

/* In general, against the Jacobian; with signs instead of unit vectors within the error of an estimate. */
TEST(attribution_of_any_features)
{
    enum { ROWS = 10 };
    for (int d = 5; d <= 20; d += 15) {
        batch b = make_flow(d, 2, ROWS);
        od_flow *w = flow_for(&b, od_kern_get());
        attribute a = attribution_of(w, b.x, ROWS);
        double ratio = 0;
        for (int i = 0; i < ROWS; i++) {
            double z[64], column[64], *x = b.dx + i * d, half = 0;
            dbl_flow(&b.l, b.dparams, b.stats, x, z);
            for (int r = 0; r < d; r++) half += z[r] * z[r] / 2;
            for (int j = 0; j < d; j++) {
                double slope = 0, curve = 0, part = a.part[i * d + j], step = x[j] - a.mean[i * d + j];
                jacobian_column(&b, x, j, column);
                for (int r = 0; r < d; r++) slope += column[r] * z[r], curve += column[r] * column[r];
                ratio += slope / curve / step / (ROWS * d);
                if (d > 16) { /* part and step are by the same estimate */
                    CHECK_NEAR(part, slope * step / 2, 2e-3 * (1 + fabs(part)));
                    CHECK(slope / curve / step > 0.2 && slope / curve / step < 5);
                    continue;
                }
                CHECK_NEAR(part, slope * slope / (2 * curve), 1e-4 * (1 + part));
                CHECK_NEAR(step, slope / curve, 1e-4 * (1 + fabs(step)));
                CHECK(part >= 0 && part <= half * 1.0001);
            }
        }
        CHECK_NEAR(ratio, 1, d > 16 ? 0.3 : 1e-3);
        attribute one = attribution_of(w, b.x + 3 * d, 1);
        CHECK(memcmp(one.part, a.part + 3 * d, (size_t)d * sizeof(double)) == 0);
        flow_drop(w);
        drop(&b);
    }
}

TEST(memory_may_be_out)
{
    batch b = make_flow(4, 2, 3);
    od_flow w;
    odim_error err;
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 21)
    {
        status = od_flow_new(&w, od_kern_get(), &b.l, 3, &err);
    }
    od_flow_free(&w);
    drop(&b);
}

int main(void)
{
    RUN(by_hand);
    RUN(gradient);
    RUN(gradient_with_known_outliers);
    RUN(known_outliers_are_not_pushed_for_ever);
    RUN(gradient_without_linear_layers);
    RUN(determinant);
    RUN(integral);
    RUN(inverse);
    RUN(start);
    RUN(rows_are_independent);
    RUN(kernels_agree);
    RUN(attribution_of_normal_features);
    RUN(attribution_of_any_features);
    RUN(memory_may_be_out);
    return test_end();
}
