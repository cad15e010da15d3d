/* tests: pca_space pca. */
#include "detectors.h"

#include "detectors/pca_space.h"

/* Two columns, standardised: (x, y) with correlation r has the variances 1 + r and 1 - r along (1, 1) and
 * (1, -1). Values 1, 2, 3, 4 and 1, 3, 2, 4: r = 0.8. */
TEST(two_columns_by_hand)
{
    const float x[] = {10, 1, 20, 3, 30, 2, 40, 4};
    od_detector_task task = {.x = x, .n = 4, .d = 2, .threads = 1};
    od_detector c = {.method = OD_METHOD_PCA, .d = 2};
    REQUIRE(od_pca_space_scale(&c, &task, false, NULL) == ODIM_OK);
    CHECK_NEAR(c.part[OD_PCA_SPACE_CENTRE].at.d[0], 25, 1e-12);
    CHECK_NEAR(c.part[OD_PCA_SPACE_CENTRE].at.d[1], 2.5, 1e-12);
    CHECK_NEAR(c.part[OD_PCA_SPACE_CENTRE].at.d[2], sqrt(125), 1e-12);
    CHECK_NEAR(c.part[OD_PCA_SPACE_CENTRE].at.d[3], sqrt(1.25), 1e-12);
    REQUIRE(od_pca_space_turn(&c, &task, 2, OD_NO_VARIANCE, NULL) == ODIM_OK);
    CHECK_INT(c.count[OD_PCA_SPACE_Q], 1); /* four rows are enough for one axis */
    CHECK_NEAR(c.part[OD_PCA_SPACE_LENGTH].at.d[0], 1.8, 1e-12);
    CHECK_NEAR(c.part[OD_PCA_SPACE_LENGTH].at.d[1], 0.2, 1e-12);
    CHECK_NEAR(c.part[OD_PCA_SPACE_AXES].at.d[0], sqrt(0.5), 1e-12);
    CHECK_NEAR(c.part[OD_PCA_SPACE_AXES].at.d[1], sqrt(0.5), 1e-12);
    double scores[4]; /* the second row: z = (-1, 1) / sqrt(5), all of it along the second axis */
    score_all(&c, x, 4, scores);
    CHECK_NEAR(scores[1], 0.4 / 0.2, 1e-12);
    CHECK_NEAR(scores[0], 3.6 / 1.8, 1e-12);
    double part[2] = {0}; /* the first row: z = -(3, 3) / sqrt(5), half of it each */
    double room[2 * 64 * 3];
    CHECK_NEAR(od_detector_kind_of(OD_METHOD_PCA)->attribute(&c, x, room, 1, part), 2, 1e-12);
    CHECK_NEAR(part[0], 1, 1e-12);
    CHECK_NEAR(part[1], 1, 1e-12);
    od_detector_free(&c);
}

TEST(scale_by_medians)
{
    const float x[] = {1, 7, 0, 2, 7, 0, 3, 7, 0, 4, 7, 0, 1000, 7, 5};
    od_detector_task task = {.x = x, .n = 5, .d = 3, .threads = 1};
    od_detector c = {.method = OD_METHOD_MCD, .d = 3};
    REQUIRE(od_pca_space_scale(&c, &task, true, NULL) == ODIM_OK);
    const double *centre = c.part[OD_PCA_SPACE_CENTRE].at.d;
    CHECK_NEAR(centre[0], 3, 0);
    CHECK_NEAR(centre[3], 1.482602218505602, 1e-12);
    CHECK(centre[1] == 7 && centre[4] == 1); /* constant */
    CHECK_NEAR(centre[2], 0, 0);
    CHECK_NEAR(centre[5], 2, 1e-12); /* more than half are equal: the standard deviation */
    od_detector_free(&c);
}

