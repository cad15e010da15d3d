#include "decimal.h"

#include <float.h>

#include "test.h"

static const char *written(size_t len, char *buf)
{
    buf[len] = '\0';
    return buf;
}

static void check_number(double v)
{
    char got[CLI_DECIMAL_ROOM + 1], want[64];
    snprintf(want, sizeof want, "%.9g", v);
    if (strcmp(written(cli_decimal_number(got, v), got), want))
        TEST_SAY("%.17g is %s, expected %s", v, got, want);
}

static void check_int(int64_t v)
{
    char got[CLI_DECIMAL_ROOM + 1], want[64];
    snprintf(want, sizeof want, "%lld", (long long)v);
    CHECK_STR(written(cli_decimal_int(got, v), got), want);
}

TEST(integers)
{
    static const int64_t some[] = {0, 1, -1, 9, 10, 99, 100, -100, 1234567890123456789, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) check_int(some[i]);
}

TEST(special_numbers)
{
    static const double some[] = {0,           -0.0,          1,           -1,           0.1,       123456789,
                                  12345678.9,  1234567890,    999999999,   999999999.5,  1e9,       1e-4,
                                  0.00012,     9.9999999995,  99.9999999,  0.0009999999, 1e-5,      1e300,
                                  DBL_MAX,     DBL_MIN,       4.9e-324,    INFINITY,     -INFINITY, NAN,
                                  100000000.5, 100000001.5,   0.5,         0.25,         1e8,       -13.1566,
                                  999999999.4, 0.99999999949, 0.9999999995};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) check_number(some[i]);
}

/* Halves in the tenth digit: k + 1/2, and the doubles just below and above. */
TEST(ties)
{
    for (int k = 100000000; k < 100002000; k++) {
        double tie = k + 0.5;
        for (double scale = 1; scale <= 4096; scale *= 2) {
            check_number(tie / scale);
            check_number(nextafter(tie / scale, 0));
            check_number(nextafter(tie / scale, INFINITY));
        }
    }
}

/* Every power of ten and its neighbours. */
TEST(powers_of_ten)
{
    for (int x = -8; x <= 12; x++) {
        double v = pow(10, x), up = v, down = v;
        for (int i = 0; i < 50; i++) {
            check_number(up = nextafter(up, INFINITY));
            check_number(down = nextafter(down, 0));
            check_number(v * (1 - i * 1e-10));
            check_number(-v * (1 + i * 1e-10));
        }
    }
}

TEST(random_numbers)
{
    uint64_t state = 1;
    for (int i = 0; i < 400000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double v = (double)(int64_t)state / 9.3e18;
        check_number(v * pow(10, i % 20 - 8));
        check_number((double)(float)(v * 1000));
        check_int((int64_t)state >> (i % 64));
    }
}

int main(void)
{
    RUN(integers);
    RUN(special_numbers);
    RUN(ties);
    RUN(powers_of_ten);
    RUN(random_numbers);
    return test_end();
}
