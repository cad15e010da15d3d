/* tests: cof. */
#include "detectors.h"

/*
 * On a line: 0, 1, 3, 7 and k = 2, so that the first distance counts 2/3 and the second 1/3. Of 0: 1 at 1,
 * then 3 at 2 from 1: 4/3. Of 1: 0 at 1, then 3 at 2: 4/3. Of 3: 1 at 2, then 0 at 1 from 1: 5/3. Of 7: 3 at
 * 4, then 1 at 2 from 3: 10/3.
 */
TEST(factors_by_hand)
{
    const float x[] = {0, 1, 3, 7, 4};
    od_detector_task task = {.x = x, .n = 4, .d = 1, .neighbors = 2, .threads = 1};
    double *scores = scores_of(OD_METHOD_COF, &task, x, 5);
    double c0 = 4 / 3.0, c1 = 4 / 3.0, c3 = 5 / 3.0, c7 = 10 / 3.0;
    CHECK_NEAR(scores[0], c0 * 2 / (c1 + c3), 1e-9);
    CHECK_NEAR(scores[1], c1 * 2 / (c0 + c3), 1e-9);
    CHECK_NEAR(scores[2], c3 * 2 / (c1 + c0), 1e-9);
    CHECK_NEAR(scores[3], c7 * 2 / (c3 + c1), 1e-9);
    /* 4 is new: 3 at 1, then 1, the earlier of two at 3, at 2 from 3 */
    CHECK_NEAR(scores[4], 4 / 3.0 * 2 / (c3 + c1), 1e-9);
    od_free(scores);
}

/* 1, 1, 1 and 2 with k = 3: copies are connected at no distance. Of 1: two copies, then 2 at 1, which counts
 * 1/6. Of 2: 1 at 1, which counts 1/2, and its copies. */
TEST(copies)
{
    const float x[] = {1, 1, 1, 2};
    od_detector_task task = {.x = x, .n = 4, .d = 1, .neighbors = 3, .threads = 1};
    double *scores = scores_of(OD_METHOD_COF, &task, x, 4);
    CHECK_NEAR(scores[0], 1 / 6.0 * 3 / (2 / 6.0 + 0.5), 1e-9);
    CHECK(scores[1] == scores[0] && scores[2] == scores[0]);
    CHECK_NEAR(scores[3], 0.5 * 3 / (3 / 6.0), 1e-8);
    od_free(scores);
}

static od_detector_task some(float **x, int64_t n, int64_t d)
{
    *x = rows_with_copies(n, d);
    return usual_task(*x, n, d);
}

TEST(any_number_of_threads)
{
    float *x;
    od_detector_task task = some(&x, 700, 3);
    check_threads(OD_METHOD_COF, task);
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x;
    od_detector_task task = some(&x, 70, 3);
    check_allocations(OD_METHOD_COF, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x;
    od_detector_task task = some(&x, 90, 3);
    check_damage(OD_METHOD_COF, &task);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_COF);
}

int main(void)
{
    RUN(factors_by_hand);
    RUN(copies);
    RUN(any_number_of_threads);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    return test_end();
}
