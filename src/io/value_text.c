/* Writes typed values of files as text. */
#include "io/value_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/numtext.h"

/* Digits of a number of 256 bits, and more zeros before them than any scale asks for. */
#define DIGITS_MOST 80

size_t od_value_day(int64_t days, char *buf)
{
    /* Years that begin in March, in eras of 400 years: leap days come last. */
    int64_t z = days + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t day_of_era = z - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t march = (5 * day_of_year + 2) / 153, month = march < 10 ? march + 3 : march - 9;
    int64_t year = year_of_era + era * 400 + (month <= 2), day = day_of_year - (153 * march + 2) / 5 + 1;
    return (size_t)snprintf(buf, 40, "%04lld-%02lld-%02lld", (long long)year, (long long)month,
                            (long long)day);
}

size_t od_value_clock(int64_t units, int64_t per, char *buf)
{
    int64_t seconds = units / per, part = units % per;
    int digits = per == 1000000000 ? 9 : per == 1000000 ? 6 : per == 1000 ? 3 : 0;
    size_t len = (size_t)snprintf(buf, 40, "%02lld:%02d:%02d", (long long)(seconds / 3600),
                                  (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (part == 0) return len;
    len += (size_t)snprintf(buf + len, 24, ".%0*lld", digits, (long long)part);
    while (buf[len - 1] == '0') len--;
    return len;
}

size_t od_value_moment(int64_t units, int64_t per, bool utc, char *buf)
{
    int64_t day = per * 86400, days = units / day, rest = units % day;
    if (rest < 0) rest += day, days--;
    size_t len = od_value_day(days, buf);
    buf[len++] = 'T';
    len += od_value_clock(rest, per, buf + len);
    if (utc) buf[len++] = 'Z';
    return len;
}

size_t od_value_infinity(bool negative, char *buf)
{
    const char *word = negative ? "-infinity" : "infinity";
    memcpy(buf, word, strlen(word));
    return strlen(word);
}

size_t od_value_real(double value, bool single, char *buf)
{
    if (isnan(value)) return 0;
    if (isinf(value)) return od_value_infinity(value < 0, buf);
    return strlen(od_num_format(buf, value, single));
}

/* Divides by ten, and returns the rest. */
static uint32_t divide(uint32_t *part, int words)
{
    uint64_t rest = 0;
    for (int k = words - 1; k >= 0; k--) {
        rest = rest << 32 | part[k];
        part[k] = (uint32_t)(rest / 10);
        rest %= 10;
    }
    return (uint32_t)rest;
}

size_t od_value_decimal(uint32_t *part, int words, bool negative, int scale, char buf[OD_VALUE_ROOM])
{
    char digits[DIGITS_MOST];
    size_t count = 0, len = 0, point = scale > 0 ? (size_t)scale : 0;
    while (count <= point || words > 0) {
        digits[count++] = (char)('0' + divide(part, words));
        while (words > 0 && part[words - 1] == 0) words--;
    }
    if (negative) buf[len++] = '-';
    while (count) {
        if (count == point) buf[len++] = '.';
        buf[len++] = digits[--count];
    }
    if (scale < 0) len += (size_t)snprintf(buf + len, 8, "e%d", -scale);
    return len;
}
