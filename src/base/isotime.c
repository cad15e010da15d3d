/* Parses and formats ISO 8601 dates and times. */
#include "base/isotime.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cursor {
    const char *p, *end;
} cursor;

/* Exactly `digits` digits; -1: they are not there. */
static int take(cursor *c, int digits)
{
    int value = 0;
    if (c->end - c->p < digits) return -1;
    for (int i = 0; i < digits; i++, c->p++) {
        if (*c->p < '0' || *c->p > '9') return -1;
        value = value * 10 + (*c->p - '0');
    }
    return value;
}

static bool skip(cursor *c, char what)
{
    if (c->p == c->end || *c->p != what) return false;
    c->p++;
    return true;
}

static int month_days(int year, int month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/*
 * Days from 1970-01-01, by eras of 400 years of 146097 days with the year begun in March, so that the leap
 * day is the last of its year.
 */
static int64_t days_of(int year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1, era = (y >= 0 ? y : y - 399) / 400;
    int64_t in_era = y - era * 400, in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

static void date_of(int64_t days, int *year, int *month, int *day)
{
    int64_t z = days + 719468, era = (z >= 0 ? z : z - 146096) / 146097, in_era = z - era * 146097;
    int64_t y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * y + y / 4 - y / 100), m = (5 * in_year + 2) / 153;
    *day = (int)(in_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(y + era * 400 + (*month <= 2));
}

/* A clock's time, in whole seconds and billionths of one: so one moment is one number, whatever its offset.
 */
typedef struct clock_time {
    int64_t seconds, billionths;
} clock_time;

/* What follows the date: a time, and an offset. `colons`: the extended form. */
static bool take_clock(cursor *c, bool colons, clock_time *out)
{
    int hour = take(c, 2), minute = 0, second = 0;
    int64_t fraction = 0, place = 100000000; /* digits after the ninth do not matter */
    if (colons && !skip(c, ':')) return false;
    minute = take(c, 2);
    if (colons ? skip(c, ':') : c->p < c->end && *c->p >= '0' && *c->p <= '9') {
        second = take(c, 2);
        if (skip(c, '.') || skip(c, ',')) {
            if (c->p == c->end || *c->p < '0' || *c->p > '9') return false;
            for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) {
                fraction += place * (*c->p - '0');
                place /= 10;
            }
        }
    }
    if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
    if (hour == 24 && (minute || second || fraction > 0)) return false;
    *out = (clock_time){hour * 3600 + minute * 60 + second, fraction};
    if (skip(c, 'Z') || skip(c, 'z')) return true;
    if (c->p == c->end || (*c->p != '+' && *c->p != '-')) return true;
    int sign = *c->p++ == '+' ? -1 : 1;
    int hours = take(c, 2), minutes = 0;
    if (skip(c, ':') || c->p < c->end) minutes = take(c, 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
    out->seconds += sign * (hours * 3600 + minutes * 60);
    return true;
}

bool od_time_day(int year, int month, int day, double *out)
{
    if (year < 0 || month < 1 || month > 12 || day < 1 || day > month_days(year, month)) return false;
    *out = (double)days_of(year, month, day) * OD_DAY;
    return true;
}

bool od_time_parse(const char *s, size_t len, double *out)
{
    cursor c = {s, s + len};
    while (c.p < c.end && (*c.p == ' ' || *c.p == '\t')) c.p++;
    while (c.end > c.p && (c.end[-1] == ' ' || c.end[-1] == '\t')) c.end--;
    int year = take(&c, 4);
    if (year < 0) return false;
    bool dashes = skip(&c, '-');
    int month = take(&c, 2);
    if (dashes && !skip(&c, '-')) return false;
    int day = take(&c, 2);
    if (month < 1 || month > 12 || day < 1 || day > month_days(year, month)) return false;
    clock_time clock = {0, 0};
    if (c.p == c.end && !dashes) return false; /* 20240501 is a number */
    if (c.p < c.end) {
        bool separated = skip(&c, 'T') || skip(&c, 't') || (dashes && skip(&c, ' '));
        if (!separated || !take_clock(&c, dashes, &clock)) return false;
    }
    *out =
        (double)days_of(year, month, day) * OD_DAY + (double)clock.seconds + (double)clock.billionths / 1e9;
    return c.p == c.end;
}

const char *od_time_format(char buf[OD_TIME_ROOM], double seconds)
{
    if (!(fabs(seconds) < 1e14)) {
        snprintf(buf, OD_TIME_ROOM, "%.0f s", seconds);
        return buf;
    }
    double rounded = floor(seconds * 1000.0 + 0.5) / 1000.0, days = floor(rounded / OD_DAY);
    double clock = rounded - days * OD_DAY;
    int year, month, day;
    date_of((int64_t)days, &year, &month, &day);
    int at = snprintf(buf, OD_TIME_ROOM, "%04d-%02d-%02d", year, month, day);
    if (clock <= 0.0) return buf;
    int64_t whole = (int64_t)clock;
    int thousandth = (int)((clock - (double)whole) * 1000.0 + 0.5);
    at += snprintf(buf + at, OD_TIME_ROOM - (size_t)at, " %02d:%02d", (int)(whole / 3600),
                   (int)(whole / 60 % 60));
    if (whole % 60 || thousandth)
        at += snprintf(buf + at, OD_TIME_ROOM - (size_t)at, ":%02d", (int)(whole % 60));
    if (thousandth) snprintf(buf + at, OD_TIME_ROOM - (size_t)at, ".%03d", thousandth);
    return buf;
}
