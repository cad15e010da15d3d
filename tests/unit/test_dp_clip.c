/* tests: dp_clip. Clipped gradients against those of rows taken one by one, and what clipping promises. */
#include "test.h"

#include "net/dp_clip.h"
#include "net_batch.h"
#include "net_noise.h"

enum { ROWS = 21, SAMPLES = 30 }; /* blocks of 8 rows, the last not full */

static const od_shape shapes[] = {
    {.d = 5, .layers = 2, .hidden = {6, 4}, .latent = 3, .lik = OD_LIK_PAPER},
    {.d = 7, .layers = 1, .hidden = {9}, .latent = 2, .lik = OD_LIK_GAUSSIAN},
    {.d = 3, .layers = 3, .hidden = {5, 11, 4}, .latent = 6, .lik = OD_LIK_UNIT},
    {.d = 13, .layers = 2, .hidden = {8, 8}, .latent = 4, .lik = OD_LIK_BERNOULLI},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

static double norm(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static double norm_single(const float *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}

static double distance(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

/* Noise (rows, samples, latent) in the order of od_dp_clip_add: block after block. */
static float *clip_noise(const od_dp_clip *c, const float *eps, int64_t rows, int64_t latent)
{
    float *to = od_calloc((size_t)od_dp_clip_noise(c, rows), sizeof *to);
    for (int64_t i = 0; i < rows; i++) {
        int64_t first = i / c->rows * c->rows, left = rows - first;
        int64_t lanes = od_lanes(left < c->rows ? left : c->rows);
        for (int64_t s = 0; s < c->samples; s++)
            for (int64_t j = 0; j < latent; j++)
                to[od_dp_clip_noise(c, first) + (j * c->samples + s) * lanes + i - first] =
                    eps[(i * c->samples + s) * latent + j];
    }
    return to;
}

/* The gradients of the rows one after the other, grads (rows, params). */
static void single_gradients(const batch *b, float *grads, float *loss)
{
    od_iwae one;
    REQUIRE(od_iwae_new(&one, od_kern_get(), &b->l,
                        &(od_net_options){.rows = 1, .samples = b->k, .training = true}, NULL) == ODIM_OK);
    for (int64_t i = 0; i < b->rows; i++) {
        float *eps = place_noise(&one, b->eps + i * b->k * b->l.shape.latent, 1);
        od_iwae_grad(
            &one, b->params, b->stats, grads + (size_t)i * b->l.params,
            &(od_train_batch){.x = b->x + i * b->l.shape.d, .rows = 1, .eps = eps, .loss = loss + i});
        od_free(eps);
    }
    od_iwae_free(&one);
}

static void check_against_single_rows(od_shape shape, double bound)
{
    batch b = make(shape, ROWS, SAMPLES);
    od_dp_clip c;
    REQUIRE(od_dp_clip_new(&c, od_kern_get(), &b.l, SAMPLES, NULL) == ODIM_OK);
    CHECK_INT(c.rows, 8);
    float want_loss[ROWS], loss[ROWS], *grads = od_calloc((size_t)ROWS * b.l.params, sizeof *grads);
    single_gradients(&b, grads, want_loss);
    float *eps = clip_noise(&c, b.eps, ROWS, shape.latent);
    double *sum = od_calloc(b.l.params, sizeof *sum), *want = od_calloc(b.l.params, sizeof *want);
    double largest = 0, most = bound * (1 - c.slack);
    int cut = 0;
    CHECK(c.slack < 0.005);
    for (int64_t i = 0; i < ROWS; i++) {
        const float *g = grads + (size_t)i * b.l.params;
        double length = norm_single(g, b.l.params), keep = length > most ? most / length : 1;
        cut += length > most;
        for (size_t j = 0; j < b.l.params; j++) want[j] += keep * (double)g[j];
    }
    if (bound < 0.1) CHECK_INT(cut, ROWS);
    od_dp_clip_add(&c, b.params, sum, &(od_train_batch){.x = b.x, .rows = ROWS, .eps = eps, .loss = loss},
                   bound);
    for (int i = 0; i < ROWS; i++) CHECK_NEAR(loss[i], want_loss[i], 1e-5 * (1 + fabs((double)want_loss[i])));
    for (size_t j = 0; j < b.l.params; j++) largest = fmax(largest, fabs(want[j]));
    CHECK(largest > 0.001);
    for (size_t j = 0; j < b.l.params; j++)
        CHECK_NEAR(sum[j], want[j], 3e-4 * fabs(want[j]) + 1e-5 * largest);
    od_free(grads), od_free(sum), od_free(eps), od_free(want);
    od_dp_clip_free(&c);
    drop(&b);
}

TEST(sum_of_clipped_rows)
{
    for (size_t i = 0; i < SHAPES; i++) {
        check_against_single_rows(shapes[i], 1e9); /* nothing is clipped */
        check_against_single_rows(shapes[i], 2.0);
        check_against_single_rows(shapes[i], 0.01); /* everything is */
    }
}

/* One row alone is never longer than the bound, however far it lies from everything. */
TEST(no_row_exceeds_the_bound)
{
    static const float far[] = {0, 1, -3, 1e3f, -1e8f, 1e19f, 3e38f, -INFINITY, NAN};
    for (size_t s = 0; s < SHAPES; s++) {
        batch b = make(shapes[s], 1, SAMPLES);
        od_dp_clip c;
        REQUIRE(od_dp_clip_new(&c, od_kern_get(), &b.l, SAMPLES, NULL) == ODIM_OK);
        float loss, *eps = clip_noise(&c, b.eps, 1, shapes[s].latent);
        double *sum = od_alloc(b.l.params, sizeof *sum);
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
            b.x[0] = far[i];
            memset(sum, 0, b.l.params * sizeof *sum);
            od_dp_clip_add(&c, b.params, sum,
                           &(od_train_batch){.x = b.x, .rows = 1, .eps = eps, .loss = &loss}, 0.125);
            CHECK(norm(sum, b.l.params) <= 0.125);
            if (i < 4) CHECK(norm(sum, b.l.params) > 0.12);
        }
        od_free(sum), od_free(eps);
        od_dp_clip_free(&c);
        drop(&b);
    }
}

/* Nor where the norm is a sum of one large square and very many small ones, which single precision drops. */
TEST(many_columns)
{
    const od_shape wide = {.d = 16000, .layers = 1, .hidden = {2}, .latent = 1, .lik = OD_LIK_UNIT};
    batch b = make(wide, 1, 1);
    od_dp_clip c;
    REQUIRE(od_dp_clip_new(&c, od_kern_get(), &b.l, 1, NULL) == ODIM_OK);
    for (int j = 0; j < wide.d; j++) b.x[j] = j ? 150.0f : 1e6f;
    float loss, *eps = clip_noise(&c, b.eps, 1, 1);
    double *sum = od_calloc(b.l.params, sizeof *sum);
    od_dp_clip_add(&c, b.params, sum, &(od_train_batch){.x = b.x, .rows = 1, .eps = eps, .loss = &loss}, 1.0);
    CHECK(norm(sum, b.l.params) <= 1 && norm(sum, b.l.params) > 0.99);
    od_free(sum), od_free(eps);
    od_dp_clip_free(&c);
    drop(&b);
}

/* A row that is not a number leaves the others as they are, to the bit. */
TEST(bad_rows_add_nothing)
{
    batch b = make(shapes[0], ROWS, SAMPLES);
    od_dp_clip c;
    REQUIRE(od_dp_clip_new(&c, od_kern_get(), &b.l, SAMPLES, NULL) == ODIM_OK);
    float loss[ROWS], *eps7 = clip_noise(&c, b.eps, 7, 3), *eps8 = clip_noise(&c, b.eps, 8, 3);
    double *seven = od_calloc(b.l.params, sizeof *seven), *eight = od_calloc(b.l.params, sizeof *eight);
    od_dp_clip_add(&c, b.params, seven, &(od_train_batch){.x = b.x, .rows = 7, .eps = eps7, .loss = loss}, 1);
    for (int j = 0; j < 5; j++) b.x[7 * 5 + j] = j % 2 ? INFINITY : NAN;
    od_dp_clip_add(&c, b.params, eight, &(od_train_batch){.x = b.x, .rows = 8, .eps = eps8, .loss = loss}, 1);
    CHECK(memcmp(seven, eight, b.l.params * sizeof *seven) == 0);
    CHECK(!isfinite(loss[7]) && isfinite(loss[6]));
    od_free(seven), od_free(eight), od_free(eps7), od_free(eps8);
    od_dp_clip_free(&c);
    drop(&b);
}

/*
 * The largest batch that can be asked for, and some more: rows that all pull the same way, so that the sum is
 * as large as it can be, one of which is replaced by a row that adds nothing. Whatever the sum is by then and
 * wherever the row is, the sum changes by at most the bound, and by nearly as much.
 */
TEST(no_row_of_the_largest_batch_exceeds_the_bound)
{
    enum { BLOCK = 64, BLOCKS = (1 << 20) / BLOCK + 100, TRIES = 40 };
    const od_shape small = {.d = 2, .layers = 1, .hidden = {2}, .latent = 1, .lik = OD_LIK_UNIT};
    const double bound = 1;
    batch b = make(small, BLOCK, 1);
    od_dp_clip c;
    REQUIRE(od_dp_clip_new(&c, od_kern_get(), &b.l, 1, NULL) == ODIM_OK);
    for (int i = 0; i < BLOCK; i++) b.x[2 * i] = 50.0f, b.x[2 * i + 1] = 30.0f, b.eps[i] = 0.0f;
    float loss[BLOCK], *eps = clip_noise(&c, b.eps, BLOCK, 1);
    double *all = od_calloc(b.l.params, sizeof *all), *with = od_calloc(b.l.params, sizeof *with),
           *without = od_calloc(b.l.params, sizeof *without), largest = 0, least = 2;
    for (int block = 0; block < BLOCKS; block++) {
        if (block >= BLOCKS - TRIES) { /* this block with all of its rows, and without one of them */
            int row = (block * 29) % BLOCK;
            float kept = b.x[2 * row];
            memcpy(with, all, b.l.params * sizeof *all);
            memcpy(without, all, b.l.params * sizeof *all);
            od_dp_clip_add(&c, b.params, with,
                           &(od_train_batch){.x = b.x, .rows = BLOCK, .eps = eps, .loss = loss}, bound);
            b.x[2 * row] = NAN;
            od_dp_clip_add(&c, b.params, without,
                           &(od_train_batch){.x = b.x, .rows = BLOCK, .eps = eps, .loss = loss}, bound);
            b.x[2 * row] = kept;
            double change = distance(with, without, b.l.params);
            largest = fmax(largest, change);
            least = fmin(least, change);
        }
        od_dp_clip_add(&c, b.params, all,
                       &(od_train_batch){.x = b.x, .rows = BLOCK, .eps = eps, .loss = loss}, bound);
    }
    CHECK(norm(all, b.l.params) > 0.9 * bound * BLOCK * BLOCKS);
    CHECK(largest <= bound && least > 0.99 * bound);
    od_free(all), od_free(with), od_free(without), od_free(eps);
    od_dp_clip_free(&c);
    drop(&b);
}

/* A sample that has overflowed and has no weight is left out, however many samples of another row count. */
TEST(overflow_does_not_depend_on_other_rows)
{
    enum { LATENT = 2, LIVE = 5 };
    batch b = make(shapes[1], 2, SAMPLES);
    od_dp_clip c;
    REQUIRE(od_dp_clip_new(&c, od_kern_get(), &b.l, SAMPLES, NULL) == ODIM_OK);
    /* The first latent is its noise alone. One hidden unit reads it, and only means read that. Where the
     * noise is not 0 they are so far off that the gradients of the variances overflow. */
    const od_layer *layer = &b.l.dec.layer[0];
    for (int64_t i = 0; i < b.l.enc.in; i++) b.params[b.l.enc.head_w + (size_t)i] = 0.0f;
    for (int64_t i = 0; i < layer->out; i++) b.params[layer->w + (size_t)(i * LATENT)] = i ? 0.0f : 1e3f;
    for (int64_t i = b.l.dec.dim; i < b.l.dec.outputs; i++)
        b.params[b.l.dec.head_w + (size_t)(i * b.l.dec.in)] = 0.0f;
    memset(b.eps, 0, 2 * SAMPLES * LATENT * sizeof *b.eps);
    for (int i = LIVE; i < SAMPLES; i++) b.eps[i * LATENT] = 1e18f; /* of the first row */
    float loss[2], *eps = clip_noise(&c, b.eps, 2, LATENT);
    double *two = od_calloc(b.l.params, sizeof *two), *one = od_calloc(b.l.params, sizeof *one);
    od_dp_clip_add(&c, b.params, two, &(od_train_batch){.x = b.x, .rows = 2, .eps = eps, .loss = loss}, 0.01);
    CHECK(isfinite(loss[0]) && isfinite(loss[1]));
    b.x[shapes[1].d] = NAN;
    od_dp_clip_add(&c, b.params, one, &(od_train_batch){.x = b.x, .rows = 2, .eps = eps, .loss = loss}, 0.01);
    CHECK(norm(one, b.l.params) > 0.009);
    CHECK(distance(one, two, b.l.params) <= 0.01);
    od_free(two), od_free(one), od_free(eps);
    od_dp_clip_free(&c);
    drop(&b);
}

TEST(levels_agree)
{
    const od_kern *kern[] = {od_kern_ref(), od_kern_get()};
    for (size_t s = 0; s < SHAPES; s++) {
        batch b = make(shapes[s], ROWS, SAMPLES);
        float loss[2][ROWS];
        double *sum[2];
        for (int i = 0; i < 2; i++) {
            od_dp_clip c;
            REQUIRE(od_dp_clip_new(&c, kern[i], &b.l, SAMPLES, NULL) == ODIM_OK);
            float *eps = clip_noise(&c, b.eps, ROWS, shapes[s].latent);
            sum[i] = od_calloc(b.l.params, sizeof *sum[i]);
            od_dp_clip_add(&c, b.params, sum[i],
                           &(od_train_batch){.x = b.x, .rows = ROWS, .eps = eps, .loss = loss[i]}, 0.5);
            od_free(eps);
            od_dp_clip_free(&c);
        }
        CHECK(memcmp(sum[0], sum[1], b.l.params * sizeof *sum[0]) == 0);
        CHECK(memcmp(loss[0], loss[1], sizeof loss[0]) == 0);
        od_free(sum[0]), od_free(sum[1]);
        drop(&b);
    }
}

TEST(an_empty_batch_adds_nothing)
{
    batch b = make(shapes[0], 1, SAMPLES);
    od_dp_clip c;
    REQUIRE(od_dp_clip_new(&c, od_kern_get(), &b.l, SAMPLES, NULL) == ODIM_OK);
    CHECK_INT(od_dp_clip_noise(&c, 0), 0);
    double *sum = od_calloc(b.l.params, sizeof *sum);
    od_dp_clip_add(&c, b.params, sum, &(od_train_batch){.x = NULL, .rows = 0, .loss = NULL}, 1);
    CHECK(norm(sum, b.l.params) == 0);
    od_free(sum);
    od_dp_clip_free(&c);
    drop(&b);
}

int main(void)
{
    RUN(sum_of_clipped_rows);
    RUN(no_row_exceeds_the_bound);
    RUN(many_columns);
    RUN(bad_rows_add_nothing);
    RUN(no_row_of_the_largest_batch_exceeds_the_bound);
    RUN(overflow_does_not_depend_on_other_rows);
    RUN(levels_agree);
    RUN(an_empty_batch_adds_nothing);
    return test_end();
}
