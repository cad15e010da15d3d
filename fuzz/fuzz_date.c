/*
 * Dates as people write them, against a slow and obvious definition.
 *
 * An even first byte: the rest is a text. If it has only digits, marks and blanks, a regular expression for
 * each order says whether it is a date, and the C library which. An odd one: the rest chooses a date, a time
 * and how to write them, and the text must be read back as that moment.
 */
#define _GNU_SOURCE /* timegm */
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/local_date.h"
#include "fuzz.h"

static bool moment(int year, int month, int day, int seconds, double *out)
{
    struct tm t = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
    time_t at = timegm(&t);
    *out = (double)at + seconds;
    return month >= 1 && t.tm_year == year - 1900 && t.tm_mon == month - 1 && t.tm_mday == day;
}

/* ---- any text --------------------------------------------------------------------------------------- */

static bool match(const char *pattern, const char *text, int *number)
{
    regex_t r;
    regmatch_t m[8];
    MUST(regcomp(&r, pattern, REG_EXTENDED) == 0);
    bool is = regexec(&r, text, 8, m, 0) == 0;
    regfree(&r);
    for (int i = 0; is && i < 6; i++) number[i] = m[i + 1].rm_so < 0 ? -1 : atoi(text + m[i + 1].rm_so);
    return is;
}

static bool reference(const char *text, od_date_order order, double *value)
{
    static const char *const separators[] = {"/", "-", "[.] *"};
    for (int i = 0; i < (order == OD_DATE_MDY ? 2 : 3); i++) {
        const char *sep = separators[i];
        const char *date = order == OD_DATE_YMD ? "([0-9]{4})%s([0-9][0-9]?)%s([0-9][0-9]?)"
                                                : "([0-9][0-9]?)%s([0-9][0-9]?)%s([0-9]{4}|[0-9]{2})";
        char day_text[120], pattern[200];
        int n[6], clock[6];
        snprintf(day_text, sizeof day_text, date, sep, sep);
        snprintf(pattern, sizeof pattern, "^ *%s( +([0-9][0-9]?):([0-9]{2})(:([0-9]{2}))?)?$", day_text);
        if (!match(pattern, text, n)) continue;
        int seconds = 0;
        if (match("([0-9]+):([0-9]{2})(:([0-9]{2}))?$", text, clock)) {
            int second = clock[2] < 0 ? 0 : clock[3];
            if (clock[0] > 24 || clock[1] > 59 || second > 60 || (clock[0] == 24 && (clock[1] || second)))
                return false;
            seconds = clock[0] * 3600 + clock[1] * 60 + second;
        }
        int day = n[0], month = n[1], year = n[2];
        if (order == OD_DATE_MDY) day = n[1], month = n[0];
        if (order == OD_DATE_YMD) year = n[0], day = n[2];
        if (order != OD_DATE_YMD && !match("[0-9]{4}", text, clock)) year += year < 69 ? 2000 : 1900;
        return moment(year, month, day, seconds, value);
    }
    return false;
}

static void check_text(const char *text, size_t len)
{
    od_local_date d;
    bool is = od_local_date_scan(text, len, &d);
    MUST(!is || d.orders);
    char copy[40];
    if (len >= sizeof copy) return;
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (strspn(copy, "0123456789./-: ") != len) return;
    if (strchr(copy, ':') && strchr(strchr(copy, ':'), '-')) return; /* an offset, which is not compared */
    size_t end = len;
    while (end && copy[end - 1] == ' ') copy[--end] = '\0';
    for (od_date_order order = OD_DATE_YMD; order <= OD_DATE_MDY; order++) {
        double want = 0;
        bool fits = is && d.orders >> order & 1;
        MUST(reference(copy, order, &want) == fits);
        if (fits) MUST(od_local_date_value(&d, order) == want);
    }
}

/* ---- a date that is written ------------------------------------------------------------------------- */

static void check_written(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"Jan",
                                        "February",
                                        "M\xC3\xA4rz",
                                        "avr.",
                                        "May",
                                        "junio",
                                        "Juli",
                                        "ao\xC3\xBBt",
                                        "Sep",
                                        "Okt.",
                                        "novembre",
                                        "d\xC3\xA9"
                                        "c."};
    static const od_date_order orders[] = {OD_DATE_DMY,   OD_DATE_DMY,   OD_DATE_MDY,  OD_DATE_YMD,
                                           OD_DATE_NAMED, OD_DATE_NAMED, OD_DATE_NAMED};
    if (size < 8) return;
    int year = 1970 + data[0] % 99, month = 1 + data[1] % 12, day = 1 + data[2] % 31, form = data[3] % 7;
    int hour = data[4] % 24, minute = data[5] % 60, second = data[6] % 60, style = data[7] % 4;
    double want, got;
    char date[48], text[96], clock[32] = "";
    if (!moment(year, month, day, 0, &want)) return;
    const char *name = names[month - 1];
    if (form == 0) snprintf(date, sizeof date, "%d.%02d.%d", day, month, year);
    if (form == 1) snprintf(date, sizeof date, "%02d/%02d/%d", day, month, year);
    if (form == 2) snprintf(date, sizeof date, "%d/%d/%02d", month, day, year % 100);
    if (form == 3) snprintf(date, sizeof date, "%d/%02d/%02d", year, month, day);
    if (form == 4) snprintf(date, sizeof date, "%d. %s %d", day, name, year);
    if (form == 5) snprintf(date, sizeof date, "%s %d, %d", name, day, year);
    if (form == 6) snprintf(date, sizeof date, "%02d-%s-%d", day, name, year);
    if (form == 2 && year >= 2069) return;
    if (style == 1) snprintf(clock, sizeof clock, " %02d:%02d", hour, minute);
    if (style == 2) snprintf(clock, sizeof clock, ", %d:%02d:%02d", hour, minute, second);
    if (style == 3)
        snprintf(clock, sizeof clock, " %d:%02d %s", hour % 12 ? hour % 12 : 12, minute,
                 hour < 12 ? "AM" : "pm");
    want += style ? hour * 3600 + minute * 60 : 0;
    want += style == 2 ? second : 0;
    snprintf(text, sizeof text, "%s%s", date, clock);
    od_local_date d;
    MUST(od_local_date_scan(text, strlen(text), &d) && d.orders >> orders[form] & 1);
    got = od_local_date_value(&d, orders[form]);
    MUST(got == want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    if (data[0] & 1)
        check_written(data + 1, size - 1);
    else
        check_text((const char *)data + 1, size - 1);
    return 0;
}
