/* tests: cell_format. Cells of a column that has a format. */
#include "prep/cell_format.h"

#include "starve.h"
#include "test.h"

static odim_error err;
static const od_strlist none;

#define EURO "\xE2\x82\xAC"
#define NBSP "\xC2\xA0"

/* The value as text; "missing"; or "no" if the cell does not fit. */
static const char *parse(odim_type type, const od_cell_format *format, const char *cell)
{
    static char out[40];
    double v = 7;
    if (!od_cell_parse(type, format, cell, strlen(cell), &none, &v)) return "no";
    if (isnan(v)) return "missing";
    snprintf(out, sizeof out, "%.10g", v);
    return out;
}

static const char *number(unsigned notations, const char *unit, const char *cell)
{
    od_cell_format f = {.notations = (uint8_t)notations};
    strcpy(f.unit, unit);
    return parse(ODIM_NUMERIC, &f, cell);
}

static const char *date(od_date_order order, const char *cell)
{
    od_cell_format f = {.order = (uint8_t)order};
    return parse(ODIM_TIME, &f, cell);
}

TEST(plain_numbers)
{
    CHECK_STR(number(0, "", " 12.5 "), "12.5");
    CHECK_STR(number(0, "", "-1e3"), "-1000");
    CHECK_STR(number(0, "", "12,5"), "no");
    CHECK_STR(number(0, "", "1,234"), "no");
    CHECK_STR(number(0, "", "(5)"), "no");
    CHECK_STR(number(0, "", "5 kg"), "no");
    CHECK_STR(number(0, "", "1e999"), "no");
    CHECK_STR(number(0, "", "inf"), "no");
    CHECK_STR(number(0, "", "yes"), "no");
}

/* The column decides what a text means. */
TEST(marks)
{
    const unsigned us = 1u << OD_POINT_COMMA, de = 1u << OD_COMMA_POINT, fr = 1u << OD_COMMA_SPACE,
                   ch = 1u << OD_POINT_APOSTROPHE;
    CHECK_STR(number(us, "", "1.234"), "1.234");
    CHECK_STR(number(de, "", "1.234"), "1234");
    CHECK_STR(number(us, "", "1,234"), "1234");
    CHECK_STR(number(de, "", "1,234"), "1.234");
    CHECK_STR(number(us, "", "12,34,567.5"), "1234567.5");
    CHECK_STR(number(us, "", "1.234,5"), "no");
    CHECK_STR(number(de, "", "1,234.5"), "no");
    CHECK_STR(number(fr, "", "1 234,5"), "1234.5");
    CHECK_STR(number(fr, "", "1" NBSP "234,5"), "1234.5");
    CHECK_STR(number(fr, "", "1.234,5"), "no");
    CHECK_STR(number(fr, "", "1.5"), "no");
    CHECK_STR(number(ch, "", "12'345.5"), "12345.5");
    CHECK_STR(number(ch, "", "12,345.5"), "no");
    CHECK_STR(number(OD_COMMAS, "", "1 234,5"), "1234.5");
    CHECK_STR(number(OD_COMMAS, "", "1.234,5"), "1234.5");
    CHECK_STR(number(OD_COMMAS, "", "1.5"), "no");
    CHECK_STR(number(OD_POINTS, "", "1.5"), "1.5");
    CHECK_STR(number(de, "", "12"), "12");
    CHECK_STR(number(de, "", "(12,5)"), "-12.5");
    CHECK_STR(number(de, "", "12,5-"), "-12.5");
    CHECK_STR(number(us, "",
                     "\xE2\x88\x92"
                     "12.5"),
              "-12.5");
    CHECK_STR(number(de, "", "1e400"), "no");
}

TEST(units)
{
    const unsigned de = 1u << OD_COMMA_POINT;
    CHECK_STR(number(de, "EUR", "1.234,50 " EURO), "1234.5");
    CHECK_STR(number(de, "EUR", EURO NBSP "1.234,50"), "1234.5");
    CHECK_STR(number(de, "EUR", "7 EUR"), "7");
    CHECK_STR(number(de, "EUR", "7"), "no"); /* of what? */
    CHECK_STR(number(de, "EUR", "7 $"), "no");
    CHECK_STR(number(de, "", "7 EUR"), "no");
    CHECK_STR(number(OD_POINTS, "kg", "12.5 KG"), "12.5");
    CHECK_STR(number(OD_POINTS, "kg", "12.5 g"), "no");
    CHECK_STR(number(OD_POINTS, "%", "18.5 %"), "18.5");
    CHECK_STR(number(OD_POINTS, "%", "18.5%"), "18.5");
}

