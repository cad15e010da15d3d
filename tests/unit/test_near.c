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

/* 0,0 is in it and is left out: 1, 5 and 10 remain. */
TEST(one_group)
{
    od_near near = make(1);
    const float x[] = {0, 0}, y[] = {3, 0};
    double part[] = {1, 0};
    CHECK_NEAR(od_near_distance(&near, x, 3, part), 16 / 3.0, 1e-12);
    CHECK_NEAR(part[0], 1 + 9 / 5.0 + 36 / 10.0, 1e-12);
    CHECK_NEAR(part[1], 1 + 16 / 5.0 + 64 / 10.0, 1e-12);
    CHECK_NEAR(od_near_distance(&near, y, 0, NULL), (3 + 4 + sqrt(10)) / 3, 1e-6);
    od_near_free(&near);
}

/* Of two copies in the second group one counts. */
TEST(two_groups)
{
    od_near near = make(2);
    const float x[] = {0, 0};
    CHECK_NEAR(od_near_distance(&near, x, 0, NULL), (16 / 3.0 + (0 + 5 + 13) / 3.0) / 2, 1e-12);
    od_near_free(&near);
}

/* Two rows: each has the other. */
TEST(fewer_than_asked_for)
{
    od_near near;
    REQUIRE(od_near_new(&near, 1, 1, 2, NULL) == ODIM_OK);
    const float x[] = {1, 4};
    od_near_put(&near, 0, 0, x);
    od_near_put(&near, 0, 1, x + 1);
    CHECK_NEAR(od_near_distance(&near, x, 0, NULL), 3, 1e-12);
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
    check_plan(2, 3, 1, 2);
    check_plan(256, 3, 1, 256);
    check_plan(257, 3, 8, 256);
    check_plan(100000, 1000, 8, 256);
    check_plan(100000, 4096, 4, 256);
    check_plan(100000, 65536, 1, 64);
    check_plan(100000, 1 << 22, 1, 4);
}

int main(void)
{
    RUN(one_group);
    RUN(two_groups);
    RUN(fewer_than_asked_for);
    RUN(how_many_are_kept);
    return test_end();
}
