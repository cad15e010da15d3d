/* tests: calibrate. Scores of many shapes, with and without planted outliers, and all that is degenerate. */
#include "test.h"

#include <float.h>

#include "common/mem.h"
#include "base/rng.h"
#include "score/calibrate.h"

#define TAU 6.283185307179586

enum { MANY = 20000 };

static double scores[MANY];

typedef enum shape { NORMAL, EXPONENTIAL, GAMMA, CHI_SQUARE, LOGNORMAL, STUDENT_5, STUDENT_3, SHAPES } shape;

static double unit_of(uint64_t row, uint32_t number)
{
    od_rng s = od_rng_make(7, 0, OD_RNG_INIT, number);
    uint32_t w[4];
    od_rng_block(&s, row, w);
    return ((double)w[0] + ((double)w[1] + 0.5) * 0x1p-32) * 0x1p-32;
}

static double normal_of(uint64_t row, uint32_t number)
{
    return sqrt(-2.0 * log(unit_of(row, 2 * number))) * cos(TAU * unit_of(row, 2 * number + 1));
}

static double squares_of(uint64_t row, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 1; i <= count; i++) sum += normal_of(row, i) * normal_of(row, i);
    return sum;
}

static double draw(shape kind, uint64_t row)
{
    switch (kind) {
    case NORMAL: return normal_of(row, 0);
    case EXPONENTIAL: return -log(unit_of(row, 0));
    case GAMMA: return -log(unit_of(row, 0) * unit_of(row, 1));
    case CHI_SQUARE: return squares_of(row, 1);
    case LOGNORMAL: return exp(0.5 * normal_of(row, 0));
    case STUDENT_5: return normal_of(row, 0) / sqrt(squares_of(row, 5) / 5.0);
    default: return normal_of(row, 0) / sqrt(squares_of(row, 3) / 3.0);
    }
}

/* n scores, at a place and on a scale of no meaning. The last `outliers` are 2 to 8 times as far above the
 * median as any other. */
static void fill(shape kind, int n, int outliers)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        scores[i] = draw(kind, (uint64_t)i + 100000u * (uint64_t)n);
        most = fmax(most, scores[i]);
    }
    for (int i = n - outliers; i < n; i++) scores[i] = most * (2.0 + 6.0 * unit_of((uint64_t)i, 99));
    for (int i = 0; i < n; i++) scores[i] = 37.0 * scores[i] - 4000.0;
}

static od_calibration fit(const double *x, int64_t n)
{
    od_calibration c = {0};
    odim_error err = {0};
    CHECK_INT(od_calibrate_fit(&c, x, n, &err), ODIM_OK);
    CHECK(od_calibration_valid(&c));
    return c;
}

static int count_flagged(const od_calibration *c, const double *x, int from, int to)
{
    int flagged = 0;
    for (int i = from; i < to; i++) flagged += x[i] > c->threshold;
    return flagged;
}

/* In [0, 1], never falling, over 0.5 exactly above the threshold: at any finite score. */
static void check_probability(const od_calibration *c)
{
    const double ends[] = {-DBL_MAX, -1e300, -1e10, -1.0, -0.0, 0.0, DBL_TRUE_MIN, 1.0, 1e10, 1e300, DBL_MAX};
    double before = 0.0;
    for (int i = 0; i < 11; i++) {
        double p = od_calibrate_probability(c, ends[i]);
        CHECK(p >= before && p <= 1.0);
        CHECK((p > 0.5) == (ends[i] > c->threshold));
        before = p;
    }
    before = 0.0;
    for (int i = -1000; i < 20000; i++) {
        double score = c->centre + 5e-3 * i * c->upper_scale, p = od_calibrate_probability(c, score);
        CHECK(p >= before && p <= 1.0);
        CHECK((p > 0.5) == (score > c->threshold));
        before = p;
    }
    double above = nextafter(c->threshold, INFINITY);
    CHECK(od_calibrate_probability(c, c->threshold) <= 0.5);
    CHECK(c->threshold == DBL_MAX || od_calibrate_probability(c, above) > 0.5);
}

