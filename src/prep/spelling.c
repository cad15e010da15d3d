/* Finds levels that differ by a typing error. */
#include "prep/spelling.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHORTEST 3 /* bytes of a level; shorter ones are all within one edit of each other */

typedef struct span {
    const char *at;
    size_t len;
} span;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static span trim(const char *text)
{
    span s = {text, strlen(text)};
    while (s.len && is_blank(*s.at)) s.at++, s.len--;
    while (s.len && is_blank(s.at[s.len - 1])) s.len--;
    return s;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Takes away what both begin and end with, whole characters at a time. */
static void cut_common(span *a, span *b)
{
    size_t most = a->len < b->len ? a->len : b->len, first = 0, last = 0;
    while (first < most && lower(a->at[first]) == lower(b->at[first])) first++;
    while (first > 0 && ((first < a->len && is_inside_character(a->at[first])) ||
                         (first < b->len && is_inside_character(b->at[first]))))
        first--;
    while (last < most - first && lower(a->at[a->len - 1 - last]) == lower(b->at[b->len - 1 - last])) last++;
    while (last > 0 &&
           (is_inside_character(a->at[a->len - last]) || is_inside_character(b->at[b->len - last])))
        last--;
    *a = (span){a->at + first, a->len - first - last};
    *b = (span){b->at + first, b->len - first - last};
}

static int characters(span s)
{
    int count = 0;
    for (size_t i = 0; i < s.len; i++) count += !is_inside_character(s.at[i]);
    return count;
}

static size_t first_character(span s)
{
    size_t len = 1;
    while (len < s.len && is_inside_character(s.at[len])) len++;
    return len;
}

static bool has_digit(span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.at[i] >= '0' && s.at[i] <= '9') return true;
    return false;
}

/* Two characters each: are they the same the other way round? */
static bool is_swapped(span a, span b)
{
    size_t k = first_character(a);
    if (a.len != b.len || first_character(b) != a.len - k) return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower(a.at[i]) != lower(b.at[i < k ? a.len - k + i : i - k])) return false;
    return true;
}

bool od_spelling_near(const char *text, const char *level)
{
    span a = trim(text), b = trim(level);
    bool is_short = a.len < SHORTEST || b.len < SHORTEST;
    if (strcmp(text, level) == 0 || b.len == 0) return false;
    cut_common(&a, &b);
    int left = characters(a), right = characters(b);
    if (left == 0 && right == 0) return true;
    if (is_short || has_digit(a) || has_digit(b)) return false;
    return (left <= 1 && right <= 1) || (left == 2 && right == 2 && is_swapped(a, b));
}
