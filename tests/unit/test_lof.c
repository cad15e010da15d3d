/* tests: lof kept_neighbors. */
#include "detectors.h"

/*
 * On a line: 0, 1, 3, 7 and k = 2. Distances to the second neighbour: 3, 2, 3, 6. Mean reach of 0: to 1 and
 * 3, (max(1, 2) + max(3, 3)) / 2 = 2.5; of 1: to 0 and 3, (3 + 3) / 2 = 3; of 3: to 1 and 0, (2 + 3) / 2
 * = 2.5; of 7: to 3 and 1, (4 + 6) / 2 = 5.
 */
TEST(factors_by_hand)
{
    const float x[] = {0, 1, 3, 7, 4};
    od_detector_task task = {.x = x, .n = 4, .d = 1, .neighbors = 2, .threads = 1};
    double *scores = scores_of(OD_METHOD_LOF, &task, x, 5);
    double d0 = 1 / 2.5, d1 = 1 / 3.0, d3 = 1 / 2.5, d7 = 1 / 5.0;
    CHECK_NEAR(scores[0], (d1 + d3) / 2 / d0, 1e-9);
    CHECK_NEAR(scores[1], (d0 + d3) / 2 / d1, 1e-9);
    CHECK_NEAR(scores[2], (d1 + d0) / 2 / d3, 1e-9);
    CHECK_NEAR(scores[3], (d3 + d1) / 2 / d7, 1e-9);
    /* 4 is new: its neighbours are 3 and, of 1 and 7 at the same distance, 1; reach (3 + 3) / 2 */
    CHECK_NEAR(scores[4], (d3 + d1) / 2 * 3, 1e-9);
    od_free(scores);
}

/* Rows of a crowd of copies: nothing to reach, and 1e-10 in its place. */
TEST(copies)
{
    float x[40];
    for (int i = 0; i < 40; i++) x[i] = i < 30 ? 1 : (float)i;
    od_detector_task task = {.x = x, .n = 40, .d = 1, .neighbors = 5, .threads = 1};
    const float new[] = {1, 3};
    double *scores = scores_of(OD_METHOD_LOF, &task, new, 2);
    CHECK_NEAR(scores[0], 1, 1e-12);
    CHECK_NEAR(scores[1], 1e10 * 2, 1e4);
    od_free(scores);
}

static od_detector_task some(float **x, int64_t n, int64_t d)
{
    *x = rows_with_copies(n, d);
    return (od_detector_task){.x = *x, .n = n, .d = d, .neighbors = 4, .threads = 2};
}

TEST(any_number_of_threads)
{
    float *x;
    od_detector_task task = some(&x, 700, 3);
    check_threads(OD_METHOD_LOF, task);
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x;
    od_detector_task task = some(&x, 70, 3);
    check_allocations(OD_METHOD_LOF, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x;
    od_detector_task task = some(&x, 90, 3);
    check_damage(OD_METHOD_LOF, &task);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_LOF);
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
