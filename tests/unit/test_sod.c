/* tests: sod. */
#include "detectors.h"

/*
 * (0, 0) to (5, 0) with three neighbors each, the earlier of equal ones: 123, 023, 013, 124, 235, 234. The
 * new row (2.5, 3) has 1, 2, 3. Row 0 shares three of them, all others two; of these 2 and 3 are nearest.
 * They and 0 agree in the second feature, and vary in the first.
 */
TEST(degrees_by_hand)
{
    const float x[] = {0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0}, new[] = {2.5f, 3};
    od_detector_task task = {.x = x, .n = 6, .d = 2, .neighbors = 3, .references = 3, .threads = 1};
    double *scores = scores_of(OD_METHOD_SOD, &task, new, 1), part[2] = {0};
    CHECK_NEAR(scores[0], 3, 1e-12);
    od_free(scores);
    od_detector c = fitted(OD_METHOD_SOD, &task);
    void *scratch = od_alloc(1, od_detector_kind_of(OD_METHOD_SOD)->scratch(&c));
    CHECK_NEAR(od_detector_kind_of(OD_METHOD_SOD)->attribute(&c, new, scratch, 2, part), 3, 1e-12);
    CHECK(part[0] == 0);
    CHECK_NEAR(part[1], 6, 1e-12);
    od_free(scratch);
    od_detector_free(&c);
}

/* The same on a line, where the only feature counts. 5 has 2, 3, 4; rows 0, 1, 3 and 4 share two of them. 4,
 * 3 and 1 are nearest, with mean 8/3. */
TEST(one_feature)
{
    const float x[] = {0, 1, 2, 3, 4, 5};
    od_detector_task task = {.x = x, .n = 6, .d = 1, .neighbors = 3, .references = 3, .threads = 1};
    double *scores = scores_of(OD_METHOD_SOD, &task, x, 6);
    CHECK_NEAR(scores[5], 5 - 8 / 3.0, 1e-12);
    od_free(scores);
}

/* No row has 100 among its neighbors but the new one, which has 100 and 2: row 0 and the other rows that have
 * 2 come first, and there are no more than three; 100 itself completes them. */
TEST(neighbors_complete_the_references)
{
    const float x[] = {0, 1, 2, 100}, new[] = {100.5f};
    od_detector_task task = {.x = x, .n = 4, .d = 1, .neighbors = 1, .references = 3, .threads = 1};
    /* neighbors: 1, 0 (the earlier), 1, 2; the new row has 100, which is nobody's neighbor */
    double *scores = scores_of(OD_METHOD_SOD, &task, new, 1);
    CHECK_NEAR(scores[0], 0.5, 1e-12);
    od_free(scores);
}

/* Copies count as often as they are there. */
TEST(copies)
{
    const float x[] = {1, 1, 1, 1, 4};
    od_detector_task task = {.x = x, .n = 5, .d = 1, .neighbors = 3, .references = 3, .threads = 1};
    double *scores = scores_of(OD_METHOD_SOD, &task, x, 5);
    for (int i = 0; i < 4; i++) CHECK(scores[i] == 0);
    CHECK_NEAR(scores[4], 3, 1e-12);
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
    check_threads(OD_METHOD_SOD, task);
    od_free(x);
}

TEST(parts_are_the_score)
{
    float *x;
    od_detector_task task = some(&x, 200, 6);
    check_account(OD_METHOD_SOD, &task);
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x;
    od_detector_task task = some(&x, 70, 3);
    check_allocations(OD_METHOD_SOD, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x;
    od_detector_task task = some(&x, 90, 3);
    check_damage(OD_METHOD_SOD, &task);
    /* Links of the lists, which must stay within the rows, in order. */
    static const int32_t odd[] = {-1, 90, INT32_MAX, INT32_MIN};
    double *scores = od_alloc(90, sizeof *scores);
    od_detector c = fitted(OD_METHOD_SOD, &task);
    for (int part = 4; part <= 6; part++)
        for (int64_t at = 0; at < c.part[part].count; at += 1 + c.part[part].count / 7)
            for (int o = 0; o < 4; o++) {
                int32_t kept = c.part[part].at.i[at];
                c.part[part].at.i[at] = odd[o];
                CHECK(refused(&c));
                c.part[part].at.i[at] = kept;
            }
    int64_t references = c.count[3];
    c.count[3] = 0;
    CHECK(refused(&c));
    c.count[3] = 1000; /* more than there are rows */
    CHECK(!refused(&c));
    score_all(&c, x, 90, scores);
    for (int i = 0; i < 90; i++) CHECK(isfinite(scores[i]));
    c.count[3] = references;
    od_detector_free(&c);
    od_free(scores);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_SOD);
}

int main(void)
{
    RUN(degrees_by_hand);
    RUN(one_feature);
    RUN(neighbors_complete_the_references);
    RUN(copies);
    RUN(any_number_of_threads);
    RUN(parts_are_the_score);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    return test_end();
}
