/* Parses JSON from a source, one token at a time. */
#include "io/json_parse.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/utf8.h"
#include "io/csv.h"
#include "base/hint.h"

#define BUFFER ((size_t)64 << 10)

/* What may come next. */
typedef enum state {
    VALUE,      /* at the top, or behind a colon or a comma */
    FIRST_ITEM, /* a value, or the end of the array */
    FIRST_KEY,  /* a key, or the end of the object */
    KEY,
    AFTER /* a value: a comma, or the end of the array or object */
} state;

struct od_json {
    od_source *src;
    char *buf;      /* (BUFFER) */
    size_t at, len; /* what is to be read next, and the end */
    bool end;       /* of the source */
    int64_t before; /* bytes before the buffer */
    int64_t line;
    bool lines; /* each value has its own */
    bool used;  /* this line has one */
    char *text; /* of the last token */
    size_t text_len, text_cap;
    state state;
    int depth;
    char open[OD_JSON_DEPTH]; /* '{' or '[' */
};

odim_status od_json_open(od_json **out, od_source *src, odim_error *err)
{
    od_json *j = *out = od_calloc(1, sizeof *j);
    if (!j) return od_fail_nomem(err);
    j->src = src;
    j->line = 1;
    if ((j->buf = od_alloc(BUFFER, 1))) return ODIM_OK;
    od_free(j);
    *out = NULL;
    return od_fail_nomem(err);
}

void od_json_close(od_json *j)
{
    if (!j) return;
    od_free(j->buf);
    od_free(j->text);
    od_free(j);
}

void od_json_set_lines(od_json *j)
{
    j->lines = true;
}

int od_json_depth(const od_json *j)
{
    return j->depth;
}

int64_t od_json_line(const od_json *j)
{
    return j->line;
}

static odim_status fail(const od_json *j, const char *what, odim_error *err)
{
    return od_fail(err, ODIM_ERR_FORMAT, "line %lld, byte %lld: %s", (long long)j->line,
                   (long long)(j->before + (int64_t)j->at + 1), what);
}

/* ---- bytes ---------------------------------------------------------------------------------------- */

/* More bytes behind those that are left, for which there is room. */
static odim_status load(od_json *j, odim_error *err)
{
    size_t got, left = j->len - j->at;
    if (left) memmove(j->buf, j->buf + j->at, left);
    j->before += (int64_t)j->at;
    j->at = 0;
    j->len = left;
    odim_status status = od_source_read(j->src, j->buf + left, BUFFER - left, &got, err);
    if (status) return status;
    j->len += got;
    j->end = got == 0;
    return ODIM_OK;
}

/* The next byte, which stays to be read; -1 at the end. */
static odim_status look(od_json *j, int *c, odim_error *err)
{
    if (j->at == j->len && !j->end) {
        odim_status status = load(j, err);
        if (status) return status;
    }
    *c = j->at < j->len ? (unsigned char)j->buf[j->at] : -1;
    return ODIM_OK;
}

static odim_status skip_mark(od_json *j, odim_error *err)
{
    static const unsigned char mark[] = {0xEF, 0xBB, 0xBF};
    for (size_t i = 0; i < sizeof mark; i++) {
        int c;
        odim_status status = look(j, &c, err);
        if (status) return status;
        if (c != mark[i]) return i ? fail(j, "not JSON", err) : ODIM_OK;
        j->at++;
    }
    return ODIM_OK;
}

/* The next byte that is not a blank. A line end within a value that must be on one line is none. */
static odim_status skip_blanks(od_json *j, int *c, odim_error *err)
{
    if (j->before == 0 && j->at == 0) {
        odim_status status = skip_mark(j, err);
        if (status) return status;
    }
    for (;; j->at++) {
        odim_status status = look(j, c, err);
        if (status || (*c != ' ' && *c != '\t' && *c != '\r' && *c != '\n')) return status;
        if (*c != '\n') continue;
        if (j->lines && j->depth) return ODIM_OK;
        j->line++;
        j->used = false;
    }
}