TEST(dates)
{
    CHECK_STR(date(OD_DATE_ISO, "1970-01-02"), "86400");
    CHECK_STR(date(OD_DATE_ISO, "02.01.1970"), "no");
    CHECK_STR(date(OD_DATE_YMD, "1970/01/02"), "86400");
    CHECK_STR(date(OD_DATE_YMD, "1970-01-02"), "86400");
    CHECK_STR(date(OD_DATE_DMY, "02.01.1970"), "86400");
    CHECK_STR(date(OD_DATE_DMY, "2/1/70"), "86400");
    CHECK_STR(date(OD_DATE_MDY, "01/02/1970"), "86400");
    CHECK_STR(date(OD_DATE_DMY, "01/31/1970"), "no");
    CHECK_STR(date(OD_DATE_MDY, "31/01/1970"), "no");
    CHECK_STR(date(OD_DATE_DMY, "1970-01-02"), "no");
    CHECK_STR(date(OD_DATE_DMY, "2.1.1970 01:00"), "90000");
    CHECK_STR(date(OD_DATE_MDY, "1/2/1970 1:00 PM"), "133200");
    CHECK_STR(date(OD_DATE_NAMED, "2 Jan 1970"), "86400");
    CHECK_STR(date(OD_DATE_NAMED, "January 2, 1970"), "86400");
    CHECK_STR(date(OD_DATE_NAMED, "2.1.1970"), "no");
    CHECK_STR(date(OD_DATE_SECONDS, "1500"), "1500");
    CHECK_STR(date(OD_DATE_SECONDS, "1970-01-02"), "no");
    CHECK_STR(date(OD_DATE_MILLISECONDS, "1500"), "1.5");
    CHECK_STR(date(OD_DATE_MILLISECONDS, "soon"), "no");
}

TEST(missing_cells)
{
    CHECK_STR(number(0, "", ""), "missing");
    CHECK_STR(number(1u << OD_COMMA_POINT, "EUR", " NA "), "missing");
    CHECK_STR(number(1u << OD_COMMA_POINT, "EUR", "-"), "missing");
    CHECK_STR(date(OD_DATE_DMY, "n/a"), "missing");
    CHECK_STR(date(OD_DATE_SECONDS, "?"), "missing");
    /* A marker that would be a number of this format. */
    od_strlist na = {0};
    od_cell_format de = {.notations = 1u << OD_COMMA_POINT}, dmy = {.order = OD_DATE_DMY};
    double v = 7;
    REQUIRE(!od_cell_na(&na, NAMES("-9,99", "01.01.1900"), &err));
    CHECK(od_cell_parse(ODIM_NUMERIC, &de, " -9,99", 6, &na, &v) && isnan(v));
    CHECK(od_cell_parse(ODIM_NUMERIC, &de, "-9,990", 6, &na, &v) && v == -9.99);
    CHECK(od_cell_parse(ODIM_TIME, &dmy, "01.01.1900", 10, &na, &v) && isnan(v));
    CHECK(od_cell_parse(ODIM_TIME, &dmy, "02.01.1970", 10, &na, &v) && v == 86400);
    od_strlist_free(&na);
}

static const char *text(odim_type type, unsigned notations, od_date_order order, const char *unit)
{
    static char out[120];
    od_cell_format f = {.notations = (uint8_t)notations, .order = (uint8_t)order};
    strcpy(f.unit, unit);
    return od_cell_format_text(type, &f, out, sizeof out);
}