TEST(clean_scores_have_few_outliers)
{
    static const int sizes[] = {100, 1000, MANY};
    for (int kind = 0; kind < SHAPES; kind++) {
        for (int i = 0; i < 3; i++) {
            fill((shape)kind, sizes[i], 0);
            od_calibration c = fit(scores, sizes[i]);
            /* The far values of a t are outliers in all but name. */
            double most = kind == STUDENT_3 || kind == STUDENT_5 ? 0.02 : 0.002;
            CHECK(count_flagged(&c, scores, 0, sizes[i]) <= fmax(1.0, most * sizes[i]));
            check_probability(&c);
        }
    }
}

TEST(planted_outliers_are_found)
{
    static const int sizes[] = {100, 1000, MANY};
    static const double shares[] = {0.01, 0.05, 0.15};
    for (int kind = 0; kind < SHAPES; kind++) {
        for (int i = 0; i < 9; i++) {
            int n = sizes[i / 3], outliers = (int)(shares[i % 3] * n + 0.5);
            fill((shape)kind, n, outliers);
            od_calibration c = fit(scores, n);
            CHECK(count_flagged(&c, scores, n - outliers, n) >= (n > 100 ? 0.95 : 0.8) * outliers);
            CHECK(count_flagged(&c, scores, 0, n - outliers) <= fmax(1.0, 0.01 * n));
            if (n > 100) CHECK_NEAR(c.share, shares[i % 3], 0.01);
            check_probability(&c);
        }
    }
}

/* 15 % of the rows in a second hump as narrow as the first: a cluster. */
TEST(another_ordinary_kind_is_no_outlier)
{
    for (int i = 0; i < 5000; i++) scores[i] = normal_of((uint64_t)i, 0) + (i % 20 < 3 ? 7.0 : 0.0);
    od_calibration c = fit(scores, 5000);
    CHECK_INT(count_flagged(&c, scores, 0, 5000), 0);
    check_probability(&c);
}

