#include "base/local_number.h"

#include "test.h"

#define P             (OD_POINTS)
#define C             (OD_COMMAS)
#define BIT(notation) (1u << (notation))

/* The text without a '\0' behind it, so that the sanitizer sees a byte too many. */
static bool scan(const char *text, od_local_number *n, char **exact)
{
    size_t len = strlen(text);
    *exact = malloc(len ? len : 1);
    if (!*exact) abort();
    memcpy(*exact, text, len);
    return od_local_number_scan(*exact, len, n);
}

static void expect(const char *text, unsigned notations, double value, const char *unit, int line)
{
    od_local_number n;
    char *exact;
    bool is = scan(text, &n, &exact);
    if (!is || n.notations != notations || strcmp(n.unit, unit) != 0)
        TEST_SAY("line %d: '%s' is %s: notations %x, unit '%s'", line, text, is ? "a number" : "none",
                 n.notations, n.unit);
    for (int i = 0; is && i < OD_NOTATIONS; i++) {
        double got = NAN;
        if (!(n.notations >> i & 1)) continue;
        CHECK(od_local_number_value(&n, (od_notation)i, &got) == OD_NUM_OK);
        bool grouped =
            (P & BIT(i)) && (notations & P) && (notations & C); /* 1.234: the value depends on it */
        if (!grouped && got != value)
            TEST_SAY("line %d: '%s' is %.17g, expected %.17g", line, text, got, value);
    }
    free(exact);
}
#define NUMBER(text, notations, value, unit) expect(text, notations, value, unit, __LINE__)

static bool refused(const char *text)
{
    od_local_number n;
    char *exact;
    bool is = scan(text, &n, &exact);
    free(exact);
    return !is;
}

static double value_in(const char *text, od_notation notation)
{
    od_local_number n;
    char *exact;
    double value = NAN;
    if (scan(text, &n, &exact) && n.notations >> notation & 1) od_local_number_value(&n, notation, &value);
    free(exact);
    return value;
}

TEST(decimals)
{
    NUMBER("12", P | C, 12, "");
    NUMBER("12.5", P, 12.5, "");
    NUMBER("12,5", C, 12.5, "");
    NUMBER("0,125", C, 0.125, "");
    NUMBER("0.125", P, 0.125, "");
    NUMBER(".5", P, 0.5, "");
    NUMBER(",5", C, 0.5, "");
    NUMBER("5.", P, 5, "");
    NUMBER("5,", C, 5, "");
    NUMBER("1,5e3", C, 1500, "");
    NUMBER("1e-2", P | C, 0.01, "");
    NUMBER("1234,5678", C, 1234.5678, "");
}

TEST(thousands)
{
    NUMBER("1,234.5", BIT(OD_POINT_COMMA), 1234.5, "");
    NUMBER("1.234,5", BIT(OD_COMMA_POINT), 1234.5, "");
    NUMBER("1.234.567", BIT(OD_COMMA_POINT), 1234567, "");
    NUMBER("1,234,567", BIT(OD_POINT_COMMA), 1234567, "");
    NUMBER("1 234,5", BIT(OD_COMMA_SPACE), 1234.5, "");
    NUMBER("1\xC2\xA0"
           "234,5",
           BIT(OD_COMMA_SPACE), 1234.5, "");
    NUMBER("1\xE2\x80\xAF"
           "234.5",
           BIT(OD_POINT_SPACE), 1234.5, "");
    NUMBER("12 345", BIT(OD_POINT_SPACE) | BIT(OD_COMMA_SPACE), 12345, "");
    NUMBER("1'234.50", BIT(OD_POINT_APOSTROPHE), 1234.5, "");
    NUMBER("1\xE2\x80\x99"
           "234,50",
           BIT(OD_COMMA_APOSTROPHE), 1234.5, "");
    NUMBER("1,23,456.75", BIT(OD_POINT_COMMA), 123456.75, "");
    NUMBER("12,34,56,789", BIT(OD_POINT_COMMA), 123456789, "");
}

TEST(ambiguous)
{
    NUMBER("1.234", P | BIT(OD_COMMA_POINT), 1234, "");
    CHECK(value_in("1.234", OD_POINT_COMMA) == 1.234);
    CHECK(value_in("1.234", OD_COMMA_POINT) == 1234);
    CHECK(value_in("1,234", OD_POINT_COMMA) == 1234);
    CHECK(value_in("1,234", OD_COMMA_POINT) == 1.234);
    CHECK(value_in("123,456", OD_COMMA_SPACE) == 123.456);
    CHECK(isnan(value_in("0,123", OD_POINT_COMMA)));
    CHECK(isnan(value_in("1234,567", OD_POINT_COMMA)));
}

