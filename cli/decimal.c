#include "decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 9 };

size_t cli_decimal_int(char buf[CLI_DECIMAL_ROOM], int64_t value)
{
    char reversed[CLI_DECIMAL_ROOM];
    size_t n = 0, len = 0;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do reversed[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) buf[len++] = '-';
    while (n) buf[len++] = reversed[--n];
    return len;
}

/* The first digit of v stands for 10^x, for 1e-4 <= v < 1e9. */
static int find_exponent(double v)
{
    static const double tens[] = {1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    int i = v < 1 ? 3 : 12;
    while (v < tens[i]) i--;
    return i - 4;
}

/* digits * 10^(x - 8) without trailing zeros; digits has nine of them. */
static size_t place_point(char *to, uint32_t digits, int x)
{
    char text[DIGITS];
    for (int i = DIGITS - 1; i >= 0; i--, digits /= 10) text[i] = (char)('0' + digits % 10);
    size_t used = DIGITS, whole = x >= 0 ? (size_t)x + 1 : 0, len = 0;
    while (used > 1 && used > whole && text[used - 1] == '0') used--;
    if (whole) {
        memcpy(to, text, whole);
        len = whole;
    } else {
        to[len++] = '0';
    }
    if (used == whole) return len;
    to[len++] = '.';
    for (int i = x + 1; i < 0; i++) to[len++] = '0';
    memcpy(to + len, text + whole, used - whole);
    return len + used - whole;
}

/*
 * The nine digits of v are v * 10^k rounded to a whole number, k at most 12. 10^k is exact and the product,
 * below 2^30, is off by half a unit in its last place at most. Its fraction and 1/2 are both multiples of
 * that unit, so unless the two are equal the error does not reach across 1/2, and the digits are those of the
 * exact product. False when they are equal, and for what printf would not write plainly.
 */
static bool round_digits(double v, uint32_t *digits, int *x)
{
    static const double scale[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    if (!(v >= 1e-4 && v < 1e9)) return false;
    *x = find_exponent(v);
    double product = v * scale[DIGITS - 1 - *x];
    *digits = (uint32_t)product;
    double fraction = product - *digits;
    *digits += fraction > 0.5;
    if (*digits == 1000000000) { /* 9.9999999999 is 10 */
        *digits /= 10;
        ++*x;
    }
    return fraction != 0.5 && *x < DIGITS;
}

size_t cli_decimal_number(char buf[CLI_DECIMAL_ROOM], double value)
{
    uint32_t digits;
    int x;
    /* The program never calls setlocale, so printf writes '.'. */
    if (!round_digits(fabs(value), &digits, &x))
        return (size_t)snprintf(buf, CLI_DECIMAL_ROOM, "%.9g", value);
    size_t sign = value < 0;
    if (sign) buf[0] = '-';
    return sign + place_point(buf + sign, digits, x);
}
