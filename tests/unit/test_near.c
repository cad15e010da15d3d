/* tests: near. Distances worked by hand. */
#include "test.h"

#include "net/near.h"

static const float kept[2][4][2] = {{{0, 0}, {3, 4}, {0, 1}, {6, 8}}, {{0, 5}, {12, 5}, {0, 0}, {0, 0}}};

static od_near make(int64_t groups)
{
    od_near near;
    if (od_near_new(&near, 2, groups, 4, NULL)) abort();
    for (int64_t g = 0; g < groups; g++)
        for (int64_t i = 0; i < 4; i++) od_near_put(&near, g, i, kept[g][i]);
    return near;
}

/* 0,0 is in it and is left out; 0,1 is next. */
TEST(one_group)
{
    od_near near = make(1);
    const float x[] = {0, 0}, y[] = {6, 5};
    double part[] = {1, 0};
    CHECK_NEAR(od_near_distance(&near, x, 3, part), 1, 1e-12);
    CHECK_NEAR(part[0], 1, 1e-12);
    CHECK_NEAR(part[1], 3, 1e-12);
    part[1] = 0;
    CHECK_NEAR(od_near_distance(&near, y, 2, part), 3, 1e-12); /* to 6,8 */
    CHECK_NEAR(part[0], 1, 1e-12);
    CHECK_NEAR(part[1], 6, 1e-12);
    od_near_free(&near);
}

/* Of two copies in the second group one is left. */
TEST(two_groups)
{
    od_near near = make(2);
    const float x[] = {0, 0}, y[] = {3, 5};
    double part[] = {0, 0};
    CHECK_NEAR(od_near_distance(&near, x, 0, NULL), (1 + 0) / 2.0, 1e-12);
    CHECK_NEAR(od_near_distance(&near, y, 1, part), (1 + 3) / 2.0, 1e-12); /* to 3,4 and to 0,5 */
    CHECK_NEAR(part[0], 3 / 2.0, 1e-12);
    CHECK_NEAR(part[1], 1 / 2.0, 1e-12);
    od_near_free(&near);
}

/* A group of the row alone says nothing. */
TEST(nobody_else)
{
    od_near near;
    REQUIRE(od_near_new(&near, 1, 1, 1, NULL) == ODIM_OK);
    const float x[] = {1, 4};
    od_near_put(&near, 0, 0, x);
    CHECK_NEAR(od_near_distance(&near, x, 0, NULL), 0, 0);
    CHECK_NEAR(od_near_distance(&near, x + 1, 0, NULL), 3, 1e-12);
    od_near_free(&near);
}

static void check_plan(int64_t n, int64_t d, int64_t groups, int64_t size)
{
    int64_t g, s;
    od_near_plan(n, d, &g, &s);
    CHECK_INT(g, groups);
    CHECK_INT(s, size);
}

TEST(how_many_are_kept)
{
    check_plan(2, 3, 16, 1);
    check_plan(81, 3, 16, 41);
    check_plan(127, 3, 16, 64);
    check_plan(100000, 1000, 16, 64);
    check_plan(100000, 8192, 8, 64);
    check_plan(100000, 1 << 17, 1, 32);
    check_plan(100000, 1 << 22, 1, 4);
}

int main(void)
{
    RUN(one_group);
    RUN(two_groups);
    RUN(nobody_else);
    RUN(how_many_are_kept);
    return test_end();
}
