/*
 * Most numbers in a table are short: up to 19 digits and a small power of ten. Their digits are exact in a
 * double and are multiplied or divided by an exact power of ten, which rounds once and therefore correctly
 * (Clinger 1990). All others go to strtod in the "C" locale, which is correct but slow.
 */
#include "common/numtext.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/platform.h"

static const double pow10_exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(const char *s, size_t len, const char *word)
{
    return strlen(word) == len && strncasecmp(s, word, len) == 0;
}

/* 768 significant digits, and whether anything but zeros follows them, decide the value of any double. */
#define DIGITS_KEPT 800
/* Far beyond the exponent of any double, far below INT_MAX. */
#define EXP_MAX 100000

/* Parses [p, end), digits with at most one '.' among them, times 10^exp10. */
static od_num parse_slow(bool negative, const char *p, const char *end, int64_t exp10, double *out)
{
    char text[DIGITS_KEPT + 32];
    size_t len = 0, kept = 0;
    bool fraction = false, more = false;
    if (negative) text[len++] = '-';
    for (; p < end; p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        if (kept == 0 && *p == '0') { /* a leading zero only shifts the point */
            exp10 -= fraction;
        } else if (kept < DIGITS_KEPT) {
            text[len++] = *p;
            kept++;
            exp10 -= fraction;
        } else {
            more |= *p != '0';
            exp10 += !fraction;
        }
    }
    if (kept == 0) text[len++] = '0';
    if (more) {
        text[len++] = '1';
        exp10--;
    }
    if (exp10 > EXP_MAX) exp10 = EXP_MAX;
    if (exp10 < -EXP_MAX) exp10 = -EXP_MAX;
    snprintf(text + len, sizeof text - len, "e%d", (int)exp10);
    double v = od_platform_strtod(text);
    if (!isfinite(v)) return OD_NUM_OVERFLOW;
    *out = v;
    return OD_NUM_OK;
}

/* Up to 16 characters, all of them digits, one point and a sign: nearly all numbers. OD_NUM_NOT: it is not a
 * number. OD_NUM_EMPTY: this must be seen more closely. */
static od_num parse_short(const char *s, size_t len, double *out)
{
    const char *p = s, *end = s + len, *point = NULL;
    if (len == 0 || len > 16) return OD_NUM_EMPTY;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    uint64_t mantissa = 0;
    const char *first = p;
    for (; p < end; p++) {
        unsigned digit = (unsigned)(unsigned char)*p - '0';
        if (digit < 10)
            mantissa = mantissa * 10 + digit;
        else if (*p == '.' && !point)
            point = p;
        else
            return p == first || is_blank(*p) || *p == 'e' || *p == 'E' ? OD_NUM_EMPTY : OD_NUM_NOT;
    }
    if (end - first == (point != NULL) || mantissa > (UINT64_C(1) << 53)) return OD_NUM_EMPTY;
    double v = (double)mantissa;
    if (point) v /= pow10_exact[end - point - 1];
    *out = negative ? -v : v;
    return OD_NUM_OK;
}

od_num od_num_parse(const char *s, size_t len, double *out)
{
    od_num quick = parse_short(s, len, out);
    if (quick != OD_NUM_EMPTY) return quick;
    while (len && is_blank(*s)) s++, len--;
    while (len && is_blank(s[len - 1])) len--;
    if (!len) return OD_NUM_EMPTY;

    const char *p = s, *end = s + len;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    const char *first = p;
    uint64_t mantissa = 0;
    int64_t exp10 = 0, e = 0;
    int digits = 0;
    bool any = false;
    for (; p < end && is_digit(*p); p++) {
        any = true;
        if (digits < 19) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            digits += mantissa != 0;
        } else {
            digits = 20; /* too many for the mantissa: take the slow path */
        }
    }
    if (p < end && *p == '.') {
        for (p++; p < end && is_digit(*p); p++) {
            any = true;
            if (digits < 19) {
                mantissa = mantissa * 10 + (uint64_t)(*p - '0');
                digits += mantissa != 0;
                exp10--;
            } else {
                digits = 20;
            }
        }
    }
    if (!any) {
        size_t left = (size_t)(end - first);
        if (is_word(first, left, "nan") || is_word(first, left, "inf") || is_word(first, left, "infinity"))
            return OD_NUM_NONFINITE;
        return OD_NUM_NOT;
    }
    const char *last = p;
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        bool down = q < end && *q == '-';
        if (q < end && (*q == '-' || *q == '+')) q++;
        if (q == end || !is_digit(*q)) return OD_NUM_NOT;
        for (; q < end && is_digit(*q); q++)
            if (e < INT64_MAX / 100) e = e * 10 + (*q - '0');
        if (down) e = -e;
        p = q;
    }
    if (p != end) return OD_NUM_NOT;

    exp10 += e;
    if (digits <= 19 && mantissa <= (UINT64_C(1) << 53) && exp10 >= -22 && exp10 <= 22) {
        double v = (double)mantissa;
        v = exp10 < 0 ? v / pow10_exact[-exp10] : v * pow10_exact[exp10];
        *out = negative ? -v : v;
        return OD_NUM_OK;
    }
    return parse_slow(negative, first, last, e, out);
}

