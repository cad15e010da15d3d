/* tests: plot_time. Time axes of plots. */
#include "plot_time.h"

#include "test.h"

static double at[PLOT_TIME_TICKS];
static char text[PLOT_TIME_TICKS][PLOT_TIME_TEXT];

/* 2024-05-01 is day 19844 after 1970-01-01. */
#define MAY (19844 * 86400.0)

TEST(days)
{
    /* From 18:00 the day before, four days on 400 pixels: a day is 100, its text 60. */
    REQUIRE(plot_time_ticks(MAY - 21600, MAY + 3 * 86400 + 64800, 400, at, text) == 4);
    CHECK_STR(text[0], "2024-05-01");
    CHECK_STR(text[3], "2024-05-04");
    CHECK_NEAR(at[0], MAY, 0);
    CHECK_NEAR(at[3], MAY + 3 * 86400, 0);
}

/* Months are not of one length: the first of each is 31, 30 and 31 days after the one before. */
TEST(months)
{
    REQUIRE(plot_time_ticks(MAY, MAY + 95 * 86400.0, 300, at, text) == 4);
    CHECK_STR(text[0], "2024-05");
    CHECK_STR(text[3], "2024-08");
    CHECK_NEAR(at[1] - at[0], 31 * 86400, 0);
    CHECK_NEAR(at[2] - at[1], 30 * 86400, 0);
    CHECK_NEAR(at[3] - at[2], 31 * 86400, 0);
}

TEST(years)
{
    /* 1960-01-01 is 3653 days before 1970. */
    int n = plot_time_ticks(-3653 * 86400.0, MAY, 250, at, text);
    REQUIRE(n >= 2);
    CHECK_STR(text[0], "1960");
    CHECK_NEAR(at[0], -3653 * 86400.0, 0);
    for (int i = 0; i < n; i++) CHECK_INT(strlen(text[i]), 4);
}

TEST(hours)
{
    REQUIRE(plot_time_ticks(MAY + 60, MAY + 3 * 3600, 300, at, text) == 3);
    CHECK_STR(text[0], "05-01 01:00");
    CHECK_STR(text[2], "05-01 03:00");
    REQUIRE(plot_time_ticks(MAY, MAY + 10, 200, at, text) == 3);
    CHECK_STR(text[1], "00:00:05");
}

/* For every range there are some lines, in order, within it, and with room for their texts. */
TEST(any_range)
{
    for (double width = 4; width < 2e10; width *= 1.37) {
        int n = plot_time_ticks(MAY - width / 3, MAY + width * 2 / 3, 250, at, text);
        CHECK(n >= 1 && n <= 8);
        for (int i = 0; i < n; i++) CHECK(at[i] >= MAY - width / 3 && at[i] <= MAY + width * 2 / 3);
        for (int i = 1; i < n; i++) CHECK((at[i] - at[i - 1]) / width * 250 > 6 * (double)strlen(text[i]));
    }
}

TEST(beyond)
{
    CHECK_INT(plot_time_ticks(0, 1e300, 250, at, text), 0);
    CHECK_INT(plot_time_ticks(-1e15, 0, 250, at, text), 0);
    CHECK_INT(plot_time_ticks(5, 5, 250, at, text), 0);
    CHECK_INT(plot_time_ticks(NAN, 5, 250, at, text), 0);
    CHECK_INT(plot_time_ticks(5.1, 5.2, 250, at, text), 0);
}

int main(void)
{
    RUN(days);
    RUN(months);
    RUN(years);
    RUN(hours);
    RUN(any_range);
    RUN(beyond);
    return test_end();
}
