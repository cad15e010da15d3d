/* tests: ocsvm. */
#include "detectors.h"

/* 0 and 2 have deviation 1, so that their kernel is exp(-4); half of the weight belongs to each. */
TEST(two_rows_by_hand)
{
    const float x[] = {0, 2}, new[] = {0, 2, 1, 5};
    od_detector_task task = {.x = x, .n = 2, .d = 1, .nu = 0.5, .threads = 1};
    double *scores = scores_of(OD_METHOD_OCSVM, &task, new, 4), rho = 0.5 + 0.5 * exp(-4);
    CHECK_NEAR(scores[0], 0, 1e-4);
    CHECK_NEAR(scores[1], 0, 1e-4);
    CHECK_NEAR(scores[2], rho - exp(-1), 1e-4);
    CHECK_NEAR(scores[3], rho - 0.5 * exp(-9) - 0.5 * exp(-25), 1e-4);
    od_free(scores);
}

/* With nu 1 every row has the weight 1, and the boundary is the largest sum of kernels. Deviation 3, so that
 * gamma 0.9 is 0.1 in the units of x. */
TEST(all_weights_by_hand)
{
    const float x[] = {0, 6};
    od_detector_task task = {.x = x, .n = 2, .d = 1, .nu = 1, .gamma = 0.9, .threads = 1};
    const float new[] = {0, 3, 100};
    double *scores = scores_of(OD_METHOD_OCSVM, &task, new, 3), rho = 1 + exp(-3.6);
    CHECK_NEAR(scores[0], 0, 1e-6);
    CHECK_NEAR(scores[1], rho - 2 * exp(-0.9), 1e-6);
    CHECK_NEAR(scores[2], rho, 1e-6);
    od_free(scores);
}

/* A row that is copied: its copies may share their weight in any way, and the score is the same. */
TEST(copies)
{
    const float x[] = {0, 0, 0, 0, 1, 1, 1, 1}, new[] = {0, 1, 0.5f};
    od_detector_task task = {.x = x, .n = 8, .d = 1, .nu = 0.5, .threads = 1};
    double *scores = scores_of(OD_METHOD_OCSVM, &task, new, 3);
    CHECK_NEAR(scores[0], 0, 1e-4);
    CHECK_NEAR(scores[1], 0, 1e-4);
    CHECK_NEAR(scores[2], 2 + 2 * exp(-4) - 4 * exp(-1), 1e-3);
    od_free(scores);
}

/* nu is at least the share of the rows outside, and at most that of the support vectors. */
TEST(nu_is_a_share)
{
    enum { N = 400 };
    float *x = normal_rows(N, 3, 8);
    for (double nu = 0.1; nu < 0.95; nu += 0.2) {
        od_detector_task task = usual_task(x, N, 3);
        task.nu = nu;
        od_detector c = fitted(OD_METHOD_OCSVM, &task);
        double scores[N], weights = 0;
        int outside = 0;
        score_all(&c, x, N, scores);
        for (int i = 0; i < N; i++) outside += scores[i] > 1e-3;
        for (int64_t i = 0; i < c.part[1].count; i++) weights += c.part[1].at.d[i];
        CHECK(outside <= nu * N + 1 && (double)c.count[0] >= nu * N - 1);
        CHECK(outside > nu * N - 25);
        CHECK_NEAR(weights, nu * N, 1e-9 * N);
        od_detector_free(&c);
    }
    od_free(x);
}

/* The scale of a column does not matter. */
TEST(scales)
{
    enum { N = 100 };
    float *x = normal_rows(N, 2, 8), y[2 * N];
    for (int i = 0; i < N; i++) {
        y[2 * i] = x[2 * i] * 1024;
        y[2 * i + 1] = x[2 * i + 1] / 4096;
    }
    od_detector_task task = usual_task(x, N, 2), other = usual_task(y, N, 2);
    double *a = scores_of(OD_METHOD_OCSVM, &task, x, N), *b = scores_of(OD_METHOD_OCSVM, &other, y, N);
    CHECK(memcmp(a, b, N * sizeof *a) == 0);
    od_free(a), od_free(b);
    od_free(x);
}

/* Support vectors are training rows. */
TEST(rows_it_keeps)
{
    const float x[] = {0, 2, 0, 2}, new[] = {2, 1};
    bool is_one;
    od_detector_task task = {.x = x, .n = 4, .d = 1, .nu = 1, .threads = 1};
    od_detector c = fitted(OD_METHOD_OCSVM, &task);
    const od_detector_kind *kind = od_detector_kind_of(OD_METHOD_OCSVM);
    CHECK_INT(c.count[0], 4);
    CHECK_INT(kind->rows(&c, new, &is_one), 2);
    CHECK(is_one);
    kind->rows(&c, new + 1, &is_one);
    CHECK(!is_one);
    od_detector_free(&c);
}

static char note[300];

static void take_note(const char *text, void *user)
{
    (void)user;
    snprintf(note, sizeof note, "%s", text);
}

/* Of more than 4096 rows it learns from a sample, which the seed chooses, and says so. */
TEST(a_sample_of_the_rows)
{
    enum { N = 4500 };
    float *x = normal_rows(N, 2, 8);
    for (int i = 0; i < N; i++) x[2 * i] = (float)i; /* the number of the row */
    od_detector_task task = usual_task(x, N, 2);
    odim_hooks hooks = {.size = sizeof hooks, .note = take_note};
    od_detector_note(OD_METHOD_OCSVM, N, 2, &hooks);
    CHECK_STR(note, "ocsvm learns from 4096 rows of 4500, chosen by the seed; all rows are scored");
    task.nu = 1; /* every row is kept */
    od_detector c = fitted(OD_METHOD_OCSVM, &task);
    CHECK_INT(c.count[0], 4096);
    double last = -1, scale = c.part[3].at.d[0];
    int64_t late = 0;
    for (int64_t i = 0; i < 4096; i++) {
        double row = (double)c.part[0].at.f[i / 16 * 32 + i % 16] / scale;
        CHECK(row > last + 0.5);
        late += row > N / 2;
        last = row;
    }
    CHECK(late > 1900 && late < 2200);
    od_detector_free(&c);
    task.threads = 3;
    od_detector other = fitted(OD_METHOD_OCSVM, &task);
    task.threads = 1;
    c = fitted(OD_METHOD_OCSVM, &task);
    CHECK(same_fit(&c, &other));
    od_detector_free(&c);
    od_detector_free(&other);
    task.n = 4096;
    note[0] = '\0';
    od_detector_note(OD_METHOD_OCSVM, 4096, 2, &hooks);
    CHECK_STR(note, "");
    od_free(x);
}

TEST(any_number_of_threads)
{
    float *x = normal_rows(500, 3, 5);
    check_threads(OD_METHOD_OCSVM, usual_task(x, 500, 3));
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x = normal_rows(70, 3, 5);
    od_detector_task task = usual_task(x, 70, 3);
    check_allocations(OD_METHOD_OCSVM, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x = normal_rows(90, 3, 5);
    od_detector_task task = usual_task(x, 90, 3);
    check_damage(OD_METHOD_OCSVM, &task);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_OCSVM);
}

int main(void)
{
    RUN(two_rows_by_hand);
    RUN(all_weights_by_hand);
    RUN(copies);
    RUN(nu_is_a_share);
    RUN(scales);
    RUN(rows_it_keeps);
    RUN(a_sample_of_the_rows);
    RUN(any_number_of_threads);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    return test_end();
}
