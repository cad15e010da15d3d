/* tests: loda. */
#include "detectors.h"

/* One feature and two bins: whatever the weights, three rows are in one bin and one row is in the other. */
TEST(shares_by_hand)
{
    const float x[] = {0, 0, 0, 10}, new[] = {0, 4, 6, 10, 11, -1, 1e30f};
    od_detector_task task = {.x = x, .n = 4, .d = 1, .projections = 7, .bins = 2, .threads = 1};
    double *scores = scores_of(OD_METHOD_LODA, &task, new, 7);
    const double want[] = {3, 3, 1, 1, 0.5, 0.5, 0.5};
    for (int i = 0; i < 7; i++) CHECK_NEAR(scores[i], -log(want[i] / 4), 1e-12);
    od_free(scores);
}

/* All rows are equal: no surprise, and another value is outside. */
TEST(constant)
{
    const float x[] = {3, 3, 3}, new[] = {3, 4};
    od_detector_task task = {.x = x, .n = 3, .d = 1, .projections = 5, .bins = 10, .threads = 1};
    double *scores = scores_of(OD_METHOD_LODA, &task, new, 2);
    CHECK(scores[0] == 0);
    CHECK_NEAR(scores[1], -log(0.5 / 3), 1e-12);
    od_free(scores);
}

/* The empty bin between two values counts as half a row. */
TEST(empty_bins)
{
    const float x[] = {0, 10}, new[] = {5};
    od_detector_task task = {.x = x, .n = 2, .d = 1, .projections = 3, .bins = 3, .threads = 1};
    double *scores = scores_of(OD_METHOD_LODA, &task, new, 1);
    CHECK_NEAR(scores[0], -log(0.5 / 2), 1e-12);
    od_free(scores);
}

/* Projections use the root of the features, none twice, and each feature about as often as any other. */
TEST(sparse_projections)
{
    enum { D = 10, P = 300 };
    float *x = normal_rows(20, D, 1);
    od_detector_task task = usual_task(x, 20, D);
    task.projections = P;
    od_detector c = fitted(OD_METHOD_LODA, &task);
    int uses[D] = {0};
    double sum = 0, square = 0;
    CHECK_INT(c.count[1], 3);
    for (int64_t i = 0; i < 3 * P; i++) {
        uses[c.part[0].at.i[i]]++;
        CHECK(i % 3 == 0 || c.part[0].at.i[i] > c.part[0].at.i[i - 1]);
        sum += c.part[1].at.d[i];
        square += c.part[1].at.d[i] * c.part[1].at.d[i];
    }
    for (int j = 0; j < D; j++) CHECK(uses[j] > 60 && uses[j] < 120);
    CHECK_NEAR(sum / (3 * P), 0, 0.15);
    CHECK_NEAR(square / (3 * P), 1, 0.2);
    od_detector_free(&c);
    od_free(x);
}

/* The feature test finds the feature that is off, among many. */
TEST(reasons_name_the_feature)
{
    enum { D = 30 };
    float *x = normal_rows(500, D, 2), odd[D] = {0};
    od_detector_task task = usual_task(x, 500, D);
    task.projections = 200;
    od_detector c = fitted(OD_METHOD_LODA, &task);
    void *scratch = od_alloc(1, od_detector_kind_of(OD_METHOD_LODA)->scratch(&c));
    for (int f = 0; f < D; f += 7) {
        double part[D] = {0};
        odd[f] = 9;
        od_detector_kind_of(OD_METHOD_LODA)->attribute(&c, odd, scratch, 1, part);
        odd[f] = 0;
        for (int j = 0; j < D; j++) CHECK(j == f || part[j] < part[f]);
    }
    od_free(scratch);
    od_detector_free(&c);
    od_free(x);
}

TEST(parts_are_the_score)
{
    for (int64_t d = 1; d <= 17; d += 4) {
        float *x = normal_rows(100, d, 5);
        od_detector_task task = usual_task(x, 100, d);
        check_account(OD_METHOD_LODA, &task);
        od_free(x);
    }
}

TEST(any_number_of_threads)
{
    float *x = normal_rows(700, 5, 5);
    check_threads(OD_METHOD_LODA, usual_task(x, 700, 5));
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x = normal_rows(70, 3, 5);
    od_detector_task task = usual_task(x, 70, 3);
    check_allocations(OD_METHOD_LODA, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x = normal_rows(90, 3, 5);
    od_detector_task task = usual_task(x, 90, 3);
    check_damage(OD_METHOD_LODA, &task);
    od_detector c = fitted(OD_METHOD_LODA, &task);
    static const int32_t odd[] = {-1, 3, INT32_MAX};
    for (int o = 0; o < 3; o++) {
        int32_t kept = c.part[0].at.i[1];
        c.part[0].at.i[1] = odd[o];
        CHECK(refused(&c));
        c.part[0].at.i[1] = kept;
    }
    od_detector_free(&c);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_LODA);
}

int main(void)
{
    RUN(shares_by_hand);
    RUN(constant);
    RUN(empty_bins);
    RUN(sparse_projections);
    RUN(reasons_name_the_feature);
    RUN(parts_are_the_score);
    RUN(any_number_of_threads);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    return test_end();
}