static odim_status add(od_json *j, const char *bytes, size_t len, odim_error *err)
{
    if (len > OD_CSV_RECORD_MOST - j->text_len) return fail(j, "a string of more than 64 MB", err);
    if (j->text_cap - j->text_len < len) {
        size_t cap = (j->text_len + len) * 2 + 64;
        char *text = od_grow(j->text, j->text_len, cap, 1);
        if (!text) return od_fail_nomem(err);
        j->text = text;
        j->text_cap = cap;
    }
    memcpy(j->text + j->text_len, bytes, len);
    j->text_len += len;
    return ODIM_OK;
}

/* ---- strings -------------------------------------------------------------------------------------- */

static odim_status read_hex(od_json *j, uint32_t *out, odim_error *err)
{
    *out = 0;
    for (int i = 0; i < 4; i++, j->at++) {
        int c;
        odim_status status = look(j, &c, err);
        if (status) return status;
        bool digit = c >= '0' && c <= '9';
        int letter = c | 0x20;
        if (!digit && (c < 0 || letter < 'a' || letter > 'f'))
            return fail(j, "expected four hexadecimal digits behind \\u", err);
        *out = *out * 16 + (uint32_t)(digit ? c - '0' : letter - 'a' + 10);
    }
    return ODIM_OK;
}

static odim_status add_code(od_json *j, uint32_t code, odim_error *err)
{
    char b[4];
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n; i-- > 1; code >>= 6) b[i] = (char)(0x80 | (code & 0x3F));
    b[0] = (char)(lead[n] | code);
    return add(j, b, n, err);
}

/* Behind "\u". A character beyond the first 65536 is a pair of surrogates. */
static odim_status read_unicode(od_json *j, odim_error *err)
{
    uint32_t code, low = 0;
    odim_status status = read_hex(j, &code, err);
    if (status) return status;
    if (code == 0) return fail(j, "\\u0000 cannot be part of a table", err);
    if (code >= 0xD800 && code < 0xDC00) {
        for (const char *p = "\\u"; *p; p++, j->at++) {
            int c;
            if ((status = look(j, &c, err))) return status;
            if (c != *p) return fail(j, "half of a surrogate pair", err);
        }
        if ((status = read_hex(j, &low, err))) return status;
        if (low < 0xDC00 || low > 0xDFFF) return fail(j, "half of a surrogate pair", err);
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
        return fail(j, "half of a surrogate pair", err);
    }
    return add_code(j, code, err);
}

/* Behind a backslash. */
static odim_status read_escape(od_json *j, odim_error *err)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    int c;
    odim_status status = look(j, &c, err);
    if (status) return status;
    const char *found = c > 0 ? strchr(letters, c) : NULL;
    if (c != 'u' && !found) return fail(j, "unknown escape in a string", err);
    j->at++;
    return found ? add(j, &meant[found - letters], 1, err) : read_unicode(j, err);
}

static odim_status check_utf8(const od_json *j, odim_error *err)
{
    for (size_t i = 0; i < j->text_len;) {
        uint32_t code;
        int n = (unsigned char)j->text[i] < 0x80 ? 1 : od_utf8_decode(j->text + i, j->text_len - i, &code);
        if (!n) {
            char what[100 + OD_HINT_ROOM];
            snprintf(what, sizeof what, "the string before it is not UTF-8; name its encoding%s",
                     OD_HINT("encoding"));
            return fail(j, what, err);
        }
        i += (size_t)n;
    }
    return ODIM_OK;
}

static odim_status read_string(od_json *j, odim_error *err)
{
    j->at++; /* the quote */
    for (;;) {
        int c;
        odim_status status = look(j, &c, err);
        if (status) return status;
        size_t i = j->at;
        while (i < j->len && (unsigned char)j->buf[i] >= ' ' && j->buf[i] != '"' && j->buf[i] != '\\') i++;
        if (i > j->at) {
            status = add(j, j->buf + j->at, i - j->at, err);
            j->at = i;
        } else if (c == '"') {
            j->at++;
            return check_utf8(j, err);
        } else if (c == '\\') {
            j->at++;
            status = read_escape(j, err);
        } else if (c < 0) {
            return fail(j, "the file ends within a string", err);
        } else if (c == '\n') {
            return fail(j, "the line ends within a string", err);
        } else {
            return fail(j, "a control character in a string, which must be written as an escape", err);
        }
        if (status) return status;
    }
}

