/* tests: trusted_knn. A table small enough for the formulas of trusted_knn.c to be worked by other means. */
#include "test.h"

#include <math.h>

#include "common/mem.h"
#include "detectors/detector.h"

#define N 200
#define D 3

static const od_detector_kind *trusted_fraction;

/* Column 1 is column 0 and a little noise, column 2 alone; the last ten rows are copies of one outlier. */
static void make_rows(float *x)
{
    for (int64_t i = 0; i < N; i++) {
        double u[4];
        for (int k = 0; k < 4; k++) u[k] = sin(12.9898 * (double)(4 * i + k + 1)) * 43758.5453;
        for (int k = 0; k < 4; k++) u[k] -= floor(u[k]);
        x[i * D] = (float)u[0];
        x[i * D + 1] = (float)(u[0] + 0.02 * (u[1] - 0.5));
        x[i * D + 2] = (float)u[2];
        if (i < N - 10) continue;
        x[i * D] = 0.2f;
        x[i * D + 1] = 0.8f;
        x[i * D + 2] = 0.5f;
    }
}

static od_detector fit(const float *x, int64_t n, int64_t d, const bool *trusted, int64_t neighbors,
                       int64_t threads)
{
    od_detector c;
    const od_detector_task task = {
        .x = x, .n = n, .d = d, .trusted = trusted, .neighbors = neighbors, .threads = threads};
    if (od_detector_fit(&c, OD_METHOD_TRUSTED_KNN, &task, NULL)) abort();
    CHECK(trusted_fraction->check(&c, NULL) == ODIM_OK);
    return c;
}

static double score(const od_detector *c, const float *x)
{
    void *scratch = od_alloc(trusted_fraction->scratch(c), 1);
    double v;
    if (!scratch) abort();
    trusted_fraction->score(c, x, 1, scratch, &v);
    od_free(scratch);
    return v;
}

/*
 * One column, five rows, all trusted: x = 0, 1, 2, 3, 4 over 4. Its variance is 1/8, so the features side is
 * x sqrt 8. The axis is the column itself, z = (x - 1/2) / sqrt(1/8), of variance 1: slog(z / sqrt 1.001),
 * brought to width 1 and then to variance 1; nothing is left beside it.
 */
TEST(one_column_by_hand)
{
    const float x[] = {0.0f, 0.25f, 0.5f, 0.75f, 1.0f};
    double side[5], mean = 0.0, square = 0.0;
    od_detector c = fit(x, 5, 1, NULL, 1, 1);
    for (int i = 0; i < 5; i++) {
        double z = ((double)x[i] - 0.5) / sqrt(0.125) / sqrt(1.001);
        side[i] = copysign(log1p(fabs(z)), z);
        mean += side[i] / 5.0;
        square += side[i] * side[i] / 5.0;
    }
    double deviation = sqrt(square - mean * mean);
    for (int i = 0; i < 5; i++) {
        double neighbors = INFINITY;
        for (int k = 0; k < 5; k++) {
            double a = ((double)x[i] - (double)x[k]) * sqrt(8.0), b = (side[i] - side[k]) / deviation;
            if (k != i) neighbors = fmin(neighbors, sqrt(a * a + b * b));
        }
        CHECK_NEAR(score(&c, &x[i]), neighbors, 1e-5);
    }
    od_detector_free(&c);
}

/* Ten copies vouch for each other, until they are not trusted. */
TEST(outliers_that_are_alike)
{
    static float x[N * D];
    bool trusted[N];
    make_rows(x);
    for (int i = 0; i < N; i++) trusted[i] = i < N - 10;
    od_detector all = fit(x, N, D, NULL, 5, 1), some = fit(x, N, D, trusted, 5, 1);
    double most = 0.0;
    for (int i = 0; i < N - 10; i++) most = fmax(most, score(&some, x + (ptrdiff_t)i * D));
    CHECK(score(&all, x + (ptrdiff_t)(N - 1) * D) == 0.0);
    CHECK(score(&some, x + (ptrdiff_t)(N - 1) * D) > most);
    od_detector_free(&all);
    od_detector_free(&some);
}