TEST(in_words)
{
    CHECK_STR(text(ODIM_NUMERIC, 0, 0, ""), "");
    CHECK_STR(text(ODIM_NUMERIC, OD_POINTS, 0, ""), "");
    CHECK_STR(text(ODIM_NUMERIC, OD_POINTS, 0, "kg"), "kg");
    CHECK_STR(text(ODIM_NUMERIC, OD_COMMAS, 0, ""), "decimal comma");
    CHECK_STR(text(ODIM_NUMERIC, 1u << OD_COMMA_POINT | 1u << OD_COMMA_SPACE, 0, "EUR"),
              "decimal comma, EUR");
    CHECK_STR(text(ODIM_NUMERIC, 1u << OD_POINT_APOSTROPHE, 0, ""), "decimal point, thousands apostrophe");
    CHECK_STR(text(ODIM_NUMERIC, 1u << OD_COMMA_POINT, 0, "EUR"), "decimal comma, thousands point, EUR");
    CHECK_STR(text(ODIM_NUMERIC, OD_POINTS, 0, "\x1b[1m"), "\\x1b[1m");
    CHECK_STR(text(ODIM_TIME, 0, OD_DATE_ISO, ""), "");
    CHECK_STR(text(ODIM_TIME, 0, OD_DATE_MDY, ""), "month/day/year");
    CHECK_STR(text(ODIM_TIME, 0, OD_DATE_MILLISECONDS, ""), "milliseconds since 1970");
    CHECK_STR(text(ODIM_CATEGORICAL, OD_COMMAS, OD_DATE_MDY, "kg"), "");
    char kind[80];
    od_cell_format de = {.notations = 1u << OD_COMMA_POINT, .unit = "EUR"}, dmy = {.order = OD_DATE_DMY},
                   plain = {0};
    CHECK_STR(od_cell_kind_text(ODIM_NUMERIC, &de, kind, sizeof kind),
              "a number (decimal comma, thousands point, EUR)");
    CHECK_STR(od_cell_kind_text(ODIM_TIME, &dmy, kind, sizeof kind), "a date or time (day/month/year)");
    CHECK_STR(od_cell_kind_text(ODIM_TIME, &plain, kind, sizeof kind), "an ISO 8601 date or time");
    CHECK_STR(od_cell_kind_text(ODIM_BOOLEAN, &plain, kind, sizeof kind), "true or false");
}

/* What is special about a format that has a name; "-" if it is none of that type. */
static const char *named(odim_type type, const char *word)
{
    static char out[80];
    od_cell_format f;
    memset(&f, 77, sizeof f);
    bool known = od_cell_format_named(type, word, &f);
    CHECK_STR(f.unit, "");
    return known ? od_cell_format_text(type, &f, out, sizeof out) : "-";
}

TEST(by_name)
{
    CHECK_STR(named(ODIM_NUMERIC, "comma"), "decimal comma");
    CHECK_STR(named(ODIM_NUMERIC, "point"), "");
    CHECK_STR(named(ODIM_NUMERIC, "dmy"), "-");
    CHECK_STR(named(ODIM_NUMERIC, "Comma"), "-");
    CHECK_STR(named(ODIM_NUMERIC, ""), "-");
    CHECK_STR(named(ODIM_TIME, "iso"), "");
    CHECK_STR(named(ODIM_TIME, "ymd"), "year/month/day");
    CHECK_STR(named(ODIM_TIME, "dmy"), "day/month/year");
    CHECK_STR(named(ODIM_TIME, "mdy"), "month/day/year");
    CHECK_STR(named(ODIM_TIME, "named"), "month by name");
    CHECK_STR(named(ODIM_TIME, "unix"), "seconds since 1970");
    CHECK_STR(named(ODIM_TIME, "unix-ms"), "milliseconds since 1970");
    CHECK_STR(named(ODIM_TIME, "comma"), "-");
    CHECK_STR(named(ODIM_BOOLEAN, "comma"), "-");
    CHECK_STR(named(ODIM_CATEGORICAL, "dmy"), "-");
}

TEST(out_of_memory)
{
    odim_status status;
    EACH_ALLOCATION_FAILS(status, 2)
    {
        od_strlist na = {0};
        status = od_cell_na(&na, NAMES("-999", "unknown"), &err);
        od_strlist_free(&na);
    }
}

int main(void)
{
    RUN(plain_numbers);
    RUN(marks);
    RUN(units);
    RUN(dates);
    RUN(missing_cells);
    RUN(in_words);
    RUN(by_name);
    RUN(out_of_memory);
    return test_end();
}
