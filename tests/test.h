/*
 * The whole test framework. A test program is a list of TEST functions and a main that runs them:
 *
 *     TEST(adds) { CHECK(1 + 1 == 2); CHECK_NEAR(0.1 + 0.2, 0.3, 1e-15); }
 *     int main(void) { RUN(adds); return test_end(); }
 *
 * Each TEST counts once, whatever number of checks it makes; test_end prints "N passed, N failed". A test
 * that cannot run on every machine is named with RUN_IF; where it is left out, test_end adds ", N skipped".
 */
#ifndef TEST_H
#define TEST_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_passed, test_failed, test_skipped, test_bad;

/* An array of texts that ends with NULL. */
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

#define TEST(name) static void test_##name(void)
#define RUN(name)                                                                                            \
    do {                                                                                                     \
        test_bad = 0;                                                                                        \
        test_##name();                                                                                       \
        if (test_bad) printf("FAILED %s: %s\n", __FILE__, #name);                                            \
        test_bad ? test_failed++ : test_passed++;                                                            \
    } while (0)

#define RUN_IF(possible, name, why_not)                                                                      \
    do {                                                                                                     \
        if (possible) {                                                                                      \
            RUN(name);                                                                                       \
        } else {                                                                                             \
            printf("skipped %s: %s\n", #name, why_not);                                                      \
            test_skipped++;                                                                                  \
        }                                                                                                    \
    } while (0)

/* The first few failures of a test are worth reading, the next thousand are not. */
#define TEST_SAY(...)                                                                                        \
    do {                                                                                                     \
        if (test_bad++ < 10) {                                                                               \
            printf("%s:%d: ", __FILE__, __LINE__);                                                           \
            printf(__VA_ARGS__);                                                                             \
            printf("\n");                                                                                    \
        }                                                                                                    \
    } while (0)

#define CHECK(cond)                                                                                          \
    do {                                                                                                     \
        if (!(cond)) TEST_SAY("not true: %s", #cond);                                                        \
    } while (0)
/* Stops the test: what follows would crash. */
#define REQUIRE(cond)                                                                                        \
    do {                                                                                                     \
        if (!(cond)) {                                                                                       \
            TEST_SAY("not true: %s", #cond);                                                                 \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)
#define CHECK_INT(got, want)                                                                                 \
    do {                                                                                                     \
        long long g_ = (long long)(got), w_ = (long long)(want);                                             \
        if (g_ != w_) TEST_SAY("%s is %lld, expected %lld", #got, g_, w_);                                   \
    } while (0)
/* Signed: |got - want| <= tol. NaN fails. */
#define CHECK_NEAR(got, want, tol)                                                                           \
    do {                                                                                                     \
        double g_ = (double)(got), w_ = (double)(want), t_ = (double)(tol);                                  \
        if (!(fabs(g_ - w_) <= t_)) TEST_SAY("%s is %.10g, expected %.10g (within %g)", #got, g_, w_, t_);   \
    } while (0)
#define CHECK_STR(got, want)                                                                                 \
    do {                                                                                                     \
        const char *g_ = (got), *w_ = (want);                                                                \
        if (!g_ || strcmp(g_, w_)) TEST_SAY("%s is\n  %s\nexpected\n  %s", #got, g_ ? g_ : "(null)", w_);    \
    } while (0)

static int test_end(void)
{
    printf("%d passed, %d failed", test_passed, test_failed);
    if (test_skipped) printf(", %d skipped", test_skipped);
    printf("\n");
    return test_failed != 0;
}

#endif