/* ---- other values --------------------------------------------------------------------------------- */

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9') p++;
    return p;
}

static bool is_number(const char *p, const char *end)
{
    if (p < end && *p == '-') p++;
    const char *whole = p;
    p = skip_digits(p, end);
    if (p == whole || (*whole == '0' && p > whole + 1)) return false;
    if (p < end && *p == '.') {
        const char *part = ++p;
        if ((p = skip_digits(p, end)) == part) return false;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        const char *power = p;
        if ((p = skip_digits(p, end)) == power) return false;
    }
    return p == end;
}

/* Letters, digits and signs up to anything else. */
static odim_status read_word(od_json *j, odim_error *err)
{
    for (;; j->at++) {
        int c;
        odim_status status = look(j, &c, err);
        if (status) return status;
        int letter = c | 0x20;
        bool part = c >= 0 && ((c >= '0' && c <= '9') || (letter >= 'a' && letter <= 'z') || c == '-' ||
                               c == '+' || c == '.');
        if (!part) return ODIM_OK;
        char byte = (char)c;
        if ((status = add(j, &byte, 1, err))) return status;
    }
}

static odim_status fail_word(const od_json *j, odim_error *err)
{
    char word[40], text[160];
    od_printable(word, sizeof word, j->text, j->text_len);
    snprintf(text, sizeof text, "'%s' before it is not JSON%s", word,
             strstr(word, "NaN") || strstr(word, "Inf") ? "; a missing value is null" : "");
    return fail(j, text, err);
}

static odim_status read_plain(od_json *j, int c, od_json_token *out, odim_error *err)
{
    odim_status status = read_word(j, err);
    if (status) return status;
    if (j->text_len == 0) {
        char text[80], shown[16], byte = (char)c;
        if (c < 0) return fail(j, "the file ends within a value: it is truncated", err);
        if (c == '\n') return fail(j, "the line ends within a value", err);
        snprintf(text, sizeof text, "expected a value, found '%s'",
                 od_printable(shown, sizeof shown, &byte, 1));
        return fail(j, text, err);
    }
    bool is_true = j->text_len == 4 && memcmp(j->text, "true", 4) == 0;
    if (is_true || (j->text_len == 5 && memcmp(j->text, "false", 5) == 0))
        out->kind = OD_JSON_BOOL;
    else if (j->text_len == 4 && memcmp(j->text, "null", 4) == 0)
        out->kind = OD_JSON_NULL;
    else if (is_number(j->text, j->text + j->text_len))
        out->kind = OD_JSON_NUMBER;
    else
        return fail_word(j, err);
    if (out->kind == OD_JSON_NULL) j->text_len = 0;
    return ODIM_OK;
}

static odim_status read_value(od_json *j, int c, od_json_token *out, odim_error *err)
{
    if (c == '{' || c == '[') {
        if (j->depth == OD_JSON_DEPTH)
            return fail(j, "more than 64 arrays and objects within each other", err);
        j->at++;
        j->open[j->depth++] = (char)c;
        j->state = c == '{' ? FIRST_KEY : FIRST_ITEM;
        out->kind = c == '{' ? OD_JSON_OBJECT : OD_JSON_ARRAY;
        return ODIM_OK;
    }
    out->kind = OD_JSON_STRING;
    odim_status status = c == '"' ? read_string(j, err) : read_plain(j, c, out, err);
    j->state = j->depth ? AFTER : VALUE;
    return status;
}