/* The axes of few rows are found by their products with each other: the same as by those of columns. */
TEST(axes_by_rows_and_by_columns)
{
    enum { N = 12, D = 11 };
    float *x = normal_rows(N, D + 2, 4), tall[N * D], wide[N * (D + 2)];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D + 2; j++) { /* the last two are there already: nothing new, but N < D + 2 */
            float v = x[i * (D + 2) + (j < D ? j : 0)];
            wide[i * (D + 2) + j] = v;
            if (j < D) tall[i * D + j] = v;
        }
    od_detector_task t = {.x = tall, .n = N, .d = D, .threads = 1},
                     w = {.x = wide, .n = N, .d = D + 2, .threads = 1};
    od_detector a = {.method = OD_METHOD_PCA, .d = D}, b = {.method = OD_METHOD_PCA, .d = D + 2};
    REQUIRE(od_pca_space_scale(&a, &t, false, NULL) == ODIM_OK &&
            od_pca_space_turn(&a, &t, D, OD_NO_VARIANCE, NULL) == ODIM_OK);
    REQUIRE(od_pca_space_scale(&b, &w, false, NULL) == ODIM_OK &&
            od_pca_space_turn(&b, &w, D, OD_NO_VARIANCE, NULL) == ODIM_OK);
    CHECK_INT(a.count[OD_PCA_SPACE_Q], 4);
    CHECK_INT(b.count[OD_PCA_SPACE_Q], 4);
    /* A wide axis is an eigenvector of the correlations of the wide columns. */
    const double *centre = b.part[OD_PCA_SPACE_CENTRE].at.d, *axes = b.part[OD_PCA_SPACE_AXES].at.d;
    for (int k = 0; k < 4; k++) {
        double length = 0;
        for (int j = 0; j < D + 2; j++) {
            double image = 0;
            length += axes[j * 4 + k] * axes[j * 4 + k];
            for (int l = 0; l < D + 2; l++)
                for (int i = 0; i < N; i++) {
                    double zj = (wide[i * (D + 2) + j] - centre[j]) / centre[D + 2 + j];
                    double zl = (wide[i * (D + 2) + l] - centre[l]) / centre[D + 2 + l];
                    image += zj * zl / N * axes[l * 4 + k];
                }
            CHECK_NEAR(image, b.part[OD_PCA_SPACE_LENGTH].at.d[k] * axes[j * 4 + k], 1e-10);
        }
        CHECK_NEAR(length, 1, 1e-10);
    }
    od_detector_free(&a), od_detector_free(&b);
    od_free(x);
}

/* The third column is the sum of the others: who breaks that stands out, and roundings do not. */
/* More rows than are scaled at a time. The axes have length 1 and right angles, and rows of a list give what
 * they give side by side. */
TEST(axes_by_groups_of_rows)
{
    enum { N = 300, D = 320 };
    float *x = normal_rows(2 * N, D, 9), *some = od_alloc(N * D, sizeof *some);
    int32_t which[N];
    for (int i = 0; i < N; i++) {
        which[i] = 2 * i + i % 2;
        memcpy(some + i * D, x + which[i] * D, D * sizeof *some);
    }
    od_detector_task t = {.x = some, .n = N, .d = D, .threads = 2};
    od_detector a = {.method = OD_METHOD_PCA, .d = D}, b = a;
    REQUIRE(od_pca_space_scale(&a, &t, false, NULL) == ODIM_OK &&
            od_pca_space_scale(&b, &t, false, NULL) == ODIM_OK);
    REQUIRE(od_pca_space_turn(&a, &t, D, OD_NO_VARIANCE, NULL) == ODIM_OK);
    t.x = x;
    t.which = which;
    t.threads = 1;
    REQUIRE(od_pca_space_turn(&b, &t, D, OD_NO_VARIANCE, NULL) == ODIM_OK);
    CHECK(same_fit(&a, &b));
    const double *axis = a.part[OD_PCA_SPACE_AXES].at.d;
    int64_t q = a.count[OD_PCA_SPACE_Q];
    CHECK_INT(q, N / OD_PCA_SPACE_ROWS);
    for (int64_t k = 0; k < q; k += 9)
        for (int64_t l = 0; l <= k; l += 9) {
            double sum = 0;
            for (int64_t j = 0; j < D; j++) sum += axis[j * q + k] * axis[j * q + l];
            CHECK_NEAR(sum, k == l ? 1 : 0, 1e-7);
        }
    od_detector_free(&a);
    od_detector_free(&b);
    od_free(some);
    od_free(x);
}