TEST(signs)
{
    NUMBER("-12,5", C, -12.5, "");
    NUMBER("\xE2\x88\x92"
           "12,5",
           C, -12.5, "");
    NUMBER("+12,5", C, 12.5, "");
    NUMBER("12,5-", C, -12.5, "");
    NUMBER("12,5 -", C, -12.5, "");
    NUMBER("(12.5)", P, -12.5, "");
    NUMBER("( 1,234.50 )", BIT(OD_POINT_COMMA), -1234.5, "");
    NUMBER("- 5", P | C, -5, "");
    NUMBER("12.-", P, 12, "");
    NUMBER("12,--", C, 12, "");
    NUMBER("1'200.\xE2\x80\x93", BIT(OD_POINT_APOSTROPHE), 1200, "");
}

TEST(units)
{
    NUMBER("1.234,50 \xE2\x82\xAC", BIT(OD_COMMA_POINT), 1234.5, "EUR");
    NUMBER("\xE2\x82\xAC"
           "12",
           P | C, 12, "EUR");
    NUMBER("EUR 12", P | C, 12, "EUR");
    NUMBER("12,50 EUR", C, 12.5, "EUR");
    NUMBER("-$12", P | C, -12, "$");
    NUMBER("$-12", P | C, -12, "$");
    NUMBER("($12.50)", P, -12.5, "$");
    NUMBER("$(12.50)", P, -12.5, "$");
    NUMBER("CHF 1\xE2\x80\x99"
           "200.50",
           BIT(OD_POINT_APOSTROPHE), 1200.5, "CHF");
    NUMBER("Fr. 12.50", P, 12.5, "CHF");
    NUMBER("\xE2\x82\xB9"
           "1,00,000",
           BIT(OD_POINT_COMMA), 100000, "INR");
    NUMBER("Rs. 500", P | C, 500, "INR");
    NUMBER("18,0 %", C, 18, "%");
    NUMBER("18%", P | C, 18, "%");
    NUMBER("12.5 kg", P, 12.5, "kg");
    NUMBER("7 m/s", P | C, 7, "m/s");
    NUMBER("5 m2", P | C, 5, "m2");
    NUMBER("21.5 \xC2\xB0"
           "C",
           P, 21.5,
           "\xC2\xB0"
           "C");
    NUMBER("12 \xE2\x82\xAC-", P | C, -12, "EUR");
    CHECK(od_unit_equal("kg", "KG"));
    CHECK(!od_unit_equal("kg", "g"));
}

TEST(refusals)
{
    static const char *const texts[] = {
        "",
        " ",
        "-",
        "()",
        "$",
        "abc",
        "1.2.3",
        "12,34,5",

        "3/4",
        "12:30",
        "2024-05",
        "12-05",
        "(12",
        "12)",
        "--5",
        "(-5)",
        "1 23",
        "A12",
        "12 34",
        "0,123,456",
        "$5 EUR",
        "5 Nov 2026",
        "15-Nov-26",
        "1..5",
        ".",
        ",",

        "12 a-much-too-long-unit",
        "1,,000",
        "0x10",
        "12 #3",
        "\xC2\xA0",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!refused(texts[i])) TEST_SAY("'%s' is taken for a number", texts[i]);
    char digits[100];
    memset(digits, '1', sizeof digits);
    digits[99] = '\0';
    CHECK(refused(digits));
}

/* What od_plain_notations says quickly is what a scan says. */
TEST(plain)
{
    static const char *const texts[] = {"1",      "12.5",     "1.234",    "-1.234", "0.123",
                                        "12.345", "1234.567", ".123",     "1.23",   "1e5",
                                        "1.5e3",  "123.456",  "+999.000", "1.2345", "7."};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        od_local_number n;
        size_t len = strlen(texts[i]);
        REQUIRE(od_local_number_scan(texts[i], len, &n));
        if (n.notations != od_plain_notations(texts[i], len))
            TEST_SAY("'%s': %x and %x", texts[i], n.notations, od_plain_notations(texts[i], len));
    }
}

int main(void)
{
    RUN(decimals);
    RUN(thousands);
    RUN(ambiguous);
    RUN(signs);
    RUN(units);
    RUN(refusals);
    RUN(plain);
    return test_end();
}
