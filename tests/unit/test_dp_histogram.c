/* tests: dp_histogram. Scores through a noised histogram: how near they stay, and that one row weighs one. */
#include "score/dp_histogram.h"

#include <string.h>

#include "score/calibrate.h"
#include "test.h"
#include "common/compare.h"

static odim_error err;

enum { MOST = 5000 };
static double scores[MOST], blurred[MOST];

/* n normal scores around a centre, the first of them outliers; then what is left of them, sorted both. */
static void blur(int n, double centre, double unit, int outliers, double noise, uint64_t seed)
{
    od_csprng dice;
    od_csprng_begin_seeded(&dice, seed, 1, OD_RNG_TRAIN);
    od_csprng_normal(&dice, scores, n);
    for (int i = 0; i < n; i++)
        scores[i] = centre + unit * (i < outliers ? 8 + 3 * fabs(scores[i]) : scores[i]);
    qsort(scores, (size_t)n, sizeof *scores, od_compare_double);
    od_csprng_begin_seeded(&dice, seed, 0, OD_RNG_MEANING);
    CHECK_INT(od_dp_histogram_scores(blurred, n, &(od_dp_scores){scores, n, 10, noise}, &dice, &err),
              ODIM_OK);
    for (int i = 0; i < n; i++) CHECK(isfinite(blurred[i]) && (i == 0 || blurred[i] >= blurred[i - 1]));
}

/* Wherever the scores are and however wide: the middle half is found, to a fifth of its width. */
TEST(quantiles)
{
    static const double centres[] = {-60, -3, 0, 0.5, 12, 5000}, units[] = {0.05, 1, 40};
    for (int c = 0; c < 6; c++)
        for (int u = 0; u < 3; u++) {
            blur(2000, centres[c], units[u], 0, 4, (uint64_t)(10 * c + u));
            for (int q = 1; q < 4; q++)
                if (fabs(blurred[q * 500] - scores[q * 500]) > 0.25 * units[u] + 0.01 * fabs(centres[c]))
                    TEST_SAY("centre %g, unit %g, quarter %d: %g instead of %g", centres[c], units[u], q,
                             blurred[q * 500], scores[q * 500]);
        }
}

/* Without noise to speak of all but the ends. */
TEST(hardly_any_noise)
{
    blur(MOST, -20, 1, 50, 0.01, 3);
    for (int i = 10; i < MOST - 10; i++) CHECK_NEAR(blurred[i], scores[i], 0.25);
}

/* The threshold that calibration finds is between the two groups. */
TEST(outliers_stay)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        od_calibration c;
        blur(2000, -20, 1, 100, 4, seed);
        REQUIRE(!od_calibrate_fit(&c, blurred, 2000, &err));
        if (c.threshold < -18 || c.threshold > -11) TEST_SAY("seed %d: %g", (int)seed, c.threshold);
    }
}

/* What is no number, and what is infinite, counts as one of the highest. */
TEST(any_score)
{
    od_csprng dice;
    blur(2000, -20, 1, 100, 4, 1);
    double before[2000];
    memcpy(before, blurred, sizeof before);
    scores[1999] = NAN;
    scores[1998] = INFINITY;
    od_csprng_begin_seeded(&dice, 1, 0, OD_RNG_MEANING);
    CHECK_INT(od_dp_histogram_scores(blurred, 2000, &(od_dp_scores){scores, 2000, 10, 4}, &dice, &err),
              ODIM_OK);
    for (int i = 200; i < 1800; i++) CHECK_NEAR(blurred[i], before[i], 0.2);
    CHECK(isfinite(blurred[1999]));
}

TEST(enough_rows)
{
    CHECK(od_dp_histogram_possible(139, 4) && !od_dp_histogram_possible(138, 4));
    od_csprng dice;
    od_csprng_begin(&dice);
    dice.failed = 5;
    CHECK_INT(od_dp_histogram_scores(blurred, 10, &(od_dp_scores){scores, 10, 1, 1}, &dice, &err),
              ODIM_ERR_IO);
}

int main(void)
{
    RUN(quantiles);
    RUN(hardly_any_noise);
    RUN(outliers_stay);
    RUN(any_score);
    RUN(enough_rows);
    return test_end();
}
