/* A writer of JSON objects and arrays. */
#include "json.h"

#include <math.h>
#include <string.h>

#include "common/numtext.h"
#include "common/utf8.h"

/* The escape of the character at s, "" when it needs none; *len: how many bytes of s it stands for. */
static const char *escape(const char *s, bool html, int *len, char buf[8])
{
    uint32_t code;
    *len = od_utf8_decode(s, OD_UTF8_LONGEST, &code);
    if (*len == 0) {
        *len = 1;
        return "\\ufffd";
    }
    if (code == '"') return "\\\"";
    if (code == '\\') return "\\\\";
    if (code == '\n') return "\\n";
    if (code == '\t') return "\\t";
    bool odd = html && (code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029);
    if (code >= 0x20 && code != 0x7F && !odd) return "";
    snprintf(buf, 8, "\\u%04x", (unsigned)code);
    return buf;
}

static void put_string(cli_json *j, const char *text)
{
    cli_out *out = j->out;
    char buf[8];
    const char *run = text; /* from here to `text` nothing needs an escape */
    cli_out_bytes(out, "\"", 1);
    for (int len; *text; text += len) {
        const char *escaped = escape(text, j->html, &len, buf);
        if (!*escaped) continue;
        cli_out_bytes(out, run, (size_t)(text - run));
        cli_out_text(out, escaped);
        run = text + len;
    }
    cli_out_bytes(out, run, (size_t)(text - run));
    cli_out_bytes(out, "\"", 1);
}

static void break_line(cli_json *j)
{
    if (!j->line && (j->depth == 1 || j->depth == 2)) cli_out_printf(j->out, "\n%*s", 2 * j->depth, "");
}

/* What comes before a value: comma, line break, key. */
static void lead(cli_json *j, const char *key)
{
    if (j->filled[j->depth]) cli_out_text(j->out, j->line || j->depth > 2 ? ", " : ",");
    j->filled[j->depth] = true;
    break_line(j);
    if (key) {
        put_string(j, key);
        cli_out_text(j->out, ": ");
    }
}

void cli_json_begin(cli_json *j, const char *key, char bracket)
{
    lead(j, key);
    cli_out_bytes(j->out, &bracket, 1);
    j->close[j->depth++] = bracket == '{' ? '}' : ']';
    j->filled[j->depth] = false;
}

void cli_json_end(cli_json *j)
{
    bool filled = j->filled[j->depth--];
    if (filled && !j->line && j->depth < 2) cli_out_printf(j->out, "\n%*s", 2 * j->depth, "");
    cli_out_bytes(j->out, &j->close[j->depth], 1);
    if (j->depth > 0) return;
    cli_out_text(j->out, "\n");
    j->filled[0] = false;
}

void cli_json_string(cli_json *j, const char *key, const char *value)
{
    lead(j, key);
    put_string(j, value);
}

void cli_json_int(cli_json *j, const char *key, int64_t value)
{
    lead(j, key);
    char text[OD_NUM_ROOM];
    cli_out_bytes(j->out, text, od_num_int(text, value));
}

void cli_json_number(cli_json *j, const char *key, double value)
{
    lead(j, key);
    char text[OD_NUM_ROOM];
    if (isfinite(value))
        cli_out_bytes(j->out, text, od_num_short(text, value));
    else
        cli_out_text(j->out, "null");
}

void cli_json_raw(cli_json *j, const char *key, const char *text)
{
    lead(j, key);
    cli_out_text(j->out, text);
}

bool cli_json_is_number(const char *text)
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
