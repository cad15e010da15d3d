/* tests: subsample_knn. Distances worked by hand. */
#include "test.h"

#include "detectors/detector.h"

static const float kept[2][4][2] = {{{0, 0}, {3, 4}, {0, 1}, {6, 8}}, {{0, 5}, {12, 5}, {0, 0}, {0, 0}}};

static const od_detector_kind *near;

static od_detector make(int64_t groups, int64_t size, int64_t d)
{
    od_detector c = {.method = OD_METHOD_SUBSAMPLE_KNN, .d = d, .count = {groups, size}};
    if (od_detector_array_new(&c, 0, OD_ARRAY_FLOAT, groups * size * d, NULL)) abort();
    return c;
}

static od_detector make_kept(int64_t groups)
{
    od_detector c = make(groups, 4, 2);
    for (int64_t g = 0; g < groups; g++)
        for (int64_t i = 0; i < 4; i++)
            for (int64_t j = 0; j < 2; j++) c.part[0].at.f[(g * 2 + j) * 4 + i] = kept[g][i][j];
    return c;
}

static double distance(const od_detector *c, const float *x)
{
    double v;
    near->score(c, x, 1, NULL, &v);
    CHECK(near->attribute(c, x, NULL, 0, NULL) == v);
    return v;
}

/* 0,0 is in it and is left out; 0,1 is next. */
TEST(one_group)
{
    od_detector c = make_kept(1);
    const float x[] = {0, 0}, y[] = {6, 5};
    double part[] = {1, 0};
    CHECK_NEAR(near->attribute(&c, x, NULL, 3, part), 1, 1e-12);
    CHECK_NEAR(part[0], 1, 1e-12);
    CHECK_NEAR(part[1], 3, 1e-12);
    part[1] = 0;
    CHECK_NEAR(near->attribute(&c, y, NULL, 2, part), 3, 1e-12); /* to 6,8 */
    CHECK_NEAR(part[0], 1, 1e-12);
    CHECK_NEAR(part[1], 6, 1e-12);
    od_detector_free(&c);
}

/* Of two copies in the second group one is left. */
TEST(two_groups)
{
    od_detector c = make_kept(2);
    const float x[] = {0, 0, 3, 5};
    double part[] = {0, 0}, both[2];
    CHECK_NEAR(distance(&c, x), (1 + 0) / 2.0, 1e-12);
    CHECK_NEAR(near->attribute(&c, x + 2, NULL, 1, part), (1 + 3) / 2.0, 1e-12); /* to 3,4 and to 0,5 */
    CHECK_NEAR(part[0], 3 / 2.0, 1e-12);
    CHECK_NEAR(part[1], 1 / 2.0, 1e-12);
    near->score(&c, x, 2, NULL, both);
    CHECK_NEAR(both[0], 0.5, 1e-12);
    CHECK_NEAR(both[1], 2, 1e-12);
    od_detector_free(&c);
}

/* A group of the row alone says nothing. */
TEST(nobody_else)
{
    od_detector c = make(1, 1, 1);
    const float x[] = {1, 4};
    c.part[0].at.f[0] = x[0];
    CHECK_NEAR(distance(&c, x), 0, 0);
    CHECK_NEAR(distance(&c, x + 1), 3, 1e-12);
    od_detector_free(&c);
}

static void check_plan(int64_t n, int64_t d, int64_t groups, int64_t size)
{
    float *x = calloc((size_t)(n * d), sizeof *x);
    if (!x) abort();
    for (int64_t i = 0; i < n; i++) x[i * d] = (float)i;
    od_detector c;
    const od_detector_task task = {.x = x, .n = n, .d = d, .seed = 1, .threads = 1};
    REQUIRE(od_detector_fit(&c, OD_METHOD_SUBSAMPLE_KNN, &task, NULL) == ODIM_OK);
    CHECK_INT(c.count[0], groups);
    CHECK_INT(c.count[1], size);
    CHECK(near->check(&c, NULL) == ODIM_OK);
    /* Rows of a group differ, and are some of those that were given. */
    for (int64_t g = 0; g < groups; g++) {
        const float *first = c.part[0].at.f + g * d * size;
        for (int64_t i = 0; i < size; i++) {
            CHECK(first[i] >= 0 && first[i] < (float)n);
            for (int64_t k = 0; k < i; k++) CHECK(first[k] != first[i]);
        }
    }
    od_detector_free(&c);
    free(x);
}

TEST(how_many_are_kept)
{
    check_plan(2, 3, 16, 1);
    check_plan(81, 3, 16, 41);
    check_plan(127, 3, 16, 64);
    check_plan(1000, 1000, 16, 64);
    check_plan(200, 8192, 8, 64);
    check_plan(128, 1 << 17, 1, 32);
    check_plan(130, 1 << 20, 1, 4);
}

TEST(what_is_refused)
{
    od_detector c = make(2, 4, 3);
    CHECK(near->check(&c, NULL) == ODIM_OK);
    c.count[0] = 3;
    CHECK(near->check(&c, NULL) == ODIM_ERR_FORMAT);
    c.count[0] = 1, c.count[1] = 8;
    CHECK(near->check(&c, NULL) == ODIM_OK);
    c.part[0].kind = OD_ARRAY_INT;
    CHECK(near->check(&c, NULL) == ODIM_ERR_FORMAT);
    c.part[0].kind = OD_ARRAY_FLOAT;
    c.count[0] = 0;
    CHECK(near->check(&c, NULL) == ODIM_ERR_FORMAT);
    c.count[0] = 17;
    CHECK(near->check(&c, NULL) == ODIM_ERR_FORMAT);
    c.count[0] = 1, c.count[1] = INT64_MAX;
    CHECK(near->check(&c, NULL) == ODIM_ERR_FORMAT);
    od_detector_free(&c);
}

int main(void)
{
    near = od_detector_kind_of(OD_METHOD_SUBSAMPLE_KNN);
    RUN(one_group);
    RUN(two_groups);
    RUN(nobody_else);
    RUN(how_many_are_kept);
    RUN(what_is_refused);
    return test_end();
}
