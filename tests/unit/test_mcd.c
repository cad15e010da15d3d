/* tests: mcd fastmcd. */
#include "detectors.h"

#include "detectors/pca_space.h"
#include "detectors/covariance.h"
#include "detectors/fastmcd.h"
#include "common/sort.h"

TEST(how_many_support)
{
    CHECK_INT(od_mcd_support(100, 3), 52);
    CHECK_INT(od_mcd_support(101, 3), 53);
    CHECK_INT(od_mcd_support(4, 3), 4);
    CHECK_INT(od_mcd_support(2, 1), 2);
}

/* In one dimension the best subset is a run of sorted values, and all of them can be tried. */
TEST(one_column)
{
    enum { N = 45 };
    for (uint32_t seed = 1; seed <= 8; seed++) {
        float *x = normal_rows(N, 1, seed);
        double z[N], best = INFINITY, mean, cov, room[OD_SCATTER_ROWS];
        for (int i = 0; i < N; i++) z[i] = i % 5 ? (double)x[i] : 6 + (double)x[i];
        od_mcd_task task = {.z = z, .n = N, .q = 1, .seed = seed, .threads = 1};
        int32_t which[N];
        int64_t h = od_mcd_support(N, 1);
        REQUIRE(od_mcd_search(&task, which, NULL) == ODIM_OK);
        od_mean_covariance(z, 1, which, h, &mean, &cov, room);
        for (int64_t i = 1; i < h; i++) CHECK(which[i] > which[i - 1]);
        double order[N];
        memcpy(order, z, sizeof z);
        od_sort_double(order, N);
        for (int start = 0; start + h <= N; start++) {
            double m = 0, v = 0;
            for (int64_t i = 0; i < h; i++) m += order[start + i] / (double)h;
            for (int64_t i = 0; i < h; i++) v += (order[start + i] - m) * (order[start + i] - m) / (double)h;
            best = fmin(best, v);
        }
        CHECK_NEAR(cov, best, 1e-12);
        od_free(x);
    }
}

/* All subsets of 12 rows in the plane. */
TEST(all_subsets)
{
    enum { N = 12 };
    for (uint32_t seed = 1; seed <= 6; seed++) {
        float *x = normal_rows(N, 2, seed);
        double z[2 * N], best = INFINITY, mean[2], cov[4], room[2 * OD_SCATTER_ROWS];
        int32_t which[N];
        for (int i = 0; i < 2 * N; i++) z[i] = (double)x[i];
        int64_t h = od_mcd_support(N, 2);
        for (int mask = 0; mask < 1 << N; mask++) {
            int64_t count = 0;
            for (int i = 0; i < N; i++)
                if (mask >> i & 1) which[count++] = i;
            if (count != h) continue;
            od_mean_covariance(z, 2, which, h, mean, cov, room);
            best = fmin(best, cov[0] * cov[3] - cov[1] * cov[2]);
        }
        od_mcd_task task = {.z = z, .n = N, .q = 2, .seed = seed, .threads = 1};
        REQUIRE(od_mcd_search(&task, which, NULL) == ODIM_OK);
        od_mean_covariance(z, 2, which, h, mean, cov, room);
        CHECK_NEAR(cov[0] * cov[3] - cov[1] * cov[2], best, 1e-9 * best);
        od_free(x);
    }
}

/* Two in five rows lie together elsewhere: the distances of the others are as if these were not there. */
TEST(many_outliers)
{
    enum { D = 4 };
    static const int64_t sizes[] = {150, 900, 4000};
    for (int s = 0; s < 3; s++) {
        int64_t n = sizes[s], bad = n * 2 / 5;
        float *x = normal_rows(n, D, 3);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < D; j++) x[i * D + j] = x[i * D + j] * (float)(j + 1) + (i < bad ? 30 : 0);
        od_detector_task task = {.x = x, .n = n, .d = D, .seed = 1, .threads = 1};
        double *scores = scores_of(OD_METHOD_MCD, &task, x, n), least = INFINITY, most = 0, mean = 0;
        for (int64_t i = 0; i < bad; i++) least = fmin(least, scores[i]);
        for (int64_t i = bad; i < n; i++) most = fmax(most, scores[i]), mean += scores[i] / (double)(n - bad);
        CHECK(least > most);
        CHECK_NEAR(mean, D, 1.3); /* rows beyond the 0.975 quantile did not count */
        od_free(scores), od_free(x);
    }
}

/* The score does not depend on how columns are mixed, moved and scaled. */
TEST(mixed_columns)
{
    enum { N = 300, D = 3 };
    float *x = normal_rows(N, D, 8), y[N * D];
    for (int i = 0; i < N; i++) {
        float *a = x + i * D, *b = y + i * D;
        if (i % 6 == 0) a[0] += 8;
        b[0] = 100 + 8 * a[0] - 4 * a[1], b[1] = a[1] / 16 + a[2] / 8, b[2] = a[0] + a[2] * 2;
    }
    od_detector_task one = {.x = x, .n = N, .d = D, .seed = 1, .threads = 1}, two = one;
    two.x = y;
    double *a = scores_of(OD_METHOD_MCD, &one, x, N), *b = scores_of(OD_METHOD_MCD, &two, y, N);
    for (int i = 0; i < N; i++) CHECK_NEAR(b[i], a[i], 1e-3 * (1 + a[i]));
    od_free(a), od_free(b), od_free(x);
}

