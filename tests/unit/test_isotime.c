/* tests: isotime. Dates and times. */
#include "base/isotime.h"

#include "test.h"

static double parse(const char *text)
{
    double seconds = -1e300;
    /* Without a '\0' behind it: the sanitizer sees a byte too many. */
    size_t len = strlen(text);
    char *exact = malloc(len ? len : 1);
    if (!exact) abort();
    memcpy(exact, text, len);
    bool ok = od_time_parse(exact, len, &seconds);
    free(exact);
    return ok ? seconds : NAN;
}

TEST(dates)
{
    CHECK_NEAR(parse("1970-01-01"), 0, 0);
    CHECK_NEAR(parse("1970-01-02"), 86400, 0);
    CHECK_NEAR(parse("1969-12-31"), -86400, 0);
    CHECK_NEAR(parse("2000-01-01"), 946684800, 0);
    CHECK_NEAR(parse("2024-05-01"), 1714521600, 0);
    CHECK_NEAR(parse("2038-01-19"), 2147472000, 0);
    CHECK_NEAR(parse("0001-01-01"), -62135596800.0, 0);
    CHECK_NEAR(parse("0000-03-01"), -62162035200.0, 0);
    CHECK_NEAR(parse("9999-12-31"), 253402214400.0, 0);
    CHECK_NEAR(parse(" \t2024-05-01 "), 1714521600, 0);
}

TEST(leap_years)
{
    CHECK_NEAR(parse("2024-02-29"), 1709164800, 0);
    CHECK_NEAR(parse("2024-03-01"), 1709251200, 0);
    CHECK_NEAR(parse("2000-02-29"), 951782400, 0);
    CHECK_NEAR(parse("2000-03-01"), 951868800, 0);
    CHECK_NEAR(parse("1900-03-01") - parse("1900-02-28"), 86400, 0);
    CHECK(isnan(parse("1900-02-29")));
    CHECK(isnan(parse("2023-02-29")));
    CHECK(isnan(parse("2100-02-29")));
    CHECK(isnan(parse("2024-02-30")));
}

TEST(times)
{
    CHECK_NEAR(parse("1970-01-01T00:00"), 0, 0);
    CHECK_NEAR(parse("1970-01-01T01:02:03"), 3723, 0);
    CHECK_NEAR(parse("1970-01-01 01:02:03"), 3723, 0);
    CHECK_NEAR(parse("1970-01-01t01:02:03z"), 3723, 0);
    CHECK_NEAR(parse("1970-01-01T01:02:03.25"), 3723.25, 1e-12);
    CHECK_NEAR(parse("1970-01-01T01:02:03,125Z"), 3723.125, 1e-12);
    CHECK_NEAR(parse("2024-05-01T09:30:12.123456789Z"), 1714555812.123456789, 1e-6);
    CHECK_NEAR(parse("1970-01-01T23:59:60"), 86400, 0); /* a leap second */
    CHECK_NEAR(parse("1970-01-01T24:00"), 86400, 0);
    CHECK_NEAR(parse("19700101T010203"), 3723, 0);
    CHECK_NEAR(parse("19700101T0102"), 3720, 0);
    CHECK_NEAR(parse("19700101T010203.5Z"), 3723.5, 1e-12);
}

TEST(offsets)
{
    CHECK_NEAR(parse("1970-01-01T02:00+02:00"), 0, 0);
    CHECK_NEAR(parse("1970-01-01T02:00+02"), 0, 0);
    CHECK_NEAR(parse("1970-01-01T02:00+0200"), 0, 0);
    CHECK_NEAR(parse("1970-01-01T02:00-05:30"), 7200 + 19800, 0);
    CHECK_NEAR(parse("1970-01-01T00:00:00.5+00:00"), 0.5, 0);
    CHECK_NEAR(parse("19700101T020000+0200"), 0, 0);
    CHECK_NEAR(parse("1970-01-01T00:30:00+01:00"), -1800, 0);
}

/* One moment is one number: the fraction is added last, whatever the offset and however many zeros. */
TEST(fractions)
{
    double want = 1714555812.0 + 123456789 / 1e9;
    CHECK(parse("2024-05-01T09:30:12.123456789Z") == want);
    CHECK(parse("2024-05-01T11:30:12.123456789+02:00") == want);
    CHECK(parse("2024-04-30T22:00:12.1234567890000-11:30") == want);
    CHECK(parse("2024-05-01 09:30:12.1234567899") == want); /* more is not kept */
    CHECK(parse("1970-01-01T00:00:00.3") == 0.3);
    CHECK(parse("1970-01-01T00:00:00.000001") == 1e-6);
    CHECK(parse("1969-12-31T23:59:59.7") == -1 + 0.7);
    CHECK(isnan(parse("1970-01-01T24:00:00.000000001")));
}

