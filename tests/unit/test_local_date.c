#include "base/local_date.h"

#include "base/isotime.h"
#include "test.h"

static bool scan(const char *text, od_local_date *d)
{
    size_t len = strlen(text);
    char *exact = malloc(len ? len : 1); /* no '\0' behind it: the sanitizer sees a byte too many */
    if (!exact) abort();
    memcpy(exact, text, len);
    bool is = od_local_date_scan(exact, len, d);
    free(exact);
    return is;
}

/* The orders that fit, with the ISO 8601 date of each: "dmy 2024-06-05 mdy 2024-05-06"; "" for none. */
static const char *read(const char *text)
{
    static char out[200];
    char date[OD_TIME_ROOM];
    od_local_date d;
    *out = '\0';
    if (!scan(text, &d)) return out;
    for (int i = 0; i < OD_DATE_ORDERS; i++)
        if (d.orders >> i & 1)
            snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s %s", *out ? " " : "",
                     od_date_order_name((od_date_order)i),
                     od_time_format(date, od_local_date_value(&d, (od_date_order)i)));
    return out;
}

TEST(numbers)
{
    CHECK_STR(read("31.12.2024"), "dmy 2024-12-31");
    CHECK_STR(read("1.5.24"), "dmy 2024-05-01");
    CHECK_STR(read("1. 5. 2024"), "dmy 2024-05-01");
    CHECK_STR(read("31/12/2024"), "dmy 2024-12-31");
    CHECK_STR(read("12/31/2024"), "mdy 2024-12-31");
    CHECK_STR(read("05/06/2024"), "dmy 2024-06-05 mdy 2024-05-06");
    CHECK_STR(read("31-12-99"), "dmy 1999-12-31");
    CHECK_STR(read("01/01/68"), "dmy 2068-01-01 mdy 2068-01-01");
    CHECK_STR(read("2024/12/31"), "ymd 2024-12-31");
    CHECK_STR(read("2024.2.29"), "ymd 2024-02-29");
    CHECK_STR(read("29/02/2023"), "");
    CHECK_STR(read(" 31.12.2024 "), "dmy 2024-12-31");
    CHECK_STR(read("05.06.2024"), "dmy 2024-06-05");
}

TEST(names)
{
    CHECK_STR(read("15 Nov 2026"), "named 2026-11-15");
    CHECK_STR(read("Nov 15, 2026"), "named 2026-11-15");
    CHECK_STR(read("15-Nov-26"), "named 2026-11-15");
    CHECK_STR(read("2026 November 15"), "named 2026-11-15");
    CHECK_STR(read("3. M\xC3\xA4rz 2024"), "named 2024-03-03");
    CHECK_STR(read("1st January 2020"), "named 2020-01-01");
    CHECK_STR(read("14 juillet 2024"), "named 2024-07-14");
    CHECK_STR(read("1 ao\xC3\xBBt 2024"), "named 2024-08-01");
    CHECK_STR(read("1 d\xC3\xA9"
                   "c. 2024"),
              "named 2024-12-01");
    CHECK_STR(read("6 de mayo 2024"), "");
    CHECK_STR(read("24. Dez. 2023"), "named 2023-12-24");
    CHECK_STR(read("Tue, 3 March 2026"), "named 2026-03-03");
    CHECK_STR(read("Dienstag, 3. M\xC3\xA4rz 2026"), "named 2026-03-03");
    CHECK_STR(read("Mo 05.06.2024"), "dmy 2024-06-05");
    CHECK_STR(read("31 Feb 2024"), "");
    CHECK_STR(read("May 2020"), "");
    CHECK_STR(read("12 Foo 2020"), "");
    CHECK_STR(read("12 J 2020"), "");
}

TEST(clocks)
{
    CHECK_STR(read("31.12.2024 08:15"), "dmy 2024-12-31 08:15");
    CHECK_STR(read("31.12.2024 8:15:30"), "dmy 2024-12-31 08:15:30");
    CHECK_STR(read("31.12.2024, 08:15 Uhr"), "dmy 2024-12-31 08:15");
    CHECK_STR(read("12/31/2024 5:30 PM"), "mdy 2024-12-31 17:30");
    CHECK_STR(read("12/31/2024 12:00 am"), "mdy 2024-12-31");
    CHECK_STR(read("12/31/2024 12:00:01 p.m."), "mdy 2024-12-31 12:00:01");
    CHECK_STR(read("12/31/2024 5 PM"), "mdy 2024-12-31 17:00");
    CHECK_STR(read("12/31/2024 17:30:12.5"), "mdy 2024-12-31 17:30:12.500");
    CHECK_STR(read("12/31/2024T17:30Z"), "mdy 2024-12-31 17:30");
    CHECK_STR(read("15 Nov 2026 14:00:05 +0200"), "named 2026-11-15 12:00:05");
    CHECK_STR(read("15 Nov 2026 14:00 UTC"), "named 2026-11-15 14:00");
    CHECK_STR(read("31.12.2024 5"), "");
    CHECK_STR(read("31.12.2024 5 "), "");
    CHECK_STR(read("31.12.2024 5 Uhr"), "dmy 2024-12-31 05:00");
    CHECK_STR(read("31.12.2024 13:00 PM"), "");
    CHECK_STR(read("31.12.2024 25:00"), "");
    CHECK_STR(read("31.12.2024 08:60"), "");
    CHECK_STR(read("31.12.2024x"), "");
}

/* The same moment has the same bits as its ISO 8601 text. */
TEST(same_bits_as_iso)
{
    static const char *const pairs[][2] = {{"31.12.2024 08:15:30.123456789", "2024-12-31T08:15:30.123456789"},
                                           {"31/12/1901 23:59:59.9", "1901-12-31T23:59:59.9"},
                                           {"1 Mar 2024 00:00:00.1 -0530", "2024-03-01T00:00:00.1-05:30"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        od_local_date d;
        double want = NAN;
        REQUIRE(scan(pairs[i][0], &d) && od_time_parse(pairs[i][1], strlen(pairs[i][1]), &want));
        od_date_order order = d.orders >> OD_DATE_DMY & 1 ? OD_DATE_DMY : OD_DATE_NAMED;
        CHECK(od_local_date_value(&d, order) == want);
    }
}

TEST(refusals)
{
    static const char *const texts[] = {"",         "12",         "1.2",        "1.2.3",     "1.2.345",
                                        "31.12.",   "31.12/2024", "32.12.2024", "0.1.2024",  "10.13.2024",
                                        "2024",     "2024/13/01", "123/1/2024", "12345.1.1", "10.0.0.1",
                                        "1.2.24.5", "Tue",        "Tue, ",      "a b c",     "12.5 kg",
                                        "Nov",      "1/2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) CHECK_STR(read(texts[i]), "");
}

int main(void)
{
    RUN(numbers);
    RUN(names);
    RUN(clocks);
    RUN(same_bits_as_iso);
    RUN(refusals);
    return test_end();
}