static odim_status fail_after(const od_json *j, int c, odim_error *err)
{
    bool object = j->open[j->depth - 1] == '{';
    if (c < 0)
        return fail(j,
                    object ? "the file ends within an object: it is truncated"
                           : "the file ends within an array: it is truncated",
                    err);
    if (c == '\n') return fail(j, "the line ends within a value", err);
    return fail(
        j, object ? "expected a comma or '}' behind a value" : "expected a comma or ']' behind a value", err);
}

/* A key and its colon. */
static odim_status read_key(od_json *j, int c, od_json_token *out, odim_error *err)
{
    if (c < 0 || c == '\n') return fail_after(j, c, err);
    if (c != '"') return fail(j, "expected a key in quotes", err);
    odim_status status = read_string(j, err);
    if (!status) status = skip_blanks(j, &c, err);
    if (status) return status;
    if (c < 0 || c == '\n') return fail_after(j, c, err);
    if (c != ':') return fail(j, "expected a colon behind a key", err);
    j->at++;
    j->state = VALUE;
    out->kind = OD_JSON_KEY;
    return ODIM_OK;
}

static void close_one(od_json *j, od_json_token *out)
{
    out->kind = j->open[--j->depth] == '{' ? OD_JSON_OBJECT_END : OD_JSON_ARRAY_END;
    j->at++;
    j->state = j->depth ? AFTER : VALUE;
}

static odim_status read_token(od_json *j, od_json_token *out, odim_error *err)
{
    int c;
    odim_status status = skip_blanks(j, &c, err);
    if (status) return status;
    int close = !j->depth ? 0 : j->open[j->depth - 1] == '{' ? '}' : ']';
    if (j->depth && j->state != VALUE && j->state != KEY && c == close) {
        *out = (od_json_token){.line = j->line, .at = j->before + (int64_t)j->at};
        close_one(j, out);
        return ODIM_OK;
    }
    if (j->state == AFTER) {
        if (c != ',') return fail_after(j, c, err);
        j->at++;
        j->state = close == '}' ? KEY : VALUE;
        if ((status = skip_blanks(j, &c, err))) return status;
    }
    *out = (od_json_token){.line = j->line, .at = j->before + (int64_t)j->at};
    if (j->depth == 0) {
        if (c < 0) return ODIM_OK;
        if (j->lines && j->used) return fail(j, "more behind the value on its line", err);
        j->used = true;
    }
    return j->state == KEY || j->state == FIRST_KEY ? read_key(j, c, out, err) : read_value(j, c, out, err);
}

odim_status od_json_next(od_json *j, od_json_token *out, odim_error *err)
{
    j->text_len = 0;
    odim_status status = read_token(j, out, err);
    out->text = j->text_len ? j->text : "";
    out->len = j->text_len;
    return status;
}

odim_status od_json_leave(od_json *j, int depth, odim_error *err)
{
    od_json_token token;
    odim_status status = ODIM_OK;
    while (!status && j->depth >= depth) status = od_json_next(j, &token, err);
    return status;
}

/* ---- lines and pipes ------------------------------------------------------------------------------ */

odim_status od_json_skip_line(od_json *j, odim_error *err)
{
    j->depth = 0;
    j->state = VALUE;
    j->used = false;
    for (;; j->at++) {
        int c;
        odim_status status = look(j, &c, err);
        if (status || c < 0) return status;
        if (c != '\n') continue;
        j->at++;
        j->line++;
        return ODIM_OK;
    }
}

odim_status od_json_rewind(od_json *j, odim_error *err)
{
    j->depth = 0;
    j->state = VALUE;
    j->used = j->end = false;
    j->at = j->len = 0;
    j->before = 0;
    j->line = 1;
    return od_source_rewind(j->src, err);
}

bool od_json_ready(od_json *j)
{
    for (;;) {
        const char *p = j->buf + j->at, *end = j->buf + j->len;
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) p++;
        size_t left = (size_t)(end - p);
        if (j->end || memchr(p, j->lines ? '\n' : '}', left)) return true;
        if (j->at == 0 && j->len == BUFFER) return true;
        if (!od_source_ready(j->src)) return false;
        if (load(j, NULL)) return true; /* and the mistake comes again when the value is read */
    }
}
