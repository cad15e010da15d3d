/* tests: cblof kmeans. */
#include "detectors.h"

#include "detectors/kmeans.h"

/* Copies of 0, 10, 20 and so on, as many as `rows` says. */
static od_detector_task crowds(float *x, const int *rows, int count)
{
    int64_t n = 0;
    for (int c = 0; c < count; c++)
        for (int i = 0; i < rows[c]; i++) x[n++] = (float)(10 * c);
    od_detector_task task = usual_task(x, n, 1);
    task.clusters = count;
    return task;
}

/* Which clusters are large, by hand. */
TEST(large_clusters)
{
    static const struct {
        int rows[4], count, large;
    } cases[] = {
        {{20, 20, 1}, 3, 2},   /* both rules: 40 of 41 rows, and then 1 after 20 */
        {{18, 18, 4}, 3, 2},   /* 36 of 40 rows, but 4 is more than a fifth of 18 */
        {{50, 10, 10}, 3, 1},  /* 10 after 50, but 50 of 70 rows are too few */
        {{10, 10, 10}, 3, 3},  /* neither */
        {{90, 6, 5, 1}, 4, 3}, /* 96 of 102 rows and not yet a fall: 1 after 5 is one */
        {{95, 2, 2, 2}, 4, 1}, /* at once */
        {{7}, 1, 1},           /* one cluster */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float x[128];
        od_detector_task task = crowds(x, cases[i].rows, cases[i].count);
        od_detector c = fitted(OD_METHOD_CBLOF, &task);
        CHECK_INT(c.count[0], cases[i].large);
        od_detector_free(&c);
    }
}

TEST(distances_by_hand)
{
    float x[64];
    const float new[] = {0, 10, 4, 6, 20, 100};
    const double want[] = {0, 0, 4, 4, 10, 90};
    od_detector_task task = crowds(x, (const int[]){20, 20, 1}, 3);
    double *scores = scores_of(OD_METHOD_CBLOF, &task, new, 6);
    for (int i = 0; i < 6; i++) CHECK(scores[i] == want[i]);
    od_free(scores);
}

/* Centers that are training rows are counted as such. */
TEST(rows_it_keeps)
{
    float x[64];
    const float new[] = {0, 3};
    bool is_one;
    od_detector_task task = crowds(x, (const int[]){20, 20, 1}, 3);
    od_detector c = fitted(OD_METHOD_CBLOF, &task);
    const od_detector_kind *kind = od_detector_kind_of(OD_METHOD_CBLOF);
    CHECK_INT(kind->rows(&c, new, &is_one), 2);
    CHECK(is_one);
    CHECK_INT(kind->rows(&c, new + 1, &is_one), 2);
    CHECK(!is_one);
    od_detector_free(&c);
    x[0] = 0.5f; /* the first crowd is no longer of equal rows */
    c = fitted(OD_METHOD_CBLOF, &task);
    CHECK_INT(kind->rows(&c, new, &is_one), 1);
    od_detector_free(&c);
}

/* Three round crowds: the centers are their means, and clusters have their rows. */
TEST(means_of_crowds)
{
    enum { N = 300 };
    float *x = normal_rows(N, 2, 3);
    double mean[3][2] = {{0}};
    for (int i = 0; i < N; i++) {
        x[2 * i] += (float)(i % 3) * 50;
        x[2 * i + 1] -= (float)(i % 3) * 20;
        for (int j = 0; j < 2; j++) mean[i % 3][j] += (double)x[2 * i + j] / (N / 3);
    }
    od_detector_task task = usual_task(x, N, 2);
    od_kmeans k;
    REQUIRE(od_kmeans_fit(&k, &task, 3, NULL) == ODIM_OK);
    CHECK_INT(k.count, 3);
    for (int i = 0; i < 3; i++) {
        double x0 = *od_center_value(k.center, 2, i, 0);
        int which = x0 < 25 ? 0 : x0 < 75 ? 1 : 2;
        for (int j = 0; j < 2; j++) CHECK_NEAR(*od_center_value(k.center, 2, i, j), mean[which][j], 1e-9);
        CHECK(k.cluster[i].number == i && k.cluster[i].rows == N / 3 && !k.cluster[i].equal);
    }
    od_kmeans_free(&k);
    od_free(x);
}

/* There are as many clusters as different rows, at most; more than a block of them. */
TEST(few_rows_and_many_clusters)
{
    float x[60];
    for (int i = 0; i < 60; i++) x[i] = (float)(i % 20) * (float)(i % 20);
    od_detector_task task = usual_task(x, 60, 1);
    od_kmeans k;
    REQUIRE(od_kmeans_fit(&k, &task, 50, NULL) == ODIM_OK);
    double square;
    for (int i = 0; i < 60; i++) {
        od_center_nearest(k.center, od_center_blocks(k.count), 1, x + i, &square);
        CHECK(square == 0);
    }
    for (int64_t i = 0; i < k.count; i++) CHECK(k.cluster[i].equal || !k.cluster[i].rows);
    CHECK(k.count > 8 && k.count <= 20);
    od_kmeans_free(&k);
}

TEST(any_number_of_threads)
{
    float *x = normal_rows(700, 3, 5);
    check_threads(OD_METHOD_CBLOF, usual_task(x, 700, 3));
    od_free(x);
}

TEST(parts_are_the_score)
{
    float *x = normal_rows(200, 6, 5);
    od_detector_task task = usual_task(x, 200, 6);
    check_account(OD_METHOD_CBLOF, &task);
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x = normal_rows(70, 3, 5);
    od_detector_task task = usual_task(x, 70, 3);
    check_allocations(OD_METHOD_CBLOF, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x = normal_rows(90, 3, 5);
    od_detector_task task = usual_task(x, 90, 3);
    check_damage(OD_METHOD_CBLOF, &task);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_CBLOF);
}

int main(void)
{
    RUN(large_clusters);
    RUN(distances_by_hand);
    RUN(rows_it_keeps);
    RUN(means_of_crowds);
    RUN(few_rows_and_many_clusters);
    RUN(any_number_of_threads);
    RUN(parts_are_the_score);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    return test_end();
}