/* A hyperplane that all rows keep; a category, of which the half that counts has one level; a constant. */
TEST(no_variance)
{
    enum { N = 600, D = 6 };
    float *x = normal_rows(N + 2, D, 4);
    for (int i = 0; i < N + 2; i++) {
        float *a = x + i * D;
        a[2] = (a[0] - a[1]) / 3;
        a[3] = i % 10 != 0, a[4] = i % 10 == 0, a[5] = 0.5f;
    }
    x[N * D + 2] += 0.02f;
    x[(N + 1) * D + 5] = 0.51f;
    od_detector_task task = {.x = x, .n = N, .d = D, .seed = 1, .threads = 1};
    double *scores = scores_of(OD_METHOD_MCD, &task, x, N + 2), most = 0, rare = 0, usual = 0;
    for (int i = 0; i < N; i++) {
        most = fmax(most, scores[i]);
        if (i % 10 == 0) rare += scores[i] / (N / 10);
        if (i % 10 != 0) usual += scores[i] / (N - N / 10);
    }
    CHECK(scores[N] > 100 * most && scores[N + 1] > 100 * most);
    CHECK(rare > usual + 3 && rare < usual + 30); /* odd, as one of ten is, and no more */
    od_free(scores), od_free(x);
}

/* More than half of the rows are equal. */
TEST(equal_rows)
{
    enum { N = 200, D = 3 };
    float *x = normal_rows(N, D, 4);
    for (int i = 0; i < N * 3 / 5; i++)
        for (int j = 0; j < D; j++) x[i * D + j] = 1;
    od_detector_task task = {.x = x, .n = N, .d = D, .seed = 1, .threads = 1};
    double *scores = scores_of(OD_METHOD_MCD, &task, x, N);
    for (int i = 0; i < N * 3 / 5; i++) CHECK_NEAR(scores[i], 0, 1e-9);
    for (int i = N * 3 / 5; i < N; i++) CHECK(scores[i] > 0.1 && scores[i] < 1e3);
    od_free(scores), od_free(x);
}

/* More columns than rows: onto few axes, with the rest beside them. */
TEST(wide)
{
    enum { N = 40, D = 60 };
    float *x = normal_rows(N, D, 4);
    for (int i = 0; i < N; i++)
        for (int j = 1; j < D; j++) x[i * D + j] = x[i * D] * (float)(j % 3) + x[i * D + j] / 10;
    for (int j = 0; j < D; j++) x[3 * D + j] += (float)(j % 2);
    od_detector_task task = {.x = x, .n = N, .d = D, .seed = 1, .threads = 1};
    double *scores = scores_of(OD_METHOD_MCD, &task, x, N);
    for (int i = 0; i < N; i++) CHECK(i == 3 || scores[i] < scores[3] / 2);
    od_free(scores), od_free(x);
}

static od_detector_task some(float **x, int64_t n, int64_t d)
{
    *x = normal_rows(n, d, 5);
    return (od_detector_task){.x = *x, .n = n, .d = d, .seed = 3, .threads = 2};
}

TEST(any_number_of_threads)
{
    float *x;
    od_detector_task task = some(&x, 1700, 5);
    check_threads(OD_METHOD_MCD, task);
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x;
    od_detector_task task = some(&x, 70, 3);
    check_allocations(OD_METHOD_MCD, &task);
    od_free(x);
    task = some(&x, 6, 9);
    check_allocations(OD_METHOD_MCD, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x;
    od_detector_task task = some(&x, 90, 3);
    check_damage(OD_METHOD_MCD, &task);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_MCD);
}

/* Enough rows, dependent columns, and more columns than rows can tell apart. */
TEST(shares)
{
    float *x;
    od_detector_task task = some(&x, 200, 5);
    check_account(OD_METHOD_MCD, &task);
    for (int i = 0; i < 200; i++) x[5 * i + 4] = x[5 * i] / 2 - x[5 * i + 1];
    check_account(OD_METHOD_MCD, &task);
    od_free(x);
    task = some(&x, 20, 12);
    check_account(OD_METHOD_MCD, &task);
    od_free(x);
}

int main(void)
{
    RUN(how_many_support);
    RUN(one_column);
    RUN(all_subsets);
    RUN(many_outliers);
    RUN(mixed_columns);
    RUN(no_variance);
    RUN(equal_rows);
    RUN(wide);
    RUN(any_number_of_threads);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    RUN(shares);
    return test_end();
}
