/* tests: value_text. Typed values as text. */
#include "io/value_text.h"

#include "test.h"

static char buf[OD_VALUE_ROOM + 1];

static const char *ended(size_t len)
{
    if (len > OD_VALUE_ROOM) return "too long";
    buf[len] = '\0';
    return buf;
}

TEST(days)
{
    CHECK_STR(ended(od_value_day(0, buf)), "1970-01-01");
    CHECK_STR(ended(od_value_day(-1, buf)), "1969-12-31");
    CHECK_STR(ended(od_value_day(11016, buf)), "2000-02-29");
    CHECK_STR(ended(od_value_day(19782, buf)), "2024-02-29");
    CHECK_STR(ended(od_value_day(-719162, buf)), "0001-01-01");
    CHECK(od_value_day(INT64_MAX / 86400, buf) < 40);
    CHECK(od_value_day(INT64_MIN / 86400, buf) < 40);
}

TEST(clocks_and_moments)
{
    CHECK_STR(ended(od_value_clock(45296, 1, buf)), "12:34:56");
    CHECK_STR(ended(od_value_clock(45296789, 1000, buf)), "12:34:56.789");
    CHECK_STR(ended(od_value_clock(45296500000, 1000000, buf)), "12:34:56.5");
    CHECK_STR(ended(od_value_clock(45296000000001, 1000000000, buf)), "12:34:56.000000001");
    CHECK_STR(ended(od_value_moment(-1, 1000, false, buf)), "1969-12-31T23:59:59.999");
    CHECK_STR(ended(od_value_moment(0, 1, true, buf)), "1970-01-01T00:00:00Z");
    for (int64_t per = 1; per <= 1000000000; per *= 1000) {
        CHECK(od_value_moment(INT64_MAX, per, true, buf) < 64);
        CHECK(od_value_moment(INT64_MIN, per, true, buf) < 64);
        CHECK(od_value_clock(INT64_MIN, per, buf) < 64);
    }
}

TEST(decimals)
{
    uint32_t ones[8];
    CHECK_STR(ended(od_value_decimal((uint32_t[]){0}, 1, false, 0, buf)), "0");
    CHECK_STR(ended(od_value_decimal((uint32_t[]){0, 0, 0, 0}, 4, false, 2, buf)), "0.00");
    CHECK_STR(ended(od_value_decimal((uint32_t[]){1234, 0}, 2, true, 2, buf)), "-12.34");
    CHECK_STR(ended(od_value_decimal((uint32_t[]){5}, 1, false, 3, buf)), "0.005");
    CHECK_STR(ended(od_value_decimal((uint32_t[]){5}, 1, false, -3, buf)), "5e3");
    CHECK_STR(ended(od_value_decimal((uint32_t[]){0, 1}, 2, false, 0, buf)), "4294967296");
    memset(ones, 0xFF, sizeof ones);
    CHECK_STR(ended(od_value_decimal(ones, 8, true, 76, buf)),
              "-11.5792089237316195423570985008687907853269984665640564039457584007913129639935");
    memset(ones, 0xFF, sizeof ones);
    CHECK_STR(ended(od_value_decimal(ones, 8, true, -76, buf)),
              "-115792089237316195423570985008687907853269984665640564039457584007913129639935e76");
}

TEST(reals)
{
    CHECK_STR(ended(od_value_real(0.1, false, buf)), "0.1");
    CHECK_STR(ended(od_value_real((double)0.1f, true, buf)), "0.1");
    CHECK_STR(ended(od_value_real(NAN, false, buf)), "");
    CHECK_STR(ended(od_value_real(-INFINITY, true, buf)), "-infinity");
}

int main(void)
{
    RUN(days);
    RUN(clocks_and_moments);
    RUN(decimals);
    RUN(reals);
    return test_end();
}
