/* Case-insensitive search, without the locale: letters of the alphabets that have case in common use. */
#include "fold.h"

#include <stdint.h>
#include <string.h>

#include "common/utf8.h"

static uint32_t lower(uint32_t c)
{
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32; /* À to Þ */
    if (c >= 0x100 && c <= 0x137) return c | 1;             /* Latin Extended-A */
    if (c >= 0x139 && c <= 0x148) return c % 2 ? c + 1 : c;
    if (c >= 0x14A && c <= 0x177) return c | 1;
    if (c == 0x178) return 0xFF;
    if (c >= 0x179 && c <= 0x17E) return c % 2 ? c + 1 : c;
    if (c >= 0x391 && c <= 0x3AB) return c + 32; /* Greek */
    if (c >= 0x410 && c <= 0x42F) return c + 32; /* Cyrillic */
    if (c >= 0x400 && c <= 0x40F) return c + 80;
    return c == 0x1E9E ? 0xDF : c; /* capital sharp s */
}

static size_t encode(uint32_t c, char out[4])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* One character of the text, in lowercase; returns the bytes that it has there. */
static size_t fold_one(const char *text, char out[4], size_t *len)
{
    uint32_t code;
    if ((unsigned char)*text < 0x80) {
        *out = (char)lower((unsigned char)*text);
        *len = 1;
        return 1;
    }
    int used = od_utf8_decode(text, OD_UTF8_LONGEST, &code);
    if (used <= 0) {
        *out = *text;
        *len = 1;
        return 1;
    }
    *len = encode(lower(code), out);
    return (size_t)used;
}

size_t serve_fold(const char *text, char *out, size_t size)
{
    size_t at = 0, len;
    while (*text) {
        char one[4];
        text += fold_one(text, one, &len);
        if (at + len >= size) break;
        memcpy(out + at, one, len);
        at += len;
    }
    out[at] = '\0';
    return at;
}

/* Whether the text begins with the needle. */
static bool begins(const char *text, const char *needle)
{
    while (*needle) {
        char one[4];
        size_t len;
        if (!*text) return false;
        text += fold_one(text, one, &len);
        if (strncmp(needle, one, len) != 0) return false;
        needle += len;
    }
    return true;
}

bool serve_fold_contains(const char *text, const char *needle)
{
    char one[4];
    size_t len;
    if (!*needle) return true;
    for (; *text; text += fold_one(text, one, &len))
        if (begins(text, needle)) return true;
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Numbers by their value: without zeros in front, the longer one is larger. */
static int compare_digits(const char **a, const char **b)
{
    size_t m = 0, n = 0;
    while (**a == '0') ++*a;
    while (**b == '0') ++*b;
    while (is_digit((*a)[m])) m++;
    while (is_digit((*b)[n])) n++;
    int order = m != n ? (m > n) - (m < n) : strncmp(*a, *b, n);
    *a += m;
    *b += n;
    return order;
}

int serve_fold_compare(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        char p[4] = {0}, q[4] = {0};
        size_t m, n;
        if (is_digit(*x) && is_digit(*y)) {
            int order = compare_digits(&x, &y);
            if (order) return order;
            continue;
        }
        x += fold_one(x, p, &m);
        y += fold_one(y, q, &n);
        int order = memcmp(p, q, sizeof p);
        if (order) return order;
    }
    if (*x || *y) return *x ? 1 : -1;
    return strcmp(a, b);
}
