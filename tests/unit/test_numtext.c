/* tests: numtext. Numbers as text, and back. */
#include "common/numtext.h"

#include <float.h>

#include "comma_locale.h"
#include "test.h"

static od_num parse(const char *text, double *out)
{
    return od_num_parse(text, strlen(text), out);
}

static int kind(const char *text)
{
    double v;
    return (int)parse(text, &v);
}

static double value(const char *text)
{
    double v = NAN;
    if (parse(text, &v) != OD_NUM_OK) printf("not a number: %s\n", text);
    return v;
}

/* The compiler rounds its literals correctly, with code of its own. */
#define SAME(literal)                                                                                        \
    do {                                                                                                     \
        double got_ = value(#literal), want_ = literal;                                                      \
        if (memcmp(&got_, &want_, sizeof got_))                                                              \
            TEST_SAY("%s is %.17g, expected %.17g", #literal, got_, want_);                                  \
    } while (0)

TEST(short_numbers)
{
    SAME(0.0);
    SAME(-0.0);
    SAME(1.0);
    SAME(-1.5);
    SAME(0.1);
    SAME(123456789.0);
    SAME(1e22);
    SAME(1e-22);
    SAME(9007199254740992.0);
    SAME(3.141592653589793);
    CHECK(value("42") == 42);
    CHECK(value("+.5") == 0.5);
    CHECK(value("5.") == 5);
    CHECK(value("007") == 7);
    CHECK(value("1E+3") == 1000);
    CHECK(value("1e0003") == 1000);
    CHECK(value(" \t12.5\r\n") == 12.5);
}

TEST(hard_rounding)
{
    SAME(9007199254740993.0);
    SAME(9007199254740995.0);
    SAME(9007199254740993e1);
    SAME(18014398509481985.0);
    SAME(1e23);
    SAME(8.41e21);
    SAME(9.5e-23);
    SAME(2.2250738585072011e-308);
    SAME(2.2250738585072014e-308);
    SAME(1.7976931348623157e308);
    SAME(1.797693134862315807e308);
    SAME(4.9406564584124654e-324);
    SAME(2.4703282292062328e-324);
    SAME(6.9294956446009195e15);
    SAME(7.8459735791271921e65);
    SAME(3.571e266);
    SAME(3.08984926168550152811e-32);
    SAME(0.500000000000000166533453693773481063544750213623046875);
    SAME(0.50000000000000016656055874808561867439493653364479541778564453125);
    SAME(1448997445238699.0);
    SAME(12345678901234567890.0);
    SAME(0.000000000000000000000000000000000000012345678901234567890);
}

/* 1 + 2^-53 lies exactly between two doubles; a digit a thousand places later decides. */
TEST(many_digits)
{
    char text[2200] = "1.00000000000000011102230246251565404236316680908203125";
    size_t len = strlen(text);
    CHECK(value(text) == 1);
    memset(text + len, '0', 1000);
    text[len + 1000] = '\0';
    CHECK(value(text) == 1);
    strcpy(text + len + 1000, "1");
    CHECK(value(text) == 1 + DBL_EPSILON);
    strcpy(text + len + 1000, "1e5");
    CHECK(value(text) == 100000.00000000002);

    memset(text, '0', 2000);
    strcpy(text + 2000, "12.5");
    CHECK(value(text) == 12.5);
    memcpy(text, "0.", 2);
    strcpy(text + 400, "1e399");
    CHECK(value(text) == 1);
    text[0] = '1';
    memset(text + 1, '0', 2000);
    strcpy(text + 2001, "e-2000");
    CHECK(value(text) == 1);
    memset(text, '9', 2000);
    text[2000] = '\0';
    CHECK_INT(kind(text), OD_NUM_OVERFLOW);
    strcpy(text + 2000, "e-1999");
    CHECK(value(text) == 10);
}

TEST(out_of_range)
{
    CHECK_INT(kind("1e309"), OD_NUM_OVERFLOW);
    CHECK_INT(kind("-1e309"), OD_NUM_OVERFLOW);
    CHECK_INT(kind("1.7976931348623159e308"), OD_NUM_OVERFLOW);
    CHECK_INT(kind("1e99999999999999999999999999"), OD_NUM_OVERFLOW);
    CHECK(value("1e-400") == 0);
    CHECK(value("2.4703282292062327e-324") == 0);
    CHECK(value("1e-99999999999999999999999999") == 0);
    CHECK(value("0e99999999999999999999999999") == 0);
    CHECK(signbit(value("-1e-400")));
}

TEST(not_numbers)
{
    static const char *const bad[] = {"1e",   "1e+",   "e5",  ".",        "+",    "-",     "+-1",
                                      "--1",  "1.2.3", "0x1", "0x",       "0x1p", "1_000", "1,5",
                                      "1 2",  "12.5x", "abc", "1e5.0",    ".e1",  "nanx",  "infi",
                                      ".nan", "1nan",  "NA",  "\302\2401"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (kind(bad[i]) != OD_NUM_NOT) TEST_SAY("taken for a number: %s", bad[i]);
    CHECK_INT(od_num_parse("1\0002", 3, &(double){0}), OD_NUM_NOT);
}

TEST(empty_and_not_finite)
{
    CHECK_INT(kind(""), OD_NUM_EMPTY);
    CHECK_INT(kind(" \t\r\n"), OD_NUM_EMPTY);
    static const char *const words[] = {"nan", "NaN",  "-nan",     "+NAN",
                                        "inf", "-Inf", "INFINITY", " infinity "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) CHECK_INT(kind(words[i]), OD_NUM_NONFINITE);
}

/* Text need not end where the number does. */
TEST(length_counts)
{
    double v;
    CHECK_INT(od_num_parse("12345", 2, &v), OD_NUM_OK);
    CHECK(v == 12);
    CHECK_INT(od_num_parse("1.25e9", 4, &v), OD_NUM_OK);
    CHECK(v == 1.25);
    CHECK_INT(od_num_parse("1e99", 2, &v), OD_NUM_NOT);
}

static double random_double(uint64_t *state)
{
    double v;
    do {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = *state ^ *state >> 29;
        memcpy(&v, &bits, sizeof v);
    } while (!isfinite(v));
    return v;
}

/* Both ways, over all exponents, and against strtod for texts that are not the shortest. */
TEST(there_and_back)
{
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        double v = random_double(&state);
        char text[64];
        double back = value(od_num_format(text, v, false));
        if (back != v) TEST_SAY("%.17g became %s", v, text);
        float f = (float)ldexp(v, -ilogb(v) + i % 100 - 50);
        back = value(od_num_format(text, (double)f, true));
        if ((float)back != f) TEST_SAY("%.9g became %s", (double)f, text);
        snprintf(text, sizeof text, "%.*e", i % 25, v / 4); /* rounded up, the largest would overflow */
        if (value(text) != strtod(text, NULL)) TEST_SAY("%s differs from strtod", text);
        snprintf(text, sizeof text, "%.*f", i % 12, ldexp(v, -ilogb(v) + i % 60 - 10));
        if (value(text) != strtod(text, NULL)) TEST_SAY("%s differs from strtod", text);
    }
}

TEST(format)
{
    char text[OD_NUM_ROOM];
    CHECK_STR(od_num_format(text, 0, false), "0");
    CHECK_STR(od_num_format(text, -17, false), "-17");
    CHECK_STR(od_num_format(text, 1e15, false), "1000000000000000");
    CHECK_STR(od_num_format(text, 1e17, false), "1e+17");
    CHECK_STR(od_num_format(text, 0.1, false), "0.1");
    CHECK_STR(od_num_format(text, (double)0.1f, true), "0.1");
    CHECK_STR(od_num_format(text, 1.0 / 3, false), "0.3333333333333333");
    CHECK_STR(od_num_format(text, -2.5e-300, false), "-2.5e-300");
    CHECK_STR(od_num_format(text, -DBL_MAX, false), "-1.7976931348623157e+308");
    CHECK_STR(od_num_format(text, -5e-324, false), "-4.94065645841247e-324");
}

TEST(fixed)
{
    char buf[OD_NUM_ROOM];
    CHECK_STR(od_num_fixed(buf, 41.256, 1), "41.3");
    CHECK_STR(od_num_fixed(buf, 41.0, 3), "41");
    CHECK_STR(od_num_fixed(buf, 1200.0, 0), "1200");
    CHECK_STR(od_num_fixed(buf, -0.04, 1), "0");
    CHECK_STR(od_num_fixed(buf, -2.5, 1), "-2.5");
    CHECK_STR(od_num_fixed(buf, 1e20, 2), "1e+20");
    CHECK_STR(od_num_fixed(buf, 1.5e-20, 30), "1.5e-20");
    CHECK_STR(od_num_fixed(buf, -999999999999999.0, 12), "-999999999999999");
}

static const char *written(size_t len, char *buf)
{
    buf[len] = '\0';
    return buf;
}

static void check_short(double v)
{
    char got[OD_NUM_ROOM + 1], want[64];
    snprintf(want, sizeof want, "%.9g", v);
    if (strcmp(written(od_num_short(got, v), got), want)) TEST_SAY("%.17g is %s, expected %s", v, got, want);
}

static void check_int(int64_t v)
{
    char got[OD_NUM_ROOM + 1], want[64];
    snprintf(want, sizeof want, "%lld", (long long)v);
    CHECK_STR(written(od_num_int(got, v), got), want);
}

TEST(fast_integers)
{
    static const int64_t some[] = {0, 1, -1, 9, 10, 99, 100, -100, 1234567890123456789, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) check_int(some[i]);
}

TEST(fast_special_numbers)
{
    static const double some[] = {0,           -0.0,          1,           -1,           0.1,       123456789,
                                  12345678.9,  1234567890,    999999999,   999999999.5,  1e9,       1e-4,
                                  0.00012,     9.9999999995,  99.9999999,  0.0009999999, 1e-5,      1e300,
                                  DBL_MAX,     DBL_MIN,       4.9e-324,    INFINITY,     -INFINITY, NAN,
                                  100000000.5, 100000001.5,   0.5,         0.25,         1e8,       -13.1566,
                                  999999999.4, 0.99999999949, 0.9999999995};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) check_short(some[i]);
}

/* Halves in the tenth digit: k + 1/2, and the doubles just below and above. */
TEST(fast_ties)
{
    for (int k = 100000000; k < 100002000; k++) {
        double tie = k + 0.5;
        for (double scale = 1; scale <= 4096; scale *= 2) {
            check_short(tie / scale);
            check_short(nextafter(tie / scale, 0));
            check_short(nextafter(tie / scale, INFINITY));
        }
    }
}

/* Every power of ten and its neighbours. */
TEST(fast_powers_of_ten)
{
    for (int x = -8; x <= 12; x++) {
        double v = pow(10, x), up = v, down = v;
        for (int i = 0; i < 50; i++) {
            check_short(up = nextafter(up, INFINITY));
            check_short(down = nextafter(down, 0));
            check_short(v * (1 - i * 1e-10));
            check_short(-v * (1 + i * 1e-10));
        }
    }
}

TEST(fast_random_numbers)
{
    uint64_t state = 1;
    for (int i = 0; i < 400000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double v = (double)(int64_t)state / 9.3e18;
        check_short(v * pow(10, i % 20 - 8));
        check_short((double)(float)(v * 1000));
        check_int((int64_t)state >> (i % 64));
    }
}

TEST(decimal_comma)
{
    comma_locale_on();
    test_short_numbers();
    test_hard_rounding();
    test_many_digits();
    test_out_of_range();
    test_not_numbers();
    test_format();
    test_fixed();
    comma_locale_off();
}

int main(void)
{
    RUN(short_numbers);
    RUN(hard_rounding);
    RUN(many_digits);
    RUN(out_of_range);
    RUN(not_numbers);
    RUN(empty_and_not_finite);
    RUN(length_counts);
    RUN(there_and_back);
    RUN(format);
    RUN(fixed);
    RUN(fast_integers);
    RUN(fast_special_numbers);
    RUN(fast_ties);
    RUN(fast_powers_of_ten);
    RUN(fast_random_numbers);
    RUN_IF(comma_locale_build(), decimal_comma, NO_COMMA_LOCALE);
    return test_end();
}