TEST(what_is_no_time)
{
    static const char *const no[] = {"",
                                     " ",
                                     "2024",
                                     "2024-05",
                                     "20240501", /* a number */
                                     "2024-5-1",
                                     "2024-05-1",
                                     "24-05-01",
                                     "2024/05/01",
                                     "01.05.2024",
                                     "2024-0501",
                                     "202405-01",
                                     "2024-00-01",
                                     "2024-13-01",
                                     "2024-05-00",
                                     "2024-05-32",
                                     "2024-04-31",
                                     "2024-05-01x",
                                     "2024-05-01T",
                                     "2024-05-01 x",
                                     "2024-05-01T09",
                                     "2024-05-01T9:30",
                                     "2024-05-01T0930",
                                     "20240501T09:30",
                                     "20240501 0930",
                                     "2024-05-01T25:00",
                                     "2024-05-01T24:01",
                                     "2024-05-01T24:00:00.1",
                                     "2024-05-01T09:60",
                                     "2024-05-01T09:30:61",
                                     "2024-05-01T09:30:",
                                     "2024-05-01T09:30:00.",
                                     "2024-05-01T09:30:00.x",
                                     "2024-05-01T09:30:00ZZ",
                                     "2024-05-01T09:30:00+",
                                     "2024-05-01T09:30:00+2",
                                     "2024-05-01T09:30:00+24:00",
                                     "2024-05-01T09:30:00+02:60",
                                     "2024-05-01T09:30:00+02:",
                                     "2024-05-01T09:30:00+02:0",
                                     "2024-05-01T09:30:00 UTC",
                                     "-2024-05-01",
                                     "+2024-05-01",
                                     "2024-05-01T-9:30",
                                     "1714521600"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (!isnan(parse(no[i]))) TEST_SAY("'%s' is taken for a time", no[i]);
}

static const char *format(double seconds)
{
    static char buf[OD_TIME_ROOM];
    return od_time_format(buf, seconds);
}

TEST(as_text)
{
    CHECK_STR(format(0), "1970-01-01");
    CHECK_STR(format(-1), "1969-12-31 23:59:59");
    CHECK_STR(format(1714521600), "2024-05-01");
    CHECK_STR(format(1714555800), "2024-05-01 09:30");
    CHECK_STR(format(1714555812), "2024-05-01 09:30:12");
    CHECK_STR(format(1714555812.5), "2024-05-01 09:30:12.500");
    CHECK_STR(format(1714555800.25), "2024-05-01 09:30:00.250");
    CHECK_STR(format(-0.25), "1969-12-31 23:59:59.750");
    CHECK_STR(format(951782400), "2000-02-29");
    CHECK_STR(format(-62135596800.0), "0001-01-01");
    /* Rounded to the next second, minute, day and year. */
    CHECK_STR(format(0.9994), "1970-01-01 00:00:00.999");
    CHECK_STR(format(0.9996), "1970-01-01 00:00:01");
    CHECK_STR(format(59.9999), "1970-01-01 00:01");
    CHECK_STR(format(86399.9999), "1970-01-02");
    CHECK_STR(format(-0.0001), "1970-01-01");
    CHECK_STR(format(1735689599.9999), "2025-01-01");
    /* What an extreme expectation may be. */
    CHECK_STR(format(1e13), "318857-05-20 17:46:40");
    CHECK_STR(format(1e15), "1000000000000000 s");
    CHECK_STR(format(-1e15), "-1000000000000000 s");
    CHECK(strlen(format(1e300)) < OD_TIME_ROOM);
    CHECK_STR(format(INFINITY), "inf s");
}

/* Every day of 800 years, at a time of day that wanders. */
TEST(round_trip)
{
    int wrong = 0;
    for (int day = -146097; day < 146097; day++) {
        double seconds = day * OD_DAY + (double)((day + 146097) * 7919LL % 86400000) / 1000.0;
        const char *text = format(seconds);
        double back = parse(text);
        wrong += !(fabs(back - seconds) < 1e-5);
    }
    CHECK_INT(wrong, 0);
}

int main(void)
{
    RUN(dates);
    RUN(leap_years);
    RUN(times);
    RUN(offsets);
    RUN(fractions);
    RUN(what_is_no_time);
    RUN(as_text);
    RUN(round_trip);
    return test_end();
}