/* Replaces the locale's decimal point, which may have several bytes, in the output of printf. */
static void use_point(char *buf)
{
    size_t len = strcspn(buf, "0123456789"), to;
    len += strspn(buf + len, "0123456789");
    to = len;
    if (!buf[len] || buf[len] == 'e') return;
    while (buf[len] && !is_digit(buf[len])) len++;
    buf[to++] = '.';
    memmove(buf + to, buf + len, strlen(buf + len) + 1);
}

const char *od_num_fixed(char buf[OD_NUM_ROOM], double value, int decimals)
{
    bool fits = fabs(value) < 1e15 && decimals >= 0 && decimals <= 12;
    snprintf(buf, OD_NUM_ROOM, fits ? "%.*f" : "%.*g", fits ? decimals : 6, value);
    use_point(buf);
    if (!strchr(buf, '.') || strchr(buf, 'e')) return buf;
    size_t len = strlen(buf);
    while (buf[len - 1] == '0') buf[--len] = '\0';
    if (buf[len - 1] == '.') buf[--len] = '\0';
    return strcmp(buf, "-0") == 0 ? memmove(buf, "0", 2) : buf;
}

const char *od_num_format(char buf[OD_NUM_ROOM], double value, bool single)
{
    if (value == floor(value) && fabs(value) < 1e17) { /* row numbers get no exponent */
        snprintf(buf, OD_NUM_ROOM, "%.0f", value);
        return buf;
    }
    int most = single ? 9 : 17; /* these always suffice */
    double back = NAN;
    for (int digits = single ? 6 : 15; digits <= most; digits++) {
        if (snprintf(buf, OD_NUM_ROOM, "%.*g", digits, value) >= OD_NUM_ROOM) break; /* never: 24 at most */
        use_point(buf);
        od_num_parse(buf, strlen(buf), &back);
        if (single ? (float)back == (float)value : back == value) break;
    }
    return buf;
}

/* ---- nine digits, fast ------------------------------------------------------------------------------- */

enum { NINE = 9 };

size_t od_num_int(char buf[OD_NUM_ROOM], int64_t value)
{
    char reversed[OD_NUM_ROOM];
    size_t n = 0, len = 0;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do reversed[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) buf[len++] = '-';
    while (n) buf[len++] = reversed[--n];
    return len;
}

/* The decimal exponent of v, for 1e-4 <= v < 1e9. */
static int find_exponent(double v)
{
    static const double tens[] = {1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    int i = v < 1 ? 3 : 12;
    while (v < tens[i]) i--;
    return i - 4;
}

/* Writes digits * 10^(x - 8), where digits has nine of them, without trailing zeros. */
static size_t place_point(char *to, uint32_t digits, int x)
{
    char text[NINE];
    for (int i = NINE - 1; i >= 0; i--, digits /= 10) text[i] = (char)('0' + digits % 10);
    size_t used = NINE, whole = x >= 0 ? (size_t)x + 1 : 0, len = 0;
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
 * exact product. False when the two are equal, and for numbers that printf writes with an exponent.
 */
static bool round_digits(double v, uint32_t *digits, int *x)
{
    if (!(v >= 1e-4 && v < 1e9)) return false;
    *x = find_exponent(v);
    double product = v * pow10_exact[NINE - 1 - *x];
    *digits = (uint32_t)product;
    double fraction = product - *digits;
    *digits += fraction > 0.5;
    if (*digits == 1000000000) { /* 9.9999999999 is 10 */
        *digits /= 10;
        ++*x;
    }
    return fraction != 0.5 && *x < NINE;
}

size_t od_num_short(char buf[OD_NUM_ROOM], double value)
{
    uint32_t digits;
    int x;
    if (!round_digits(fabs(value), &digits, &x)) {
        snprintf(buf, OD_NUM_ROOM, "%.9g", value);
        if (isfinite(value)) use_point(buf);
        return strlen(buf);
    }
    size_t sign = value < 0;
    if (sign) buf[0] = '-';
    return sign + place_point(buf + sign, digits, x);
}

/*
 * od_num_format tries six to nine digits. Here they are v * 10^k rounded to a whole number, k at most 12. A
 * float has 24 bits and 5^12 has 28, so the product is exact; printf rounds a half to the even neighbor. The
 * text stands for that number divided by 10^k, which rounds once.
 */
double od_num_single(float value)
{
    char text[OD_NUM_ROOM];
    double v = fabs((double)value), back = 0.0;
    if (v == floor(v) && v < 1e17) return value;
    if (v >= 1e-4 && v < 1e9) {
        int x = find_exponent(v);
        for (int k = x < 5 ? 5 - x : 1; k <= NINE - 1 - x; k++) {
            back = rint(v * pow10_exact[k]) / pow10_exact[k];
            if ((float)back == (float)v) return value < 0 ? -back : back;
        }
    }
    od_num_format(text, value, true);
    od_num_parse(text, strlen(text), &back);
    return back;
}
