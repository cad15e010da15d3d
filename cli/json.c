#include "json.h"

#include <math.h>
#include <string.h>

static bool is_continuation(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* Bytes of the UTF-8 character at s, 0 when it is none: no overlong forms, no surrogates, nothing past
 * 10FFFF. */
static int utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
    if (!is_continuation(s[1])) return 0;
    if (s[0] < 0xE0) return 2;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F)) return 0;
    if (!is_continuation(s[2])) return 0;
    if (s[0] < 0xF0) return 3;
    if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F)) return 0;
    return is_continuation(s[3]) ? 4 : 0;
}

static void put_string(od_out *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    od_out_text(out, "\"");
    while (*s) {
        int len = utf8_length(s);
        if (len == 0)
            od_out_text(out, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            od_out_printf(out, "\\%c", *s);
        else if (*s == '\n')
            od_out_text(out, "\\n");
        else if (*s == '\t')
            od_out_text(out, "\\t");
        else if (*s < 0x20 || *s == 0x7F)
            od_out_printf(out, "\\u%04x", *s);
        else
            od_out_bytes(out, (const char *)s, (size_t)len);
        s += len ? len : 1;
    }
    od_out_text(out, "\"");
}

static void break_line(od_json *j)
{
    if (j->depth == 1 || j->depth == 2) od_out_printf(j->out, "\n%*s", 2 * j->depth, "");
}

/* What comes before a value: comma, line break, key. */
static void lead(od_json *j, const char *key)
{
    if (j->filled[j->depth]) od_out_text(j->out, j->depth > 2 ? ", " : ",");
    j->filled[j->depth] = true;
    break_line(j);
    if (key) {
        put_string(j->out, key);
        od_out_text(j->out, ": ");
    }
}

void od_json_begin(od_json *j, const char *key, char bracket)
{
    lead(j, key);
    od_out_printf(j->out, "%c", bracket);
    j->close[j->depth++] = bracket == '{' ? '}' : ']';
    j->filled[j->depth] = false;
}

void od_json_end(od_json *j)
{
    bool filled = j->filled[j->depth--];
    if (filled && j->depth < 2) od_out_printf(j->out, "\n%*s", 2 * j->depth, "");
    od_out_printf(j->out, j->depth ? "%c" : "%c\n", j->close[j->depth]);
}

void od_json_string(od_json *j, const char *key, const char *value)
{
    lead(j, key);
    put_string(j->out, value);
}

void od_json_int(od_json *j, const char *key, int64_t value)
{
    lead(j, key);
    od_out_printf(j->out, "%lld", (long long)value);
}

void od_json_number(od_json *j, const char *key, double value)
{
    lead(j, key);
    /* The program never calls setlocale: printf writes '.'. */
    if (isfinite(value))
        od_out_printf(j->out, "%.9g", value);
    else
        od_out_text(j->out, "null");
}

void od_json_raw(od_json *j, const char *key, const char *text)
{
    lead(j, key);
    od_out_text(j->out, text);
}

bool od_json_is_number(const char *text)
{
    static const char digits[] = "0123456789";
    if (*text == '-') text++;
    size_t whole = strspn(text, digits);
    if (whole == 0 || (whole > 1 && *text == '0')) return false;
    text += whole;
    if (*text == '.') {
        size_t part = strspn(++text, digits);
        if (part == 0) return false;
        text += part;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        if (*text == '+' || *text == '-') text++;
        size_t power = strspn(text, digits);
        if (power == 0) return false;
        text += power;
    }
    return *text == '\0';
}