TEST(order_does_not_matter)
{
    static double turned[2000];
    fill(GAMMA, 2000, 40);
    scores[7] = 0.0;
    scores[8] = -0.0;
    for (int i = 0; i < 2000; i++) turned[i] = scores[(i * 777 + 5) % 2000];
    od_calibration a = fit(scores, 2000), b = fit(turned, 2000);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

/* Twice the scores, twice the threshold, and the same probabilities. */
TEST(scale_does_not_matter)
{
    static double twice[2000];
    fill(GAMMA, 2000, 40);
    for (int i = 0; i < 2000; i++) twice[i] = 0x1p200 * scores[i];
    od_calibration a = fit(scores, 2000), b = fit(twice, 2000);
    CHECK_NEAR(b.threshold / 0x1p200, a.threshold, 1e-9 * fabs(a.threshold));
    for (int i = 0; i < 2000; i++)
        CHECK_NEAR(od_calibrate_probability(&a, scores[i]), od_calibrate_probability(&b, twice[i]), 1e-9);
}

TEST(equal_scores)
{
    double same[] = {-3.5, -3.5, -3.5, -3.5, -3.5}, zero[] = {-0.0, 0.0, -0.0};
    od_calibration c = fit(same, 5);
    CHECK_INT(count_flagged(&c, same, 0, 5), 0);
    CHECK(od_calibrate_probability(&c, -3.4) > 0.99);
    CHECK_NEAR(od_calibrate_probability(&c, -3.6), 0.0, 0);
    check_probability(&c);
    c = fit(zero, 3);
    CHECK_INT(count_flagged(&c, zero, 0, 3), 0);
    check_probability(&c);
}

TEST(two_scores)
{
    double x[] = {1.0, 2.0};
    od_calibration c = fit(x, 2);
    CHECK_INT(count_flagged(&c, x, 0, 2), 0);
    CHECK(od_calibrate_probability(&c, 1000.0) > 0.99);
    check_probability(&c);
}

TEST(two_values)
{
    for (int i = 0; i < 1000; i++) scores[i] = i % 2;
    od_calibration c = fit(scores, 1000);
    CHECK_INT(count_flagged(&c, scores, 0, 1000), 0);
    check_probability(&c);
    for (int i = 0; i < 1000; i++) scores[i] = i % 10 < 3;
    c = fit(scores, 1000);
    CHECK_INT(count_flagged(&c, scores, 0, 1000), 0);
    check_probability(&c);
}

TEST(a_few_above_a_constant_bulk)
{
    for (int i = 0; i < 1000; i++) scores[i] = i < 990 ? 5.0 : 6.0 + i % 3;
    od_calibration c = fit(scores, 1000);
    CHECK_INT(count_flagged(&c, scores, 0, 1000), 10);
    check_probability(&c);
}

/* Eight levels, as a table of 0/1 columns gives. */
TEST(few_distinct_scores)
{
    for (int i = 0; i < 4000; i++) scores[i] = (i % 2 == 0) + 1.5 * (i / 2 % 3 == 0) + 2.0 * (i / 6 % 5 == 0);
    od_calibration c = fit(scores, 4000);
    CHECK_INT(count_flagged(&c, scores, 0, 4000), 0);
    check_probability(&c);
    for (int i = 0; i < 40; i++) scores[i * 100] += 30.0;
    c = fit(scores, 4000);
    CHECK_INT(count_flagged(&c, scores, 0, 4000), 40);
    check_probability(&c);
}

TEST(extreme_numbers)
{
    double huge[] = {-DBL_MAX, -1e300, 0.0, 1e300, DBL_MAX};
    od_calibration c = fit(huge, 5);
    check_probability(&c);
    double tiny[50];
    for (int i = 0; i < 50; i++) tiny[i] = i % 7 * DBL_TRUE_MIN;
    c = fit(tiny, 50);
    CHECK_INT(count_flagged(&c, tiny, 0, 50), 0);
    check_probability(&c);
    /* One value that dwarfs all is an outlier, and hides no others. */
    fill(NORMAL, 1000, 20);
    scores[0] = 1e300;
    c = fit(scores, 1000);
    CHECK_INT(count_flagged(&c, scores, 980, 1000) + count_flagged(&c, scores, 0, 1), 21);
    CHECK(count_flagged(&c, scores, 1, 980) <= 2);
    check_probability(&c);
    for (int i = 0; i < 100; i++) scores[i] = 1.0 + i % 5 * DBL_EPSILON;
    c = fit(scores, 100);
    CHECK_INT(count_flagged(&c, scores, 0, 100), 0);
    check_probability(&c);
}

TEST(quantile)
{
    double x[] = {5, 1, 4, 2, 3, 10, 9, 8, 7, 6}, ties[] = {1, 2, 2, 2, 3}, t;
    for (int k = 0; k <= 10; k++) {
        CHECK_INT(od_calibrate_quantile(&t, x, 10, k / 10.0, NULL), ODIM_OK);
        int above = 0;
        for (int i = 0; i < 10; i++) above += x[i] > t;
        CHECK_INT(above, k);
    }
    CHECK_INT(od_calibrate_quantile(&t, x, 10, 0.26, NULL), ODIM_OK);
    CHECK_NEAR(t, 7, 0);
    CHECK_INT(od_calibrate_quantile(&t, ties, 5, 0.4, NULL),
              ODIM_OK); /* 2 of 5, but there is no such place */
    CHECK_NEAR(t, 2, 0);
}

TEST(refusals)
{
    double x[] = {1.0, NAN, 2.0};
    od_calibration c;
    odim_error err = {0};
    CHECK_INT(od_calibrate_fit(&c, x, 1, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "a calibration needs the scores of at least 2 rows");
    CHECK_INT(od_calibrate_fit(&c, x, 3, &err), ODIM_ERR_DATA);
    CHECK_STR(err.msg, "row 2: its score is not a finite number");
    CHECK_INT(err.row, 1);
    double t;
    CHECK_INT(od_calibrate_quantile(&t, x, 0, 0.1, &err), ODIM_ERR_DATA);
    CHECK_INT(od_calibrate_quantile(&t, x, 3, 0.1, &err), ODIM_ERR_DATA);
    x[1] = 3.0;
    od_mem_fail_at(1);
    CHECK_INT(od_calibrate_fit(&c, x, 2, &err), ODIM_ERR_NOMEM);
    CHECK_INT(od_calibrate_quantile(&t, x, 1, 0.1, &err), ODIM_ERR_NOMEM);
    od_mem_fail_at(0);
}

int main(void)
{
    RUN(clean_scores_have_few_outliers);
    RUN(planted_outliers_are_found);
    RUN(another_ordinary_kind_is_no_outlier);
    RUN(order_does_not_matter);
    RUN(scale_does_not_matter);
    RUN(equal_scores);
    RUN(two_scores);
    RUN(two_values);
    RUN(a_few_above_a_constant_bulk);
    RUN(few_distinct_scores);
    RUN(extreme_numbers);
    RUN(quantile);
    RUN(refusals);
    return test_end();
}
