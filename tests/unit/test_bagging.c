/* tests: bagging. */
#include "detectors.h"

/* Of one feature every bag has it, and the score is that of lof. */
TEST(one_feature)
{
    float *x = normal_rows(60, 1, 3);
    od_detector_task task = usual_task(x, 60, 1);
    double *all = scores_of(OD_METHOD_BAGGING, &task, x, 60), *lof = scores_of(OD_METHOD_LOF, &task, x, 60);
    for (int i = 0; i < 60; i++) CHECK_NEAR(all[i], lof[i], 1e-12 * lof[i]);
    od_free(all), od_free(lof);
    od_free(x);
}

/* The mean of lof over the features that the plan names: half of them to all, none twice. */
TEST(mean_of_the_bags)
{
    enum { N = 80, D = 5, BAGS = 40 };
    float *x = normal_rows(N, D, 4), part[N * D];
    od_detector_task task = usual_task(x, N, D);
    task.bags = BAGS;
    od_detector c = fitted(OD_METHOD_BAGGING, &task);
    double got[N], sum[N] = {0};
    int sizes[D + 1] = {0}, used[D] = {0};
    score_all(&c, x, N, got);
    const int32_t *plan = c.part[6].at.i;
    for (int b = 0; b < BAGS; b++) {
        int32_t d = plan[0];
        REQUIRE(d >= D / 2 && d <= D);
        sizes[d]++;
        for (int32_t j = 0; j < d; j++) {
            CHECK(j == 0 || plan[3 + j] > plan[2 + j]);
            used[plan[3 + j]]++;
            for (int i = 0; i < N; i++) part[i * d + j] = x[i * D + plan[3 + j]];
        }
        od_detector_task own = usual_task(part, N, d);
        double *scores = scores_of(OD_METHOD_LOF, &own, part, N);
        for (int i = 0; i < N; i++) sum[i] += scores[i] / BAGS;
        od_free(scores);
        plan += 3 + d;
    }
    for (int i = 0; i < N; i++) CHECK_NEAR(got[i], sum[i], 1e-12 * sum[i]);
    for (int d = D / 2; d <= D; d++) CHECK(sizes[d] > 0);
    for (int j = 0; j < D; j++) CHECK(used[j] > BAGS / 2);
    od_detector_free(&c);
    od_free(x);
}

TEST(any_number_of_threads)
{
    float *x = normal_rows(700, 4, 5);
    check_threads(OD_METHOD_BAGGING, usual_task(x, 700, 4));
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x = normal_rows(70, 3, 5);
    od_detector_task task = usual_task(x, 70, 3);
    check_allocations(OD_METHOD_BAGGING, &task);
    od_free(x);
}

/* What the plan says must be what the arrays have. */
TEST(damaged_files)
{
    float *x = normal_rows(90, 3, 5);
    od_detector_task task = usual_task(x, 90, 3);
    check_damage(OD_METHOD_BAGGING, &task);
    static const int32_t odd[] = {-1, 0, 1, 2, 3, 4, 89, 91, INT32_MAX, INT32_MIN};
    double scores[90];
    od_detector c = fitted(OD_METHOD_BAGGING, &task);
    for (int64_t at = 0; at < c.part[6].count; at++)
        for (size_t o = 0; o < sizeof odd / sizeof *odd; o++) {
            int32_t kept = c.part[6].at.i[at];
            c.part[6].at.i[at] = odd[o];
            if (odd[o] < 0 || odd[o] > 90) CHECK(refused(&c));
            if (!refused(&c)) score_all(&c, x, 90, scores);
            c.part[6].at.i[at] = kept;
        }
    od_detector_free(&c);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_BAGGING);
}

int main(void)
{
    RUN(one_feature);
    RUN(mean_of_the_bags);
    RUN(any_number_of_threads);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    return test_end();
}