TEST(a_broken_relation)
{
    enum { N = 400 };
    float *x = normal_rows(N + 1, 4, 9);
    for (int i = 0; i <= N; i++) {
        x[4 * i + 2] = (x[4 * i] + x[4 * i + 1]) / 3;
        x[4 * i + 3] = 0.25f; /* and this one never changes */
    }
    x[4 * N + 2] += 0.01f;
    od_detector_task task = {.x = x, .n = N, .d = 4, .threads = 1};
    double *scores = scores_of(OD_METHOD_PCA, &task, x, N + 1), most = 0, sum = 0;
    for (int i = 0; i < N; i++) most = fmax(most, scores[i]), sum += scores[i];
    CHECK_NEAR(sum / N, 2, 1e-3); /* the mean is the number of axes that vary */
    CHECK(scores[N] > 100 * most);
    const float moved[] = {0, 0, 0, 0.26f};
    double *other = scores_of(OD_METHOD_PCA, &task, moved, 1);
    CHECK(other[0] > 100 * most);
    od_free(other), od_free(scores), od_free(x);
}

static od_detector_task some(float **x, int64_t n, int64_t d)
{
    *x = normal_rows(n, d, 5);
    return (od_detector_task){.x = *x, .n = n, .d = d, .threads = 2};
}

TEST(any_number_of_threads)
{
    float *x;
    od_detector_task task = some(&x, 300, 70);
    check_threads(OD_METHOD_PCA, task);
    od_free(x);
}

TEST(memory_runs_out)
{
    float *x;
    od_detector_task task = some(&x, 70, 3);
    check_allocations(OD_METHOD_PCA, &task);
    od_free(x);
    task = some(&x, 6, 9);
    check_allocations(OD_METHOD_PCA, &task);
    od_free(x);
}

TEST(damaged_files)
{
    float *x;
    od_detector_task task = some(&x, 90, 3);
    check_damage(OD_METHOD_PCA, &task);
    od_free(x);
}

TEST(odd_tables)
{
    check_odd_tables(OD_METHOD_PCA);
}

/* Enough rows, dependent columns, and more columns than rows can tell apart. */
TEST(shares)
{
    float *x;
    od_detector_task task = some(&x, 200, 5);
    check_account(OD_METHOD_PCA, &task);
    for (int i = 0; i < 200; i++) x[5 * i + 4] = x[5 * i] / 2 - x[5 * i + 1];
    check_account(OD_METHOD_PCA, &task);
    od_free(x);
    task = some(&x, 20, 12);
    check_account(OD_METHOD_PCA, &task);
    od_free(x);
}

static void keep_note(const char *text, void *user)
{
    snprintf(user, 300, "%s", text);
}

/* What takes minutes is said before it begins, and nothing of what does not. */
TEST(a_note_before_minutes)
{
    char text[300] = "";
    odim_hooks hooks = {.size = sizeof(odim_hooks), .note = keep_note, .user = text};
    od_detector_task task = {.n = 1000, .d = 100, .threads = 2};
    od_pca_space_note(OD_METHOD_PCA, &task, &hooks);
    CHECK_STR(text, "");
    task = (od_detector_task){.n = 2000, .d = 60000, .threads = 1};
    od_pca_space_note(OD_METHOD_IFOREST, &task, &hooks);
    CHECK_STR(text, "");
    od_pca_space_note(OD_METHOD_PCA, &task, NULL);
    od_pca_space_note(OD_METHOD_PCA, &task, &hooks);
    CHECK(strstr(text, "60000 features: finding their principal axes takes about ") == text);
    CHECK(od_pca_space_seconds(2000, 60000, 60000, 1) > 2 * od_pca_space_seconds(2000, 60000, 60000, 4));
    CHECK(od_pca_space_seconds(100000, 1000, 1000, 1) > 10);
}

int main(void)
{
    RUN(two_columns_by_hand);
    RUN(scale_by_medians);
    RUN(axes_by_rows_and_by_columns);
    RUN(axes_by_groups_of_rows);
    RUN(a_broken_relation);
    RUN(any_number_of_threads);
    RUN(memory_runs_out);
    RUN(damaged_files);
    RUN(odd_tables);
    RUN(shares);
    RUN(a_note_before_minutes);
    return test_end();
}
