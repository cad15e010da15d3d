/* Unforeseeable numbers: those of a seed repeat and those of the operating system do not; both are normal. */
#include "test.h"

#include <math.h>

#include "base/csprng.h"

TEST(seeded_dice_repeat)
{
    od_csprng a, b, other;
    od_csprng_begin_seeded(&a, 7, 1, OD_RNG_PRIVATE);
    od_csprng_begin_seeded(&b, 7, 1, OD_RNG_PRIVATE);
    od_csprng_begin_seeded(&other, 7, 2, OD_RNG_PRIVATE);
    int same = 0;
    for (int i = 0; i < 3000; i++) {
        uint32_t word = od_csprng_word(&a);
        CHECK(word == od_csprng_word(&b));
        same += word == od_csprng_word(&other);
    }
    CHECK(same < 3);
    uint32_t first[4];
    od_rng stream = od_rng_make(7, 1, OD_RNG_PRIVATE, 0);
    od_rng_block(&stream, 0, first);
    od_csprng_begin_seeded(&a, 7, 1, OD_RNG_PRIVATE);
    for (int i = 0; i < 4; i++) CHECK(od_csprng_word(&a) == first[i]);
}

TEST(dice_of_the_system_do_not_repeat)
{
    od_csprng a, b;
    odim_error err;
    od_csprng_begin(&a);
    od_csprng_begin(&b);
    int same = 0;
    for (int i = 0; i < 3000; i++) same += od_csprng_word(&a) == od_csprng_word(&b);
    CHECK(same < 3);
    CHECK(od_csprng_check(&a, &err) == ODIM_OK);
}

static void check_normal(od_csprng *d)
{
    enum { N = 200001 };
    double *x = malloc(N * sizeof *x), mean = 0, var = 0, fourth = 0, with = 0;
    int far = 0;
    od_csprng_normal(d, x, N);
    for (int i = 0; i < N; i++) {
        mean += x[i] / N;
        var += x[i] * x[i] / N;
        fourth += pow(x[i], 4) / N;
        far += fabs(x[i]) > 3;
        if (i) with += x[i] * x[i - 1] / N;
    }
    /* Five standard errors. */
    CHECK_NEAR(mean, 0, 5 / sqrt(N));
    CHECK_NEAR(var, 1, 5 * sqrt(2.0 / N));
    CHECK_NEAR(fourth, 3, 5 * sqrt(96.0 / N));
    CHECK_NEAR(with, 0, 5 / sqrt(N));
    CHECK_NEAR((double)far, 0.0026998 * N, 5 * sqrt(0.0026998 * N));
    free(x);
}

TEST(normals_are_normal)
{
    od_csprng d;
    od_csprng_begin_seeded(&d, 3, 0, OD_RNG_PRIVATE);
    check_normal(&d);
    od_csprng_begin(&d);
    check_normal(&d);
}

/* The tails do not end where the bits of a word do: here 1000 of them are 0. */
TEST(tails_are_long)
{
    od_csprng d;
    double x[2];
    od_csprng_begin_seeded(&d, 3, 0, OD_RNG_PRIVATE);
    memset(d.pool, 0, sizeof d.pool);
    d.left = sizeof d.pool;
    od_csprng_normal(&d, x, 2);
    CHECK_NEAR(hypot(x[0], x[1]), sqrt(2 * 1025 * log(2.0)), 0.02);
}

TEST(says_that_the_system_failed)
{
    od_csprng d;
    odim_error err;
    od_csprng_begin(&d);
    d.failed = 38;
    CHECK(od_csprng_check(&d, &err) == ODIM_ERR_IO);
    CHECK(strncmp(err.msg, "the operating system gives no random numbers: ", 46) == 0);
    CHECK(od_csprng_word(&d) == 0);
}

int main(void)
{
    RUN(seeded_dice_repeat);
    RUN(dice_of_the_system_do_not_repeat);
    RUN(normals_are_normal);
    RUN(tails_are_long);
    RUN(says_that_the_system_failed);
    return test_end();
}