/* Of the row that breaks the relation of columns 0 and 1 these two are to blame, not column 2; and shares add
 * up to the score. */
TEST(shares)
{
    static float x[N * D];
    make_rows(x);
    bool trusted[N];
    for (int i = 0; i < N; i++) trusted[i] = i < N - 10;
    od_detector c = fit(x, N, D, trusted, 5, 1);
    void *scratch = od_alloc(trusted_fraction->scratch(&c), 1);
    double part[D] = {0};
    const float *row = x + (ptrdiff_t)(N - 1) * D;
    double v = trusted_fraction->attribute(&c, row, scratch, 2.0, part);
    CHECK_NEAR(v, score(&c, row), 1e-9);
    CHECK_NEAR(part[0] + part[1] + part[2], 2.0 * v, 1e-6);
    CHECK(part[0] + part[1] > 10.0 * part[2]);
    CHECK(part[0] >= 0.0 && part[1] >= 0.0 && part[2] >= 0.0);
    od_free(scratch);
    od_detector_free(&c);
}

/* Rows together have the scores they have alone, and threads do not matter. */
TEST(rows_do_not_know_each_other)
{
    static float x[N * D];
    make_rows(x);
    od_detector c = fit(x, N, D, NULL, 7, 1), b = fit(x, N, D, NULL, 7, 3);
    void *scratch = od_alloc(trusted_fraction->scratch(&c), 1);
    double together[OD_DETECTOR_ROWS];
    trusted_fraction->score(&c, x, OD_DETECTOR_ROWS, scratch, together);
    for (int i = 0; i < OD_DETECTOR_ROWS; i++) {
        CHECK(together[i] == score(&c, x + (ptrdiff_t)i * D));
        CHECK(together[i] == score(&b, x + (ptrdiff_t)i * D));
    }
    od_free(scratch);
    od_detector_free(&c);
    od_detector_free(&b);
}

TEST(tables_with_little_in_them)
{
    const float equal[] = {1, 2, 1, 2, 1, 2}, two[] = {0, 1, 1, 1}, other[] = {1, 3};
    od_detector c = fit(equal, 3, 2, NULL, 20, 1);
    CHECK(score(&c, equal) == 0.0);
    CHECK(isfinite(score(&c, other)));
    od_detector_free(&c);
    c = fit(two, 2, 2, NULL, 20, 1);
    CHECK(score(&c, two) > 0.0);
    CHECK_NEAR(score(&c, two), score(&c, two + 2), 1e-6);
    od_detector_free(&c);
    const float wide[] = {0, 1, 2, 3, 4, 5, 6, 7, 7, 1, 5, 3, 0, 2, 4, 1}; /* fewer rows than columns */
    c = fit(wide, 2, 8, NULL, 1, 1);
    CHECK(isfinite(score(&c, wide)));
    od_detector_free(&c);
}

TEST(what_a_file_may_not_say)
{
    static float x[N * D];
    make_rows(x);
    od_detector c = fit(x, N, D, NULL, 5, 1);
    const int64_t q = c.count[3];
    for (int64_t wrong = -1; wrong < 7; wrong++) {
        c.count[3] = wrong;
        CHECK((trusted_fraction->check(&c, NULL) == ODIM_OK) == (wrong == q));
    }
    c.count[3] = q;
    c.part[7].at.d[0] = -1.0;
    CHECK(trusted_fraction->check(&c, NULL) == ODIM_ERR_FORMAT);
    c.part[7].at.d[0] = (double)NAN;
    CHECK(trusted_fraction->check(&c, NULL) == ODIM_ERR_FORMAT);
    c.part[7].at.d[0] = 1.0;
    c.part[7].count--;
    CHECK(trusted_fraction->check(&c, NULL) == ODIM_ERR_FORMAT);
    od_detector_free(&c);
}

int main(void)
{
    trusted_fraction = od_detector_kind_of(OD_METHOD_TRUSTED_KNN);
    RUN(one_column_by_hand);
    RUN(outliers_that_are_alike);
    RUN(shares);
    RUN(rows_do_not_know_each_other);
    RUN(tables_with_little_in_them);
    RUN(what_a_file_may_not_say);
    return test_end();
}
